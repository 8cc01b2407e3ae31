//! `xcollide classify`: its contract.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{Ran, keys, xcollide, xcollide_at};
use serde_json::{Value, json};

/// Files with all defects, small enough to be counted by hand.
const FILES: [(&str, &str); 5] = [
    // Two squares that share an edge in the same direction.
    (
        "misoriented.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nf 1 2 3 4\nf 2 3 6 5\n",
    ),
    // Three triangles at one edge, one of them twice.
    (
        "fins.obj",
        "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv -1 0 0\nf 1 2 3\nf 1 2 4\nf 2 1 5\nf 3 1 2\n",
    ),
    // A tetrahedron as a soup: each triangle has its own vertices.
    (
        "soup.obj",
        "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv 0 0 1\n\
         v 0 1 0\nv 0 0 0\nv 0 0 1\nf 1 2 3\nf 4 5 6\nf 7 8 9\nf 10 11 12\n",
    ),
    // A degenerate face and an unused vertex.
    ("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 9 9 9\nf 1 2 3\n"),
    ("bad.obj", "v 0 0 0\nv 1 x 0\n"),
];

/// Runs a command in a folder with the files above.
fn with_files(arguments: &str) -> (tempfile::TempDir, Ran) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let ran = xcollide_at(folder.path(), &arguments, "");
    (folder, ran)
}

fn one(file: &str) -> Value {
    with_files(&format!("classify --json {file}")).1.json().remove(0)
}

/// If the budget ends the search, the result says so instead of "no self-intersections".
#[test]
fn a_search_without_time_tells_that_it_did_not_end() {
    let whole = xcollide("classify --json shape:sphere?faces=5000").json().remove(0);
    assert_eq!(whole["self_intersections"], 0);
    assert_eq!(whole.get("self_intersections_complete"), None);
    let hasty = xcollide("classify --json --budget 0s shape:sphere?faces=5000").json().remove(0);
    assert_eq!(hasty.get("self_intersections"), None);
    assert_eq!(hasty["self_intersections_complete"], false);
    assert_eq!(hasty["faces"], whole["faces"]);
    let words = xcollide("classify --budget 0s shape:sphere?faces=5000").text();
    assert!(words.contains("whether it intersects itself is undecided: OutOfTime"), "{words}");
}

#[test]
fn keys_are_those_of_the_contract_in_its_order() {
    let contract = [
        "file",
        "vertices",
        "faces",
        "edges",
        "components",
        "boundary_edges",
        "nonmanifold_edges",
        "nonmanifold_vertices",
        "degenerate_faces",
        "duplicate_faces",
        "self_intersections",
        "euler_characteristic",
        "closed",
        "manifold",
        "oriented",
        "planar_faces",
        "convex_faces",
        "convex",
        "volume",
        "algorithms",
    ];
    assert_eq!(keys(&xcollide("classify --json shape:box").out), contract);
    let open = keys(&xcollide("classify --json shape:plane").out);
    assert_eq!(open, contract.iter().copied().filter(|key| *key != "volume").collect::<Vec<_>>());
}

#[test]
fn a_cube_is_everything_good() {
    let mut cube = one("shape:box");
    let volume = cube.as_object_mut().unwrap().remove("volume").unwrap().as_f64().unwrap();
    assert!((volume - 8.0).abs() < 1e-12);
    assert!(cube["algorithms"].as_array().unwrap().len() >= 3);
    cube["algorithms"] = json!([]);
    let expected = json!({
        "file": "shape:box", "vertices": 8, "faces": 6, "edges": 12, "components": 1,
        "boundary_edges": 0, "nonmanifold_edges": 0, "nonmanifold_vertices": 0,
        "degenerate_faces": 0, "duplicate_faces": 0, "self_intersections": 0,
        "euler_characteristic": 2, "closed": true, "manifold": true, "oriented": true, "planar_faces": true,
        "convex_faces": true, "convex": true, "algorithms": [],
    });
    assert_eq!(cube, expected);
}

#[test]
fn what_is_wrong_is_counted() {
    let squares = one("misoriented.obj");
    assert_eq!((&squares["closed"], &squares["oriented"]), (&json!(false), &json!(false)));
    assert_eq!((&squares["boundary_edges"], &squares["manifold"]), (&json!(6), &json!(true)));
    let fins = one("fins.obj");
    assert_eq!((&fins["nonmanifold_edges"], &fins["duplicate_faces"]), (&json!(1), &json!(1)));
    assert_eq!(fins["manifold"], false);
    let soup = one("soup.obj");
    assert_eq!((&soup["components"], &soup["boundary_edges"]), (&json!(4), &json!(12)));
    let flat = one("flat.obj");
    assert_eq!((&flat["degenerate_faces"], &flat["vertices"]), (&json!(1), &json!(4)));
    let torus = one("shape:torus?faces=400");
    assert_eq!((&torus["euler_characteristic"], &torus["convex"]), (&json!(0), &json!(false)));
}

