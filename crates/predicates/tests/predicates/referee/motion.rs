//! Moving vertices, faces and edges with integer coordinates, by Sturm sequences in integers.
//!
//! Shares no formula with the implementation: containment is by barycentric weights in space, not by
//! signs in projections; signs at a root are by common divisors and bisection. Computes in `i128`, and
//! again in big integers if that overflows.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::fmt::Debug;

use num_bigint::BigInt;
use num_traits::{CheckedAdd, CheckedMul, CheckedSub, Num, Signed, ToPrimitive, checked_pow};

use super::{Grid, rational};

/// A grid point at time 0 and at time 1.
pub type Moving = [Grid; 2];

/// Integers; `None` below is an overflow.
pub trait Integer:
    Clone
    + Debug
    + Ord
    + Num
    + From<i64>
    + Signed
    + CheckedAdd
    + CheckedSub
    + CheckedMul
    + ToPrimitive
    + Into<BigInt>
{
}

impl Integer for i128 {}
impl Integer for BigInt {}

/// c₀ + c₁t + …, without leading zeros, divided by the greatest positive integer that divides all.
/// Only signs matter.
#[derive(Clone, Debug, PartialEq)]
struct Polynomial<T>(Vec<T>);

type Vector<T> = [Polynomial<T>; 3];

/// The time `numerator` / 2^`halvings`.
#[derive(Clone, Debug)]
pub struct Time<T> {
    numerator: T,
    halvings: usize,
}

fn product<T: Integer>(a: &T, b: &T) -> Option<T> {
    a.checked_mul(b)
}

impl<T: Integer> Polynomial<T> {
    fn exact(mut c: Vec<T>) -> Self {
        while c.last().is_some_and(T::is_zero) {
            c.pop();
        }
        Self(c)
    }

    fn primitive(c: Vec<T>) -> Self {
        fn gcd<T: Integer>(a: T, b: &T) -> T {
            if b.is_zero() { a.abs() } else { gcd(b.clone(), &(a % b.clone())) }
        }
        let p = Self::exact(c);
        let divisor = p.0.iter().fold(T::zero(), gcd);
        Self(p.0.into_iter().map(|x| x / divisor.clone()).collect())
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn plus(&self, other: &Self, factor: &T) -> Option<Self> {
        let zero = T::zero();
        let term = |i: usize| {
            let [a, b] = [self, other].map(|p| p.0.get(i).unwrap_or(&zero));
            a.checked_add(&product(b, factor)?)
        };
        (0..self.0.len().max(other.0.len())).map(term).collect::<Option<_>>().map(Self::exact)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut result = vec![T::zero(); (self.0.len() + other.0.len()).saturating_sub(1)];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                result[i + j] = result[i + j].checked_add(&product(a, b)?)?;
            }
        }
        Some(Self::exact(result))
    }

    fn derivative(&self) -> Option<Self> {
        let term = |i: usize| product(&self.0[i], &T::from(i as i64));
        (1..self.0.len()).map(term).collect::<Option<_>>().map(Self::exact)
    }

    /// Positive multiples of quotient and remainder.
    fn divide(&self, divisor: &Self) -> Option<(Self, Self)> {
        let leading = &divisor.0[divisor.0.len() - 1];
        let mut remainder = self.clone();
        let mut quotient = vec![T::zero(); self.0.len()];
        while remainder.0.len() >= divisor.0.len() {
            let shift = remainder.0.len() - divisor.0.len();
            let top = product(&remainder.0[remainder.0.len() - 1], &leading.signum())?;
            for c in remainder.0.iter_mut().chain(&mut quotient) {
                *c = product(c, &leading.abs())?;
            }
            for (i, c) in divisor.0.iter().enumerate() {
                remainder.0[shift + i] = remainder.0[shift + i].checked_sub(&product(&top, c)?)?;
            }
            quotient[shift] = top;
            remainder = Self::exact(remainder.0);
        }
        Some((Self::primitive(quotient), Self::primitive(remainder.0)))
    }

    fn common_divisor(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return Some(self.clone());
        }
        other.common_divisor(&self.divide(other)?.1)
    }

    fn square_free(&self) -> Option<Self> {
        Some(self.divide(&self.common_divisor(&self.derivative()?)?)?.0)
    }

    fn sign_at(&self, t: &Time<T>) -> Option<i32> {
        let unit = checked_pow(T::from(2), t.halvings)?;
        let (mut power, mut sum) = (T::one(), T::zero());
        for c in self.0.iter().rev() {
            sum = product(&sum, &t.numerator)?.checked_add(&product(c, &power)?)?;
            power = product(&power, &unit)?;
        }
        sum.signum().to_i32()
    }

    fn sturm_sequence(&self) -> Option<Vec<Self>> {
        let mut sequence = vec![self.clone(), self.derivative()?];
        while let [.., before, last] = &sequence[..]
            && !last.is_zero()
        {
            let next = before.divide(last)?.1;
            sequence.push(Self(next.0.into_iter().map(|c| -c).collect()));
        }
        Some(sequence)
    }
}

