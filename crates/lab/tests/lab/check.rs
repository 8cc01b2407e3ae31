//! `xcollide check`: every option, key and exit status of its contract.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{Ran, keys, xcollide, xcollide_at};
use serde_json::{Value, json};

pub(crate) const BOXES: &str = "check shape:box shape:box";

/// Poses of B in A's frame at which two cubes of side 2 overlap, touch, are apart.
const CUBE_POSES: &str = "\
# cubes of side 2
0.5 0 0  0 0 0 1
2 0 0  0 0 0 1

2.5 0 0  0 0 0 1
1 0 0 0  0 1 0 3  0 0 1 0
";

pub(crate) fn one(arguments: &str) -> Value {
    let objects = xcollide(&format!("{arguments} --json")).json();
    assert_eq!(objects.len(), 1, "{objects:?}");
    objects[0].clone()
}

/// Runs a check of two cubes over a file of poses.
fn over(poses: &str, options: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("poses.txt"), poses).unwrap();
    let arguments = format!("{BOXES} --poses poses.txt {options}");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    xcollide_at(folder.path(), &arguments, "")
}

#[test]
fn a_contact_has_its_witness() {
    let found = one("check shape:box shape:box --pose-b 2,0,0,0,0,0,1");
    assert_eq!(found["verdict"], "collides");
    assert_eq!(found["query"], 0);
    assert_eq!(found["algorithm"], "hybrid", "which is chosen for convex bodies");
    assert_eq!(found["witness"]["point"][0], 1.0);
    // Face 1 of the cube is at x = 1, face 0 at x = -1; edges name the first face.
    assert!(found["witness"]["a"]["face"].is_u64() && found["witness"]["b"]["face"].is_u64());
    assert_eq!(found.get("separation"), None);
}

/// A matrix places a model as it is given: a cube after a quarter turn touches its neighbor.
#[test]
fn a_quarter_turn_given_as_a_matrix_is_exact() {
    let found = one("check shape:box shape:box --pose-b 0,-1,0,2,1,0,0,0,0,0,1,0");
    assert_eq!(found["verdict"], "collides");
    assert_eq!(found["witness"]["point"][0], 1.0);
    for face in ["0,-1,0,0,1,0,0,2,0,0,1,0", "0,0,1,0,0,1,0,0,-1,0,0,2"] {
        let found = one(&format!("check shape:box shape:box --pose-b {face} --algorithm wide-obb"));
        assert_eq!(found["verdict"], "collides");
    }
    let beyond = "0,-1,0,2.0000000000000004,1,0,0,0,0,0,1,0";
    let found = one(&format!("check shape:box shape:box --pose-b {beyond}"));
    assert_eq!(found["verdict"], "apart");
}

/// The plane of a result with a unit normal.
fn plane(found: &Value) -> ([f64; 3], f64) {
    let number = |value: &Value| value.as_f64().unwrap();
    let separation = &found["separation"];
    let normal = [0, 1, 2].map(|k| number(&separation["normal"][k]));
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    (normal.map(|x| x / length), number(&separation["offset"]) / length)
}

#[test]
fn being_apart_has_its_plane() {
    let found = one("check shape:box shape:box --pose-b 2.5,0,0,0,0,0,1");
    assert_eq!(found["verdict"], "apart");
    let (normal, offset) = plane(&found);
    assert_eq!(normal, [1.0, 0.0, 0.0]);
    assert!((1.0..=1.5).contains(&offset));
    assert_eq!(found.get("witness"), None);
}

#[test]
fn a_body_inside_another_collides_as_a_solid_and_not_as_a_surface() {
    let nested = "check shape:box?x=0.5&y=0.5&z=0.5 shape:box";
    // For convex bodies a point in both, else a vertex of the one in the other.
    for (algorithm, vertex) in [("auto", false), ("wide-obb", true)] {
        let solid = one(&format!("{nested} --algorithm {algorithm}"));
        assert_eq!(solid["verdict"], "collides");
        assert_eq!(solid["witness"]["b"], json!({"body": true}));
        assert_eq!(solid["witness"]["a"]["vertex"].is_u64(), vertex, "{algorithm}");
    }
    let surface = one(&format!("{nested} --semantics surface"));
    assert_eq!(surface["verdict"], "apart");
    // No plane separates the two, so the key is missing.
    assert_eq!(surface.get("separation"), None);
}

