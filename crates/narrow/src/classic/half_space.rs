//! The collision condition of the separating vector algorithm: no vector is left (Chung 1996, chapter 4).
//!
//! Each probe finds an r, the direction from vertex to vertex, with which no separating vector encloses an
//! obtuse angle. The vectors that satisfy this for all r are a cone; when it is empty, the bodies meet.

use xcollide_convex::{ContactCertificate, Pair, SearchResult, Simplex};

use xcollide_math::vector::{add, cross, dot, neg, perpendicular, scale, sub, unit};

/// How to detect that no separating vector is left.
///
/// ```text
///     Hemisphere                              HalfPlanes
///        ╲  r₂ ╱                                 ╲ r₁ ╱
///     r₀  ╲ │ ╱  r₁   in the plane across         ┌──┐        the cone itself, by its extreme
///     ──────●──────   the newest r: the wedge  r₀ │ w│ r₂     rays, cut by the plane of each
///           ▼ w       that all others span        └──┘        new r; w is its middle
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum CollisionCondition {
    /// Keeps one vector w of the cone. If a new r excludes it, searches another perpendicular to that r:
    /// O(1) while w holds, else O(k) after k steps (Chung 1996, 4.2.1).
    #[default]
    Hemisphere,
    /// Keeps the cone, by its extreme rays (the thesis: a polygon in the plane across the first r). O(k) a
    /// step. Its w is in the middle of the cone, and so more likely to separate (Chung 1996, 4.2.2).
    HalfPlanes,
}

/// The vectors that enclose no obtuse angle with any r.
#[derive(Clone, Debug, Default)]
pub(crate) struct HalfSpace {
    lines: Vec<[f64; 3]>,
    differences: Vec<[f64; 3]>,
    ends: Vec<[u32; 2]>,
    /// The vertices that were met more than once.
    pub(crate) again: Vec<[u32; 2]>,
    /// The extreme rays of the cone in rotational order, from the second r on.
    rays: Vec<[f64; 3]>,
    /// A vector of the cone.
    pub(crate) middle: [f64; 3],
}

