//! The separating vector algorithm (Chung 1996, chapters 3 and 4).
//!
//! ```text
//!           S        S′ = S − 2(S · r) r: the vector reflected at the line between the two support
//!        ╲  ▲  ╱     vertices, r being the unit vector from p to q. For discs and balls that are
//!      r ─►─┼─►─     apart the first reflection separates; for polytopes each comes nearer to
//!        ╱  ▼  ╲     every vector that separates (lemma 2).
//!           S′
//! ```
//!
//! Each r is one more vector with which a separating vector must not enclose an obtuse angle. When
//! no vector satisfies all of them (no half space holds all r), the bodies meet (chapter 4). The
//! half space is kept up to date by the method of half-plane intersection: the new r restricts it
//! to vectors square to r, where the others are looked at in the plane.
//!
//! The printed pseudo-code divides by zero where p = q (then the bodies touch), and its equation
//! 4.2 does where r is parallel to z (any frame across r does).

use super::certified::{Certified, Search};
use super::finding::Finding;
use super::gjk::towards_origin;
use super::inset::Inset;
use super::pair::Pair;
use super::simplex::Simplex;
use super::vector::{Vector, add, cross, dot, scaled, sub, unit};

/// Reflected separating vectors, with the half-plane intersection that notices contact.
pub type SeparatingVector = Certified<SeparatingVectorSearch>;

/// The search of [`SeparatingVector`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeparatingVectorSearch {
    /// The most searching steps; beyond, the exact test decides. Chung's figures 6.3 to 6.5 have
    /// maxima of 25 to 55.
    pub most_steps: u32,
}

impl Default for SeparatingVectorSearch {
    fn default() -> Self {
        Self { most_steps: 200 }
    }
}

/// What is remembered: the vector that separated, the vertices it met, and room for a search.
#[derive(Clone, Debug, Default)]
pub struct SeparatingVectorMemory {
    direction: Option<Vector>,
    ends: [u32; 2],
    half_space: HalfSpace,
}

impl SeparatingVectorMemory {
    /// Where to begin a search for the nearest points: the vertices that were met more than once,
    /// else the last two pairs (Chung 1996, 5.5).
    pub(super) fn for_nearest(&self) -> &[[u32; 2]] {
        let HalfSpace { again, ends, .. } = &self.half_space;
        if again.is_empty() { &ends[ends.len().saturating_sub(2)..] } else { again }
    }

    /// Where to begin the next time.
    pub(super) fn resume(&mut self, direction: Vector, ends: [u32; 2]) {
        (self.direction, self.ends) = (Some(direction), ends);
    }
}

impl Search for SeparatingVectorSearch {
    const NAME: &'static str = "separating-vector";
    type Memory = SeparatingVectorMemory;

    fn search(&self, pair: &mut Pair<'_>, memory: &mut SeparatingVectorMemory) -> Finding {
        let mut direction = memory.direction.unwrap_or_else(|| pair.first_direction());
        let half_space = &mut memory.half_space;
        half_space.clear();
        // How often in a row nothing new was met.
        let mut repeated = 0;
        for _ in 0..self.most_steps {
            let probe = pair.probe(direction, memory.ends);
            memory.ends = probe.ends;
            if probe.gap > 0.0 {
                memory.direction = Some(direction);
                let plane = pair.apart(direction, &probe);
                return plane.map_or(Finding::Parting(direction), Finding::Apart);
            }
            let Some(line) = unit(probe.difference) else { return Finding::Touching };
            if half_space.met(probe.ends) {
                half_space.again.push(probe.ends);
                // Lemma 8: reflections make no progress, so ask the half space. Its middle may
                // touch its border, which was good enough for the thesis, where touching is apart;
                // the nearest point of what was met never does, if there is room.
                direction = match repeated {
                    0 => half_space.middle,
                    1 => match half_space.enclose([0.0; 3]) {
                        Enclosure::Outside(nearest) => nearest,
                        Enclosure::Inside(_) => return Finding::Touching,
                    },
                    _ => return Finding::Touching,
                };
                repeated += 1;
                continue;
            }
            repeated = 0;
            if !half_space.add(line, probe.difference, probe.ends) {
                memory.direction = Some(direction);
                return half_space.contact(pair);
            }
            let along = 2.0 * dot(direction, line);
            direction = sub(direction, scaled(line, along));
        }
        memory.direction = Some(direction);
        Finding::Touching
    }
}

