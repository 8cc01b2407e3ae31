//! No bytes make a reader panic, hang, or exhaust memory.

#![allow(clippy::unwrap_used)]

use crate::samples;

use std::time::{Duration, Instant};

use proptest::prelude::*;
use samples::{container, samples};
use xcollide_io::{Format, read_bytes};

const FORMATS: [Format; 5] = [Format::Obj, Format::Stl, Format::Ply, Format::Off, Format::Gltf];

/// Reads, and checks invariants of any result.
fn read(bytes: &[u8], format: Option<Format>) {
    let start = Instant::now();
    match read_bytes(bytes, format) {
        Ok(mesh) => {
            // The densest file has one byte a number. Scenes may repeat meshes.
            let scene = format.or(Format::of_content(bytes)) == Some(Format::Gltf);
            let limit = if scene { 1 << 26 } else { 1024 + 32 * bytes.len() };
            assert!(mesh.heap_bytes() <= limit, "{} bytes", mesh.heap_bytes());
            assert!(mesh.positions().as_flattened().iter().all(|value| value.is_finite()));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.contains('\n') && message.len() < 500, "{message}");
        }
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// One way to break a file.
#[derive(Clone, Debug)]
enum Damage {
    Truncate(prop::sample::Index),
    Byte(prop::sample::Index, u8),
    Remove(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
    Insert(prop::sample::Index, &'static [u8]),
    Number(prop::sample::Index, &'static [u8]),
}

/// Words at which readers have gone wrong before, here or elsewhere.
const WORDS: [&[u8]; 20] = [
    b"0",
    b"-1",
    b"1e999",
    b"nan",
    b"-inf",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"18446744073709551615",
    b"99999999999999999999999",
    b"-9223372036854775808",
    b"1e-400",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\0",
    b"\n",
    b"\r",
    b"\\\n",
    b"#",
    b"\xef\xbb\xbf",
];

fn damage() -> impl Strategy<Value = Damage> {
    use prop::sample::Index;
    let word = || prop::sample::select(&WORDS[..]);
    prop_oneof![
        any::<Index>().prop_map(Damage::Truncate),
        any::<(Index, u8)>().prop_map(|(at, byte)| Damage::Byte(at, byte)),
        (any::<Index>(), 1..40usize).prop_map(|(at, count)| Damage::Remove(at, count)),
        (any::<Index>(), 1..40usize).prop_map(|(at, count)| Damage::Repeat(at, count)),
        (any::<Index>(), word()).prop_map(|(at, word)| Damage::Insert(at, word)),
        (any::<Index>(), word()).prop_map(|(at, word)| Damage::Number(at, word)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    match damage {
        Damage::Truncate(at) => bytes.truncate(at.index(length)),
        Damage::Byte(at, byte) => bytes[at.index(length)] = *byte,
        Damage::Remove(at, count) => {
            let at = at.index(length);
            bytes.drain(at..length.min(at + count));
        }
        Damage::Repeat(at, count) => {
            let at = at.index(length);
            let piece = bytes[at..length.min(at + count)].to_vec();
            bytes.splice(at..at, piece);
        }
        Damage::Insert(at, word) => {
            let at = at.index(length);
            bytes.splice(at..at, word.iter().copied());
        }
        // Replaces the run of digits that is next.
        Damage::Number(at, word) => {
            let digit = |byte: &u8| byte.is_ascii_digit();
            let at = at.index(length);
            let Some(start) = bytes[at..].iter().position(digit).map(|i| at + i) else { return };
            let run = bytes[start..].iter().take_while(|byte| digit(byte)).count();
            bytes.splice(start..start + run, word.iter().copied());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn damaged_files_are_read_or_refused(damages in prop::collection::vec(damage(), 1..4)) {
        for sample in samples() {
            let mut bytes = sample.bytes;
            damages.iter().for_each(|damage| apply(&mut bytes, damage));
            read(&bytes, Some(sample.format));
            read(&bytes, None);
        }
    }

    #[test]
    fn garbage_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in FORMATS {
            read(&bytes, Some(format));
        }
        read(&bytes, None);
    }

    #[test]
    fn garbage_behind_a_mark_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        const PLY: &[u8] = b"ply\nformat binary_big_endian 1.0\nelement vertex 3\n\
            property char x\nproperty short y\nproperty double z\nelement face 2\n\
            property list ushort uchar vertex_index\nend_header\n";
        for mark in [PLY, b"OFF ", b"COFF\n9 9 9\n", b"solid\n", b"v 0 0 0\nf ", b"{\"asset\":"] {
            read(&[mark, &bytes].concat(), None);
        }
        read(&container(&samples::scene(""), &bytes), None);
    }

    #[test]
    fn words_in_any_order_are_read_or_refused(
        words in prop::collection::vec(prop::sample::select(&VOCABULARY[..]), 0..60)
    ) {
        let text = words.concat();
        for format in FORMATS {
            read(text.as_bytes(), Some(format));
        }
        read(format!("ply\nformat ascii 1.0\n{text}end_header\n{text}").as_bytes(), None);
    }
}

const VOCABULARY: [&str; 40] = [
    "\n",
    "\n",
    "\n",
    " ",
    " ",
    "1 ",
    "2 ",
    "3 ",
    "0 ",
    "-1 ",
    "0.5 ",
    "1e5 ",
    "nan ",
    "OFF",
    "v ",
    "f ",
    "1/2/3 ",
    "# ",
    "\\\n",
    "solid ",
    "facet ",
    "normal ",
    "outer ",
    "loop ",
    "vertex ",
    "endloop ",
    "endfacet ",
    "endsolid ",
    "ply\n",
    "format ",
    "ascii ",
    "element ",
    "face ",
    "property ",
    "list ",
    "float ",
    "uchar ",
    "x ",
    "vertex_indices ",
    "end_header\n",
];

/// Every prefix of every sample.
#[test]
fn cut_off_files_are_read_or_refused() {
    for sample in samples() {
        for length in 0..sample.bytes.len() {
            read(&sample.bytes[..length], Some(sample.format));
            read(&sample.bytes[..length], None);
        }
    }
}

/// Inputs made to take more than linear time or deep recursion.
#[test]
fn large_adverse_files_take_linear_time() {
    const MANY: usize = 50_000;
    let repeat = |head: &str, piece: &str, tail: &str| {
        [head, &piece.repeat(MANY), tail].concat().into_bytes()
    };
    let chain: Vec<String> = (1..MANY).map(|i| format!(r#"{{"children":[{i}]}}"#)).collect();
    let files = [
        repeat("v 0 0 0\n", "f -1 1 -1\n", ""),
        repeat("v 0 0 0\nf", " \\\n 1", ""),
        repeat("f ", "1/", ""),
        repeat("OFF 1 0 0\n", "# \n", "0 0 0"),
        repeat("OFF ", "\n", "1 0 0\n0 0 0"),
        repeat("solid\n", "endsolid solid\nsolid\n", "endsolid"),
        repeat("ply\n", "comment\n", "end_header\n"),
        repeat("ply\n", "element a 1\n", "end_header\n"),
        repeat(
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty list int int q\nend_header\n50000",
            " 1",
            "",
        ),
        repeat("", "[", ""),
        repeat("{\"asset\":", "{\"a\":", ""),
        [r#"{"asset":{"version":"2.0"},"nodes":["#, &chain.join(","), ",{}]}"]
            .concat()
            .into_bytes(),
    ];
    for bytes in &files {
        for format in FORMATS {
            read(bytes, Some(format));
        }
        read(bytes, None);
    }
}
