//! Matrices of poses are applied bit for bit, wherever a scene has them.

#![allow(clippy::unwrap_used)]

use crate::program::xcollide_at;
use crate::run::{listed, lists};

/// Two cubes; a quarter turn brings the second to touch the first. The turn is the matrix of an object, of
/// a recorded motion, in a file of poses, of a child of a parent, and of a node of glTF.
#[test]
fn quarter_turns_given_as_matrices_are_exact() {
    const MATRIX: &str = "0, -1, 0, 2, 1, 0, 0, 0, 0, 0, 1, 0";
    const BEYOND: &str = "0, -1, 0, 2.0000000000000004, 1, 0, 0, 0, 0, 0, 1, 0";
    let folder = tempfile::tempdir().unwrap();
    let pairs = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        let lists = lists(&xcollide_at(folder.path(), &["run", name, "--json"], ""));
        listed(&lists[..1], 1)
    };
    let scene = |objects: &str| {
        let fixed = "[[objects]]\nname = \"a\"\nmesh = \"shape:box\"\n";
        format!("name = \"s\"\nframes = 1\n{fixed}[[objects]]\nmesh = \"shape:box\"\n{objects}")
    };
    let recorded = "[objects.motion]\nkind = \"recorded\"\n";
    for (matrix, expected) in [(MATRIX, 1), (BEYOND, 0)] {
        let posed = scene(&format!("pose = [{matrix}]\n"));
        assert_eq!(pairs("a.toml", &posed), expected, "{matrix}");
        let whole = scene(&format!("pose = [{matrix}, 0, 0, 0, 1]\n"));
        assert_eq!(pairs("a.toml", &whole), expected, "{matrix}");
        let listed = scene(&format!("{recorded}poses = [[{matrix}]]\n"));
        assert_eq!(pairs("a.toml", &listed), expected, "{matrix}");
        std::fs::write(folder.path().join("way.txt"), matrix).unwrap();
        let filed = scene(&format!("{recorded}file = \"way.txt\"\n"));
        assert_eq!(pairs("a.toml", &filed), expected, "{matrix}");
        // The parent touches nothing; its own quarter turn brings its child to the first cube.
        let parent = "name = \"b\"\npose = [0, -1, 0, 0, 1, 0, 0, -7, 0, 0, 1, 0]\n[[objects]]\n";
        let child = "mesh = \"shape:box\"\nparent = \"b\"\n";
        let up = if expected == 1 { "5" } else { "4.9999999999999991" };
        let at = format!("pose = [0, 0, 1, {up}, 1, 0, 0, 0, 0, 1, 0, 0]\n");
        assert_eq!(pairs("a.toml", &scene(&format!("{parent}{child}{at}"))), expected, "{up}");
    }
    let corners =
        (0..8).flat_map(|n| [1, 2, 4].map(|bit| if n & bit == 0 { -1.0_f32 } else { 1.0 }));
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let indices = sides.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]);
    let bytes = corners.flat_map(f32::to_le_bytes).chain(indices.flat_map(u16::to_le_bytes));
    std::fs::write(folder.path().join("cube.bin"), bytes.collect::<Vec<u8>>()).unwrap();
    for (at, expected) in [("2", 1), ("2.0000002384185791", 0)] {
        let gltf = format!(
            r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [0, 1]}}],
            "nodes": [{{"mesh": 0}}, {{"matrix": [0,1,0,0,-1,0,0,0,0,0,1,0,0,0,5,1], "children": [2]}},
                {{"mesh": 0, "matrix": [0,1,0,0,-1,0,0,0,0,0,1,0,0,-{at},-5,1]}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
            "accessors": [
                {{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3",
                    "min": [-1, -1, -1], "max": [1, 1, 1]}},
                {{"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 96}},
                {{"buffer": 0, "byteOffset": 96, "byteLength": 72}}],
            "buffers": [{{"uri": "cube.bin", "byteLength": 168}}]}}"#
        );
        assert_eq!(pairs("a.gltf", &gltf), expected, "{at}");
    }
}
