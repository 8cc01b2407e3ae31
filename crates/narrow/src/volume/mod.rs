//! The volume that two bodies have in common, in an interval that is proved.
//!
//! # How it is computed
//!
//! The border of what two bodies have in common consists of the parts of each surface in the other body. By the
//! divergence theorem its volume is the sum of the signed volumes between any origin and these parts. In the plane of a
//! triangle the same holds again: the border of such a part consists of the parts of the triangle's edges in the other body, and
//! of the segments in which it cuts the other surface (`sum.rs`). So all that has to be known are the crossings of edges
//! of one with triangles of the other, and which vertices are in the other body (`cuts.rs`).
//!
//! *Degenerate cases.* The second body is moved by a symbolic infinitesimal, with which no vertex is on a surface and no
//! two edges meet ([`shifted_crossing`](xcollide_predicates::shifted_crossing)), so shared faces, duplicate bodies and
//! touching edges need no cases of their own. Volume is continuous, so the result is that of the bodies where they are.
//! Crossings are decided exactly. None of the divisors vanishes: an edge that crosses a plane has ends at different
//! distances, and a triangle without area is crossed by nothing.
//!
//! *Rounding.* The sum is computed in f64 with a bound on the error of every operation. Where the interval is too wide, it is
//! computed again in sums of two f64, with about 106 bits, and at last in fractions of big integers. The origin is in
//! the middle of what the boxes have in common, so that the terms are about as large as that.
//!
//! *Bodies.* Each triangle has a weight: whether the body is behind or before it, or on both sides as in a shell that lies
//! within another one of the same orientation (`body.rs`). That needs surfaces that do not intersect themselves, but no
//! consistent orientation.

mod balls;
mod body;
mod coinciding;
mod cuts;
mod fraction;
mod gauge;
mod inscribed;
mod moved_mesh;
mod number;
mod of_formulas;
mod parallel_axes;
mod rounded_boxes;
mod sections;
mod seen;
mod sum;

use xcollide_bounds::Aabb;
use xcollide_predicates::Point;

use crate::relation::kind_of_meshes;
use crate::{Kind, Placed, QueryError, Semantics};
use body::Body;
use cuts::{Bodies, Cut};
use fraction::Fraction;
use number::{Double, Number, Rounded};
use sum::{common_bounds, common_volume};

/// The volume that two bodies have in common: the exact volume is between both numbers, or is one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OverlapVolume {
    /// Not more than the volume. 0 exactly if the interiors have no common point, or the volume is below the range of f64.
    pub at_least: f64,
    /// Not less than the volume; for meshes at most 1e-9 of `at_least` more.
    pub at_most: f64,
}

/// How wide the interval may be, relative to the volume.
const WIDTH: f64 = 1e-9;

/// The volume of what two placed bodies have in common. Both bounds are proved for the rounded vertices that
/// `docs/semantics.md` defines, and at most 1e-9 of the volume apart; both are 0 if the interiors do not meet.
///
/// For any closed models without self-intersections: convex or not, with cavities, in several pieces, however their faces are
/// turned. Intersections that only the rounding of a pose makes count as often as they are covered.
///
/// Linear time, and that of finding the pairs of triangles that cut each other (figures: "Volume of overlap" in
/// `docs/benchmarks.md`); more where rounding in f64 is too coarse. The first query of a model checks whether it intersects itself.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Pose, overlap_volume};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let pose = Pose::from_translation([0.5, 0.5, 0.75]);
/// let found = overlap_volume((&cube, &Pose::IDENTITY), (&cube, &pose))?;
/// assert!(found.at_least <= 0.0625 && 0.0625 <= found.at_most);
/// assert!(found.at_most - found.at_least < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Of a model given by a formula both bounds are proved, too: for two balls, or a ball and a half space, by closed forms, up to
/// rounding; along parallel axes by sections. Other formulas are polyhedra and known solids between these and the surface; they are
/// refined until the bounds are 1e-9 of the volume apart, or there are 2¹⁸ patches or 2²⁰ tests. That takes some milliseconds to
/// seconds ("Round shapes, depths and pieces" in `docs/benchmarks.md`). Surfaces that coincide do not bound the overlap and are left
/// out. Which bounds are wider: "Formulas" in `docs/semantics.md`.
///
/// # Errors
/// A pose cannot place its model. [`QueryError::Unbounded`]: both are half spaces. [`QueryError::NoBody`]: a model is open. [`QueryError::SelfIntersecting`]: the surface
/// of a model intersects itself. [`QueryError::Scale`]: a model reaches beyond 1e60.
pub fn overlap_volume<'a, 'b, A, B>(a: A, b: B) -> Result<OverlapVolume, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    of_placed(a.try_into()?, b.try_into()?)
}

