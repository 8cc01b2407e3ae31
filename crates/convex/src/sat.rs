//! The separating axis theorem (SAT): two polytopes are apart iff the normal of a face of their Minkowski difference
//! separates them, and these are the normals of faces of either, and the common normals of two edges (Gottschalk, Lin and
//! Manocha 1996, theorem 1; Zachmann, lecture slides, "the separating plane lemma").
//!
//! The search tries only pairs of edges that span a face of the difference: their arcs cross on the sphere of directions,
//! see [`gauss_map`](crate::gauss_map). It skips axes that point from the second center to the first, because an axis
//! that separates the bodies separates the centers. So a query tests O(n) axes instead of the usual O(n²).
//!
//! The features of the last separating axis, which move with the bodies, are tried first; after contact, the four pairs of
//! vertices that proved it.

use crate::contact_certificate::ContactCertificate;
use crate::gauss_map::{Arc, walk};
use crate::gjk::simplex::Simplex;
use crate::pair::Pair;
use crate::plane::Plane;
use crate::polytope::Polytope;
use crate::search::Search;
use crate::search_result::SearchResult;
use xcollide_math::vector::{add, cross, dot, length_squared, neg, sub};

/// All faces and all pairs of edges that can separate, the last axis first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatSearch;

/// The features whose axis separated, or the vertices of a tetrahedron that held the origin.
#[derive(Clone, Debug, Default)]
pub struct SatMemory {
    axis: Option<Axis>,
    ends: [u32; 2],
    tetrahedron: Option<[[u32; 2]; 4]>,
    /// By face of the first body: the vertex of the second that is farthest towards it.
    towards: Vec<u32>,
}

/// An axis, by the features that it is a normal of.
#[derive(Clone, Copy, Debug)]
enum Axis {
    /// A face of the first body.
    OfA(u32),
    /// A true face of the second.
    OfB(u32),
    /// An arc of the first body, and an edge of the second by its ends.
    Edges(u32, [u32; 2]),
}

impl Search for SatSearch {
    const NAME: &'static str = "sat";
    type Memory = SatMemory;

    fn prepare(&self, polytope: &Polytope) {
        let _ = polytope.gauss_map();
    }

    fn search(&self, pair: &mut Pair<'_>, memory: &mut SatMemory) -> SearchResult {
        let certificate = ContactCertificate::of(pair);
        let mut simplex = Simplex::new();
        if let (Some(tetrahedron), Some(certificate)) = (memory.tetrahedron.take(), &certificate) {
            for ends in tetrahedron {
                simplex.push(sub(pair.difference(ends), certificate.shift), ends);
            }
            if let Some(point) = certificate.common_point(pair, &simplex) {
                memory.tetrahedron = Some(tetrahedron);
                return SearchResult::Intersecting(point);
            }
        }
        let mut doubtful = None;
        let plane = try_last(pair, memory, &mut doubtful);
        if let Some(plane) = plane.or_else(|| try_all(pair, memory, &mut doubtful)) {
            return SearchResult::Separated(plane);
        }
        memory.axis = None;
        if let Some(direction) = doubtful {
            return SearchResult::Direction(direction);
        }
        // Without an axis the hulls meet, and GJK proves it.
        pair.hand_over();
        let mut direction = pair.first_direction();
        let result = pair.gjk(certificate.as_ref(), &mut simplex, &mut direction, &mut memory.ends);
        if let (SearchResult::Intersecting(_), &[a, b, c, d]) = (result, simplex.ends()) {
            memory.tetrahedron = Some([a, b, c, d]);
        }
        result
    }
}

impl SatSearch {
    /// A plane across an axis that separates, if there is one; tests O(n) axes.
    #[must_use]
    pub fn separating_axis(&self, pair: &mut Pair<'_>) -> Option<Plane> {
        try_all(pair, &mut SatMemory::default(), &mut None)
    }
}

/// Tries the axis of the features that separated in the last query.
fn try_last(
    pair: &mut Pair<'_>,
    memory: &mut SatMemory,
    doubtful: &mut Option<[f64; 3]>,
) -> Option<Plane> {
    let axis = memory.axis?;
    let [map_a, map_b] = [pair.a(), pair.b()].map(|body| body.polytope().gauss_map());
    let direction = match axis {
        Axis::OfA(face) => pair.a().turned(map_a.faces()[face as usize].normal),
        Axis::OfB(face) => neg(pair.b().turned(map_b.faces()[face as usize].normal)),
        Axis::Edges(arc, edge) => {
            let arc = map_a.arcs()[arc as usize];
            common_normal(pair, arc, edge)
        }
    };
    confirm(pair, memory, axis, direction, memory.ends, doubtful)
}

