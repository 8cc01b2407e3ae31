//! The state of one pair while its boxes overlap, and its test.

mod in_motion;
mod with_formula;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use xcollide_simd::prefetch;

use super::Proof;
use super::batch::Batches;
use super::cost_estimate::CostEstimate;
use super::mark::Mark;
use super::objects::Objects;
use crate::broad::Pair;
use crate::convex::Penetration;
use crate::interest::{Ask, InterestMatrix};
use crate::narrow::proximity::{self, BoundedDistance, Distance};
use crate::narrow::relation::kind;
use crate::narrow::{
    Contact, Kind, Manifold, NarrowPhase, PairCache, PairQuery, Placed, Query, Reason, Verdict,
    Witness, penetration,
};

#[derive(Debug)]
pub(super) struct PairState {
    pub(super) pair: Pair,
    /// Whether an object changed since the last check.
    pub(super) is_new: bool,
    /// Whether this check tested it.
    pub(super) tested_now: bool,
    /// Whether this check had no time for a necessary test.
    pub(super) late: bool,
    /// For how many checks in a row it was late.
    pub(super) waited: u32,
    /// Its turn in the schedule.
    pub(super) turn: u8,
    /// The last check that tested it, from 1.
    pub(super) tested: u64,
    /// The query of that test.
    pub(super) ask: Ask,
    pub(super) outcome: Outcome,
    pub(super) cache: PairCache,
    /// Results of queries beyond touching.
    detail: Option<Box<Detail>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Apart,
    Collides(Proof),
    Undecided(Reason),
    /// It panicked; `Detail` has the message.
    Failed,
}

impl Outcome {
    pub(super) fn collides(&self) -> bool {
        matches!(self, Self::Collides(_))
    }
}

#[derive(Debug, Default)]
struct Detail {
    contacts: Vec<Contact>,
    distance: Option<BoundedDistance>,
    /// The kind at the last test that decided, and at the one before.
    kind: Option<Kind>,
    kind_before: Option<Kind>,
    response: Option<Response>,
    message: String,
}

/// How objects that collide can be moved apart.
#[derive(Clone, Debug)]
pub(super) enum Response {
    Depth(Penetration),
    Manifold(Manifold),
}

const OUT_OF_RANGE: &str = "its pose moves one of the two beyond the range of f64";

/// The turn of pairs that need no test.
pub(super) const NO_TURN: u8 = u8::MAX;

/// The turn, never reached, of pairs that are beyond the most tests of a check.
pub(super) const PUT_OFF: u8 = u8::MAX - 1;

/// What all tests of a check share.
#[derive(Clone, Copy)]
pub(super) struct Testing<'a> {
    pub(super) objects: &'a Objects,
    pub(super) narrow: &'a dyn NarrowPhase,
    /// The same, but never an approximate one: for objects in motion.
    pub(super) exact: &'a dyn NarrowPhase,
    pub(super) interest: &'a InterestMatrix,
    pub(super) query: &'a Query,
    /// The number of this check, from 1.
    pub(super) check: u64,
    /// Tests before this check are out of date.
    pub(super) since: u64,
    /// The current turn and its deadline, under a schedule.
    pub(super) turn: Option<(u8, Option<Instant>)>,
    pub(super) cost: &'a CostEstimate,
    pub(super) batches: &'a Batches,
    /// How wide the time interval of a contact may be.
    pub(super) time_width: f64,
}

/// How many pairs ahead a state is [touched](PairState::touch).
pub(super) const PREFETCH_DISTANCE: usize = 8;

impl PairState {
    pub(super) fn new(pair: Pair, coherent: bool) -> Self {
        Self {
            pair,
            is_new: false,
            tested_now: false,
            late: false,
            waited: 0,
            turn: NO_TURN,
            tested: 0,
            ask: Ask::Touch,
            outcome: Outcome::Apart,
            cache: if coherent { PairCache::coherent() } else { PairCache::new() },
            detail: None,
        }
    }

    /// Frees the memory of a pair that is dropped, but for the cache itself, which the next pair needs.
    pub(super) fn release(&mut self) {
        self.detail = None;
    }