/// Number of different roots in (low, high], by Sturm; neither end is a multiple root.
fn count_roots<T: Integer>(
    sequence: &[Polynomial<T>],
    low: &Time<T>,
    high: &Time<T>,
) -> Option<usize> {
    let variations = |t: &Time<T>| {
        let signs: Vec<i32> = sequence.iter().map(|p| p.sign_at(t)).collect::<Option<_>>()?;
        let signs: Vec<i32> = signs.into_iter().filter(|&sign| sign != 0).collect();
        Some(signs.windows(2).filter(|pair| pair[0] != pair[1]).count())
    };
    Some(variations(low)? - variations(high)?)
}

impl<T: Integer> Time<T> {
    fn middle(&self, other: &Self) -> Option<Self> {
        let halvings = self.halvings.max(other.halvings);
        let numerator = |t: &Self| {
            (t.halvings..halvings).try_fold(t.numerator.clone(), |n, _| product(&n, &T::from(2)))
        };
        Some(Self {
            numerator: numerator(self)?.checked_add(&numerator(other)?)?,
            halvings: halvings + 1,
        })
    }

    fn is_before(&self, other: &Self) -> Option<bool> {
        let scaled =
            |t: &Self, by: &Self| product(&t.numerator, &checked_pow(T::from(2), by.halvings)?);
        Some(scaled(self, other)? < scaled(other, self)?)
    }
}

/// A finite number as a time.
pub fn time(number: f64) -> Time<BigInt> {
    let number = rational(number);
    let halvings = number.denom().bits() as usize - 1;
    Time { numerator: number.numer().clone(), halvings }
}

/// A polynomial whose sign is a condition.
#[derive(Clone)]
struct Condition<T> {
    polynomial: Polynomial<T>,
    /// Of the square-free polynomial with the same roots, once it is asked for.
    sequence: OnceCell<Vec<Polynomial<T>>>,
}

impl<T: Integer> Condition<T> {
    fn new(polynomial: Polynomial<T>) -> Self {
        Self { polynomial: Polynomial::primitive(polynomial.0), sequence: OnceCell::new() }
    }

    fn sturm_sequence(&self) -> Option<&Vec<Polynomial<T>>> {
        if self.sequence.get().is_none() && self.polynomial.0.len() > 1 {
            let sequence = self.polynomial.square_free()?.sturm_sequence()?;
            return Some(self.sequence.get_or_init(|| sequence));
        }
        Some(self.sequence.get_or_init(Vec::new))
    }
}

/// The only root in (low, high] of a square-free polynomial.
#[derive(Clone)]
struct Root<T> {
    sequence: Vec<Polynomial<T>>,
    low: Time<T>,
    high: Time<T>,
}

impl<T: Integer> Root<T> {
    /// All in [0, 1].
    fn all(p: &Condition<T>) -> Option<Vec<Self>> {
        if p.polynomial.0.len() <= 1 {
            return Some(Vec::new());
        }
        let sequence = p.sturm_sequence()?.clone();
        // From −1 on, so that 0 is inside.
        let end = |numerator: T| Time { numerator, halvings: 0 };
        let (before, start, stop) = (end(-T::one()), end(T::zero()), end(T::one()));
        let mut parts = vec![(start.clone(), stop)];
        let mut roots = Vec::new();
        while let Some((low, high)) = parts.pop() {
            match count_roots(&sequence, &low, &high)? {
                0 => {}
                1 => roots.push(Self { sequence: sequence.clone(), low, high }),
                _ => {
                    let middle = low.middle(&high)?;
                    parts.push((middle.clone(), high));
                    parts.push((low, middle));
                }
            }
        }
        if sequence[0].sign_at(&start)? == 0 {
            let mut low = before;
            while count_roots(&sequence, &low, &start)? > 1 {
                low = low.middle(&start)?;
            }
            roots.push(Self { sequence, low, high: start });
        }
        Some(roots)
    }

