//! glTF scenes: instances, morph targets and skins are where the specification has them.

#![allow(clippy::unwrap_used)]

use crate::samples::{container, floats, skinned};

use xcollide_io::gltf::{self, PartOptions};
use xcollide_io::{Format, MeshFile, NoFaces};

fn read(bytes: &[u8]) -> MeshFile {
    MeshFile::from_bytes(bytes, Some(Format::Gltf)).unwrap()
}

fn message(bytes: &[u8]) -> String {
    MeshFile::from_bytes(bytes, Some(Format::Gltf)).unwrap_err().to_string()
}

/// A triangle, and `rest` of the JSON. The chunk holds the triangle, then `more`.
fn scene(rest: &str, more: &[f32]) -> Vec<u8> {
    let mut chunk = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    chunk.extend(floats(more));
    let (all, length) = (chunk.len(), chunk.len() - 36);
    let views = if length > 0 {
        format!(r#",{{"buffer":0,"byteOffset":36,"byteLength":{length}}}"#)
    } else {
        String::new()
    };
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"bufferViews":[{{"buffer":0,"byteLength":36}}{views}],
        "buffers":[{{"byteLength":{all}}}],{rest}}}"#
    );
    container(&json, &chunk)
}

const TRIANGLE: &str = r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}"#;

#[test]
fn a_scene_may_have_no_list_of_nodes() {
    let json = format!(
        r#""scenes":[{{"name":"nothing"}}],"nodes":[{{"mesh":0}}],"accessors":[{TRIANGLE}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]"#
    );
    let file = read(&scene(&json, &[]));
    assert_eq!(file.report.no_faces(), Some(NoFaces::Empty));
    let other = json.replace(r#"{"name":"nothing"}"#, r#"{},{"nodes":[0]}"#);
    let other = format!(r#""scene":1,{other}"#);
    assert_eq!(read(&scene(&other, &[])).mesh.face_count(), 1);
}

/// Instances are in the frame of their node, whose other children are not repeated.
#[test]
fn instances_are_repeated() {
    let json = format!(
        r#""extensionsRequired":["EXT_mesh_gpu_instancing"],
        "nodes":[{{"mesh":0,"translation":[10,0,0],"scale":[2,2,2],"children":[1],"extensions":{{
        "EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":1,"SCALE":2,"_ID":9}}}}}}}},
        {{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{TRIANGLE},
        {{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}},
        {{"bufferView":1,"byteOffset":24,"componentType":5126,"count":2,"type":"VEC3"}}]"#
    );
    let numbers = [0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 1.0, -1.0];
    let file = read(&scene(&json, &numbers));
    assert_eq!((file.mesh.face_count(), file.report.warnings().count()), (3, 0));
    let corners: Vec<[f64; 3]> = file.mesh.positions().iter().step_by(3).copied().collect();
    assert_eq!(corners, [[10.0, 0.0, 0.0], [20.0, 0.0, 0.0], [10.0, 0.0, 0.0]]);
    assert_eq!(file.mesh.positions()[4], [26.0, 0.0, 0.0]);
    // The second instance is mirrored.
    let second = file.mesh.faces().nth(1).unwrap();
    assert_eq!(second.corners().iter().map(|corner| corner.0).collect::<Vec<_>>(), [4, 3, 5]);

    let parts = gltf::parts(&scene(&json, &numbers), None, &PartOptions::default()).unwrap().parts;
    assert_eq!(parts.len(), 2);
    assert_eq!(
        (parts[0].mesh.face_count(), parts[0].poses[0].translation()),
        (2, [10.0, 0.0, 0.0])
    );
    assert_eq!(parts[0].mesh.positions()[4], [16.0, 0.0, 0.0]);

    let uneven = json.replace(r#""SCALE":2"#, r#""SCALE":0"#);
    assert_eq!(
        message(&scene(&uneven, &numbers)),
        "node 0: attributes of 2 and of 3 instances, expected one number of instances"
    );
    let none = json.replace(r#""TRANSLATION":1,"SCALE":2,"#, "");
    assert!(message(&scene(&none, &numbers)).contains("instances without attributes"));
    let odd = json.replace(r#""SCALE":2"#, r#""SCALE":"x""#);
    assert_eq!(
        message(&scene(&odd, &numbers)),
        "node 0: `SCALE`: `\"x\"`, expected a whole number"
    );
}

/// The target is sparse: only the last vertex moves, by [0, 0, 2].
#[test]
fn morph_targets_have_their_default_weights() {
    let json = format!(
        r#""nodes":[{{"mesh":0}},{{"mesh":0,"weights":[2]}}],
        "meshes":[{{"weights":[0.5],"primitives":[{{"attributes":{{"POSITION":0}},
        "targets":[{{"POSITION":1,"NORMAL":1}}]}}]}}],
        "accessors":[{TRIANGLE},{{"componentType":5126,"count":3,"type":"VEC3","sparse":{{"count":1,
        "indices":{{"bufferView":1,"componentType":5125}},
        "values":{{"bufferView":1,"byteOffset":4}}}}}}]"#
    );
    let numbers = [f32::from_bits(2), 0.0, 0.0, 2.0];
    let file = read(&scene(&json, &numbers));
    let heights: Vec<f64> = file.mesh.positions().iter().map(|position| position[2]).collect();
    assert_eq!(heights, [0.0, 0.0, 1.0, 0.0, 0.0, 4.0]);
    let parts = gltf::parts(&scene(&json, &numbers), None, &PartOptions::default()).unwrap().parts;
    assert_eq!(parts[1].mesh.positions()[2], [0.0, 1.0, 4.0]);

    let short = json.replace(
        r#""componentType":5126,"count":3,"type":"VEC3","sparse""#,
        r#""componentType":5126,"count":4,"type":"VEC3","sparse""#,
    );
    assert_eq!(
        message(&scene(&short, &numbers)),
        "mesh 0, primitive 0: a morph target of 4 vertices, expected 3"
    );
}

#[test]
fn skins_are_at_rest_and_ignore_their_node() {
    let file = read(&skinned());
    let expected = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]];
    for (found, expected) in file.mesh.positions().iter().zip(expected) {
        let near = (0..3).all(|axis| (found[axis] - expected[axis]).abs() < 1e-6);
        assert!(near, "{found:?}, expected {expected:?}");
    }
    assert_eq!(file.mesh.positions()[5], [101.0, 2.0, 0.0]);
    let warnings: Vec<String> = file.report.warnings().map(ToString::to_string).collect();
    assert_eq!(warnings, ["took the rest pose of 1 skinned node at node 0"]);

    let scene = gltf::parts(&skinned(), None, &PartOptions::default()).unwrap();
    assert_eq!(scene.report, file.report);
    let [skin, child] = &scene.parts[..] else { panic!("{} parts", scene.parts.len()) };
    assert_eq!(skin.mesh.positions(), &file.mesh.positions()[..3]);
    assert_eq!((skin.parent, skin.poses[0].translation()), (None, [0.0; 3]));
    // Its parent's part does not move with the node.
    assert_eq!((child.parent, child.poses[0].translation()), (None, [100.0, 0.0, 0.0]));
}

#[test]
fn nodes_of_points_and_lines_are_reported_in_parts_too() {
    let json = format!(
        r#""nodes":[{{"mesh":0}},{{"mesh":1}}],"accessors":[{TRIANGLE}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}},
        {{"primitives":[{{"mode":0,"attributes":{{"POSITION":0}}}}]}}]"#
    );
    let scene = gltf::parts(&scene(&json, &[]), None, &PartOptions::default()).unwrap();
    assert_eq!(scene.parts.len(), 1);
    let remarks: Vec<String> = scene.report.remarks().iter().map(ToString::to_string).collect();
    assert_eq!(remarks, ["skipped 1 node of points or lines at node 1"]);
    assert_eq!(scene.report.warnings().count(), 0);
}

