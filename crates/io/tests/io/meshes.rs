//! Real meshes in the folder `XCOLLIDE_MESHES`: all vertices and faces are read with their numbers.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::time::Instant;

use xcollide_fixtures::real_meshes;
use xcollide_io::{Format, read_bytes, read_path, write_bytes};

/// File, vertices, faces, and how many faces have which size.
type Expected = (&'static str, usize, usize, &'static [(usize, usize)]);

/// Counted independently: two vertices are the same if their number is, in STL if their
/// coordinates are.
const EXPECTED: [Expected; 19] = [
    ("dragon-871k.ply", 437_645, 871_414, &[(3, 871_414)]),
    ("dragon-202k.ply", 100_250, 202_520, &[(3, 202_520)]),
    ("bunny-69k.stl", 34_834, 69_451, &[(3, 69_451)]),
    ("gearwheel.stl", 1_222, 2_444, &[(3, 2_444)]),
    ("armadillo.off", 26_002, 52_000, &[(3, 52_000)]),
    ("fandisk.off", 6_475, 12_946, &[(3, 12_946)]),
    ("cow.off", 2_904, 5_804, &[(3, 5_804)]),
    ("elephant-with-holes.off", 2_798, 4_463, &[(3, 4_463)]),
    ("blobby-shuffled.off", 2_027, 4_050, &[(3, 4_050)]),
    ("double-torus-polygons.off", 231, 220, &[(4, 202), (5, 12), (6, 4), (7, 2)]),
    ("mushroom-quads.off", 226, 240, &[(3, 32), (4, 208)]),
    ("trefoil-quads.off", 1_280, 320, &[(4, 320)]),
    ("dodecahedron.off", 20, 12, &[(5, 12)]),
    ("samurai-monastery.obj", 86_187, 124_990, &[(2, 201), (3, 124_789)]),
    ("kiva-shelf.stl", 5_204, 10_184, &[(3, 10_184)]),
    ("franka-link5.obj", 900, 300, &[(3, 300)]),
    ("franka-hand.obj", 102, 200, &[(3, 200)]),
    ("z1-link01.stl", 28_132, 56_264, &[(3, 56_264)]),
    ("z1-link03.stl", 16_792, 33_580, &[(3, 33_580)]),
];

#[test]
fn real_meshes_arrive_complete() {
    let Some(folder) = real_meshes() else { return };
    for (name, vertices, faces, sizes) in EXPECTED {
        let start = Instant::now();
        let mesh = read_path(folder.join(name)).unwrap();
        eprintln!("{name}: read in {:.1?}", start.elapsed());
        assert_eq!((mesh.vertex_count(), mesh.face_count()), (vertices, faces), "{name}");
        let mut found = BTreeMap::<usize, usize>::new();
        for face in mesh.faces() {
            *found.entry(face.corners().len()).or_default() += 1;
        }
        assert_eq!(found.into_iter().collect::<Vec<_>>(), sizes, "{name}");
    }
}

#[test]
fn real_meshes_come_back_from_every_format_that_holds_them() {
    let Some(folder) = real_meshes() else { return };
    for (name, ..) in EXPECTED {
        let mesh = read_path(folder.join(name)).unwrap();
        for format in [Format::Obj, Format::Ply, Format::Off] {
            let bytes = write_bytes(&mesh, format).unwrap();
            assert!(read_bytes(&bytes, None).unwrap() == mesh, "{name} as {format}");
        }
    }
}

/// What a cut-off file loses is not lost silently. OBJ says nowhere how much there is, so there
/// only a statement that was cut can be noticed.
#[test]
fn real_meshes_cut_off_are_errors() {
    let Some(folder) = real_meshes() else { return };
    for (name, ..) in EXPECTED {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let format = Format::of_path(name.as_ref());
        for length in [0, 3, 80, 90, bytes.len() / 2, bytes.len() - 40] {
            let cut = read_bytes(&bytes[..length], format);
            if length == 0 || format != Some(Format::Obj) {
                assert!(cut.is_err(), "{name} cut to {length} bytes");
            }
        }
    }
}

#[test]
fn the_robot_arrives() {
    let Some(folder) = real_meshes() else { return };
    let links = folder.join("example-robot-data/robots/xarm_description/meshes/xarm7/visual");
    let mut faces: Vec<usize> = std::fs::read_dir(links)
        .unwrap()
        .map(|entry| read_path(entry.unwrap().path()).unwrap().face_count())
        .collect();
    faces.sort_unstable();
    assert_eq!((faces.len(), faces[0], faces[7]), (8, 3_682, 7_986));
}