#[test]
fn keys_are_those_of_the_contract_in_its_order() {
    let contract = [
        "query",
        "algorithm",
        "verdict",
        "witness",
        "separation",
        "distance",
        "nearest",
        "contacts",
        "segments",
        "count",
        "ns",
        "stats",
    ];
    let mut seen = std::collections::BTreeSet::new();
    let asked = "--distance;--contacts;--segments;--count;--stats;--tolerance 1;--certify;";
    for options in asked.split(';') {
        let ran = over(CUBE_POSES, &format!("--json --algorithm all {options}"));
        let answers = ran.objects().len();
        assert!(
            answers >= 36 && answers.is_multiple_of(4),
            "nine exact algorithms or more, four poses"
        );
        for line in ran.out.lines() {
            let found = keys(line);
            let mut rest = contract.iter();
            assert!(found.iter().all(|key| rest.any(|known| known == key)), "{line}");
            assert!(
                ["query", "algorithm", "verdict", "ns"]
                    .iter()
                    .all(|k| found.iter().any(|f| f == k))
            );
            seen.extend(found);
        }
        for object in ran.objects() {
            let stats = object["stats"].as_object();
            let stats: Vec<_> = stats.map_or(vec![], |stats| stats.keys().cloned().collect());
            let asked = options == "--stats";
            let counted = ["fallbacks", "handed_over", "primitive_tests", "probes", "volume_tests"];
            assert_eq!(stats, if asked { counted.to_vec() } else { vec![] });
        }
    }
    assert_eq!(seen.len(), contract.len(), "every key was seen at least once");
}

#[test]
fn poses_are_queries_in_order() {
    let found = over(CUBE_POSES, "--json").json();
    let verdicts: Vec<_> = found.iter().map(|object| object["verdict"].clone()).collect();
    assert_eq!(verdicts, ["collides", "collides", "apart", "apart"]);
    let queries: Vec<_> = found.iter().map(|object| object["query"].as_u64().unwrap()).collect();
    assert_eq!(queries, [0, 1, 2, 3]);
}

#[test]
fn a_line_with_two_poses_has_that_of_a_first() {
    // Both moved alike: they overlap. Only A moved: apart.
    let poses = "9 0 0 0 0 0 1  9.5 0 0 0 0 0 1\n9 0 0 0 0 0 1  0 0 0 0 0 0 1\n";
    let found = over(poses, "--json").json();
    assert_eq!(found[0]["verdict"], "collides");
    assert_eq!(found[1]["verdict"], "apart");
    assert_eq!(plane(&found[1]).0, [-1.0, 0.0, 0.0], "from A to B");
}

#[test]
fn poses_come_from_standard_input_too() {
    let arguments = ["check", "shape:box", "shape:box", "--poses", "-", "--json"];
    let ran = xcollide_at(std::path::Path::new("."), &arguments, CUBE_POSES);
    assert_eq!(ran.json().len(), 4);
    let ran = xcollide_at(std::path::Path::new("."), &arguments, "1 2\n");
    assert!(
        ran.error(2)
            .starts_with("standard input: line 1: found 2 numbers, expected 3, 7, 12 or 16")
    );
}

#[test]
fn a_pose_of_either_model_may_be_given_in_either_form() {
    for pose in ["--pose-a 0,0,5,0,0,0,1", "--pose-b 0 0 5 0 0 0 1", "--pose-b -5 0 0 0 0 0 -1"] {
        assert_eq!(one(&format!("{BOXES} {pose}"))["verdict"], "apart", "{pose}");
    }
    let quoted =
        ["check", "shape:box", "shape:box", "--json", "--pose-b", "-1 0 0 -4 0 -1 0 0 0 0 1 0"];
    let ran = xcollide_at(std::path::Path::new("."), &quoted, "");
    assert_eq!(ran.json()[0]["verdict"], "apart");
    let both = one(&format!("{BOXES} --pose-a 0 0 5 0 0 0 1 --pose-b 0 0 5 0 0 0 1"));
    assert_eq!(both["verdict"], "collides");
}

