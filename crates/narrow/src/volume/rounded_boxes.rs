//! The volume that boxes with a radius have in common, capsules among them, where they are along the same axes and differ in one of
//! these only, or little in the others.
//!
//! For convex sets whose union is convex, (A ∩ B) + K is (A + K) ∩ (B + K) for all convex K. So two capsules along one axis have the
//! capsule about the common part of their segments in common, and boxes with a radius the box about the common part of their cores if
//! these are as wide and as high as each other. Where they are not, the volume is between that of the common part, and that of
//! cores that are made as wide and as high. The volume of a box with a radius is Steiner's polynomial. Where boxes of one size are
//! moved a little, or a little across the axis along which they differ, the volume that this costs is known up to its square.

use std::f64::consts::PI;

use xcollide_bounds::Aabb;
use xcollide_math::vector::{length, sub, unit};
use xcollide_predicates::Point;

use super::number::{Double, Number, dot, doubles, rounded};
use super::seen::{Seen, ends, longest, size};
use super::{OverlapVolume, WIDTH};
use crate::{Formula, Pose};

/// A body at a pose in the frame of another one; `None` if one has no radius or is no box, or they are not along the same axes.
pub(super) fn volume(bodies: [(&Formula, &Pose); 2]) -> Option<OverlapVolume> {
    let [(formula, pose), (other, from)] = bodies;
    let radii = [formula.shape()?.radius(), other.shape()?.radius()];
    if !radii.iter().all(|radius| *radius > 0.0) {
        return None;
    }
    let (of_other, off_other) = box_of(&ends(other)?)?;
    let seen = Seen::new(formula, pose, from)?;
    let centers: Vec<Point> = seen.parts.iter().map(|part| rounded(&part.center)).collect();
    let (of_body, off) = box_of(&centers)?;
    // How far the matrix is from a rotation, which changes lengths.
    let rows = from.rotation().map(doubles);
    let products = (0..9).map(|k| dot(&rows[k / 3], &rows[k % 3]));
    let one = |k: usize| Double::of(if k.is_multiple_of(4) { 1.0 } else { 0.0 });
    let drift: f64 = products.enumerate().map(|(k, product)| size(&product.sub(&one(k)))).sum();
    let place = longest(&seen.parts.first()?.center);
    let error = off + off_other + (8.0 * f64::EPSILON + drift) * (place + length(of_body.size()));
    let error = error + drift * (radii[0] + radii[1]);
    let (low, high) = (radii[0].min(radii[1]), radii[0].max(radii[1]));
    if error + drift * low > 0.01 * WIDTH * low {
        return None;
    }
    let pair = Cores { boxes: [of_body, of_other], radii: [(low - error).max(0.0), high + error] };
    let mut bounds = pair.bounds()?;
    for tighter in [pair.nearly_same(), pair.along_one_axis()].into_iter().flatten() {
        bounds = [bounds[0].max(tighter[0]), bounds[1].min(tighter[1])];
    }
    let [at_least, at_most] = [bounds[0] * (1.0 - 0.02 * WIDTH), bounds[1] * (1.0 + 0.02 * WIDTH)];
    debug_assert!(at_least <= at_most, "{bodies:?}: {bounds:?}");
    Some(OverlapVolume { at_least, at_most: at_most.max(at_least) })
}

/// Two cores along the axes, and the least and the greatest radius about them.
struct Cores {
    boxes: [Aabb; 2],
    radii: [f64; 2],
}

impl Cores {
    /// The common part of the cores, which is negative along an axis where they do not meet.
    fn common(&self) -> [f64; 3] {
        let [a, b] = &self.boxes;
        [0, 1, 2].map(|k| a.max[k].min(b.max[k]) - a.min[k].max(b.min[k]))
    }

    /// The axis along which the cores differ most.
    fn along(&self) -> usize {
        let ([a, b], common) = (&self.boxes, self.common());
        let all = a.merged(b).size();
        let differ = |k: usize| all[k] - common[k];
        (1..3).fold(0, |best, k| if differ(k) > differ(best) { k } else { best })
    }

    /// For any two cores; `None` if they do not meet along the axis.
    fn bounds(&self) -> Option<[f64; 2]> {
        let ([a, b], common, along) = (&self.boxes, self.common(), self.along());
        if common[along] < 0.0 {
            return None;
        }
        // Cores without extent that do not meet are moved until they do.
        let gap = length(common.map(|length| (-length).max(0.0)));
        let least = (self.radii[0] - gap).max(0.0);
        let all = a.merged(b).size();
        let widest = [0, 1, 2].map(|k| if k == along { common[k] } else { all[k] });
        Some([steiner(common.map(|length| length.max(0.0)), least), steiner(widest, self.radii[1])])
    }

