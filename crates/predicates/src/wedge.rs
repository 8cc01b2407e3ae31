//! Cones, in homogeneous coordinates, projected along their vertex and that of another one: wedges in a plane.
//!
//! Let q be the quadratic function of a cone, and v the other vertex, with q(v, v) > 0. Some point p + sv is in the cone, or in the one on
//! the other side of the vertex, if and only if q(v, v) q(p, p) − q(p, v)² is not positive.

use crate::Sign;
use crate::exact::Dyadic;
use crate::frustum::Frustum;
use crate::quadric::Form;
use crate::surd::Surd;

/// All points with x · Bx ≤ 0 on that side where a linear function is negative.
pub(crate) struct Wedge {
    /// The entries of B: of x², of xy and of y².
    form: [Dyadic; 3],
    inward: [Dyadic; 2],
    /// The directions of the borders have the root of this number.
    pub(crate) rays: [[Surd; 2]; 2],
    pub(crate) square: Dyadic,
}

impl Wedge {
    /// `frustum` without its ends, in coordinates along e and f. `of_vertex`: the quadratic function of the vertex, which is positive.
    pub(crate) fn new(
        frustum: &Frustum,
        vertex: &Form,
        of_vertex: &Dyadic,
        [e, f]: &[Form; 2],
    ) -> Self {
        let quadric = &frustum.endless;
        let entry = |p: &Form, q: &Form| {
            &(of_vertex * &quadric.product(p, q))
                - &(&quadric.product(p, vertex) * &quadric.product(q, vertex))
        };
        let (a, b, c) = (entry(e, e), entry(e, f), entry(f, f));
        let inward = [e, f].map(|unit| entry(frustum.middle(), unit));
        let square = &b.squared() - &(&a * &c);
        // The zeros of ax² + 2bxy + cy².
        let (zero, one) = (|| Dyadic::of(0.0), || Dyadic::of(1.0));
        let rays = if a.sign().is_zero() {
            [
                [Surd::rational(one()), Surd::rational(zero())],
                [-&c, b.clone().times_power(1)].map(Surd::rational),
            ]
        } else {
            [one(), -&one()].map(|root| [Surd([-&b, root]), Surd::rational(a.clone())])
        };
        let mut wedge = Self { form: [a, b, c], inward, rays, square };
        for k in 0..2 {
            if wedge.ahead(&wedge.rays[k], &wedge.square).is_positive() {
                wedge.rays[k] = wedge.rays[k].each_ref().map(|x| x.times(&-&one()));
            }
        }
        wedge
    }

    fn ahead(&self, [x, y]: &[Surd; 2], square: &Dyadic) -> Sign {
        x.times(&self.inward[0]).plus(&y.times(&self.inward[1])).sign(square)
    }

    /// Whether a direction is inside (negative), on the border (zero) or outside (positive).
    pub(crate) fn side(&self, ray: &[Surd; 2], square: &Dyadic) -> Sign {
        let ([x, y], [a, b, c]) = (ray, &self.form);
        let product = |p: &Surd, q: &Surd, factor: &Dyadic| p.product(q, square).times(factor);
        let value = product(x, x, a)
            .plus(&product(x, y, &b.clone().times_power(1)))
            .plus(&product(y, y, c));
        match value.sign(square) {
            sign if self.ahead(ray, square).is_negative() => sign,
            _ => Sign::Positive,
        }
    }
}
