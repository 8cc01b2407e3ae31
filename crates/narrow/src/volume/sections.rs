//! The volume of a convex body by the areas of its sections.
//!
//! The square root of the area in which parallel planes cut a convex body is a concave function of their height (Brunn and Minkowski;
//! Gardner, *The Brunn–Minkowski inequality*, 2002). So between two heights it is above the chord, and below the chords beside it, if
//! they are continued. What is between these bounds is of the third power of the step; steps are halved where it is too much.

use std::f64::consts::PI;

use super::number::{Double, Number};
use super::{OverlapVolume, WIDTH};

/// A height, and the root of the area there between two bounds: the first is positive only if the plane meets the body.
#[derive(Clone, Copy)]
struct Section {
    height: f64,
    bounds: [f64; 2],
}

/// With more sections it takes too long.
const MOST: usize = 1 << 18;
/// No section is halved more often.
const PASSES: usize = 80;
/// More than the rounding of sums of that many numbers.
const ROUNDING: f64 = 1e-11;

/// The volume of a convex body by bounds of the areas of its sections. It is between the first and the last height, and its sections
/// are large about the one in the middle, or near this.
///
/// `None` if the area is 0 wherever it was tried.
pub(super) fn volume(
    [low, middle, high]: [f64; 3],
    area: impl Fn(f64) -> [f64; 2],
) -> Option<OverlapVolume> {
    let section = |height: f64| Section { height, bounds: area(height).map(f64::sqrt) };
    let is_inside = |height: f64| section(height).bounds[0] > 0.0;
    let is_outside = |height: f64| section(height).bounds[1] <= 0.0;
    let near =
        (1..60).flat_map(|k| [low, high].map(|end| middle + (end - middle) * libm::ldexp(1.0, -k)));
    let middle = std::iter::once(middle).chain(near).find(|&height| is_inside(height))?;
    let [first, last] = [low, high].map(|end| border([end, middle], is_inside)[1]);
    // A little beyond, as the bounds are not monotone up to rounding there.
    let outer = |end: f64, inner: f64| border([inner, end], is_outside)[1];
    let mut sections = vec![section(outer(low, first))];
    const STEPS: usize = 8;
    for (from, to) in [(first, middle), (middle, last)] {
        let part = |k: usize| from + (to - from) * k as f64 / STEPS as f64;
        sections.extend((0..STEPS).map(part).map(section));
    }
    sections.extend([section(last), section(outer(high, last))]);
    sections.dedup_by(|one, other| one.height <= other.height);
    let mut best = OverlapVolume { at_least: 0.0, at_most: f64::INFINITY };
    for _ in 0..PASSES {
        let parts: Vec<[f64; 2]> = (1..sections.len()).map(|k| part(&sections, k)).collect();
        let sum = |side: usize| parts.iter().map(|part| part[side]).sum::<f64>();
        best.at_least = best.at_least.max(sum(0) * (1.0 - ROUNDING));
        best.at_most = best.at_most.min(sum(1) * (1.0 + ROUNDING)).max(best.at_least);
        if best.is_narrow(0.5 * WIDTH) || sections.len() > MOST {
            break;
        }
        // Those that matter more than half of the mean.
        let unknown = (sum(1) - sum(0)).max(0.4 * WIDTH * best.at_least);
        let most = 0.5 * unknown / parts.len() as f64;
        let mut finer = Vec::with_capacity(2 * sections.len());
        for (k, pair) in sections.windows(2).enumerate() {
            finer.push(pair[0]);
            let middle = 0.5 * (pair[0].height + pair[1].height);
            let is_new = pair[0].height < middle && middle < pair[1].height;
            if is_new && parts[k][1] - parts[k][0] > most {
                finer.push(section(middle));
            }
        }
        finer.extend(sections.last());
        if finer.len() == sections.len() {
            break;
        }
        sections = finer;
    }
    Some(best)
}

/// Two neighbouring heights, where a property begins to hold: it holds at the second given height, and at the second that is returned.
fn border([mut from, mut to]: [f64; 2], has: impl Fn(f64) -> bool) -> [f64; 2] {
    if has(from) {
        return [from; 2];
    }
    for _ in 0..128 {
        let middle = 0.5 * (from + to);
        if middle == from || middle == to {
            break;
        }
        if has(middle) {
            to = middle;
        } else {
            from = middle;
        }
    }
    [from, to]
}

/// Bounds of the volume between two neighbours.
fn part(sections: &[Section], k: usize) -> [f64; 2] {
    let (one, other) = (sections[k - 1], sections[k]);
    let width = other.height - one.height;
    let at_least = match one.bounds[0] > 0.0 && other.bounds[0] > 0.0 {
        true => squares([one.bounds[0], other.bounds[0]], width),
        false => 0.0,
    };
    // By how much the root may grow from here, at most, for each of both ends.
    let before = k.checked_sub(2).map(|k| sections[k]);
    let slopes = [(before, one), (sections.get(k + 1).copied(), other)].map(|(beyond, here)| {
        let beyond = beyond.filter(|beyond| beyond.bounds[0] > 0.0 && here.bounds[0] > 0.0)?;
        Some((here.bounds[1] - beyond.bounds[0]) / (here.height - beyond.height).abs())
    });
    let line = |end: Section, slope: Option<f64>| {
        slope.map_or(f64::INFINITY, |slope| {
            squares([end.bounds[1], (end.bounds[1] + slope * width).max(0.0)], width)
        })
    };
    let mut at_most = line(one, slopes[0]).min(line(other, slopes[1]));
    if let [Some(rise), Some(fall)] = slopes {
        let place = (other.bounds[1] + fall * width - one.bounds[1]) / (rise + fall);
        if place > 0.0 && place < width {
            let top = (one.bounds[1] + rise * place).max(0.0);
            let both = squares([one.bounds[1], top], place)
                + squares([top, other.bounds[1]], width - place);
            at_most = at_most.min(both * (1.0 + 1e-15));
        }
    }
    [at_least, at_most.max(at_least)]
}

