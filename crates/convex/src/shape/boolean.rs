//! Boolean GJK of two shapes, in registers: a plane between them or a common point, for all but nearly touching shapes.
//!
//! The search of polytopes ([`boolean::search`]) on the surfaces of *inset* shapes. A core that has an inner ball is shrunk
//! about its center, and a radius is reduced. So
//! four corners about the origin prove contact in spite of rounding, and a gap proves separation if it is wider than the
//! inset and the errors. Where neither does, the caller searches on.

use std::cell::Cell;

use xcollide_simd::vec3;
use xcollide_simd::{Simd, SimdKernel, dispatch};

use super::Shape;
use super::gap::{LENGTHS_SQUARED, Pair, ShapeVerdict, inset};
use super::moved::MovedShape;
use super::placed::PlacedShape;
use super::search::{of_origin, weighted};
use crate::gjk::boolean::{BooleanSearch, GjkOutcome, GjkResult};
use crate::pair_kernel::SearchOfSets;
use crate::placed_set::PlacedSet;
use crate::plane::Plane;
use xcollide_math::vector::{dot, length_squared, scale, sub};

/// How many points are remembered: older corners are rare.
const REMEMBERED: usize = 16;

/// A shape at a pose, smaller all around by its inset.
pub(super) struct InsetShape<'a> {
    moved: MovedShape<'a>,
    /// A bound of how much lower its heights are than those of the shape.
    loss: f64,
    /// Points so near to it are in the shape for sure; none are if this is negative.
    margin: f64,
    points: [Cell<[f64; 3]>; REMEMBERED],
    searched: Cell<usize>,
}

impl<'a> InsetShape<'a> {
    /// Shrinks the core about a center by a factor, or the radius if the factor is 0.
    #[inline]
    pub(super) fn new<S: Shape + ?Sized>(
        placed: &PlacedShape<'_, S>,
        center: [f64; 3],
        factor: f64,
        error: f64,
        farthest: &'a dyn Fn([f64; 3]) -> [f64; 3],
    ) -> Self {
        let inset = inset(error);
        let of_radius = if placed.radius > inset { inset } else { 0.0 };
        let is_inset = of_radius > 0.0 || factor > 0.0;
        Self {
            moved: MovedShape::new(placed, center, factor, placed.radius - of_radius, farthest),
            loss: of_radius + 3.0 * factor * placed.reach,
            margin: if is_inset { inset - error } else { -error },
            points: [const { Cell::new([0.0; 3]) }; REMEMBERED],
            searched: Cell::new(0),
        }
    }

    fn point(&self, number: u32) -> [f64; 3] {
        self.points[number as usize % REMEMBERED].get()
    }
}

impl PlacedSet for InsetShape<'_> {
    /// The number of the search, and the point.
    #[inline(always)]
    fn farthest<S: Simd>(&self, direction: [S::F64x4; 3], _: u32) -> (usize, [S::F64x4; 3]) {
        let point = self.moved.farthest::<S>(direction);
        let number = self.searched.get();
        self.searched.set(number + 1);
        self.points[number % REMEMBERED].set(vec3::first(point));
        (number, point)
    }

    #[inline(always)]
    fn radius(&self) -> Option<f64> {
        None
    }
}

/// A search for a direction between two shapes, or for a common point.
pub(super) struct InsetSearch<'a> {
    pub(super) sides: &'a [InsetShape<'a>; 2],
    pub(super) start: [f64; 3],
}

impl SimdKernel for InsetSearch<'_> {
    type Output = GjkResult;

    #[inline(always)]
    fn run<S: Simd>(self) -> GjkResult {
        let search = BooleanSearch { direction: self.start, shift: [0.0; 3] };
        search.run::<S>(self.sides)
    }
}

/// A proved answer, or none.
pub(super) fn verdict<A, B>(pair: &Pair<'_, A, B>) -> Option<ShapeVerdict>
where
    A: Shape + ?Sized,
    B: Shape + ?Sized,
{
    let (of_a, of_b) = (|d| pair.a.shape.farthest(d), |d| pair.b.shape.farthest(d));
    let sides = [
        InsetShape::new(pair.a, pair.centers[0], pair.factors[0], pair.error, &of_a),
        InsetShape::new(pair.b, pair.centers[1], pair.factors[1], pair.error, &of_b),
    ];
    let start = pair.between_centers();
    let GjkResult { origin, last, .. } = dispatch(InsetSearch { sides: &sides, start });
    match origin {
        GjkOutcome::Separated => {
            let length = length_squared(last.direction);
            let ends = [0, 1].map(|k| sides[k].point(last.ends[k]));
            let normal = scale(last.direction, 1.0 / length.sqrt());
            let [low, high] = ends.map(|end| dot(normal, end));
            let enough = 2.0 * (pair.error + sides[0].loss + sides[1].loss);
            let certain =
                LENGTHS_SQUARED.contains(&length) && dot(normal, sub(ends[1], ends[0])) > enough;
            let plane = Plane { normal, offset: 0.5 * low + 0.5 * high };
            certain.then_some(ShapeVerdict::Apart(plane))
        }
        GjkOutcome::Intersecting(corners) => {
            let oldest = corners.as_flattened().iter().min();
            let first_remembered = sides[0].searched.get().saturating_sub(REMEMBERED);
            if oldest.is_none_or(|&oldest| (oldest as usize) < first_remembered) {
                return None;
            }
            let corners = corners.map(|ends| [0, 1].map(|k| sides[k].point(ends[k])));
            let weights = of_origin(corners.map(|[p, q]| sub(q, p)));
            let margins = sides.each_ref().map(|side| side.margin);
            pair.between(weighted(&corners, &weights), margins).map(ShapeVerdict::Collides)
        }
        GjkOutcome::Inconclusive => None,
    }
}