    /// The lesser and the greater size along each axis, and how far the center of the second is from that of the first.
    fn sizes(&self) -> ([[f64; 3]; 2], [f64; 3]) {
        let [a, b] = self.boxes.each_ref().map(Aabb::size);
        let between = sub(self.boxes[1].center(), self.boxes[0].center());
        ([[0, 1, 2].map(|k| a[k].min(b[k])), [0, 1, 2].map(|k| a[k].max(b[k]))], between)
    }

    /// For two bodies of one size, and a shift that is small: each line along it loses the length of the shift at most. As seen along it,
    /// a box with a radius is a hexagon with a radius.
    fn nearly_same(&self) -> Option<[f64; 2]> {
        let (sizes, shift) = self.sizes();
        let way = unit(shift)?;
        let seen = |side: usize| {
            let ([a, b, c], [x, y, z]) = (sizes[side], way.map(f64::abs));
            let r = self.radii[side];
            // Not from 1 less a square, which would be rounded away.
            let across = |p: f64, q: f64| (p * p + q * q).sqrt();
            let outline = 2.0 * (a * across(y, z) + b * across(z, x) + c * across(x, y));
            b * c * x + c * a * y + a * b * z + r * outline + PI * r * r
        };
        let volumes = [0, 1].map(|side| steiner(sizes[side], self.radii[side]));
        Some(moved(volumes, [seen(0), seen(1)], length(shift)))
    }

    /// For two bodies that differ along one axis, and are moved a little across it. Along the common length lines along the shift
    /// lose its length t. Beyond it, at a distance d, the section of the one is that of the other without a margin of d²/2r at
    /// least: lines there lose nothing from √(2rt) on, and a third less than t in the mean before. If the ends are nearer to each other, only
    /// the upper bound is known.
    fn along_one_axis(&self) -> Option<[f64; 2]> {
        let (mut sizes, mut shift) = self.sizes();
        let ([a, b], along) = (&self.boxes, self.along());
        shift[along] = 0.0;
        let way = unit(shift)?;
        let strip = (2.0 * self.radii[1] * length(shift)).sqrt();
        let ends = [a.min[along] - b.min[along], a.max[along] - b.max[along]];
        let are_far = ends.iter().all(|between| between.abs() >= strip);
        let strips = if are_far { 4.0 / 3.0 * strip } else { f64::INFINITY };
        for sizes in &mut sizes {
            sizes[along] = self.common()[along];
        }
        let (i, j) = ((along + 1) % 3, (along + 2) % 3);
        // As seen along the shift.
        let wide = |side: usize| {
            let size = sizes[side];
            size[i] * way[j].abs() + size[j] * way[i].abs() + 2.0 * self.radii[side]
        };
        let areas = [wide(0) * sizes[0][along], wide(1) * (sizes[1][along] + strips)];
        let volumes = [0, 1].map(|side| steiner(sizes[side], self.radii[side]));
        Some(moved(volumes, areas, length(shift)))
    }
}

/// Bounds of the volume that two convex bodies have in common, by bounds of this without a shift and of the area, as seen along the
/// shift, of the lines that lose its length.
///
/// The third root of the volume is a concave function of the shift (Brunn and Minkowski), so it is below the tangent at no shift.
fn moved(volumes: [f64; 2], areas: [f64; 2], shift: f64) -> [f64; 2] {
    let part = (1.0 - shift * areas[0] / (3.0 * volumes[1])).max(0.0);
    [(volumes[0] - shift * areas[1]).max(0.0), volumes[1] * part * part * part]
}

/// A box whose corners are these points, each at least once, up to a distance; `None` if it is no box.
fn box_of(points: &[Point]) -> Option<(Aabb, f64)> {
    let bounds = Aabb::from_points(points.iter().copied());
    let corner = |i: usize| -> Point {
        [0, 1, 2].map(|k| if i >> k & 1 == 0 { bounds.min[k] } else { bounds.max[k] })
    };
    let distance = |p: Point, q: Point| length([0, 1, 2].map(|k| p[k] - q[k]));
    let least = |distances: &mut dyn Iterator<Item = f64>| distances.fold(f64::INFINITY, f64::min);
    let of_points = points.iter().map(|&p| least(&mut (0..8).map(|i| distance(p, corner(i)))));
    let of_corners = (0..8).map(|i| least(&mut points.iter().map(|&p| distance(p, corner(i)))));
    let off = of_points.chain(of_corners).fold(0.0, f64::max);
    (off < WIDTH * (1.0 + length(bounds.size()))).then_some((bounds, off))
}

