//! The parts into which triangles cut a polytope that is flat and has no radius, one exact point in each: where f64 does not have its
//! corners, too.

use std::ops::ControlFlow;

use crate::cells::{cells, cells_along, heights};
use crate::exact::Vector;
use crate::quadric::homogeneous;
use crate::rounded_hull::RoundedHull;
use crate::{ConvexBody, ExactPoint, Point};

impl ConvexBody {
    /// An axis that is not parallel to the plane of a polygon, as [`ray_passage`](crate::ray_passage) needs it; `None` for other bodies.
    #[must_use]
    pub fn ray_axis(&self) -> Option<usize> {
        axis(self.flat()?)
    }

    /// Points of a flat polytope without a radius in the inside of each part into which triangles cut it, as
    /// [`triangle_cells`](crate::triangle_cells) and [`segment_cells`](crate::segment_cells) show them. None for other bodies.
    ///
    /// Exact for all finite numbers. Some microseconds a part.
    ///
    /// ```
    /// use xcollide_predicates::{ConvexBody, Passage, ray_passage};
    ///
    /// // A square in the plane z = 1 + 2⁻⁶⁰, which f64 does not have, over a roof at z = 1; a wall at x = 1 cuts it.
    /// let height = (-60.0_f64).exp2();
    /// let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(|[x, y]| [x, y, height]);
    /// let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let square = ConvexBody::rounded(&corners, [[0, 1, 2, 3]], 0.0, matrix, [0.0, 0.0, 1.0]).unwrap();
    /// let points = square.cells(&[[[1.0, -9.0, 0.0], [1.0, 9.0, 0.0], [1.0, 1.0, 2.0]]]);
    /// let roof = [[-9.0, -9.0, 1.0], [9.0, -9.0, 1.0], [0.0, 9.0, 1.0]];
    /// // Two of each of its triangles, all of them above the roof.
    /// assert_eq!(points.len(), 4);
    /// assert!(points.iter().all(|point| ray_passage(point, 2, &roof) == Passage::Missed));
    /// ```
    #[must_use]
    pub fn cells(&self, triangles: &[[Point; 3]]) -> Vec<ExactPoint> {
        let Some(hull) = self.flat() else { return Vec::new() };
        let corners = hull.corners();
        let Some(axis) = axis(hull) else {
            let order =
                |p: &&Vector, q: &&Vector| p.partial_cmp(q).unwrap_or(std::cmp::Ordering::Equal);
            let ends = [corners.iter().min_by(order), corners.iter().max_by(order)];
            let [Some(p), Some(q)] = ends else { return Vec::new() };
            let ends = [p.clone(), q.clone()];
            let sides =
                |triangle: &[Point; 3]| heights(triangle, &ends).map(|height| height.sign());
            let mut points = cells_along((&ends, 0, &sides), triangles);
            if points.is_empty() {
                points.push(ExactPoint::homogeneous(homogeneous(p, 1.0)));
            }
            return points;
        };
        let mut points = Vec::new();
        for corners in hull.triangles() {
            let sides =
                |triangle: &[Point; 3]| heights(triangle, &corners).map(|height| height.sign());
            let _ = cells((&corners, axis, &sides), triangles, &mut |part| {
                points.push(ExactPoint::weighted(&corners, &part.middle()));
                ControlFlow::Continue(())
            });
        }
        points
    }

    /// The corners of a body without inside.
    fn flat(&self) -> Option<&RoundedHull> {
        self.hull().filter(|hull| !hull.has_interior())
    }
}

fn axis(hull: &RoundedHull) -> Option<usize> {
    let plane = hull.sheet()?;
    (0..3).max_by_key(|&k| (!plane[k].sign().is_zero(), plane[k].magnitude()))
}
