//! One of the two models: where points are, and which triangles are near.

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_brep::Interior;
use xcollide_bvh::wide::{Traversal, WideTree, swept_sphere_query};
use xcollide_math::vector::{length, sub};
use xcollide_predicates::{
    ConvexBody, ExactPoint, Passage, Point, TriangleOverlap, ray_passage, triangle_cells,
    triangle_pair_overlap, triangles_intersect,
};

use crate::hierarchy::prepared::prepared;
use crate::{Placed, Semantics};

/// Up to so many triangles are tested one by one.
const FEW: usize = 24;

/// A placed model, with what its queries need.
pub(crate) struct Operand<'a> {
    pub(crate) placed: Placed<'a>,
    pub(super) interior: Interior,
    bounds: Aabb,
    tree: Option<&'a WideTree>,
    scratch: Traversal,
    found: Vec<u32>,
}

/// Where both sides of a point on a triangle are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides {
    /// Whether the point is on the surface.
    pub(super) on: bool,
    /// Whether the points just before and just behind it, along an axis, are inside.
    pub(crate) inside: [bool; 2],
}

impl Sides {
    /// Whether the point is in the interior.
    pub(super) fn are_inside(&self) -> bool {
        self.inside == [true; 2]
    }

    /// Whether the point is in the closed set.
    pub(super) fn contain(&self) -> bool {
        self.on || self.inside != [false; 2]
    }
}

impl<'a> Operand<'a> {
    pub(crate) fn new(placed: Placed<'a>, semantics: Semantics) -> Self {
        let model = placed.model();
        let interior = match semantics {
            Semantics::Solid => model.interior(),
            Semantics::Surface => Interior::None,
        };
        let is_large = model.triangulation().len() > FEW;
        let tree = is_large.then(|| prepared::<WideTree>(model)).flatten();
        let bounds = placed.world_box();
        Self { placed, interior, bounds, tree, scratch: Traversal::new(), found: Vec::new() }
    }

    pub(super) fn triangle(&self, number: u32) -> [Point; 3] {
        self.placed.triangle(number as usize)
    }

    pub(super) fn tree(&self) -> Option<&'a WideTree> {
        self.tree
    }

    /// The number of triangles.
    pub(super) fn len(&self) -> u32 {
        self.placed.model().triangulation().len() as u32
    }

    /// Finds the triangles whose boxes are at most `radius` from a segment.
    fn find(&mut self, segment: [Point; 2], radius: f64) {
        self.found.clear();
        let (Some(tree), pose) = (self.tree, self.placed.pose()) else {
            self.found.extend(0..self.placed.model().triangulation().len() as u32);
            return;
        };
        let found = &mut self.found;
        let _ = swept_sphere_query((tree, pose), segment, radius, &mut self.scratch, |triangle| {
            found.push(triangle);
            ControlFlow::Continue(())
        });
        found.sort_unstable();
    }

    /// Where the sides of a point are along an axis. The point is on no border of a triangle, and on no triangle
    /// that is parallel to the axis; on no triangles but those of one plane.
    pub(crate) fn sides(&mut self, p: &ExactPoint, axis: usize) -> Sides {
        let (at, error) = (p.rounded(), p.error());
        let radius = error[0].max(error[1]).max(error[2]);
        let outside = Sides { on: false, inside: [false; 2] };
        if !self.bounds.expanded(radius).contains(at) {
            return outside;
        }
        let mut end = at;
        end[axis] = end[axis].max(self.bounds.max[axis]);
        self.find([at, end], 2.0 * radius);
        let (mut ahead, mut through) = ([0, 0], [0, 0]);
        let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
        for &number in &self.found {
            let t = self.placed.triangle(number as usize);
            // Wholly beside the ray, beyond all rounding.
            let is_beside = |k: usize| {
                let (low, high) = (at[k] - 2.0 * radius, at[k] + 2.0 * radius);
                (t[0][k] > high && t[1][k] > high && t[2][k] > high)
                    || (t[0][k] < low && t[1][k] < low && t[2][k] < low)
            };
            if is_beside(i) || is_beside(j) {
                continue;
            }
            match ray_passage(p, axis, &t) {
                Passage::Missed => {}
                Passage::Ahead(winding) => {
                    ahead = [ahead[0] + winding, ahead[1] + winding.abs()];
                }
                Passage::Through(winding) => {
                    through = [through[0] + winding, through[1] + winding.abs()];
                }
            }
        }
        let is_inside = |[winding, crossings]: [i32; 2]| match self.interior {
            Interior::Winding => winding != 0,
            Interior::Parity => crossings % 2 == 1,
            Interior::None => false,
        };
        let before = [0, 1].map(|k| ahead[k] + through[k]);
        Sides { on: through[1] > 0, inside: [is_inside(before), is_inside(ahead)] }
    }

    /// Whether a point is on a triangle, other than one of them.
    pub(super) fn is_on_another(&mut self, p: &ExactPoint, one: Option<u32>) -> bool {
        let (at, error) = (p.rounded(), p.error());
        self.find([at; 2], 2.0 * error[0].max(error[1]).max(error[2]));
        let placed = self.placed;
        let is_on = |&number: &u32| p.is_on_triangle(&placed.triangle(number as usize));
        self.found.iter().filter(|&&number| Some(number) != one).any(is_on)
    }

    /// Adds to `cutters` the triangles that may cut the inside of a triangle of the same model.
    fn add_own_cutters(&mut self, number: u32, cutters: &mut Vec<[Point; 3]>) {
        let triangle = self.triangle(number);
        let [a, b, c] = triangle;
        // All of it is near its longest side, within the height of an equilateral triangle.
        let lengths = [[a, b], [b, c], [c, a]].map(|[p, q]| (length(sub(q, p)), [p, q]));
        let longest = lengths.iter().max_by(|x, y| x.0.total_cmp(&y.0));
        let Some(&(size, side)) = longest else { return };
        self.find(side, 0.8661 * size);
        for &other in &self.found {
            let there = self.placed.triangle(other as usize);
            if other != number && triangles_intersect(&triangle, &there) && cuts(&triangle, &there)
            {
                cutters.push(there);
            }
        }
    }

    /// Shows `visit` a point in each part into which the triangles of the model, and some others that meet it, cut a
    /// triangle of the model.
    pub(super) fn cells(
        &mut self,
        number: u32,
        others: impl IntoIterator<Item = [Point; 3]>,
        visit: &mut dyn FnMut(&mut Self, &ExactPoint) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let triangle = self.triangle(number);
        let others = others.into_iter().filter(|other| cuts(&triangle, other));
        let mut cutters: Vec<[Point; 3]> = others.collect();
        self.add_own_cutters(number, &mut cutters);
        triangle_cells(&triangle, &cutters, &mut |point| visit(self, point))
    }

    /// A point in each part into which the triangles of the model cut one of them and into which a body reaches; `None` if the parts
    /// are not told.
    pub(super) fn cells_reached(
        &mut self,
        number: u32,
        body: &ConvexBody,
    ) -> Option<Vec<ExactPoint>> {
        let mut cutters = Vec::new();
        self.add_own_cutters(number, &mut cutters);
        body.cells_reached(&self.triangle(number), &cutters)
    }
}

/// Whether a triangle that meets another one may cut its inside: not if they have one corner of it in common.
fn cuts(triangle: &[Point; 3], other: &[Point; 3]) -> bool {
    match triangle_pair_overlap(triangle, other).as_ref().map(TriangleOverlap::corners) {
        Some([point]) => !triangle.contains(point),
        Some(_) => true,
        None => false,
    }
}
