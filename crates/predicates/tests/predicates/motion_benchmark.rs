//! The public sample queries of the Tight-Inclusion benchmark, with their truth.
//!
//! They belong to others and are not in the repository. `XCOLLIDE_CCD` names their folder, with
//! SCENE/vertex-face/*.csv and SCENE/edge-edge/*.csv; without it the test says that it is skipped.
//!
//! Source: Wang, Ferguson, Schneider, Jiang, Attene and Panozzo, *A Large-Scale Benchmark and an
//! Inclusion-Based Algorithm for Continuous Collision Detection*, 2021.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};

use xcollide_fixtures::say_skipped;
use xcollide_predicates::moving::{MovingPoint, edge_edge_contact, vertex_face_contact};

/// Eight lines a query, three fractions each, with a power of two below; then the truth.
fn queries(path: &Path) -> Vec<([MovingPoint; 4], bool)> {
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .map(|line| line.split(',').map(|number| number.trim().parse().unwrap()).collect())
        .collect();
    let point = |row: &[f64]| [row[0] / row[1], row[2] / row[3], row[4] / row[5]];
    let query = |rows: &[Vec<f64>]| {
        let points = [0, 1, 2, 3].map(|i| MovingPoint::new(point(&rows[i]), point(&rows[i + 4])));
        (points, rows[0][6] == 1.0)
    };
    rows.chunks_exact(8).map(query).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default()
}

#[test]
fn public_queries_have_no_false_answer() {
    let Some(folder) = std::env::var_os("XCOLLIDE_CCD").map(PathBuf::from) else {
        return say_skipped("XCOLLIDE_CCD does not name the folder of the queries");
    };
    let mut count = 0;
    for scene in entries(&folder).iter().filter(|path| path.is_dir()) {
        for (kind, is_vertex_face) in [("vertex-face", true), ("edge-edge", false)] {
            for file in entries(&scene.join(kind)) {
                for (i, (points, truth)) in queries(&file).into_iter().enumerate() {
                    let [a, b, c, d] = points;
                    for width in [0.0, 1e-6, f64::INFINITY] {
                        let contact = if is_vertex_face {
                            vertex_face_contact(&a, &[b, c, d], width)
                        } else {
                            edge_edge_contact(&[a, b], &[c, d], width)
                        };
                        assert_eq!(contact.is_some(), truth, "{} {i}", file.display());
                    }
                    count += 1;
                }
            }
        }
    }
    assert!(count > 0, "{}: no queries", folder.display());
}