/// The vectors that enclose no obtuse angle with any r.
#[derive(Clone, Debug, Default)]
struct HalfSpace {
    lines: Vec<Vector>,
    differences: Vec<Vector>,
    ends: Vec<[u32; 2]>,
    /// Those that were met more than once.
    again: Vec<[u32; 2]>,
    /// One of the vectors: as long as there is one.
    middle: Vector,
}

impl HalfSpace {
    fn clear(&mut self) {
        self.lines.clear();
        self.differences.clear();
        self.ends.clear();
        self.again.clear();
    }

    fn met(&self, ends: [u32; 2]) -> bool {
        self.ends.contains(&ends)
    }

    /// Takes one more r in; `false` where no vector is left.
    fn add(&mut self, line: Vector, difference: Vector, ends: [u32; 2]) -> bool {
        let holds = self.lines.is_empty() || dot(self.middle, line) >= 0.0;
        self.lines.push(line);
        self.differences.push(difference);
        self.ends.push(ends);
        match self.lines[..] {
            [first] => self.middle = first,
            [first, second] => match unit(add(first, second)) {
                Some(middle) => self.middle = middle,
                // Opposite: what is left is square to both.
                None => self.middle = Pair::across(first),
            },
            _ if holds => {}
            _ => return self.turn(line),
        }
        true
    }

    /// Finds a vector square to the newest r that encloses no obtuse angle with the others: the
    /// middle of the wedge that they span in the plane across r.
    fn turn(&mut self, line: Vector) -> bool {
        let Some(x) = unit(Pair::across(line)) else { return false };
        let y = cross(line, x);
        let flat = |v: Vector| [dot(v, x), dot(v, y)];
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
        let middle = add(scaled(x, right[0] + left[0]), scaled(y, right[1] + left[1]));
        match unit(middle) {
            Some(middle) => {
                self.middle = middle;
                true
            }
            None => false,
        }
    }

    /// The certificate of contact: four of the differences met that hold the origin.
    fn contact(&self, pair: &Pair<'_>) -> Finding {
        let Some(inset) = Inset::of(pair) else { return Finding::Touching };
        let point = match self.enclose(inset.shift) {
            Enclosure::Inside(simplex) => inset.common_point(pair, &simplex),
            Enclosure::Outside(_) => None,
        };
        point.map_or(Finding::Touching, Finding::Meet)
    }

    /// Gilbert's algorithm among the differences met, with a vector subtracted from each.
    fn enclose(&self, shift: Vector) -> Enclosure {
        let points = self.differences.iter().map(|&point| sub(point, shift));
        let mut simplex = Simplex::new();
        let mut direction = self.middle;
        for _ in 0..self.ends.len() + 4 {
            let farthest = points
                .clone()
                .zip(&self.ends)
                .min_by(|(p, _), (q, _)| dot(direction, *p).total_cmp(&dot(direction, *q)));
            let Some((point, &ends)) = farthest else { break };
            if dot(direction, point) > 0.0 || !simplex.push(point, ends) {
                break;
            }
            match simplex.reduce() {
                Some(nearest) => direction = towards_origin(&simplex, nearest),
                None => return Enclosure::Inside(simplex),
            }
        }
        Enclosure::Outside(direction)
    }
}

/// Whether the differences met hold the origin.
enum Enclosure {
    /// These four do.
    Inside(Simplex),
    /// They do not, and this direction parts them from it, up to rounding.
    Outside(Vector),
}
