//! Reports in a browser.
//!
//! Without Chromium the tests pass with a message; with `XCOLLIDE_REQUIRE_TOOLS=1` they fail.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use program::xcollide_at;
use serde_json::Value;
use xcollide_fixtures::skip;

/// Headless and offline.
const OPTIONS: &str = "--headless --no-sandbox --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
    --enable-logging=stderr --screenshot=seen.png --dump-dom --virtual-time-budget=20000";

/// WebGL 2 without a graphics card.
const SOFTWARE: &[&str] = &["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/// The page's own findings.
const JUDGE: &str = include_str!("browser/judge.js");
/// What happens when the view of a page is used.
const VIEW: &str = include_str!("browser/view.js");

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
    seen_with(place, html, JUDGE, &[SOFTWARE, &["--window-size=1000,3000"]].concat())
}

/// Pictures are drawn as time passes, as virtual time does not wait for those of the screen. All that wait for a picture
/// run in one task, so that one can read what another has drawn.
const CLOCK: &str = "const waiting = []; window.requestAnimationFrame = (draw) => {
    if (waiting.push(draw) === 1) {
        setTimeout(() => waiting.splice(0).forEach((one) => one(performance.now())), 10);
    }
    return 1;
};";

/// The same with another judge and more options.
fn seen_with(place: &Path, html: &str, judge: &str, options: &[&str]) -> Option<Seen> {
    let page = html.replace("</body>", &format!("<script>{judge}</script></body>"));
    let page = page.replace("<head>", &format!("<head><script>{CLOCK}</script>"));
    assert_ne!(page, html, "a page has a body");
    std::fs::write(place.join("page.html"), page).unwrap();
    let file = |name: &str| std::fs::File::create(place.join(name)).unwrap();
    let browser = Command::new("chromium")
        .args(OPTIONS.split_whitespace())
        .args(options)
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
    ("run cage --frames 100 --stats", &[0, 4, 0, 8]),
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

/// Two boxes that stand, and one that comes down on the right one at frame 4 and goes away.
const VISIT: &str = "name = 'visit'
    frames = 9
    [[objects]]\nname = 'left'\nmesh = 'shape:box'\npose = [-1.5, 0, 0]
    [[objects]]\nname = 'right'\nmesh = 'shape:box'\npose = [1.5, 0, 0]
    [[objects]]\nname = 'visitor'\nmesh = 'shape:box'\nscale = 0.7
    motion = { kind = 'recorded', file = 'way.txt' }";

fn visit(place: &Path) -> String {
    let way: String = (0..9)
        .map(|frame: i32| format!("1.5 0 {}\n", 1.6 + 0.3 * f64::from((frame - 4).abs())))
        .collect();
    std::fs::write(place.join("way.txt"), way).unwrap();
    std::fs::write(place.join("visit.toml"), VISIT).unwrap();
    let ran = xcollide_at(place, &["run", "visit.toml", "--report", "report.html"], "");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    assert!(ran.out.contains("\n  right – visitor, frame 4, at "), "{}", ran.out);
    std::fs::read_to_string(place.join("report.html")).unwrap()
}

#[test]
fn a_view_shows_the_moment_and_names_what_is_picked() {
    let place = tempfile::tempdir().unwrap();
    let html = visit(place.path());
    let options = [SOFTWARE, &["--window-size=1000,900"]].concat();
    let Some(Seen { found, log, .. }) = seen_with(place.path(), &html, VIEW, &options) else {
        return;
    };
    assert!(!log.contains("CONSOLE"), "{log}");
    assert_eq!(found["error"], Value::Null, "{found}");
    let pixels = |moment: usize, of: &str| found["pictures"][moment][of].as_u64().unwrap();
    // The pictures differ; only the second one is of a collision, with a contact point.
    assert_ne!(pixels(0, "sum"), pixels(1, "sum"));
    assert_eq!([pixels(0, "red"), pixels(2, "red")], [0, 0]);
    assert!(pixels(1, "red") > 2000 && pixels(1, "blue") > 20, "{found}");
    assert_eq!([pixels(0, "blue"), pixels(2, "blue")], [0, 0], "{found}");
    assert_eq!(found["output"], serde_json::json!(["frame 0", "frame 4", "frame 8"]));
    let mean = |of: &str, name: &str| found[of][name].as_f64();
    let [left, right] = ["left", "right"].map(|name| mean("names", name).unwrap());
    assert!(left < 0.45 && right > 0.5 && mean("names", "visitor").is_some(), "{found}");
    assert!(mean("names", "").is_some(), "beside the bodies there is nothing");
    assert!(mean("without", "left").is_none() && mean("without", "right").is_some(), "{found}");
    assert_eq!((&found["faded"], &found["back"]), (&true.into(), &true.into()));
    assert_eq!(found["keys"], serde_json::json!([true, true, true, true]), "keys turn and zoom");
    let pointer = serde_json::json!([true, true, true, true, true]);
    assert_eq!(found["pointer"], pointer, "turns, moves, moves alike, zooms");
    assert_eq!(found["layer"], serde_json::json!(["contact points", true, false, true]));
    assert_eq!(found["linked"], serde_json::json!(["4", "4", "now"]), "{found}");
    assert_eq!(found["last"], "8");
    assert_eq!(
        (&found["sort"], &found["ascending"]),
        (&"descending".into(), &serde_json::json!(["4"]))
    );
}

#[test]
fn without_webgl_a_page_says_so_and_keeps_its_tables() {
    let place = tempfile::tempdir().unwrap();
    let html = visit(place.path());
    let judge = "(() => { const found = { why: document.querySelector('.view').textContent,
        tables: document.querySelectorAll('table').length };
        const verdict = document.createElement('pre'); verdict.id = 'verdict';
        verdict.textContent = JSON.stringify(found); document.body.append(verdict); })();";
    let options = ["--disable-3d-apis", "--disable-gpu", "--window-size=1000,900"];
    let Some(Seen { found, log, .. }) = seen_with(place.path(), &html, judge, &options) else {
        return;
    };
    assert!(!log.contains("CONSOLE"), "{log}");
    let why = found["why"].as_str().unwrap();
    assert!(why.starts_with("The 3-D view cannot be shown: there is no WebGL 2."), "{why}");
    assert!(found["tables"].as_u64() > Some(4), "{found}");
}

