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
//! # What clipping proves
//!
//! *Apart.* The planes are moved outwards by a margin that covers all rounding
//! ([`PlacedPlanes`]). Let the hulls of the rounded vertices have a common point. Both are within rounding of
//! exact polytopes A and B, so A meets B + v for some v no longer than the rounding of both. Then an edge of A
//! meets B + v, or one of B meets A − v. The moved planes enclose both, so a part of that edge would be left.
//!
//! *Contact.* The middle m of the part that is left is on the border of the one body. A step towards that body's
//! center makes it deep enough there; then its depth in the other body is measured plane by plane. If both depths
//! exceed the dents of the bodies and all rounding, the point is in both.
//!
//! The exact test decides what remains: touching, and gaps and depths within rounding. If one plane rejected all edges
//! of a body, it separates, and is the proof; otherwise the proof of *apart* is all edges, which
//! [`Pairwise`](crate::Separation::Pairwise) repeats by the triangles.
//!
//! # Differences from the source
//!
//! - It skips planes that are parallel to an edge ("no harm is done"), so two boxes above each other would
//!   meet. Here the heights of the two ends decide, without a special case.
//! - Its collect phase drops the faces of the other body outside the box of the first, which makes a body
//!   inside the other seem outside; with boxes of faces a face that only seems to be inside may leave too
//!   much of an edge. Here these faces are tested last.
//! - α and β are exchanged in its prose, but not in its pseudo-code.
//! - The memory is new: a query tries the last edge inside and the last separating plane first. Within
//!   a query the plane that rejected an edge is tried first on the next one, so that mostly a miss tests
//!   one plane per edge.

use xcollide_bounds::Aabb;
use xcollide_convex::{Pair, Plane, Polytope, Search, SearchResult};

use super::placed_planes::PlacedPlanes;
use crate::convex::certified::Certified;
use xcollide_math::vector::{add, dot, neg, scale};

/// Edges of either body against the planes of the other, O(n²) in the worst case.
pub type CyrusBeck = Certified<CyrusBeckSearch>;

/// The search of [`CyrusBeck`], with its pre-checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyrusBeckSearch {
    /// Whether edges outside the box of the other body are skipped.
    edge_boxes: bool,
    /// Whether the faces whose boxes overlap that of the other body clip first.
    near_faces_first: bool,
}

impl CyrusBeck {
    /// Omits the pre-check of edges by the box of the other body.
    #[must_use]
    pub const fn without_edge_boxes(mut self) -> Self {
        self.0.edge_boxes = false;
        self
    }

    /// Clips by the faces in their own order, wherever they are.
    #[must_use]
    pub const fn without_face_boxes(mut self) -> Self {
        self.0.near_faces_first = false;
        self
    }
}

impl Default for CyrusBeckSearch {
    fn default() -> Self {
        Self { edge_boxes: true, near_faces_first: true }
    }
}

/// Memory of a pair: the edge inside, the separating direction, and scratch memory.
#[derive(Clone, Debug, Default)]
pub struct CyrusBeckMemory {
    direction: Option<[f64; 3]>,
    ends: [u32; 2],
    /// The side of the edge, and its ends.
    inside: Option<(usize, [u32; 2])>,
    sides: [PlacedPlanes; 2],
}

/// What clipping all edges showed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Clipped {
    /// A part of an edge is left, and this point is in both bodies.
    Meet([f64; 3]),
    /// Nothing is left. For each body the plane of the other one that rejected the last edge.
    Apart([Option<usize>; 2]),
    /// A part is left, too close to the border of a body.
    Doubt,
}

impl Search for CyrusBeckSearch {
    const NAME: &'static str = "cyrus-beck";
    type Memory = CyrusBeckMemory;

    fn prepare(&self, polytope: &Polytope) {
        let _ = polytope.gauss_map();
    }

    fn search(&self, pair: &mut Pair<'_>, memory: &mut CyrusBeckMemory) -> SearchResult {
        if let Some(direction) = memory.direction
            && let Some(plane) = plane_across(pair, direction, &mut memory.ends)
        {
            return SearchResult::Separated(plane);
        }
        memory.direction = None;
        let doubt = SearchResult::Direction(pair.first_direction());
        if !pair.is_certifiable() {
            return doubt;
        }
        match self.clip(pair, memory) {
            Clipped::Meet(point) => SearchResult::Intersecting(point),
            Clipped::Doubt => doubt,
            Clipped::Apart(last) => {
                for (of, index) in last.into_iter().enumerate() {
                    let Some(index) = index else { continue };
                    let normal = memory.sides[1 - of].normal(index);
                    // From the first body to the second.
                    let direction = if of == 0 { neg(normal) } else { normal };
                    if let Some(plane) = plane_across(pair, direction, &mut memory.ends) {
                        memory.direction = Some(direction);
                        return SearchResult::Separated(plane);
                    }
                }
                SearchResult::Apart
            }
        }
    }
}