#[test]
fn all_exact_algorithms_answer_and_agree() {
    let found = over(CUBE_POSES, "--json --algorithm all --contacts --verify").json();
    let exact: Vec<_> = xcollide("list --json")
        .json()
        .into_iter()
        .filter(|entry| entry["kind"] == "narrow" && entry["guarantee"] == "exact")
        .map(|entry| entry["name"].clone())
        // `auto` only chooses among the others.
        .filter(|name| name != "auto")
        .collect();
    assert!(exact.len() >= 2);
    for (query, answers) in found.chunks(exact.len()).enumerate() {
        let names: Vec<_> = answers.iter().map(|answer| answer["algorithm"].clone()).collect();
        assert_eq!(names, exact);
        for answer in answers {
            assert_eq!(answer["query"], query);
            assert_eq!(answer["verdict"], answers[0]["verdict"]);
            assert_eq!(answer["contacts"], answers[0]["contacts"]);
        }
    }
    assert_eq!(found.len(), 4 * exact.len());
}

#[test]
fn every_algorithm_can_be_named() {
    for entry in xcollide("list --json").json() {
        if entry["kind"] != "narrow" {
            continue;
        }
        let name = entry["name"].as_str().unwrap();
        let found = one(&format!("{BOXES} --pose-b 0.5,0.5,0.5,0,0,0,1 --algorithm {name}"));
        // An algorithm with false hits does not claim a hit, but for one that comes to the triangles here.
        let is_unsure = entry["guarantee"] == "false-hits" && name != "sphere-levels";
        let verdict = if is_unsure { "undecided" } else { "collides" };
        // `auto` is reported as the algorithm it chose.
        let name = if name == "auto" { "hybrid" } else { name };
        assert_eq!((&found["algorithm"], &found["verdict"]), (&json!(name), &json!(verdict)));
    }
}

#[test]
fn a_biased_algorithm_is_undecided_where_it_would_have_to_guess() {
    let nested = "check shape:box?x=0.5&y=0.5&z=0.5 shape:box --algorithm arbitrary-relaxed";
    let found = one(&format!("{nested} --semantics surface"));
    assert_eq!(found["verdict"], "undecided", "no face meets another, and no plane parts them");
    assert!(found.get("witness").is_none() && found.get("separation").is_none());
    assert_eq!(one(nested)["verdict"], "collides", "a vertex inside is proof enough");
}

#[test]
fn contacts_are_all_or_at_most_so_many() {
    let corner = format!("{BOXES} --pose-b 1,1,1,0,0,0,1");
    let all = one(&format!("{corner} --contacts"))["contacts"].as_array().unwrap().clone();
    // B's corner is in A and A's in B: three faces of each cross three of the other, all but the
    // parallel ones.
    assert_eq!(all.len(), 6);
    assert!(all.is_sorted_by_key(|pair| (pair[0].as_u64(), pair[1].as_u64())));
    let one_of = one(&format!("{corner} --contacts 1"))["contacts"].as_array().unwrap().clone();
    assert!(one_of.len() == 1 && all.contains(&one_of[0]));
    // The number may be missing before a file.
    let before = one("check --contacts shape:box shape:box --pose-b 1,1,1,0,0,0,1");
    assert_eq!(before["contacts"].as_array().unwrap(), &all);
    let apart = one(&format!("{BOXES} --pose-b 9,0,0,0,0,0,1 --contacts=3"));
    assert_eq!(apart["contacts"], json!([]));
}

