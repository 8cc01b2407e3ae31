//! What is kept of one pair while its boxes overlap, and the test of it.

use std::any::Any;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::Proof;
use super::batch::Batches;
use super::effort::Effort;
use super::objects::Objects;
use super::pair_table::Mark;
use crate::broad::Pair;
use crate::interest::{Ask, InterestMatrix};
use crate::narrow::proximity::{self, Distance};
use crate::narrow::{
    Contact, NarrowPhase, PairCache, PairQuery, Placement, Query, Reason, Stats, Verdict, Witness,
};

/// One pair.
#[derive(Debug)]
pub(super) struct PairState {
    pub(super) pair: Pair,
    /// What the application was told last.
    pub(super) colliding: bool,
    /// Whether an object has changed since the last check.
    pub(super) is_new: bool,
    /// Whether it was tested in this check.
    pub(super) tested_now: bool,
    /// Whether it should have been tested in this check, and there was no time.
    pub(super) late: bool,
    /// In how many checks in a row there was none.
    pub(super) waited: u32,
    /// When its turn is, where there is a schedule.
    pub(super) turn: u8,
    /// The check that tested it last, counted from 1.
    pub(super) tested: u64,
    /// What was asked then.
    pub(super) ask: Ask,
    pub(super) outcome: Outcome,
    cache: PairCache,
    /// What only some questions have.
    detail: Option<Box<Detail>>,
}

/// What a test came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Apart,
    Collides(Proof),
    Undecided(Reason),
    /// It panicked; the message is in the details.
    Failed,
}

#[derive(Debug, Default)]
struct Detail {
    contacts: Vec<Contact>,
    distance: Option<Distance>,
    message: String,
}

/// The turn of those that need none.
pub(super) const NO_TURN: u8 = u8::MAX;

/// What all tests of a check have in common.
#[derive(Clone, Copy)]
pub(super) struct Testing<'a> {
    pub(super) objects: &'a Objects,
    pub(super) narrow: &'a dyn NarrowPhase,
    pub(super) interest: &'a InterestMatrix,
    pub(super) query: &'a Query,
    /// The number of this check, from 1.
    pub(super) check: u64,
    /// Tests before this check are out of date.
    pub(super) since: u64,
    /// Whose turn it is, and until when, where there is a schedule.
    pub(super) turn: Option<(u8, Option<Instant>)>,
    /// What tests take.
    pub(super) effort: &'a Effort,
    pub(super) batches: &'a Batches,
}

impl PairState {
    pub(super) fn new(pair: Pair, coherent: bool) -> Self {
        let cache = if coherent { PairCache::coherent() } else { PairCache::new() };
        Self {
            pair,
            colliding: false,
            is_new: false,
            tested_now: false,
            late: false,
            waited: 0,
            turn: NO_TURN,
            tested: 0,
            ask: Ask::Touch,
            outcome: Outcome::Apart,
            cache,
            detail: None,
        }
    }

    /// Whether the pair has to be tested: an object has changed, or the question; or nothing is known.
    #[inline]
    pub(super) fn is_due(&mut self, testing: &Testing<'_>) -> bool {
        let [i, j] = self.indices();
        let changed = testing.objects.changed[i].max(testing.objects.changed[j]);
        // For a pair that was late, since it was tested.
        self.is_new = changed == testing.check || self.late && changed > self.tested;
        self.tested_now = false;
        let known = matches!(self.outcome, Outcome::Apart | Outcome::Collides(_));
        let valid = known && self.tested >= changed.max(testing.since) && self.tested > 0;
        !valid || self.ask != testing.interest.ask(self.pair.a.into(), self.pair.b.into())
    }

    /// Whether there is nothing to be told of it.
    pub(super) fn is_quiet(&self) -> bool {
        let apart = matches!(self.outcome, Outcome::Apart);
        apart && !self.colliding && !self.late && self.distance().is_none()
    }

    #[inline]
    pub(super) fn indices(&self) -> [usize; 2] {
        [self.pair.a, self.pair.b].map(|id| id.index() as usize)
    }

    /// Has the processor fetch what a test needs of the objects, without waiting for it.
    #[inline]
    pub(super) fn fetch(&self, objects: &Objects) {
        for slot in self.indices() {
            let transform = &objects.transforms[slot];
            let ends = (transform.rotation()[0][0], transform.translation()[2]);
            black_box((objects.models[slot].is_some(), ends));
        }
    }

    /// Begins a test.
    #[inline]
    pub(super) fn begin(&mut self, testing: &Testing<'_>) {
        (self.tested_now, self.late, self.waited) = (true, false, 0);
        self.tested = testing.check;
        self.ask = testing.interest.ask(self.pair.a.into(), self.pair.b.into());
        // Not every question is counted; those of the last one are not this one's.
        self.cache.set_stats(Stats::default());
    }

