//! Solids with formulas: on which side of the surface a point lies, and whether a part of a ray meets one. Polynomials in the
//! numbers, without a quotient.
//!
//! With R the matrix and t the translation, a point p is in the moved solid if R⁻¹(p − t) is in the solid. Everything is
//! multiplied by the determinant of R, so that the inverse is the adjugate. A radius is measured in the world.
//!
//! A solid is a union of *pieces*. A piece is the set where some linear functions are not negative and at most one quadratic
//! function is not positive. Along a line both become functions of the parameter: the linear ones cut an interval out of the
//! part of the ray. The quadratic one is positive there if it is so at both ends and has no lower minimum between them.

use crate::exact::Dyadic;
use crate::filtered::{Filtered, Number};
use crate::{Point, Ray, Sign};

/// A solid with a formula, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Solid {
    /// All points at most `radius` away from the z-axis from −`half` to `half`; a ball if that is 0.
    Capsule {
        /// Half the length of the segment.
        half: f64,
        /// The radius.
        radius: f64,
    },
    /// All points with |x|, |y| and |z| at most these.
    Cuboid {
        /// Half the extents.
        half: [f64; 3],
    },
    /// All points with |z| at most `half` and x² + y² at most `radius`².
    Cylinder {
        /// Half the height.
        half: f64,
        /// The radius.
        radius: f64,
    },
    /// A cone about the z-axis: its base at z = −`half`, its apex at z = `half`.
    Cone {
        /// Half the height.
        half: f64,
        /// The radius of the base.
        radius: f64,
    },
    /// An ellipsoid by its half axes along x, y and z.
    Ellipsoid {
        /// The half axes.
        half: [f64; 3],
    },
    /// All points with z ≤ 0. Moved: all points p with n · (p − t) ≤ 0 for the third column n of the matrix.
    HalfSpace,
}

/// Whether a point is inside a solid (negative), on its surface (zero) or outside (positive). The solid is moved by a matrix,
/// which must be a rotation within 1e-6 of any entry, and a translation, without rounding. Exact for all finite numbers;
/// takes some dozen nanoseconds where f64 decides, else some microseconds.
///
/// ```
/// use xcollide_predicates::{Sign, Solid, solid_side};
///
/// let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let side = |solid, point| solid_side(&solid, &identity, [1.0, 0.0, 0.0], point);
/// let cylinder = Solid::Cylinder { half: 1.0, radius: 5.0 };
/// assert_eq!(side(cylinder, [4.0, 4.0, 0.5]), Sign::Zero);
/// assert_eq!(side(cylinder, [4.0, 4.0f64.next_down(), 0.5]), Sign::Negative);
/// assert_eq!(side(Solid::Capsule { half: 1.0, radius: 5.0 }, [4.0, 4.0, 1.5]), Sign::Positive);
/// ```
#[must_use]
pub fn solid_side(solid: &Solid, matrix: &[[f64; 3]; 3], translation: Point, point: Point) -> Sign {
    ray_side(&Ray::new(point, [0.0; 3]), 0.0, solid, matrix, translation)
}

/// [`solid_side`] of the point of a ray at a parameter, which is not rounded. Exact.
#[must_use]
pub fn ray_side(
    ray: &Ray,
    parameter: f64,
    solid: &Solid,
    matrix: &[[f64; 3]; 3],
    translation: Point,
) -> Sign {
    side::<Filtered>(ray, parameter, solid, matrix, translation)
        .or_else(|| side::<Dyadic>(ray, parameter, solid, matrix, translation))
        .unwrap_or(Sign::Zero)
}

