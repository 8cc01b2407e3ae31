//! Boolean Gilbert–Johnson–Keerthi: does the set of differences hold the origin?
//!
//! Source: Gilbert, Johnson and Keerthi 1988; Chung 1996, 5.1 to 5.4; with an early out as soon as
//! a direction separates (van den Bergen 1999).
//!
//! The next direction is never the computed nearest point. Near contact that point is a small
//! difference of large numbers and its direction is noise: of searches along it, 80 % go wrong at a
//! gap of 1e-10. A triangle's normal, and for a segment the nearest point made orthogonal to the
//! segment once more, keep their direction however near the origin is.

use super::contact_certificate::ContactCertificate;
use super::pair::Pair;
use super::search_result::SearchResult;
use super::simplex::Simplex;
use super::vector::{Vector, cross, dot, negated, scaled, square, sub, unit};

/// The most steps: random pairs take fewer than ten, touching ones some twenty.
const MOST_STEPS: u32 = 64;

/// Continues from a simplex of [shifted](ContactCertificate::shift) differences, which may be empty: then it
/// begins with `direction`. Leaves the simplex, the direction and the vertices where it ended.
pub(crate) fn search(
    pair: &mut Pair<'_>,
    inset: Option<&ContactCertificate>,
    simplex: &mut Simplex,
    direction: &mut Vector,
    ends: &mut [u32; 2],
) -> SearchResult {
    search_by(pair, inset, simplex, direction, ends, Simplex::reduce)
}

/// The same with a way to reduce the simplex.
#[inline]
pub(crate) fn search_by(
    pair: &mut Pair<'_>,
    inset: Option<&ContactCertificate>,
    simplex: &mut Simplex,
    direction: &mut Vector,
    ends: &mut [u32; 2],
    reduce: impl Fn(&mut Simplex) -> Option<Vector>,
) -> SearchResult {
    let shift = inset.map_or([0.0; 3], |inset| inset.shift);
    let contact = |pair: &Pair<'_>, simplex: &Simplex| {
        let point = inset.and_then(|inset| inset.common_point(pair, simplex));
        point.map_or(SearchResult::Inconclusive, SearchResult::Intersecting)
    };
    if !simplex.is_empty() {
        match reduce(simplex) {
            Some(nearest) => *direction = towards_origin(simplex, nearest),
            None => return contact(pair, simplex),
        }
    }
    for _ in 0..MOST_STEPS {
        let probe = pair.probe(*direction, *ends);
        *ends = probe.ends;
        if probe.gap > 0.0 {
            let plane = pair.apart(*direction, &probe);
            return plane.map_or(SearchResult::Direction(*direction), SearchResult::Separated);
        }
        let point = sub(probe.difference, shift);
        // The insets are apart, or the search makes no progress: within rounding of touching.
        if dot(*direction, point) > 0.0 || !simplex.push(point, probe.ends) {
            return SearchResult::Inconclusive;
        }
        let Some(nearest) = reduce(simplex) else { return contact(pair, simplex) };
        if !simplex.ends().contains(&probe.ends) {
            return SearchResult::Inconclusive;
        }
        *direction = towards_origin(simplex, nearest);
    }
    SearchResult::Inconclusive
}

/// The direction along which the points of the simplex are nearest to the origin: from the origin
/// to its nearest point, found in a way that stays sharp when that point is almost the origin.
#[inline]
pub(crate) fn towards_origin(simplex: &Simplex, nearest: Vector) -> Vector {
    match *simplex.points() {
        [a, b, c] => {
            let normal = cross(sub(b, a), sub(c, a));
            if square(normal) == 0.0 {
                nearest
            } else if dot(normal, a) >= 0.0 {
                normal
            } else {
                negated(normal)
            }
        }
        [a, b] => {
            let line = sub(b, a);
            match unit(nearest) {
                Some(nearest) => {
                    let along = dot(nearest, line) / square(line);
                    sub(nearest, scaled(line, along))
                }
                None => Pair::across(line),
            }
        }
        _ if square(nearest) > 0.0 => nearest,
        _ => UNLIKELY,
    }
}

/// Where there is nothing to go by: two vertices coincide.
const UNLIKELY: Vector = [0.36, 0.48, 0.8];