/// The plane across a direction, if it separates.
fn plane_across(pair: &mut Pair<'_>, direction: [f64; 3], ends: &mut [u32; 2]) -> Option<Plane> {
    let probe = pair.probe(direction, *ends);
    *ends = probe.ends;
    pair.apart(direction, &probe)
}

impl CyrusBeckSearch {
    /// Clips the edges of both bodies until a point of both is found.
    fn clip(self, pair: &mut Pair<'_>, memory: &mut CyrusBeckMemory) -> Clipped {
        let noise = pair.a().noise() + pair.b().noise();
        let CyrusBeckMemory { inside, sides, .. } = memory;
        for (side, body) in sides.iter_mut().zip([pair.a(), pair.b()]) {
            side.place(body, noise);
        }
        let boxes = [0, 1].map(|of| *sides[of].whole());
        for of in (0..2).filter(|_| self.near_faces_first) {
            sides[of].order_by([pair.a(), pair.b()][of].polytope(), &boxes[1 - of]);
        }
        if let Some((of, ends)) = *inside
            && let Some(middle) = clipped(pair, sides, of, ends, &mut 0)
            && let Some(point) = point_in_both(pair, sides, of, middle)
        {
            return Clipped::Meet(point);
        }
        *inside = None;
        let mut last = [None; 2];
        let mut in_doubt = false;
        for of in [0, 1] {
            let polytope = [pair.a(), pair.b()][of].polytope();
            let mut first = 0;
            for v in 0..polytope.len() as u32 {
                let alone = polytope.neighbours(v).is_empty().then_some(v);
                let upwards = polytope.neighbours(v).iter().copied().filter(|&w| w > v);
                for w in upwards.chain(alone) {
                    // The box of the edge must overlap that of the other body.
                    let ends = [v, w].map(|v| sides[of].position(v));
                    if self.edge_boxes && !Aabb::from_points(ends).overlaps(&boxes[1 - of]) {
                        continue;
                    }
                    let Some(middle) = clipped(pair, sides, of, [v, w], &mut first) else {
                        last[of] = Some(sides[1 - of].ordered(first).0);
                        continue;
                    };
                    in_doubt = true;
                    if let Some(point) = point_in_both(pair, sides, of, middle) {
                        *inside = Some((of, [v, w]));
                        return Clipped::Meet(point);
                    }
                }
            }
        }
        if in_doubt { Clipped::Doubt } else { Clipped::Apart(last) }
    }
}

/// α and β may be in the wrong order by rounding, if they are within this distance: each is at most 1 and the result of a
/// subtraction and a division, so both together are off by less than 5 · 10⁻¹⁶. Heights are covered by the moved planes.
const PARAMETERS: f64 = 1e-15;

/// Clips an edge of body `of` by all planes of the other, beginning with number `first` of the order. The middle of
/// what is left; `None` if nothing is: then `first` is the plane that removed the last part.
fn clipped(
    pair: &mut Pair<'_>,
    sides: &[PlacedPlanes; 2],
    of: usize,
    ends: [u32; 2],
    first: &mut usize,
) -> Option<[f64; 3]> {
    let [u, v] = ends.map(|v| sides[of].position(v));
    let planes = &sides[1 - of];
    let (mut alpha, mut beta) = (0.0, 1.0);
    for step in 0..planes.len() {
        // Number `first` and number 0 are exchanged.
        let at = match step {
            0 => *first,
            _ if step == *first => 0,
            _ => step,
        };
        let (_, normal, offset) = planes.ordered(at);
        pair.count_primitive_test();
        let (from, to) = (dot(normal, u) - offset, dot(normal, v) - offset);
        if from > 0.0 && to > 0.0 {
            *first = at;
            return None;
        }
        if from > 0.0 {
            alpha = f64::max(alpha, from / (from - to));
        } else if to > 0.0 {
            beta = f64::min(beta, from / (from - to));
        }
        if alpha > beta + PARAMETERS {
            *first = at;
            return None;
        }
    }
    let middle = 0.5 * alpha + 0.5 * beta;
    Some(add(scale(u, 1.0 - middle), scale(v, middle)))
}