/// Whether the part of a ray between two parameters, both included, meets a solid, which is moved as for [`solid_side`]. The
/// second may be infinite. Touching is meeting. Exact for all finite numbers; takes about a tenth of a microsecond where f64
/// decides.
///
/// ```
/// use xcollide_predicates::{Ray, Solid, ray_meets_solid};
///
/// let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let ball = Solid::Capsule { half: 0.0, radius: 5.0 };
/// let meets = |y, part| {
///     let ray = Ray::new([-8.0, y, 3.0], [1.0, 0.0, 0.0]);
///     ray_meets_solid(&ray, part, &ball, &identity, [0.0; 3])
/// };
/// assert!(meets(4.0, [0.0, f64::INFINITY]), "it touches");
/// assert!(!meets(4.0f64.next_up(), [0.0, f64::INFINITY]));
/// assert!(meets(0.0, [0.0, 4.0]) && !meets(0.0, [0.0, 4.0f64.next_down()]));
/// ```
#[must_use]
pub fn ray_meets_solid(
    ray: &Ray,
    part: [f64; 2],
    solid: &Solid,
    matrix: &[[f64; 3]; 3],
    translation: Point,
) -> bool {
    meets::<Filtered>(ray, part, solid, matrix, translation)
        .or_else(|| meets::<Dyadic>(ray, part, solid, matrix, translation))
        .unwrap_or(true)
}

/// The sign at a parameter: of a piece the greatest, of all pieces the least.
fn side<N: Number>(
    ray: &Ray,
    parameter: f64,
    solid: &Solid,
    matrix: &[[f64; 3]; 3],
    translation: Point,
) -> Option<Sign> {
    let mut signs = [Some(Sign::Positive); 3];
    let mut count = 0;
    let there = Fraction::of(parameter);
    each_piece::<N>(solid, matrix, translation, ray, |bounds, round| {
        let at = |bound: &Linear<N>| bound.at.add(&bound.slope.mul(&there.over));
        let of_bounds = bounds.iter().map(|bound| at(bound).sign().map(|sign| -sign));
        let of_round = round.map(|round| round.sign_at(&there));
        signs[count] = greatest(of_bounds.chain(of_round));
        count += 1;
    });
    greatest(signs.into_iter().map(|sign| sign.map(|sign| -sign))).map(|sign| -sign)
}

/// The greatest of some signs; `None` if it is not known.
fn greatest(signs: impl Iterator<Item = Option<Sign>>) -> Option<Sign> {
    let mut best = Some(Sign::Negative);
    for sign in signs {
        match sign {
            Some(Sign::Positive) => return sign,
            _ => best = best.zip(sign).map(|(one, other)| one.max(other)),
        }
    }
    best
}

fn meets<N: Number>(
    ray: &Ray,
    part: [f64; 2],
    solid: &Solid,
    matrix: &[[f64; 3]; 3],
    translation: Point,
) -> Option<bool> {
    let mut found = Some(false);
    each_piece::<N>(solid, matrix, translation, ray, |bounds, round| {
        if found != Some(true) {
            match meets_piece(part, bounds, round) {
                Some(false) => {}
                other => found = other,
            }
        }
    });
    found
}

/// at + slope · s
#[derive(Clone)]
struct Linear<N> {
    at: N,
    slope: N,
}

impl<N: Number> Linear<N> {
    fn add(&self, other: &Self) -> Self {
        Self { at: self.at.add(&other.at), slope: self.slope.add(&other.slope) }
    }

    fn scaled(&self, by: &N) -> Self {
        Self { at: self.at.mul(by), slope: self.slope.mul(by) }
    }

    /// A number less or more this function.
    fn below(&self, number: &N) -> Self {
        Self { at: number.sub(&self.at), slope: self.slope.neg() }
    }

    fn above(&self, number: &N) -> Self {
        Self { at: number.add(&self.at), slope: self.slope.clone() }
    }

    fn squared(&self) -> Quadratic<N> {
        Quadratic {
            at: self.at.squared(),
            half: self.at.mul(&self.slope),
            square: self.slope.squared(),
        }
    }
}

/// at + 2 half · s + square · s²
#[derive(Clone)]
struct Quadratic<N> {
    at: N,
    half: N,
    square: N,
}

impl<N: Number> Quadratic<N> {
    fn each(&self, other: &Self, op: impl Fn(&N, &N) -> N) -> Self {
        Self {
            at: op(&self.at, &other.at),
            half: op(&self.half, &other.half),
            square: op(&self.square, &other.square),
        }
    }

