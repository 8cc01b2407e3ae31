//! `xcollide pairs`, as a script sees it.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::io::{BufRead as _, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use program::{Ran, keys, xcollide_at};
use serde_json::json;
use xcollide_fixtures::long_run;

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
        // Emptied and filled again within a frame is moved; emptied for good is removed.
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

/// A frame has a result once all its lines are read and valid.
#[test]
fn a_broken_frame_has_no_result() {
    for (good, bad, results) in [
        // The last line of frame 0, of frame 3, and of no frame that can be told.
        ("0,17,5,5,5,6,6,6", "0,17,5,5,5,6,6,x", 0),
        ("3,17,0.5,0.5,0.5,3,3,3", "3,17,0.5,0.5", 2),
        ("4,4,0,0,0,9,9,9", "four,4,0,0,0,9,9,9", 2),
        ("4,4,0,0,0,9,9,9", "2,4,0,0,0,9,9,9", 2),
        // The first line of the next frame.
        ("4,4,0,0,0,9,9,9", "4,4,0,0", 3),
    ] {
        for options in ["--json", "--json --broad sweep-and-prune --threads 2"] {
            let ran = pairs(options, &TRACE.replace(good, bad));
            assert_eq!((ran.objects().len(), ran.status), (results, 2), "{bad}: {ran:?}");
        }
    }
}

/// Boxes and frames of the long trace.
const CROWD: u64 = 10_000;

/// Whether the long trace removes a box in a frame, or leaves it out.
fn is_away(id: u64, frame: u64) -> bool {
    (id + frame).is_multiple_of(20)
}

/// Boxes `2k` and `2k + 1` are at a place of their own and touch in every second frame.
fn touch(k: u64, frame: u64) -> bool {
    (k + frame).is_multiple_of(2)
}

/// Writes a trace with all boxes in all frames.
fn write_long_trace(to: impl Write, frames: u64) -> std::io::Result<()> {
    let mut to = BufWriter::new(to);
    writeln!(to, "frame,id,min_x,min_y,min_z,max_x,max_y,max_z")?;
    for frame in 0..frames {
        for id in 0..CROWD {
            let (k, is_second) = (id / 2, id % 2 == 1);
            let x = 5 * (k % 100) + u64::from(is_second) * if touch(k, frame) { 1 } else { 2 };
            let y = 5 * (k / 100);
            let far = if is_away(id, frame) { x as i64 - 1 } else { x as i64 + 1 };
            writeln!(to, "{frame},{id},{x}.25,{y},0.5,{far}.25,{}.5,1.5", y + 1)?;
        }
    }
    to.flush()
}

/// The peak memory of a process in bytes, if the system reports it.
fn most_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok().map(|kilobytes: u64| 1024 * kilobytes)
}

/// Half a gigabyte of text through a pipe, in a sample a hundredth: every frame has its pairs, and
/// only one frame is in memory.
#[test]
fn a_long_trace_is_read_frame_by_frame_soak() {
    let frames = long_run(100_000, 10_000_000).cases / CROWD;
    let mut child = Command::new(env!("CARGO_BIN_EXE_xcollide"))
        .args(["pairs", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || write_long_trace(input, frames));
    let (mut frame, mut most) = (0_u64, 0);
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let there = |id: u64| !is_away(id, frame);
        let meet = |k: &u64| touch(*k, frame) && there(2 * k) && there(2 * k + 1);
        let pairs = (0..CROWD / 2).filter(meet).count();
        let (line, expected) = (line.unwrap(), format!("frame {frame}: {pairs} pairs, "));
        assert!(pairs >= 2000 && line.starts_with(&expected), "{line}, expected {expected}");
        if frame % 100 == 99 || frame + 2 == frames {
            most = most_memory(child.id()).unwrap_or(0).max(most);
        }
        frame += 1;
    }
    assert!(child.wait().unwrap().success());
    writer.join().unwrap().unwrap();
    assert_eq!(frame, frames);
    assert!(most < 64 << 20, "{most} bytes");
}

/// On request a frame has the number of boxes, the work, the memory and what `auto` chose.
#[test]
fn a_frame_tells_of_the_work_when_asked() {
    let frames = pairs("--json --stats", TRACE).json();
    let stats = frames[3]["stats"].as_object().unwrap();
    let expected = ["boxes", "bytes", "choice", "exchanges", "moves", "tests"];
    assert_eq!(stats.keys().collect::<Vec<_>>(), expected);
    assert_eq!(stats["boxes"], 3);
    assert!(stats["bytes"].as_u64() > Some(0) && !stats["choice"].as_str().unwrap().is_empty());
}