/// A point in both bodies: a point on the border of body `of`, moved into it so far that dents and rounding do not
/// matter, if that is as deep in the other body.
fn point_in_both(
    pair: &mut Pair<'_>,
    sides: &[PlacedPlanes; 2],
    of: usize,
    on_border: [f64; 3],
) -> Option<[f64; 3]> {
    /// For matrices that are rotations up to 1e-5 only, and for rounding.
    const SAFETY: f64 = 1.05;
    /// A body is left by at most this part of the way to its center.
    const MOST: f64 = 0.25;
    let bodies = [*pair.a(), *pair.b()];
    let noise = bodies[0].noise() + bodies[1].noise();
    let [here, there] = [bodies[of], bodies[1 - of]];
    let [solid, other] = [here, there].map(|body| body.polytope().solidity());
    let (solid, other) = (solid?, other?);
    // A ball of this radius about the center is in the body, so a part of the way there is that part as deep.
    let part = SAFETY * (solid.dent + 4.0 * noise) / solid.inner;
    if part.is_nan() || part > MOST {
        return None;
    }
    let point = add(scale(on_border, 1.0 - part), scale(here.center(), part));
    let deep = SAFETY * (other.dent + 2.0 * noise);
    pair.count_primitive_test();
    sides[1 - of].holds(point, &there, deep).then_some(point)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
    use xcollide_brep::ConvexHull;
    use xcollide_convex::Body;
    use xcollide_scenes::{PolytopeKind, Random, polytope};

    use super::*;
    use crate::convex::polytope_of;
    use crate::mesh::Wide;
    use crate::{
        Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, Separation, Verdict,
    };

    /// What clipping says.
    fn answer(a: &Model, b: &Model, there: &Pose) -> bool {
        let (of_a, of_b) = (polytope_of(a), polytope_of(b));
        let here = Placed::new(a, &Pose::IDENTITY).unwrap();
        let there = Placed::new(b, there).unwrap();
        let clipped = |search: CyrusBeckSearch| {
            let mut pair = Pair::new(Body::new(&of_a, here.pose()), Body::new(&of_b, there.pose()));
            let mut memory = CyrusBeckMemory::default();
            let found = search.clip(&mut pair, &mut memory);
            // The edge that was inside is also inside when it is tested first.
            let inside = memory.inside;
            assert_eq!(search.clip(&mut pair, &mut memory), found);
            assert_eq!(memory.inside, inside);
            assert!(found != Clipped::Doubt, "nothing is that close");
            matches!(found, Clipped::Meet(_))
        };
        let all = CyrusBeck::default();
        let meet = clipped(all.0);
        // Pre-checks change no answer.
        for fewer in [all.without_edge_boxes(), all.without_edge_boxes().without_face_boxes()] {
            assert_eq!(clipped(fewer.0), meet);
        }
        meet
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
            let hit = meet(Semantics::Solid);
            assert_eq!(answer(&a, &b, &there), hit, "round {round}");
            hits += u32::from(hit);
            nested += u32::from(hit && !meet(Semantics::Surface));
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

    /// Two cubes, an edge of each across the nearest edge of the other: no face parts them, so the proof is that of all pairs of
    /// triangles, and a query for a proof that is verified fast gets one from the exact test.
    #[test]
    fn without_a_face_that_separates_the_proof_is_pairwise_or_that_of_the_exact_test() {
        let [u, v, w] = [[1.0, -1.0, 0.0], [1.0, 1.0, -2.0], [1.0, 1.0, 1.0]]
            .map(|axis: [f64; 3]| Vector3::from(axis).normalize());
        // One edge, along `edge`, is farthest along w and one farthest against it.
        let cube = |edge: Vector3<f64>, other: Vector3<f64>| {
            let axes = [edge, (w + other).normalize(), (w - other).normalize()];
            let corner = |i: u32| {
                let [x, y, z] = [0, 1, 2].map(|k| if i >> k & 1 == 0 { -0.5 } else { 0.5 });
                let corner: [f64; 3] = (axes[0] * x + axes[1] * y + axes[2] * z).into();
                corner
            };
            let corners: Vec<_> = (0..8).map(corner).collect();
            Model::from_mesh(ConvexHull::of(&corners).unwrap().into_mesh()).unwrap()
        };
        let (below, above) = (cube(u, v), cube(v, u));
        // The edges are a diagonal of a square and a little more apart.
        let there: [f64; 3] = (w * 1.5).into();
        let there = Pose::from_translation(there);
        let a = Placed::new(&below, &Pose::IDENTITY).unwrap();
        let b = Placed::new(&above, &there).unwrap();
        let ask = |certify: bool| {
            let query = Query::new().certify(certify);
            match CyrusBeck::default().test(a, b, &query, &mut PairCache::new()) {
                Verdict::Apart(separation) => separation,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(ask(false), Separation::Pairwise);
        let proof = ask(true);
        assert_ne!(proof, Separation::Pairwise);
        proof.verify(a, b, Semantics::Solid).unwrap();
    }
}
