//! Clipping the edges of either body by the planes of the other, after Cyrus and Beck (Zachmann
//! 1994, 3.4.1).
//!
//! ```text
//!        u ●            Of the edge u + t (v − u) each half space of the other body leaves an
//!      ────┼─────────   interval: planes that it enters through raise α, planes that it leaves
//!          ┃ α          through lower β. If a part of any edge is left, the bodies meet; if no edge
//!          ┃    body    of either body has a part left, they are apart.
//!          ┃ β
//!      ────┼─────────   Only the two parameters are computed, no points.
//!        v ●
//! ```
//!
//! Differences from the source:
//!
//! - It skips planes that are parallel to an edge ("no harm is done"), so two boxes above each other would
//!   meet. Here the heights of the two ends decide, without a special case.
//! - Its collect phase drops the faces of the other body outside the box of the first, which makes a body
//!   inside the other seem outside; with boxes of faces a face that only seems to be inside may leave too
//!   much of an edge. Here these faces are tested last.
//! - α and β are exchanged in its prose, but not in its pseudo-code.
//! - Clipping proves neither a hit nor a miss. GJK makes the proof, starting from the result of clipping;
//!   if the two disagree, the proof counts.
//! - The memory is new: a query tries the last edge inside and the last separating direction first. Within
//!   a query the plane that rejected an edge is tried first on the next one, so that mostly a miss tests
//!   one plane per edge.

use xcollide_bounds::Aabb;
use xcollide_convex::{Body, ContactCertificate, Pair, Polytope, Search, SearchResult, Simplex};

use crate::convex::certified::Certified;
use xcollide_math::vector::{dot, sub};

/// Edges of either body against the planes of the other, O(n²) in the worst case.
pub type CyrusBeck = Certified<CyrusBeckSearch>;

/// The search of [`CyrusBeck`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CyrusBeckSearch;

/// Memory of a pair: the edge inside, the separating direction, and scratch memory.
#[derive(Clone, Debug, Default)]
pub struct CyrusBeckMemory {
    direction: Option<[f64; 3]>,
    ends: [u32; 2],
    /// The side of the edge, and its ends.
    inside: Option<(usize, [u32; 2])>,
    sides: [Side; 2],
}

/// One body in the world.
#[derive(Clone, Debug, Default)]
struct Side {
    positions: Vec<[f64; 3]>,
    planes: Vec<HalfSpace>,
    whole: Aabb,
    /// The planes in the order in which they clip the other body's edges.
    order: Vec<u32>,
}

/// normal · x ≤ offset.
#[derive(Clone, Copy, Debug)]
struct HalfSpace {
    normal: [f64; 3],
    offset: f64,
    vertex: u32,
}

/// An edge with a part inside, and the planes at the ends of that part.
#[derive(Clone, Copy, Debug)]
struct Inside {
    ends: [u32; 2],
    bounds: [Option<u32>; 2],
}

impl Search for CyrusBeckSearch {
    const NAME: &'static str = "cyrus-beck";
    type Memory = CyrusBeckMemory;

    fn prepare(&self, polytope: &Polytope) {
        let _ = polytope.gauss_map();
    }

    fn search(&self, pair: &mut Pair<'_>, memory: &mut CyrusBeckMemory) -> SearchResult {
        if let Some(direction) = memory.direction {
            let probe = pair.probe(direction, memory.ends);
            memory.ends = probe.ends;
            if let Some(plane) = pair.apart(direction, &probe) {
                return SearchResult::Separated(plane);
            }
        }
        for (side, body) in memory.sides.iter_mut().zip([pair.a(), pair.b()]) {
            side.place(body);
        }
        let certificate = ContactCertificate::of(pair);
        let shift = certificate.map_or([0.0; 3], |certificate| certificate.shift);
        let mut simplex = Simplex::new();
        let mut direction = memory.direction.unwrap_or_else(|| pair.first_direction());
        let inside = clip(pair, memory);
        memory.inside = inside.map(|(of, inside)| (of, inside.ends));
        if let Some((of, inside)) = inside {
            for plane in inside.bounds.into_iter().flatten() {
                let vertex = memory.sides[1 - of].planes[plane as usize].vertex;
                for end in inside.ends {
                    let ends = if of == 0 { [end, vertex] } else { [vertex, end] };
                    simplex.push(sub(pair.difference(ends), shift), ends);
                }
            }
        }
        let result = pair.gjk(certificate.as_ref(), &mut simplex, &mut direction, &mut memory.ends);
        memory.direction = matches!(result, SearchResult::Separated(_)).then_some(direction);
        result
    }
}

