//! Two placed polytopes, and what searches do with them: ask for support, and have their results certified.
//!
//! Everything is in world coordinates, and vertices are where [`Pose::apply`] puts them, to the bit. Only
//! support is searched in the polytopes' frames, along the turned direction (Chung 1996, 3.3).
//!
//! ```text
//!                s
//!        ─────────────────►        probe(s): p is farthest along s in A, q farthest against s
//!     A        p│     │q      B    in B, difference = q − p, gap = s · (q − p). Where the gap is
//!               │ gap │            positive beyond rounding, a plane across s parts A and B.
//! ```

use xcollide_math::Pose;

use crate::direction_table::DirectionTable;
use crate::gjk::boolean::{BooleanGjk, GjkResult, GjkStart, SupportPair};
use crate::plane::Plane;
use crate::polytope::Polytope;
use crate::support::{BruteForce, HillClimbing, Mixed, Support, climb, slack_in};
use xcollide_math::vector::{dot, length_squared, neg, sub, taxicab, unit};

/// A polytope at a pose.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    polytope: &'a Polytope,
    motion: &'a Pose,
}

/// The least square of a direction with which products do not vanish.
pub(crate) const SHORTEST: f64 = 1e-290;

/// u = 2⁻⁵³, the relative error of one rounding.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// What rounding moves a world vertex, or a point computed from a few of them, in units of 2⁻⁵³: so often the
/// reach of its body, and so often the sum of the magnitudes of the translation; generously.
pub(crate) const NOISE: [f64; 2] = [48.0, 32.0];

/// The same of the height of a vertex that was searched: so often the reach, so much more for each unit of
/// slack, and so often the sum for the translation. See [`Body::height_error`].
pub(crate) const HEIGHT_ERROR: [f64; 3] = [40.0, 8.0, 12.0];

impl<'a> Body<'a> {
    /// A polytope and where it is.
    #[inline]
    #[must_use]
    pub fn new(polytope: &'a Polytope, motion: &'a Pose) -> Self {
        Self { polytope, motion }
    }

    /// The polytope.
    #[inline]
    #[must_use]
    pub fn polytope(&self) -> &'a Polytope {
        self.polytope
    }

    /// The mean of the vertices, in the world.
    #[inline]
    #[must_use]
    pub fn center(&self) -> [f64; 3] {
        self.motion.apply(self.polytope.center())
    }

    /// Where it is.
    #[inline]
    #[must_use]
    pub fn motion(&self) -> &'a Pose {
        self.motion
    }

    /// Where a vertex is in the world.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: u32) -> [f64; 3] {
        self.motion.apply(self.polytope.position(vertex))
    }

    /// A direction of the world in the polytope's frame.
    #[inline]
    #[must_use]
    pub fn local(&self, direction: [f64; 3]) -> [f64; 3] {
        let [r, s, t] = self.motion.rotation();
        let [x, y, z] = direction;
        [
            (r[0] * x + s[0] * y) + t[0] * z,
            (r[1] * x + s[1] * y) + t[1] * z,
            (r[2] * x + s[2] * y) + t[2] * z,
        ]
    }

    /// A point of the polytope's frame in the world.
    #[inline]
    #[must_use]
    pub fn place(&self, point: [f64; 3]) -> [f64; 3] {
        self.motion.apply(point)
    }

    /// A direction of the polytope's frame in the world.
    #[inline]
    #[must_use]
    pub fn turned(&self, direction: [f64; 3]) -> [f64; 3] {
        self.motion.rotate(direction)
    }

    /// The vertex farthest along a direction of the world, by the default search.
    #[inline]
    #[must_use]
    pub fn farthest(&self, direction: [f64; 3], near: u32) -> u32 {
        Mixed(self.polytope).farthest(self.local(direction), near)
    }

    /// By how much the rounded world vertices may be higher along a direction of length 1 than the
    /// computed height of a vertex that a search with this slack has found.
    ///
    /// With ρ the reach and t the translation: the turned direction is off by 6u, which moves
    /// heights by 6uρ; two local heights are rounded by 3.1uρ each, which counts as often as the
    /// slack says; two world vertices by 7.2uρ + 1.02u|t| each; the height of the one found by
    /// 3.1u(ρ + |t|). The rest is for the rounding of a plane's offset. Of few vertices, which a search
    /// for the origin moves first, two heights in the world, 6.2u(ρ + |t|), are all that takes the place
    /// of the first three, and that is less.
    #[inline]
    fn height_error(&self, slack: f64) -> f64 {
        let (reach, [of_reach, of_slack, of_far]) = (self.polytope.reach(), HEIGHT_ERROR);
        UNIT * ((of_reach + of_slack * slack) * reach + of_far * taxicab(self.motion.translation()))
    }

    /// How far a world vertex, or a point computed from a few of them, is from where it would be
    /// without rounding; generously.
    #[inline]
    #[must_use]
    pub fn noise(&self) -> f64 {
        let [of_reach, of_far] = NOISE;
        UNIT * (of_reach * self.polytope.reach() + of_far * taxicab(self.motion.translation()))
    }
}

