//! Runs, times and verifies one algorithm on one query.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

use xcollide::brep::FaceId;
use xcollide::convex::Plane;
use xcollide::narrow::proximity::{self, Distance, Nearness};
use xcollide::narrow::{
    Contact, Listing, NarrowPhase, PairCache, Placed, ProofError, Query, Semantics, Separation,
    Stats, Verdict,
};

use crate::options::{CheckOptions, Common, ContactLimit};

/// The settings of every query.
#[derive(Clone, Debug)]
pub struct Trial {
    query: Query,
    wanted: Wanted,
    tolerance: Option<f64>,
    distance: bool,
    stats: bool,
    verify: bool,
    repeat: usize,
    /// Whether caches live on from query to query.
    coherent: bool,
}

/// What is computed besides the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Nothing.
    Verdict,
    /// At most so many pairs of faces in contact.
    Pairs(usize),
    /// At most so many, with their intersections.
    Overlaps(usize),
    /// Their number.
    Count,
}

impl Wanted {
    fn by(options: &CheckOptions) -> Self {
        let limit = options.contacts.map(ContactLimit::get);
        match limit {
            _ if options.count => Self::Count,
            _ if options.segments => Self::Overlaps(limit.unwrap_or(usize::MAX)),
            Some(limit) => Self::Pairs(limit),
            None => Self::Verdict,
        }
    }
}

/// Results on contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// The pairs of faces in contact, if requested.
    pub pairs: Option<Vec<(FaceId, FaceId)>>,
    /// Their intersections, if requested.
    pub overlaps: Option<Vec<Contact>>,
    /// The number of pairs, if requested.
    pub count: Option<usize>,
    /// Whether no pair is missing.
    pub complete: bool,
}

/// An algorithm with its caches.
pub struct Contestant {
    algorithm: Box<dyn NarrowPhase>,
    /// A cache for each repetition with `--coherent`: each repetition runs through all queries as
    /// if it were the only one. A shared cache would spare all but the first the work.
    caches: Vec<PairCache>,
    /// For the run that counts, which is not timed.
    counting: PairCache,
}

/// An algorithm's answer to a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// Its verdict.
    pub verdict: Verdict,
    /// The tolerance and the nearest features, if the models are apart but within it.
    pub near: Option<(f64, Nearness)>,
    /// The distance, if requested and both have faces.
    pub distance: Option<Distance>,
    /// The contacts.
    pub contacts: Contacts,
    /// Nanoseconds to the verdict, the minimum of all repetitions, without reading and preparing.
    pub nanoseconds: u64,
    /// The counts, if requested.
    pub stats: Option<Stats>,
}

/// The verdict as a word; the tolerance counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They meet or are within the tolerance.
    Collides,
    /// They do not.
    Apart,
    /// The algorithm does not know.
    Undecided,
}

impl Outcome {
    /// The word in the output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Collides => "collides",
            Self::Apart => "apart",
            Self::Undecided => "undecided",
        }
    }
}

impl Answer {
    /// The outcome.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self.verdict {
            Verdict::Collides(_) => Outcome::Collides,
            Verdict::Apart(_) if self.near.is_some() => Outcome::Collides,
            Verdict::Apart(_) => Outcome::Apart,
            Verdict::Undecided(_) => Outcome::Undecided,
        }
    }
}

/// The result of one timed run.
struct Run {
    verdict: Verdict,
    near: Option<(f64, Nearness)>,
    contacts: Contacts,
    nanoseconds: u64,
}

impl Trial {
    /// The settings of these options.
    #[must_use]
    pub fn new(options: &CheckOptions, common: &Common) -> Self {
        let mut query = Query::new().semantics(options.semantics).certify(options.certify);
        query.budget = options.budget;
        Self {
            query,
            wanted: Wanted::by(options),
            tolerance: options.tolerance,
            distance: options.distance,
            stats: common.stats,
            verify: options.verify,
            repeat: options.repeat.get(),
            coherent: options.coherent,
        }
    }

    /// An algorithm with empty caches.
    #[must_use]
    pub fn contestant(&self, algorithm: Box<dyn NarrowPhase>) -> Contestant {
        Contestant { algorithm, caches: vec![self.cache()], counting: self.cache() }
    }

    fn cache(&self) -> PairCache {
        if self.coherent { PairCache::coherent() } else { PairCache::new() }
    }