fn of_placed(a: Placed<'_>, b: Placed<'_>) -> Result<OverlapVolume, QueryError> {
    if crate::formula::any_formula(a, b) {
        return of_formulas::volume(a, b);
    }
    let bodies = [Body::of(a.model(), "first")?, Body::of(b.model(), "second")?];
    for (placed, side) in [(a, "first"), (b, "second")] {
        let bounds = placed.world_box();
        if bounds.min.iter().chain(&bounds.max).any(|x| x.abs() > 1e60) {
            return Err(QueryError::Scale { side });
        }
    }
    if a.world_box().intersection(&b.world_box()).is_empty() {
        return Ok(OverlapVolume::default());
    }
    let origin = a.world_box().intersection(&b.world_box()).center();
    let common = Common::new([a, b], bodies, origin);
    if let Some(found) = common.volume::<Rounded>().filter(|found| found.is_narrow(WIDTH)) {
        return Ok(found);
    }
    if matches!(kind_of_meshes(a, b, Semantics::Solid), Kind::Apart | Kind::Touching) {
        return Ok(OverlapVolume::default());
    }
    let found = common.volume::<Double>().filter(|found| found.is_narrow(WIDTH));
    Ok(found.or_else(|| common.volume::<Fraction>()).unwrap_or_default())
}

/// How the surfaces of two bodies whose boxes meet cut each other.
struct Common<'p> {
    bodies: Bodies<'p>,
    cuts: Vec<Cut>,
    insides: [Vec<i32>; 2],
    origin: Point,
}

impl<'p> Common<'p> {
    /// By an origin near what they have in common.
    fn new(placed: [Placed<'p>; 2], bodies: [&'p Body; 2], origin: Point) -> Self {
        let bodies = Bodies::new(placed, bodies);
        let cuts = bodies.cuts();
        let insides = [0, 1].map(|of| bodies.insides(of, &cuts));
        Self { bodies, cuts, insides, origin }
    }

    /// The volume, computed in some numbers; `None` if they do not bound it.
    fn volume<N: Number>(&self) -> Option<OverlapVolume> {
        let Self { bodies, cuts, insides, origin } = self;
        interval(&common_volume::<N>(bodies, cuts, insides, *origin))
    }

    /// A box around what they have in common.
    fn bounds(&self) -> Aabb {
        common_bounds(&self.bodies, &self.cuts, &self.insides)
    }
}

impl OverlapVolume {
    /// Whether the interval is at most a part `width` of the volume wide.
    fn is_narrow(&self, width: f64) -> bool {
        self.at_least > 0.0 && self.at_most - self.at_least <= width * self.at_least
    }
}

/// The interval of a sixth of a number; `None` if it has no bounds.
fn interval<N: Number>(sum: &N) -> Option<OverlapVolume> {
    let [low, high] = sum.div(&N::of(6.0)).bounds();
    let at_least = low.max(0.0);
    (low.is_finite() && high.is_finite())
        .then(|| OverlapVolume { at_least, at_most: high.max(at_least) })
}
