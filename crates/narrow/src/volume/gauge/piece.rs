//! What is known of the greatest of some gauges in a triangle of directions.
//!
//! The triangle is cut along the lines where one gauge begins to be greater than another one, or where rays begin to leave a body through
//! another feature. These lines are straight up to the square of the triangle's size. In each piece the gauge of one feature
//! is integrated by Gauss's rule. By how much others may be greater in it, and where, follows from bounds of second derivatives of
//! differences, which are small where surfaces nearly coincide.

use xcollide_math::vector::{add, cross, dot, length, scale, sub};

use super::atom::Atom;
use super::gauss::{Rules, good_rule};
use super::quadric::{Around, Quadric};

pub(super) type Triangle = [[f64; 3]; 3];

/// The features through which rays leave the bodies that have some, about.
pub(super) type Hints = [u32; 2];

/// A triangle is cut at most so often.
const CUTS: usize = 4;

/// Divides triangles into pieces.
pub(super) struct Pieces<'a> {
    atoms: &'a [Atom],
    rules: Rules,
}

/// A triangle in which the gauge of one feature is integrated.
pub(super) struct Piece {
    corners: Triangle,
    atom: usize,
    feature: u32,
    /// Of Gauss.
    rule: usize,
    /// By the gauge in the middle.
    pub(super) volume: f64,
    /// What may be missing in the volume, or be too much.
    pub(super) error: f64,
}

/// A triangle and its sizes.
struct Place {
    corners: Triangle,
    sides: Triangle,
    center: [f64; 3],
    /// No corner is farther from the center.
    radius: f64,
    /// A function whose second derivatives are at most b differs from the linear one by at most b times this.
    sag: f64,
    /// No less than what the rounding of its corners changes the determinant.
    rounding: f64,
}

/// What is known of a feature's gauge in a triangle.
struct Known<'a> {
    atom: &'a Atom,
    number: usize,
    feature: u32,
    quadric: &'a Quadric,
    around: Around,
    corners: [f64; 3],
    /// How much it differs from a linear function at most.
    sag: f64,
}

/// A line along which a triangle can be cut: where one atom's gauge is as great as another one's, or at a border of a feature.
#[derive(Clone, Copy, PartialEq)]
enum Line {
    Gauges(usize, usize),
    Border { atom: usize, feature: u32, border: usize },
}

/// The best line to cut at: by the error that is there without it, and a function's values at the corners that is 0 on it.
struct Cut {
    line: Line,
    error: f64,
    values: [f64; 3],
}

impl<'a> Pieces<'a> {
    pub(super) fn new(atoms: &'a [Atom]) -> Self {
        Self { atoms, rules: Rules::new() }
    }

    /// The volume of a piece.
    pub(super) fn volume(&self, piece: &Piece) -> f64 {
        let quadric = self.atoms[piece.atom].feature(piece.feature);
        let [p, q, r] = piece.corners;
        let sixth = determinant(&piece.corners) / 6.0;
        if quadric.is_plane() {
            return sixth / (quadric.at(p) * quadric.at(q) * quadric.at(r));
        }
        let (along, across) = (sub(q, p), sub(r, q));
        let nodes = self.rules.nodes(piece.rule).iter();
        let terms = nodes.map(|node| {
            let [u, v] = node.place;
            let gauge = quadric.at(add(p, scale(add(along, scale(across, v)), u)));
            node.weight / (gauge * gauge * gauge)
        });
        sixth * terms.sum::<f64>()
    }

    /// The pieces of a triangle in which some atoms' gauges may be greatest, by bits; sets those that still may be. Where
    /// features are is known better after.
    pub(super) fn each(
        &self,
        corners: Triangle,
        (hints, active): (&mut Hints, u32),
        still: &mut u32,
        found: &mut impl FnMut(Piece),
    ) {
        self.cut(corners, (hints, active), &mut Vec::new(), still, found);
    }

