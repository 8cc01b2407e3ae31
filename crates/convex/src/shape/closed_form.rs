//! The nearest points of cores by formulas: of a point and most cores, of two segments; and an estimate for two boxes.
//!
//! The points are in the cores. As in any search, the gap along the line between them proves that none are nearer. So no
//! proof depends on the formulas, and where they lose digits, as for nearly parallel segments, the search continues.

use super::placed::PlacedShape;
use super::{Core, Shape};
use xcollide_math::vector::{add, cross, dot, scale, sub};

/// The point of a core that is nearest to a point, up to rounding, as if the matrix were a rotation. `None` without a
/// formula.
#[inline(always)]
pub(super) fn nearest_in<S: Shape + ?Sized>(
    placed: &PlacedShape<'_, S>,
    point: [f64; 3],
) -> Option<[f64; 3]> {
    let core = placed.core;
    if core == Core::Point {
        return Some(placed.center());
    }
    let [x, y, z] = placed.local(point);
    let across = || (x * x + y * y).sqrt();
    let local = match core {
        Core::Segment { half } => [0.0, 0.0, z.clamp(-half, half)],
        Core::Cuboid { half: [a, b, c] } => [x.clamp(-a, a), y.clamp(-b, b), z.clamp(-c, c)],
        Core::Cylinder { half, radius } => {
            let across = across();
            let factor = if across > radius { radius / across } else { 1.0 };
            [x * factor, y * factor, z.clamp(-half, half)]
        }
        Core::Cone { half, radius } => {
            let (across, below) = (across(), half - z);
            let height = 2.0 * half;
            let (to, high) = if height * across > radius * below {
                // Beyond the side: along it from the apex.
                let along = radius * across + height * below;
                let part = (along / (radius * radius + height * height)).clamp(0.0, 1.0);
                (radius * part, half - height * part)
            } else {
                (across.min(radius), z.max(-half))
            };
            let factor = if across > 0.0 { to / across } else { 1.0 };
            [x * factor, y * factor, high]
        }
        _ => return None,
    };
    Some(placed.moved(local))
}

/// The nearest points of two segments, up to rounding. `None` if the cores are others.
#[inline(always)]
pub(super) fn segments<A, B>(
    a: &PlacedShape<'_, A>,
    b: &PlacedShape<'_, B>,
) -> Option<[[f64; 3]; 2]>
where
    A: Shape + ?Sized,
    B: Shape + ?Sized,
{
    let (Core::Segment { half: of_a }, Core::Segment { half: of_b }) = (a.core, b.core) else {
        return None;
    };
    Some(on_segments([a.center(), b.center()], [a.axis(), b.axis()], [of_a, of_b]))
}

/// The estimate for a pair of boxes.
pub(crate) enum Boxes {
    /// A direction with a gap, up to rounding.
    Gap([f64; 3]),
    /// Points of the shrunk cores that are near to each other, perhaps equal.
    Near([[f64; 3]; 2]),
}

/// How often a point is moved into one box and then into the other.
const ROUNDS: usize = 4;

/// The widest gap of two boxes along the 15 axes that can have one (Gottschalk and others 1996, 4); without a gap, points
/// of both shrunk boxes, moved towards each other. `None` if not both cores are boxes.
pub(crate) fn boxes<A, B>(
    a: &PlacedShape<'_, A>,
    b: &PlacedShape<'_, B>,
    factors: [f64; 2],
) -> Option<Boxes>
where
    A: Shape + ?Sized,
    B: Shape + ?Sized,
{
    let (Core::Cuboid { half: of_a }, Core::Cuboid { half: of_b }) = (a.core, b.core) else {
        return None;
    };
    let between = sub(b.center(), a.center());
    if let Some(direction) = widest_gap(a.rotation(), b.rotation(), between, of_a, of_b) {
        return Some(Boxes::Gap(direction));
    }
    let halves = [scale(of_a, 1.0 - factors[0]), scale(of_b, 1.0 - factors[1])];
    let mut q = b.center();
    let mut p = in_box(a, halves[0], q);
    for _ in 0..ROUNDS {
        q = in_box(b, halves[1], p);
        // A point that is in both does not move, up to rounding.
        let next = in_box(a, halves[0], q);
        if next == p {
            break;
        }
        p = next;
    }
    Some(Boxes::Near([p, q]))
}

