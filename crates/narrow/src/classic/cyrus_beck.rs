//! Clipping the edges of either body by the planes of the other, after Cyrus and Beck (Zachmann
//! 1994, 3.4.1).
//!
//! ```text
//!        u ●            Of the edge u + t (v − u) each half space of the other body leaves an
//!      ────┼─────────   interval: what enters it is cut from below, what leaves it from above. If
//!          ┃ α          something is left in the end, the bodies meet; if of no edge anything is,
//!          ┃    body    neither of one body nor of the other, they are apart.
//!          ┃ β
//!      ────┼─────────   No point is computed but two parameters.
//!        v ●
//! ```
//!
//! Where we differ from the source:
//!
//! - It steps over planes to which an edge is parallel ("no harm is done"). Two boxes above each
//!   other would meet then. Here the heights of the two ends decide, which needs no special case.
//! - Its collect phase forgets the faces of the other body that do not come into the box of the
//!   first. That takes a body within the other for one outside; and where, as usual, the boxes of
//!   faces are looked at, a face that only seems to come in may leave too much of an edge. Here
//!   these faces come last, when an edge has survived the others.
//! - α and β are exchanged in its prose, but not in its pseudo-code.
//! - Neither a hit nor a miss comes with a proof. Gilbert's algorithm makes one, from where the
//!   clipping ended; if the two do not agree, the proof counts.
//! - The memory is ours: the edge that was inside, and the direction that separated, are tried
//!   first. Within a query the plane that cut an edge off is the first to be tried on the next one,
//!   so that in most cases a miss looks at each edge once.

use xcollide_bounds::Aabb;
use xcollide_convex::{Body, ContactCertificate, Pair, Search, SearchResult, Simplex};

use crate::convex::certified::Certified;
use xcollide_math::vector::{dot, sub};

/// Edges of either body against the planes of the other, O(n²) in the worst case.
pub type CyrusBeck = Certified<CyrusBeckSearch>;

/// The search of [`CyrusBeck`]: which of the source's pre-checks are made. They change the time
/// and not the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyrusBeckSearch {
    /// Skips edges whose box does not meet the box of the other body.
    pub edge_box: bool,
    /// Clips first by those faces whose box meets the box of the first body.
    pub collect: bool,
}

impl Default for CyrusBeckSearch {
    fn default() -> Self {
        Self { edge_box: true, collect: true }
    }
}

/// What is remembered: the edge that was inside, the direction that separated; and room for a
/// search.
#[derive(Clone, Debug, Default)]
pub struct CyrusBeckMemory {
    direction: Option<[f64; 3]>,
    ends: [u32; 2],
    /// Whose edge, and its ends.
    inside: Option<(usize, [u32; 2])>,
    sides: [Side; 2],
}

/// One body in the world.
#[derive(Clone, Debug, Default)]
struct Side {
    positions: Vec<[f64; 3]>,
    planes: Vec<HalfSpace>,
    whole: Aabb,
    /// The planes, in the order in which the other's edges are clipped by them.
    order: Vec<u32>,
}

/// normal · x ≤ offset.
#[derive(Clone, Copy, Debug)]
struct HalfSpace {
    normal: [f64; 3],
    offset: f64,
    vertex: u32,
}

/// Where an edge was found to be inside: the two planes that bound what is left of it, if any do.
#[derive(Clone, Copy, Debug)]
struct Inside {
    ends: [u32; 2],
    bounds: [Option<u32>; 2],
}

impl Search for CyrusBeckSearch {
    const NAME: &'static str = "cyrus-beck";
    type Memory = CyrusBeckMemory;

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
        let inset = ContactCertificate::of(pair);
        let shift = inset.map_or([0.0; 3], |inset| inset.shift);
        let mut simplex = Simplex::new();
        let mut direction = memory.direction.unwrap_or_else(|| pair.first_direction());
        let inside = self.clip(pair, memory);
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
        let finding = pair.gjk(inset.as_ref(), &mut simplex, &mut direction, &mut memory.ends);
        memory.direction = matches!(finding, SearchResult::Separated(_)).then_some(direction);
        finding
    }
}

impl CyrusBeckSearch {
    /// The first edge of either body of which something is inside the other.
    fn clip(&self, pair: &mut Pair<'_>, memory: &mut CyrusBeckMemory) -> Option<(usize, Inside)> {
        for of in [0, 1] {
            self.collect(pair, memory, of);
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
                    if self.edge_box {
                        let ends = [v, w].map(|v| edges.positions[v as usize]);
                        if !Aabb::from_points(ends).overlaps(&planes.whole) {
                            continue;
                        }
                    }
                    if let Some(inside) = clipped(pair, edges, planes, [v, w], &mut first) {
                        return Some((of, inside));
                    }
                }
            }
        }
        None
    }

    /// Puts the faces of the other body in order: first those that come into the box of this one.
    fn collect(&self, pair: &Pair<'_>, memory: &mut CyrusBeckMemory, of: usize) {
        let within = memory.sides[of].whole;
        let Side { positions, planes, order, .. } = &mut memory.sides[1 - of];
        order.clear();
        order.extend(0..planes.len() as u32);
        let polytope = [pair.b(), pair.a()][of].polytope();
        if self.collect && polytope.dimension() == 3 {
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

/// What all planes leave of an edge, beginning with number `first` of the order; `None` where
/// that is nothing: then `first` is the one that took the last of it.
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
        // Number `first` is exchanged with number 0.
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

    /// What clipping says, by each combination of pre-checks and without Gilbert's algorithm.
    fn answers(a: &Model, b: &Model, there: &Pose) -> [bool; 4] {
        let (of_a, of_b) = (polytope_of(a), polytope_of(b));
        let here = Placed::new(a, &Pose::IDENTITY).unwrap();
        let there = Placed::new(b, there).unwrap();
        [(false, false), (true, false), (false, true), (true, true)].map(|(edge_box, collect)| {
            let mut pair = Pair::new(Body::new(&of_a, here.pose()), Body::new(&of_b, there.pose()));
            let mut memory = CyrusBeckMemory::default();
            for (side, body) in memory.sides.iter_mut().zip([pair.a(), pair.b()]) {
                side.place(body);
            }
            let search = CyrusBeckSearch { edge_box, collect };
            let first = search.clip(&mut pair, &mut memory);
            // The edge that was inside is so when it is asked about first.
            memory.inside = first.map(|(of, inside)| (of, inside.ends));
            let again = search.clip(&mut pair, &mut memory);
            assert_eq!(memory.inside, again.map(|(of, inside)| (of, inside.ends)));
            first.is_some()
        })
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
            assert_eq!(answers(&a, &b, &there), [hit; 4], "round {round}");
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
        assert_eq!(answers(&large, &large, &Pose::from_translation([0.0, 0.0, 2.5])), [false; 4]);
        assert_eq!(answers(&large, &large, &Pose::from_translation([0.5, 0.5, 1.5])), [true; 4]);
        assert_eq!(answers(&large, &small, &Pose::from_translation([0.1, 0.2, 0.3])), [true; 4]);
        assert_eq!(answers(&small, &large, &Pose::from_translation([0.1, 0.2, 0.3])), [true; 4]);
    }
}