    fn add(&self, other: &Self) -> Self {
        self.each(other, N::add)
    }

    fn sub(&self, other: &Self) -> Self {
        self.each(other, N::sub)
    }

    fn scaled(&self, by: &N) -> Self {
        Self { at: self.at.mul(by), half: self.half.mul(by), square: self.square.mul(by) }
    }

    fn less(&self, number: &N) -> Self {
        Self { at: self.at.sub(number), ..self.clone() }
    }

    /// The sign at a parameter.
    fn sign_at(&self, Fraction { over, under }: &Fraction<N>) -> Option<Sign> {
        let middle = self.half.mul(over).mul(under);
        let ends = self.at.mul(&under.squared()).add(&self.square.mul(&over.squared()));
        ends.add(&middle).add(&middle).sign()
    }
}

fn dot<N: Number>(a: &[N; 3], b: &[Linear<N>; 3]) -> Linear<N> {
    b[0].scaled(&a[0]).add(&b[1].scaled(&a[1])).add(&b[2].scaled(&a[2]))
}

fn square<N: Number>([x, y, z]: &[Linear<N>; 3]) -> Quadratic<N> {
    x.squared().add(&y.squared()).add(&z.squared())
}

fn cross<N: Number>(a: &[N; 3], b: &[N; 3]) -> [N; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].mul(&b[j]).sub(&a[j].mul(&b[i])))
}

/// Shows the pieces, at most three, as functions along a line: what is not negative in it, and what is not positive.
fn each_piece<N: Number>(
    solid: &Solid,
    matrix: &[[f64; 3]; 3],
    translation: Point,
    line: &Ray,
    mut piece: impl FnMut(&[Linear<N>], Option<&Quadratic<N>>),
) {
    let [from, to] = line.exact_ends();
    let line = [0, 1, 2].map(|k| Linear {
        at: N::of(line.origin()[k]).sub(&N::of(translation[k])),
        slope: N::of(to[k]).sub(&N::of(from[k])),
    });
    let column = |k: usize| matrix.map(|row| N::of(row[k]));
    match *solid {
        Solid::HalfSpace => return piece(&[dot(&column(2), &line).below(&N::of(0.0))], None),
        Solid::Capsule { half, radius } => {
            return each_of_capsule(half, &N::of(radius), &column(2), &line, piece);
        }
        _ => {}
    }
    let columns = [column(0), column(1), column(2)];
    let [u, v, w] = &columns;
    // The rows of the adjugate.
    let rows = [cross(v, w), cross(w, u), cross(u, v)];
    let local = rows.each_ref().map(|row| dot(row, &line));
    let [x, y, z] = &local;
    let determinant = (0..3).fold(N::of(0.0), |sum, k| sum.add(&rows[0][k].mul(&u[k])));
    let scaled = |length: f64| N::of(length).mul(&determinant);
    let slab = |number: &Linear<N>, half: f64| {
        let half = scaled(half);
        [number.below(&half), number.above(&half)]
    };
    match *solid {
        Solid::Cuboid { half } => {
            let [[a, b], [c, d], [e, f]] = [slab(x, half[0]), slab(y, half[1]), slab(z, half[2])];
            piece(&[a, b, c, d, e, f], None);
        }
        Solid::Cylinder { half, radius } => {
            let round = x.squared().add(&y.squared()).less(&scaled(radius).squared());
            piece(&slab(z, half), Some(&round));
        }
        Solid::Cone { half, radius } => {
            // At the height z the radius is radius · (half − z) / (2 · half).
            let [below, above] = slab(z, half);
            let across = x.squared().add(&y.squared());
            let across = across.scaled(&N::of(4.0).mul(&N::of(half).squared()));
            let round = across.sub(&below.squared().scaled(&N::of(radius).squared()));
            piece(&[below, above], Some(&round));
        }
        Solid::Ellipsoid { half: [a, b, c] } => {
            let part = |number: &Linear<N>, j: f64, k: f64| {
                number.scaled(&N::of(j).mul(&N::of(k))).squared()
            };
            let all = part(x, b, c).add(&part(y, c, a)).add(&part(z, a, b));
            piece(&[], Some(&all.less(&N::of(a).mul(&N::of(b)).mul(&scaled(c)).squared())));
        }
        Solid::Capsule { .. } | Solid::HalfSpace => {}
    }
}