/// The volume of all points that are at most a radius from a box.
fn steiner([a, b, c]: [f64; 3], radius: f64) -> f64 {
    let ball = 4.0 / 3.0 * PI * radius * radius * radius;
    a * b * c + 2.0 * radius * (a * b + b * c + c * a) + PI * radius * radius * (a + b + c) + ball
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Model;
    use xcollide_convex::Polytope;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    const HALF: [f64; 3] = [0.5, 0.75, 1.0];
    const RADIUS: f64 = 0.25;

    /// The volume that two such boxes at a distance have in common, by midpoints of lines along y in sections across x.
    fn by_lines(shift: [f64; 3]) -> f64 {
        const LINES: u32 = 1000;
        // How far a box reaches along an axis, where it is so far aside along others.
        let reach = |along: usize, aside: &[(usize, f64)]| {
            let beyond = |(k, x): &(usize, f64)| (x.abs() - HALF[*k]).max(0.0).powi(2);
            let square = RADIUS * RADIUS - aside.iter().map(beyond).sum::<f64>();
            HALF[along] + square.max(0.0).sqrt()
        };
        let common = |along: usize, aside: &[(usize, f64)]| {
            let moved: Vec<_> = aside.iter().map(|&(k, x)| (k, x - shift[k])).collect();
            let (one, other) = (reach(along, aside), reach(along, &moved));
            [(-one).max(shift[along] - other), one.min(shift[along] + other)]
        };
        // By sines, as roots are steep at the ends.
        let middles = |[low, high]: [f64; 2]| {
            let (middle, half) = (0.5 * (low + high), 0.5 * (high - low).max(0.0));
            (0..LINES).map(move |i| {
                let angle = PI * ((f64::from(i) + 0.5) / f64::from(LINES) - 0.5);
                let step = half * libm::cos(angle) * PI / f64::from(LINES);
                (middle + half * libm::sin(angle), step)
            })
        };
        let section = |x: f64| -> f64 {
            let line = |(z, step): (f64, f64)| {
                let [low, high] = common(1, &[(0, x), (2, z)]);
                (high - low).max(0.0) * step
            };
            middles(common(2, &[(0, x)])).map(line).sum()
        };
        middles(common(0, &[])).map(|(x, step)| section(x) * step).sum()
    }

    fn rounded_box() -> Result<Model, Box<dyn std::error::Error>> {
        let (corners, faces) = xcollide_fixtures::cube();
        let corners = corners.map(|p| [0, 1, 2].map(|k| (2.0 * p[k] - 1.0) * HALF[k]));
        let core = Polytope::new(corners.to_vec(), faces)?;
        Ok(Model::from_formula(Formula::rounded(Arc::new(core), RADIUS)?))
    }

    #[test]
    fn bounds_of_moved_boxes_contain_sums_over_lines() -> Outcome {
        let model = rounded_box()?;
        let formula = model.formula().ok_or("no formula")?;
        // Moved little along all axes, and along one axis much more than across it.
        let little = [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [0.48, -0.64, 0.6]];
        let little = little.map(|way| way.map(|x| 2e-3 * x));
        let across = [[0.5, 1e-3, 0.0], [0.25, -6e-4, 8e-4], [1e-3, 0.5, 1e-3], [0.0, 1e-3, -0.75]];
        for shift in little.into_iter().chain(across) {
            let pose = Pose::from_translation(shift);
            let found = volume([(formula, &pose), (formula, &Pose::IDENTITY)]).ok_or("refused")?;
            let sum = by_lines(shift);
            let width = found.at_most - found.at_least;
            assert!(width > 1e-12 && width < 2e-4 * sum, "{shift:?} {found:?}");
            assert!(
                found.at_least - 2e-5 < sum && sum < found.at_most + 2e-5,
                "{shift:?} {found:?} {sum}"
            );
        }
        Ok(())
    }

    /// From shifts that are hardly seen to large ones, along all axes.
    #[test]
    fn bounds_of_moved_boxes_do_not_cross() -> Outcome {
        let model = rounded_box()?;
        let formula = model.formula().ok_or("no formula")?;
        let shifts = [0.0, 1e-15, -1e-12, 1e-9, -1e-6, 1e-3, -0.25, 0.75];
        let mut narrow = 0;
        for number in 0..8 * 8 * 8 {
            let shift = [0, 3, 6].map(|place| shifts[number >> place & 7]);
            let pose = Pose::from_translation(shift);
            let found = volume([(formula, &pose), (formula, &Pose::IDENTITY)]).ok_or("refused")?;
            // Each bound is rounded outward by 2e-11.
            assert!(found.at_least * (1.0 + 3.9e-11) <= found.at_most, "{shift:?} {found:?}");
            let mut sizes = shift.map(f64::abs);
            sizes.sort_by(f64::total_cmp);
            let is_narrow = found.is_narrow(WIDTH);
            assert!(is_narrow || length([sizes[0], sizes[1], 0.0]) > 1e-6, "{shift:?} {found:?}");
            narrow += i32::from(is_narrow);
        }
        assert!(narrow > 200, "{narrow}");
        // Where the ends along the axis are near to each other.
        for along in [1e-5, 3e-5, 1e-4, 3e-4] {
            let pose = Pose::from_translation([along, -6e-7, 8e-7]);
            let found = volume([(formula, &pose), (formula, &Pose::IDENTITY)]).ok_or("refused")?;
            let part = if along > 1e-5 { 1e-8 } else { WIDTH };
            assert!(found.is_narrow(part), "{along} {found:?}");
        }
        Ok(())
    }
}
