//! Classification of real meshes, which are not part of this repository: the folder is taken from
//! `XCOLLIDE_MESHES`, without which these tests are skipped, or
//! fail with `XCOLLIDE_REQUIRE_TOOLS=1`.
//!
//! The expected numbers are those of the meshes' list, counted by other programs. The readers
//! here understand these very files and no more; real ones live above this crate.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::path::Path;
use xcollide_brep::{Brep, Interior, PolygonMesh, Topology};
use xcollide_fixtures::real_meshes;

/// A row: file, faces, vertices, edges, boundary edges, non-manifold edges, closed, oriented (where
/// the words have an agreed meaning), pieces.
type Row = (&'static str, usize, usize, usize, usize, usize, Option<bool>, Option<bool>, usize);

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);
const ROBOT: &str = "example-robot-data/robots/xarm_description/meshes/xarm7/visual";

const AS_INDEXED: [Row; 17] = [
    ("dragon-871k.ply", 871_414, 437_645, 1_309_256, 4_270, 0, NO, YES, 151),
    ("dragon-202k.ply", 202_520, 100_250, 301_207, 0, 2_534, None, None, 7),
    ("bunny-69k.stl", 69_451, 34_834, 104_288, 223, 0, NO, YES, 1),
    ("gearwheel.stl", 2_444, 1_222, 3_666, 0, 0, YES, YES, 1),
    ("armadillo.off", 52_000, 26_002, 78_000, 0, 0, YES, YES, 1),
    ("fandisk.off", 12_946, 6_475, 19_419, 0, 0, YES, YES, 1),
    ("cow.off", 5_804, 2_904, 8_706, 0, 0, YES, YES, 1),
    ("elephant-with-holes.off", 4_463, 2_798, 7_371, 1_353, 0, NO, YES, 1),
    ("blobby-shuffled.off", 4_050, 2_027, 6_075, 0, 0, YES, NO, 1),
    ("double-torus-polygons.off", 220, 231, 453, 0, 0, YES, YES, 1),
    ("mushroom-quads.off", 240, 226, 464, 0, 0, YES, YES, 1),
    ("trefoil-quads.off", 320, 1_280, 1_280, 1_280, 0, NO, YES, 320),
    ("dodecahedron.off", 12, 20, 30, 0, 0, YES, YES, 1),
    ("samurai-monastery.obj", 124_990, 86_187, 207_233, 39_697, 0, NO, NO, 5_095),
    ("kiva-shelf.stl", 10_184, 5_204, 15_205, 16, 79, NO, None, 64),
    ("franka-link5.obj", 300, 900, 900, 900, 0, NO, YES, 300),
    ("franka-hand.obj", 200, 102, 300, 0, 0, YES, YES, 1),
];

/// The z1 links are among the files that are closed as they are; so is the robot, but for link 6.
const CLOSED_PIECES: [(&str, usize, usize); 2] =
    [("z1-link01.stl", 56_264, 28_132), ("z1-link03.stl", 33_580, 16_792)];

#[test]
fn the_list_of_meshes_is_reproduced() {
    for (name, faces, vertices, edges, boundary, nonmanifold, closed, oriented, pieces) in
        AS_INDEXED
    {
        let Some(brep) = read(name) else { continue };
        let found = brep.classification();
        assert_eq!((found.faces, found.vertices, found.edges), (faces, vertices, edges), "{name}");
        let bad = (found.boundary_edges.len(), found.nonmanifold_edges.len());
        assert_eq!(bad, (boundary, nonmanifold), "{name}");
        assert_eq!(found.components, pieces, "{name}");
        let has = |flag| brep.topology().contains(flag);
        assert!(closed.is_none_or(|closed| has(Topology::CLOSED) == closed), "{name}");
        assert!(oriented.is_none_or(|oriented| has(Topology::ORIENTED) == oriented), "{name}");
        let expected = match (closed, oriented) {
            (YES, YES) => Interior::Winding,
            (YES, _) => Interior::Parity,
            (NO, _) => Interior::None,
            _ => found.interior(),
        };
        assert_eq!(found.interior(), expected, "{name}");
    }
}

#[test]
fn links_of_robots_are_closed_and_in_one_piece() {
    for (name, faces, vertices) in CLOSED_PIECES {
        let Some(brep) = read(name) else { continue };
        assert_eq!((brep.mesh().face_count(), brep.mesh().vertex_count()), (faces, vertices));
        assert_sound(&brep, name, 0);
    }
    for link in ["1", "2", "3", "4", "5", "6", "7", "_base"] {
        let name = format!("{ROBOT}/link{link}.stl");
        let Some(brep) = read(&name) else { continue };
        assert!((3_682..=7_986).contains(&brep.mesh().face_count()), "{name}");
        assert_sound(&brep, &name, if link == "6" { 10 } else { 0 });
    }
}