/// A node that is in the scene and below one that is not stands where the scene has it.
#[test]
fn only_ancestors_in_the_scene_place_a_node() {
    let json = format!(
        r#""scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}},{{"translation":[9,9,9],
        "children":[0]}}],"accessors":[{TRIANGLE}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]"#
    );
    assert_eq!(read(&scene(&json, &[])).mesh.positions()[0], [0.0; 3]);
}

#[test]
fn broken_skins_are_refused_with_their_place() {
    let with = |from: &str, to: &str| {
        let mut bytes = skinned();
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        assert_eq!(from.len(), to.len());
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        message(&bytes)
    };
    assert_eq!(
        with(r#""skin":0"#, r#""skin":7"#),
        "skin 7, which does not exist, expected a number below 1"
    );
    assert_eq!(
        with(r#""joints":[1,2]"#, r#""joints":[1,9]"#),
        "skin 0: node 9, which does not exist, expected a number below 4"
    );
    assert_eq!(
        with(r#""count":2,"type":"MAT4""#, r#""count":1,"type":"MAT4""#),
        "skin 0: 1 inverse bind matrices, expected one for each of 2 joints"
    );
    assert_eq!(
        with(r#""joints":[1,2]"#, r#""joints":[  1]"#),
        "mesh 0, primitive 0: joint 1, which does not exist, expected a number below 1"
    );
    assert_eq!(
        with(r#""WEIGHTS_0":2"#, r#""WEIGHTS_0":0"#),
        "accessor 0: weights of another type, expected VEC4 of numbers"
    );
    assert_eq!(
        with(r#"{"children":[2]}"#, r#"{"children":[1]}"#),
        "node 1: a node that is reached twice, expected a tree of nodes"
    );
    // Joints outside the scene may stand anywhere but in a circle.
    let json = r#""scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"skin":0},{"children":[2]},
        {"children":[1]}],"skins":[{"joints":[1]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":["#;
    assert_eq!(
        message(&scene(&format!("{json}{TRIANGLE}]"), &[])),
        "skin 0: nodes in a circle, expected a tree of nodes"
    );
}
