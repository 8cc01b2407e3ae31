//! Reports as a browser sees them.
//!
//! Where there is no Chromium, the test says so and passes.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod program;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use program::xcollide_at;

/// Without a screen, and without a word to anyone.
const OPTIONS: &str = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
    --enable-logging=stderr --window-size=1000,3000 --screenshot=seen.png";

#[test]
fn a_browser_shows_a_report_without_a_complaint() {
    let place = tempfile::tempdir().unwrap();
    let scene = ["run", "cage", "--frames", "100", "--report", "a.html", "--stats"];
    let ran = xcollide_at(place.path(), &scene, "");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let log = std::fs::File::create(place.path().join("log")).unwrap();
    let browser = Command::new("chromium")
        .args(OPTIONS.split_whitespace())
        .arg(format!("--user-data-dir={}", place.path().join("user").display()))
        .arg(format!("file://{}", place.path().join("a.html").display()))
        .current_dir(place.path())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn();
    let Ok(mut browser) = browser else {
        eprintln!("skipped: chromium is not at hand");
        return;
    };
    let began = Instant::now();
    while browser.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(90) {
            browser.kill().unwrap();
            panic!("the browser does not come to an end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let log =
        String::from_utf8_lossy(&std::fs::read(place.path().join("log")).unwrap()).into_owned();
    assert!(!log.contains("CONSOLE"), "{log}");
    // An empty page of this size has a tenth of that.
    let picture = std::fs::metadata(place.path().join("seen.png"));
    assert!(picture.is_ok_and(|picture| picture.len() > 100_000), "{log}");
}