/// What a search along one direction met.
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
    /// How the vertices were found.
    searched: Searched,
}

/// How the vertices of a probe were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Searched {
    /// By the default search.
    Mixed,
    /// By hill climbing alone.
    Climbing,
    /// By a search for the origin, in the fans where there are any.
    LookedUp,
}

/// Two placed polytopes that a search is about.
#[derive(Debug)]
pub struct Pair<'a> {
    a: Body<'a>,
    b: Body<'a>,
    probes: u64,
    primitive_tests: u64,
}

impl<'a> Pair<'a> {
    /// Both must have [vertices](Polytope::is_empty).
    #[inline]
    #[must_use]
    pub fn new(a: Body<'a>, b: Body<'a>) -> Self {
        Self { a, b, probes: 0, primitive_tests: 0 }
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

    /// How often both bodies were searched: the searching steps of Chung's experiments.
    #[must_use]
    pub fn probes(&self) -> u64 {
        self.probes
    }

    /// What was counted by [`count_primitive_test`](Self::count_primitive_test).
    #[must_use]
    pub fn primitive_tests(&self) -> u64 {
        self.primitive_tests
    }

    /// Counts one more test of a face or an edge, for statistics.
    #[inline]
    pub fn count_primitive_test(&mut self) {
        self.primitive_tests += 1;
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
        let ends = [self.a.farthest(direction, near[0]), self.b.farthest(neg(direction), near[1])];
        self.measured(direction, ends)
    }

    /// The same by [`HillClimbing`] alone, however few vertices there are.
    pub fn probe_climbing(&mut self, direction: [f64; 3], near: [u32; 2]) -> Probe {
        self.probe_by(HillClimbing, direction, near)
    }

    /// The same by another search, whose slack is that of hill climbing, or less.
    #[inline]
    pub fn probe_by<S: Support>(
        &mut self,
        support: impl Fn(&'a Polytope) -> S,
        direction: [f64; 3],
        near: [u32; 2],
    ) -> Probe {
        self.probes += 1;
        let search =
            |body: &Body<'a>, along, near| support(body.polytope).farthest(body.local(along), near);
        let ends = [search(&self.a, direction, near[0]), search(&self.b, neg(direction), near[1])];
        Probe { searched: Searched::Climbing, ..self.measured(direction, ends) }
    }

    /// The vertices that the [spherical](super::Spherical) tables name for a direction.
    #[must_use]
    pub fn table_start(&self, direction: [f64; 3]) -> [u32; 2] {
        let start = |body: &Body<'_>, along| body.polytope.spherical().start(body.local(along));
        [start(&self.a, direction), start(&self.b, neg(direction))]
    }

    /// The unit vector from the centroid of one surface to that of the other.
    #[must_use]
    pub fn centroid_direction(&self) -> [f64; 3] {
        let [p, q] = [&self.a, &self.b].map(|body| body.motion.apply(body.polytope.centroid()));
        unit(sub(q, p)).unwrap_or([1.0, 0.0, 0.0])
    }

    /// Where both bodies are.
    #[must_use]
    pub fn motions(&self) -> [Pose; 2] {
        [*self.a.motion, *self.b.motion]
    }

    /// The same polytopes elsewhere.
    #[must_use]
    pub fn elsewhere<'m>(&self, [a, b]: &'m [Pose; 2]) -> Pair<'m>
    where
        'a: 'm,
    {
        let body = |body: &Body<'a>, motion: &'m Pose| {
            let polytope: &'m Polytope = body.polytope;
            Body { polytope, motion }
        };
        Pair::new(body(&self.a, a), body(&self.b, b))
    }

    /// Counts probes that were made of these polytopes elsewhere.
    pub fn count(&mut self, probes: u64) {
        self.probes += probes;
    }

    /// Searches the origin in the differences less a shift, see [`BooleanGjk`], from somewhere on.
    #[inline]
    pub(crate) fn search_origin(&mut self, start: GjkStart<'_>, shift: [f64; 3]) -> GjkResult {
        let [a, b] = [self.a.polytope, self.b.polytope];
        let search = BooleanGjk {
            sets: [a.points(), b.points()],
            fans: [a.fan(), b.fan()],
            motions: [self.a.motion, self.b.motion],
            shift,
        };
        let found = search.run(start);
        self.probes += u64::from(found.probes);
        found
    }

    #[inline]
    fn measured(&self, direction: [f64; 3], ends: [u32; 2]) -> Probe {
        let (p, q) = (self.a.position(ends[0]), self.b.position(ends[1]));
        let difference = sub(q, p);
        let heights = [dot(direction, p), dot(direction, q)];
        Probe {
            ends,
            difference,
            gap: dot(direction, difference),
            heights,
            searched: Searched::Mixed,
        }
    }

    /// The difference q − p of two vertices in the world.
    #[inline]
    #[must_use]
    pub fn difference(&self, [p, q]: [u32; 2]) -> [f64; 3] {
        sub(self.b.position(q), self.a.position(p))
    }

    /// Certifies that a direction separates: the plane half way between the two vertices of the
    /// probe, with all rounded vertices strictly on their sides; `None` where rounding leaves a
    /// doubt. what says so is exact.
    ///
    /// Where the doubt comes from the search only, all vertices are looked at once.
    #[inline]
    #[must_use]
    pub fn apart(&self, direction: [f64; 3], probe: &Probe) -> Option<Plane> {
        let offset = self.offset_between(direction, probe)?;
        Some(Plane { normal: direction, offset })
    }

    /// The offset of that plane.
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

    /// The same of what a search for the origin has met last. What was looked up in a fan that is not exact
    /// is as good as what was climbed to, once no neighbour is higher.
    #[inline]
    pub(crate) fn parted(&self, met: &SupportPair) -> Option<Plane> {
        let &SupportPair { direction, ends, difference, gap, heights } = met;
        let searched = Searched::LookedUp;
        let probe = Probe { ends, difference, gap, heights, searched };
        let of_a = self.a.polytope.large_fan();
        let of_b = self.b.polytope.large_fan();
        if of_a.is_none_or(|fan| fan.is_exact) && of_b.is_none_or(|fan| fan.is_exact) {
            return self.apart(direction, &probe);
        }
        let climbed = |body: &Body<'_>, along, from| climb(body.polytope, body.local(along), from);
        let climbed =
            [climbed(&self.a, direction, ends[0]), climbed(&self.b, neg(direction), ends[1])];
        if climbed == ends {
            return self.apart(direction, &probe);
        }
        self.apart(direction, &Probe { searched, ..self.measured(direction, climbed) })
    }

    /// The same after looking at all vertices.
    #[cold]
    fn offset_by_all(&self, direction: [f64; 3]) -> Option<f64> {
        self.offset_beyond_rounding(direction, &self.probe_all(direction), [1.0; 2])
    }

    /// The slack of the searches behind a probe.
    #[inline]
    pub(crate) fn slack(&self, probe: &Probe) -> [f64; 2] {
        let [p, q] = probe.ends;
        let [a, b] = [self.a.polytope, self.b.polytope];
        match probe.searched {
            Searched::Mixed => [Mixed(a).slack(p), Mixed(b).slack(q)],
            Searched::Climbing => [a.climbing_slack(p), b.climbing_slack(q)],
            Searched::LookedUp => [slack_in(a, a.large_fan(), p), slack_in(b, b.large_fan(), q)],
        }
    }

    /// By how much the heights of a probe along a unit vector may be off, both together.
    #[inline]
    pub(crate) fn heights_error(&self, slack: [f64; 2]) -> f64 {
        self.a.height_error(slack[0]) + self.b.height_error(slack[1])
    }

    /// A probe by brute force.
    #[must_use]
    pub fn probe_all(&self, direction: [f64; 3]) -> Probe {
        let all = |body: &Body<'_>, along| BruteForce(body.polytope).farthest(body.local(along), 0);
        let ends = [all(&self.a, direction), all(&self.b, neg(direction))];
        self.measured(direction, ends)
    }

    /// Whether all rounded vertices of one body are farther than this from those of the other, along
    /// a direction of any length. Looks at all of them.
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
        // Heights, not the gap: the offset needs them, and their rounding is within the error.
        let [low, high] = probe.heights;
        let length = length_squared(direction);
        // A root takes its time, and is hardly ever needed.
        let twice = 2.0 * error;
        let beyond = high - low > twice * taxicab(direction) || high - low > twice * length.sqrt();
        let certain = beyond && length > SHORTEST && self.is_certifiable();
        let offset = 0.5 * low + 0.5 * high;
        // Long directions to what is very far away may have an offset too large to write down.
        (certain && offset.is_finite()).then_some(offset)
    }

    /// Whether error bounds hold: for both polytopes, or for one of them where the other is a
    /// point in the origin of its frame.
    #[inline]
    #[must_use]
    pub fn is_certifiable(&self) -> bool {
        let [a, b] = [self.a.polytope, self.b.polytope];
        let [point_a, point_b] = [a.reach() == 0.0, b.reach() == 0.0];
        (a.is_certifiable() && (b.is_certifiable() || point_b)) || (b.is_certifiable() && point_a)
    }
}
