//! Two cylinders along different coordinate axes.
//!
//! Let one be along z and the other along x. What both have in common at a level y is the product of three intervals: x is within
//! the second one's half length and within a chord of the first one's circle, and so on. The nearest places along x and z leave numbers P and Q
//! of the squared radii, so that both are cut by the levels within √P of the one's axis and within √Q of the other's.

use crate::exact::Dyadic;
use crate::moved_solid::less_root;
use crate::{MovedSolid, Sign, Solid};

/// Positive if they are apart, zero if they touch, negative if their interiors meet. `None` for other solids, along the same axis, and
/// where a matrix does more than exchange axes and turn them round.
pub(crate) fn crossed_cylinders_gap(one: &MovedSolid, other: &MovedSolid) -> Option<Sign> {
    let ((i, half, radius), (j, other_half, other_radius)) = (along(one)?, along(other)?);
    let level = (0..3).find(|k| *k != i && *k != j).filter(|_| i != j)?;
    let line = |k: usize| {
        let line = &Dyadic::of(one.translation[k]) - &Dyadic::of(other.translation[k]);
        if line.sign().is_negative() { -&line } else { line }
    };
    let left = |radius: f64, axis: usize, half: f64| {
        let beyond = &line(axis) - &Dyadic::of(half);
        let square = Dyadic::of(radius).squared();
        if beyond.sign().is_positive() { &square - &beyond.squared() } else { square }
    };
    let (p, q) = (left(radius, j, other_half), left(other_radius, i, half));
    let least = p.sign().min(q.sign());
    if least.is_negative() {
        return Some(Sign::Positive);
    }
    // |line| compared with √P + √Q, squared.
    let rest = &(&line(level).squared() - &p) - &q;
    let gap = less_root(&rest, &(&p * &q).times_power(2));
    Some(if gap.is_negative() && least.is_zero() { Sign::Zero } else { gap })
}

/// The axis, half the height and the radius of a cylinder along a coordinate axis.
fn along(moved: &MovedSolid) -> Option<(usize, f64, f64)> {
    let Solid::Cylinder { half, radius } = moved.solid else { return None };
    let is_unit = |row: &[f64; 3]| {
        row.iter().filter(|x| **x == 0.0).count() == 2
            && row.iter().all(|x| x.abs() <= 1.0 && x.fract() == 0.0)
    };
    let axis = moved.matrix.iter().position(|row| row[2] != 0.0)?;
    moved.matrix.iter().all(is_unit).then_some((axis, half, radius))
}
