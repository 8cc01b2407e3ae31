//! Runs, times and verifies one algorithm on one query.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

use xcollide::brep::FaceId;
use xcollide::convex::{Penetration, Plane};
use xcollide::narrow::proximity::{self, BoundedDistance, Distance, Nearness};
use xcollide::narrow::relation::kind;
use xcollide::narrow::{
    Contact, Kind, Listing, NarrowPhase, OverlapVolume, PairCache, Placed, ProofError, Query,
    QueryError, Semantics, Separation, Stats, Verdict,
};
use xcollide::{overlap_volume, penetration};

use crate::meetings::PairContact;
use crate::options::{CheckOptions, Common};
use crate::output::nanoseconds;

pub(super) struct Trial<'a> {
    options: &'a CheckOptions,
    query: Query,
    stats: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Contacts {
    /// The pairs of faces in contact, if requested.
    pub(super) pairs: Option<Vec<(FaceId, FaceId)>>,
    /// Their intersections, if requested.
    pub(super) overlaps: Option<Vec<Contact>>,
    /// The number of pairs, if requested.
    pub(super) count: Option<usize>,
    /// Whether no pair is missing.
    pub(super) complete: bool,
}

pub(super) struct Contestant {
    algorithm: Box<dyn NarrowPhase>,
    /// With `--coherent` one for each repetition; with a shared cache, all repetitions but the first
    /// would find the work done.
    caches: Vec<PairCache>,
    /// For the run that counts, which is not timed.
    counting: PairCache,
}

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) algorithm: &'static str,
    pub(super) verdict: Verdict,
    /// The tolerance and the nearest features, if the models are apart but within it.
    pub(super) near: Option<(f64, Nearness)>,
    /// The distance, if requested and both have faces.
    pub(super) distance: Option<Distance>,
    /// What is known of it if the budget did not suffice.
    pub(super) distance_bounds: Option<BoundedDistance>,
    /// How they lie to each other, if requested.
    pub(super) kind: Option<Kind>,
    /// The penetration depth, if requested and the interiors of solids meet.
    pub(super) depth: Option<Penetration>,
    /// The volume that both have in common, if requested of solids.
    pub(super) volume: Option<OverlapVolume>,
    /// Why the depth or the volume has no answer.
    pub(super) refused: Option<QueryError>,
    pub(super) contacts: Contacts,
    /// The time to the verdict, the minimum of all repetitions, without reading and preparing.
    pub(super) nanoseconds: u64,
    /// The counts, if requested.
    pub(super) stats: Option<Stats>,
}

/// The verdict, with the tolerance taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Collides,
    Apart,
    Undecided,
}

impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Collides => "collides",
            Self::Apart => "apart",
            Self::Undecided => "undecided",
        }
    }
}

impl Answer {
    pub(super) fn outcome(&self) -> Outcome {
        match self.verdict {
            Verdict::Collides(_) => Outcome::Collides,
            Verdict::Apart(_) if self.near.is_some() => Outcome::Collides,
            Verdict::Apart(_) => Outcome::Apart,
            Verdict::Undecided(_) => Outcome::Undecided,
        }
    }
}

impl Answer {
    /// Where the two meet, or come within the tolerance.
    pub(super) fn contact(&self) -> Option<PairContact> {
        match (&self.verdict, &self.near) {
            (Verdict::Collides(witness), _) => Some(PairContact::of_witness([0, 1], witness)),
            (_, Some((_, near))) => Some(PairContact::of_nearness([0, 1], near)),
            _ => None,
        }
    }
}

impl<'a> Trial<'a> {
    pub(super) fn new(options: &'a CheckOptions, common: &Common) -> Self {
        let mut query = Query::new().semantics(options.semantics).certify(options.certify);
        query.budget = options.budget;
        Self { options, query, stats: common.stats }
    }

    pub(super) fn contestant(&self, algorithm: Box<dyn NarrowPhase>) -> Contestant {
        Contestant { algorithm, caches: vec![self.cache()], counting: self.cache() }
    }