fn assert_sound(brep: &Brep, name: &str, boundary: usize) {
    let found = brep.classification();
    assert_eq!((found.boundary_edges.len(), found.components), (boundary, 1), "{name}");
    assert_eq!(brep.topology().contains(Topology::CLOSED), boundary == 0, "{name}");
    assert!(brep.topology().contains(Topology::MANIFOLD | Topology::ORIENTED), "{name}");
}

#[test]
fn what_the_list_says_besides_is_reproduced() {
    let count = |name: &str, count: &dyn Fn(&Brep) -> usize| read(name).map(|brep| count(&brep));
    let duplicates = |brep: &Brep| brep.classification().duplicate_faces.len();
    let unused = |brep: &Brep| brep.classification().unused_vertices.len();
    let degenerate = |brep: &Brep| brep.classification().degenerate_faces.len();
    let misoriented = |brep: &Brep| brep.classification().misoriented_edges.len();
    for (found, expected) in [
        (count("dragon-202k.ply", &duplicates), 1_489),
        (count("dragon-202k.ply", &unused), 43),
        (count("kiva-shelf.stl", &duplicates), 34),
        (count("blobby-shuffled.off", &misoriented), 3_069),
        // 201 faces of two corners, and 83 triangles without area.
        (count("samurai-monastery.obj", &degenerate), 201 + 83),
    ] {
        assert!(found.is_none_or(|found| found == expected), "{found:?}, expected {expected}");
    }
    if let Some(torus) = read("double-torus-polygons.off") {
        assert_eq!(torus.classification().euler_characteristic, -2, "genus 2");
    }
    if let Some(dodecahedron) = read("dodecahedron.off") {
        assert!(dodecahedron.topology().contains(Topology::all()), "within the tolerance");
        assert!(!dodecahedron.classification().is_exactly_planar());
    }
    // A hull that was thinned out afterwards: nine edges are notches, the deepest of 0.15 mm.
    if let Some(hand) = read("franka-hand.obj") {
        assert_eq!(hand.topology(), Topology::all() - Topology::CONVEX);
        assert_eq!(hand.classification().reflex_edges.len(), 9);
    }
}

fn read(name: &str) -> Option<Brep> {
    let bytes = std::fs::read(real_meshes()?.join(name)).unwrap();
    let (positions, faces) = match Path::new(name).extension()?.to_str()? {
        "stl" => read_stl(&bytes),
        "obj" => read_obj(std::str::from_utf8(&bytes).unwrap()),
        _ => read_counted(std::str::from_utf8(&bytes).unwrap()),
    };
    Some(Brep::new(PolygonMesh::from_polygons(positions, faces).unwrap()).unwrap())
}

type Lists = (Vec<[f64; 3]>, Vec<Vec<u32>>);

/// Binary; corners at the same place become one vertex.
fn read_stl(bytes: &[u8]) -> Lists {
    let (mut positions, mut numbers) = (Vec::new(), HashMap::new());
    let facets = bytes[84..].chunks_exact(50).map(|facet| {
        let corner = |corner: &[u8]| {
            let axis = |axis: usize| corner[4 * axis..4 * axis + 4].try_into().unwrap();
            // Adding zero makes both zeros one.
            let place = [0, 1, 2].map(|k| f64::from(f32::from_le_bytes(axis(k))) + 0.0);
            *numbers.entry(place.map(f64::to_bits)).or_insert_with(|| {
                positions.push(place);
                positions.len() as u32 - 1
            })
        };
        facet[12..48].chunks_exact(12).map(corner).collect()
    });
    let faces = facets.collect();
    (positions, faces)
}

fn read_obj(text: &str) -> Lists {
    let of = |kind: &'static str| text.lines().filter_map(move |line| line.strip_prefix(kind));
    let number = |word: &str| word.split('/').next().unwrap().parse::<u32>().unwrap() - 1;
    let faces = of("f ").map(|line| line.split_ascii_whitespace().map(number).collect());
    (of("v ").map(position).collect(), faces.collect())
}

/// OFF and ASCII PLY: counts, positions, faces that start with the number of their corners.
fn read_counted(text: &str) -> Lists {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let count = |line: &str| line.rsplit(' ').next().unwrap().parse().unwrap();
    let [vertices, faces] = if lines.next() == Some("ply") {
        let header = lines.by_ref().take_while(|line| line.trim() != "end_header");
        let elements: Vec<usize> =
            header.filter(|line| line.starts_with("element")).map(count).collect();
        [elements[0], elements[1]]
    } else {
        let counts = position(lines.next().unwrap());
        [counts[0] as usize, counts[1] as usize]
    };
    let positions = lines.by_ref().take(vertices).map(position).collect();
    let face = |line: &str| {
        let mut words = line.split_ascii_whitespace().map_while(|word| word.parse().ok());
        let corners: u32 = words.next().unwrap();
        words.take(corners as usize).collect()
    };
    (positions, lines.take(faces).map(face).collect())
}

fn position(line: &str) -> [f64; 3] {
    let mut words = line.split_ascii_whitespace().map(|word| word.parse().unwrap());
    [0; 3].map(|_| words.next().unwrap())
}
