//! Nodes of glTF scenes as instances.

use super::*;

/// Nodes of one mesh, one of them turned, below nodes that are their groups.
const SCENE: &str = r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}], "scene": 0,
        "nodes": [{"name": "pipes", "children": [2, 3]}, {"name": "walls", "translation": [0, 0, 0.25], "children": [4]},
          {"name": "P", "mesh": 0}, {"name": "P", "mesh": 0, "translation": [3, 0, 0]},
          {"name": "W", "mesh": 0, "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
            "min": [0, 0, 0], "max": [1, 1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;

#[test]
fn the_nodes_of_a_scene_are_instances() {
    let at = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let place = place(&[("scene.gltf", SCENE)]);
    let objects = clash(&place, "scene.gltf --json --tolerance 0.25").json();
    assert_eq!(pairs(&objects), ["P#2 W apart"]);
    assert_eq!(
        (&objects[0]["groups"], &objects[0]["distance"]),
        (&json!(["pipes", "walls"]), &json!(0.25))
    );
    assert_eq!(objects[1]["summary"]["instances"], 3);
    // One in motion is tested as it is at its beginning.
    let clock = xcollide_at(&at, &["clash", "clock.gltf", "--json"], "").json();
    assert!(clock.last().unwrap()["summary"]["instances"].as_u64() > Some(1));
}

/// A scale belongs to the mesh: thrice as wide, one of the nodes reaches the other.
#[test]
fn scales_of_nodes_are_applied_to_their_meshes() {
    let wide = r#"{"name": "P", "mesh": 0, "scale": [3, 1, 1]}"#;
    let scaled = SCENE.replace(r#"{"name": "P", "mesh": 0}"#, wide);
    assert_ne!(scaled, SCENE);
    let place = place(&[("scene.gltf", SCENE), ("scaled.gltf", &scaled)]);
    assert!(pairs(&clash(&place, "scene.gltf --json").json()).is_empty());
    assert_eq!(pairs(&clash(&place, "scaled.gltf --json").json()), ["P#2 P#3 touching"]);
}

/// A node that moves from another place than that of the file is where its animation begins: there it touches another.
#[test]
fn a_scene_in_motion_is_tested_as_it_begins() {
    let animation = r#"{"channels": [{"sampler": 0, "target": {"node": 3, "path": "translation"}}],
        "samplers": [{"input": 1, "output": 2}]}"#;
    let accessors = r#"{"bufferView": 1, "componentType": 5126, "type": "SCALAR", "count": 2, "min": [0], "max": [1]},
        {"bufferView": 1, "byteOffset": 8, "componentType": 5126, "type": "VEC3", "count": 2}"#;
    // From (1, 0, 0) to (9, 0, 0) within a second.
    let uri = "data:application/octet-stream;base64,AAAAAAAAgD8AAIA/AAAAAAAAAAAAABBBAAAAAAAAAAA=";
    let moving = SCENE
        .replace(r#""meshes": ["#, &format!(r#""animations": [{animation}], "meshes": ["#))
        .replace(r#""max": [1, 1, 0]}]"#, &format!(r#""max": [1, 1, 0]}}, {accessors}]"#))
        .replace(
            r#"{"buffer": 0, "byteLength": 36}"#,
            r#"{"buffer": 0, "byteLength": 36}, {"buffer": 1, "byteLength": 32}"#,
        )
        .replace(r#"AAAAA"}]}"#, &format!(r#"AAAAA"}}, {{"byteLength": 32, "uri": "{uri}"}}]}}"#));
    let place = place(&[("scene.gltf", SCENE), ("moving.gltf", &moving)]);
    assert!(pairs(&clash(&place, "scene.gltf --json").json()).is_empty());
    assert_eq!(pairs(&clash(&place, "moving.gltf --json").json()), ["P#2 P#3 touching"]);
}

#[test]
fn a_broken_node_is_an_error_and_the_others_are_tested() {
    let place = place(&[]);
    // A mesh that does not exist, and a rotation that is none, above another node.
    let broken = SCENE
        .replace(r#""mesh": 0, "translation": [3, 0, 0]"#, r#""mesh": 7"#)
        .replace(r#""nodes": [0, 1]"#, r#""nodes": [0, 1, 5]"#)
        .replace(
            "0.7071067811865476]}",
            r#"0.7071067811865476]},
          {"name": "lost", "mesh": 0, "rotation": [0, 0, 0, 0], "children": [6]}, {"mesh": 0}"#,
        );
    std::fs::write(place.path().join("scene.gltf"), broken).unwrap();
    let ran = clash(&place, "scene.gltf --json --tolerance 0.25");
    assert_eq!((ran.status, &*ran.err), (1, ""));
    let objects = ran.objects();
    let error = |id: &str, message: &str| json!({"error": {"id": id, "message": message}});
    let turned = "node 5: the rotation [0.0, 0.0, 0.0, 0.0], expected a unit quaternion";
    let missing = "node 3: mesh 7, which does not exist, expected a number below 1";
    assert_eq!(
        objects[..3],
        [error("P#3", missing), error("lost", turned), error("node 6", turned)]
    );
    assert_eq!(pairs(&objects), ["P#2 W apart"]);
    let summary = json!({"instances": 5, "candidates": 1, "clashes": 1, "errors": 3});
    assert_eq!(objects[4]["summary"], summary);
    let text = clash(&place, "scene.gltf --tolerance 0.25");
    assert!(text.status == 1 && text.err.contains(&format!("lost: {turned}")), "{}", text.err);
    // What concerns the whole file is bad input.
    let no_tree = SCENE.replace(r#""nodes": [0, 1]"#, r#""nodes": [0, 0]"#);
    std::fs::write(place.path().join("scene.gltf"), no_tree).unwrap();
    assert!(clash(&place, "scene.gltf").error(2).contains("node 0: a node that is reached twice"));
    let no_buffer = SCENE.replace("data:application/octet-stream;base64,", "missing.bin?");
    for text in [&*no_buffer, "no glTF"] {
        std::fs::write(place.path().join("scene.gltf"), text).unwrap();
        assert!(clash(&place, "scene.gltf").error(2).starts_with("scene.gltf: "));
    }
}