/// The axis of two boxes, or cross product of axes, of any length, with the widest gap; `None` without a gap. The axes
/// are the columns of the matrices.
fn widest_gap(
    a: &[[f64; 3]; 3],
    b: &[[f64; 3]; 3],
    between: [f64; 3],
    half_a: [f64; 3],
    half_b: [f64; 3],
) -> Option<[f64; 3]> {
    /// Cross products with a smaller squared length are skipped.
    const PARALLEL: f64 = 1e-6;
    let column = |of: &[[f64; 3]; 3], k: usize| [of[0][k], of[1][k], of[2][k]];
    let axes_a = [0, 1, 2].map(|k| column(a, k));
    let axes_b = [0, 1, 2].map(|k| column(b, k));
    let turns = axes_a.map(|of_a| axes_b.map(|of_b| dot(of_a, of_b)));
    let of_a = axes_a.map(|axis| dot(axis, between));
    let of_b = axes_b.map(|axis| dot(axis, between));
    let mut widest = 0.0;
    let mut found = None;
    for i in 0..3 {
        let reach = half_a[i] + (0..3).map(|j| half_b[j] * turns[i][j].abs()).sum::<f64>();
        let gap = of_a[i].abs() - reach;
        if gap > widest {
            (widest, found) = (gap, Some(scale(axes_a[i], of_a[i].signum())));
        }
        let reach = half_b[i] + (0..3).map(|j| half_a[j] * turns[j][i].abs()).sum::<f64>();
        let gap = of_b[i].abs() - reach;
        if gap > widest {
            (widest, found) = (gap, Some(scale(axes_b[i], of_b[i].signum())));
        }
    }
    if found.is_some() {
        return found;
    }
    for i in 0..3 {
        let [i1, i2] = [(i + 1) % 3, (i + 2) % 3];
        for j in 0..3 {
            let square = 1.0 - turns[i][j] * turns[i][j];
            if square < PARALLEL {
                continue;
            }
            let [j1, j2] = [(j + 1) % 3, (j + 2) % 3];
            // Along aᵢ × bⱼ.
            let along = of_a[i2] * turns[i1][j] - of_a[i1] * turns[i2][j];
            let reach = half_a[i1] * turns[i2][j].abs()
                + half_a[i2] * turns[i1][j].abs()
                + half_b[j1] * turns[i][j2].abs()
                + half_b[j2] * turns[i][j1].abs();
            let gap = along.abs() - reach;
            if gap > 0.0 && gap * gap > widest * widest * square {
                widest = gap / square.sqrt();
                let axis = cross(axes_a[i], axes_b[j]);
                found = Some(scale(axis, dot(axis, between).signum()));
            }
        }
    }
    found
}

/// The point of a box that is nearest to a point.
#[inline(always)]
fn in_box<S: Shape + ?Sized>(
    placed: &PlacedShape<'_, S>,
    half: [f64; 3],
    point: [f64; 3],
) -> [f64; 3] {
    let ([x, y, z], [a, b, c]) = (placed.local(point), half);
    placed.moved([x.clamp(-a, a), y.clamp(-b, b), z.clamp(-c, c)])
}

/// The nearest points of two segments: those of the lines, moved into one segment, then into the other.
#[inline(always)]
fn on_segments(centers: [[f64; 3]; 2], axes: [[f64; 3]; 2], half: [f64; 2]) -> [[f64; 3]; 2] {
    let line = sub(centers[1], centers[0]);
    let [of_a, of_b] = axes.map(|axis| dot(axis, axis));
    let both = dot(axes[0], axes[1]);
    let [a, b] = axes.map(|axis| dot(axis, line));
    // The squared sine; on parallels any point of the first will do.
    let turn = of_a * of_b - both * both;
    let start = if turn > 0.0 { (a * of_b - b * both) / turn } else { 0.0 };
    let start = start.clamp(-half[0], half[0]);
    let on_b = ((start * both - b) / of_b).clamp(-half[1], half[1]);
    let on_a = ((a + on_b * both) / of_a).clamp(-half[0], half[0]);
    [add(centers[0], scale(axes[0], on_a)), add(centers[1], scale(axes[1], on_b))]
}
