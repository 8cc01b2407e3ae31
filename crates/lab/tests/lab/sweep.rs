//! `xcollide sweep`: every option, key and exit status of its contract.

#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::program::{keys, xcollide, xcollide_at};

/// Cubes of side 2.
const BOXES: &str = "sweep shape:box shape:box";

fn one(arguments: &str) -> Value {
    let objects = xcollide(&format!("{arguments} --json")).json();
    assert_eq!(objects.len(), 1, "{objects:?}");
    objects[0].clone()
}

/// The keys of the one answer, in order.
fn keys_of(arguments: &str) -> Vec<String> {
    keys(&xcollide(&format!("{arguments} --json")).out)
}

fn interval(found: &Value) -> [f64; 2] {
    ["at_least", "at_most"].map(|key| found["time"][key].as_f64().unwrap())
}

#[test]
fn a_contact_has_its_time_and_its_witness() {
    // From 5 to −5: after 3 of 10 they touch.
    let question = format!("{BOXES} --from-b 5,0,0 --to-b=-5,0,0 --verify");
    let found = one(&question);
    assert_eq!(keys_of(&question), ["query", "verdict", "time", "witness", "ns"]);
    assert_eq!(found["verdict"], "collides");
    let [at_least, at_most] = interval(&found);
    assert!(at_least <= 0.3 && 0.3 <= at_most && at_most - at_least <= 1e-9, "{found}");
    assert!((found["witness"]["point"][0].as_f64().unwrap() - 1.0).abs() < 1e-8);
    // Without quotes, and wider.
    let found = one(&format!("{BOXES} --from-b 5 0 0 --to-b -5 0 0 --width 1e-3"));
    let [at_least, at_most] = interval(&found);
    assert!(at_least <= 0.3 && 0.3 <= at_most && at_most - at_least <= 1e-3, "{found}");
}

#[test]
fn being_apart_throughout_has_no_time_and_touching_at_the_start_is_time_zero() {
    let question = format!("{BOXES} --from-b 5,2.5,0 --to-b=-5,2.5,0 --verify");
    let apart = one(&question);
    assert_eq!(keys_of(&question), ["query", "verdict", "ns"]);
    assert_eq!(apart["verdict"], "apart");
    let touching = one(&format!("{BOXES} --from-b 2,0,0 --to-b=9,0,0 --verify"));
    assert_eq!(interval(&touching), [0.0, 0.0]);
}

#[test]
fn a_pose_alone_is_both_and_none_is_the_identity() {
    // A moves from the origin towards B, which rests at 5.
    let found = one(&format!("{BOXES} --from-a 0,0,0 --to-a 10,0,0 --from-b 5,0,0"));
    let [at_least, at_most] = interval(&found);
    assert!(at_least <= 0.3 && 0.3 <= at_most, "{found}");
    let other = one(&format!("{BOXES} --from-a 0,0,0 --to-a 10,0,0 --to-b 5,0,0"));
    assert_eq!(found["time"], other["time"]);
    assert_eq!(interval(&one(BOXES)), [0.0, 0.0]);
}

/// A half turn about z with the way along y: on a line it stays at x = 0; on a screw it swings out to x = ±4.
#[test]
fn linear_motion_and_screws_differ() {
    let poses = "--from-b 0,-4,0,0,0,0,1 --to-b 0,4,0,0,0,1,0 --from-a 0,0,0";
    assert_eq!(one(&format!("{BOXES} {poses}"))["verdict"], "collides");
    assert_eq!(one(&format!("{BOXES} {poses} --motion screw"))["verdict"], "apart");
}