#[test]
fn segments_say_where_the_faces_meet() {
    // B's corner is in A and A's in B: the faces cross in six edges of a unit cube.
    let corner = format!("{BOXES} --pose-b 1,1,1,0,0,0,1");
    let found = one(&format!("{corner} --segments --verify"));
    assert_eq!(found["contacts"], one(&format!("{corner} --contacts"))["contacts"]);
    let pair = |segment: &Value| segment["faces"].clone();
    let mut pairs: Vec<Value> = found["segments"].as_array().unwrap().iter().map(pair).collect();
    pairs.dedup();
    assert_eq!(Value::from(pairs), found["contacts"]);
    let mut length = 0.0;
    for segment in found["segments"].as_array().unwrap() {
        let points: Vec<Vec<f64>> = serde_json::from_value(segment["points"].clone()).unwrap();
        assert!(points.iter().flatten().all(|x| (0.0..=1.0).contains(x)));
        if let [p, q] = &points[..] {
            length += (0..3).map(|k| (p[k] - q[k]).abs()).sum::<f64>();
        }
    }
    assert_eq!(length, 6.0);
    // Stacked: a square, in pieces, by every algorithm.
    let on_top =
        format!("{BOXES} --pose-b 0,0,2,0,0,0,1 --segments --verify --algorithm all --json");
    for answer in xcollide(&on_top).json() {
        let polygons = answer["segments"].as_array().unwrap().iter();
        assert!(polygons.filter(|s| s["points"].as_array().unwrap().len() > 2).count() > 1);
    }
    let few = one(&format!("{corner} --segments --contacts=2"));
    assert_eq!(few["contacts"].as_array().unwrap().len(), 2);
    assert_eq!(one(&format!("{BOXES} --pose-b 9,0,0,0,0,0,1 --segments"))["segments"], json!([]));
}

#[test]
fn contacts_can_be_counted() {
    assert_eq!(one(&format!("{BOXES} --pose-b 1,1,1,0,0,0,1 --count"))["count"], 6);
    assert_eq!(one(&format!("{BOXES} --pose-b 9,0,0,0,0,0,1 --count"))["count"], 0);
    for answer in
        xcollide("check shape:cubes?n=2 shape:torus --count --algorithm all --json").json()
    {
        assert!(answer["count"].as_u64().unwrap() > 0);
    }
    xcollide(&format!("{BOXES} --count --contacts")).error(2);
}

#[test]
fn repetitions_change_nothing_but_the_time() {
    let without_ns = |options: &str| {
        let mut found = over(CUBE_POSES, &format!("--json --stats --contacts {options}")).json();
        found.iter_mut().for_each(|object| {
            object.as_object_mut().unwrap().remove("ns");
        });
        found
    };
    assert_eq!(without_ns("--repeat 5"), without_ns(""));
    assert_eq!(without_ns("--repeat 3 --coherent"), without_ns("--coherent"));
}

/// A line depends on its query alone, including the proof. With caches the verdicts are the same.
#[test]
fn a_query_is_answered_as_if_it_were_the_only_one() {
    let poses: Vec<String> =
        (0..60).map(|i| format!("{} 0.3 0.1 0 0 0.6 0.8\n", f64::from(40 - i) * 0.06)).collect();
    let answers = |poses: &str, options: &str| -> Vec<Value> {
        let mut found = over(poses, &format!("--json {options}")).json();
        for object in &mut found {
            let object = object.as_object_mut().unwrap();
            object.remove("ns");
            object.remove("query");
        }
        found
    };
    let together = answers(&poses.concat(), "");
    let alone: Vec<Value> = poses.iter().step_by(7).flat_map(|pose| answers(pose, "")).collect();
    assert_eq!(together.iter().step_by(7).cloned().collect::<Vec<_>>(), alone);
    assert_eq!(answers(&poses.concat(), "--threads 2 --repeat 2"), together);
    let verdicts = |found: &[Value]| -> Vec<Value> {
        found.iter().map(|object| object["verdict"].clone()).collect()
    };
    let coherent = answers(&poses.concat(), "--coherent --threads 2");
    assert_eq!(verdicts(&coherent), verdicts(&together));
    assert!(verdicts(&coherent).iter().any(|verdict| verdict == "apart"));
    assert!(verdicts(&coherent).iter().any(|verdict| verdict == "collides"));
}

