//! How fast the view of a report draws large scenes; prints a table for `docs/benchmarks.md`.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench view [-- CHROMIUM'S OPTIONS]
//! ```
//!
//! `xcollide view` writes a page of a hundred moving bodies of 100,000 triangles each, all alike or all different, and
//! Chromium shows it while the camera turns and the slider moves. A time is from the end of one picture to that of the
//! next, with nothing to wait for. It needs a graphics card. The variable `XCOLLIDE_PROGRAM` names the program in place of
//! Cargo's.
#![allow(clippy::print_stdout)]

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Turns the camera, moves the slider and measures.
const PICTURES: &str = include_str!("view/pictures.js");

/// Pictures are drawn as fast as they can be.
const OPTIONS: &str = "--headless --no-sandbox --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --ignore-gpu-blocklist --disable-frame-rate-limit \
    --disable-gpu-vsync --enable-logging=stderr --window-size=1920,1080";

/// Quadrilaterals, but for the poles: about 100,000 triangles.
const FACES: usize = 50_200;

/// What a scene is called, and how many meshes its bodies have.
const SCENES: [(&str, usize); 2] = [("100 of one model", 1), ("100 models", 100)];

fn main() -> Outcome<()> {
    let options: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    println!("| bodies | triangles in a picture | size | median, ms | 99 % | longest |");
    println!("|---|---|---|---|---|---|");
    let mut renderer = String::new();
    for (name, meshes) in SCENES {
        let folder = tempfile::tempdir()?;
        let page = page(folder.path(), meshes)?;
        let seen = seen(&page, &folder.path().join("user"), &options)?;
        let text = |key: &str| seen[key].to_string();
        let time = |key: &str| format!("{:.1}", seen[key].as_f64().unwrap_or(f64::NAN));
        let size = format!("{} × {}", seen["size"][0], seen["size"][1]);
        let times = ["median", "most", "longest"].map(time).join(" | ");
        println!("| {name} | {} | {size} | {times} |", text("triangles"));
        renderer = seen["renderer"].as_str().unwrap_or_default().to_owned();
    }
    println!("\nDrawn by {renderer}.");
    Ok(())
}

/// Writes the page of a hundred bodies that share this many meshes, with the script that measures.
fn page(folder: &Path, meshes: usize) -> Outcome<PathBuf> {
    let scene = folder.join("scene.toml");
    let mut text = String::from(
        "name = \"hundred\"\nframes = 60\nresponse = \"impulse\"\n[cage]\ndensity = 0.1\n",
    );
    for number in 0..meshes {
        let (count, radius) = (100 / meshes, 1.0 + 1e-3 * number as f64);
        text += &format!(
            "[[objects]]\nname = \"body{number}\"\nmesh = \"shape:sphere?faces={FACES}&radius={radius}\"\n\
             count = {count}\nplacement = \"random\"\n\
             [objects.motion]\nkind = \"free\"\nspeed_in_radii = 0.1\ndegrees = 5\n"
        );
    }
    fs::write(&scene, text)?;
    let mut program = match env::var_os("XCOLLIDE_PROGRAM") {
        Some(program) => Command::new(program),
        None => {
            let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args(["run", "--quiet", "--release", "-p", "xcollide-lab", "--"]);
            cargo
        }
    };
    let written = program.arg("view").arg(&scene).args(["--no-open", "--quiet"]).output()?;
    if !written.status.success() {
        return Err(String::from_utf8_lossy(&written.stderr).into());
    }
    let page = String::from_utf8(written.stdout)?.trim().to_owned();
    let html = fs::read_to_string(&page)?;
    fs::remove_file(&page)?;
    let end = html.rfind("</body>").ok_or("the page has no body")?;
    let page = folder.join("page.html");
    fs::write(&page, format!("{}<script>{PICTURES}</script>{}", &html[..end], &html[end..]))?;
    Ok(page)
}

/// What the script measures in Chromium.
fn seen(page: &Path, user: &Path, options: &[String]) -> Outcome<Value> {
    let mut browser = Command::new("chromium")
        .args(OPTIONS.split_whitespace())
        .args(options)
        .arg(format!("--user-data-dir={}", user.display()))
        .arg(format!("file://{}", page.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let log = browser.stderr.take().ok_or("no log")?;
    let mut found = Err("Chromium drew nothing".into());
    for line in BufReader::new(log).lines() {
        let line = line?;
        if let Some((_, told)) = line.split_once("pictures: ") {
            let end = told.rfind('}').map_or(told.len(), |at| at + 1);
            found = Ok(serde_json::from_str(&told[..end])?);
            break;
        }
        if line.contains("Uncaught") {
            found = Err(line.into());
            break;
        }
    }
    browser.kill()?;
    browser.wait()?;
    found
}
