//! Two algorithms at once: the dual concurrent algorithms of Zachmann 1994, 6.5.
//!
//! Some algorithms are fast to find a contact and slow to exclude one, others the reverse. Run together,
//! the first that decides ends both, by the [`Stop`] that every query checks each 64 steps.

use std::time::{Duration, Instant};

use xcollide_brep::Topology;

use super::favourite::Favourite;
use crate::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Stop, Verdict,
};

/// Runs two algorithms at the same time, on two threads of rayon's current pool: the first decided answer
/// wins, and the other algorithm is [stopped](PairCache::stop).
///
/// The answer does not depend on the winner; *which* proof is returned may differ from run to run. If both
/// decide, it is that of the first.
///
/// It pays for expensive pairs only, as a thread has to be woken. So each pair has a favourite, the
/// algorithm that was faster for the pair's last answer. The favourite starts alone; the race begins when
/// it has taken twice its last time, or 20 µs. If it ends undecided, the other runs alone. If no thread is
/// free, the second runs after the first. Both are stopped after some milliseconds and start again with
/// twice the time, so that an endless algorithm cannot block the other: an answer takes at worst three
/// times as long as necessary.
///
/// ```
/// use xcollide_narrow::combine::Race;
/// use xcollide_narrow::classic::Perceptron;
/// use xcollide_narrow::classic::Arbitrary;
/// use xcollide_narrow::{Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// // As in the thesis: planes exclude contact early, edges and faces find it early.
/// let race = Race(Arbitrary::default(), Perceptron::default());
/// assert_eq!(race.guarantee(), Guarantee::Exact);
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let pose_b = Pose::from_translation([0.6, 0.6, 0.6]);
/// let b = Placed::new(&model, &pose_b)?;
/// assert!(race.test(a, b, &Query::new(), &mut PairCache::new()).is_apart());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Race<A, B>(pub A, pub B);

/// The time of the first round: more than nearly all queries take.
const FIRST_ROUND: Duration = Duration::from_millis(4);

/// Memory of a pair; one cache for each algorithm, as they run at the same time.
#[derive(Debug, Default)]
struct Memory {
    first: PairCache,
    second: PairCache,
    favourite: Favourite,
}

impl<A: NarrowPhase, B: NarrowPhase> NarrowPhase for Race<A, B> {
    fn name(&self) -> &'static str {
        "race"
    }

    /// The models that the exact algorithm accepts, or either if both or neither are exact.
    fn accepts(&self, a: Topology, b: Topology) -> bool {
        let [first, second] = [self.0.accepts(a, b), self.1.accepts(a, b)];
        match [self.0.guarantee(), self.1.guarantee()].map(|of| of == Guarantee::Exact) {
            [true, false] => first,
            [false, true] => second,
            _ => first || second,
        }
    }

    /// If one of the two does.
    fn accepts_formulas(&self) -> bool {
        self.0.accepts_formulas() || self.1.accepts_formulas()
    }

    /// Exact if one of the two is; else the guarantee of the second.
    fn guarantee(&self) -> Guarantee {
        if self.0.guarantee() == Guarantee::Exact { Guarantee::Exact } else { self.1.guarantee() }
    }

    /// Prepares for those that accept the model.
    ///
    /// # Errors
    /// The race does not accept the model.
    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let is_accepted = self.accepts(model.topology(), model.topology());
        let is_exact = self.0.guarantee() == Guarantee::Exact;
        let [first, second] = self.accepting(model, model);
        if first || !is_accepted && is_exact {
            self.0.prepare(model)?;
        }
        if second || !is_accepted && !is_exact { self.1.prepare(model) } else { Ok(()) }
    }

    /// The sum of those that accept the model. Shared data counts twice.
    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let [first, second] = self.accepting(model, model);
        let first = if first { self.0.prepared_bytes(model)? } else { 0 };
        let second = if second { self.1.prepared_bytes(model)? } else { 0 };
        Some(first + second)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        match self.accepting(a.model(), b.model()) {
            [true, false] => self.0.test(a, b, query, cache),
            [false, true] => self.1.test(a, b, query, cache),
            [false, false] => Verdict::Undecided(Reason::NotAccepted),
            [true, true] => self.race(a, b, query, cache),
        }
    }
}

