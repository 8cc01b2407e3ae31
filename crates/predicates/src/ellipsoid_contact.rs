//! How balls and ellipsoids lie to round solids: exact, by pencils of quadratic functions.
//!
//! Two ellipsoids f ≤ 0 and g ≤ 0 are apart if f + μg is positive everywhere for some μ ≥ 0, and have common inner points if there is
//! no μ for which it is nowhere negative ([`Pencil`]).
//!
//! A cylinder is a part of one without ends. The ellipsoid is first compared with the discs at the ends, in their planes. If it
//! reaches into none of them, all that it has in common with the endless cylinder is on one side of each. Let q = f + μg be positive in
//! the plane of the disc. That common part is where q ≤ 0, an ellipsoid that the plane does not meet; on which side it is
//! tells the pole of the plane, which is inside of it.
//!
//! A cone consists of the lines from its apex to its rim, of its base, and of what is inside. Such a line meets an ellipsoid if
//! a polynomial of degree two along it has a zero, which is a question about polynomials along the rim (`circle.rs`).

use crate::circle::{Quarter, common_sign, quadratic};
use crate::exact::{Dyadic, Vector};
use crate::frustum::Frustum;
use crate::pencil::{Matrix, Pencil};
use crate::quadric::{Form, Quadric, value};
use crate::round_solid::{Piece, RoundSolid};
use crate::{Sign, Solid, exact};

/// Positive if they are apart, zero if they touch, negative if their interiors meet.
pub(crate) fn ellipsoids_gap(one: &Quadric, other: &Quadric) -> Sign {
    Pencil::new(&one.matrix(), &other.matrix()).sign()
}

/// The same of a ball or an ellipsoid and a round solid.
pub(crate) fn ellipsoid_gap(body: &Quadric, round: &RoundSolid) -> Sign {
    match (round.solid(), round.frustum()) {
        (Solid::Cylinder { .. }, Some(cylinder)) => cylinder_gap(body, &cylinder),
        (Solid::Cone { .. }, Some(cone)) => cone_gap(body, &cone),
        _ => ellipsoids_gap(body, &round.quadric()),
    }
}

/// Of an ellipsoid and a cone.
fn cone_gap(body: &Quadric, cone: &Frustum) -> Sign {
    let (apex, disc) = (&cone.vertex, &cone.discs[0]);
    let (of_apex, polar) = (body.product(apex, apex), body.polar(apex));
    match of_apex.sign() {
        Sign::Negative => return Sign::Negative,
        // All of the cone may be beyond the tangent plane.
        Sign::Zero if Piece::Disc(Box::new(disc.clone())).is_above(&polar) => return Sign::Zero,
        Sign::Zero => return Sign::Negative,
        Sign::Positive => {}
    }
    let mut least = Pencil::new(&body.along(disc), &cone.endless.along(disc)).sign();
    for quarter in Quarter::all(disc) {
        // On the line from the apex to a point p of the rim, the function is of_apex + 2s polar(p) + s² body(p).
        let heights = quarter.columns().each_ref().map(|column| value(&polar, column));
        let of_rim = body.along(quarter.columns());
        let entry = |i: usize, j: usize| &(&heights[i] * &heights[j]) - &(&of_apex * &of_rim[i][j]);
        let discriminant = (0..3).map(|i| (0..3).map(|j| entry(i, j)).collect()).collect();
        let at_rim = common_sign(&[-quadratic(&of_rim)]);
        let before = [quarter.linear(&polar.each_ref().map(|x| -x)), quadratic(&discriminant)];
        least = least.min(at_rim).min(common_sign(&before));
        if least.is_negative() {
            return least;
        }
    }
    let infinity = [0.0, 0.0, 0.0, 1.0].map(Dyadic::of);
    let center = pole(&body.matrix(), &infinity);
    if cone.side(&center).is_negative() { Sign::Negative } else { least }
}

/// Of an ellipsoid and a cylinder.
pub(crate) fn cylinder_gap(body: &Quadric, frustum: &Frustum) -> Sign {
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
                let Some([of_f, of_g]) = pencil.definite_at() else { continue };
                let entry =
                    |i: usize, j: usize| &(&of_body[i][j] * &of_f) + &(&of_endless[i][j] * &of_g);
                let sum = (0..4).map(|i| (0..4).map(|j| entry(i, j)).collect()).collect();
                let pole = pole(&sum, bound);
                is_between &= !(value(bound, &pole).sign() * pole[3].sign()).is_negative();
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
                    return cylinder_gap(&smaller, frustum).min(Sign::Zero);
                }
                part = part.times_power(-1);
            }
        }
    }
}

/// The pole of a plane for a quadratic function: homogeneous. That of the plane at infinity is the center of an ellipsoid.
fn pole(matrix: &Matrix, plane: &Form) -> Form {
    let cofactor = |i: usize, j: usize| {
        let row = |k: usize| -> Vector {
            let mut columns = (0..4).filter(|&column| column != j);
            [(); 3].map(|()| matrix[k][columns.next().unwrap_or(0)].clone())
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