/// A cylinder and two balls. `axis`: the moved unit vector along z; `line`: from the center.
fn each_of_capsule<N: Number>(
    half: f64,
    radius: &N,
    axis: &[N; 3],
    line: &[Linear<N>; 3],
    mut piece: impl FnMut(&[Linear<N>], Option<&Quadratic<N>>),
) {
    if half == 0.0 {
        return piece(&[], Some(&square(line).less(&radius.squared())));
    }
    let half = N::of(half);
    let along = dot(axis, line);
    let length = (0..3).fold(N::of(0.0), |sum, k| sum.add(&axis[k].squared()));
    let end = half.mul(&length);
    // |line|² − along² / |axis|² compared with radius².
    let across = square(line).scaled(&length).sub(&along.squared());
    let round = across.less(&radius.squared().mul(&length));
    piece(&[along.below(&end), along.above(&end)], Some(&round));
    for half in [half.neg(), half] {
        let from_end = [0, 1, 2].map(|k| line[k].above(&axis[k].mul(&half)));
        piece(&[], Some(&square(&from_end).less(&radius.squared())));
    }
}

/// A parameter: a quotient with a positive divisor.
struct Fraction<N> {
    over: N,
    under: N,
}

impl<N: Number> Fraction<N> {
    fn of(value: f64) -> Self {
        Self { over: N::of(value), under: N::of(1.0) }
    }

    /// The sign of the difference.
    fn less(&self, other: &Self) -> Option<Sign> {
        self.over.mul(&other.under).sub(&other.over.mul(&self.under)).sign()
    }
}

/// Whether a part of the line has a point in a piece.
fn meets_piece<N: Number>(
    part: [f64; 2],
    bounds: &[Linear<N>],
    round: Option<&Quadratic<N>>,
) -> Option<bool> {
    let mut from = Fraction::of(part[0]);
    let mut to = part[1].is_finite().then(|| Fraction::of(part[1]));
    for Linear { at, slope } in bounds {
        match slope.sign()? {
            Sign::Zero if at.sign()?.is_negative() => return Some(false),
            Sign::Zero => {}
            Sign::Positive => {
                let bound = Fraction { over: at.neg(), under: slope.clone() };
                if bound.less(&from)?.is_positive() {
                    from = bound;
                }
            }
            Sign::Negative => {
                let bound = Fraction { over: at.clone(), under: slope.neg() };
                if to.as_ref().map_or(Some(Sign::Negative), |to| bound.less(to))?.is_negative() {
                    to = Some(bound);
                }
            }
        }
    }
    if let Some(to) = &to
        && from.less(to)?.is_positive()
    {
        return Some(false);
    }
    let Some(round) = round else { return Some(true) };
    if !round.sign_at(&from)?.is_positive() {
        return Some(true);
    }
    let curvature = round.square.sign()?;
    match &to {
        Some(to) if !round.sign_at(to)?.is_positive() => return Some(true),
        Some(_) => {}
        // Far out the highest power decides.
        None if curvature.is_negative() => return Some(true),
        None if curvature.is_zero() => return Some(round.half.sign()?.is_negative()),
        None => {}
    }
    if !curvature.is_positive() {
        return Some(false);
    }
    let lowest = Fraction { over: round.half.neg(), under: round.square.clone() };
    let is_between = lowest.less(&from)?.is_positive()
        && to.as_ref().map_or(Some(Sign::Negative), |to| lowest.less(to))?.is_negative();
    if !is_between {
        return Some(false);
    }
    let least = round.at.mul(&round.square).sub(&round.half.squared());
    Some(!least.sign()?.is_positive())
}

#[cfg(test)]
mod tests;
