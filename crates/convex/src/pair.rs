//! Two placed polytopes: the support queries of searches, and the certificate of separation.
//!
//! All results are in world coordinates, and vertices are where [`Pose::apply`] puts them, to the bit. Support is
//! searched in the frames of the polytopes, along the turned direction (Chung 1996, 3.3).
//!
//! ```text
//!                s
//!        ─────────────────►        probe(s): p is farthest along s in A, q farthest against s
//!     A        p│     │q      B    in B, difference = q − p, gap = s · (q − p). Where the gap is
//!               │ gap │            positive beyond rounding, a plane across s separates A and B.
//! ```

use xcollide_math::Pose;

use crate::body::{Body, SHORTEST};
use crate::gjk::boolean::{BooleanGjk, GjkResult};
use crate::plane::Plane;
use crate::support::{VertexSearch, climb, mixed_of_both, slack_in};
use crate::support_pair::SupportPair;
use xcollide_math::vector::{dot, length_squared, neg, sub, taxicab, unit};

/// The vertices that are farthest towards each other along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The vertices p of the first and q of the second polytope.
    pub ends: [u32; 2],
    /// q − p in the world.
    pub difference: [f64; 3],
    /// direction · (q − p), rounded. Positive where the direction separates, up to rounding.
    pub gap: f64,
    /// direction · p and direction · q, rounded.
    pub heights: [f64; 2],
    searched: Searched,
}

/// How the vertices of a probe were found, which determines their slack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Searched {
    /// By the default search.
    Mixed,
    /// By another one, whose slack is at most that of hill climbing.
    Climbing,
    /// By GJK or MPR, in the fans if there are any.
    Fan,
}

/// Two placed polytopes, and counters of the work done on them.
#[derive(Debug)]
pub struct Pair<'a> {
    a: Body<'a>,
    b: Body<'a>,
    probes: u64,
    primitive_tests: u64,
    is_handed_over: bool,
    helpers: u32,
}

impl<'a> Pair<'a> {
    /// Two bodies, which must have [vertices](crate::Polytope::is_empty).
    #[inline]
    #[must_use]
    pub fn new(a: Body<'a>, b: Body<'a>) -> Self {
        Self { a, b, probes: 0, primitive_tests: 0, is_handed_over: false, helpers: 0 }
    }