#[test]
fn the_exit_status_tells_the_verdict_only_when_asked() {
    let at =
        |x: &str, more: &str| xcollide(&format!("{BOXES} --pose-b {x},0,0,0,0,0,1 {more}")).status;
    assert_eq!([at("1", ""), at("9", "")], [0, 0]);
    assert_eq!([at("1", "--exit-code"), at("9", "--exit-code")], [10, 0]);
    let late = "check shape:sphere?faces=2000 shape:sphere?faces=2000&radius=0.9 \
                --semantics surface --algorithm brute-force --budget 1ns --exit-code";
    assert_eq!(xcollide(late).status, 11);
    // One collision among the queries is enough.
    assert_eq!(over(CUBE_POSES, "--exit-code").status, 10);
    assert_eq!(over("9 0 0 0 0 0 1\n", "--exit-code").status, 0);
}

#[test]
fn proofs_are_verified() {
    let torus = "check shape:torus?faces=600 shape:torus?faces=600 --verify --certify";
    // Linked rings: apart, but no plane separates them.
    let linked =
        xcollide(&format!("{torus} --pose-b 1 0 0 0.7071067811865476 0 0 0.7071067811865476"));
    assert_eq!((linked.status, &*linked.err), (0, ""), "{linked:?}");
    assert_eq!(over(CUBE_POSES, "--verify --algorithm all").status, 0);
}

#[test]
fn a_file_is_a_mesh_whose_faces_count_from_0() {
    let folder = tempfile::tempdir().unwrap();
    // Two squares, the second one above; polygons stay polygons.
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                f 1 2 3 4\nf 5 6 7 8\n";
    std::fs::write(folder.path().join("squares.obj"), text).unwrap();
    let arguments =
        ["check", "squares.obj", "shape:box", "--json", "--contacts", "--pose-b", "0 0 2 0 0 0 1"];
    let found = xcollide_at(folder.path(), &arguments, "").json();
    assert_eq!(found[0]["verdict"], "collides");
    let touching: Vec<_> = found[0]["contacts"].as_array().unwrap().iter().map(|p| &p[0]).collect();
    assert!(touching.iter().all(|face| **face == 1), "only the upper square: {touching:?}");
}

#[test]
fn thread_counts_are_accepted() {
    assert_eq!(one(&format!("{BOXES} --threads 2"))["verdict"], "collides");
    assert!(xcollide(&format!("{BOXES} --threads 0")).error(2).contains("--threads"));
}

#[test]
fn people_read_sentences() {
    insta::assert_snapshot!("cubes", over(CUBE_POSES, "--contacts --distance").text());
    let nested = "check shape:box?x=0.5&y=0.5&z=0.5 shape:box";
    insta::assert_snapshot!("nested", xcollide(nested).text());
    let surfaces = format!("{nested} --semantics surface --certify");
    insta::assert_snapshot!("nested_surfaces", xcollide(&surfaces).text());
    let near = format!("{BOXES} --pose-b 2.5,0,0,0,0,0,1 --tolerance 0.5");
    insta::assert_snapshot!("near", xcollide(&near).text());
}

#[test]
fn scripts_read_objects() {
    let mut lines = String::new();
    for line in over(CUBE_POSES, "--json --contacts --distance").out.lines() {
        let (before, after) = line.split_once("\"ns\":").unwrap();
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        assert!(after[..digits].parse::<u64>().unwrap() > 0);
        lines += &format!("{before}\"ns\":NS{}\n", &after[digits..]);
    }
    insta::assert_snapshot!("cubes_json", lines);
}

