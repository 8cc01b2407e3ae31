//! What lies in two volumes at once (slides, "Intersection of several BVs").

use crate::BoundingVolume;

/// The intersection of two volumes around the same points: tighter than either, tested one after
/// the other, the cheaper first. Nest it for more than two.
///
/// Tests are those of the parts, so two intersections "overlap" where both parts do, though the
/// common points need not be the same. Volume and surface are upper bounds. Tightness: each part
/// is as tight as its kind. The f32 form is the intersection of two f32 forms.
///
/// ```
/// use xcollide_bounds::{Aabb, BoundingVolume, Intersection, Sphere};
///
/// type RoundedBox = Intersection<Aabb, Sphere>;
/// let ball = RoundedBox::fit(&[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]);
/// assert!(!ball.contains([0.9, 0.9, 0.0]), "in the box, not in the sphere");
/// assert!(!ball.contains([0.0, 0.0, 0.5]), "in the sphere, not in the box");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Intersection<A, B> {
    /// The volume that is tested first.
    pub first: A,
    /// The other.
    pub second: B,
}

impl<A: BoundingVolume, B: BoundingVolume> BoundingVolume for Intersection<A, B> {
    type Prepared = (A::Prepared, B::Prepared);

    fn fit(points: &[[f64; 3]]) -> Self {
        Self { first: A::fit(points), second: B::fit(points) }
    }

    fn fit_triangles(triangles: &[[[f64; 3]; 3]]) -> Self {
        Self { first: A::fit_triangles(triangles), second: B::fit_triangles(triangles) }
    }

    fn merged(&self, other: &Self) -> Self {
        Self { first: self.first.merged(&other.first), second: self.second.merged(&other.second) }
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        self.first.overlaps(&other.first) && self.second.overlaps(&other.second)
    }

    #[inline]
    fn contains(&self, point: [f64; 3]) -> bool {
        self.first.contains(point) && self.second.contains(point)
    }

    fn expanded(&self, margin: f64) -> Self {
        Self { first: self.first.expanded(margin), second: self.second.expanded(margin) }
    }

    fn prepare(motion: &crate::Motion, margin: f64) -> Self::Prepared {
        (A::prepare(motion, margin), B::prepare(motion, margin))
    }

    #[inline]
    fn moved(&self, prepared: &Self::Prepared) -> Self {
        Self { first: self.first.moved(&prepared.0), second: self.second.moved(&prepared.1) }
    }

    /// An upper bound: the smaller of the volumes of the parts.
    fn volume(&self) -> f64 {
        self.first.volume().min(self.second.volume())
    }

    /// An upper bound: the smaller of the surfaces of the parts. (A convex body has no larger
    /// surface than one around it.)
    fn surface(&self) -> f64 {
        self.first.surface().min(self.second.surface())
    }

    #[inline]
    fn bulk(&self) -> f64 {
        self.first.bulk()
    }

    fn distance_squared(&self, other: &Self) -> f64 {
        self.first.distance_squared(&other.first).max(self.second.distance_squared(&other.second))
    }

    fn center(&self) -> [f64; 3] {
        self.first.center()
    }
}
