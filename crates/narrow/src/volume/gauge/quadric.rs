//! How soon rays leave what a quadric bounds, and how little that differs from a linear function.
//!
//! Let F(x) = xᵀQx − 2 b·x + c be at most 0 in a body that contains the origin. The ray of direction d leaves it at d/s, where
//! c s² − 2 (b·d) s + dᵀQd = 0: the *gauge* s of the body. It is homogeneous of degree 1. With g = (b·d)² − c dᵀQd it is
//! dᵀQd / (b·d + √g), also (b·d − √g) / c. The former loses nothing where c is small or positive, as for a ball beside the origin, of
//! which the far side bounds the body; the latter is right for cones, whose Q has both signs. For c < 0 the gauge is convex.

use xcollide_math::vector::{dot, length, scale, sub};

use super::jet::Jet;

type Matrix = [[f64; 3]; 3];

/// The gauge of what a quadric or a plane bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadric {
    how: How,
    square: Matrix,
    /// For a plane its gauge.
    linear: [f64; 3],
    constant: f64,
    /// Of g.
    form: Matrix,
    /// The sizes of these, as vectors of nine, three and nine numbers.
    sizes: [f64; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Plane,
    /// The plane of the triangle of directions.
    Facet,
    /// Q has no negative eigenvalues.
    Ratio,
    Difference,
}

/// A polynomial xᵀQx − 2 b·x + c.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Polynomial {
    square: Matrix,
    linear: [f64; 3],
    constant: f64,
}

impl Polynomial {
    pub(super) fn of(constant: f64) -> Self {
        Self { constant, ..Self::default() }
    }

    /// With a multiple of the square of a·x + e.
    pub(super) fn with(mut self, factor: f64, (a, e): ([f64; 3], f64)) -> Self {
        for i in 0..3 {
            for k in 0..3 {
                self.square[i][k] += factor * a[i] * a[k];
            }
            self.linear[i] -= factor * a[i] * e;
        }
        self.constant += factor * e * e;
        self
    }

    pub(super) fn at_origin(&self) -> f64 {
        self.constant
    }
}

impl Quadric {
    /// Of what is below a plane: a·x ≤ e, for e > 0.
    pub(super) fn plane(a: [f64; 3], e: f64) -> Self {
        Self::new(How::Plane, Polynomial { linear: scale(a, 1.0 / e), ..Polynomial::default() })
    }

    /// Of what is before the plane of a triangle of directions itself, 1 on it.
    pub(super) fn facet() -> Self {
        Self::new(How::Facet, Polynomial::default())
    }

    /// Of where a polynomial is at most 0, which is less than that at the origin.
    pub(super) fn around_origin(polynomial: Polynomial) -> Self {
        Self::new(How::Difference, polynomial)
    }

    /// Of where a polynomial without negative squares is at most 0, by the farthest of such points on a ray.
    pub(super) fn far_side(polynomial: Polynomial) -> Self {
        Self::new(How::Ratio, polynomial)
    }

    fn new(how: How, Polynomial { square, linear, constant }: Polynomial) -> Self {
        let form =
            [0, 1, 2].map(|i| [0, 1, 2].map(|k| linear[i] * linear[k] - constant * square[i][k]));
        let sizes = [size(&square), length(linear), size(&form)];
        Self { how, square, linear, constant, form, sizes }
    }

    /// The gauge in a direction.
    pub(super) fn at(&self, d: [f64; 3]) -> f64 {
        let along = dot(self.linear, d);
        let root = || dot(d, times(&self.form, d)).max(0.0).sqrt();
        match self.how {
            How::Plane => along,
            How::Facet => 1.0,
            How::Ratio => dot(d, times(&self.square, d)) / (along + root()),
            How::Difference => (along - root()) / self.constant,
        }
    }

    /// The gradient of the gauge; `None` where it is rounded away, and for the plane of a triangle, which has one only with this.
    pub(super) fn gradient(&self, d: [f64; 3]) -> Option<[f64; 3]> {
        let image = times(&self.form, d);
        let square = dot(d, image);
        let is_known = square > 64.0 * f64::EPSILON * self.sizes[2] * dot(d, d);
        let root = square.sqrt();
        let of_root = scale(image, 1.0 / root);
        Some(match self.how {
            How::Plane => self.linear,
            How::Facet => return None,
            _ if !is_known => return None,
            How::Ratio => {
                let below = dot(self.linear, d) + root;
                let above = times(&self.square, d);
                let gauge = dot(d, above) / below;
                [0, 1, 2].map(|k| (2.0 * above[k] - gauge * (self.linear[k] + of_root[k])) / below)
            }
            How::Difference => scale(sub(self.linear, of_root), 1.0 / self.constant),
        })
    }

