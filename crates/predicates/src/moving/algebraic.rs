//! The exact stage: the earliest contact by signs of integer polynomials at their roots.

use num_bigint::BigInt;

use super::polynomial::Polynomial;
use super::root::{Root, square_free};
use super::{ContactKind, Feature, MotionContact, PrimitivePair, TimeInterval};
use crate::Sign;
use crate::exact::as_integers;

type Vector = [Polynomial; 3];

/// The three vectors of a pair as polynomials in the time, each axis multiplied by a power of two
/// that makes all coefficients integers; no sign depends on it.
pub(super) struct Motion {
    feature: Feature,
    vectors: [Vector; 3],
}

/// Which of the three cross products of neighbouring vectors.
const CROSS: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

impl Motion {
    pub(super) fn new(pair: &PrimitivePair) -> Self {
        let axes = [0, 1, 2].map(|axis| {
            let [start, end] = [&pair.start, &pair.end].map(|points| points.map(|p| p[axis]));
            let [a, b, c, d, e, f, g, h] = as_integers([
                start[0], start[1], start[2], start[3], end[0], end[1], end[2], end[3],
            ]);
            let (start, end) = ([&b, &c, &d], [&f, &g, &h]);
            [0, 1, 2].map(|i| {
                let (from, to): (BigInt, BigInt) = (start[i] - &a, end[i] - &e);
                let speed = to - &from;
                Polynomial::new(vec![from, speed])
            })
        });
        let vectors = [0, 1, 2].map(|i| [0, 1, 2].map(|axis: usize| axes[axis][i].clone()));
        Self { feature: pair.feature, vectors }
    }

    fn component(&self, vector: usize, axis: usize) -> &Polynomial {
        &self.vectors[vector][axis]
    }

    /// A coordinate of X = A × B, Y = B × C or Z = C × A.
    fn cross(&self, product: usize, axis: usize) -> Polynomial {
        let (u, v) = CROSS[product];
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let first = self.component(u, j) * self.component(v, k);
        let second = self.component(u, k) * self.component(v, j);
        &first - &second
    }

    /// X, Y, Z, and for two edges their sum: each is zero iff the three points of which it is twice
    /// the area are collinear as projected along the axis.
    fn areas(&self, axis: usize) -> Vec<Polynomial> {
        let mut areas: Vec<Polynomial> = (0..3).map(|product| self.cross(product, axis)).collect();
        if self.feature == Feature::EdgeEdge {
            areas.push(&(&areas[0] + &areas[1]) + &areas[2]);
        }
        areas
    }

    /// D = A · (B × C).
    pub(super) fn volume(&self) -> Polynomial {
        let [x, y, z] = [0, 1, 2].map(|axis| self.component(0, axis) * &self.cross(1, axis));
        &(&x + &y) + &z
    }

    /// The differences of points of one set and points of the other; the sets have no common
    /// coordinate on an axis iff all differences have the same sign there.
    fn differences(&self, axis: usize) -> Vec<Polynomial> {
        let [a, b, c] = [0, 1, 2].map(|vector| self.component(vector, axis));
        match self.feature {
            Feature::VertexFace => vec![a.clone(), b.clone(), c.clone()],
            Feature::EdgeEdge => vec![b.clone(), c.clone(), b - a, c - a],
        }
    }

    /// Whether the closed sets have a common point at a time when the four points are coplanar.
    fn touch_at(&self, root: &Root<'_>) -> bool {
        for axis in 0..3 {
            let sign = |product| root.sign_of(&self.cross(product, axis));
            let signs = match self.feature {
                Feature::VertexFace => {
                    let [x, y, z] = [sign(0), sign(1), sign(2)];
                    if opposite(x, y) || opposite(y, z) || opposite(z, x) {
                        return false;
                    }
                    [x, y, z]
                }
                Feature::EdgeEdge => {
                    let (x, z) = (sign(0), sign(2));
                    if opposite(x, z) {
                        return false;
                    }
                    let [y, sum] = [1, 3].map(|i| root.sign_of(&self.areas(axis)[i]));
                    if opposite(y, -sum) {
                        return false;
                    }
                    [x, Sign::Zero, z]
                }
            };
            // The plane of the four points projects one to one along this axis.
            if signs.iter().any(|sign| !sign.is_zero()) {
                return true;
            }
        }
        // All points are on one line, or one set is a point on the line of the other.
        (0..3).all(|axis| {
            let mut signs = self.differences(axis).into_iter().map(|d| root.sign_of(&d));
            let first = signs.next().unwrap_or(Sign::Zero);
            first.is_zero() || signs.any(|sign| sign != first)
        })
    }

    /// The earliest contact in [0, `until`].
    pub(super) fn earliest(&self, until: f64, width: f64) -> Option<MotionContact> {
        let volume = self.volume();
        if volume.is_zero() {
            return self.earliest_in_plane(until, width);
        }
        let simple = square_free(&volume);
        for mut root in Root::isolate(&simple, until) {
            root.approach();
            if self.touch_at(&root) {
                let kind = ContactKind::of(root.sign_of(&volume.derivative()));
                return Some(MotionContact { time: root.enclose(width), kind });
            }
        }
        None
    }

    /// The earliest contact if the four points are always coplanar: at time 0, or when three of them
    /// become collinear, or two equal that are always collinear with a third.
    fn earliest_in_plane(&self, until: f64, width: f64) -> Option<MotionContact> {
        let contact = |time| MotionContact { time, kind: ContactKind::Sliding };
        let start = Polynomial::new(vec![0.into(), 1.into()]);
        if Root::isolate(&start, until).first().is_some_and(|root| self.touch_at(root)) {
            return Some(contact(TimeInterval { lo: 0.0, hi: 0.0 }));
        }
        let areas = [0, 1, 2].map(|axis| self.areas(axis));
        let mut candidates: Vec<&Polynomial> = Vec::new();
        let differences = [0, 1, 2].map(|axis| self.differences(axis));
        let mut is_linear = false;
        for i in 0..areas[0].len() {
            let changing = areas.iter().map(|of_axis| &of_axis[i]).find(|area| !area.is_zero());
            is_linear |= changing.is_none();
            candidates.extend(changing);
        }
        if is_linear {
            for i in 0..differences[0].len() {
                candidates
                    .extend(differences.iter().map(|of_axis| &of_axis[i]).find(|d| !d.is_zero()));
            }
        }
        let mut earliest: Option<TimeInterval> = None;
        for candidate in candidates {
            let simple = square_free(candidate);
            let mut roots = Root::isolate(&simple, until);
            roots.iter_mut().for_each(Root::approach);
            if let Some(root) = roots.iter_mut().find(|root| self.touch_at(root)) {
                let time = root.enclose(width);
                earliest = Some(earliest.map_or(time, |other| other.earlier(time)));
            }
        }
        earliest.map(contact)
    }

    /// The contact at the only root of D in an interval, narrowed.
    pub(super) fn narrowed(&self, contact: MotionContact, width: f64) -> MotionContact {
        let volume = self.volume();
        let time = Root::between(&volume, contact.time).enclose(width);
        MotionContact { time, ..contact }
    }
}

fn opposite(a: Sign, b: Sign) -> bool {
    (a * b).is_negative()
}