    fn sign(&self, q: &Condition<T>) -> Option<i32> {
        let (q, sequence) = (&q.polynomial, q.sturm_sequence()?);
        if q.0.len() <= 1 {
            return q.0.first().map_or(Some(0), |c| c.signum().to_i32());
        }
        if count_roots(sequence, &self.low, &self.high)? == 0 {
            return q.sign_at(&self.high);
        }
        let common = self.sequence[0].common_divisor(q)?;
        if common.0.len() > 1 && count_roots(&common.sturm_sequence()?, &self.low, &self.high)? == 1
        {
            return Some(0);
        }
        // Not a root, so the interval can be halved until it holds none of q.
        let (mut low, mut high) = (self.low.clone(), self.high.clone());
        while count_roots(sequence, &low, &high)? > 0 {
            let middle = low.middle(&high)?;
            if count_roots(&self.sequence, &low, &middle)? == 1 {
                high = middle;
            } else {
                low = middle;
            }
        }
        q.sign_at(&high)
    }
}

fn minus<T: Integer>(p: &Vector<T>, q: &Vector<T>) -> Option<Vector<T>> {
    let [x, y, z] = [0, 1, 2].map(|k| p[k].plus(&q[k], &-T::one()));
    Some([x?, y?, z?])
}

fn dot<T: Integer>(p: &Vector<T>, q: &Vector<T>) -> Option<Polynomial<T>> {
    let [x, y, z] = [0, 1, 2].map(|k| p[k].times(&q[k]));
    x?.plus(&y?, &T::one())?.plus(&z?, &T::one())
}

fn cross<T: Integer>(p: &Vector<T>, q: &Vector<T>) -> Option<Vector<T>> {
    let [x, y, z] = [(1, 2), (2, 0), (0, 1)]
        .map(|(i, j)| p[i].times(&q[j])?.plus(&p[j].times(&q[i])?, &-T::one()));
    Some([x?, y?, z?])
}

fn path<T: Integer>(point: &Moving) -> Vector<T> {
    [0, 1, 2].map(|k| {
        let step = point[1][k] - point[0][k];
        Polynomial::exact(vec![T::from(point[0][k]), T::from(step)])
    })
}

/// The contact conditions of a pair, all polynomials: in contact at a time iff (`area` is positive,
/// `height` zero, and no weight negative) or (`area` is zero, and for a point and a segment the moments
/// are zero and the product of the directions to the ends not positive).
struct Conditions<T> {
    height: Condition<T>,
    area: Condition<T>,
    weights: Vec<Condition<T>>,
    point_on_segment: Vec<([Condition<T>; 3], Condition<T>)>,
}

impl<T: Integer> Conditions<T> {
    fn new(points: &[Moving; 4], is_vertex_face: bool) -> Option<Self> {
        let points = [0, 1, 2, 3].map(|i| path(&points[i]));
        let on_segment = |p: usize, a: usize, b: usize| {
            let (from, to) = (minus(&points[a], &points[p])?, minus(&points[b], &points[p])?);
            Some((cross(&from, &to)?.map(Condition::new), Condition::new(dot(&from, &to)?)))
        };
        let less = |p: &Polynomial<T>, q: &Polynomial<T>| p.plus(q, &-T::one());
        if is_vertex_face {
            let [p, a, b, c] = &points;
            let (u, v, w) = (minus(b, a)?, minus(c, a)?, minus(p, a)?);
            let n = cross(&u, &v)?;
            let area = dot(&n, &n)?;
            let (second, third) = (dot(&cross(&w, &v)?, &n)?, dot(&cross(&u, &w)?, &n)?);
            let first = less(&less(&area, &second)?, &third)?;
            Some(Self {
                height: Condition::new(dot(&n, &w)?),
                area: Condition::new(area),
                weights: [first, second, third].map(Condition::new).into(),
                point_on_segment: vec![
                    on_segment(0, 1, 2)?,
                    on_segment(0, 2, 3)?,
                    on_segment(0, 3, 1)?,
                ],
            })
        } else {
            let [a, b, c, d] = &points;
            let (u, v, w) = (minus(b, a)?, minus(d, c)?, minus(c, a)?);
            let n = cross(&u, &v)?;
            let area = dot(&n, &n)?;
            let (s, r) = (dot(&cross(&w, &v)?, &n)?, dot(&cross(&w, &u)?, &n)?);
            Some(Self {
                height: Condition::new(dot(&n, &w)?),
                weights: [s.clone(), less(&area, &s)?, r.clone(), less(&area, &r)?]
                    .map(Condition::new)
                    .into(),
                area: Condition::new(area),
                point_on_segment: vec![
                    on_segment(0, 2, 3)?,
                    on_segment(1, 2, 3)?,
                    on_segment(2, 0, 1)?,
                    on_segment(3, 0, 1)?,
                ],
            })
        }
    }