/// Pages of all kinds: contrast, names of controls, text alternatives, headings, keyboard.
const ACCESS: &str = include_str!("browser/access.js");

#[test]
fn pages_are_accessible_in_light_and_dark() {
    let place = tempfile::tempdir().unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let [urdf, csv, plant] =
        ["arm.urdf", "arm.csv", "plant.csv"].map(|name| fixtures.join(name).display().to_string());
    for command in [
        "run cage --frames 60 --stats --report report.html".to_owned(),
        format!("robot {urdf} --joints {csv} --report report.html"),
        "check shape:torus shape:box --pose-b 9,0,0 --distance --report report.html".to_owned(),
        "compare cage?faces=40 --frames 9 --narrow auto,box-tree --rounds 1 --report report.html"
            .to_owned(),
        format!("clash {plant} --depth --tolerance 0.3 --report report.html"),
    ] {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(xcollide_at(place.path(), &arguments, "").status, 0, "{command}");
        let html = std::fs::read_to_string(place.path().join("report.html")).unwrap();
        // Plots have the same colours on all pages.
        let schemes = ["preferredColorScheme=0", "preferredColorScheme=1"];
        for scheme in &schemes[usize::from(!command.starts_with("run"))..] {
            let scheme = format!("--blink-settings={scheme}");
            let options = [SOFTWARE, &["--window-size=1000,900", &scheme]].concat();
            let Some(Seen { found, log, .. }) = seen_with(place.path(), &html, ACCESS, &options)
            else {
                return;
            };
            assert!(!log.contains("CONSOLE"), "{log}");
            assert_eq!(found["told"], Value::Array(Vec::new()), "{command} {scheme}");
            assert!(found["texts"].as_u64() > Some(40), "{found}");
            let is_dark = scheme.ends_with('0');
            assert_eq!(found["dark"], is_dark, "{found}");
        }
    }
}

/// The judge of accessibility detects errors.
#[test]
fn a_page_that_is_not_accessible_is_found_fault_with() {
    let place = tempfile::tempdir().unwrap();
    let page = "<!DOCTYPE html><html><head><title>bad</title></head><body><h1>a</h1><h3>b</h3>\
        <p style='color: #aaa'>pale</p><button></button><input type='range'><svg width='9' height='9'></svg>\
        <div style='height: 20px; overflow: auto'><p>long</p><p>text</p></div><a href='#x'>text</a></body></html>";
    let options = [SOFTWARE, &["--window-size=1000,900"]].concat();
    let Some(Seen { found, .. }) = seen_with(place.path(), page, ACCESS, &options) else { return };
    let told: Vec<&str> =
        found["told"].as_array().unwrap().iter().map(|what| what.as_str().unwrap()).collect();
    for expected in [
        "the page has no language",
        "h3 follows h1",
        "\"pale\" has a contrast of 2.3",
        "a button has no name",
        "an input has no name",
        "a picture has no text alternative",
        "a div scrolls but has no focus",
        "#x leads nowhere",
    ] {
        assert!(told.contains(&expected), "{expected}: {told:?}");
    }
}
