//! Support searches: nanoseconds a search, by kind and number of vertices. Prints a Markdown table.
//!
//! `cargo bench -p xcollide-benches --bench support [-- 8 100 …]`; with numbers, only those numbers of
//! vertices.
//!
//! Hulls of random points on an ellipsoid, a rod and a plate. Directions are random, or turned by
//! some two degrees from the last one, as for moving bodies; every search begins at its own last
//! answer. All kinds take turns, piece by piece.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::cell::Cell;
use std::sync::Arc;

use xcollide_benches::contest::Contestant;
use xcollide_benches::turns::in_turns;
use xcollide_convex::{Polytope, VertexSearch};
use xcollide_narrow::Model;
use xcollide_narrow::convex::polytope_of;
use xcollide_scenes::{PolytopeKind, Random, polytope};

/// Searches of one kind of direction and one number of vertices.
const SEARCHES: usize = 6000;

const ROUNDS: usize = 9;

/// The searches, as the table calls them.
const SEARCHES_BY: [(&str, VertexSearch); 7] = [
    ("all vertices", VertexSearch::AllVertices),
    ("climbing", VertexSearch::Climbing),
    ("8 × 16 table", VertexSearch::Tabled),
    ("octahedral table", VertexSearch::Octahedral),
    ("normal fan", VertexSearch::Fan),
    ("hierarchy", VertexSearch::Hierarchical),
    ("mixed, the default", VertexSearch::Mixed),
];

/// Directions, each turned from the one before by about `step`; 0 for any.
fn directions(random: &mut Random, step: f64) -> Vec<[f64; 3]> {
    let mut at = random.direction();
    (0..SEARCHES)
        .map(|_| {
            let other = random.direction();
            at = if step == 0.0 { other } else { [0, 1, 2].map(|k| at[k] + step * other[k]) };
            let length = at.iter().map(|x| x * x).sum::<f64>().sqrt();
            at = at.map(|x| x / length);
            at
        })
        .collect()
}

fn row(vertices: usize, name: &str, step: f64) {
    let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate];
    let polytopes: Vec<Arc<Polytope>> = kinds
        .iter()
        .zip(1..)
        .map(|(&kind, seed)| {
            polytope_of(&Model::from_mesh(polytope(vertices, kind, seed).unwrap()).unwrap())
        })
        .collect();
    let directions = directions(&mut Random::new(5), step);
    let mut contestants: Vec<Contestant<'_>> = SEARCHES_BY
        .iter()
        .map(|&(name, by)| {
            let last = [0; 3].map(Cell::new);
            let (polytopes, directions) = (&polytopes, &directions);
            Contestant::new(name, move |search| {
                // Long stretches with each polytope.
                let which = search * 3 / SEARCHES;
                let (polytope, near) = (&polytopes[which], last[which].get());
                let found = by.farthest(polytope, directions[search], near);
                last[which].set(found);
                Some(found % 2 == 0)
            })
        })
        .collect();
    let figures = in_turns(&mut contestants, SEARCHES, ROUNDS);
    let cells: Vec<String> = figures.iter().map(|(time, _)| format!("{time:.0}")).collect();
    println!("| {vertices} | {name} | {} |", cells.join(" | "));
}

fn main() {
    let chosen: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let all = vec![8, 20, 50, 100, 200, 500, 1000, 2000, 5000];
    println!("| n | directions | {} |", SEARCHES_BY.map(|(name, _)| name).join(" | "));
    println!("|{}", "---:|".repeat(SEARCHES_BY.len() + 2));
    for vertices in if chosen.is_empty() { all } else { chosen } {
        row(vertices, "any", 0.0);
        row(vertices, "near the last", 0.05);
    }
}
