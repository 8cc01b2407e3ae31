//! The figures of the README, which are those of `docs/benchmarks.md` but for rounding and noise.

use std::fs;

use super::{PATH, block, peers};

/// By how much a figure may differ: tables are taken again more often than the README is written.
const NOISE: f64 = 1.25;

/// A row of the README's table: the benchmark, and its figures in the units of the document.
fn rows(readme: &str) -> Vec<(&str, Vec<f64>)> {
    let section = readme.split("\n## ").find(|section| section.starts_with("Speed\n"));
    let lines = section.unwrap_or_default().lines().filter(|line| line.starts_with("| `"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let number = |word: &str| word.parse::<f64>().ok();
            let figures = cells[3..].iter().flat_map(|cell| cell.split(' ').filter_map(number));
            (cells[1].trim_matches('`'), figures.collect())
        })
        .collect()
}

/// The numbers of a row of the first table that follows a text in a part; bold and brackets are left out.
fn numbers(document: &str, part: &str, after: &str, row: &str) -> Result<Vec<f64>, String> {
    let [_, text, _] = block::around(document, part)?;
    let (_, below) = text.split_once(after).ok_or_else(|| format!("{part}: no `{after}`"))?;
    let line = below.lines().find(|line| line.starts_with(row));
    let line = line.ok_or_else(|| format!("{part}: no row `{row}`"))?;
    let cells = line.split('|').filter_map(|cell| cell.split_whitespace().next());
    Ok(cells.filter_map(|word| word.trim_matches('*').parse().ok()).collect())
}

#[test]
fn figures_of_the_readme_are_those_of_the_benchmarks() -> Result<(), String> {
    let root = crate::root();
    let [readme, document] =
        ["README.md", PATH].map(|path| fs::read_to_string(root.join(path)).unwrap_or_default());
    let of = |part, after, row| numbers(&document, part, after, row);
    let warm = "Microseconds a query, warm:";
    // Near, touching and overlapping pairs of 100,000 triangles are the third group of three.
    let group = |all: Vec<f64>| all.get(6..9).map_or_else(Vec::new, <[f64]>::to_vec);
    let mesh = [
        group(of("mesh", warm, "| wide-obb |")?),
        group(of("mesh", warm, "| parry3d `leaf_pairs` |")?),
    ];
    // Behind n, motion and hits: `hybrid`, `wide-obb`, parry.
    let convex = of("convex", "| n |", "| 100 | 2 % |")?;
    let convex: Vec<f64> = [3, 5].iter().filter_map(|&at| Some(convex.get(at)? / 1e3)).collect();
    let boxes = |row| of("broad", "| ms a frame | Moving 1000 | Moving 10000 |", row);
    let boxes = [boxes("| auto |")?, boxes("| parry-refit |")?].concat();
    let boxes: Vec<f64> = boxes.chunks(2).filter_map(|row| row.get(1).copied()).collect();
    let frame = |after, row| -> Result<Vec<f64>, String> {
        Ok(of("world", after, row)?.get(6).map(|us| us / 1e3).into_iter().collect())
    };
    let polytopes = frame("\n1000 polytopes of 36 faces", "| default |")?;
    let crowd = frame("100000 moving convex objects, density 1 %", "| parallel |")?;
    let expected = [
        ("mesh", mesh.concat()),
        ("convex", convex),
        ("broad", boxes),
        ("world", polytopes),
        ("world", crowd),
    ];
    let rows = rows(&readme);
    assert_eq!(rows.len(), expected.len(), "{rows:?}");
    for ((bench, ours), (part, theirs)) in rows.iter().zip(&expected) {
        assert_eq!(bench, part);
        assert!(ours.len() == theirs.len() && !ours.is_empty(), "{bench}: {ours:?}, {theirs:?}");
        for (one, other) in ours.iter().zip(theirs) {
            let ratio = one / other;
            assert!(
                (1.0 / NOISE..=NOISE).contains(&ratio),
                "{bench}: {one} in the README, {other} in {PATH}"
            );
        }
    }
    Ok(())
}

/// The peer of the README's figures has the version to which the workspace is locked.
#[test]
fn the_readme_names_the_version_of_its_peer() {
    let root = crate::root();
    let readme = fs::read_to_string(root.join("README.md")).unwrap_or_default();
    let peer = peers(&root).into_iter().next().unwrap_or_default();
    assert!(peer.starts_with("parry3d-f64 ") && readme.contains(&peer), "{peer}");
}

/// The least and the greatest time of the two large scans are those of the table of peers.
#[test]
fn the_scans_of_the_readme_are_those_of_the_benchmarks() -> Result<(), String> {
    let root = crate::root();
    let [readme, document] =
        ["README.md", PATH].map(|path| fs::read_to_string(root.join(path)).unwrap_or_default());
    let (_, told) = readme.split_once("871,000 triangles each are tested in ").unwrap_or_default();
    let told: Vec<f64> = told.split(' ').take(3).filter_map(|word| word.parse().ok()).collect();
    let measured = numbers(&document, "peers", "", "| dragon-871k | xcollide auto |")?;
    // Apart, near, shallow and deep; then the hits.
    let times = measured.get(..4).unwrap_or_default();
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = times.iter().copied().fold(0.0, f64::max);
    assert_eq!(told.len(), 2, "{told:?}");
    for (one, other) in told.iter().zip([least, greatest]) {
        let ratio = one / other;
        assert!(
            (1.0 / NOISE..=NOISE).contains(&ratio),
            "{told:?} in the README, {times:?} in {PATH}"
        );
    }
    Ok(())
}