    /// The objects where they are, if they can be there.
    #[inline]
    pub(super) fn placements<'o>(&self, objects: &'o Objects) -> Option<[Placement<'o>; 2]> {
        let [i, j] = self.indices();
        Some([objects.placement(i)?, objects.placement(j)?])
    }

    /// Whether only is asked whether the two touch. Not so of a pair whose last test has failed: the next
    /// one may as well, and others would have to be asked again.
    #[inline]
    pub(super) fn may_be_asked_with_others(&self) -> bool {
        self.ask == Ask::Touch && !matches!(self.outcome, Outcome::Failed)
    }

    /// Goes on with a test that has begun, of this pair alone.
    pub(super) fn test_alone(&mut self, testing: &Testing<'_>, verdicts: &mut Vec<Verdict>) {
        let Some(placements) = self.placements(testing.objects) else {
            self.outcome = Outcome::Apart;
            return;
        };
        let tried = catch_unwind(AssertUnwindSafe(|| self.decide(placements, testing, verdicts)));
        self.outcome = match tried {
            Ok(outcome) => outcome,
            Err(panic) => {
                // What it left behind may be half done.
                self.cache.clear();
                let detail = self.detail.insert(Box::default());
                detail.message = message_of(&*panic);
                Outcome::Failed
            }
        };
    }

    fn decide(
        &mut self,
        [a, b]: [Placement<'_>; 2],
        testing: &Testing<'_>,
        verdicts: &mut Vec<Verdict>,
    ) -> Outcome {
        let (narrow, query) = (testing.narrow, testing.query);
        // Under a schedule all are asked alone, and that has a faster way.
        if self.ask == Ask::Touch && testing.turn.is_none() {
            // As one of many, for then the proof is the same as with others.
            narrow.test_many(&mut [PairQuery::new(a, b, &mut self.cache)], query, verdicts);
            if let Some(verdict) = verdicts.pop() {
                return outcome(verdict);
            }
        }
        let [a, b] = [a.placed(), b.placed()];
        match self.ask {
            Ask::Touch => outcome(narrow.test(a, b, query, &mut self.cache)),
            Ask::Contacts { limit } => {
                let contacts = &mut self.detail.get_or_insert_default().contacts;
                let listing =
                    narrow.contact_overlaps(a, b, query, limit, &mut self.cache, contacts);
                outcome(listing.verdict)
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
                    Outcome::Collides(Proof::Witness(Witness { a, b, point })) => Some(Distance {
                        value: 0.0,
                        points: [point; 2],
                        faces: a.face().zip(b.face()).map(|(s, t)| [s, t]),
                    }),
                    Outcome::Collides(_) | Outcome::Undecided(_) | Outcome::Failed => None,
                    Outcome::Apart => proximity::distance(a, b, query.semantics)
                        .filter(|distance| distance.value <= up_to),
                };
                self.detail.get_or_insert_default().distance = distance;
                found
            }
        }
    }

    /// Writes down what is known of it after a test, or without one.
    #[inline]
    pub(super) fn write_down(&self, mark: &mut Mark, testing: &Testing<'_>) {
        mark.tested = self.tested_now;
        // Who asks for counts wants those of all.
        mark.quiet = self.is_quiet() && !testing.query.stats;
    }

    /// What the algorithm remembers.
    #[inline]
    pub(super) fn cache(&mut self) -> &mut PairCache {
        &mut self.cache
    }

    /// Forgets what the algorithm remembers.
    pub(super) fn forget(&mut self) {
        self.cache.clear();
    }

    /// Brings back what a test came to besides its outcome.
    pub(super) fn bring_back(&mut self, contacts: Vec<Contact>, distance: Option<Distance>) {
        if !contacts.is_empty() || distance.is_some() {
            let detail = Detail { contacts, distance, message: String::new() };
            self.detail = Some(Box::new(detail));
        }
    }

    /// Where the faces meet, as of the last test.
    pub(super) fn contacts(&self) -> &[Contact] {
        match (&self.detail, self.ask) {
            (Some(detail), Ask::Contacts { .. }) => &detail.contacts,
            _ => &[],
        }
    }

    /// How far apart the objects are, as of the last test, if that was asked.
    pub(super) fn distance(&self) -> Option<Distance> {
        match (&self.detail, self.ask) {
            (Some(detail), Ask::Distance { .. }) => detail.distance,
            _ => None,
        }
    }

    /// What the panic said.
    pub(super) fn message(&self) -> String {
        self.detail.as_ref().map_or_else(String::new, |detail| detail.message.clone())
    }

    /// What the last test counted.
    pub(super) fn stats(&self) -> Stats {
        self.cache.stats()
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

/// What a panic said, as far as it can be told.
pub(super) fn message_of(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "it panicked".to_owned(),
    }
}
