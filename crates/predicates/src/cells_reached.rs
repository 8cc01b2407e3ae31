//! The parts into which triangles cut another one, as far as the interior of a convex body reaches into them.
//!
//! The corners of a part are fractions. Polygons with dyadic corners are made in it and around it, nearer and nearer, in which nothing
//! is rounded: the body reaches into the part if it does into one inside, and does not if it does not into one around. Polytopes without a
//! radius are cut with the part itself.

use std::ops::ControlFlow;

use crate::cells::{cells, sides_of};
use crate::exact::{Dyadic, Vector, cross, vector};
use crate::projected::facing;
use crate::triangle_part::{Line, Polygon, side};
use crate::{ConvexBody, ExactPoint, Point};

/// Polygons differ from the part by 2 to minus these numbers, doubled each time, of its size.
const DIGITS: [i64; 7] = [16, 32, 64, 128, 256, 512, 1024];

impl ConvexBody {
    /// Points of a triangle, one in each part into which others cut it and into which the interior of the body reaches; the parts are those
    /// of [`triangle_cells`](crate::triangle_cells). None if the corners are collinear.
    ///
    /// Exact for all finite numbers; `None` if a round body touches the border of a part, or is as near to touching it as 2⁻¹⁰⁰⁰ of its
    /// size, beside a part into which it reaches. A part takes as long as some calls of [`triangle_gap`](Self::triangle_gap).
    ///
    /// ```
    /// use xcollide_predicates::{ConvexBody, MovedSolid, Solid};
    ///
    /// let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let solid = Solid::Capsule { half: 0.0, radius: 1.0 };
    /// let ball = |x: f64| {
    ///     // Half a unit in the last place deep in the floor, in a circle with a radius of some 1e-8.
    ///     let translation = [x, 1.0, 1.0_f64.next_down()];
    ///     ConvexBody::of(&MovedSolid { solid, matrix, translation }).unwrap()
    /// };
    /// let floor = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    /// let wall = [[1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 9.0, 0.0]];
    /// let parts = |x: f64| ball(x).cells_reached(&floor, &[wall]).map(|points| points.len());
    /// assert_eq!(parts(1.0 - 1e-6), Some(1));
    /// assert_eq!(parts(1.0 - 1e-9), Some(2));
    /// ```
    #[must_use]
    pub fn cells_reached(
        &self,
        triangle: &[Point; 3],
        others: &[[Point; 3]],
    ) -> Option<Vec<ExactPoint>> {
        let mut points = Vec::new();
        let Some((axis, _)) = facing(triangle) else { return Some(points) };
        let corners = triangle.map(vector);
        let sides = |other: &[Point; 3]| sides_of(other, triangle);
        let flow = cells((&corners, axis, &sides), others, &mut |part| {
            match self.reaches(&corners, part) {
                Some(true) => points.push(ExactPoint::weighted(&corners, &part.middle())),
                Some(false) => {}
                None => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        flow.is_continue().then_some(points)
    }

    /// Whether the interior reaches into a part of a triangle; `None` if it is not told.
    fn reaches(&self, corners: &[Vector; 3], part: &Polygon) -> Option<bool> {
        if let Some(hull) = self.hull().filter(|hull| !hull.is_round() && hull.has_interior()) {
            return Some(hull.part_gap(corners, part.clone()).is_negative());
        }
        self.reaches_between(corners, part)
    }

    /// By polygons inside of the part and around it.
    fn reaches_between(&self, corners: &[Vector; 3], part: &Polygon) -> Option<bool> {
        // A fan of triangles.
        let reaches_into = |polygon: &[Line]| {
            let place = |at: &Line| place(corners, at);
            polygon.windows(2).skip(1).any(|pair| {
                self.gap_to(&[place(&polygon[0]), place(&pair[0]), place(&pair[1])]).is_negative()
            })
        };
        for digits in DIGITS {
            let about = |way: f64| stretched(part, &Dyadic::of(way).times_power(-digits), digits);
            let (within, around) = (about(-1.0), about(1.0));
            if is_in_part(&within, part) && reaches_into(&within) {
                return Some(true);
            }
            if is_around(&around, part) && !reaches_into(&around) {
                return Some(false);
            }
        }
        None
    }
}

/// A polygon stretched about its middle by a part of its size, with rounded corners; their coordinates have the sum 1.
fn stretched(polygon: &Polygon, by: &Dyadic, digits: i64) -> Vec<Line> {
    let place = |at: &Line| {
        let sum = &(&at[0] + &at[1]) + &at[2];
        let [x, y] = [0, 1].map(|k| at[k].quotient(&sum, 2 * digits + 64));
        let z = &Dyadic::of(1.0) - &(&x + &y);
        [x, y, z]
    };
    let middle = place(&polygon.middle());
    let corner = |at: &Line| {
        let at = place(at);
        [0, 1, 2].map(|k| &at[k] + &(by * &(&at[k] - &middle[k])))
    };
    polygon.vertices().iter().map(corner).collect()
}

fn is_in_part(corners: &[Line], part: &Polygon) -> bool {
    let middle = part.middle();
    part.lines().iter().all(|line| is_beside(line, &middle, corners))
}

fn is_around(corners: &[Line], part: &Polygon) -> bool {
    let middle = part.middle();
    (0..corners.len()).all(|i| {
        let line = cross(&corners[i], &corners[(i + 1) % corners.len()]);
        is_beside(&line, &middle, part.vertices())
    })
}

/// Whether all points are on that side of a line on which the middle is, or on the line.
fn is_beside(line: &Line, middle: &Line, points: &[Line]) -> bool {
    let inner = side(line, middle);
    !inner.is_zero() && points.iter().all(|point| side(line, point) != -inner)
}

/// The point with some barycentric coordinates, whose sum is 1.
fn place(corners: &[Vector; 3], at: &Line) -> Vector {
    let part = |k: usize, i: usize| &corners[i][k] * &at[i];
    [0, 1, 2].map(|k| &(&part(k, 0) + &part(k, 1)) + &part(k, 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MovedSolid, Solid};
    use xcollide_fixtures::Random;

    /// Boxes, by the polygons about each part and by cutting with the planes of their sides; the first tells nothing if a box only touches.
    #[test]
    fn polygons_about_a_part_tell_what_a_cut_tells() {
        let mut random = Random::new(11);
        let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let (mut told, mut untold) = ([0; 2], 0);
        for _ in 0..300 {
            let mut corner = || [(); 3].map(|()| random.integer(-3, 3) as f64);
            let triangle = [corner(), corner(), corner()];
            let others = [(); 3].map(|()| [corner(), corner(), corner()]);
            let translation = corner();
            let half = [(); 3].map(|()| random.integer(1, 9) as f64 / 4.0);
            let body = MovedSolid { solid: Solid::Cuboid { half }, matrix, translation };
            let body = ConvexBody::of(&body).unwrap();
            let Some((axis, _)) = facing(&triangle) else { continue };
            let corners = triangle.map(vector);
            let sides = |other: &[Point; 3]| sides_of(other, &triangle);
            let _ = cells((&corners, axis, &sides), &others, &mut |part| {
                let expected = body.reaches(&corners, part).unwrap();
                match body.reaches_between(&corners, part) {
                    Some(found) => {
                        assert_eq!(found, expected, "{triangle:?} {others:?} {body:?}");
                        told[usize::from(found)] += 1;
                    }
                    None => {
                        assert!(!expected);
                        untold += 1;
                    }
                }
                ControlFlow::Continue(())
            });
        }
        assert!(told.iter().all(|&count| count > 50) && untold < told[0], "{told:?} {untold}");
    }
}