/// The first edge of either body with a part inside the other.
fn clip(pair: &mut Pair<'_>, memory: &mut CyrusBeckMemory) -> Option<(usize, Inside)> {
    for of in [0, 1] {
        collect(pair, memory, of);
    }
    let sides = &memory.sides;
    let mut first = 0;
    if let Some((of, ends)) = memory.inside
        && let Some(inside) = clipped(pair, &sides[of], &sides[1 - of], ends, &mut first)
    {
        return Some((of, inside));
    }
    for of in [0, 1] {
        let (edges, planes) = (&sides[of], &sides[1 - of]);
        let polytope = [pair.a(), pair.b()][of].polytope();
        first = 0;
        for v in 0..polytope.len() as u32 {
            let alone = polytope.neighbours(v).is_empty().then_some(v);
            let upwards = polytope.neighbours(v).iter().copied().filter(|&w| w > v);
            for w in upwards.chain(alone) {
                // The box of the edge must overlap that of the other body.
                let ends = [v, w].map(|v| edges.positions[v as usize]);
                if !Aabb::from_points(ends).overlaps(&planes.whole) {
                    continue;
                }
                if let Some(inside) = clipped(pair, edges, planes, [v, w], &mut first) {
                    return Some((of, inside));
                }
            }
        }
    }
    None
}

/// Orders the faces of the other body: first those that overlap the box of this one.
fn collect(pair: &Pair<'_>, memory: &mut CyrusBeckMemory, of: usize) {
    let within = memory.sides[of].whole;
    let Side { positions, planes, order, .. } = &mut memory.sides[1 - of];
    order.clear();
    order.extend(0..planes.len() as u32);
    let polytope = [pair.b(), pair.a()][of].polytope();
    if polytope.dimension() == 3 {
        let mut met = 0;
        for (index, face) in polytope.facets().enumerate() {
            let corners = face.iter().map(|&v| positions[v as usize]);
            if Aabb::from_points(corners).overlaps(&within) {
                order.swap(met, index);
                met += 1;
            }
        }
    }
}

impl Side {
    fn place(&mut self, body: &Body<'_>) {
        let polytope = body.polytope();
        self.positions.clear();
        self.positions.extend((0..polytope.len() as u32).map(|v| body.position(v)));
        self.whole = Aabb::from_points(self.positions.iter().copied());
        self.planes.clear();
        for face in polytope.gauss_map().faces() {
            let normal = body.turned(face.normal);
            let offset = dot(normal, self.positions[face.vertex as usize]);
            self.planes.push(HalfSpace { normal, offset, vertex: face.vertex });
        }
    }
}