impl<A: NarrowPhase, B: NarrowPhase> Race<A, B> {
    /// Which algorithms accept two models.
    fn accepting(&self, a: &Model, b: &Model) -> [bool; 2] {
        let (a, b) = (a.topology(), b.topology());
        [self.0.accepts(a, b), self.1.accepts(a, b)]
    }

    fn race(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let deadline = query.budget.and_then(|budget| Instant::now().checked_add(budget));
        let outer = cache.stop().cloned();
        let is_coherent = cache.is_coherent();
        let memory: &mut Memory = cache.get_or_default();
        for of in [&mut memory.first, &mut memory.second] {
            if of.is_coherent() != is_coherent {
                *of = PairCache::coherent();
            }
            of.set_stop(outer.clone());
            of.clear_stats();
        }
        let verdict = match self.alone(a, b, query, memory) {
            Verdict::Undecided(reason) if reason.is_out_of_time() => {
                self.rounds(a, b, query, memory, outer.as_ref(), deadline)
            }
            verdict => verdict,
        };
        if query.stats {
            let mut stats = memory.first.stats();
            stats += memory.second.stats();
            cache.set_stats(stats);
        }
        verdict
    }

    /// Runs the favourite for its expected time, and the other if it ends undecided.
    fn alone(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, memory: &mut Memory) -> Verdict {
        let Memory { first, second, favourite } = memory;
        let (number, time) = favourite.choose();
        let mut run = |number: usize, query: &Query| {
            let began = Instant::now();
            let verdict = match number {
                0 => self.0.test(a, b, query, first),
                _ => self.1.test(a, b, query, second),
            };
            if let Some(answer) = verdict.decided() {
                favourite.knew(number, answer, began.elapsed());
            }
            verdict
        };
        let short = query.budget(query.budget.map_or(time, |budget| budget.min(time)));
        let mut verdict = run(number, &short);
        if matches!(verdict, Verdict::Undecided(reason) if !reason.is_out_of_time()) {
            verdict = run(1 - number, query);
            if let Some(answer) = verdict.decided() {
                favourite.lost(number, answer);
            }
        }
        verdict
    }

    /// Runs both at once, from the beginning each time, for twice as long each time.
    fn rounds(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        memory: &mut Memory,
        outer: Option<&Stop>,
        deadline: Option<Instant>,
    ) -> Verdict {
        let stop = Stop::within(outer);
        for of in [&mut memory.first, &mut memory.second] {
            of.set_stop(Some(stop.clone()));
        }
        let mut round = FIRST_ROUND;
        loop {
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            let is_last = left.is_some_and(|left| left <= round);
            let in_round = query.budget(left.map_or(round, |left| left.min(round)));
            match self.round(a, b, &in_round, memory, &stop) {
                Verdict::Undecided(reason)
                    if reason.is_out_of_time() && !is_last && !stop.is_stopped() =>
                {
                    round = round.saturating_mul(2);
                }
                verdict => break verdict,
            }
        }
    }

    /// Runs both until one decides or the time is up. Out of time if either is and none decides.
    fn round(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        memory: &mut Memory,
        stop: &Stop,
    ) -> Verdict {
        let Memory { first, second, favourite } = memory;
        let began = Instant::now();
        let (first, second) = rayon::join(
            || ask(&self.0, a, b, query, first, stop),
            || ask(&self.1, a, b, query, second, stop),
        );
        if let Some(answer) = first.decided().or(second.decided()) {
            let winner = usize::from(first.decided().is_none());
            favourite.knew(winner, answer, began.elapsed());
            favourite.lost(1 - winner, answer);
        }
        match (first.decided(), &first, second) {
            (Some(_), _, _) => first,
            (None, Verdict::Undecided(reason), Verdict::Undecided(other))
                if reason.is_out_of_time()
                    && (reason.parts_left().is_some() || other.parts_left().is_none()) =>
            {
                first
            }
            (None, _, second) => second,
        }
    }
}

/// Runs one, unless the other has decided; stops the other if this one decides.
fn ask(
    algorithm: &dyn NarrowPhase,
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    cache: &mut PairCache,
    stop: &Stop,
) -> Verdict {
    if stop.is_stopped() {
        cache.clear_stats();
        return Verdict::Undecided(Reason::OutOfTime);
    }
    let verdict = algorithm.test(a, b, query, cache);
    if verdict.decided().is_some() {
        stop.stop();
    }
    verdict
}