#[test]
fn what_is_wrong_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.obj"), "v 0 0 0\nf 1 2 3\n").unwrap();
    std::fs::write(folder.path().join("no.poses"), "# nothing\n\n").unwrap();
    std::fs::write(folder.path().join("bad.poses"), "0 0 0 0 0 0 1\n# two\n1 2\n").unwrap();
    let far = "1e308 0 0 0 0 0 1\n";
    std::fs::write(folder.path().join("far.poses"), far).unwrap();
    let cases = [
        ("check nowhere.obj shape:box", "nowhere.obj: cannot be read"),
        ("check bad.obj shape:box", "bad.obj: line 2: vertex number 2 in a face, expected 1..=1"),
        ("check shape:ball shape:box", "shape:ball: shape `ball` is unknown, expected one of"),
        (
            "check shape:sphere?faces=x shape:box",
            "shape:sphere?faces=x: parameter `faces`: found `x`",
        ),
        ("check shape:box", "the following required arguments were not provided: <B>"),
        ("check shape:box shape:box --pose-b 1,2", "found 2 numbers, expected 3"),
        ("check shape:box shape:box --pose-b x", "number 1 is `x`, expected a finite number"),
        ("check shape:box shape:box --pose-a 0,0,0,0,0,0,2", "length 2, expected 1 within 1e-6"),
        ("check shape:box shape:box --pose-b 2,0,0,0,0,1,0,0,0,0,1,0", "row 1 of the matrix"),
        ("check shape:box shape:box --poses nowhere", "nowhere: cannot be read"),
        ("check shape:box shape:box --poses .", ".: "),
        ("check shape:box shape:box --poses no.poses", "no.poses: found no line with a pose"),
        ("check shape:box shape:box --poses bad.poses", "bad.poses: line 3: found 2 numbers"),
        ("check shape:box shape:box --poses far.poses", "far.poses: line 1: the pose moves"),
        (
            "check shape:box shape:box --poses no.poses --pose-b 0,0,0,0,0,0,1",
            "cannot be used with",
        ),
        ("check shape:box shape:box --algorithm guess", "[possible values: auto, all, wide-obb"),
        (
            "check shape:box shape:plane --algorithm arbitrary-relaxed",
            "shape:plane: arbitrary-relaxed",
        ),
        ("check shape:box shape:box --semantics hollow", "[possible values: solid, surface]"),
        ("check shape:box shape:box --budget 5", "expected a number and a unit"),
        ("check shape:box shape:box --tolerance -1", "expected a finite number of at least 0"),
        ("check shape:box shape:box --repeat 0", "--repeat"),
        ("check shape:box shape:box --contacts=x", "expected a whole number, or nothing"),
        ("check shape:box shape:box --nonsense", "unexpected argument '--nonsense' found"),
        ("chekc", "unrecognized subcommand 'chekc'"),
    ];
    for (arguments, expected) in cases {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        for json in [false, true] {
            let mut arguments = arguments.clone();
            if json {
                arguments.push("--json");
            }
            let ran = xcollide_at(folder.path(), &arguments, "");
            let error = ran.error(2);
            assert!(error.contains(expected), "{arguments:?}: {error}");
        }
    }
    // Results before the bad line stay.
    let arguments = ["check", "shape:box", "shape:box", "--poses", "bad.poses", "--json"];
    assert_eq!(xcollide_at(folder.path(), &arguments, "").objects().len(), 1);
}

#[test]
#[cfg(unix)]
fn a_reader_that_has_seen_enough_is_no_error() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let poses = folder.path().join("poses.txt");
    std::fs::write(&poses, "9 0 0 0 0 0 1\n".repeat(20_000)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_xcollide"))
        .args(["check", "shape:box", "shape:box", "--json", "--poses"])
        .arg(&poses)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"query\":0,"));
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stderr.len()), (Some(0), 0));
}

#[test]
fn threads_change_nothing_but_the_time() {
    let poses: String =
        (0..500).map(|i| format!("{} 0.1 0 0 0 0 1\n", f64::from(i) * 0.01)).collect();
    let run = |options: &str| -> Vec<Value> {
        let mut found = over(&poses, &format!("--json --contacts {options}")).json();
        assert_eq!(found.len(), 500);
        for object in &mut found {
            object.as_object_mut().unwrap().remove("ns");
        }
        found
    };
    let alone = run("");
    assert_eq!(run("--threads 2"), alone);
    assert_eq!(run("--threads 1000000"), alone, "no more threads than processors");
    let broken = format!("{poses}1 2\n");
    let ran = over(&broken, "--json --threads 2");
    assert_eq!((ran.status, ran.out.lines().count()), (2, 500), "what came before is answered");
}