    fn hold_at(&self, root: &Root<T>) -> Option<bool> {
        if root.sign(&self.area)? > 0 {
            if root.sign(&self.height)? != 0 {
                return Some(false);
            }
            for weight in &self.weights {
                if root.sign(weight)? < 0 {
                    return Some(false);
                }
            }
            return Some(true);
        }
        for (moments, directions) in &self.point_on_segment {
            let [x, y, z] = [0, 1, 2].map(|k| root.sign(&moments[k]));
            if [x?, y?, z?] == [0; 3] && root.sign(directions)? <= 0 {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Polynomials, none of them zero, such that contact begins at time 0 or a root of one of them.
    fn critical(&self) -> Vec<&Condition<T>> {
        // Sets in contact are coplanar, and then the height is zero.
        if !self.height.polynomial.is_zero() {
            return vec![&self.height];
        }
        // Whether all conditions hold changes only at such roots.
        let on_segments =
            self.point_on_segment.iter().flat_map(|(moments, dot)| moments.iter().chain([dot]));
        let all = self.weights.iter().chain([&self.area]).chain(on_segments);
        let mut different: Vec<&Condition<T>> = Vec::new();
        for p in all.filter(|p| !p.polynomial.is_zero()) {
            if different.iter().all(|known| known.polynomial != p.polynomial) {
                different.push(p);
            }
        }
        different
    }
}

/// A time of contact.
pub struct Contact {
    root: Root<BigInt>,
    /// The sign of the rate of the height.
    pub rate: i32,
}

impl Contact {
    /// Whether the time is before, at or after t.
    pub fn compare(&self, t: &Time<BigInt>) -> Ordering {
        let is_before = |a: &Time<BigInt>, b| a.is_before(b).expect("no overflow");
        let sign_at = |t| self.root.sequence[0].sign_at(t).expect("no overflow");
        if !is_before(&self.root.low, t) {
            Ordering::Greater
        } else if is_before(&self.root.high, t) {
            Ordering::Less
        } else if sign_at(t) == 0 {
            Ordering::Equal
        } else if sign_at(t) == sign_at(&self.root.high) {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }
}

/// Times of contact, among which is the earliest; none if there is no contact.
pub fn contacts(points: &[Moving; 4], is_vertex_face: bool) -> Vec<Contact> {
    contacts_in::<i128>(points, is_vertex_face)
        .or_else(|| contacts_in::<BigInt>(points, is_vertex_face))
        .expect("big integers do not overflow")
}

fn contacts_in<T: Integer>(points: &[Moving; 4], is_vertex_face: bool) -> Option<Vec<Contact>> {
    let conditions = Conditions::<T>::new(points, is_vertex_face)?;
    let rate = Condition::new(conditions.height.polynomial.derivative()?);
    let start = Condition::new(Polynomial(vec![T::zero(), T::one()]));
    let mut contacts = Vec::new();
    for polynomial in [&start].into_iter().chain(conditions.critical()) {
        for root in Root::all(polynomial)? {
            if conditions.hold_at(&root)? {
                let rate = root.sign(&rate)?;
                let big = |t: Time<T>| Time { numerator: t.numerator.into(), halvings: t.halvings };
                let polynomial =
                    |p: Polynomial<T>| Polynomial(p.0.into_iter().map(Into::into).collect());
                let sequence = root.sequence.into_iter().map(polynomial).collect();
                let root = Root { sequence, low: big(root.low), high: big(root.high) };
                contacts.push(Contact { root, rate });
            }
        }
    }
    Some(contacts)
}
