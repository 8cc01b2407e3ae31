//! The first stage: intervals of time, from the left, each decided by signs in f64 with proven bounds.
//!
//! A polynomial whose Bernstein coefficients over an interval all have one sign has that sign on the
//! interval. An interval is discarded if D has one sign there, or the areas forbid contact along one
//! axis. It contains the earliest contact if D is monotone and changes its sign, and the areas prove
//! contact whenever D is zero. Else it is cut around the root of D, or halved.
//!
//! # The bounds
//!
//! Write ε = 2⁻⁵³ and η = 2⁻¹⁰⁷⁵; a rounded operation gives (x ∘ y)(1 + δ) + θ with |δ| ≤ ε and |θ| ≤
//! η, θ = 0 for sums. Let mᵢ be the greatest computed |coordinate| of A, B, C at both ends on axis i.
//!
//! *Volume.* A coefficient of D is a mean of products of three coordinates: 6 products for the first
//! and the last, for the others (A₁·Y₀ + 2A₀·Y₁)/3 and the like with 18 products. Each passes at most
//! eleven roundings: three differences, product, difference, sum of two crosses (halving and doubling
//! are exact), product, two sums of the dot product, sum, division. So the error is at most 11.01ε ·
//! 6m₀m₁m₂ = 66.1ε m₀m₁m₂. Restriction to an interval takes means of means of means, each a(1 − t) +
//! bt with three roundings a term: nine in all, 9.01ε · 6m₀m₁m₂ = 54.1ε m₀m₁m₂ more. [`VOLUME`] = 128ε
//! exceeds the sum 120.2ε by more than the rounding of the bound. The difference of two coefficients
//! is off by twice that and one rounding of at most 12m₀m₁m₂: 252.4ε, below 2 · 128ε.
//!
//! *Area.* A coefficient of X, Y, Z passes five roundings (two differences, product, difference, sum),
//! on 2mᵢmⱼ: 10.1ε mᵢmⱼ; restriction adds six, 12.1ε mᵢmⱼ. [`AREA`] = 32ε exceeds the sum. Of X + Y +
//! Z the coefficients are off by 3 · 10.1ε and two roundings of at most 6mᵢmⱼ, and restriction adds
//! 6.01ε · 6mᵢmⱼ: 78.5ε, below 4 · 32ε.
//!
//! *Underflow.* Fewer than 2¹⁰ products are rounded; their θ are multiplied by at most one mᵢ (a
//! product of two in a cross) or by weights below 1. So ρ(1 + Σm), ρ = 2⁵³η, exceeds what they add,
//! and the underflow in the bound.
//!
//! *Overflow.* No mᵢ exceeds 10¹⁰⁰, or the next stage decides. Infinite differences fail this
//! test.
//!
//! Interval ends are what they are: rounding them moves no time of contact, and the intervals leave no
//! gap.

use super::{ContactKind, Feature, PrimitivePair, TimeInterval};
use crate::Point;

/// Bound on the error of D, 128ε.
const VOLUME: f64 = 1.0 / (1u64 << 46) as f64;
/// Bound on the error of an area, 32ε.
const AREA: f64 = 1.0 / (1u64 << 48) as f64;
/// ρ, the guard against underflow.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;
/// Greatest size for which no product overflows.
const LARGEST: f64 = 1e100;
/// Bound on the number of intervals that are looked at.
const INTERVALS: usize = 32;
/// Bound on the number of intervals that wait.
const STACK: usize = 16;
/// Intervals narrower than this are not halved.
const NARROWEST: f64 = 1.0 / 64.0;

/// What f64 can tell.
pub(super) enum Filtered {
    Apart,
    /// At the only root of D in the interval, at whose ends D has opposite signs.
    Contact(TimeInterval, ContactKind),
    Undecided,
}

/// Bernstein coefficients over [0, 1] of a quadratic and a cubic polynomial.
type Quadratic = [f64; 3];
type Cubic = [f64; 4];

/// The three vectors at both ends, rounded.
struct Vectors {
    feature: Feature,
    start: [Point; 3],
    end: [Point; 3],
    /// Above the absolute coordinates, for each axis.
    size: Point,
}

/// Whether one set is beyond the other on an axis, at the start and at the end on the same side. Then it
/// is all the time, as differences of coordinates are linear.
fn apart_on_axis(pair: &PrimitivePair, axis: usize) -> bool {
    let [s, e] = [&pair.start, &pair.end].map(|points| points.map(|p| p[axis]));
    let (low, high) = match pair.feature {
        Feature::VertexFace => {
            let (low, high) = (s[1].min(s[2]).min(s[3]), s[1].max(s[2]).max(s[3]));
            let (low_end, high_end) = (e[1].min(e[2]).min(e[3]), e[1].max(e[2]).max(e[3]));
            (s[0] < low && e[0] < low_end, s[0] > high && e[0] > high_end)
        }
        Feature::EdgeEdge => (
            s[0].max(s[1]) < s[2].min(s[3]) && e[0].max(e[1]) < e[2].min(e[3]),
            s[0].min(s[1]) > s[2].max(s[3]) && e[0].min(e[1]) > e[2].max(e[3]),
        ),
    };
    low || high
}

