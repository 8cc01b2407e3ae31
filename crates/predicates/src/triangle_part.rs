//! Convex parts of a triangle, as lines cut them: exact, in barycentric coordinates, so that the corners may be any points.

use crate::Sign;
use crate::exact::{self, Dyadic};

/// A line, or a point: homogeneous barycentric coordinates.
pub(crate) type Line = [Dyadic; 3];

/// A convex polygon: line i goes from vertex i to the next one.
#[derive(Clone)]
pub(crate) struct Polygon {
    lines: Vec<Line>,
    vertices: Vec<Line>,
}

pub(crate) fn side(line: &Line, point: &Line) -> Sign {
    exact::dot(line, point).sign()
}

/// Where two lines cross in the triangle, scaled so that the sum of the coordinates is about 1.
fn crossing(line: &Line, other: &Line) -> Line {
    let point = exact::cross(line, other);
    let sum = &(&point[0] + &point[1]) + &point[2];
    let exponent = -sum.magnitude();
    let is_negative = sum.sign().is_negative();
    point.map(|x| if is_negative { (-&x).times_power(exponent) } else { x.times_power(exponent) })
}

impl Polygon {
    /// The whole triangle.
    pub(crate) fn whole() -> Self {
        let number = |is_one: bool| Dyadic::of(f64::from(u8::from(is_one)));
        let unit = |i: usize| [0, 1, 2].map(|k| number(k == i));
        Self { lines: [2, 0, 1].map(unit).into(), vertices: [0, 1, 2].map(unit).into() }
    }

    pub(crate) fn vertices(&self) -> &[Line] {
        &self.vertices
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The parts on both sides of a line; `Err` with the polygon if it is on one side.
    pub(crate) fn split(self, line: &Line) -> Result<[Self; 2], Self> {
        let signs: Vec<Sign> = self.vertices.iter().map(|vertex| side(line, vertex)).collect();
        if !(signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative)) {
            return Err(self);
        }
        Ok([Sign::Positive, Sign::Negative].map(|kept| self.kept(line, &signs, kept)))
    }

    /// The part that is not on the negative side of a line; it may be empty, a vertex or an edge.
    pub(crate) fn clipped(&self, line: &Line) -> Self {
        let signs: Vec<Sign> = self.vertices.iter().map(|vertex| side(line, vertex)).collect();
        self.kept(line, &signs, Sign::Positive)
    }

    /// The part on one side of a line, and what is on it.
    fn kept(&self, line: &Line, signs: &[Sign], kept: Sign) -> Self {
        let mut part = Self { lines: Vec::new(), vertices: Vec::new() };
        for (i, vertex) in self.vertices.iter().enumerate() {
            let (here, next) = (signs[i], signs[(i + 1) % signs.len()]);
            let own = &self.lines[i];
            if here != -kept {
                let leaves = here.is_zero() && next == -kept;
                part.push(vertex.clone(), if leaves { line } else { own });
            }
            if here == kept && next == -kept {
                part.push(crossing(own, line), line);
            } else if here == -kept && next == kept {
                part.push(crossing(own, line), own);
            }
        }
        part
    }

    fn push(&mut self, vertex: Line, line: &Line) {
        self.vertices.push(vertex);
        self.lines.push(line.clone());
    }

    /// A point in the inside.
    pub(crate) fn middle(&self) -> Line {
        let mut sum = [Dyadic::of(0.0), Dyadic::of(0.0), Dyadic::of(0.0)];
        for vertex in &self.vertices {
            sum = [0, 1, 2].map(|k| &sum[k] + &vertex[k]);
        }
        sum
    }
}
