//! The parts into which the planes of other triangles cut a triangle or a segment, one exact point in each.
//!
//! A point of the triangle has barycentric coordinates x = (α, β, γ). The side of such a point with respect to a plane is the
//! sign of a linear form h·x, whose coefficients are the sides of the three corners, exactly. So the lines along which
//! planes cut the triangle are vectors, two of which cross in the point h × k; a part is a convex polygon, kept as the
//! cyclic sequence of its lines. All of it is exact in big integers, whose length does not grow with the number of cuts, since
//! every vertex is made of two of the given lines.
//!
//! The parts are finer than need be, because whole planes cut. Many triangles are first divided by coordinate planes, in each
//! part of which only those count whose boxes reach it.

use std::ops::ControlFlow;

use crate::exact::{self, Dyadic, Vector, vector};
use crate::exact_point::ExactPoint;
use crate::orientation::TrianglePlane;
use crate::projected::facing;
use crate::triangle_part::{Line, Polygon};
use crate::{Point, Sign};

/// Shows `visit` a point in the inside of each part into which other triangles cut a triangle, until it breaks: in each open
/// subset of the triangle that is connected and has no point in common with any border of the others, or with
/// any of the others that is in another plane, there is at least one of them. Points are on no border of a coplanar triangle, and on no other
/// triangle. Shows nothing if the corners of the triangle are collinear.
///
/// The others should meet the triangle; those with collinear corners are ignored. Exact for all finite coordinates. n of
/// them make up to O(n²) parts, O(n) if they are small. Some microseconds a part.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_predicates::triangle_cells;
///
/// let floor = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let wall = [[1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 9.0, 0.0]];
/// let (mut before, mut behind) = (0, 0);
/// triangle_cells(&floor, &[wall], &mut |point| {
///     *(if point.rounded()[0] < 1.0 { &mut before } else { &mut behind }) += 1;
///     ControlFlow::Continue(())
/// });
/// assert_eq!((before, behind), (1, 1));
/// ```
pub fn triangle_cells(
    triangle: &[Point; 3],
    others: &[[Point; 3]],
    visit: &mut dyn FnMut(&ExactPoint) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some((axis, _)) = facing(triangle) else { return ControlFlow::Continue(()) };
    let (corners, sides) = (triangle.map(vector), |other: &[Point; 3]| sides_of(other, triangle));
    cells((&corners, axis, &sides), others, &mut |part| {
        visit(&ExactPoint::weighted(&corners, &part.middle()))
    })
}

/// What is cut: its corners, an axis that is not parallel to its plane (of a segment any), and on which sides of a triangle's plane the
/// corners are.
pub(crate) type Whole<'a, const N: usize> =
    (&'a [Vector; N], usize, &'a dyn Fn(&[Point; 3]) -> [Sign; N]);

pub(crate) fn sides_of<const N: usize>(triangle: &[Point; 3], points: &[Point; N]) -> [Sign; N] {
    let plane = TrianglePlane::new(triangle);
    points.map(|point| plane.side(point))
}

/// The same for any corners that are not collinear: shows the parts.
pub(crate) fn cells(
    whole: Whole<'_, 3>,
    others: &[[Point; 3]],
    visit: &mut dyn FnMut(&Polygon) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut cutters = Vec::new();
    for other in others {
        let cuts = cuts(whole, other);
        if !cuts.is_empty() {
            cutters.push(Cutter { box_: box_of(other), cuts });
        }
    }
    let all: Vec<usize> = (0..cutters.len()).collect();
    Cells { corners: whole.0, cutters: &cutters, visit }.divide(Polygon::whole(), &all, DEPTH)
}

/// The lines of a triangle in another one, and its box.
struct Cutter {
    box_: [Point; 2],
    cuts: Vec<Line>,
}

/// The lines along which the plane of a triangle, or in one plane its edges, cut another one; only those that do.
fn cuts((corners, axis, sides): Whole<'_, 3>, other: &[Point; 3]) -> Vec<Line> {
    let sides = sides(other);
    let [a, b, c] = *other;
    if sides.iter().any(|side| !side.is_zero()) {
        if !(sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative)) {
            return Vec::new();
        }
        return vec![heights(other, corners)];
    }
    if facing(other).is_none() {
        return Vec::new();
    }
    let edges = [[a, b], [b, c], [c, a]].into_iter();
    let lines = edges.map(|edge| corners.each_ref().map(|corner| exact_turn(axis, edge, corner)));
    let cuts = |line: &Line| {
        let signs = line.each_ref().map(Dyadic::sign);
        signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative)
    };
    lines.filter(cuts).collect()
}