/// Clips an edge by all planes, beginning with number `first` of the order. `None` if nothing is left: then
/// `first` is the plane that removed the last part.
fn clipped(
    pair: &mut Pair<'_>,
    edges: &Side,
    planes: &Side,
    ends: [u32; 2],
    first: &mut usize,
) -> Option<Inside> {
    let [u, v] = ends.map(|v| edges.positions[v as usize]);
    let (mut alpha, mut beta) = (0.0, 1.0);
    let mut bounds = [None; 2];
    let count = planes.order.len();
    for step in 0..count {
        // Number `first` and number 0 are exchanged.
        let at = match step {
            0 => *first,
            _ if step == *first => 0,
            _ => step,
        };
        let index = planes.order[at];
        let HalfSpace { normal, offset, .. } = planes.planes[index as usize];
        pair.count_primitive_test();
        let (from, to) = (dot(normal, u) - offset, dot(normal, v) - offset);
        if from > 0.0 && to > 0.0 {
            *first = at;
            return None;
        }
        if from > 0.0 {
            let enters = from / (from - to);
            if enters > alpha {
                (alpha, bounds[0]) = (enters, Some(index));
            }
        } else if to > 0.0 {
            let leaves = from / (from - to);
            if leaves < beta {
                (beta, bounds[1]) = (leaves, Some(index));
            }
        }
        if alpha > beta {
            *first = at;
            return None;
        }
    }
    Some(Inside { ends, bounds })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
    use xcollide_brep::ConvexHull;
    use xcollide_scenes::{PolytopeKind, Random, polytope};

    use super::*;
    use crate::convex::polytope_of;
    use crate::mesh::Wide;
    use crate::{Model, NarrowPhase, PairCache, Placed, Pose, Query};

    /// What clipping says, without GJK.
    fn answer(a: &Model, b: &Model, there: &Pose) -> bool {
        let (of_a, of_b) = (polytope_of(a), polytope_of(b));
        let here = Placed::new(a, &Pose::IDENTITY).unwrap();
        let there = Placed::new(b, there).unwrap();
        let mut pair = Pair::new(Body::new(&of_a, here.pose()), Body::new(&of_b, there.pose()));
        let mut memory = CyrusBeckMemory::default();
        for (side, body) in memory.sides.iter_mut().zip([pair.a(), pair.b()]) {
            side.place(body);
        }
        let first = clip(&mut pair, &mut memory);
        // The edge that was inside is also inside when it is tested first.
        memory.inside = first.map(|(of, inside)| (of, inside.ends));
        let again = clip(&mut pair, &mut memory);
        assert_eq!(memory.inside, again.map(|(of, inside)| (of, inside.ends)));
        first.is_some()
    }

    #[test]
    fn some_edge_is_left_iff_the_bodies_meet() {
        let mut random = Random::new(3);
        let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate];
        let (mut hits, mut nested) = (0, 0);
        for round in 0..600 {
            let body = |seed: u64, scale: f64| {
                let kind = kinds[(round + seed as usize) % 3];
                let mesh = polytope(6 + (round * 5) % 60, kind, seed).unwrap();
                let points: Vec<_> =
                    mesh.positions().iter().map(|p| p.map(|x| x * scale)).collect();
                Model::from_mesh(ConvexHull::of(&points).unwrap().into_mesh()).unwrap()
            };
            let small = round % 4 == 0;
            let (a, b) = (body(1, 1.0), body(2, if small { 0.05 } else { 1.0 }));
            let [x, y, z, w] = random.rotation();
            let reach = if small { 0.3 } else { 1.2 };
            let t = [(); 3].map(|()| random.between(-reach, reach));
            let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
            let there = Pose::try_from(Isometry3::from_parts(Translation3::from(t), turn)).unwrap();
            let meet = |semantics| {
                let query = Query::new().semantics(semantics);
                let here = Placed::new(&a, &Pose::IDENTITY).unwrap();
                let there = Placed::new(&b, &there).unwrap();
                Wide::new().test(here, there, &query, &mut PairCache::new()).is_collision()
            };
            let hit = meet(crate::Semantics::Solid);
            assert_eq!(answer(&a, &b, &there), hit, "round {round}");
            hits += u32::from(hit);
            nested += u32::from(hit && !meet(crate::Semantics::Surface));
        }
        assert!((100..500).contains(&hits) && nested > 20, "{hits} hits, {nested} nested");
    }

    /// The two cases in which the source's shortcuts would err.
    #[test]
    fn parallel_boxes_and_a_box_in_a_box_are_told_right() {
        let cube = |half: f64| {
            let corner = |i: u32| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -half } else { half });
            let corners: Vec<_> = (0..8).map(corner).collect();
            Model::from_mesh(ConvexHull::of(&corners).unwrap().into_mesh()).unwrap()
        };
        let (large, small) = (cube(1.0), cube(0.25));
        assert!(!answer(&large, &large, &Pose::from_translation([0.0, 0.0, 2.5])));
        assert!(answer(&large, &large, &Pose::from_translation([0.5, 0.5, 1.5])));
        assert!(answer(&large, &small, &Pose::from_translation([0.1, 0.2, 0.3])));
        assert!(answer(&small, &large, &Pose::from_translation([0.1, 0.2, 0.3])));
    }
}