    fn cut(
        &self,
        corners: Triangle,
        (hints, active): (&mut Hints, u32),
        cuts: &mut Vec<Line>,
        still: &mut u32,
        found: &mut impl FnMut(Piece),
    ) {
        let place = Place::new(corners);
        let (features, top) = self.features(&place, hints, active);
        let top = self.known(&place, top, features[top]);
        let mut cut = Cut { line: Line::Gauges(0, 0), error: 0.0, values: [0.0; 3] };
        // By what part of the gauge of its feature the body's gauge may differ from that.
        let beyond = top.beyond(&place, &mut |border, error, values| {
            let line = Line::Border { atom: top.number, feature: top.feature, border };
            cut.improve(line, error, values, cuts);
        });
        let lowest = top.lowest(&place);
        let lowest = if beyond < 1.0 { lowest * (1.0 - beyond) } else { 0.0 };
        *still |= 1 << top.number;
        let mut error = beyond + top.around.rounding / lowest;
        let margin = error * top.highest();
        for number in 0..self.atoms.len() {
            if number == top.number || active >> number & 1 == 0 {
                continue;
            }
            let other = self.known(&place, number, features[number]);
            let excess = other.excess(&place, &top, &mut |border, error, values| {
                let line = Line::Border { atom: number, feature: other.feature, border };
                cut.improve(line, error / lowest, values, cuts);
            });
            let is_below = excess.most <= -margin && lowest > 0.0;
            if !is_below {
                *still |= 1 << number;
            }
            if excess.most.is_nan() || excess.most > 0.0 {
                let part = excess.most * excess.share / lowest;
                let part = if part.is_nan() { f64::INFINITY } else { part };
                let line = Line::Gauges(number.min(top.number), number.max(top.number));
                cut.improve(line, part, excess.values, cuts);
                error += part;
            }
        }
        let (rule, of_rule) = match top.quadric.is_plane() {
            true => (0, 0.0),
            false => good_rule(top.quadric.part_of_analytic(&top.around, place.radius)),
        };
        if cut.error.is_finite() && 3.0 * cut.error > of_rule && cuts.len() < CUTS {
            cuts.push(cut.line);
            for piece in self.along(&place, &cut, &features) {
                let mut hints = *hints;
                self.cut(piece, (&mut hints, active), cuts, still, found);
            }
            cuts.pop();
            return;
        }
        let value = top.around.value;
        let sixth = 1.0 / (6.0 * value * value * value);
        let volume = determinant(&corners) * sixth;
        let error = volume_error(volume, [value, lowest], error, of_rule) + place.rounding * sixth;
        found(Piece { corners, atom: top.number, feature: top.feature, rule, volume, error });
    }

    /// The features through which rays leave in the middle, and the atom whose gauge is greatest there.
    fn features(&self, place: &Place, hints: &mut Hints, active: u32) -> ([u32; 32], usize) {
        let mut features = [0; 32];
        let mut top = (f64::NEG_INFINITY, 0);
        let mut slots = hints.iter_mut();
        for (number, atom) in self.atoms.iter().enumerate() {
            let mut none = 0;
            let hint = match atom {
                Atom::Rounded(_) => slots.next().unwrap_or(&mut none),
                Atom::Quadric(_) => &mut none,
            };
            if active >> number & 1 == 1 {
                let (value, feature) = atom.at(place.center, *hint);
                *hint = feature;
                features[number] = feature;
                if value > top.0 {
                    top = (value, number);
                }
            }
        }
        (features, top.1)
    }

    fn known(&self, place: &Place, number: usize, feature: u32) -> Known<'a> {
        let atom = &self.atoms[number];
        let quadric = atom.feature(feature);
        let around = quadric.around(place.center, place.radius);
        let corners = place.corners.map(|p| quadric.at(p));
        let sag = quadric.sag(&around, &place.sides);
        Known { atom, number, feature, quadric, around, corners, sag }
    }

    /// The triangles on both sides of a line.
    fn along(&self, place: &Place, cut: &Cut, features: &[u32; 32]) -> [Triangle; 3] {
        let function = |d: [f64; 3]| match cut.line {
            Line::Gauges(one, other) => {
                let [one, other] = [one, other].map(|k| self.atoms[k].feature(features[k]).at(d));
                other - one
            }
            Line::Border { atom, feature, border } => {
                let atom = &self.atoms[atom];
                atom.borders(feature)[border].beyond(d, atom.feature(feature).at(d))
            }
        };
        // The corner that is alone on its side.
        let [a, b, c] = cut.values.map(|x| x > 0.0);
        let alone = if a == b { 2 } else { usize::from(a == c) };
        let [p, q, r] = [0, 1, 2].map(|k| place.corners[(alone + k) % 3]);
        let [to_q, to_r] = [q, r].map(|end| crossing(p, end, function));
        [[p, to_q, to_r], [to_q, q, r], [to_q, r, to_r]]
    }
}

