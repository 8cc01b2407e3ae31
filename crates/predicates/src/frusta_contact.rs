//! How cylinders and cones lie to each other: exact.
//!
//! They are parts of endless ones, C and D, between planes. Either an end of the one meets the other one, or all that C and D have in
//! common is on one side of each plane; then one point of it decides.
//!
//! *Ends.* A disc meets a body if its rim does, or if the section of the body with its plane is inside of the disc. A section
//! without a point of the body's own rims goes around its axis.
//!
//! *Sides.* In homogeneous coordinates C and D are convex cones, which contain the lines of their vertices c and d (the direction of a cylinder
//! is a vertex at infinity). A plane that parts them contains both. So they are projected along both vertices, onto wedges in the
//! plane, whose borders have square roots. Over a point of the projection, C reaches along d over an interval, and D along c, and the
//! point in the middle of both intervals is in both cones if the first is in both wedges. Where the vertex of one is not outside of the other one,
//! what both have in common reaches up to that.
//!
//! The interiors meet if such a point, moved inside by an infinitesimal, is between the planes of all ends: it is a sum of terms, each of which
//! counts only where those before it are zero.

use crate::Sign;
use crate::circle::{Quarter, common_sign, quadratic};
use crate::exact::Dyadic;
use crate::frustum::Frustum;
use crate::moved_solid::less_root;
use crate::quadric::{Form, value, world};
use crate::surd::Surd;
use crate::wedge::Wedge;

/// Positive if they are apart, zero if they touch, negative if their interiors meet. One without rims is that part of a capsule
/// whose ends are known to be at most touched.
pub(crate) fn frusta_gap(one: &Frustum, other: &Frustum) -> Sign {
    let mut least = Sign::Positive;
    for [ends, body] in [[one, other], [other, one]] {
        least = least.min(ends_gap(ends, body));
        if least.is_negative() {
            return least;
        }
    }
    least.min(sides_gap(one, other))
}

/// The discs and the apex of one against another one.
fn ends_gap(ends: &Frustum, body: &Frustum) -> Sign {
    let mut least = match ends.apex() {
        Some(apex) => body.side(apex),
        None => Sign::Positive,
    };
    if !ends.has_rims {
        return least;
    }
    for (disc, plane) in ends.discs.iter().zip(&ends.bounds) {
        // What is inward from the disc is inward from an end in the same plane.
        let bounds: Vec<&Form> =
            body.bounds.iter().filter(|bound| !is_same(bound, plane)).collect();
        for quarter in Quarter::all(disc) {
            let mut conditions: Vec<_> = bounds.iter().map(|bound| quarter.linear(bound)).collect();
            conditions.push(-quadratic(&body.endless.along(quarter.columns())));
            least = least.min(common_sign(&conditions));
            if least.is_negative() {
                return least;
            }
        }
        if let Some(crossing) = body.axis_at(plane) {
            let in_disc = -ends.endless.product(&crossing, &crossing).sign();
            let on_axis = bounds.iter().map(|bound| value(bound, &crossing).sign());
            least = least.min(-on_axis.fold(in_disc, Sign::min));
        }
        // Two discs that go through each other.
        let chords = body.has_rims.then_some(&body.discs).into_iter().flatten();
        let is_crossed = chords.filter_map(|disc| middle_of_chord(disc, plane)).any(|point| {
            let is_between =
                ends.bounds.iter().all(|bound| !value(bound, &point).sign().is_negative());
            is_between && ends.endless.side(&point).is_negative()
        });
        if is_crossed {
            return Sign::Negative;
        }
    }
    least
}

/// Whether two linear functions are positive on the same side of the same plane.
fn is_same(one: &Form, other: &Form) -> bool {
    let Some(k) = one.iter().position(|x| !x.sign().is_zero()) else { return false };
    one[k].sign() == other[k].sign() && (0..4).all(|i| &one[i] * &other[k] == &one[k] * &other[i])
}

/// The middle of what a plane cuts from a disc, if it enters it.
fn middle_of_chord([center, u, v]: &[Form; 3], plane: &Form) -> Option<Form> {
    let [height, of_u, of_v] = [center, u, v].map(|column| value(plane, column));
    let square = &of_u.squared() + &of_v.squared();
    (height.squared() < square).then(|| {
        [0, 1, 2, 3]
            .map(|k| &(&square * &center[k]) - &(&height * &(&(&of_u * &u[k]) + &(&of_v * &v[k]))))
    })
}

