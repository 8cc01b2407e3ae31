//! Laws that hold for every soup.

use proptest::prelude::*;
use xcollide_brep::{
    Brep, Change, Defect, DropReason, PolygonMesh, RepairOptions, Topology, VertexId, Weld,
};

use super::checked;
use super::meshes::{Place, chain, cube, edge_runs, place, soup, welded};

/// Faces on a small grid: bodies that overlap, touch and repeat, bits of them, and garbage, some
/// turned; welded or not.
fn any_mesh() -> impl Strategy<Value = PolygonMesh> {
    let grid_place = || prop::array::uniform3(0i64..3);
    let bodies = prop::collection::vec((grid_place(), 1i64..3), 0..5);
    let polygons = prop::collection::vec(prop::collection::vec(grid_place(), 1..6), 0..6);
    let flips = prop::collection::vec(prop::bool::weighted(0.2), 40);
    let drops = prop::collection::vec(prop::bool::weighted(0.1), 40);
    (bodies, polygons, flips, drops, 0..3).prop_map(|(bodies, polygons, flips, drops, welding)| {
        let mut faces: Vec<Vec<Place>> =
            bodies.iter().flat_map(|&(at, size)| cube(at, size)).collect();
        faces.extend(polygons);
        for (face, flip) in faces.iter_mut().zip(flips) {
            if flip {
                face.reverse();
            }
        }
        let mut drops = drops.into_iter();
        faces.retain(|_| !drops.next().unwrap_or(false));
        match welding {
            0 => welded(&faces),
            1 => soup(&faces),
            _ => {
                // Bodies welded in themselves only.
                let mut mesh = PolygonMesh::new();
                for part in faces.chunks(6).map(welded) {
                    let first = mesh.vertex_count() as u32;
                    for &position in part.positions() {
                        mesh.push_vertex(position).unwrap();
                    }
                    for face in part.faces() {
                        let corners: Vec<u32> = face.outer().iter().map(|v| v.0 + first).collect();
                        mesh.push_face(&corners).unwrap();
                    }
                }
                mesh
            }
        }
    })
}

fn any_options() -> impl Strategy<Value = RepairOptions> {
    let weld = prop::sample::select(vec![Weld::Off, Weld::Equal, Weld::Equal, Weld::Grid(1.5)]);
    (weld, prop::array::uniform6(prop::bool::weighted(0.75))).prop_map(|(weld, on)| RepairOptions {
        weld,
        drop_degenerate: on[0],
        drop_duplicates: on[1],
        split_non_manifold: on[2],
        orient: on[3],
        triangulate: !on[4],
        drop_unused: on[5],
    })
}

proptest! {
    #[test]
    fn repairing_twice_is_repairing_once(mesh in any_mesh(), options in any_options()) {
        checked(&mesh, options);
    }

    #[test]
    fn neighbours_look_the_same_way_unless_reported(mesh in any_mesh()) {
        let repaired = checked(&mesh, RepairOptions::default());
        let left: Vec<[VertexId; 2]> = repaired
            .report
            .defects
            .iter()
            .filter_map(|defect| match *defect {
                Defect::NotOrientable { edge, .. } | Defect::NonManifoldEdge { edge, .. } => Some(edge),
                _ => None,
            })
            .collect();
        // Defects are told in numbers of the old mesh; compare places.
        let named: Vec<[Place; 2]> =
            left.iter().map(|edge| edge.map(|v| place(&mesh, v))).collect();
        for ((p, q), runs) in edge_runs(&repaired.mesh) {
            let [p, q] = [p, q].map(|v| place(&repaired.mesh, VertexId(v)));
            let reported = named.contains(&[p, q]) || named.contains(&[q, p]);
            prop_assert!(matches!(runs, (1, 0) | (0, 1) | (1, 1)) || reported, "{p:?} {q:?} {runs:?}\n{:?}\n{:?}", repaired.mesh, repaired.report);
        }
    }

    /// What a repair leaves is what the classification still finds, and all of it.
    #[test]
    fn the_classification_finds_what_the_report_says_is_left(mesh in any_mesh()) {
        let repaired = checked(&mesh, RepairOptions::default());
        let brep = Brep::new(repaired.mesh).unwrap();
        let (found, defects) = (brep.classification(), &repaired.report.defects);
        let left = |kind: fn(&Defect) -> bool| defects.iter().filter(|&defect| kind(defect)).count();
        let non_manifold = left(|defect| matches!(defect, Defect::NonManifoldEdge { .. }));
        prop_assert_eq!(found.nonmanifold_edges.len(), non_manifold);
        if non_manifold == 0 {
            prop_assert!(brep.topology().contains(Topology::MANIFOLD));
            let one_sided = left(|defect| matches!(defect, Defect::NotOrientable { .. }));
            prop_assert_eq!(found.misoriented_edges.len(), one_sided);
        }
        let collinear = left(|defect| matches!(defect, Defect::CollinearKept { .. }));
        prop_assert_eq!(found.degenerate_faces.len(), collinear);
        let walls = left(|defect| matches!(defect, Defect::DuplicateKept { .. }));
        prop_assert!(found.duplicate_faces.len() <= walls);
        prop_assert!(found.unused_vertices.is_empty() && found.degenerate_edges.is_empty());
    }

    /// Tetrahedra that share vertices, edges, faces; overlap; stand inside out. All edges cancel,
    /// and still do afterwards: nothing was opened. Only two faces back to back, which nothing but
    /// each other joins, become one.
    #[test]
    fn what_is_closed_stays_closed(
        tetrahedra in prop::collection::vec(
            prop::collection::vec(prop::array::uniform3(0i64..3), 4),
            1..7,
        ),
        weld_first in any::<bool>(),
        options in any_options(),
    ) {
        let faces: Vec<Vec<Place>> = tetrahedra
            .iter()
            .flat_map(|t| [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]].map(|f| f.map(|i| t[i]).to_vec()))
            .collect();
        let mesh = if weld_first { welded(&faces) } else { soup(&faces) };
        prop_assert!(chain(&mesh).is_empty());
        let options = if weld_first && options.weld == Weld::Off {
            options
        } else {
            RepairOptions { weld: Weld::Equal, ..options }
        };
        let repaired = checked(&mesh, options);
        let pillow = |c: &Change| matches!(c, Change::DuplicateDropped { .. })
            || matches!(c, Change::TriangleDropped { reason: DropReason::Duplicate, .. });
        let edges_left = chain(&repaired.mesh);
        prop_assert!(
            edges_left.is_empty() || repaired.report.changes.iter().any(pillow),
            "{edges_left:?}\n{}", repaired.report
        );
    }
}