    /// A linear function that is nowhere greater than the gauge.
    pub(super) fn floor(&self, d: [f64; 3]) -> f64 {
        match self.how {
            How::Plane | How::Facet => self.at(d),
            _ if self.constant < 0.0 => dot(self.linear, d) / self.constant,
            _ => f64::NEG_INFINITY,
        }
    }

    /// Whether the line of a direction meets the quadric.
    pub(super) fn is_met(&self, d: [f64; 3]) -> bool {
        dot(d, times(&self.form, d)) >= 0.0
    }

    pub(super) fn is_plane(&self) -> bool {
        matches!(self.how, How::Plane | How::Facet)
    }

    /// What is known of it in a ball of directions.
    pub(super) fn around(&self, d: [f64; 3], radius: f64) -> Around {
        let far = length(d) + radius;
        let [of_square, of_linear, of_form] = self.sizes;
        let form = Center::of(&self.form, d);
        let square = Center::of(&self.square, d);
        let along = dot(self.linear, d);
        // What is 0 up to rounding is nothing that is known.
        let lost = 64.0 * f64::EPSILON * of_form * far * far;
        let root = form.around(of_form, radius, lost).root();
        let of_root = (lost / root.least).min(lost.sqrt()) + 16.0 * f64::EPSILON * of_linear * far;
        let linear = Jet {
            least: along - of_linear * radius,
            most: [along.abs() + of_linear * radius, of_linear, 0.0],
        };
        let above = square.around(of_square, radius, 0.0);
        let below = root.plus(linear);
        let (value, jet, rounding) = match self.how {
            How::Facet => (1.0, Jet { least: 1.0, most: [1.0, 0.0, 0.0] }, 0.0),
            How::Plane => (along, linear, 16.0 * f64::EPSILON * of_linear * far),
            How::Ratio => {
                let value = square.value / (along + form.value.max(0.0).sqrt());
                let lost = 64.0 * f64::EPSILON * of_square * far * far;
                // Not less if a divisor is negative.
                let least = below.least.max(0.0);
                let rounding = (lost + above.most[0] * of_root / least) / least;
                (value, above.over(below), rounding)
            }
            How::Difference => {
                let part = -1.0 / self.constant;
                let value = part * (form.value.max(0.0).sqrt() - along);
                let most = root.plus(linear).most.map(|x| part * x);
                (value, Jet { least: 0.0, most }, part * of_root)
            }
        };
        let bend = if jet.most[2].is_nan() { f64::INFINITY } else { jet.most[2] };
        let rounding = if rounding.is_nan() { f64::INFINITY } else { rounding };
        Around { value, bend, rounding, far, along, form, square, root, above, below }
    }

    /// For a set in a ball of directions its radius in parts of R, for which 1/s³ is analytic, and |s| > s₀/4, on the ball of the complex
    /// vectors at most R from the center; 1 or more if this is not known.
    pub(super) fn part_of_analytic(&self, around: &Around, radius: f64) -> f64 {
        if self.is_plane() {
            return 0.0;
        }
        let Around { value, form, square, along, .. } = around;
        let [of_square, of_linear, of_form] = self.sizes;
        // Not where it is rounded away.
        let is_known = *value > 0.0 && form.value > 1e-12 * of_form * around.far * around.far;
        if !is_known {
            return 1.0;
        }
        let root = form.value.sqrt();
        let mut reach = form.reach(of_form, 0.9 * form.value);
        let below = |reach: f64| form.change(of_form, reach) / root + of_linear * reach;
        let limit = match self.how {
            How::Difference => 0.75 * value * -self.constant,
            _ => {
                reach = reach.min(square.reach(of_square, 0.5 * square.value));
                along + root
            }
        };
        if limit.is_nan() || limit <= 0.0 {
            return 1.0;
        }
        while below(reach) > limit {
            reach *= 0.75;
        }
        if reach.is_nan() || reach <= 0.0 { 1.0 } else { radius / reach }
    }

