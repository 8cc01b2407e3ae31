//! The variable `XCOLLIDE_SIMD`: every instruction set gives the same answers, and others are refused.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use crate::program;

use program::{Ran, xcollide_with};
use serde_json::Value;
use xcollide_simd::SimdLevel;

fn ran(level: &str, arguments: &str) -> Ran {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    xcollide_with(&[("XCOLLIDE_SIMD", level)], Path::new("."), &arguments, "")
}

/// Lines of JSON without the times in nanoseconds.
fn without_times(lines: &str) -> Vec<Value> {
    let mut values: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    values.iter_mut().for_each(forget_times);
    values
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|key, _| !(key == "ns" || key.ends_with("_ns")));
            entries.values_mut().for_each(forget_times);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}

#[test]
fn every_instruction_set_gives_the_same_answers() {
    let questions = [
        "run qcollide --frames 20 --json",
        "check shape:torus?faces=500 shape:knot?faces=700 --pose-b 0.4,0.1,0.2 --algorithm all --json --distance",
    ];
    let compiled = SimdLevel::ALL.into_iter().filter(|level| *level > SimdLevel::Portable);
    let levels: Vec<SimdLevel> = compiled.filter(|level| level.is_in_processor()).collect();
    for question in questions {
        let answer = |level: &SimdLevel| without_times(&ran(&level.to_string(), question).out);
        let answers: Vec<Vec<Value>> = levels.iter().map(answer).collect();
        assert!(answers[0].len() > 9, "{:?}", answers[0]);
        for (level, answer) in levels.iter().zip(&answers) {
            assert_eq!(*answer, answers[0], "{level}: {question}");
        }
    }
}

#[test]
fn a_wrong_instruction_set_is_bad_input() {
    for (level, told) in [
        (
            "avx3",
            "XCOLLIDE_SIMD: `avx3` is no instruction set, expected portable, neon, sse2, avx2 or avx512",
        ),
        ("portable", "XCOLLIDE_SIMD: this program has no kernels for portable"),
    ] {
        let ran = ran(level, "list");
        assert_eq!(ran.status, 2);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}
