//! How polytopes with a radius lie to cylinders, cones and ellipsoids: exact.
//!
//! All points at most a radius away from a polytope are those of the polytope itself, of balls about its corners, of cylinders about its
//! edges, and of prisms on both sides of its triangles. If a body reaches into none of the others, what it has in common with a prism
//! contains that point of the body which is lowest above the triangle.
//!
//! A disc is in a polytope with a radius if all of its rim is. Where the rim leaves a part, a polynomial along it is zero.

use crate::Sign;
use crate::circle::{Quarter, is_covered, quadratic};
use crate::ellipsoid_contact::{cylinder_gap, ellipsoid_gap};
use crate::exact::{Dyadic, Vector, cross, dot, minus};
use crate::frusta_contact::frusta_gap;
use crate::frustum::Frustum;
use crate::moved_solid::less_root;
use crate::moving::polynomial::Polynomial;
use crate::parting_plane::{RoundedSolid, is_parted, less_roots};
use crate::quadric::{Form, Quadric, form, value};
use crate::round_solid::{Lowest, RoundSolid};
use crate::rounded_hull::RoundedHull;
use crate::surd::Surd;

/// Positive if they are apart, zero if they touch, negative if their interiors meet. The radius is not zero.
pub(crate) fn rounded_gap(hull: &RoundedHull, round: &RoundSolid) -> Sign {
    if !hull.round_gap(round).is_positive() {
        return Sign::Negative;
    }
    let radius = hull.radius();
    let (mut least, frustum) = (Sign::Positive, round.frustum());
    let about = RoundedSolid::of(round);
    let is_apart = |points: &[&Vector]| is_parted(round, &about, points, radius);
    for corner in hull.corners_within(round).filter(|corner| !is_apart(&[corner])) {
        least = least.min(ellipsoid_gap(&Quadric::ball(corner, radius), round));
        if least.is_negative() {
            return least;
        }
    }
    for ends in hull.edges_within(round).filter(|ends| !is_apart(ends)) {
        let rod = Frustum::about(ends, radius);
        least = least.min(match &frustum {
            Some(frustum) => frusta_gap(&rod, frustum),
            None => cylinder_gap(&round.quadric(), &rod),
        });
        if least.is_negative() {
            return least;
        }
    }
    for triangle in hull.triangles() {
        least = least.min(prism_gap(&triangle, radius, round));
        if least.is_negative() {
            break;
        }
    }
    least
}

/// Whether all of a disc is at most the radius away from the polytope.
pub(crate) fn holds_disc(hull: &RoundedHull, disc: &[Form; 3]) -> bool {
    let radius = hull.radius();
    let constant = |x: &Dyadic| [Dyadic::of(0.0), Dyadic::of(0.0), Dyadic::of(0.0), radius * x];
    let mut parts: Vec<(Vec<Form>, Quadric)> = Vec::new();
    if !hull.planes().is_empty() {
        parts.push((hull.planes().to_vec(), Quadric { squares: Vec::new(), widths: Vec::new() }));
    }
    parts.extend(hull.corners().iter().map(|corner| (Vec::new(), Quadric::ball(corner, radius))));
    parts.extend(hull.edges().map(|ends| {
        let rod = Frustum::about(ends, radius);
        (rod.bounds.to_vec(), rod.endless)
    }));
    for triangle in hull.triangles() {
        let normal = normal_of(&triangle);
        if !dot(&normal, &normal).sign().is_zero() {
            let squares = vec![form(&normal, &triangle[0])];
            let widths = normal.iter().map(constant).collect();
            let sides = sides_of(&triangle, &normal).to_vec();
            parts.push((sides, Quadric { squares, widths }));
        }
    }
    Quarter::all(disc).iter().all(|quarter| {
        let conditions = |(bounds, quadric): &(Vec<Form>, Quadric)| -> Vec<Polynomial> {
            let inside = -quadratic(&quadric.along(quarter.columns()));
            bounds.iter().map(|bound| quarter.linear(bound)).chain([inside]).collect()
        };
        is_covered(&parts.iter().map(conditions).collect::<Vec<_>>())
    })
}

fn normal_of([p, q, r]: &[Vector; 3]) -> Vector {
    cross(&minus(q, p), &minus(r, p))
}

/// What is not negative on the inner side of each edge of a triangle.
fn sides_of([p, q, r]: &[Vector; 3], normal: &Vector) -> [Form; 3] {
    [[p, q], [q, r], [r, p]].map(|[from, to]| form(&cross(normal, &minus(to, from)), from))
}

/// Of what is over the inside of a triangle, on both sides, and a body that is at most touched by the other parts.
fn prism_gap(triangle: &[Vector; 3], radius: &Dyadic, round: &RoundSolid) -> Sign {
    let normal = normal_of(triangle);
    let square = dot(&normal, &normal);
    let mut least = Sign::Positive;
    if square.sign().is_zero() {
        return least;
    }
    let sides = sides_of(triangle, &normal);
    for normal in [normal.clone(), normal.each_ref().map(|x| -x)] {
        let lowest = round.lowest(&normal);
        let height = value(&form(&normal, &triangle[0]), &lowest.center);
        let is_over = sides.iter().all(|[x, y, z, w]| {
            let direction = [x.clone(), y.clone(), z.clone()];
            let of_center = value(&[x.clone(), y.clone(), z.clone(), w.clone()], &lowest.center);
            let Lowest { across, square, .. } = &lowest;
            let sign = if square.sign().is_zero() {
                of_center.sign()
            } else {
                Surd([-&dot(&direction, across), of_center]).sign(square)
            };
            !sign.is_negative()
        });
        if is_over && less_root(&height, &lowest.square).is_positive() {
            let reach = &radius.squared() * &square;
            least = least.min(less_roots(&height, &lowest.square, &reach));
        }
    }
    least
}