    /// Starts loading the state into the processor's cache, as states are unordered.
    #[inline(always)]
    pub(super) fn touch(&self) {
        prefetch(self);
    }

    /// Makes this [released](Self::release) state that of a new pair. The cache stays where it is.
    pub(super) fn reuse_for(&mut self, pair: Pair) {
        self.pair = pair;
        (self.is_new, self.tested_now, self.late) = (false, false, false);
        (self.waited, self.turn, self.tested) = (0, NO_TURN, 0);
        (self.ask, self.outcome, self.detail) = (Ask::Touch, Outcome::Apart, None);
    }

    /// Whether the pair needs a test: an object or the query changed, or there is no verdict, or the time ended its distance.
    #[inline]
    pub(super) fn needs_test(&mut self, testing: &Testing<'_>) -> bool {
        let [i, j] = self.indices();
        let changed = testing.objects.changed[i].max(testing.objects.changed[j]);
        // A late pair counts changes since its last test.
        self.is_new = changed == testing.check || self.late && changed > self.tested;
        self.tested_now = false;
        let known = matches!(self.outcome, Outcome::Apart | Outcome::Collides(_));
        let valid = known && self.tested >= changed.max(testing.since) && self.tested > 0;
        let same_ask = self.ask == testing.interest.ask(self.pair.a.into(), self.pair.b.into());
        !(valid && same_ask) || self.distance_is_unfinished()
    }

    /// Whether there is nothing to report, unless it collided before: apart, no distance.
    pub(super) fn is_quiet(&self) -> bool {
        let apart = matches!(self.outcome, Outcome::Apart);
        apart && !self.late && self.distance().is_none()
    }

    #[inline]
    pub(super) fn indices(&self) -> [usize; 2] {
        [self.pair.a, self.pair.b].map(|id| id.index() as usize)
    }

    /// Prefetches what a test needs.
    #[inline]
    pub(super) fn fetch(&self, objects: &Objects) {
        self.cache.prefetch();
        for slot in self.indices() {
            prefetch(&objects.poses[slot]);
            prefetch(&objects.models[slot]);
        }
    }

    #[inline]
    pub(super) fn begin(&mut self, testing: &Testing<'_>) {
        (self.tested_now, self.late, self.waited) = (true, false, 0);
        self.ask = testing.interest.ask(self.pair.a.into(), self.pair.b.into());
        if let Some(detail) = self.detail.as_mut().filter(|_| self.ask != Ask::Kind) {
            detail.kind = None;
        }
        if self.tested == 0 {
            // It may be that of a former pair.
            self.cache.forget();
        }
        // Discards the counts of the last query, as not every query counts.
        self.cache.clear_stats();
        self.tested = testing.check;
    }