/// Searches [0, `until`] for the earliest contact, in an interval as narrow as `width` if f64 can tell.
#[inline]
pub(super) fn filter(pair: &PrimitivePair, until: f64, width: f64) -> Filtered {
    if (0..3).any(|axis| apart_on_axis(pair, axis)) {
        return Filtered::Apart;
    }
    let vectors = Vectors::new(pair);
    if !vectors.size.iter().all(|&size| size <= LARGEST) {
        return Filtered::Undecided;
    }
    Search::new(&vectors).earliest(until, width)
}

impl Vectors {
    #[inline]
    fn new(pair: &PrimitivePair) -> Self {
        let from_first = |points: &[Point; 4]| {
            let [origin, rest @ ..] = points;
            rest.map(|p| [0, 1, 2].map(|k| p[k] - origin[k]))
        };
        let (start, end) = (from_first(&pair.start), from_first(&pair.end));
        let size = [0, 1, 2].map(|k| {
            let greatest = |v: &[Point; 3]| v[0][k].abs().max(v[1][k].abs()).max(v[2][k].abs());
            greatest(&start).max(greatest(&end))
        });
        Self { feature: pair.feature, start, end, size }
    }

    /// A coordinate of the cross product of two vectors.
    #[inline]
    fn cross(&self, u: usize, v: usize, axis: usize) -> Quadratic {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let minor = |p: &[Point; 3], q: &[Point; 3]| p[u][j] * q[v][k] - p[u][k] * q[v][j];
        let (start, end) = (&self.start, &self.end);
        let middle = minor(start, end) + minor(end, start);
        [minor(start, start), 0.5 * middle, minor(end, end)]
    }

    /// D, from the coordinates of Y = B × C.
    #[inline]
    fn volume(&self, y: &[Quadratic; 3]) -> Cubic {
        let dot = |a: &Point, i: usize| a[0] * y[0][i] + a[1] * y[1][i] + a[2] * y[2][i];
        let (start, end) = (&self.start[0], &self.end[0]);
        [
            dot(start, 0),
            (dot(end, 0) + 2.0 * dot(start, 1)) / 3.0,
            (dot(start, 2) + 2.0 * dot(end, 1)) / 3.0,
            dot(end, 2),
        ]
    }
}

/// What is known of an interval of time.
enum OnInterval {
    Apart,
    Together,
    Unknown,
}

/// Part of [0, 1].
#[derive(Clone, Copy)]
struct Part {
    lo: f64,
    hi: f64,
    /// Whether D is known to rise or to fall throughout.
    is_monotone: bool,
}

struct Search<'v> {
    vectors: &'v Vectors,
    y: [Quadratic; 3],
    volume: Cubic,
    bound: f64,
}

impl<'v> Search<'v> {
    fn new(vectors: &'v Vectors) -> Self {
        let y = [0, 1, 2].map(|axis| vectors.cross(1, 2, axis));
        let [a, b, c] = vectors.size;
        let bound = VOLUME * a * b * c + UNDERFLOW * (1.0 + a + b + c);
        Self { vectors, y, volume: vectors.volume(&y), bound }
    }

    fn earliest(&self, until: f64, asked: f64) -> Filtered {
        let mut stack = [Part { lo: 0.0, hi: until, is_monotone: false }; STACK];
        let mut height = 1;
        for _ in 0..INTERVALS {
            if height == 0 {
                return Filtered::Apart;
            }
            height -= 1;
            let mut part = stack[height];
            let volume = restrict_cubic(&self.volume, part.lo, part.hi);
            if constant_sign(&volume, self.bound) != 0 {
                continue;
            }
            let on_part = self.on_part(&part);
            if matches!(on_part, OnInterval::Apart) {
                continue;
            }
            let steps = [0, 1, 2].map(|i| volume[i + 1] - volume[i]);
            let trend = constant_sign(&steps, 2.0 * self.bound);
            part.is_monotone |= trend != 0;
            let width = part.hi - part.lo;
            if height + 3 > STACK {
                return Filtered::Undecided;
            }
            let mut push = |lo: f64, hi: f64| {
                if lo < hi {
                    stack[height] = Part { lo, hi, ..part };
                    height += 1;
                }
            };
            if part.is_monotone {
                let changes = volume[0].abs().min(volume[3].abs()) > self.bound
                    && volume[0] * volume[3] < 0.0;
                let touches = changes && matches!(on_part, OnInterval::Together);
                let contact = || {
                    let rises = volume[0] < 0.0;
                    let kind = if rises { ContactKind::Incoming } else { ContactKind::Outgoing };
                    Filtered::Contact(TimeInterval { lo: part.lo, hi: part.hi }, kind)
                };
                if touches && width <= asked {
                    return contact();
                }
                let (root, slope) = monotone_root(&volume);
                let reach = width * (16.0 * self.bound / slope.abs()) + 1e-15;
                if reach.is_nan() || reach >= 0.125 * width {
                    return if touches { contact() } else { Filtered::Undecided };
                }
                let root = part.lo + width * root;
                let (low, high) = (root - reach, root + reach);
                push(high.max(part.lo), part.hi);
                push(low.max(part.lo), high.min(part.hi));
                push(part.lo, low.min(part.hi));
            } else if width > NARROWEST {
                let middle = 0.5 * (part.lo + part.hi);
                push(middle, part.hi);
                push(part.lo, middle);
            } else {
                return Filtered::Undecided;
            }
        }
        if height == 0 { Filtered::Apart } else { Filtered::Undecided }
    }

