//! `repair` on real meshes, which are not part of this repository: the folder is taken from
//! `XCOLLIDE_MESHES`, without which these tests are skipped, or
//! fail with `XCOLLIDE_REQUIRE_TOOLS=1`.
//!
//! The numbers are those of the meshes' list, counted by other programs. The readers here
//! understand these very files and no more; real ones live above this crate.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::HashMap;

use xcollide_brep::{Change, Defect, DropReason, PolygonMesh, RepairOptions, Repaired, repair};
use xcollide_fixtures::real_meshes;

fn text_of(name: &str) -> Option<String> {
    Some(std::fs::read_to_string(real_meshes()?.join(name)).unwrap())
}

fn numbers(line: &str) -> impl Iterator<Item = f64> + '_ {
    line.split_ascii_whitespace().map_while(|word| word.parse().ok())
}

fn position(line: &str) -> [f64; 3] {
    let mut numbers = numbers(line);
    std::array::from_fn(|_| numbers.next().unwrap())
}

/// A line that starts with the number of corners.
fn counted(line: &str) -> Vec<u32> {
    let mut numbers = numbers(line).map(|number| number as u32);
    let corners = numbers.next().unwrap();
    numbers.take(corners as usize).collect()
}

fn read_off(name: &str) -> Option<PolygonMesh> {
    let text = text_of(name)?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    assert_eq!(lines.next()?.trim(), "OFF");
    let [vertices, faces, _] = position(lines.next()?).map(|count| count as usize);
    let positions = lines.by_ref().take(vertices).map(position).collect();
    Some(PolygonMesh::from_polygons(positions, lines.take(faces).map(counted)).unwrap())
}

/// ASCII, the first three properties being x, y and z.
fn read_ply(name: &str) -> Option<PolygonMesh> {
    let text = text_of(name)?;
    let mut lines = text.lines();
    let mut counts = [0, 0];
    for line in lines.by_ref().take_while(|line| line.trim() != "end_header") {
        for (count, element) in counts.iter_mut().zip(["element vertex ", "element face "]) {
            if let Some(number) = line.strip_prefix(element) {
                *count = number.trim().parse().unwrap();
            }
        }
    }
    let positions = lines.by_ref().take(counts[0]).map(position).collect();
    Some(PolygonMesh::from_polygons(positions, lines.take(counts[1]).map(counted)).unwrap())
}

fn read_obj(name: &str) -> Option<PolygonMesh> {
    let text = text_of(name)?;
    let mut positions = Vec::new();
    let mut faces: Vec<Vec<u32>> = Vec::new();
    for line in text.lines() {
        if let Some(line) = line.strip_prefix("v ") {
            positions.push(position(line));
        } else if let Some(line) = line.strip_prefix("f ") {
            let number = |word: &str| word.split('/').next().unwrap().parse::<u32>().unwrap() - 1;
            faces.push(line.split_ascii_whitespace().map(number).collect());
        }
    }
    Some(PolygonMesh::from_polygons(positions, faces).unwrap())
}

/// How many edges there are, with one face, with more than two, and with two faces that do not
/// look the same way.
#[derive(Debug, PartialEq)]
struct Edges {
    all: usize,
    boundary: usize,
    non_manifold: usize,
    mixed_up: usize,
}

fn edges(mesh: &PolygonMesh) -> Edges {
    let mut runs: HashMap<(u32, u32), (u32, u32)> = HashMap::new();
    for face in mesh.faces() {
        let corners = face.outer();
        for (i, p) in corners.iter().enumerate() {
            let q = corners[(i + 1) % corners.len()];
            let (up, down) = runs.entry((p.0.min(q.0), p.0.max(q.0))).or_default();
            *if p.0 < q.0 { up } else { down } += 1;
        }
    }
    let count = |kind: fn(u32, u32) -> bool| runs.values().filter(|r| kind(r.0, r.1)).count();
    Edges {
        all: runs.len(),
        boundary: count(|up, down| up + down == 1),
        non_manifold: count(|up, down| up + down > 2),
        mixed_up: count(|up, down| up + down == 2 && up != down),
    }
}

fn repaired(mesh: &PolygonMesh) -> Repaired {
    let start = std::time::Instant::now();
    let repaired = repair(mesh, &RepairOptions::default());
    eprintln!("{} faces, {:?}\n{}\n", mesh.face_count(), start.elapsed(), repaired.report);
    let again = repair(&repaired.mesh, &RepairOptions::default());
    assert!(again.report.changes.is_empty(), "{}", again.report);
    repaired
}

fn turned(repaired: &Repaired) -> usize {
    repaired
        .report
        .changes
        .iter()
        .filter(|change| matches!(change, Change::FaceTurned { .. }))
        .count()
}

