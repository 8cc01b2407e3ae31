//! glTF parts: together they are the mesh of the file, interpolated as specified.

#![allow(clippy::unwrap_used)]

use crate::samples;

use proptest::prelude::*;
use xcollide_io::glb::{GlbScene, Material, Node};
use xcollide_io::gltf::{self, PartOptions, Parts};
use xcollide_io::{Format, read_bytes};

const CLOCK: &str = include_str!("../../../../fixtures/scenes/clock.gltf");

fn parts(text: &str) -> Parts {
    parts_at(text, 0, 30.0)
}

fn parts_at(text: &str, animation: usize, rate: f64) -> Parts {
    gltf::parts(text.as_bytes(), None, &PartOptions::new(animation, rate)).unwrap()
}

fn refused(text: &str) -> String {
    gltf::parts(text.as_bytes(), None, &PartOptions::default()).unwrap_err().to_string()
}

fn replaced(from: &str, to: &str) -> String {
    assert!(CLOCK.contains(from), "{from}");
    CLOCK.replacen(from, to, 1)
}

/// Where a part's vertices are in a frame.
fn world(scene: &Parts, part: usize, frame: usize) -> Vec<[f64; 3]> {
    let mut points = scene.parts[part].mesh.positions().to_vec();
    let mut at = Some(part);
    while let Some(part) = at {
        let poses = &scene.parts[part].poses;
        let pose = &poses[frame.min(poses.len() - 1)];
        points = points.into_iter().map(|point| pose.apply(point)).collect();
        at = scene.parts[part].parent;
    }
    points
}

fn assert_near(found: [f64; 3], expected: [f64; 3], what: &str) {
    let near = (0..3).all(|k| (found[k] - expected[k]).abs() < 1e-6);
    assert!(near, "{what}: {found:?}, expected {expected:?}");
}

/// A number that f32 cannot hold is infinite, and NaN below a parent. If another crate turns on the feature
/// `float_roundtrip` of `serde_json`, the number itself is refused.
#[test]
fn poses_are_finite_or_refused() {
    let found = refused(&replaced("\"translation\": [0.4, 0, 0]", "\"translation\": [1e39, 0, 0]"));
    if found.contains("number out of range") {
        return;
    }
    assert!(found.starts_with("node ") && found.ends_with("expected a finite number"), "{found}");
    assert!(found.contains("a translation by "), "{found}");
}

