//! The triangles of a cloth and of the bodies around it, with the way of their corners over a frame, and which vertices and
//! faces, edges and edges of them come together.
//!
//! Every pair of a vertex and a face, or of two edges, is looked at once: each vertex and each edge belongs to one of its
//! triangles, its *representative* (Curtis, Tamstorf and Manocha, *Fast Collision Detection for Deformable Models using
//! Representative-Triangles*, 2008), and the pairs of triangles are those of a broad phase.

use std::collections::BTreeSet;

use xcollide::bounds::Aabb;
use xcollide::broad::{Auto, Bounds, BroadPhase, Everything, Pairs, ProxyId};
use xcollide::predicates::moving::{
    MotionContact, MovingPoint, edge_edge_contact, vertex_face_contact,
};

/// A vertex and the corners of a face, or the ends of two edges, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    VertexFace([u32; 4]),
    EdgeEdge([u32; 4]),
}

impl Meeting {
    pub(super) fn points(self) -> [u32; 4] {
        match self {
            Self::VertexFace(points) | Self::EdgeEdge(points) => points,
        }
    }
}

pub(super) struct MovingTriangles {
    /// The vertices of the cloth, then those of the bodies.
    pub(super) points: Vec<MovingPoint>,
    /// The triangles of the cloth come first.
    triangles: Vec<Triangle>,
    broad: Auto,
    bounds: Vec<Bounds>,
    pairs: Pairs,
}

struct Triangle {
    corners: [u32; 3],
    /// Which corners, and which edges from a corner to the next, it represents.
    vertices: [bool; 3],
    edges: [bool; 3],
    /// 0 is the cloth.
    body: u32,
}

impl MovingTriangles {
    /// Bodies by their triangles, whose corners are numbered through all of them; the first is the cloth.
    pub(super) fn new(bodies: &[Vec<[u32; 3]>]) -> Self {
        let (mut vertices, mut edges) = (BTreeSet::new(), BTreeSet::new());
        let mut triangles = Vec::new();
        for (body, corners) in bodies.iter().enumerate() {
            triangles.extend(corners.iter().map(|&corners| Triangle {
                corners,
                vertices: corners.map(|vertex| vertices.insert(vertex)),
                edges: edges_of(corners).map(|[a, b]| edges.insert([a.min(b), a.max(b)])),
                body: body as u32,
            }));
        }
        let nothing = Bounds::new(Aabb::EMPTY);
        let mut broad = Auto::new();
        for number in 0..triangles.len() {
            // Cannot fail: numbers are new, and an empty box is none of NaN.
            let _ = broad.insert(ProxyId::new(number as u32, 0), &nothing);
        }
        let bounds = vec![nothing; triangles.len()];
        Self { points: Vec::new(), triangles, broad, bounds, pairs: Pairs::new() }
    }

    /// Calls `found` with all pairs of a vertex and a face, and of two edges, that may come within twice the margin of each
    /// other; not those with a common vertex, nor of bodies alone. The order is always the same.
    pub(super) fn meetings(&mut self, margin: f64, mut found: impl FnMut(Meeting)) {
        let boxes: Vec<Aabb> = self.points.iter().map(|point| swept(point, margin)).collect();
        let of = |numbers: &[u32]| {
            let boxes = numbers.iter().map(|&number| boxes[number as usize]);
            boxes.fold(Aabb::EMPTY, |all, one| all.merged(&one))
        };
        for (bounds, triangle) in self.bounds.iter_mut().zip(&self.triangles) {
            *bounds = Bounds::new(of(&triangle.corners));
        }
        let bounds = &self.bounds;
        self.broad.update_many(
            bounds.len(),
            &|number| (ProxyId::new(number as u32, 0), &bounds[number]),
            // Coordinates are finite.
            &mut |_, _| (),
        );
        self.broad.pairs(&Everything, &mut self.pairs);
        for pair in &self.pairs.overlapping {
            let [s, t] = [pair.a, pair.b].map(|id| id.index() as usize);
            let [a, b] = [&self.triangles[s], &self.triangles[t]];
            // The cloth comes first.
            if a.body > 0 && b.body > 0 {
                continue;
            }
            let [box_a, box_b] = [s, t].map(|number| bounds[number].aabb);
            for (one, other, other_box) in [(a, b, &box_b), (b, a, &box_a)] {
                for (k, &vertex) in one.corners.iter().enumerate() {
                    if one.vertices[k]
                        && !other.corners.contains(&vertex)
                        && boxes[vertex as usize].overlaps(other_box)
                    {
                        let [x, y, z] = other.corners;
                        found(Meeting::VertexFace([vertex, x, y, z]));
                    }
                }
            }
            for (e, own) in edges_of(a.corners).into_iter().zip(a.edges) {
                let box_e = of(&e);
                if !own || !box_e.overlaps(&box_b) {
                    continue;
                }
                for (f, own) in edges_of(b.corners).into_iter().zip(b.edges) {
                    if own && !e.contains(&f[0]) && !e.contains(&f[1]) && box_e.overlaps(&of(&f)) {
                        found(Meeting::EdgeEdge([e[0], e[1], f[0], f[1]]));
                    }
                }
            }
        }
    }

