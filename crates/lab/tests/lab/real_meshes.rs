//! `xcollide classify` and `check` on real meshes.
//!
//! They belong to others and are not in the repository. `XCOLLIDE_MESHES` names their folder;
//! without it the tests are skipped, or fail with `XCOLLIDE_REQUIRE_TOOLS=1`. The counts were verified with trimesh and by an independent
//! count.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::xcollide_at;
use serde_json::{Value, json};
use xcollide_fixtures::real_meshes;

/// File; vertices, faces, edges, pieces, boundary edges, non-manifold edges; closed, oriented.
/// If edges have more than two faces, "closed", "oriented" and pieces have no agreed meaning.
type Row = (&'static str, [u64; 6], Option<[bool; 2]>);

const MESHES: [Row; 19] = [
    ("dragon-871k.ply", [437_645, 871_414, 1_309_256, 151, 4_270, 0], Some([false, true])),
    ("dragon-202k.ply", [100_250, 202_520, 301_207, 7, 0, 2_534], None),
    ("bunny-69k.stl", [34_834, 69_451, 104_288, 1, 223, 0], Some([false, true])),
    ("gearwheel.stl", [1_222, 2_444, 3_666, 1, 0, 0], Some([true, true])),
    ("armadillo.off", [26_002, 52_000, 78_000, 1, 0, 0], Some([true, true])),
    ("fandisk.off", [6_475, 12_946, 19_419, 1, 0, 0], Some([true, true])),
    ("cow.off", [2_904, 5_804, 8_706, 1, 0, 0], Some([true, true])),
    ("elephant-with-holes.off", [2_798, 4_463, 7_371, 1, 1_353, 0], Some([false, true])),
    ("blobby-shuffled.off", [2_027, 4_050, 6_075, 1, 0, 0], Some([true, false])),
    ("double-torus-polygons.off", [231, 220, 453, 1, 0, 0], Some([true, true])),
    ("mushroom-quads.off", [226, 240, 464, 1, 0, 0], Some([true, true])),
    ("trefoil-quads.off", [1_280, 320, 1_280, 320, 1_280, 0], Some([false, true])),
    ("dodecahedron.off", [20, 12, 30, 1, 0, 0], Some([true, true])),
    ("samurai-monastery.obj", [86_187, 124_990, 207_233, 5_095, 39_697, 0], Some([false, false])),
    ("kiva-shelf.stl", [5_204, 10_184, 15_205, 64, 16, 79], None),
    ("franka-link5.obj", [900, 300, 900, 300, 900, 0], Some([false, true])),
    ("franka-hand.obj", [102, 200, 300, 1, 0, 0], Some([true, true])),
    ("z1-link01.stl", [28_132, 56_264, 84_396, 1, 0, 0], Some([true, true])),
    ("z1-link03.stl", [16_792, 33_580, 50_370, 1, 0, 0], Some([true, true])),
];

#[test]
fn they_are_classified_as_they_are_known_to_be() {
    let Some(folder) = real_meshes() else { return };
    let files = MESHES.iter().map(|(file, ..)| *file);
    let arguments: Vec<&str> = ["classify", "--json"].into_iter().chain(files).collect();
    let found = xcollide_at(&folder, &arguments, "").json();
    assert_eq!(found.len(), MESHES.len());
    for (found, (file, counts, words)) in found.iter().zip(MESHES) {
        let keys =
            ["vertices", "faces", "edges", "components", "boundary_edges", "nonmanifold_edges"];
        assert_eq!(found["file"], file);
        assert_eq!(keys.map(|key| found[key].as_u64().unwrap()), counts, "{file}");
        if let Some(words) = words {
            let told = ["closed", "oriented"].map(|key| found[key].as_bool().unwrap());
            assert_eq!(told, words, "{file}");
        }
    }
}

/// xArm 7: its SRDF lists 18 pairs, 7 of them adjacent; the eighth joint's link has no geometry.
#[test]
fn a_whole_robot_runs_with_its_packages_and_disabled_pairs() {
    let Some(folder) = real_meshes() else { return };
    let robot = "example-robot-data/robots/xarm_description";
    let scene = format!(
        "name = 'xarm'\nframes = 150\n[[imports]]\nrobot = '{robot}/urdf/xarm7.urdf'\n\
         srdf = '{robot}/srdf/xarm7.srdf'\n"
    );
    let place = tempfile::tempdir().unwrap();
    let absolute = scene.replace(robot, folder.join(robot).to_str().unwrap());
    std::fs::write(place.path().join("xarm.toml"), absolute).unwrap();
    let ran = |options: &[&str]| {
        let arguments = [&["run", "xarm.toml", "--json"], options].concat();
        xcollide_at(place.path(), &arguments, "").json()
    };
    let lists = |lines: &[Value]| -> Vec<Value> {
        lines[..150].iter().map(|line| json!([line["began"], line["ended"]])).collect()
    };
    let auto = ran(&[]);
    assert_eq!(auto[150]["summary"]["objects"], 8);
    assert!(auto[..150].iter().any(|line| line["pairs"].as_u64() > Some(0)));
    assert_eq!(lists(&ran(&["--narrow", "obb-tree", "--broad", "all-pairs"])), lists(&auto));
}

#[test]
fn a_robots_links_meet_at_their_joint_and_nowhere_when_moved_away() {
    let Some(folder) = real_meshes() else { return };
    let poses = "0 0 0 0 0 0 1\n1 0 0 0 0 0 1\n";
    let arguments =
        ["check", "z1-link01.stl", "z1-link03.stl", "--poses", "-", "--json", "--verify"];
    let found = xcollide_at(&folder, &arguments, poses).json();
    let verdicts: Vec<&Value> = found.iter().map(|object| &object["verdict"]).collect();
    // Both have their frame at the joint, and a metre is more than a link of this arm.
    assert_eq!(verdicts, [&json!("collides"), &json!("apart")]);
}