#[test]
fn the_algorithms_are_those_that_accept_it() {
    let exact_ones = |file: &str| -> Vec<String> {
        let names = one(file)["algorithms"].clone();
        serde_json::from_value(names).unwrap()
    };
    assert!(exact_ones("shape:box").contains(&"arbitrary-relaxed".to_owned()));
    assert!(!exact_ones("soup.obj").contains(&"arbitrary-relaxed".to_owned()));
    assert!(exact_ones("soup.obj").contains(&"arbitrary".to_owned()));
    for name in exact_ones("soup.obj") {
        let arguments = format!("check soup.obj shape:box --json --algorithm {name}");
        assert_eq!(with_files(&arguments).1.json()[0]["algorithm"], name);
    }
}

#[test]
fn a_mended_mesh_is_written_and_the_mending_told() {
    let (folder, ran) = with_files("classify --json soup.obj --repair out.ply");
    let told = &ran.json()[0];
    assert_eq!(told["components"], 4, "the object tells of the mesh as it was");
    assert_eq!(told["repairs"], json!({"vertices_welded": 8}));
    let again = xcollide_at(folder.path(), &["classify", "--json", "out.ply"], "").json();
    assert_eq!((&again[0]["vertices"], &again[0]["convex"]), (&json!(4), &json!(true)));
    let second = ["classify", "--json", "out.ply", "--repair", "again.off"];
    let second = xcollide_at(folder.path(), &second, "").json();
    assert_eq!(second[0]["repairs"], json!({}), "there is nothing left to mend");
    assert!(!folder.path().join("again.off").exists());
}

#[test]
fn a_bad_file_does_not_keep_the_others_from_being_told() {
    let (_, ran) = with_files("classify --json flat.obj bad.obj shape:nothing shape:box");
    assert_eq!(ran.status, 2);
    let files: Vec<_> = ran.objects().iter().map(|object| object["file"].clone()).collect();
    assert_eq!(files, ["flat.obj", "shape:box"]);
    let errors: Vec<&str> = ran.err.lines().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].starts_with("xcollide: bad.obj: line 2: "), "{errors:?}");
    assert!(errors[1].starts_with("xcollide: shape:nothing: shape `nothing` is unknown"));
}

#[test]
fn what_cannot_be_written_is_told() {
    let told = |arguments: &str, status: i32, expected: &str| {
        let (_, ran) = with_files(arguments);
        let error = ran.error(status);
        assert!(error.contains(expected), "{error}");
        assert_eq!(ran.out, "");
    };
    told(
        "classify soup.obj --repair out.xyz",
        2,
        "found the ending .xyz, expected one of .obj, .stl",
    );
    told(
        "classify soup.obj --repair out.glb",
        2,
        "found the ending .glb, expected one of .obj, .stl",
    );
    told("classify soup.obj --repair no/such/folder/out.obj", 1, "cannot be written");
    told(
        "classify soup.obj flat.obj --repair out.obj",
        2,
        "--repair: found 2 meshes, expected one",
    );
    told("classify", 2, "required arguments were not provided: <FILE>...");
}

#[test]
fn what_it_cost_is_told_when_asked_for() {
    let told = xcollide("classify --json --stats shape:sphere?faces=500").json();
    let stats = told[0]["stats"].as_object().unwrap();
    assert_eq!(stats.keys().collect::<Vec<_>>(), ["build_ns", "bytes", "read_ns"]);
    assert!(stats.values().all(|value| value.as_u64() > Some(0)));
}

#[test]
fn people_read_paragraphs() {
    let files = "misoriented.obj fins.obj soup.obj flat.obj shape:box shape:plane";
    insta::assert_snapshot!("classify", with_files(&format!("classify {files}")).1.text());
    let (_, ran) = with_files("classify soup.obj --repair out.obj");
    insta::assert_snapshot!("classify_repair", ran.text());
}

#[test]
fn the_same_file_in_other_formats_is_the_same_mesh() {
    let (folder, ran) = with_files("classify fins.obj --repair a.ply");
    assert_eq!(ran.status, 0);
    let mended = ["classify", "fins.obj", "--repair", "b.off"];
    assert_eq!(xcollide_at(folder.path(), &mended, "").status, 0);
    let told = |file: &str| {
        let mut told =
            xcollide_at(folder.path(), &["classify", "--json", file], "").json().remove(0);
        told["file"] = json!("");
        told
    };
    assert_eq!(told("a.ply"), told("b.off"));
}

/// Each file is named once, with all that is skipped of it.
#[test]
fn what_is_skipped_is_a_warning_and_strictly_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nqq\nf 1 2 3\nl 1 2\nqq\n";
    std::fs::write(folder.path().join("a.obj"), text).unwrap();
    let expected = "xcollide: a.obj: skipped 2 statements `qq`, the first in line 5; skipped 1 \
                    statement `l` in line 7\n";
    let ran = xcollide_at(folder.path(), &["check", "a.obj", "a.obj"], "");
    assert_eq!((ran.status, &*ran.err), (0, expected));
    let ran = xcollide_at(folder.path(), &["classify", "a.obj", "--quiet"], "");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let expected = "xcollide: a.obj: skipped 2 statements `qq`, the first in line 5 (--strict)\n";
    let ran = xcollide_at(folder.path(), &["classify", "a.obj", "--strict"], "");
    assert_eq!((ran.status, &*ran.out, &*ran.err), (2, "", expected));
}