/// Two segments that cross in one moment: decided, as neither turns. If one does, rounding does not tell.
#[test]
fn translations_are_decided_though_they_touch_in_one_moment() {
    let folder = tempfile::tempdir().unwrap();
    for (name, end) in [("a.obj", "4 0 0"), ("b.obj", "0.3 4 0.7")] {
        let text = format!("v 0 0 0\nv {end}\nf 1 2\n");
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let verdict_of = |poses: &str| -> Value {
        let arguments = format!("sweep a.obj b.obj {poses} --verify --json --width 0");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let ran = xcollide_at(folder.path(), &arguments, "");
        assert_eq!(ran.status, 0, "{}", ran.err);
        serde_json::from_str(&ran.out).unwrap()
    };
    let found = verdict_of("--from-b 1.1,-1.3,0.9 --to-b 1.7,-1.4,-2.3");
    assert_eq!(found["verdict"], "collides", "{found}");
    let [at_least, at_most] = interval(&found);
    assert_eq!(at_least.next_up(), at_most);
    assert_eq!([&found["witness"]["a"]["face"], &found["witness"]["b"]["face"]], [0, 0]);
    let turning =
        verdict_of("--from-b 1.1,-1.3,0.9,0,0,0,1 --to-b 1.7,-1.4,-2.3,0,0,0.1,0.99498743710662");
    assert_eq!(turning["verdict"], "undecided", "{turning}");
}

#[test]
fn a_file_of_motions_has_an_answer_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "# from and to of B\n5 0 0  -5 0 0\n\n5 9 0  -5 9 0\n0 0 0 9 0 0  5 0 0 5 0 0\n";
    let arguments = format!("{BOXES} --motions - --json --exit-code");
    for threads in ["", "--threads 2"] {
        let arguments = format!("{arguments} {threads}");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let ran = xcollide_at(folder.path(), &arguments, lines);
        assert_eq!(ran.status, 10, "{}", ran.err);
        let answers: Vec<Value> =
            ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let verdicts: Vec<&Value> = answers.iter().map(|object| &object["verdict"]).collect();
        assert_eq!(verdicts, ["collides", "apart", "collides"]);
        let queries: Vec<&Value> = answers.iter().map(|object| &object["query"]).collect();
        assert_eq!(queries, [0, 1, 2]);
    }
    let arguments: Vec<&str> = "sweep shape:box shape:box --motions -".split(' ').collect();
    let ran = xcollide_at(folder.path(), &arguments, lines);
    assert!(ran.out.ends_with("3 queries: 2 colliding, 1 apart\n"), "{}", ran.out);
    assert!(ran.out.starts_with("query 0: collides: at a time from 0.29"), "{}", ran.out);
    let ran = xcollide_at(folder.path(), &arguments, "5 0 0\n");
    assert_eq!(ran.status, 2);
    let expected =
        "xcollide: standard input, line 1: found 3 numbers, expected twice 3, 7, 12 or 16";
    assert!(ran.err.starts_with(expected), "{}", ran.err);
}

#[test]
fn surfaces_may_pass_where_bodies_do_not_and_budgets_end() {
    let inside = "sweep shape:box shape:sphere?faces=20 --from-b 0,0,0 --to-b 0.01,0,0 --exit-code";
    assert_eq!(xcollide(inside).status, 10);
    let small = "sweep shape:polytope?vertices=8&seed=1 shape:cubes?n=1";
    assert!(xcollide(small).status <= 2);
    let spent = "sweep shape:knot?faces=2000 shape:knot?faces=2000 --from-b 9,0,0,0,0,0,1 \
                 --to-b 9,0,0,0,0,1,0 --budget 0ns --exit-code";
    let ran = xcollide(spent);
    assert_eq!(ran.status, 11, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.starts_with("undecided: the budget was used up; apart until 0.0"),
        "{}",
        ran.out
    );
}

#[test]
fn wrong_usage_is_told() {
    for (arguments, expected) in [
        ("sweep shape:box", "required"),
        ("sweep shape:box shape:box --width=-1", "expected a finite number of at least 0"),
        ("sweep shape:box shape:box --motion spline", "[possible values: linear, screw]"),
        ("sweep shape:box shape:box --from-b 1,2", "found 2 numbers, expected 3"),
        ("sweep shape:box shape:box --motions x --from-b 1,2,3", "cannot be used with"),
        ("sweep shape:box shape:box --motions no-such-file", "no-such-file: cannot be read"),
        ("sweep shape:box shape:box --from-b=-1e308,0,0 --to-b 1e308,0,0", "the motion: "),
    ] {
        let ran = xcollide(arguments);
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.err);
        assert!(ran.err.contains(expected), "{arguments}: {}", ran.err);
    }
}

