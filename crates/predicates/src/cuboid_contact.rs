//! How moved boxes lie to each other: exact, by all directions in which a plane can part them (Gottschalk, Lin and Manocha 1996).
//!
//! The image of a box under a matrix is all center + Σ tₖ eₖ with |tₖ| ≤ 1. Two such bodies have a plane between them if and only if
//! there is one across a direction that is normal to two of the edges eₖ of both.

use crate::exact::{Dyadic, Vector, cross, dot, minus};
use crate::{MovedSolid, Sign, Solid};

/// A moved box.
#[derive(Clone, Debug)]
pub(crate) struct Parallelepiped {
    center: Vector,
    /// The halves of its edges.
    edges: [Vector; 3],
}

/// How far a box reaches from its center along a direction.
fn reach(edges: &[Vector; 3], along: &Vector) -> Dyadic {
    let [x, y, z] = edges.each_ref().map(|edge| absolute(dot(along, edge)));
    &(&x + &y) + &z
}

fn absolute(number: Dyadic) -> Dyadic {
    if number.sign().is_negative() { -&number } else { number }
}

/// The normals of the faces of a box.
fn normals(edges: &[Vector; 3]) -> [Vector; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| cross(&edges[i], &edges[j]))
}

impl Parallelepiped {
    /// `None` for other solids than boxes, and if it has no interior.
    pub(crate) fn of(body: &MovedSolid) -> Option<Self> {
        let Solid::Cuboid { half } = body.solid else { return None };
        let edge = |axis: usize| {
            let mut local = [0.0; 3];
            local[axis] = half[axis];
            body.turned(local)
        };
        let edges = [edge(0), edge(1), edge(2)];
        let has_interior = !dot(&edges[0], &cross(&edges[1], &edges[2])).sign().is_zero();
        has_interior.then(|| Self { center: body.center(), edges })
    }

    /// How two boxes lie to each other: positive if they are apart, zero if they touch, negative if their interiors meet.
    pub(crate) fn gap(&self, other: &Self) -> Sign {
        let line = minus(&other.center, &self.center);
        let gap = |along: &Vector| {
            let reaches = &reach(&self.edges, along) + &reach(&other.edges, along);
            // Parallel edges have no common normal: 0 − 0 is no gap.
            let is_zero = along.iter().all(|x| x.sign().is_zero());
            if is_zero { Sign::Negative } else { (&absolute(dot(along, &line)) - &reaches).sign() }
        };
        let faces = normals(&self.edges).into_iter().chain(normals(&other.edges));
        let edges = self.edges.iter().flat_map(|e| other.edges.iter().map(move |f| cross(e, f)));
        let mut largest = Sign::Negative;
        for along in faces.chain(edges) {
            largest = largest.max(gap(&along));
            if largest.is_positive() {
                break;
            }
        }
        largest
    }
}