    /// The first body.
    #[inline]
    #[must_use]
    pub fn a(&self) -> &Body<'a> {
        &self.a
    }

    /// The second body.
    #[inline]
    #[must_use]
    pub fn b(&self) -> &Body<'a> {
        &self.b
    }

    /// The number of support queries of both bodies: the searching steps of Chung's experiments.
    #[must_use]
    pub fn probes(&self) -> u64 {
        self.probes
    }

    /// The number of calls of [`count_primitive_test`](Self::count_primitive_test).
    #[must_use]
    pub fn primitive_tests(&self) -> u64 {
        self.primitive_tests
    }

    /// Counts a test of a face or an edge.
    #[inline]
    pub fn count_primitive_test(&mut self) {
        self.primitive_tests += 1;
    }

    /// Tells that a search leaves the answer to another one.
    #[inline]
    pub fn hand_over(&mut self) {
        self.is_handed_over = true;
    }

    /// Whether [`hand_over`](Self::hand_over) was called.
    #[inline]
    #[must_use]
    pub fn is_handed_over(&self) -> bool {
        self.is_handed_over
    }

    /// The number of threads that may help a search of this pair, for searches that share their work; 0 at first.
    #[must_use]
    pub fn helpers(&self) -> usize {
        self.helpers as usize
    }

    /// Sets the number of [helpers](Self::helpers). No answer depends on it.
    #[inline]
    pub fn set_helpers(&mut self, helpers: usize) {
        self.helpers = u32::try_from(helpers).unwrap_or(u32::MAX);
    }

    /// The unit vector from center to center (Chung 1996, 3.4), along an axis where they coincide.
    #[inline]
    #[must_use]
    pub fn first_direction(&self) -> [f64; 3] {
        unit(sub(self.b.center(), self.a.center())).unwrap_or([1.0, 0.0, 0.0])
    }

    /// The vertices farthest towards each other along a direction of any length, searched from
    /// `near`.
    #[inline]
    pub fn probe(&mut self, direction: [f64; 3], near: [u32; 2]) -> Probe {
        self.probes += 1;
        let polytopes = [self.a.polytope(), self.b.polytope()];
        let directions = [self.a.local(direction), self.b.local(neg(direction))];
        let ends = mixed_of_both(polytopes, directions, near);
        self.measured(direction, ends)
    }

    /// The same by a search other than the default.
    #[inline]
    pub fn probe_by(&mut self, search: VertexSearch, direction: [f64; 3], near: [u32; 2]) -> Probe {
        let ends = self.farthest_by(search, direction, near);
        self.probe_at(direction, ends)
    }

    /// The probe of two vertices that the caller has searched, as well as hill climbing does or better.
    #[inline]
    pub fn probe_at(&mut self, direction: [f64; 3], ends: [u32; 2]) -> Probe {
        self.probes += 1;
        Probe { searched: Searched::Climbing, ..self.measured(direction, ends) }
    }

    /// The vertices farthest towards each other along a direction; not counted.
    #[inline]
    #[must_use]
    pub fn farthest_by(
        &self,
        search: VertexSearch,
        direction: [f64; 3],
        near: [u32; 2],
    ) -> [u32; 2] {
        let farthest = |body: &Body<'_>, direction, near| {
            search.farthest(body.polytope(), body.local(direction), near)
        };
        [farthest(&self.a, direction, near[0]), farthest(&self.b, neg(direction), near[1])]
    }

    /// The unit vector from the centroid of one surface to that of the other.
    #[must_use]
    pub fn centroid_direction(&self) -> [f64; 3] {
        let [p, q] = [&self.a, &self.b].map(|body| body.place(body.polytope().centroid()));
        unit(sub(q, p)).unwrap_or([1.0, 0.0, 0.0])
    }

    /// The poses of both bodies.
    #[must_use]
    pub fn motions(&self) -> [Pose; 2] {
        [*self.a.pose(), *self.b.pose()]
    }

    /// Adds to the number of probes, for queries of these polytopes at other poses.
    pub fn count(&mut self, probes: u64) {
        self.probes += probes;
    }

    /// [`BooleanGjk`] for this pair.
    #[inline]
    pub(crate) fn boolean_gjk(&mut self, direction: [f64; 3], shift: [f64; 3]) -> GjkResult {
        let found = BooleanGjk { bodies: [self.a, self.b], shift }.run(direction);
        self.probes += u64::from(found.probes);
        found
    }

    /// The differences and heights of two vertices along a direction.
    #[inline]
    pub(crate) fn measured(&self, direction: [f64; 3], ends: [u32; 2]) -> Probe {
        let (p, q) = (self.a.position(ends[0]), self.b.position(ends[1]));
        let difference = sub(q, p);
        let (gap, searched) = (dot(direction, difference), Searched::Mixed);
        Probe { ends, difference, gap, heights: [dot(direction, p), dot(direction, q)], searched }
    }

    /// The difference q − p of two vertices in the world.
    #[inline]
    #[must_use]
    pub fn difference(&self, [p, q]: [u32; 2]) -> [f64; 3] {
        sub(self.b.position(q), self.a.position(p))
    }

    /// Certifies that a direction separates: the plane half way between the two vertices of the probe, with all
    /// rounded vertices strictly on their sides, whatever the search did. `None` if rounding leaves a doubt.
    ///
    /// If the slack of the search alone causes the doubt, all vertices are compared once.
    #[inline]
    #[must_use]
    pub fn apart(&self, direction: [f64; 3], probe: &Probe) -> Option<Plane> {
        let offset = self.offset_between(direction, probe)?;
        Some(Plane { normal: direction, offset })
    }

    /// The offset of the plane of [`apart`](Self::apart).
    #[inline]
    pub(crate) fn offset_between(&self, direction: [f64; 3], probe: &Probe) -> Option<f64> {
        if probe.gap <= 0.0 {
            return None;
        }
        let slack = self.slack(probe);
        self.offset_beyond_rounding(direction, probe, slack).or_else(|| {
            let searched = slack.iter().any(|&slack| slack > 1.0);
            if searched { self.offset_by_all(direction) } else { None }
        })
    }

    /// [`apart`](Self::apart) for the last direction of GJK or MPR. A vertex from an inexact fan has the slack of
    /// climbing if no neighbour is higher; otherwise the method climbs.
    #[inline]
    pub(crate) fn parted(&self, met: &SupportPair) -> Option<Plane> {
        let &SupportPair { direction, ends, difference, gap, heights } = met;
        let searched = Searched::Fan;
        let probe = Probe { ends, difference, gap, heights, searched };
        let is_exact =
            |body: &Body<'_>| body.polytope().fan.as_ref().is_none_or(|fan| fan.is_exact);
        if is_exact(&self.a) && is_exact(&self.b) {
            return self.apart(direction, &probe);
        }
        let climbed =
            |body: &Body<'_>, along, from| climb(body.polytope(), body.local(along), from);
        let climbed =
            [climbed(&self.a, direction, ends[0]), climbed(&self.b, neg(direction), ends[1])];
        if climbed == ends {
            return self.apart(direction, &probe);
        }
        self.apart(direction, &Probe { searched, ..self.measured(direction, climbed) })
    }

    #[cold]
    fn offset_by_all(&self, direction: [f64; 3]) -> Option<f64> {
        self.offset_beyond_rounding(direction, &self.probe_all(direction), [1.0; 2])
    }

    /// The slack of the searches behind a probe.
    #[inline]
    pub(crate) fn slack(&self, probe: &Probe) -> [f64; 2] {
        let [p, q] = probe.ends;
        let [a, b] = [self.a.polytope(), self.b.polytope()];
        match probe.searched {
            Searched::Mixed => [VertexSearch::Mixed.slack(a, p), VertexSearch::Mixed.slack(b, q)],
            Searched::Climbing => [a.climbing_slack(p), b.climbing_slack(q)],
            Searched::Fan => [slack_in(a, a.fan.as_ref(), p), slack_in(b, b.fan.as_ref(), q)],
        }
    }

    /// The sum of the errors of both heights of a probe along a unit vector.
    #[inline]
    pub(crate) fn heights_error(&self, slack: [f64; 2]) -> f64 {
        self.a.height_error(slack[0]) + self.b.height_error(slack[1])
    }

    /// A probe by brute force; not counted.
    #[must_use]
    pub fn probe_all(&self, direction: [f64; 3]) -> Probe {
        let ends = self.farthest_by(VertexSearch::AllVertices, direction, [0; 2]);
        self.measured(direction, ends)
    }

    /// Whether all rounded vertices of one body are farther than this from those of the other, along a direction of
    /// any length. Compares all vertices.
    #[must_use]
    pub fn is_wider(&self, direction: [f64; 3], than: f64) -> bool {
        let gap = self.probe_all(direction).gap;
        gap > (than + 2.0 * self.heights_error([1.0; 2])) * length_squared(direction).sqrt()
    }

    #[inline]
    fn offset_beyond_rounding(
        &self,
        direction: [f64; 3],
        probe: &Probe,
        slack: [f64; 2],
    ) -> Option<f64> {
        let error = self.heights_error(slack);
        // The offset needs the heights, and their rounding is within the error.
        let [low, high] = probe.heights;
        let length = length_squared(direction);
        // The slow root is hardly ever needed.
        let twice = 2.0 * error;
        let beyond = high - low > twice * taxicab(direction) || high - low > twice * length.sqrt();
        let certain = beyond && length > SHORTEST && self.is_certifiable();
        let offset = 0.5 * low + 0.5 * high;
        // The offset of a long direction between very distant bodies may overflow.
        (certain && offset.is_finite()).then_some(offset)
    }

    /// Whether error bounds hold: for both polytopes, or for one if the other is a point in the origin of its frame.
    #[inline]
    #[must_use]
    pub fn is_certifiable(&self) -> bool {
        let [a, b] = [self.a.polytope(), self.b.polytope()];
        let [point_a, point_b] = [a.reach() == 0.0, b.reach() == 0.0];
        (a.is_certifiable() && (b.is_certifiable() || point_b)) || (b.is_certifiable() && point_a)
    }
}
