//! Support mapping: a vertex that is farthest along a direction.
//!
//! GJK, separating vectors and their relatives use nothing else of a polytope. The searches differ in time only. Each
//! guarantees a number, its *slack*: the true maximum is no higher than the vertex found by more than the slack times
//! the rounding error of a height. Certificates add it to their error bounds, so a greedy search never makes an answer
//! wrong.
//!
//! Source: Chung 1996, 3.3 (local search), 3.5 (table), 5.3 (hierarchy).

use crate::fan_of_polytope::Fan;
use crate::point_set;
use crate::polytope::Polytope;
use xcollide_math::vector::{dot, taxicab};

/// How a farthest vertex of a polytope is searched.
///
/// ```
/// use xcollide_convex::{Polytope, VertexSearch};
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let polytope = Polytope::new(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let direction = [0.1, 0.3, 0.2];
/// let farthest = VertexSearch::AllVertices.farthest(&polytope, direction, 0);
/// assert_eq!(VertexSearch::Climbing.farthest(&polytope, direction, 3), farthest);
/// # Ok::<(), xcollide_convex::PolytopeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum VertexSearch {
    /// Compares all of up to [`ALL_VERTICES_UP_TO`](Self::ALL_VERTICES_UP_TO) vertices and looks more up in the normal
    /// fan. Without a fan it climbs from the better of the last vertex and the octahedral table's.
    #[default]
    Mixed,
    /// Compares all vertices, eight at a time, and returns the first of the highest.
    AllVertices,
    /// Goes from a vertex to its highest neighbour until none is higher (Chung 1996, 3.3).
    Climbing,
    /// Climbs from the vertex in the thesis's table of 8 × 16 directions (Chung 1996, 3.5).
    Tabled,
    /// Climbs from the vertex in the octahedral table of 32 × 32 directions.
    Octahedral,
    /// Looks the vertex up in the normal fan, and climbs from there if the hull has slivers. Without a fan it compares
    /// all vertices.
    Fan,
    /// Descends the hierarchy of Dobkin and Kirkpatrick, in O(log n) from any direction (Chung 1996, 2.5 and 5.3).
    Hierarchical,
}

impl VertexSearch {
    /// The default search compares all vertices of polytopes with at most this many. Measured: see
    /// `benches/convex.rs`.
    pub const ALL_VERTICES_UP_TO: usize = 160;

    /// A vertex that is farthest along a direction of the polytope's frame, of any length, up to the slack.
    ///
    /// The search may start at `near`: the last answer for a similar direction. `near` must be a vertex of the
    /// polytope, which must have at least one. Tables and hierarchies are built on the first call.
    #[inline]
    #[must_use]
    pub fn farthest(self, polytope: &Polytope, direction: [f64; 3], near: u32) -> u32 {
        match self {
            Self::Mixed => mixed(polytope, direction, near),
            Self::AllVertices => brute_force(polytope, direction),
            Self::Climbing => climb(polytope, direction, near),
            Self::Tabled => climb(polytope, direction, polytope.spherical().start(direction)),
            Self::Octahedral => climb(polytope, direction, polytope.octahedral().start(direction)),
            Self::Fan => look_up(polytope, polytope.any_fan(), direction),
            Self::Hierarchical => polytope.hierarchy().farthest(polytope, direction, near),
        }
    }

    /// Builds the table, fan or hierarchy of this search, if the polytope does not have it.
    pub fn prepare(self, polytope: &Polytope) {
        match self {
            Self::Tabled => _ = polytope.spherical(),
            Self::Octahedral => _ = polytope.octahedral(),
            Self::Fan => _ = polytope.any_fan(),
            Self::Hierarchical => _ = polytope.hierarchy(),
            Self::Mixed | Self::AllVertices | Self::Climbing => {}
        }
    }

    /// By how much the true maximum may exceed the height of a vertex that this search returned, in units of
    /// 2⁻⁵⁰ · [`reach`](Polytope::reach) · length of the direction. Infinite if nothing is known.
    #[inline]
    #[must_use]
    pub fn slack(self, polytope: &Polytope, vertex: u32) -> f64 {
        match self {
            Self::Mixed if polytope.table.is_some() => polytope.climbing_slack(vertex),
            Self::Mixed if polytope.len() > Self::ALL_VERTICES_UP_TO => {
                slack_in(polytope, polytope.fan.as_ref(), vertex)
            }
            Self::Mixed | Self::AllVertices => 1.0,
            Self::Fan => slack_in(polytope, polytope.any_fan(), vertex),
            _ => polytope.climbing_slack(vertex),
        }
    }
}

/// [`VertexSearch::AllVertices`].
#[inline]
pub(crate) fn brute_force(polytope: &Polytope, direction: [f64; 3]) -> u32 {
    polytope.points.farthest(direction) as u32
}

/// [`VertexSearch::Climbing`].
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

/// [`VertexSearch::Mixed`].
#[inline]
pub(crate) fn mixed(polytope: &Polytope, direction: [f64; 3], near: u32) -> u32 {
    if compares_all(polytope) {
        return brute_force(polytope, direction);
    }
    let Some(table) = &polytope.table else {
        return look_up(polytope, polytope.fan.as_ref(), direction);
    };
    let other = table.start(direction);
    let height = |vertex| dot(direction, polytope.position(vertex));
    climb(polytope, direction, if height(other) > height(near) { other } else { near })
}

/// Whether [`VertexSearch::Mixed`] compares all vertices.
#[inline]
fn compares_all(polytope: &Polytope) -> bool {
    polytope.table.is_none() && polytope.len() <= VertexSearch::ALL_VERTICES_UP_TO
}

/// [`mixed`] for two polytopes, each with a direction of its own.
#[inline]
pub(crate) fn mixed_of_both(
    [a, b]: [&Polytope; 2],
    directions: [[f64; 3]; 2],
    near: [u32; 2],
) -> [u32; 2] {
    if compares_all(a) && compares_all(b) {
        return point_set::farthest_of_both([&a.points, &b.points], directions).map(|i| i as u32);
    }
    [mixed(a, directions[0], near[0]), mixed(b, directions[1], near[1])]
}

/// Along shorter directions all vertices are compared.
const SHORTEST: f64 = 1e-290;

#[inline]
fn look_up(polytope: &Polytope, fan: Option<&Fan>, direction: [f64; 3]) -> u32 {
    match fan.filter(|_| taxicab(direction) > SHORTEST) {
        Some(Fan { fan, is_exact: true }) => fan.farthest(direction) as u32,
        Some(Fan { fan, .. }) => climb(polytope, direction, fan.farthest(direction) as u32),
        None => brute_force(polytope, direction),
    }
}

/// The slack of a vertex from a fan, from which the search climbed unless the fan is exact.
#[inline]
pub(crate) fn slack_in(polytope: &Polytope, fan: Option<&Fan>, vertex: u32) -> f64 {
    if fan.is_some_and(|fan| !fan.is_exact) { polytope.climbing_slack(vertex) } else { 1.0 }
}