    /// The two placed objects; if one of them cannot be placed, the test has failed.
    #[inline]
    pub(super) fn place<'o>(&mut self, objects: &'o Objects) -> Option<[Placed<'o>; 2]> {
        let [i, j] = self.indices();
        if let (Some(a), Some(b)) = (objects.placed(i), objects.placed(j)) {
            return Some([a, b]);
        }
        self.fail(OUT_OF_RANGE.to_owned());
        None
    }

    #[cold]
    fn fail(&mut self, message: String) {
        // The cache may be half written.
        self.cache.clear();
        self.detail.insert(Box::default()).message = message;
        self.outcome = Outcome::Failed;
    }

    /// Whether the pair may join a batch: a yes/no query about poses whose last test did not panic.
    #[inline]
    pub(super) fn may_join_batch(&self, testing: &Testing<'_>) -> bool {
        self.ask == Ask::Touch
            && !matches!(self.outcome, Outcome::Failed)
            && !self.has_formula(testing.objects)
            && !self.is_in_motion(testing.objects)
    }

    /// Tests this pair alone, after [`begin`](Self::begin).
    pub(super) fn test_alone(&mut self, testing: &Testing<'_>, verdicts: &mut Vec<Verdict>) {
        let Some(placements) = self.place(testing.objects) else { return };
        let decided = catch_unwind(AssertUnwindSafe(|| {
            if self.is_in_motion(testing.objects) {
                return self.decide_in_motion(placements.map(|placed| placed.model()), testing);
            }
            if self.has_formula(testing.objects) {
                return Ok(self.decide_with_formula(placements, testing));
            }
            Ok(self.decide(placements, testing, verdicts))
        }));
        match decided.unwrap_or_else(|panic| Err(message_of(&*panic))) {
            Ok(outcome) => self.outcome = outcome,
            Err(message) => self.fail(message),
        }
    }

    fn decide(
        &mut self,
        [a, b]: [Placed<'_>; 2],
        testing: &Testing<'_>,
        verdicts: &mut Vec<Verdict>,
    ) -> Outcome {
        let (narrow, query) = (testing.narrow, testing.query);
        // By the batch interface, so that the proof is the same as in a batch. Under a schedule there are no
        // batches, and `test` is faster.
        if self.ask == Ask::Touch && testing.turn.is_none() {
            narrow.test_many(&mut [PairQuery::new(a, b, &mut self.cache)], query, verdicts);
            if let Some(verdict) = verdicts.pop() {
                return outcome(verdict);
            }
        }
        match self.ask {
            Ask::Touch => outcome(narrow.test(a, b, query, &mut self.cache)),
            Ask::Contacts { limit } => {
                let contacts = &mut self.detail.get_or_insert_default().contacts;
                let listing =
                    narrow.contact_overlaps(a, b, query, limit, &mut self.cache, contacts);
                outcome(listing.verdict)
            }
            Ask::Kind => {
                let found = outcome(narrow.test(a, b, query, &mut self.cache));
                self.find_kind(found, [a, b], query);
                found
            }
            Ask::Depth | Ask::Manifold => {
                let found = outcome(narrow.test(a, b, query, &mut self.cache));
                self.find_response_of(found, [a, b]);
                found
            }
            Ask::Within { tolerance } => {
                match proximity::within(a, b, tolerance, query.semantics) {
                    Some(nearness) => Outcome::Collides(Proof::Near(nearness)),
                    None => Outcome::Apart,
                }
            }
            Ask::Distance { up_to } => {
                let found = outcome(narrow.test(a, b, query, &mut self.cache));
                let distance = match found {
                    Outcome::Collides(Proof::Witness(Witness { a, b, point })) => {
                        Some(measured(Distance {
                            value: 0.0,
                            points: [point; 2],
                            faces: a.face().zip(b.face()).map(|(s, t)| [s, t]),
                        }))
                    }
                    Outcome::Collides(_) | Outcome::Undecided(_) | Outcome::Failed => None,
                    Outcome::Apart => distance_up_to(up_to, a, b, query, &mut self.cache),
                };
                self.detail.get_or_insert_default().distance = distance;
                found
            }
        }
    }

    /// The kind of two objects with this outcome.
    fn find_kind(&mut self, found: Outcome, [a, b]: [Placed<'_>; 2], query: &Query) {
        match found {
            Outcome::Collides(_) => self.set_kind(kind(a, b, query.semantics)),
            Outcome::Apart => self.set_kind(None),
            Outcome::Undecided(_) | Outcome::Failed => {}
        }
    }

    /// The depth or the manifold of two objects with this outcome.
    fn find_response_of(&mut self, found: Outcome, [a, b]: [Placed<'_>; 2]) {
        match found {
            Outcome::Collides(_) => self.find_response(a, b),
            Outcome::Apart => self.detail.get_or_insert_default().response = None,
            Outcome::Undecided(_) | Outcome::Failed => {}
        }
    }

    /// The depth or the manifold of two objects; none if they have none.
    fn find_response(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let response = &mut self.detail.get_or_insert_default().response;
        *response = match (self.ask, response.take()) {
            (Ask::Manifold, before) => {
                let before = match &before {
                    Some(Response::Manifold(before)) => Some(before),
                    _ => None,
                };
                Manifold::of(a, b, before).ok().flatten().map(Response::Manifold)
            }
            _ => penetration(a, b).ok().flatten().map(Response::Depth),
        };
    }

    /// Sets the kind of a new test.
    fn set_kind(&mut self, kind: Option<Kind>) {
        let detail = self.detail.get_or_insert_default();
        detail.kind_before = std::mem::replace(&mut detail.kind, kind);
    }

    /// Updates the mark after a check.
    #[inline]
    pub(super) fn update_mark(&self, mark: &Mark, testing: &Testing<'_>) {
        mark.set(Mark::TESTED, self.tested_now);
        // With statistics on, every pair is visited.
        let is_quiet = self.is_quiet() && !mark.has(Mark::COLLIDING) && !testing.query.stats;
        mark.set(Mark::QUIET, is_quiet);
    }

    /// Restores what a test found from a snapshot.
    pub(super) fn restore(
        &mut self,
        contacts: Vec<Contact>,
        distance: Option<BoundedDistance>,
        kind: Option<Kind>,
        response: Option<Response>,
    ) {
        if !contacts.is_empty() || distance.is_some() || kind.is_some() || response.is_some() {
            let detail = Detail { contacts, distance, kind, response, ..Detail::default() };
            self.detail = Some(Box::new(detail));
        }
    }

    pub(super) fn contacts(&self) -> &[Contact] {
        match (&self.detail, self.ask) {
            (Some(detail), Ask::Contacts { .. }) => &detail.contacts,
            _ => &[],
        }
    }

    /// The distance of the last test, if it was queried.
    pub(super) fn distance(&self) -> Option<BoundedDistance> {
        match (&self.detail, self.ask) {
            (Some(detail), Ask::Distance { .. }) => detail.distance,
            _ => None,
        }
    }

    /// Whether the budget ended the search for the distance.
    pub(super) fn distance_is_unfinished(&self) -> bool {
        self.distance().is_some_and(|distance| distance.parts_left > 0)
    }

    /// The kind of the last test, if it was queried.
    pub(super) fn kind(&self) -> Option<Kind> {
        self.detail.as_ref().filter(|_| self.ask == Ask::Kind)?.kind
    }

    /// The depth or the manifold of the last test, if it was queried and they collide.
    pub(super) fn response(&self) -> Option<&Response> {
        let response = self.detail.as_ref()?.response.as_ref()?;
        let is_wanted = match response {
            Response::Depth(_) => self.ask == Ask::Depth,
            Response::Manifold(_) => self.ask == Ask::Manifold,
        };
        (is_wanted && self.outcome.collides()).then_some(response)
    }

    /// The kind of the test before the last.
    pub(super) fn kind_before(&self) -> Option<Kind> {
        self.detail.as_ref()?.kind_before
    }

    pub(super) fn message(&self) -> String {
        self.detail.as_ref().map_or_else(String::new, |detail| detail.message.clone())
    }
}

#[inline]
pub(super) fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Collides(witness) => Outcome::Collides(Proof::Witness(witness)),
        Verdict::Apart(_) => Outcome::Apart,
        Verdict::Undecided(reason) => Outcome::Undecided(reason),
    }
}

/// The distance of two placed models, if it may be up to a limit: measured to the end, or as far as the budget of
/// the query lets it be.
fn distance_up_to(
    up_to: f64,
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    cache: &mut PairCache,
) -> Option<BoundedDistance> {
    if query.budget.is_none() {
        let found = proximity::distance(a, b, query.semantics).map(measured);
        return found.filter(|found| found.nearest.value <= up_to);
    }
    // The counts are those of the test.
    let found = proximity::distance_in_time(a, b, &query.stats(false), cache)?;
    let least = if found.parts_left > 0 { found.at_least } else { found.nearest.value };
    (least <= up_to).then_some(found)
}

/// A distance that was measured to the end.
pub(super) fn measured(nearest: Distance) -> BoundedDistance {
    BoundedDistance { at_least: nearest.value, nearest, parts_left: 0 }
}

/// The message of a panic, if it is text.
pub(super) fn message_of(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "it panicked".to_owned(),
    }
}