    fn cache(&self) -> PairCache {
        if self.options.coherent { PairCache::coherent() } else { PairCache::new() }
    }

    /// Runs an algorithm, with all repetitions.
    pub(super) fn answer(&self, contestant: &mut Contestant, pair: [Placed<'_>; 2]) -> Answer {
        let [a, b] = pair;
        let coherent = self.options.coherent;
        let Contestant { algorithm, caches, counting } = contestant;
        let mut once = |repetition: usize| {
            let own = if coherent { repetition } else { 0 };
            if own == caches.len() {
                caches.push(self.cache());
            }
            // Proofs may depend on the cache, so without `--coherent` it is empty for each query.
            if !coherent {
                caches[own].forget();
            }
            self.run(&**algorithm, pair, &mut caches[own])
        };
        let mut best = once(0);
        for repetition in 1..self.options.repeat.get() {
            let run = once(repetition);
            // A run that decided wins over a shorter one that ran out of time.
            let order = |run: &Answer| (run.verdict.decided().is_none(), run.nanoseconds);
            if order(&run) < order(&best) {
                best = run;
            }
        }
        // Fast algorithms omit a costly plane, but the output shows one.
        if let Verdict::Apart(proof @ Separation::Pairwise) = &mut best.verdict
            && let Some(plane) = Separation::find_plane(a, b)
        {
            *proof = Separation::Plane(plane);
        }
        if let Verdict::Apart(Separation::Plane(plane)) = &mut best.verdict {
            *plane = of_unit_normal(*plane, pair);
        }
        if self.options.distance {
            // Whatever rounding says.
            if let Verdict::Collides(witness) = &best.verdict {
                let points = [witness.point; 2];
                best.distance = Some(Distance { value: 0.0, points, faces: None });
            } else {
                let found = proximity::distance_in_time(a, b, &self.query, &mut PairCache::new());
                let is_complete = |found: &BoundedDistance| found.parts_left == 0;
                best.distance = found.filter(is_complete).map(|found| found.nearest);
                best.distance_bounds = found.filter(|found| !is_complete(found));
            }
        }
        if self.options.kind || self.options.depth {
            // None where a formula is so near that rounding hides it.
            let found = kind(a, b, self.query.semantics);
            best.kind = found.filter(|_| self.options.kind);
            let is_deep = match found {
                Some(Kind::Apart | Kind::Touching | Kind::Piercing) => false,
                Some(_) => self.query.semantics == Semantics::Solid,
                None => best.verdict.is_collision(),
            };
            if self.options.depth && is_deep {
                match penetration(a, b) {
                    Ok(depth) => best.depth = depth,
                    Err(error) => best.refused = Some(error),
                }
            }
        }
        if self.options.volume && self.query.semantics == Semantics::Solid {
            match overlap_volume(a, b) {
                Ok(volume) => best.volume = Some(volume),
                Err(error) => best.refused = Some(error),
            }
        }
        if self.stats {
            if !coherent {
                counting.clear();
            }
            let _ = self.run_query(&**algorithm, &self.query.stats(true), pair, counting);
            best.stats = Some(counting.stats());
        }
        best
    }

    /// One timed run, without distance and counts.
    fn run(
        &self,
        algorithm: &dyn NarrowPhase,
        [a, b]: [Placed<'_>; 2],
        cache: &mut PairCache,
    ) -> Answer {
        let started = Instant::now();
        let (verdict, contacts) = self.run_query(algorithm, &self.query, [a, b], cache);
        let near = self.options.tolerance.filter(|_| verdict.is_apart()).and_then(|tolerance| {
            let near = proximity::within(a, b, tolerance, self.query.semantics)?;
            Some((tolerance, near))
        });
        Answer {
            algorithm: algorithm.name(),
            verdict,
            near,
            distance: None,
            distance_bounds: None,
            kind: None,
            depth: None,
            volume: None,
            refused: None,
            contacts,
            nanoseconds: nanoseconds(started.elapsed()),
            stats: None,
        }
    }

    fn run_query(
        &self,
        algorithm: &dyn NarrowPhase,
        query: &Query,
        [a, b]: [Placed<'_>; 2],
        cache: &mut PairCache,
    ) -> (Verdict, Contacts) {
        let mut found = Contacts::default();
        let CheckOptions { contacts, segments, count, .. } = self.options;
        let listing = if *count {
            let (count, listing) = algorithm.count_contacts(a, b, query, cache);
            found.count = Some(count);
            listing
        } else if *segments {
            let overlaps = found.overlaps.insert(Vec::new());
            let limit = contacts.unwrap_or(usize::MAX);
            let listing = algorithm.contact_overlaps(a, b, query, limit, cache, overlaps);
            let mut pairs: Vec<_> = overlaps.iter().map(|contact| contact.faces.into()).collect();
            pairs.dedup();
            found.pairs = Some(pairs);
            listing
        } else if let Some(limit) = *contacts {
            let mut pairs = BTreeSet::new();
            let listing = algorithm.each_contact(a, b, query, cache, &mut |f, g| {
                if pairs.len() < limit {
                    pairs.insert((f, g));
                }
                if pairs.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            found.pairs = Some(pairs.into_iter().collect());
            listing
        } else {
            return (algorithm.test(a, b, query, cache), found);
        };
        let Listing { verdict, complete } = listing;
        found.complete = complete;
        (verdict, found)
    }

    /// Verifies the proofs of an answer if requested: of the verdict, of the nearness, and of each
    /// listed contact. The error is the first proof that is invalid.
    pub(super) fn verify(
        &self,
        answer: &Answer,
        [a, b]: [Placed<'_>; 2],
    ) -> Result<(), ProofError> {
        if !self.options.verify {
            return Ok(());
        }
        match &answer.verdict {
            Verdict::Collides(witness) => witness.verify(a, b, self.query.semantics)?,
            Verdict::Apart(proof) => proof.verify(a, b, self.query.semantics)?,
            Verdict::Undecided(_) => {}
        }
        if let Some((tolerance, near)) = &answer.near {
            near.verify(a, b, *tolerance, self.query.semantics)?;
        }
        let mut overlaps = answer.contacts.overlaps.iter().flatten();
        overlaps.try_for_each(|contact| contact.verify(a, b))
    }
}

/// The first contradiction between two answers, as text.
pub(super) fn disagreement(answers: &[Answer]) -> Option<String> {
    let sure = answers.iter().filter(|answer| answer.outcome() != Outcome::Undecided);
    for (s, t) in sure.clone().zip(sure.skip(1)) {
        let (first, second) = (s.algorithm, t.algorithm);
        if s.outcome() != t.outcome() {
            let (s, t) = (s.outcome().name(), t.outcome().name());
            return Some(format!("{first} says \"{s}\", {second} says \"{t}\""));
        }
        if s.contacts.complete && t.contacts.complete && s.contacts != t.contacts {
            let pairs = |answer: &Answer| {
                let listed = answer.contacts.pairs.as_ref().map_or(0, Vec::len);
                answer.contacts.count.unwrap_or(listed)
            };
            return Some(format!(
                "{first} and {second} list different contacts ({} and {} pairs of faces)",
                pairs(s),
                pairs(t)
            ));
        }
    }
    None
}

/// The plane with a unit normal; unchanged if rounding would invalidate it.
fn of_unit_normal(plane: Plane, [a, b]: [Placed<'_>; 2]) -> Plane {
    let largest = plane.normal.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    // Scaled before squaring, as lengths may have any size.
    let scaled = plane.normal.map(|x| x / largest);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit =
        Plane { normal: scaled.map(|x| x / length), offset: plane.offset / largest / length };
    let holds = Separation::Plane(unit).verify(a, b, Semantics::Surface).is_ok();
    if holds { unit } else { plane }
}
