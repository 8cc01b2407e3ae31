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
use xcollide_convex::{
    BruteForce, Hierarchical, HillClimbing, InFan, Mixed, Polytope, Support, Tabled,
};
use xcollide_narrow::Model;
use xcollide_narrow::convex::polytope_of;
use xcollide_scenes::{PolytopeKind, Random, polytope};

/// Searches of one kind of direction and one number of vertices.
const SEARCHES: usize = 6000;

const ROUNDS: usize = 9;

/// The ways, as the table calls them.
const NAMES: [&str; 7] = [
    "all vertices",
    "climbing",
    "8 × 16 table",
    "octahedral table",
    "normal fan",
    "hierarchy",
    "mixed, the default",
];

fn supports(of: &Polytope) -> [Box<dyn Support + '_>; 7] {
    [
        Box::new(BruteForce(of)),
        Box::new(HillClimbing(of)),
        Box::new(Tabled { polytope: of, table: of.spherical() }),
        Box::new(Tabled { polytope: of, table: of.octahedral() }),
        Box::new(InFan(of)),
        Box::new(Hierarchical { polytope: of, hierarchy: of.hierarchy() }),
        Box::new(Mixed(of)),
    ]
}

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
    let ways: Vec<[Box<dyn Support + '_>; 7]> =
        polytopes.iter().map(|polytope| supports(polytope)).collect();
    let mut contestants: Vec<Contestant<'_>> = (0..NAMES.len())
        .map(|way| {
            let last = [0; 3].map(Cell::new);
            let (ways, directions) = (&ways, &directions);
            Contestant::new(NAMES[way], move |search| {
                // Long stretches with each polytope.
                let which = search * 3 / SEARCHES;
                let found = ways[which][way].farthest(directions[search], last[which].get());
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
    println!("| n | directions | {} |", NAMES.join(" | "));
    println!("|{}", "---:|".repeat(NAMES.len() + 2));
    for vertices in if chosen.is_empty() { all } else { chosen } {
        row(vertices, "any", 0.0);
        row(vertices, "near the last", 0.05);
    }
}
