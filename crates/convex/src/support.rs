//! Support mapping: a vertex that is farthest along a direction.
//!
//! All that the separating vector, Gilbert's algorithm and their relatives ever ask of a polytope.
//! The ways to answer differ in time only. What each of them promises is one number, its *slack*:
//! the true maximum is no higher than the vertex found by more than the slack times the rounding
//! error of a height. Certificates add it to their error bounds, so a search may be as greedy as
//! it likes and still never make an answer wrong.
//!
//! Source: Chung 1996, 3.3 (local search), 3.5 (table), 5.3 (hierarchy).

use crate::direction_table::{DirectionTable, Octahedral};
use crate::fan_of_polytope::Fan;
use crate::polytope::{BRUTE_FORCE_UP_TO, Polytope};
use xcollide_math::vector::{dot, taxicab};

/// Finds farthest vertices of one polytope.
///
/// ```
/// use xcollide_convex::{BruteForce, HillClimbing, Polytope, Support};
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let polytope = Polytope::new(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let direction = [0.1, 0.3, 0.2];
/// let farthest = BruteForce(&polytope).farthest(direction, 0);
/// assert_eq!(HillClimbing(&polytope).farthest(direction, 3), farthest);
/// # Ok::<(), xcollide_convex::PolytopeError>(())
/// ```
pub trait Support {
    /// A vertex that is farthest along `direction` (in the model's frame, of any length), up to
    /// the slack. `near` is where a search may start: the last answer for a similar direction. It
    /// must be a vertex of the polytope, which must have at least one.
    fn farthest(&self, direction: [f64; 3], near: u32) -> u32;

    /// By how much the true maximum may exceed the height of this vertex, if `farthest` returned
    /// it, in units of 2⁻⁵⁰ · [`reach`](Polytope::reach) · length of the direction. Infinite
    /// where nothing is known.
    fn slack(&self, vertex: u32) -> f64;
}

/// Looks at all vertices, eight at a time: the first of the highest.
#[derive(Clone, Copy, Debug)]
pub struct BruteForce<'a>(pub &'a Polytope);

impl Support for BruteForce<'_> {
    #[inline]
    fn farthest(&self, direction: [f64; 3], _: u32) -> u32 {
        self.0.points().farthest(direction) as u32
    }

    #[inline]
    fn slack(&self, _: u32) -> f64 {
        1.0
    }
}

/// Goes from a vertex to its highest neighbour until none is higher (Chung 1996, 3.3).
///
/// The thesis marks vertices with time-stamps so as not to look at them twice; the marks cost more
/// than the third of the products they save, and would make a model unfit to be shared.
#[derive(Clone, Copy, Debug)]
pub struct HillClimbing<'a>(pub &'a Polytope);

impl Support for HillClimbing<'_> {
    #[inline]
    fn farthest(&self, direction: [f64; 3], near: u32) -> u32 {
        climb(self.0, direction, near)
    }

    #[inline]
    fn slack(&self, vertex: u32) -> f64 {
        self.0.climbing_slack(vertex)
    }
}

#[inline]
pub(crate) fn climb(polytope: &Polytope, direction: [f64; 3], near: u32) -> u32 {
    let mut at = near;
    let mut height = dot(direction, polytope.position(at));
    loop {
        let mut next = at;
        for &neighbour in polytope.neighbours(at) {
            let other = dot(direction, polytope.position(neighbour));
            if other > height {
                (height, next) = (other, neighbour);
            }
        }
        if next == at {
            return at;
        }
        at = next;
    }
}

/// Hill climbing from the vertex that a table names for the direction.
#[derive(Clone, Copy, Debug)]
pub struct Tabled<'a, T> {
    /// The polytope.
    pub polytope: &'a Polytope,
    /// A table of this polytope.
    pub table: &'a T,
}

impl<T: DirectionTable> Support for Tabled<'_, T> {
    #[inline]
    fn farthest(&self, direction: [f64; 3], _: u32) -> u32 {
        climb(self.polytope, direction, self.table.start(direction))
    }

    #[inline]
    fn slack(&self, vertex: u32) -> f64 {
        self.polytope.climbing_slack(vertex)
    }
}

/// Looks up in the [normal fan](Polytope::normal_fan); of hulls with slivers around what is found there, too.
/// All vertices where there is no fan.
#[derive(Clone, Copy, Debug)]
pub struct InFan<'a>(pub &'a Polytope);

impl Support for InFan<'_> {
    #[inline]
    fn farthest(&self, direction: [f64; 3], _: u32) -> u32 {
        look_up(self.0, self.0.any_fan(), direction)
    }

    #[inline]
    fn slack(&self, vertex: u32) -> f64 {
        slack_in(self.0, self.0.any_fan(), vertex)
    }
}

/// Shorter directions are looked at by all vertices.
const SHORTEST: f64 = 1e-290;

#[inline]
fn look_up(polytope: &Polytope, fan: Option<&Fan>, direction: [f64; 3]) -> u32 {
    match fan.filter(|_| taxicab(direction) > SHORTEST) {
        Some(Fan { fan, is_exact: true }) => fan.farthest(direction) as u32,
        Some(Fan { fan, .. }) => climb(polytope, direction, fan.farthest(direction) as u32),
        None => BruteForce(polytope).farthest(direction, 0),
    }
}

/// By how much something may be higher than what was looked up, and climbed to where the fan is not exact.
#[inline]
pub(crate) fn slack_in(polytope: &Polytope, fan: Option<&Fan>, vertex: u32) -> f64 {
    if fan.is_some_and(|fan| !fan.is_exact) { polytope.climbing_slack(vertex) } else { 1.0 }
}

/// The default: all vertices where they are few, else what is [looked up](InFan), and without a fan hill
/// climbing from the better of the last vertex and the table's.
#[derive(Clone, Copy, Debug)]
pub struct Mixed<'a>(pub &'a Polytope);

impl Support for Mixed<'_> {
    #[inline]
    fn farthest(&self, direction: [f64; 3], near: u32) -> u32 {
        let polytope = self.0;
        let start = |table: &Octahedral| {
            let other = table.start(direction);
            let height = |vertex| dot(direction, polytope.position(vertex));
            if height(other) > height(near) { other } else { near }
        };
        match polytope.table() {
            Some(table) => climb(polytope, direction, start(table)),
            None if polytope.len() > BRUTE_FORCE_UP_TO => {
                look_up(polytope, polytope.large_fan(), direction)
            }
            None => BruteForce(polytope).farthest(direction, near),
        }
    }

    #[inline]
    fn slack(&self, vertex: u32) -> f64 {
        let polytope = self.0;
        if polytope.table().is_some() {
            polytope.climbing_slack(vertex)
        } else if polytope.len() > BRUTE_FORCE_UP_TO {
            slack_in(polytope, polytope.large_fan(), vertex)
        } else {
            1.0
        }
    }
}