/// A hidden node with the same mesh does not stand for one with instances.
#[test]
fn instances_are_a_part_of_their_own() {
    let text = r#"{"asset": {"version": "2.0"}, "nodes": [{"scale": [0, 0, 0], "mesh": 0}, {"mesh": 0,
        "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
            "min": [0, 0, 0], "max": [1, 1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;
    let faces: Vec<usize> = parts(text).parts.iter().map(|part| part.mesh.face_count()).collect();
    assert_eq!(faces, [1, 3]);
}

#[test]
fn parts_put_together_are_the_mesh_of_the_file() {
    // The first frame of the clock is also that of its nodes.
    for text in [samples::gltf(), CLOCK.to_owned()] {
        let whole = gltf::read(text.as_bytes(), None).unwrap();
        let scene = parts(&text);
        let mut points = Vec::new();
        let mut corners = Vec::new();
        for (index, part) in scene.parts.iter().enumerate() {
            let first = points.len() as u32;
            points.extend(world(&scene, index, 0));
            for face in part.mesh.faces() {
                corners.push(face.outer().iter().map(|v| v.0 + first).collect::<Vec<_>>());
            }
        }
        assert!(scene.parts.len() > 1);
        let faces: Vec<Vec<u32>> =
            whole.faces().map(|face| face.outer().iter().map(|v| v.0).collect()).collect();
        assert_eq!(corners, faces, "mirrored ones turned round alike");
        assert_eq!(points.len(), whole.vertex_count());
        for (found, expected) in points.iter().zip(whole.positions()) {
            assert_near(*found, *expected, "a vertex");
        }
    }
}

#[test]
fn nodes_with_meshes_are_parts_with_their_hierarchy() {
    let scene = parts(CLOCK);
    let found: Vec<_> = scene
        .parts
        .iter()
        .map(|part| (part.node, &*part.name, part.parent, part.poses.len()))
        .collect();
    // The hand hangs on an axle that shows nothing and turns; the clock's scale is in the meshes.
    let expected = [
        (1, "plate", None, 1),
        (3, "hand", None, 61),
        (4, "peg", None, 61),
        (5, "ball", None, 61),
        (6, "ball", None, 1),
    ];
    assert_eq!(found, expected);
    assert_eq!(scene.frames, 61);
    assert_eq!(scene.parts[0].color, Some([0.8_f32, 0.6, 0.2].map(f64::from)));
    let widest = scene.parts[1].mesh.positions().iter().fold(0.0_f64, |most, p| most.max(p[0]));
    assert!((widest - 0.8).abs() < 1e-6, "{widest}");
    // With a mesh on the axle the hand has a parent, against which it stands.
    let text = replaced(
        r#""translation": [0, 0.2, 0], "children""#,
        r#""translation": [0, 0.2, 0], "mesh": 0, "children""#,
    );
    let scene = parts(&text);
    assert_eq!((scene.parts[1].parent, scene.parts[1].poses.len()), (None, 61));
    assert_eq!((scene.parts[2].parent, scene.parts[2].poses.len()), (Some(1), 1));
    assert_near(scene.parts[2].poses[0].translation(), [0.8, 0.0, 0.0], "the hand on the axle");
}

#[test]
fn between_keys_things_are_where_the_specification_has_them() {
    let scene = parts(CLOCK);
    for frame in 0..61 {
        let time = frame as f64 / 30.0;
        // A turn about y in two seconds: slerp between quarters is the same speed all the way.
        let angle = std::f64::consts::PI * time;
        let tip = [2.0 * 0.4 * angle.cos(), 0.4, -2.0 * 0.4 * angle.sin()];
        assert_near(scene.parts[1].poses[frame].translation(), tip, "slerp");
        let ball = 2.0 * (-0.7 + 1.4 * if time <= 1.0 { time } else { 2.0 - time });
        assert_near(scene.parts[3].poses[frame].translation(), [ball, 0.4, 0.8], "linear");
        let peg = if (30..60).contains(&frame) { 2.0 } else { 0.4 };
        assert_near(scene.parts[2].poses[frame].translation(), [1.4, peg, 0.0], "step");
    }
    // Hermite: from 0 to 0.4 with slopes 0, and sideways away from -0.6 with slope 1, to arrive with 0.
    let scene = parts_at(CLOCK, 1, 10.0);
    assert_eq!(scene.frames, 21);
    for frame in 0..=10 {
        let t = frame as f64 / 10.0;
        let (x, z) = (0.4 * t * t * (3.0 - 2.0 * t), -0.6 + t * (1.0 - t) * (1.0 - t));
        let found = scene.parts[3].poses[frame].translation();
        assert_near(found, [2.0 * x, 0.4, 2.0 * z], "cubic spline");
    }
    // Rows of rotations are of unit length, also between the keys.
    for pose in scene.parts.iter().flat_map(|part| &part.poses) {
        for row in pose.rotation() {
            let squared: f64 = row.iter().map(|value| value * value).sum();
            assert!((squared - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn keys_that_begin_late_hold_their_first_value_and_frames_end_with_the_last_key() {
    let scene = parts_at(CLOCK, 0, 0.4);
    assert_eq!(scene.frames, 1);
    let scene = parts_at(CLOCK, 0, 1000.0);
    assert_eq!(scene.frames, 2001);
    // The last key is hit.
    assert_near(scene.parts[3].poses[2000].translation(), [-1.4, 0.4, 0.8], "the end");
}

#[test]
fn animated_morph_targets_are_warned_about() {
    let weights = replaced(r#""node": 2, "path": "rotation""#, r#""node": 0, "path": "weights""#);
    let report = parts(&weights).report;
    let warnings: Vec<String> = report.warnings().map(ToString::to_string).collect();
    let expected = "took the rest pose of 1 animated morph target at animation 0, channel 0";
    assert_eq!(warnings, [expected]);
}

/// A moving and a static body, each of two alternating nodes, and the edge of a cage.
fn marked(plain: [bool; 4], marked: [bool; 4], apart: f64) -> Vec<u8> {
    let mut scene = GlbScene::new();
    let tetrahedron = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    let shape = scene.mesh(&read_bytes(tetrahedron, Some(Format::Obj)).unwrap()).unwrap();
    let lines = scene.lines(&[[[0.0; 3], [1.0; 3]]]).unwrap();
    let [blue, red] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
        .map(|color| scene.material(&Material::new("paint", color)));
    scene.node(Node::new("cage").shape(lines, blue));
    let still = [0.0, 0.0, 0.0, 1.0];
    let path: Vec<_> = (0..4).map(|frame| ([f64::from(frame), 2.0, 3.0], still)).collect();
    for name in ["moves", "stands"] {
        let body = scene.node(Node::new(name).at([0.0, 2.0, 3.0], still));
        for (look, shown, x) in [(blue, plain, 0.0), (red, marked, apart)] {
            let node = Node::new("look").shape(shape, look).at([x, 0.0, 0.0], still).below(body);
            let node = scene.node(node);
            scene.show_when(node, shown, 30.0);
        }
        if name == "moves" {
            scene.animate(body, &path, 30.0, 1e-6);
        }
    }
    scene.to_bytes().unwrap()
}

/// Alternating nodes are one body; otherwise their scale changes.
#[test]
fn nodes_that_are_shown_in_turns_are_one_part() {
    let read = |bytes: &[u8]| gltf::parts(bytes, None, &PartOptions::default());
    let shown = [true, false, false, true];
    let scene = read(&marked(shown, shown.map(|shown| !shown), 0.0)).unwrap();
    let told: Vec<_> = scene.parts.iter().map(|part| (&*part.name, part.poses.len())).collect();
    assert_eq!((scene.frames, told), (4, vec![("moves", 4), ("stands", 1)]));
    for (number, part) in scene.parts.iter().enumerate() {
        assert_eq!((part.color, part.mesh.face_count()), (Some([0.0, 0.0, 1.0]), 4));
        // The file has y upwards.
        for (frame, pose) in part.poses.iter().enumerate() {
            let x = if number == 0 { frame as f64 } else { 0.0 };
            assert_near(pose.apply([0.0; 3]), [x, 3.0, -2.0], "a place");
        }
    }
    // Both at once, none at all, at two places.
    for (marks, apart) in [([true; 4], 0.0), ([false; 4], 0.0), (shown.map(|shown| !shown), 0.1)] {
        let message = read(&marked(shown, marks, apart)).unwrap_err().to_string();
        assert!(message.contains("a scale or shear that changes until frame "), "{message}");
    }
}

#[test]
fn what_is_no_rigid_motion_is_refused() {
    let expected = "is not supported, expected a rigid motion";
    // The ball's positions as its scale.
    let changing = replaced(r#""node": 5, "path": "translation""#, r#""node": 5, "path": "scale""#);
    let message = refused(&changing);
    assert!(message.starts_with("node 5: a scale or shear that changes until frame "), "{message}");
    assert!(message.contains(expected), "{message}");
    // A scale by axis above what turns shears it.
    let message = refused(&replaced(r#""scale": [2, 2, 2]"#, r#""scale": [2, 2, 1]"#));
    assert!(message.starts_with("node 3: ") && message.contains(expected), "{message}");
    // Above what stands or is only moved it does not.
    let still = replaced(r#""scale": [2, 2, 2]"#, r#""scale": [2, 2, 1]"#)
        .replace(r#""node": 2, "path": "rotation""#, r#""node": 0, "path": "weights""#);
    assert_eq!(parts(&still).parts.len(), 5);
}

/// What is refused without the option is one broken part with it, and the other parts are those of the sound file.
#[test]
fn broken_nodes_are_skipped_on_demand() {
    let options = PartOptions::default().skip_broken(true);
    let read = |text: &str| gltf::parts(text.as_bytes(), None, &options);
    let sound = parts(CLOCK);
    assert_eq!(read(CLOCK).unwrap(), sound);
    let changing = replaced(r#""node": 5, "path": "translation""#, r#""node": 5, "path": "scale""#);
    let skewed = replaced(r#""scale": [2, 2, 2]"#, r#""scale": [2, 2, 1]"#);
    let with_matrix = replaced(r#""target": {"node": 2"#, r#""target": {"node": 6"#);
    let no_mesh = replaced(r#""name": "peg","#, r#""name": "peg", "skin": 3,"#);
    for (text, nodes) in
        [(changing, vec![5]), (skewed, vec![3]), (with_matrix, vec![6]), (no_mesh, vec![4])]
    {
        let scene = read(&text).unwrap();
        let broken: Vec<usize> = scene.broken.iter().map(|part| part.node).collect();
        assert_eq!(broken, nodes);
        assert_eq!(scene.broken[0].message, refused(&text));
        let names: Vec<_> = scene.broken.iter().map(|part| (&part.name, &part.above)).collect();
        let rest = |at: &&gltf::Part| !nodes.contains(&at.node);
        let lost = sound.parts.iter().filter(|part| !rest(part));
        assert_eq!(names, lost.map(|part| (&part.name, &part.above)).collect::<Vec<_>>());
        let kept: Vec<usize> = scene.parts.iter().map(|part| part.node).collect();
        assert_eq!(kept, sound.parts.iter().filter(rest).map(|part| part.node).collect::<Vec<_>>());
        for part in &scene.parts {
            assert!(part.parent.is_none_or(|parent| scene.parts[parent].node < part.node));
        }
    }
    // What concerns the whole file is an error all the same.
    assert!(read(&replaced(r#""sampler": 2"#, r#""sampler": 3"#)).is_err());
}

#[test]
fn broken_animations_are_refused_with_their_place() {
    let table = [
        (
            replaced(r#""node": 5"#, r#""node": 9"#),
            "animation 0, channel 1: node 9, which does not exist",
        ),
        (
            replaced(r#""sampler": 2"#, r#""sampler": 3"#),
            "animation 0, channel 2: sampler 3, which does not",
        ),
        (replaced("\"STEP\"", "\"JUMP\""), "animation 0, channel 2: an unknown interpolation"),
        (
            replaced(r#""path": "rotation""#, r#""path": "rotated""#),
            "animation 0, channel 0: an unknown path",
        ),
        (
            replaced(r#""path": "rotation""#, r#""path": "translation""#),
            "accessor 3: vectors of another type",
        ),
        (
            replaced(r#""interpolation": "LINEAR""#, r#""interpolation": "CUBICSPLINE""#),
            "animation 0, channel 1: 3 values, expected 9",
        ),
        (
            replaced(r#""input": 2, "output": 3"#, r#""input": 99, "output": 3"#),
            "accessor 99, which does not exist",
        ),
        (
            replaced(r#""target": {"node": 2"#, r#""target": {"node": 6"#),
            "node 6: an animated node with a matrix",
        ),
    ];
    for (text, expected) in table {
        let message = refused(&text);
        assert!(message.contains(expected), "{message}, expected {expected}");
    }
    let error = |animation, rate| {
        let options = PartOptions::new(animation, rate);
        gltf::parts(CLOCK.as_bytes(), None, &options).unwrap_err().to_string()
    };
    assert!(error(2, 30.0).starts_with("animation 2, which does not exist"));
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(error(0, rate).contains("frames a second, expected"), "{rate}");
    }
    let message = error(0, 1e6);
    assert!(message.contains("2000000 frames, expected at most 1000000"), "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_became_of_the_file_is_read_or_refused(
        at in 0..CLOCK.len(), length in 0..40usize,
        piece in "[ -~]{0,6}|-?[0-9]{1,20}|1e999|\\[\\]|null",
    ) {
        let end = (at + length).min(CLOCK.len());
        let text = format!("{}{piece}{}", &CLOCK[..at], &CLOCK[end..]);
        let options = PartOptions::default();
        let strict = gltf::parts(text.as_bytes(), None, &options);
        let lenient = gltf::parts(text.as_bytes(), None, &options.skip_broken(true));
        for scene in strict.iter().chain(&lenient) {
            for part in &scene.parts {
                prop_assert!(!part.poses.is_empty() && part.poses.len() <= scene.frames);
            }
        }
        if let Ok(scene) = strict {
            prop_assert!(scene.broken.is_empty());
            prop_assert_eq!(Some(scene), lenient.ok());
        }
    }
}