/// Tries the faces of the first body, those of the second, and the edges.
fn try_all(
    pair: &mut Pair<'_>,
    memory: &mut SatMemory,
    doubtful: &mut Option<[f64; 3]>,
) -> Option<Plane> {
    let between = sub(pair.b().center(), pair.a().center());
    let [of_a, of_b] = [pair.a().polytope(), pair.b().polytope()];
    let [map_a, map_b] = [of_a.gauss_map(), of_b.gauss_map()];

    let mut near = memory.ends[1];
    memory.towards.clear();
    for (index, face) in map_a.faces().iter().enumerate() {
        let axis = pair.a().turned(face.normal);
        if dot(axis, between) < 0.0 {
            memory.towards.push(NOT_SEARCHED);
            continue;
        }
        pair.count_primitive_test();
        near = pair.b().farthest(neg(axis), near);
        memory.towards.push(near);
        let ends = [face.vertex, near];
        if dot(axis, pair.difference(ends)) > 0.0 {
            let found = confirm(pair, memory, Axis::OfA(index as u32), axis, ends, doubtful);
            if found.is_some() {
                return found;
            }
        }
    }

    let mut near = memory.ends[0];
    for (index, face) in map_b.true_faces().iter().enumerate() {
        let axis = neg(pair.b().turned(face.normal));
        if dot(axis, between) < 0.0 {
            continue;
        }
        pair.count_primitive_test();
        near = pair.a().farthest(axis, near);
        let ends = [near, face.vertex];
        if dot(axis, pair.difference(ends)) > 0.0 {
            let found = confirm(pair, memory, Axis::OfB(index as u32), axis, ends, doubtful);
            if found.is_some() {
                return found;
            }
        }
    }

    for (index, &arc) in map_a.arcs().iter().enumerate() {
        let mut ends = arc.faces;
        if memory.towards[ends[0] as usize] == NOT_SEARCHED {
            ends.swap(0, 1);
        }
        let start = memory.towards[ends[0] as usize];
        if start == NOT_SEARCHED {
            continue;
        }
        // Towards the first body, in the second one's frame.
        let along = ends.map(|face| {
            let axis = pair.a().turned(map_a.faces()[face as usize].normal);
            pair.b().local(neg(axis))
        });
        let mut found = None;
        walk(of_b, along, start, |v, w| {
            pair.count_primitive_test();
            let axis = common_normal(pair, arc, [v, w]);
            if dot(axis, between) < 0.0 {
                return true;
            }
            let vertices = [arc.vertex, v];
            if dot(axis, pair.difference(vertices)) > 0.0 {
                let features = Axis::Edges(index as u32, [v, w]);
                found = confirm(pair, memory, features, axis, vertices, doubtful);
            }
            found.is_none()
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// A vertex that was not searched.
const NOT_SEARCHED: u32 = u32::MAX;

/// The direction orthogonal to an edge of either body, on the side of the first one's arc.
fn common_normal(pair: &Pair<'_>, arc: Arc, [v, w]: [u32; 2]) -> [f64; 3] {
    let faces = pair.a().polytope().gauss_map().faces();
    let [m, n] = arc.faces.map(|face| faces[face as usize].normal);
    let edge = sub(pair.b().position(w), pair.b().position(v));
    let axis = cross(pair.a().turned(arc.direction), edge);
    if dot(axis, pair.a().turned(add(m, n))) < 0.0 { neg(axis) } else { axis }
}

/// Certifies the gap along an axis. A gap within rounding is only noted: another axis may have a wider one.
fn confirm(
    pair: &mut Pair<'_>,
    memory: &mut SatMemory,
    axis: Axis,
    direction: [f64; 3],
    near: [u32; 2],
    doubtful: &mut Option<[f64; 3]>,
) -> Option<Plane> {
    if length_squared(direction) == 0.0 {
        return None;
    }
    let probe = pair.probe(direction, near);
    if probe.gap <= 0.0 {
        return None;
    }
    memory.ends = probe.ends;
    let plane = pair.apart(direction, &probe);
    if plane.is_some() {
        memory.axis = Some(axis);
    } else {
        *doubtful = Some(direction);
    }
    plane
}
