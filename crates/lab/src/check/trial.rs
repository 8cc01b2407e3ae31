//! One algorithm at one query: asked, timed, and its answer kept.

use std::time::Instant;

use xcollide::brep::FaceId;
use xcollide::narrow::mesh::ContactSet;
use xcollide::narrow::proximity::{self, Distance, Nearness};
use xcollide::narrow::{
    Contact, Listing, NarrowPhase, PairCache, Placed, Plane, ProofError, Query, Semantics,
    Separation, Stats, Verdict,
};

use crate::cli::{CheckOptions, Common, ContactLimit};

/// What is asked of every algorithm at every query.
#[derive(Clone, Debug)]
pub struct Trial {
    query: Query,
    wanted: Wanted,
    tolerance: Option<f64>,
    distance: bool,
    stats: bool,
    verify: bool,
    repeat: usize,
    /// Whether an algorithm may profit from what it remembers of the query before.
    coherent: bool,
}

/// What is wanted beside the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Nothing.
    Verdict,
    /// So many pairs of faces that meet.
    Pairs(usize),
    /// So many, each with what they have in common.
    Overlaps(usize),
    /// How many there are.
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

/// What was found out about contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// The pairs of faces that meet, where they were asked for.
    pub pairs: Option<Vec<(FaceId, FaceId)>>,
    /// What these have in common, where that was asked for.
    pub overlaps: Option<Vec<Contact>>,
    /// How many pairs there are, where that was asked for.
    pub count: Option<usize>,
    /// Whether nothing is missing of what there is.
    pub complete: bool,
}

/// An algorithm with what it remembers of the pair.
pub struct Contestant {
    algorithm: Box<dyn NarrowPhase>,
    /// A cache for each repetition, where queries may profit from those before: each runs through the
    /// whole sequence of queries as if it were the only one. With one cache for all, all but the first
    /// would find their work done.
    caches: Vec<PairCache>,
    /// For the run that counts, which is not timed: counting takes time.
    counting: PairCache,
}

/// What an algorithm said of a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// Its verdict.
    pub verdict: Verdict,
    /// Where the models are within the tolerance of each other, though they are apart.
    pub near: Option<(f64, Nearness)>,
    /// How far they are apart, where that was asked and both have faces.
    pub distance: Option<Distance>,
    /// Where they meet.
    pub contacts: Contacts,
    /// The time to the verdict, the shortest of all repetitions, without reading and preparing.
    pub nanoseconds: u64,
    /// What was counted, where that was asked.
    pub stats: Option<Stats>,
}

/// The verdict as a word, with the tolerance taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They meet, or are within the tolerance of each other.
    Collides,
    /// They do not.
    Apart,
    /// The algorithm does not know.
    Undecided,
}

impl Outcome {
    /// The word that is printed.
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

/// What one timed run found.
struct Run {
    verdict: Verdict,
    near: Option<(f64, Nearness)>,
    contacts: Contacts,
    nanoseconds: u64,
}

impl Trial {
    /// What the options ask.
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

    /// An algorithm that remembers nothing yet.
    #[must_use]
    pub fn contestant(&self, algorithm: Box<dyn NarrowPhase>) -> Contestant {
        Contestant { algorithm, caches: vec![self.cache()], counting: self.cache() }
    }

    fn cache(&self) -> PairCache {
        if self.coherent { PairCache::coherent() } else { PairCache::new() }
    }

    /// Asks an algorithm, as often as wanted.
    pub fn answer(&self, contestant: &mut Contestant, a: Placed<'_>, b: Placed<'_>) -> Answer {
        let algorithm = &*contestant.algorithm;
        let Contestant { caches, counting, .. } = contestant;
        let mut once = |repetition: usize| {
            let own = if self.coherent { repetition } else { 0 };
            if own == caches.len() {
                caches.push(self.cache());
            }
            // Which proof is brought may depend on what is remembered: a line of output is that of its
            // query, not of those before.
            if !self.coherent {
                caches[own].forget();
            }
            self.run(algorithm, a, b, &mut caches[own])
        };
        let mut best = once(0);
        for repetition in 1..self.repeat {
            let run = once(repetition);
            // A run that ran out of time is no better than one that took longer and knows.
            let order = |run: &Run| (run.verdict.decided().is_none(), run.nanoseconds);
            if order(&run) < order(&best) {
                best = run;
            }
        }
        if !self.coherent {
            counting.clear();
        }
        let Run { mut verdict, near, contacts, nanoseconds } = best;
        // A fast algorithm brings no plane that costs time; who reads the answer wants one.
        if let Verdict::Apart(proof @ Separation::Pairwise) = &mut verdict
            && let Some(plane) = Plane::find(a, b)
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
        let (verdict, contacts) = self.ask(algorithm, &self.query, a, b, cache);
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
        let _ = self.ask(algorithm, &self.query.stats(true), a, b, cache);
        cache.stats()
    }

    fn ask(
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
                let mut set = ContactSet::new(limit);
                let listing =
                    algorithm.each_contact(a, b, query, cache, &mut |f, g| set.insert(f, g));
                set.write_to(found.pairs.insert(Vec::new()));
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

    /// Checks the proof of an answer, where that is asked for: that of the verdict, or, where the two
    /// are apart but near, those of both; and that each contact listed is one.
    ///
    /// # Errors
    /// What does not hold.
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

/// The distance; where a verdict says that the two meet it is 0, whatever rounding would make of
/// it.
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

/// In what two answers to one query contradict each other, in words.
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

/// The plane with a normal of length 1, which people expect; as it was where rounding has spoilt it.
fn of_unit_normal(plane: Plane, a: Placed<'_>, b: Placed<'_>) -> Plane {
    let largest = plane.normal.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    // Before squaring, as lengths may be of any size.
    let scaled = plane.normal.map(|x| x / largest);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit =
        Plane { normal: scaled.map(|x| x / length), offset: plane.offset / largest / length };
    if unit.verify(a, b).is_ok() { unit } else { plane }
}