    /// Runs an algorithm, with all repetitions.
    pub fn answer(&self, contestant: &mut Contestant, a: Placed<'_>, b: Placed<'_>) -> Answer {
        let algorithm = &*contestant.algorithm;
        let Contestant { caches, counting, .. } = contestant;
        let mut once = |repetition: usize| {
            let own = if self.coherent { repetition } else { 0 };
            if own == caches.len() {
                caches.push(self.cache());
            }
            // Proofs may depend on the cache; without `--coherent` each query starts with an empty
            // one.
            if !self.coherent {
                caches[own].forget();
            }
            self.run(algorithm, a, b, &mut caches[own])
        };
        let mut best = once(0);
        for repetition in 1..self.repeat {
            let run = once(repetition);
            // A run out of time is worse than a longer one that decided.
            let order = |run: &Run| (run.verdict.decided().is_none(), run.nanoseconds);
            if order(&run) < order(&best) {
                best = run;
            }
        }
        if !self.coherent {
            counting.clear();
        }
        let Run { mut verdict, near, contacts, nanoseconds } = best;
        // Fast algorithms omit a costly plane; the reader of the output wants one.
        if let Verdict::Apart(proof @ Separation::Pairwise) = &mut verdict
            && let Some(plane) = Separation::find_plane(a, b)
        {
            *proof = Separation::Plane(plane);
        }
        if let Verdict::Apart(Separation::Plane(plane)) = &mut verdict {
            *plane = of_unit_normal(*plane, a, b);
        }
        let distance =
            if self.distance { distance(&verdict, a, b, self.query.semantics) } else { None };
        Answer {
            algorithm: algorithm.name(),
            verdict,
            near,
            distance,
            contacts,
            nanoseconds,
            stats: self.stats.then(|| self.count(algorithm, a, b, counting)),
        }
    }

    fn run(
        &self,
        algorithm: &dyn NarrowPhase,
        a: Placed<'_>,
        b: Placed<'_>,
        cache: &mut PairCache,
    ) -> Run {
        let started = Instant::now();
        let (verdict, contacts) = self.run_query(algorithm, &self.query, a, b, cache);
        let near = self.tolerance.filter(|_| verdict.is_apart()).and_then(|tolerance| {
            let near = proximity::within(a, b, tolerance, self.query.semantics)?;
            Some((tolerance, near))
        });
        let nanoseconds = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Run { verdict, near, contacts, nanoseconds }
    }

    fn count(
        &self,
        algorithm: &dyn NarrowPhase,
        a: Placed<'_>,
        b: Placed<'_>,
        cache: &mut PairCache,
    ) -> Stats {
        let _ = self.run_query(algorithm, &self.query.stats(true), a, b, cache);
        cache.stats()
    }

    fn run_query(
        &self,
        algorithm: &dyn NarrowPhase,
        query: &Query,
        a: Placed<'_>,
        b: Placed<'_>,
        cache: &mut PairCache,
    ) -> (Verdict, Contacts) {
        let mut found = Contacts::default();
        let listing = match self.wanted {
            Wanted::Verdict => return (algorithm.test(a, b, query, cache), found),
            Wanted::Pairs(limit) => {
                let mut pairs = BTreeSet::new();
                let listing = algorithm.each_contact(a, b, query, cache, &mut |f, g| {
                    if pairs.len() < limit {
                        pairs.insert((f, g));
                    }
                    if pairs.len() < limit {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
                found.pairs = Some(pairs.into_iter().collect());
                listing
            }
            Wanted::Overlaps(limit) => {
                let overlaps = found.overlaps.insert(Vec::new());
                let listing = algorithm.contact_overlaps(a, b, query, limit, cache, overlaps);
                let mut pairs: Vec<_> =
                    overlaps.iter().map(|contact| (contact.faces[0], contact.faces[1])).collect();
                pairs.dedup();
                found.pairs = Some(pairs);
                listing
            }
            Wanted::Count => {
                let (count, listing) = algorithm.count_contacts(a, b, query, cache);
                found.count = Some(count);
                listing
            }
        };
        let Listing { verdict, complete } = listing;
        found.complete = complete;
        (verdict, found)
    }

    /// Verifies the proofs of an answer, if asked to: of the verdict, of the nearness, and of each
    /// listed contact.
    ///
    /// # Errors
    /// The proof that does not hold.
    pub fn verify(&self, answer: &Answer, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
        if !self.verify {
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

/// The distance; 0 if the verdict is a collision, whatever rounding says.
fn distance(
    verdict: &Verdict,
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
) -> Option<Distance> {
    match verdict {
        Verdict::Collides(witness) => {
            Some(Distance { value: 0.0, points: [witness.point; 2], faces: None })
        }
        _ => proximity::distance(a, b, semantics),
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
fn of_unit_normal(plane: Plane, a: Placed<'_>, b: Placed<'_>) -> Plane {
    let largest = plane.normal.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    // Scaled before squaring, as lengths may have any size.
    let scaled = plane.normal.map(|x| x / largest);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit =
        Plane { normal: scaled.map(|x| x / length), offset: plane.offset / largest / length };
    let holds = Separation::Plane(unit).verify(a, b, Semantics::Surface).is_ok();
    if holds { unit } else { plane }
}