/// The determinants whose signs are the sides of the plane of a triangle on which points are.
pub(crate) fn heights<const N: usize>(
    &[a, b, c]: &[Point; 3],
    points: &[Vector; N],
) -> [Dyadic; N] {
    let normal = exact::cross(&exact::difference(a, b), &exact::difference(a, c));
    let from = vector(a);
    points.each_ref().map(|point| exact::dot(&normal, &exact::minus(point, &from)))
}

/// The determinant whose sign is the side of an edge on which a point is, projected along an axis.
fn exact_turn(axis: usize, [tail, head]: [Point; 2], p: &Vector) -> Dyadic {
    let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
    let along = |k: usize| &Dyadic::of(head[k]) - &Dyadic::of(tail[k]);
    let to = |k: usize| &p[k] - &Dyadic::of(tail[k]);
    &(&along(i) * &to(j)) - &(&along(j) * &to(i))
}

fn box_of(triangle: &[Point; 3]) -> [Point; 2] {
    let [a, b, c] = *triangle;
    [[0, 1, 2].map(|k| a[k].min(b[k]).min(c[k])), [0, 1, 2].map(|k| a[k].max(b[k]).max(c[k]))]
}

/// So many triangles are not worth a division.
const FEW: usize = 6;
/// The most divisions of a part.
const DEPTH: usize = 48;

struct Cells<'a> {
    corners: &'a [Vector; 3],
    cutters: &'a [Cutter],
    visit: &'a mut dyn FnMut(&Polygon) -> ControlFlow<()>,
}

impl Cells<'_> {
    /// Cuts a polygon by some triangles, the many first divided by a coordinate plane.
    fn divide(&mut self, polygon: Polygon, cutters: &[usize], depth: usize) -> ControlFlow<()> {
        if cutters.len() <= FEW || depth == 0 {
            return self.cut(polygon, cutters);
        }
        let Some((axis, at)) = self.division(&polygon, cutters) else {
            return self.cut(polygon, cutters);
        };
        let line = self.corners.each_ref().map(|corner| &corner[axis] - &Dyadic::of(at));
        let parts = match polygon.split(&line) {
            Ok(parts) => parts,
            Err(polygon) => return self.cut(polygon, cutters),
        };
        // What is wholly beyond the plane does not meet the part.
        let [above, below] = [1, 0].map(|end| {
            let reaches = |&&cutter: &&usize| {
                let x = self.cutters[cutter].box_[end][axis];
                if end == 1 { x >= at } else { x <= at }
            };
            cutters.iter().filter(reaches).copied().collect::<Vec<usize>>()
        });
        let [upper, lower] = parts;
        self.divide(upper, &above, depth - 1)?;
        self.divide(lower, &below, depth - 1)
    }

    /// A coordinate plane with fewer triangles on both sides.
    fn division(&self, polygon: &Polygon, cutters: &[usize]) -> Option<(usize, f64)> {
        let corners: Vec<Point> = polygon
            .vertices()
            .iter()
            .map(|vertex| ExactPoint::weighted(self.corners, vertex).rounded())
            .collect();
        let mut best: Option<(usize, usize, f64)> = None;
        for axis in 0..3 {
            let low = corners.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
            let high = corners.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
            let boxes = || cutters.iter().map(|&cutter| &self.cutters[cutter].box_);
            let middle =
                |[from, to]: &[Point; 2]| 0.5 * from[axis].max(low) + 0.5 * to[axis].min(high);
            let mut middles: Vec<f64> = boxes().map(middle).collect();
            middles.sort_unstable_by(f64::total_cmp);
            let at = middles[middles.len() / 2];
            let above = boxes().filter(|[_, to]| to[axis] >= at).count();
            let below = boxes().filter(|[from, _]| from[axis] <= at).count();
            let most = above.max(below);
            if low < at && at < high && best.is_none_or(|(fewest, ..)| most < fewest) {
                best = Some((most, axis, at));
            }
        }
        let (most, axis, at) = best?;
        (most < cutters.len()).then_some((axis, at))
    }

    fn cut(&mut self, polygon: Polygon, cutters: &[usize]) -> ControlFlow<()> {
        let mut parts = vec![polygon];
        for line in cutters.iter().flat_map(|&cutter| &self.cutters[cutter].cuts) {
            let mut finer = Vec::with_capacity(parts.len() + 1);
            for part in parts {
                match part.split(line) {
                    Ok(halves) => finer.extend(halves),
                    Err(part) => finer.push(part),
                }
            }
            parts = finer;
        }
        parts.iter().try_for_each(&mut *self.visit)
    }
}

