//! A polytope at a pose: its vertices in the world, and bounds of their rounding.

use xcollide_math::Pose;
use xcollide_math::vector::taxicab;

use crate::polytope::Polytope;
use crate::support::mixed;

/// A polytope at a pose.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    polytope: &'a Polytope,
    pose: &'a Pose,
}

/// Products with a direction vanish if its squared length is less.
pub(crate) const SHORTEST: f64 = 1e-290;

/// u = 2⁻⁵³, the relative error of one rounding.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// [`Body::noise`] in units of 2⁻⁵³, for each unit of the reach and of the translation's taxicab length.
pub(crate) const NOISE: [f64; 2] = [48.0, 32.0];

/// [`Body::height_error`] in units of 2⁻⁵³, for each unit of the reach, of the reach times the slack, and of the
/// translation's taxicab length.
pub(crate) const HEIGHT_ERROR: [f64; 3] = [40.0, 8.0, 12.0];

impl<'a> Body<'a> {
    /// Places a polytope.
    #[inline]
    #[must_use]
    pub fn new(polytope: &'a Polytope, pose: &'a Pose) -> Self {
        Self { polytope, pose }
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
        self.pose.apply(self.polytope.center())
    }

    /// The pose.
    #[inline]
    #[must_use]
    pub fn pose(&self) -> &'a Pose {
        self.pose
    }

    /// A vertex in the world.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: u32) -> [f64; 3] {
        self.pose.apply(self.polytope.position(vertex))
    }

    /// A direction of the world in the polytope's frame.
    #[inline]
    #[must_use]
    pub fn local(&self, direction: [f64; 3]) -> [f64; 3] {
        let [r, s, t] = self.pose.rotation();
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
        self.pose.apply(point)
    }

    /// A direction of the polytope's frame in the world.
    #[inline]
    #[must_use]
    pub fn turned(&self, direction: [f64; 3]) -> [f64; 3] {
        self.pose.rotate(direction)
    }

    /// The vertex farthest along a direction of the world, by the default search.
    #[inline]
    #[must_use]
    pub fn farthest(&self, direction: [f64; 3], near: u32) -> u32 {
        mixed(self.polytope, self.local(direction), near)
    }

    /// By how much the rounded world vertices may be higher along a direction of length 1 than the computed height of a
    /// vertex that a search with this slack found.
    ///
    /// With ρ the reach and t the translation: the turned direction is off by 6u, which moves heights by 6uρ; two
    /// local heights are rounded by 3.1uρ each, multiplied by the slack; two world vertices by 7.2uρ + 1.02u|t| each;
    /// the height of the vertex found by 3.1u(ρ + |t|). The rest covers the rounding of a plane's offset. For few
    /// vertices, which GJK moves to the world first, two world heights, 6.2u(ρ + |t|), replace the first three terms,
    /// and are less.
    #[inline]
    pub(crate) fn height_error(&self, slack: f64) -> f64 {
        let (reach, [of_reach, of_slack, of_far]) = (self.polytope.reach(), HEIGHT_ERROR);
        UNIT * ((of_reach + of_slack * slack) * reach + of_far * taxicab(self.pose.translation()))
    }

    /// A generous bound of how far rounding moves a world vertex, or a point computed from a few of them.
    #[inline]
    #[must_use]
    pub fn noise(&self) -> f64 {
        let [of_reach, of_far] = NOISE;
        UNIT * (of_reach * self.polytope.reach() + of_far * taxicab(self.pose.translation()))
    }
}