/// The integral of the square of a linear function over a width.
fn squares([p, q]: [f64; 2], width: f64) -> f64 {
    width / 3.0 * (p * p + p * q + q * q)
}

/// Bounds of the area that two discs have in common, by bounds of their radii and the square of the distance of their centers.
pub(super) fn lens(radii: [[Double; 2]; 2], square: &Double) -> [f64; 2] {
    const FACTOR: f64 = 1e-14;
    let [low, high] = [0, 1].map(|side| lens_of([&radii[0][side], &radii[1][side]], square)[side]);
    [low * (1.0 - FACTOR), high * (1.0 + FACTOR)]
}

/// The area for radii that are known, by bounds of the depth.
///
/// At the distance d the disc with radius a has a segment of the height h = (b + a − d)(b + d − a) / 2d, and of the angle
/// 4 asin √(h / 2a). The factors have twice the digits of f64.
fn lens_of([a, b]: [&Double; 2], square: &Double) -> [f64; 2] {
    let (r, s) = (a.rounded(), b.rounded());
    if r <= 0.0 || s <= 0.0 {
        return [0.0; 2];
    }
    let all = PI * r.min(s) * r.min(s);
    let distance = root(square);
    let beyond = [(a, b), (b, a)].map(|(a, b)| b.add(&distance).sub(a).rounded());
    let [low, high] = a.add(b).sub(&distance).bounds();
    let rounding = 1e-30 * (r + s);
    let depth = [low - rounding, high + rounding];
    if beyond[0] <= 0.0 || beyond[1] <= 0.0 || distance.rounded() <= 0.0 {
        return if depth[1] <= 0.0 { [0.0; 2] } else { [all; 2] };
    }
    depth.map(|depth| {
        if depth <= 0.0 {
            return 0.0;
        }
        let segment = |radius: f64, beyond: f64| {
            let part = depth * beyond / (4.0 * distance.rounded() * radius);
            radius * radius * super::inscribed::segment(4.0 * libm::asin(part.min(1.0).sqrt()))
        };
        (segment(r, beyond[0]) + segment(s, beyond[1])).min(all)
    })
}

/// The root of a number, up to a part of 1e-31: by one step of Newton's method.
pub(super) fn root(square: &Double) -> Double {
    let near = square.rounded().max(0.0).sqrt();
    if near == 0.0 {
        return Double::of(0.0);
    }
    let near_squared = Double::of(near).mul(&Double::of(near));
    Double::of(near).add(&square.sub(&near_squared).div(&Double::of(2.0 * near)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(radius: f64) -> [Double; 2] {
        [Double::of(radius); 2]
    }

    #[test]
    fn common_areas_of_discs_are_between_their_bounds() {
        let check = |a: f64, b: f64, d: f64, exact: f64| {
            let [low, high] = lens([known(a), known(b)], &Double::of(d).mul(&Double::of(d)));
            assert!(low <= exact * (1.0 + 1e-14) && exact * (1.0 - 1e-14) <= high, "{low} {exact}");
            assert!(high - low <= 1e-13 * exact + 1e-40, "{low} {high}");
        };
        check(1.0, 1.0, 1.0, 2.0 * PI / 3.0 - 0.75_f64.sqrt());
        check(1.0, 3.0, 2.0, PI);
        check(1.0, 3.0, 1.0, PI);
        check(2.0, 2.0, 0.0, 4.0 * PI);
        // Nearly the same: a strip of the width d is missing.
        let small = 2.0_f64.powi(-30);
        check(1.0, 1.0, small, PI - 2.0 * small);
        check(1.0, 1.0, 2.0, 0.0);
        // Thin: 2 (θ − sin θ) / 2 for the angle θ = 4 asin √(h/2).
        let depth = 2.0_f64.powi(-20);
        let angle = 4.0 * (0.25 * depth).sqrt().asin();
        let square = angle * angle;
        let exact = angle * square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0));
        check(1.0, 1.0, 2.0 - depth, exact);
        // The right angle of a triangle 3, 4, 5.
        let exact = 9.0 * 0.8_f64.asin() + 16.0 * 0.6_f64.asin() - 12.0;
        check(3.0, 4.0, 5.0, exact);
    }

    #[test]
    fn volumes_are_between_bounds_by_sections() -> Result<(), &'static str> {
        // A ball, and a box.
        let exact_area = |z: f64| [PI * (1.0 - z * z).max(0.0); 2];
        let ball = volume([-2.0, 0.25, 1.5], exact_area).ok_or("no ball")?;
        let exact = 4.0 / 3.0 * PI;
        assert!(ball.at_least <= exact && exact <= ball.at_most, "{ball:?} {exact}");
        assert!(ball.is_narrow(WIDTH), "{ball:?}");
        let slab = |z: f64| if (0.25..=1.0).contains(&z) { [2.0; 2] } else { [0.0; 2] };
        let slab = volume([0.0, 0.3, 5.0], slab).ok_or("no box")?;
        assert!(slab.at_least <= 1.5 && 1.5 <= slab.at_most && slab.is_narrow(WIDTH), "{slab:?}");
        Ok(())
    }
}