/// What the endless ones have in common, if it is not on the other side of a bound.
fn sides_gap(one: &Frustum, other: &Frustum) -> Sign {
    let [c, d] = [&one.vertex, &other.vertex];
    let Some(basis) = complement(c, d) else { return Sign::Positive };
    // How the vertex of each lies to the other one.
    let [of_d, of_c] = [one.endless.product(d, d), other.endless.product(c, c)];
    if !of_d.sign().is_positive() {
        return vertex_gap(one, other);
    }
    if !of_c.sign().is_positive() {
        return vertex_gap(other, one);
    }
    // The point in the middle of both intervals, times both products.
    let lifted = |point: &Form| -> Form {
        let [of_one, of_other] =
            [&one.endless.product(point, d) * &of_c, &other.endless.product(point, c) * &of_d];
        let both = &of_c * &of_d;
        [0, 1, 2, 3].map(|k| &(&(&both * &point[k]) - &(&of_one * &d[k])) - &(&of_other * &c[k]))
    };
    let wedges = [Wedge::new(one, d, &of_d, &basis), Wedge::new(other, c, &of_c, &basis)];
    let columns = basis.each_ref().map(lifted);
    let is_between = |place: &Place| {
        let mut bounds = one.bounds.iter().chain(&other.bounds);
        bounds.all(|bound| place.sign(bound).is_positive())
    };
    let mut least = Sign::Positive;
    for (k, frustum) in [one, other].into_iter().enumerate() {
        let (wedge, around) = (&wedges[k], &wedges[1 - k]);
        let sides = wedge.rays.each_ref().map(|ray| around.side(ray, &wedge.square));
        let middle = || Term::rational(lifted(frustum.middle()));
        let on_ray = |ray: &[Surd; 2]| {
            let along = |k: usize| ray[0].times(&columns[0][k]).plus(&ray[1].times(&columns[1][k]));
            Term([0, 1, 2, 3].map(along))
        };
        let square = wedge.square.clone();
        if sides.iter().all(|side| !side.is_positive()) {
            // All of the wedge is in the other one.
            let place = Place { terms: vec![middle()], square };
            return if is_between(&place) { Sign::Negative } else { least };
        }
        for (ray, side) in wedge.rays.iter().zip(sides) {
            match side {
                Sign::Negative => {
                    let place = Place { terms: vec![on_ray(ray), middle()], square };
                    return if is_between(&place) { Sign::Negative } else { least };
                }
                Sign::Zero => {
                    let point = on_ray(ray);
                    let bounds = one.bounds.iter().chain(&other.bounds);
                    let mut signs = bounds.map(|bound| point.value(bound).sign(&wedge.square));
                    if point.0[3].sign(&wedge.square).is_positive()
                        && signs.all(|sign| !sign.is_negative())
                    {
                        least = Sign::Zero;
                    }
                }
                Sign::Positive => {}
            }
        }
    }
    least
}

/// Negative if what two have in common about the vertex of the second one, which is not outside of the first, is between all bounds.
fn vertex_gap(around: &Frustum, tip: &Frustum) -> Sign {
    let Some(apex) = tip.apex() else { return Sign::Positive };
    let (polar, middle) = (around.endless.polar(apex), tip.middle());
    // Not in what is beyond the apex of the first one.
    if !value(&polar, around.middle()).sign().is_negative() {
        return Sign::Positive;
    }
    let mut place = Place { terms: vec![Term::rational(apex.clone())], square: Dyadic::of(0.0) };
    let inward = -value(&polar, middle).sign();
    if around.endless.side(apex).is_zero() && !inward.is_positive() {
        // Along that line on the cone that goes farthest in, if one does.
        let Some([center, u, v]) = tip.discs.first() else { return Sign::Positive };
        let [height, of_u, of_v] = [center, u, v].map(|column| -&value(&polar, column));
        place.square = &of_u.squared() + &of_v.squared();
        if !less_root(&-&height, &place.square).is_negative() {
            return Sign::Positive;
        }
        let across = |k: usize| &(&of_u * &u[k]) + &(&of_v * &v[k]);
        place.terms.push(Term([0, 1, 2, 3].map(|k| Surd([across(k), center[k].clone()]))));
    }
    place.terms.push(Term::rational(middle.clone()));
    let mut bounds = around.bounds.iter().chain(&tip.bounds);
    if bounds.all(|bound| place.sign(bound).is_positive()) {
        Sign::Negative
    } else {
        Sign::Positive
    }
}

/// Two unit vectors with which both vertices span space, if they differ.
fn complement(c: &Form, d: &Form) -> Option<[Form; 2]> {
    const PAIRS: [[usize; 4]; 6] =
        [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];
    let differs =
        |[i, j, ..]: &[usize; 4]| !(&(&c[*i] * &d[*j]) - &(&c[*j] * &d[*i])).sign().is_zero();
    PAIRS.into_iter().find(differs).map(|[_, _, k, l]| [world()[k].clone(), world()[l].clone()])
}

/// A point with coordinates a + b √s, or a direction.
struct Term([Surd; 4]);

impl Term {
    fn rational(point: Form) -> Self {
        Self(point.map(Surd::rational))
    }

    fn value(&self, form: &Form) -> Surd {
        let zero = Surd::rational(Dyadic::of(0.0));
        self.0.iter().zip(form).fold(zero, |sum, (x, factor)| sum.plus(&x.times(factor)))
    }
}

/// A sum of terms, each infinitely smaller than those before it.
struct Place {
    terms: Vec<Term>,
    square: Dyadic,
}

impl Place {
    fn sign(&self, form: &Form) -> Sign {
        let mut signs = self.terms.iter().map(|term| term.value(form).sign(&self.square));
        signs.find(|sign| !sign.is_zero()).unwrap_or(Sign::Zero)
    }
}