/// No less than what is not known of a volume, by the gauge in the middle and the least one, by what part of this the gauge may be wrong,
/// and the error of the rule that integrates it.
fn volume_error(volume: f64, [value, lowest]: [f64; 2], error: f64, of_rule: f64) -> f64 {
    if volume == 0.0 {
        return 0.0;
    }
    if lowest.is_nan() || lowest <= 0.0 {
        return f64::INFINITY;
    }
    let ratio = value / lowest;
    let all = volume * ratio * ratio * ratio;
    // 1/(1 − x)³ is at most 1 + 3x (1 + 4x) for x up to 1/6.
    if error < 1.0 / 6.0 {
        all.min(all * 3.0 * error * (1.0 + 4.0 * error) + volume * of_rule)
    } else {
        all
    }
}

impl Place {
    fn new(corners: Triangle) -> Self {
        let [p, q, r] = corners;
        let center = scale(add(p, add(q, r)), 1.0 / 3.0);
        let radius = corners.map(|p| length(sub(p, center))).into_iter().fold(0.0, f64::max);
        let sides = [sub(q, p), sub(r, q), sub(p, r)];
        let square = sides.map(|side| dot(side, side)).into_iter().fold(0.0, f64::max);
        let far = length(center) + radius;
        let rounding = 16.0 * f64::EPSILON * far * far * square.sqrt();
        Self { corners, sides, center, radius, sag: square / 6.0, rounding }
    }
}

impl Cut {
    fn improve(&mut self, line: Line, error: f64, values: [f64; 3], cuts: &[Line]) {
        let is_mixed = least(values) < 0.0 && greatest(values) > 0.0;
        if is_mixed && error > self.error && !cuts.contains(&line) {
            *self = Self { line, error, values };
        }
    }
}

/// By how much a gauge may be greater than another one in a triangle.
struct Excess {
    /// Nowhere more.
    most: f64,
    /// In no greater part of the triangle at all.
    share: f64,
    /// Of the features at the corners.
    values: [f64; 3],
}

