use std::collections::BTreeSet;

use xcollide_scenes::{PolytopeKind, Random, polytope};

use super::*;
use crate::support::brute_force;
use crate::tests::hulls::{hull_of, hull_of_mesh};

/// Whether two arcs cross, by the sides of either great circle on which the ends of the other are (Gregorius 2013).
fn cross_over([a, b]: [[f64; 3]; 2], [c, d]: [[f64; 3]; 2]) -> bool {
    let (ab, cd) = (cross(a, b), cross(c, d));
    let (of_c, of_d, of_a, of_b) = (dot(ab, c), dot(ab, d), dot(cd, a), dot(cd, b));
    of_c * of_d < 0.0 && of_a * of_b < 0.0 && of_c * of_b > 0.0
}

fn turned([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let t = cross(u, v).map(|k| 2.0 * k);
    let (wt, ut) = (t.map(|k| w * k), cross(u, t));
    [0, 1, 2].map(|k| v[k] + wt[k] + ut[k])
}

#[test]
fn a_walk_along_all_arcs_meets_the_pairs_of_edges_whose_arcs_cross() {
    let mut random = Random::new(11);
    let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate];
    let mut crossings = 0;
    for round in 0..60 {
        let hull = |seed: u64| {
            let vertices = 4 + (round * 7 + seed as usize * 13) % 60;
            let mesh = polytope(vertices, kinds[(round + seed as usize) % 3], seed).unwrap();
            hull_of_mesh(&mesh)
        };
        let (a, b) = (hull(round as u64 + 1), hull(round as u64 + 2));
        let turn = random.rotation();
        let of_b = |face: u32| b.gauss_map().faces()[face as usize].normal;
        let (mut walked, mut crossed) = (BTreeSet::new(), BTreeSet::new());
        for (index, arc) in a.gauss_map().arcs().iter().enumerate() {
            let along = arc
                .faces
                .map(|face| neg(turned(turn, a.gauss_map().faces()[face as usize].normal)));
            let start = brute_force(&b, along[0]);
            walk(&b, along, start, |v, w| {
                assert!(walked.insert((index, v.min(w), v.max(w))), "an edge is crossed once");
                true
            });
            for other in b.gauss_map().arcs() {
                if cross_over(along, other.faces.map(of_b)) {
                    let [v, n] = [other.vertex, other.faces[0]];
                    // The other end of an edge: on both of its faces.
                    let faces: Vec<_> = b.facets().collect();
                    let on = |w: u32, face: u32| faces[face as usize].contains(&w);
                    let both = |&&w: &&u32| on(w, n) && on(w, other.faces[1]);
                    let w = *b.neighbours(v).iter().find(both).unwrap();
                    crossed.insert((index, v.min(w), v.max(w)));
                }
            }
        }
        assert_eq!(walked, crossed);
        crossings += crossed.len();
    }
    assert!(crossings > 3000, "{crossings}");
}

/// A body and its own directions, turned by a little or nothing: faces are level but for rounding.
#[test]
fn a_walk_between_level_faces_ends() {
    let mut random = Random::new(12);
    let mut steps = 0;
    for spec in ["shape:icosahedron", "shape:box", "shape:cylinder?faces=40"] {
        let polytope = hull_of_mesh(&xcollide_scenes::shape(spec).unwrap());
        let map = polytope.gauss_map();
        for _ in 0..300 {
            let shake = random.direction().map(|x| 1e-16 * x);
            for arc in map.arcs() {
                let along = arc.faces.map(|face| {
                    let normal = map.faces()[face as usize].normal;
                    add(normal, shake)
                });
                let start = brute_force(&polytope, along[0]);
                let mut crossed = 0;
                walk(&polytope, along, start, |_, _| {
                    crossed += 1;
                    crossed <= polytope.len()
                });
                assert!(crossed < polytope.len(), "{spec}: {along:?}");
                steps += crossed;
            }
        }
    }
    assert!(steps > 1000, "{steps}");
}

#[test]
fn flat_polytopes_stand_for_thin_bodies() {
    let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    for (points, true_faces, faces, arcs) in
        [(&triangle[..], 2, 5, 9), (&triangle[..2], 0, 6, 12), (&triangle[..1], 0, 6, 12)]
    {
        let polytope = hull_of(points);
        let map = polytope.gauss_map();
        assert_eq!(map.true_faces().len(), true_faces);
        assert_eq!((map.faces().len(), map.arcs().len()), (faces, arcs));
        for face in map.faces() {
            assert!((dot(face.normal, face.normal) - 1.0).abs() < 1e-15);
            // No vertex is beyond a face.
            for &p in polytope.positions() {
                let height = dot(face.normal, sub(p, polytope.position(face.vertex)));
                assert!(height < 1e-15, "{face:?} {p:?}");
            }
        }
        for arc in map.arcs() {
            for face in arc.faces {
                let face = map.faces()[face as usize];
                assert!(dot(face.normal, arc.direction).abs() < 1e-15, "{face:?} {arc:?}");
                let rise = sub(polytope.position(arc.vertex), polytope.position(face.vertex));
                assert!(dot(face.normal, rise).abs() < 1e-15, "{face:?} {arc:?}");
            }
        }
    }
}