    /// Whether the sets are apart all the time, or together whenever D is zero.
    fn on_part(&self, part: &Part) -> OnInterval {
        for axis in 0..3 {
            let [x, y, z] =
                [self.vectors.cross(0, 1, axis), self.y[axis], self.vectors.cross(2, 0, axis)];
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            let (a, b) = (self.vectors.size[j], self.vectors.size[k]);
            let bound = AREA * a * b + UNDERFLOW * (1.0 + a + b);
            let sign = |area: &Quadratic, bound| {
                constant_sign(&restrict_quadratic(area, part.lo, part.hi), bound)
            };
            let [sx, sy, sz] = [&x, &y, &z].map(|area| sign(area, bound));
            match self.vectors.feature {
                Feature::VertexFace => {
                    if sx * sy < 0 || sy * sz < 0 || sz * sx < 0 {
                        return OnInterval::Apart;
                    }
                    if sx * sy > 0 && sy * sz > 0 {
                        return OnInterval::Together;
                    }
                }
                Feature::EdgeEdge => {
                    let sum = [0, 1, 2].map(|i| x[i] + y[i] + z[i]);
                    let sum = sign(&sum, 4.0 * bound);
                    if sx * sz < 0 || sy * sum > 0 {
                        return OnInterval::Apart;
                    }
                    if sx * sz > 0 && sy * sum < 0 {
                        return OnInterval::Together;
                    }
                }
            }
        }
        OnInterval::Unknown
    }
}

/// 1 or −1 if all coefficients are above the bound or below minus it, so that the polynomial has that
/// sign on the whole interval; else 0.
#[inline]
fn constant_sign<const N: usize>(coefficients: &[f64; N], bound: f64) -> i32 {
    let positive = coefficients.iter().all(|&c| c > bound);
    let negative = coefficients.iter().all(|&c| c < -bound);
    i32::from(positive) - i32::from(negative)
}

#[inline]
fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a * (1.0 - t) + b * t
}

/// Coefficients over [lo, hi]: values of the polar form (blossom) at (lo, lo), (lo, hi), (hi, hi).
#[inline]
fn restrict_quadratic(c: &Quadratic, lo: f64, hi: f64) -> Quadratic {
    let first = |t| [lerp(c[0], c[1], t), lerp(c[1], c[2], t)];
    let (at_lo, at_hi) = (first(lo), first(hi));
    [lerp(at_lo[0], at_lo[1], lo), lerp(at_lo[0], at_lo[1], hi), lerp(at_hi[0], at_hi[1], hi)]
}

#[inline]
fn restrict_cubic(c: &Cubic, lo: f64, hi: f64) -> Cubic {
    let first = |t| [lerp(c[0], c[1], t), lerp(c[1], c[2], t), lerp(c[2], c[3], t)];
    let second = |p: &[f64; 3], t| [lerp(p[0], p[1], t), lerp(p[1], p[2], t)];
    let (at_lo, at_hi) = (first(lo), first(hi));
    let (lo_lo, lo_hi, hi_hi) = (second(&at_lo, lo), second(&at_lo, hi), second(&at_hi, hi));
    [
        lerp(lo_lo[0], lo_lo[1], lo),
        lerp(lo_lo[0], lo_lo[1], hi),
        lerp(lo_hi[0], lo_hi[1], hi),
        lerp(hi_hi[0], hi_hi[1], hi),
    ]
}

/// About where in [0, 1] a monotone cubic is zero, or comes nearest, and its slope there.
#[inline]
fn monotone_root(c: &Cubic) -> (f64, f64) {
    let rising = c[3] > c[0];
    let (mut low, mut high) = (0.0, 1.0);
    let mut time = (c[0] / (c[0] - c[3])).clamp(0.0, 1.0);
    let mut slope = c[3] - c[0];
    for _ in 0..12 {
        let first = [0, 1, 2].map(|i| lerp(c[i], c[i + 1], time));
        let second = [0, 1].map(|i| lerp(first[i], first[i + 1], time));
        let value = lerp(second[0], second[1], time);
        slope = 3.0 * (second[1] - second[0]);
        if (value < 0.0) == rising {
            low = time;
        } else {
            high = time;
        }
        let newton = time - value / slope;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        if (next - time).abs() < 1e-15 {
            break;
        }
        time = next;
    }
    (time, slope)
}