impl HalfSpace {
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
        self.differences.clear();
        self.ends.clear();
        self.again.clear();
        self.rays.clear();
    }

    /// Whether these vertices were met before; if so, records it.
    pub(crate) fn meets_again(&mut self, ends: [u32; 2]) -> bool {
        let known = self.ends.contains(&ends);
        if known {
            self.again.push(ends);
        }
        known
    }

    /// The vertices met more than once, else the last two pairs.
    pub(crate) fn recurring(&self) -> &[[u32; 2]] {
        let last = self.ends.len().saturating_sub(2);
        if self.again.is_empty() { &self.ends[last..] } else { &self.again }
    }

    /// Adds an r; `false` if no vector is left.
    pub(crate) fn add(
        &mut self,
        line: [f64; 3],
        difference: [f64; 3],
        ends: [u32; 2],
        condition: CollisionCondition,
    ) -> bool {
        let holds = self.lines.is_empty() || dot(self.middle, line) >= 0.0;
        self.lines.push(line);
        self.differences.push(difference);
        self.ends.push(ends);
        match (&self.lines[..], condition) {
            (&[first], _) => self.middle = first,
            (&[first, second], CollisionCondition::Hemisphere) => {
                // Opposite vectors: the cone is the plane perpendicular to both.
                self.middle = unit(add(first, second)).unwrap_or_else(|| perpendicular(first));
            }
            (_, CollisionCondition::Hemisphere) if holds => {}
            (_, CollisionCondition::Hemisphere) => return self.turn(line),
            (_, CollisionCondition::HalfPlanes) => return self.cut(line),
        }
        true
    }

    /// Finds a vector perpendicular to the newest r that encloses no obtuse angle with the others: the
    /// middle of the wedge that they span in the plane across r.
    fn turn(&mut self, line: [f64; 3]) -> bool {
        let Some(x) = unit(perpendicular(line)) else { return false };
        let y = cross(line, x);
        let flat = |v: [f64; 3]| [dot(v, x), dot(v, y)];
        let turn = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let (mut right, mut left) = (flat(self.lines[0]), flat(self.lines[1]));
        if turn(right, left) < 0.0 {
            std::mem::swap(&mut right, &mut left);
        }
        for &other in &self.lines[2..self.lines.len() - 1] {
            let other = flat(other);
            if turn(right, other) > 0.0 {
                if turn(left, other) > 0.0 {
                    left = other;
                }
            } else if turn(left, other) < 0.0 {
                right = other;
            } else {
                return false;
            }
        }
        let unit2 = |[a, b]: [f64; 2]| {
            let length = (a * a + b * b).sqrt();
            [a / length, b / length]
        };
        let (right, left) = (unit2(right), unit2(left));
        let middle = add(scale(x, right[0] + left[0]), scale(y, right[1] + left[1]));
        match unit(middle) {
            Some(middle) => {
                self.middle = middle;
                true
            }
            None => false,
        }
    }

    /// Cuts the cone, and sets its middle.
    fn cut(&mut self, line: [f64; 3]) -> bool {
        if self.rays.is_empty() {
            self.open(line);
        } else {
            let count = self.rays.len();
            for i in 0..count {
                let (ray, next) = (self.rays[i], self.rays[(i + 1) % count]);
                let (here, there) = (dot(ray, line), dot(next, line));
                if here >= 0.0 {
                    self.rays.push(ray);
                }
                if (here < 0.0) != (there < 0.0) {
                    let between = add(scale(ray, there.abs()), scale(next, here.abs()));
                    self.rays.extend(unit(between));
                }
            }
            self.rays.drain(..count);
            if self.rays.is_empty() {
                return false;
            }
        }
        let sum = self.rays.iter().fold([0.0; 3], |sum, &ray| add(sum, ray));
        if let Some(middle) = unit(sum) {
            self.middle = middle;
        }
        true
    }

    /// Starts the cone with the wedge of the first r and this one, as rays at most a right angle apart.
    /// Does nothing if the two are parallel.
    fn open(&mut self, line: [f64; 3]) {
        let first = self.lines[0];
        let Some(edge) = unit(cross(first, line)) else { return };
        self.rays.extend([edge, cross(edge, first), neg(edge), cross(line, edge)]);
    }

    /// The certificate of contact: four of the differences met, around the origin.
    pub(crate) fn contact(&self, pair: &Pair<'_>) -> SearchResult {
        let Some(certificate) = ContactCertificate::of(pair) else {
            return SearchResult::Inconclusive;
        };
        let simplex = self.enclose(certificate.shift).ok();
        let point = simplex.and_then(|simplex| certificate.common_point(pair, &simplex));
        point.map_or(SearchResult::Inconclusive, SearchResult::Intersecting)
    }

    /// GJK on the differences met, with a vector subtracted from each: a tetrahedron around the origin, or a
    /// direction that separates them from it, up to rounding.
    pub(crate) fn enclose(&self, shift: [f64; 3]) -> Result<Simplex, [f64; 3]> {
        let points = self.differences.iter().map(|&point| sub(point, shift));
        let mut simplex = Simplex::new();
        let mut direction = self.middle;
        for _ in 0..self.ends.len() + 4 {
            let farthest = points
                .clone()
                .zip(&self.ends)
                .min_by(|(p, _), (q, _)| dot(direction, *p).total_cmp(&dot(direction, *q)));
            let Some((point, &ends)) = farthest else { break };
            // Continues to the nearest point although any gap would do: the gap of the middle may be a
            // rounding error.
            if !simplex.push(point, ends) {
                break;
            }
            match simplex.reduce() {
                Some(nearest) => direction = simplex.towards_origin(nearest),
                None => return Ok(simplex),
            }
        }
        Err(direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_scenes::Random;

    /// Both conditions notice the same: that no vector is left. The referee tries the candidates:
    /// if there is a vector, one is square to two of them.
    #[test]
    fn both_conditions_know_when_nothing_is_left() {
        let mut random = Random::new(9);
        let (mut empty, mut total) = (0, 0);
        for _ in 0..2000 {
            let mut spaces = [HalfSpace::default(), HalfSpace::default()];
            let conditions = [CollisionCondition::Hemisphere, CollisionCondition::HalfPlanes];
            let mut lines: Vec<[f64; 3]> = Vec::new();
            for step in 0..12 {
                let mut line = random.direction();
                line[2] += 0.4;
                let Some(line) = unit(line) else { continue };
                lines.push(line);
                let left = lines.len() < 3 || is_one_left(&lines);
                total += 1;
                for (space, condition) in spaces.iter_mut().zip(conditions) {
                    assert_eq!(space.add(line, line, [step, 0], condition), left, "{lines:?}");
                    if left {
                        let middle = space.middle;
                        assert!(lines.iter().all(|&line| dot(line, middle) > -1e-9), "{lines:?}");
                    }
                }
                if !left {
                    empty += 1;
                    break;
                }
            }
        }
        assert!(empty > 500 && total > 5000, "{empty} {total}");
    }

    fn is_one_left(lines: &[[f64; 3]]) -> bool {
        let pairs = lines.iter().flat_map(|&a| lines.iter().map(move |&b| cross(a, b)));
        pairs.filter_map(unit).any(|w| lines.iter().all(|&line| dot(line, w) > -1e-12))
    }
}
