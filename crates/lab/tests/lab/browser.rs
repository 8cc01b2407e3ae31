//! Reports in a browser.
//!
//! Without Chromium the tests pass with a message; with `XCOLLIDE_REQUIRE_TOOLS=1` they fail.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use program::{skip, xcollide_at};
use serde_json::Value;

/// Headless and offline.
const OPTIONS: &str = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
    --enable-logging=stderr --window-size=1000,3000 --screenshot=seen.png --dump-dom";

/// The page's own findings.
const JUDGE: &str = include_str!("browser/judge.js");

/// Observations of a page, besides the picture.
struct Seen {
    /// The findings of [`JUDGE`].
    found: Value,
    /// The browser's messages.
    log: String,
    /// The picture's size.
    picture: u64,
}

/// Opens a page in a folder with the judge; `None` without a browser.
fn seen(place: &Path, html: &str) -> Option<Seen> {
    let page = html.replace("</body>", &format!("<script>{JUDGE}</script></body>"));
    assert_ne!(page, html, "a page has a body");
    std::fs::write(place.join("page.html"), page).unwrap();
    let file = |name: &str| std::fs::File::create(place.join(name)).unwrap();
    let browser = Command::new("chromium")
        .args(OPTIONS.split_whitespace())
        .arg(format!("--user-data-dir={}", place.join("user").display()))
        .arg(format!("file://{}", place.join("page.html").display()))
        .current_dir(place)
        .stdout(file("dom"))
        .stderr(file("log"))
        .spawn();
    let Ok(mut browser) = browser else {
        skip("chromium is not at hand");
        return None;
    };
    let began = Instant::now();
    while browser.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(90) {
            browser.kill().unwrap();
            panic!("the browser does not come to an end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let read = |name: &str| {
        String::from_utf8_lossy(&std::fs::read(place.join(name)).unwrap()).into_owned()
    };
    let (dom, log) = (read("dom"), read("log"));
    let verdict = dom.split("<pre id=\"verdict\">").nth(1).and_then(|rest| rest.split('<').next());
    let verdict = verdict.unwrap_or_else(|| panic!("the page did not look at itself: {log}"));
    let plain = verdict.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let picture = std::fs::metadata(place.join("seen.png")).unwrap().len();
    Some(Seen { found: serde_json::from_str(&plain).unwrap(), log, picture })
}

/// A report, and the expected plots: for a line plot the number of lines, each with a sample beside
/// its label, for a bar plot 0.
type Report<'a> = (&'a str, &'a [u64]);

const REPORTS: [Report<'_>; 4] = [
    ("run cage --frames 100 --stats", &[4, 0, 8]),
    ("compare cage?faces=40 --frames 20 --narrow auto,box-tree,obb-tree --rounds 1", &[0, 6]),
    (
        "compare cage?faces=40 --frames 10 --narrow auto,box-tree --rounds 1 --scale objects=2,4,8",
        &[4, 0, 4, 0, 4, 0, 4],
    ),
    // One of its lines is interrupted.
    ("compare --paper zachmann-5.4.4", &[7, 8]),
];

/// Every kind of report gives no console message; its plots have their lines and bars, and no label
/// is cut off or overlaps another.
#[test]
fn a_browser_shows_reports_without_a_complaint() {
    for (command, lines) in REPORTS {
        let place = tempfile::tempdir().unwrap();
        let mut arguments: Vec<&str> = command.split_whitespace().collect();
        arguments.extend(["--report", "report.html"]);
        let ran = xcollide_at(place.path(), &arguments, "");
        assert_eq!((ran.status, &*ran.err), (0, ""), "{command}");
        let html = std::fs::read_to_string(place.path().join("report.html")).unwrap();
        let Some(Seen { found, log, picture }) = seen(place.path(), &html) else { return };
        assert!(!log.contains("CONSOLE"), "{command}: {log}");
        assert_eq!(found["told"], Value::Array(Vec::new()), "{command}");
        let curves: Vec<u64> =
            found["curves"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        assert_eq!(curves, lines, "{command}: {found}");
        let bars = found["bars"].as_array().unwrap();
        for (curves, bars) in lines.iter().zip(bars) {
            assert!(*curves > 0 || bars.as_u64() > Some(4), "{command}: {found}");
        }
        assert!(found["labels"].as_u64() > Some(8 * lines.len() as u64), "{command}: {found}");
        assert!(found["tables"].as_u64() > Some(0), "{command}");
        // An empty page of this size has a tenth of that.
        assert!(picture > 100_000, "{command}: {picture}");
    }
}

/// The judge detects errors.
#[test]
fn a_browser_finds_fault_with_a_bad_page() {
    let place = tempfile::tempdir().unwrap();
    let page = "<!DOCTYPE html><html><head><title>bad</title></head><body style='margin: 0'>\
        <svg width='600' height='200'><text x='580' y='50'>cut at the right</text>\
        <text x='10' y='100'>one upon</text><text x='12' y='102'>the other</text>\
        <polyline class='s' points='10,10 700,20' fill='none' stroke='red'/></svg>\
        <div style='width: 4000px'>wide</div><script>console.error('a word')</script></body></html>";
    let Some(Seen { found, log, .. }) = seen(place.path(), page) else { return };
    let told: Vec<&str> =
        found["told"].as_array().unwrap().iter().map(|what| what.as_str().unwrap()).collect();
    let expected = [
        "the page is 4000 wide",
        "plot 0: a curve leaves the plot",
        "plot 0: \"cut at the right\" is cut off",
        "plot 0: \"one upon\" and \"the other\" overlap",
    ];
    assert_eq!(told, expected);
    assert!(log.contains("CONSOLE"), "{log}");
}