#[test]
fn the_dragon_is_closed_along_its_seams() {
    let Some(mesh) = read_ply("dragon-871k.ply") else { return };
    assert_eq!((mesh.face_count(), mesh.vertex_count()), (871_414, 437_645));
    let welded = RepairOptions { split_non_manifold: false, ..RepairOptions::default() };
    for repaired in [repair(&mesh, &welded), repaired(&mesh)] {
        assert_eq!(repaired.mesh.face_count(), 871_306);
        assert_eq!(
            repaired
                .report
                .changes
                .iter()
                .filter(|change| matches!(
                    change,
                    Change::FaceDropped { reason: DropReason::TooFewVertices, .. }
                ))
                .count(),
            108
        );
        assert_eq!(turned(&repaired), 0);
        let expected = Edges { all: 1_306_959, boundary: 0, non_manifold: 0, mixed_up: 0 };
        assert_eq!(edges(&repaired.mesh), expected);
    }
    assert_eq!(repair(&mesh, &welded).mesh.vertex_count(), 435_545);
}

#[test]
fn the_small_dragon_loses_its_doubles() {
    let Some(mesh) = read_ply("dragon-202k.ply") else { return };
    assert_eq!(edges(&mesh).non_manifold, 2_534);
    let repaired = repaired(&mesh);
    let defects = &repaired.report.defects;
    let doubles = |of: &Defect| matches!(of, Defect::DuplicateKept { .. });
    let kept = defects.iter().filter(|defect| doubles(defect)).count();
    let dropped = repaired
        .report
        .changes
        .iter()
        .filter(|c| matches!(c, Change::DuplicateDropped { .. }))
        .count();
    assert_eq!(kept + dropped, 1_489);
    let one_sided = |of: &Defect| matches!(of, Defect::NotOrientable { .. });
    let left = edges(&repaired.mesh);
    assert!(left.mixed_up <= defects.iter().filter(|defect| one_sided(defect)).count());
    assert!(left.non_manifold < 300, "the file has 2,534; {left:?}");
}

#[test]
fn the_shuffled_blob_is_oriented() {
    let Some(mesh) = read_off("blobby-shuffled.off") else { return };
    assert_eq!(edges(&mesh), Edges { all: 6_075, boundary: 0, non_manifold: 0, mixed_up: 3_069 });
    let repaired = repaired(&mesh);
    assert_eq!(edges(&repaired.mesh), Edges { mixed_up: 0, ..edges(&mesh) });
    assert!(turned(&repaired) > 0);
    assert_eq!(repaired.report.changes.len(), turned(&repaired), "nothing else was wrong");
}

#[test]
fn the_link_of_loose_triangles_is_welded() {
    let Some(mesh) = read_obj("franka-link5.obj") else { return };
    assert_eq!((mesh.face_count(), mesh.vertex_count()), (300, 900));
    let repaired = repaired(&mesh);
    assert_eq!((repaired.mesh.face_count(), repaired.mesh.vertex_count()), (300, 152));
    let expected = Edges { all: 450, boundary: 0, non_manifold: 0, mixed_up: 0 };
    assert_eq!(edges(&repaired.mesh), expected);
}

#[test]
fn the_trefoil_of_loose_quads_is_welded() {
    let Some(mesh) = read_off("trefoil-quads.off") else { return };
    let repaired = repaired(&mesh);
    assert_eq!((repaired.mesh.face_count(), repaired.mesh.vertex_count()), (320, 328));
    let expected = Edges { all: 648, boundary: 16, non_manifold: 0, mixed_up: 0 };
    assert_eq!(edges(&repaired.mesh), expected);
}

#[test]
fn clean_meshes_stay_as_they_are() {
    for name in ["armadillo.off", "fandisk.off", "dodecahedron.off", "double-torus-polygons.off"] {
        let Some(mesh) = read_off(name) else { return };
        let repaired = repaired(&mesh);
        assert!(repaired.report.changes.is_empty() && repaired.mesh == mesh, "{name}");
    }
    let Some(cow) = read_off("cow.off") else { return };
    let together = RepairOptions { split_non_manifold: false, ..RepairOptions::default() };
    assert_eq!(repair(&cow, &together).mesh.vertex_count(), 2_903);
}

#[test]
fn the_monastery_is_survived() {
    let Some(mesh) = read_obj("samurai-monastery.obj") else { return };
    assert_eq!(mesh.face_count(), 124_990);
    let repaired = repaired(&mesh);
    assert!(repaired.mesh.faces().all(|face| face.corners().len() == 3));
    assert_eq!(edges(&repaired.mesh).mixed_up, 0);
}