    /// No less than the second derivatives of the difference of two gauges, which are small where the quadrics are nearly the same.
    pub(super) fn bend_of_difference(&self, other: &Self, [own, its]: [&Around; 2]) -> f64 {
        let sum = own.bend + its.bend;
        if self.is_plane() || other.is_plane() {
            return sum;
        }
        let far = own.far;
        let difference = |one: &Matrix, other: &Matrix| {
            let rows = [0, 1, 2].map(|k| sub(one[k], other[k]));
            Jet::form(size(&rows), far)
        };
        // √g − √h = (g − h)/(√g + √h).
        let linear = Jet::linear(length(sub(self.linear, other.linear)), far);
        let of_roots = difference(&self.form, &other.form).over(own.root.plus(its.root));
        let of_both = linear.plus(of_roots);
        let nearly = match [self.how, other.how] {
            [How::Ratio, _] | [_, How::Ratio] => {
                // n/d − m/e = (n − m)/d − m (d − e)/(d e).
                let of_squares = difference(&self.square, &other.square).over(own.below);
                of_squares.plus(its.above.times(of_both).over(own.below.times(its.below))).most[2]
            }
            _ => {
                // x/c − y/e = (x − y)/c + y (1/c − 1/e).
                let part = (1.0 / self.constant).abs();
                let parts = (1.0 / self.constant - 1.0 / other.constant).abs();
                part * of_both.most[2] + parts * its.below.most[2]
            }
        };
        if nearly.is_nan() { sum } else { sum.min(nearly) }
    }

    pub(super) fn is_convex(&self) -> bool {
        self.is_plane() || self.constant < 0.0
    }

    /// No less than how much the gauge differs from the linear function with the same values at the corners of a triangle with
    /// such sides.
    ///
    /// By its second derivatives in any direction, and if it is convex, by those along the sides: less g's form over −c √g its
    /// second derivatives are nowhere positive.
    pub(super) fn sag(&self, around: &Around, sides: &[[f64; 3]; 3]) -> f64 {
        let longest = sides.iter().map(|side| dot(*side, *side)).fold(0.0, f64::max);
        let sag = around.bend * longest / 6.0;
        if self.is_plane() || self.constant >= 0.0 {
            return sag;
        }
        let along = sides.iter().map(|side| dot(*side, times(&self.form, *side)));
        // With the rounding of the form.
        let most = along.fold(0.0, f64::max) + 16.0 * f64::EPSILON * self.sizes[2] * longest;
        let sag_along = most / (-6.0 * self.constant * around.root.least);
        if sag_along < sag { sag_along } else { sag }
    }
}

/// A quadratic form at the center of a ball, and the length of half its gradient there.
#[derive(Clone, Copy, Debug)]
struct Center {
    value: f64,
    slope: f64,
}

impl Center {
    fn of(form: &Matrix, d: [f64; 3]) -> Self {
        let image = times(form, d);
        Self { value: dot(d, image), slope: length(image) }
    }

    /// How much the form may change in a ball of complex vectors.
    fn change(&self, size: f64, radius: f64) -> f64 {
        (2.0 * self.slope + size * radius) * radius
    }

    /// The ball in which it changes by no more than this.
    fn reach(&self, size: f64, change: f64) -> f64 {
        change / (self.slope + (self.slope * self.slope + size * change).sqrt())
    }

    fn around(&self, size: f64, radius: f64, rounding: f64) -> Jet {
        let change = self.change(size, radius) + rounding;
        Jet {
            least: (self.value - change).max(0.0),
            most: [self.value.abs() + change, 2.0 * (self.slope + size * radius), 2.0 * size],
        }
    }
}

/// What is known of a gauge in a ball of directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// At the center.
    pub(super) value: f64,
    /// No second derivative is greater.
    pub(super) bend: f64,
    /// More than what is rounded.
    pub(super) rounding: f64,
    far: f64,
    along: f64,
    form: Center,
    square: Center,
    root: Jet,
    /// Of the ratio.
    above: Jet,
    below: Jet,
}

fn times(matrix: &Matrix, d: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| dot(row, d))
}

fn size(matrix: &Matrix) -> f64 {
    matrix.iter().map(|row| dot(*row, *row)).sum::<f64>().sqrt()
}