impl Known<'_> {
    /// The feature's gauge is nowhere less, or not the atom's.
    fn lowest(&self, place: &Place) -> f64 {
        let by_bend = least(self.corners) - self.sag - self.around.rounding;
        let by_floor = least(place.corners.map(|p| self.atom.floor(p)));
        if by_bend >= by_floor { by_bend } else { by_floor }
    }

    /// The feature's gauge is nowhere greater.
    fn highest(&self) -> f64 {
        greatest(self.corners).max(0.0) + self.sag + self.around.rounding
    }

    /// By what part of the feature's gauge the gauge of its body may differ, infinite if that is not known; tells of each border that is passed its
    /// part, and how far it is passed at the corners.
    fn beyond(&self, place: &Place, passed: &mut impl FnMut(usize, f64, [f64; 3])) -> f64 {
        let lowest = least(self.corners) - self.sag;
        let mut most: f64 = 0.0;
        for (number, border) in self.atom.borders(self.feature).iter().enumerate() {
            let far = [0, 1, 2].map(|k| border.beyond(place.corners[k], self.corners[k]));
            let highest = greatest(far) + border.level.abs() * self.sag;
            if highest <= 0.0 {
                continue;
            }
            let part = if lowest > 0.0 && highest.is_finite() {
                self.atom.difference(self.feature, highest / lowest)
            } else {
                f64::INFINITY
            };
            passed(number, part, far);
            most = most.max(part);
        }
        most
    }

    /// By how much the gauge of the atom may be greater than that of another one's feature; tells of each border of its feature that is
    /// passed by how much it may be for this reason, and how far the border is passed at the corners.
    fn excess(
        &self,
        place: &Place,
        other: &Self,
        passed: &mut impl FnMut(usize, f64, [f64; 3]),
    ) -> Excess {
        let values = [0, 1, 2].map(|k| self.corners[k] - other.corners[k]);
        let rounding = self.around.rounding + other.around.rounding;
        // A difference is above the linear one only where the first gauge is concave, or the second one convex.
        let own = if self.quadric.is_convex() { 0.0 } else { self.sag };
        let nearly = other.quadric.bend_of_difference(self.quadric, [&other.around, &self.around]);
        let highest = self.highest();
        let rest = (other.sag + own).min(nearly * place.sag) + rounding;
        let beyond = self.beyond(place, &mut |border, part, far| {
            let error = part * highest;
            if greatest(values) + rest + error > 0.0 {
                passed(border, error, far);
            }
        });
        let more = rest + if beyond == 0.0 { 0.0 } else { beyond * highest };
        let share = if more.is_finite() { share(values.map(|x| x + more)) } else { 1.0 };
        let mut excess = Excess { most: greatest(values) + more, share, values };
        if excess.most <= 0.0 {
            return excess;
        }
        // What is convex is nowhere greater than at corners.
        let corners = match self.atom {
            Atom::Rounded(_) => place.corners.map(|p| self.atom.at(p, self.feature).0),
            Atom::Quadric(quadric) if quadric.is_convex() => self.corners,
            Atom::Quadric(_) => return excess,
        };
        let above = greatest([0, 1, 2].map(|k| corners[k] - other.corners[k]));
        excess.bound(above + other.sag + rounding);
        // Nor less than its tangents.
        for p in place.corners {
            if let Some(tangent) = other.atom.tangent(p, other.feature) {
                let above = [0, 1, 2].map(|k| corners[k] - dot(tangent, place.corners[k]));
                excess.bound(greatest(above) + rounding);
            }
        }
        excess
    }
}

impl Excess {
    fn bound(&mut self, most: f64) {
        if self.most.is_nan() || most < self.most {
            self.most = most;
        }
    }
}

/// Where a function is 0 on a segment with values of both signs at its ends, about: by false positions.
fn crossing(from: [f64; 3], to: [f64; 3], function: impl Fn([f64; 3]) -> f64) -> [f64; 3] {
    let at = |t: f64| add(from, scale(sub(to, from), t));
    let (mut low, mut high) = ((0.0, function(from)), (1.0, function(to)));
    for _ in 0..3 {
        let t = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
        let t = if t.is_nan() { 0.5 * (low.0 + high.0) } else { t.clamp(low.0, high.0) };
        let value = function(at(t));
        if (value > 0.0) == (low.1 > 0.0) {
            low = (t, value);
        } else {
            high = (t, value);
        }
    }
    at(if low.1.abs() < high.1.abs() { low.0 } else { high.0 })
}

/// The part of a triangle where a linear function with these values at its corners is positive.
fn share(mut values: [f64; 3]) -> f64 {
    values.sort_by(f64::total_cmp);
    let [low, middle, high] = values;
    if high <= 0.0 {
        0.0
    } else if low >= 0.0 {
        1.0
    } else if middle <= 0.0 {
        high * high / ((high - middle) * (high - low))
    } else {
        1.0 - low * low / ((middle - low) * (high - low))
    }
}

/// By its sides, which are much shorter than the way from the origin.
fn determinant([p, q, r]: &Triangle) -> f64 {
    dot(*p, cross(sub(*q, *p), sub(*r, *p))).abs()
}

/// NaN if one is.
fn least(values: [f64; 3]) -> f64 {
    values.into_iter().fold(f64::INFINITY, |a, b| if b < a || b.is_nan() { b } else { a })
}

/// NaN if one is.
fn greatest(values: [f64; 3]) -> f64 {
    -least(values.map(|x| -x))
}