/// Points in the inside of each part into which triangles cut a segment with two different ends, in order from its start: in
/// each open part of it that has no point in common with any border of the triangles, or with any that does not
/// contain the part, there is at least one. Triangles may be degenerate. Empty if the ends are equal.
///
/// Exact for all finite coordinates; O(n log n) for n triangles.
///
/// ```
/// use xcollide_predicates::segment_cells;
///
/// let floor = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let through = segment_cells(&[[1.0, 1.0, 3.0], [1.0, 1.0, -1.0]], &[floor]);
/// assert_eq!(through.len(), 2);
/// assert!(through[0].rounded()[2] > 0.0 && through[1].rounded()[2] < 0.0);
/// ```
#[must_use]
pub fn segment_cells(segment: &[Point; 2], triangles: &[[Point; 3]]) -> Vec<ExactPoint> {
    let sides = |triangle: &[Point; 3]| sides_of(triangle, segment);
    cells_along((&segment.map(vector), 0, &sides), triangles)
}

/// The same for any ends.
pub(crate) fn cells_along(
    (ends, _, sides): Whole<'_, 2>,
    triangles: &[[Point; 3]],
) -> Vec<ExactPoint> {
    let [p, q] = ends;
    let Some(along) = (0..3).find(|&k| p[k] != q[k]) else { return Vec::new() };
    // Where forms with these values at the ends are zero: weights of the ends.
    let (zero, one) = (Dyadic::of(0.0), Dyadic::of(1.0));
    let mut cuts: Vec<[Dyadic; 2]> = vec![[one.clone(), zero.clone()], [zero, one]];
    let mut cut = |[at_p, at_q]: [Dyadic; 2]| {
        if (at_p.sign() * at_q.sign()).is_negative() {
            let [at_p, at_q] =
                if at_p.sign().is_negative() { [-&at_p, at_q] } else { [at_p, -&at_q] };
            let exponent = -(&at_p + &at_q).magnitude();
            cuts.push([at_q.times_power(exponent), at_p.times_power(exponent)]);
        }
    };
    for triangle in triangles {
        let [a, b, c] = *triangle;
        if sides(triangle).iter().any(|side| !side.is_zero()) {
            cut(heights(triangle, ends));
            continue;
        }
        let turns = |axis: usize, edge| ends.each_ref().map(|end| exact_turn(axis, edge, end));
        let edges = [[a, b], [b, c], [c, a]];
        if let Some((axis, _)) = facing(triangle) {
            edges.into_iter().for_each(|edge| cut(turns(axis, edge)));
            continue;
        }
        // A segment in any position: where it may cross, begin or end.
        for axis in 0..3 {
            edges.into_iter().for_each(|edge| cut(turns(axis, edge)));
        }
        for corner in [a, b, c] {
            cut(ends.each_ref().map(|end| &end[along] - &Dyadic::of(corner[along])));
        }
    }
    // By the weight of the end, relative to the sum.
    let order = |x: &[Dyadic; 2], y: &[Dyadic; 2]| {
        (&x[1] * &y[0]).partial_cmp(&(&y[1] * &x[0])).unwrap_or(std::cmp::Ordering::Equal)
    };
    cuts.sort_by(order);
    cuts.dedup_by(|x, y| order(x, y).is_eq());
    let between = |pair: &[[Dyadic; 2]]| {
        let weights = [0, 1].map(|k| &pair[0][k] + &pair[1][k]);
        ExactPoint::weighted(ends, &weights)
    };
    cuts.windows(2).map(between).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ray_passage::plane_side_of;
    use xcollide_fixtures::Random;

    /// The sides of all planes on which a point is; `None` if it is on one. Coplanar triangles: whether it is in them.
    fn sides(
        point: &ExactPoint,
        triangle: &[Point; 3],
        others: &[[Point; 3]],
    ) -> Option<Vec<Sign>> {
        let side = |other: &[Point; 3]| {
            let plane = TrianglePlane::new(other);
            if triangle.iter().all(|&corner| plane.side(corner).is_zero()) {
                return Some(if point.is_on_triangle(other) {
                    Sign::Positive
                } else {
                    Sign::Negative
                });
            }
            let side = plane_side_of(point, other);
            (!side.is_zero()).then_some(side)
        };
        others.iter().map(side).collect()
    }

    /// Every point of a triangle is in the part of one of those that are shown, and these are in the triangle and on no plane.
    #[test]
    fn every_part_has_its_point() {
        let mut random = Random::new(3);
        let mut parts = 0;
        for round in 0..600 {
            let reach = [2, 4][round % 2];
            let mut corner = || [(); 3].map(|()| random.integer(-reach, reach) as f64);
            let triangle = [corner(), corner(), corner()];
            if facing(&triangle).is_none() {
                continue;
            }
            let many = if round % 5 == 0 { 14 } else { 4 };
            let mut others: Vec<[Point; 3]> =
                (0..many).map(|_| [corner(), corner(), corner()]).collect();
            if round % 3 == 0 {
                // In the same plane: its sides moved and stretched.
                let [a, b, c] = triangle;
                let moved =
                    |p: Point, q: Point, f: f64| [0, 1, 2].map(|k| p[k] + f * (q[k] - p[k]));
                others.push([moved(a, b, 0.5), moved(b, c, 2.0), moved(c, a, 0.25)]);
            }
            // As in use: those that meet it.
            others.retain(|other| {
                facing(other).is_some() && crate::triangles_intersect(&triangle, other)
            });
            let (mut shown, mut parts_shown) = (Vec::new(), 0);
            let _ = triangle_cells(&triangle, &others, &mut |point| {
                assert!(point.is_on_triangle(&triangle));
                shown.extend(sides(point, &triangle, &others));
                assert!(others.len() > FEW || shown.len() == parts_shown + 1, "on a plane");
                parts_shown = shown.len();
                ControlFlow::Continue(())
            });
            parts += shown.len();
            for _ in 0..40 {
                let weights = [(); 3].map(|()| random.integer(1, 20) as f64);
                let point = ExactPoint::in_triangle(&triangle, weights).unwrap();
                let Some(found) = sides(&point, &triangle, &others) else { continue };
                // Many are divided first: a point then tells only of those that its part meets.
                if others.len() <= FEW {
                    assert!(shown.contains(&found), "{triangle:?} {others:?} {point:?}");
                }
            }
        }
        assert!(parts > 2000, "{parts}");
    }

    /// Between two points of a segment that are next to each other, what is on one side of a plane, or in a triangle of its
    /// plane, changes.
    #[test]
    fn points_of_a_segment_are_in_all_its_parts() {
        let mut random = Random::new(4);
        for _ in 0..400 {
            let mut corner = || [(); 3].map(|()| random.integer(-2, 2) as f64);
            let segment = [corner(), corner()];
            let triangles: Vec<[Point; 3]> =
                (0..4).map(|_| [corner(), corner(), corner()]).collect();
            let points = segment_cells(&segment, &triangles);
            assert_eq!(points.is_empty(), segment[0] == segment[1]);
            let is_on = |point: &ExactPoint| -> Vec<bool> {
                triangles.iter().map(|triangle| point.is_on_triangle(triangle)).collect()
            };
            let shown: Vec<Vec<bool>> = points.iter().map(is_on).collect();
            for weight in 1..40 {
                let weights = [Dyadic::of(f64::from(weight)), Dyadic::of(f64::from(41 - weight))];
                if points.is_empty() {
                    break;
                }
                let point = ExactPoint::weighted(&segment.map(vector), &weights);
                // In the inside of a part: its neighbours are on the same triangles.
                let near = [-1.0, 1.0].map(|step| {
                    let shift = step / 4096.0;
                    let weights = [f64::from(weight) + shift, f64::from(41 - weight) - shift];
                    is_on(&ExactPoint::weighted(&segment.map(vector), &weights.map(Dyadic::of)))
                });
                let here = is_on(&point);
                if near.iter().all(|near| *near == here) {
                    assert!(shown.contains(&here), "{segment:?} {triangles:?}");
                }
            }
        }
    }
}
