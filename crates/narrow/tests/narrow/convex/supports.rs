//! Every support search against one vertex after the other.

use xcollide_brep::{Topology, VertexId};
use xcollide_convex::{Body, Pair, Polytope, VertexSearch};
use xcollide_narrow::convex::polytope_of;
use xcollide_narrow::{Model, Placed, Semantics, proximity};

use super::gaps::{convex_shapes, tessellated_box};
use crate::support::{Random, random_pose, shape};

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Checks that no vertex is higher than the one found by more than its slack allows; returns
/// whether the slack is finite.
fn holds(polytope: &Polytope, support: VertexSearch, direction: [f64; 3], near: u32) -> bool {
    let found = support.farthest(polytope, direction, near);
    let height = |v: u32| dot(direction, polytope.position(v));
    let top = (0..polytope.len() as u32).map(height).fold(f64::NEG_INFINITY, f64::max);
    let unit = polytope.reach() * dot(direction, direction).sqrt() / (1_u64 << 50) as f64;
    let slack = support.slack(polytope, found);
    if slack.is_infinite() {
        return false;
    }
    assert!(top <= height(found) + slack * unit, "{} below {top}", height(found));
    true
}

const SUPPORTS: [VertexSearch; 7] = [
    VertexSearch::Hierarchical,
    VertexSearch::AllVertices,
    VertexSearch::Climbing,
    VertexSearch::Mixed,
    VertexSearch::Fan,
    VertexSearch::Octahedral,
    VertexSearch::Tabled,
];

fn models() -> Vec<Model> {
    let mut models = convex_shapes();
    for spec in ["shape:polytope?vertices=1000&seed=2", "shape:polytope?vertices=400&kind=plate"] {
        models.push(shape(spec));
    }
    models
}

#[test]
fn no_vertex_is_higher_than_the_slack_allows() {
    let mut random = Random::new(6);
    let (mut searches, mut known) = (0, 0);
    for model in models() {
        let polytope = polytope_of(&model);
        for round in 0..300 {
            let mut direction = [(); 3].map(|()| random.signed());
            match round % 5 {
                0 => direction = direction.map(|x| (1.5 * x).round()),
                1 => direction = direction.map(|x| x * 1e-30),
                // Square to an edge: two vertices are equally high but for rounding.
                2 => {
                    let v = random.integer(0, polytope.len() as i64 - 1) as u32;
                    let w = polytope.neighbours(v)[0];
                    let [p, q] = [v, w].map(|v| polytope.position(v));
                    let edge = [0, 1, 2].map(|k| q[k] - p[k]);
                    let along = dot(direction, edge) / dot(edge, edge);
                    direction = [0, 1, 2].map(|k| direction[k] - along * edge[k]);
                }
                _ => {}
            }
            let near = random.integer(0, polytope.len() as i64 - 1) as u32;
            for support in SUPPORTS {
                known += usize::from(holds(&polytope, support, direction, near));
                searches += 1;
            }
        }
    }
    println!("slack known in {known} of {searches} searches");
    assert!(known * 10 > searches * 9);
}

/// Nearest points of hulls against the distance of their triangles.
#[test]
fn bounds_enclose_the_distance() {
    let models = convex_shapes();
    let mut random = Random::new(16);
    let mut apart = 0;
    for round in 0..300 {
        let (i, j) = (round % models.len(), (round / 5) % models.len());
        let poses = [random_pose(&mut random, 1.5), random_pose(&mut random, 1.5)];
        let a = Placed::new(&models[i], &poses[0]).unwrap();
        let b = Placed::new(&models[j], &poses[1]).unwrap();
        let (of_a, of_b) = (polytope_of(&models[i]), polytope_of(&models[j]));
        let mut pair = Pair::new(Body::new(&of_a, a.pose()), Body::new(&of_b, b.pose()));
        let found = pair.nearest(&[]);
        let exact = proximity::distance(a, b, Semantics::Solid).unwrap();
        assert!(found.distance >= exact.value - 1e-13, "{found:?} {exact:?}");
        assert!(found.at_least <= exact.value + 1e-13, "{found:?} {exact:?}");
        assert!(found.distance - found.at_least < 1e-7, "{found:?}");
        let again = pair.nearest(found.simplex.ends());
        assert!((again.distance - found.distance).abs() < 1e-7);
        apart += usize::from(exact.value > 0.0);
    }
    assert!((50..280).contains(&apart), "{apart}");
}

/// The mesh of a tessellated box has vertices in the middle of its sides, from which hill climbing
/// would not get away; the polytope has not.
#[test]
fn only_corners_are_vertices() {
    let grid = tessellated_box();
    let polytope = polytope_of(&grid);
    assert!(grid.topology().contains(Topology::CONVEX));
    assert_eq!((grid.used_vertices().len(), polytope.len()), (56, 8));
    assert!(polytope.solidity().is_some());
    for vertex in 0..polytope.len() as u32 {
        assert!(VertexSearch::Climbing.slack(&polytope, vertex).is_finite());
        assert!(grid.used_vertices().contains(&VertexId(polytope.number(vertex))));
    }
}
