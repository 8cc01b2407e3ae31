//! How balls and ellipsoids lie to round solids: exact, by pencils of quadratic functions.
//!
//! Two ellipsoids f ≤ 0 and g ≤ 0 are apart if f + μg is positive everywhere for some μ ≥ 0, and have common inner points if there is
//! no μ for which it is nowhere negative ([`Pencil`]).
//!
//! A cylinder is a part of one without ends. The ellipsoid is first compared with the discs at the ends, in their planes. If it
//! reaches into none of them, all that it has in common with the endless cylinder is on one side of each. Let q = f + μg be positive in
//! the plane of the disc. That common part is where q ≤ 0, an ellipsoid that the plane does not meet; on which side it is
//! tells the pole of the plane, which is inside of it. A cone is compared with the ellipsoid in the same way, if that is below
//! the apex: between the planes of its base and through the apex are those points at which the product of both heights is positive.

use crate::exact::{Dyadic, Vector};
use crate::frustum::Frustum;
use crate::pencil::{Matrix, Pencil};
use crate::quadric::{Form, Quadric, linear, value, world};
use crate::round_solid::{Piece, RoundSolid};
use crate::{Sign, Solid, exact};

/// Positive if they are apart, zero if they touch, negative if their interiors meet.
pub(crate) fn ellipsoids_gap(one: &Quadric, other: &Quadric) -> Sign {
    Pencil::new(&one.matrix(), &other.matrix()).sign()
}

/// The same of a ball or an ellipsoid and a round solid; `None` where it is not decided: of a cone with an apex that is not above
/// the whole ellipsoid, nor in it.
pub(crate) fn ellipsoid_gap(body: &Quadric, round: &RoundSolid) -> Option<Sign> {
    match round.solid() {
        Solid::Cylinder { .. } => Some(frustum_gap(body, &round.frustum()?)),
        Solid::Cone { .. } => cone_gap(body, round),
        _ => Some(ellipsoids_gap(body, &round.quadric())),
    }
}

/// The same of a capsule by its ends and its radius: two balls, and a cylinder between them. `None` where it is not decided: of a
/// cylinder along another direction unless it meets the interior of an end, and of a cone.
pub(crate) fn capsule_gap(
    [low, high]: [&Vector; 2],
    radius: &Dyadic,
    round: &RoundSolid,
) -> Option<Sign> {
    let rod = Frustum::about([low, high], radius);
    let mut ends = Sign::Positive;
    for end in [low, high] {
        ends = ends.min(ellipsoid_gap(&Quadric::ball(end, radius), round)?);
        if ends.is_negative() {
            return Some(ends);
        }
    }
    let between = match round.solid() {
        Solid::Ellipsoid { .. } => frustum_gap(&round.quadric(), &rod),
        _ => rod.parallel_gap(&round.frustum()?)?,
    };
    Some(ends.min(between))
}

fn cone_gap(body: &Quadric, cone: &RoundSolid) -> Option<Sign> {
    let [_, below] = &cone.bounds()[..] else { return None };
    let least = |bound: &Form| Pencil::new(&linear(bound, &world()), &body.matrix()).sign();
    if !least(below).is_negative() {
        return Some(frustum_gap(body, &cone.frustum()?));
    }
    let of_apex = cone.pieces().into_iter().find_map(|piece| match piece {
        Piece::Point(apex) => Some(body.side(&apex)),
        _ => None,
    })?;
    if !least(&below.each_ref().map(|x| -x)).is_negative() {
        // On the plane through the apex, or above it.
        return Some(of_apex.max(Sign::Zero));
    }
    of_apex.is_negative().then_some(Sign::Negative)
}

/// Of an ellipsoid and a cylinder, or a cone with an apex that is not below any of its points.
pub(crate) fn frustum_gap(body: &Quadric, frustum: &Frustum) -> Sign {
    let (of_body, of_endless) = (body.matrix(), frustum.endless.matrix());
    let side = Pencil::new(&of_body, &of_endless).sign();
    if side.is_positive() {
        return Sign::Positive;
    }
    let (mut touches, mut is_between) = (false, true);
    for (columns, bound) in frustum.discs.iter().zip(&frustum.bounds) {
        let pencil = Pencil::new(&body.along(columns), &frustum.endless.along(columns));
        match pencil.sign() {
            Sign::Negative => return Sign::Negative,
            Sign::Zero => touches = true,
            Sign::Positive => {
                let Some(weights) = pencil.definite_at() else { continue };
                let pole = pole(&of_body, &of_endless, &weights, bound);
                let is_cone = frustum.discs.len() == 1;
                let other =
                    if is_cone { value(&frustum.bounds[1], &pole) } else { pole[3].clone() };
                is_between &= !(value(bound, &pole).sign() * other.sign()).is_negative();
            }
        }
    }
    match (touches, side) {
        (false, _) if is_between => side,
        (false, _) => Sign::Positive,
        (true, Sign::Zero) => Sign::Zero,
        // All that is inside of both is inside of a smaller ellipsoid and the endless solid, too. It does not touch the disc.
        (true, _) => {
            let mut part = Dyadic::of(0.5);
            loop {
                let smaller = body.shrunk(&part);
                let meets = Pencil::new(&smaller.matrix(), &of_endless).sign().is_negative();
                if meets {
                    return frustum_gap(&smaller, frustum).min(Sign::Zero);
                }
                part = part.times_power(-1);
            }
        }
    }
}

/// The pole of a plane for a sum of two quadratic functions with weights: homogeneous.
fn pole(f: &Matrix, g: &Matrix, [of_f, of_g]: &[Dyadic; 2], plane: &Form) -> Form {
    let entry = |i: usize, j: usize| &(&f[i][j] * of_f) + &(&g[i][j] * of_g);
    let cofactor = |i: usize, j: usize| {
        let row = |k: usize| -> Vector {
            let mut columns = (0..4).filter(|&column| column != j);
            [(); 3].map(|()| entry(k, columns.next().unwrap_or(0)))
        };
        let mut rows = (0..4).filter(|&k| k != i).map(row);
        let mut next = || rows.next().unwrap_or_else(|| row(0));
        let (a, b, c) = (next(), next(), next());
        let minor = exact::dot(&a, &exact::cross(&b, &c));
        if (i + j).is_multiple_of(2) { minor } else { -&minor }
    };
    [0, 1, 2, 3]
        .map(|i| (0..4).fold(Dyadic::of(0.0), |sum, j| &sum + &(&cofactor(j, i) * &plane[j])))
}