    /// All contacts on the way, exactly; with `active` only those of at least one such point.
    pub(super) fn contacts(&mut self, active: Option<&[bool]>) -> Vec<(Meeting, MotionContact)> {
        /// Of the interval of time: how far vertices stop before a contact needs no more.
        const WIDTH: f64 = 1e-3;
        let mut meetings = Vec::new();
        self.meetings(0.0, |meeting| {
            let is_active = |point: u32| active.is_none_or(|active| active[point as usize]);
            if meeting.points().into_iter().any(is_active) {
                meetings.push(meeting);
            }
        });
        let contact = |meeting: Meeting| {
            let [p, a, b, c] = meeting.points().map(|point| self.points[point as usize]);
            let contact = match meeting {
                Meeting::VertexFace(_) => vertex_face_contact(&p, &[a, b, c], WIDTH),
                Meeting::EdgeEdge(_) => edge_edge_contact(&[p, a], &[b, c], WIDTH),
            };
            contact.map(|contact| (meeting, contact))
        };
        meetings.into_iter().filter_map(contact).collect()
    }
}

pub(super) fn edges_of([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

fn swept(point: &MovingPoint, margin: f64) -> Aabb {
    let [from, to] = [point.start, point.end];
    let side =
        |pick: fn(f64, f64) -> f64, away: f64| [0, 1, 2].map(|k| pick(from[k], to[k]) + away);
    Aabb::new(side(f64::min, -margin), side(f64::max, margin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = MovingPoint> {
        let place = || prop::array::uniform3(-3..=3i32).prop_map(|at| at.map(f64::from));
        (place(), place()).prop_map(|(start, end)| MovingPoint::new(start, end))
    }

    /// A sorted name of a meeting, whatever the order of its corners or ends.
    fn named(meeting: Meeting) -> (bool, Vec<Vec<u32>>) {
        let sorted = |numbers: &[u32]| {
            let mut numbers = numbers.to_vec();
            numbers.sort_unstable();
            numbers
        };
        match meeting {
            Meeting::VertexFace([p, a, b, c]) => (true, vec![vec![p], sorted(&[a, b, c])]),
            Meeting::EdgeEdge([a, b, c, d]) => {
                let mut edges = vec![sorted(&[a, b]), sorted(&[c, d])];
                edges.sort_unstable();
                (false, edges)
            }
        }
    }

    /// All vertices against all faces, and all edges against all edges.
    fn brute_force(
        points: &[MovingPoint],
        bodies: &[Vec<[u32; 3]>],
    ) -> BTreeSet<(bool, Vec<Vec<u32>>)> {
        let mut found = BTreeSet::new();
        let faces = |body: usize| bodies[body].iter().copied();
        let at = |number: u32| points[number as usize];
        for (one, other) in [(0, 0), (0, 1), (1, 0)] {
            for p in faces(one).flatten() {
                for f in faces(other).filter(|f| !f.contains(&p)) {
                    if vertex_face_contact(&at(p), &f.map(at), 0.0).is_some() {
                        found.insert(named(Meeting::VertexFace([p, f[0], f[1], f[2]])));
                    }
                }
            }
            for [a, b] in faces(one).flat_map(edges_of) {
                for [c, d] in faces(other).flat_map(edges_of) {
                    let is_shared = [a, b].contains(&c) || [a, b].contains(&d);
                    let [first, second] = [[a, b], [c, d]].map(|edge| edge.map(at));
                    if !is_shared && edge_edge_contact(&first, &second, 0.0).is_some() {
                        found.insert(named(Meeting::EdgeEdge([a, b, c, d])));
                    }
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn contacts_are_those_of_all_pairs_each_once(points in prop::collection::vec(point(), 10)) {
            // A strip of cloth, and a body of two triangles.
            let bodies = [
                vec![[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]],
                vec![[6, 7, 8], [8, 7, 9]],
            ];
            let mut moving = MovingTriangles::new(&bodies);
            moving.points.clone_from(&points);
            let contacts = moving.contacts(None);
            let found: BTreeSet<_> = contacts.iter().map(|&(meeting, _)| named(meeting)).collect();
            prop_assert_eq!(found.len(), contacts.len());
            prop_assert_eq!(found, brute_force(&points, &bodies));
        }
    }
}
