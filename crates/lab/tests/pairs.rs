//! `xcollide pairs`, as a script sees it.

#![allow(clippy::unwrap_used)]

mod program;

use std::path::Path;

use program::{Ran, keys, xcollide_at};
use serde_json::json;

const TRACE: &str = "\
frame,id,min_x,min_y,min_z,max_x,max_y,max_z
0,900000000000,0,0,0,1,1,1
0,4,1,1,1,2,2,2
0,17,5,5,5,6,6,6
1,17,1.5,1.5,1.5,3,3,3
3,4,1,0,0,0,0,0
3,17,1,0,0,0,0,0
3,17,0.5,0.5,0.5,3,3,3
4,4,0,0,0,9,9,9
";

fn pairs(options: &str, trace: &str) -> Ran {
    let mut arguments = vec!["pairs", "-"];
    arguments.extend(options.split_whitespace());
    xcollide_at(Path::new("."), &arguments, trace)
}

#[test]
fn pairs_of_each_frame_and_what_has_changed() {
    let found = pairs("--json", TRACE).json();
    let big = 900_000_000_000_u64;
    let expected = [
        (0, json!([[4, big]]), json!([[4, big]]), json!([])),
        (1, json!([[4, 17], [4, big]]), json!([[4, 17]]), json!([])),
        // Emptied and filled again within a frame is moved; emptied for good is gone.
        (3, json!([[17, big]]), json!([[17, big]]), json!([[4, 17], [4, big]])),
        (4, json!([[4, 17], [4, big], [17, big]]), json!([[4, 17], [4, big]]), json!([])),
    ];
    assert_eq!(found.len(), expected.len());
    for (found, (frame, overlapping, appeared, vanished)) in found.iter().zip(expected) {
        assert_eq!(found["frame"], frame);
        assert_eq!(found["algorithm"], "auto");
        assert_eq!(found["pairs"], overlapping, "{frame}");
        assert_eq!(found["appeared"], appeared, "{frame}");
        assert_eq!(found["vanished"], vanished, "{frame}");
        assert!(found["ns"].as_u64().unwrap() > 0);
    }
}

#[test]
fn keys_are_those_of_the_contract_in_its_order() {
    let ran = pairs("--json", TRACE);
    for line in ran.out.lines() {
        assert_eq!(keys(line), ["frame", "algorithm", "pairs", "appeared", "vanished", "ns"]);
    }
    let ran = pairs("--json --stats --broad sweep-and-prune", TRACE);
    assert!(ran.json().iter().any(|frame| frame["stats"]["exchanges"].as_u64().unwrap() > 0));
}

#[test]
fn every_broad_phase_at_any_number_of_threads_says_the_same() {
    let alone = pairs("--json --broad all", TRACE).json();
    let together = pairs("--json --broad all --threads 3", TRACE).json();
    assert!(alone.len() >= 4 * 5 && alone.len() == together.len());
    for (one, many) in alone.iter().zip(&together) {
        for key in ["frame", "algorithm", "pairs", "appeared", "vanished"] {
            assert_eq!(one[key], many[key]);
        }
    }
}

#[test]
fn people_read_lines() {
    let text = pairs("", TRACE).text();
    assert!(text.starts_with("frame 0: 1 pair, 1 appeared, 0 vanished [auto, "), "{text}");
    insta::assert_snapshot!("help_pairs", program::xcollide("pairs --help").text());
}

#[test]
fn bad_traces_are_refused_in_one_line() {
    let ran = pairs("--json", "frame,id\n");
    let expected = "standard input: line 1: found \"frameid\", expected the header \
        frame,id,min_x,min_y,min_z,max_x,max_y,max_z";
    assert_eq!(ran.error(2), expected);
    let ran = program::xcollide("pairs no-such-file.csv");
    assert!(ran.error(2).starts_with("no-such-file.csv: cannot be read: "));
    let late = TRACE.replace("4,4,0,0,0,9,9,9", "4,4,0,0,0,9,9,x");
    let ran = pairs("--json", &late);
    assert_eq!(ran.objects().len(), 3); // what came before is answered
    let message = "standard input: line 9: max_z: found \"x\", expected a number";
    assert_eq!(ran.error(2), message);
}