/// The report has the distance over time, the interval and the command; of many queries the first twenty.
#[test]
fn a_report_plots_the_distance_with_the_first_contact() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |line: &str| {
        xcollide_at(folder.path(), &line.split_whitespace().collect::<Vec<_>>(), "").json()
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let question = format!("{BOXES} --from-b 5,0,0 --to-b=-5,0,0,0,0,1,0 --json --report one.html");
    let found = ask(&question);
    let report = read("one.html");
    for part in ["Distance over time", "first contact", "proved apart before", "--report one.html"]
    {
        assert!(report.contains(part), "{part}");
    }
    let [at_least, at_most] = interval(&found[0]);
    assert!(report.contains(&format!("{at_least:?}")) && report.contains(&format!("{at_most:?}")));

    ask("check shape:box shape:box --pose-b 5,0,0 --to=-5,0,0 --json --report check.html");
    let report = read("check.html");
    for part in ["Distance over time", "first contact", "proved apart before"] {
        assert!(report.contains(part), "{part}");
    }

    let poses = "5 2.5 0 0 0 0 1 -5 2.5 0 0 0 0 1\n";
    std::fs::write(folder.path().join("many.txt"), poses.repeat(25)).unwrap();
    ask(&format!("{BOXES} --motions many.txt --json --report many.html"));
    let report = read("many.html");
    assert!(report.contains("the first 20 of 25 queries") && !report.contains("first contact</"));
    assert_eq!(report.matches("Distance over time").count() % 20, 0, "one for each");
}

/// `check --to` asks about the motion of B from its pose to that one.
#[test]
fn a_check_may_be_about_a_motion() {
    let boxes = "check shape:box shape:box --pose-b 5,0.5,0";
    let swept = one(&format!("{BOXES} --from-b 5,0.5,0 --to-b=-5,0.5,0"));
    let found = one(&format!("{boxes} --to=-5,0.5,0 --verify"));
    assert_eq!((&found["verdict"], &found["time"]), (&swept["verdict"], &swept["time"]));
    assert_eq!(one(&format!("{boxes} --to=5,9,0"))["verdict"], "apart");
    let statuses = [("-5,0.5,0", 10), ("5,9,0", 0)];
    for (to, status) in statuses {
        assert_eq!(xcollide(&format!("{boxes} --to={to} --exit-code")).status, status);
    }
    for refused in
        ["--to=1,0,0 --distance", "--to=1,0,0 --poses x.txt", "--to=1,0,0 --export x.glb"]
    {
        xcollide(&format!("{boxes} {refused}")).error(2);
    }
}

/// A body in another touches it as a solid from the start, and as a surface never.
#[test]
fn surfaces_are_apart_while_one_is_inside_the_other() {
    let inside = "sweep shape:box?x=0.5&y=0.5&z=0.5 shape:box --from-b 0,0,0 --to-b 0.01,0,0";
    assert_eq!(interval(&one(inside)), [0.0, 0.0]);
    let surfaces = format!("{inside} --semantics surface --verify");
    assert_eq!(one(&surfaces)["verdict"], "apart");
}

/// What the budget ends is apart before `at_least`; the end of the motion is its other bound.
#[test]
fn what_is_undecided_has_a_time_until_which_it_is_apart() {
    let spent = "sweep shape:knot?faces=2000 shape:knot?faces=2000 --from-b 9,0,0,0,0,0,1 \
                 --to-b 9,0,0,0,0,1,0 --budget 0ns";
    assert_eq!(keys_of(spent), ["query", "verdict", "time", "ns"]);
    let found = one(spent);
    assert_eq!(found["verdict"], "undecided");
    let [at_least, at_most] = interval(&found);
    assert!((0.0..1.0).contains(&at_least) && at_most == 1.0, "{found}");
}
