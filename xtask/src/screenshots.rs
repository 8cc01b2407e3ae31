//! Screenshots of the program's pages for README and docs, by Chromium with software WebGL.

use std::env;
use std::path::Path;
use std::process::Command;

/// A picture under the root, the program's arguments, where in the page, and its size in pixels.
type Screenshot = (&'static str, &'static [&'static str], &'static str, [u32; 2]);

/// What is shown. The program runs in the root; its report is added to the arguments.
const SCREENSHOTS: [Screenshot; 3] = [
    (
        "docs/report.png",
        &[
            "compare",
            "cage?faces=200",
            "--scale",
            "objects=10,30,100",
            "--frames",
            "100",
            "--rounds",
            "3",
        ],
        "",
        [900, 735],
    ),
    (
        "docs/who-met.png",
        &["robot", "fixtures/scenes/arm.urdf", "--joints", "fixtures/scenes/arm.csv"],
        "#moment=20",
        [900, 1500],
    ),
    (
        "docs/view.png",
        &[
            "check",
            "shape:torus?faces=2000",
            "shape:tetraflake?depth=4",
            "--pose-b",
            "3,0,0.4",
            "--distance",
            "--layers",
            "features,nearest,planes,boxes",
        ],
        "",
        [900, 1210],
    ),
];

const OPTIONS: [&str; 7] = [
    "--headless",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--virtual-time-budget=20000",
    "--blink-settings=preferredColorScheme=1",
];

/// Takes all screenshots.
///
/// # Errors
/// The program or Chromium fails or is missing.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("screenshots: {error}"))?;
    let page = folder.path().join("page.html");
    SCREENSHOTS.iter().try_for_each(|(picture, arguments, place, [width, height])| {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut program = Command::new(cargo);
        program.args(["run", "--quiet", "--release", "-p", "xcollide-lab", "--"]).args(*arguments);
        run(program.args(["--quiet", "--report"]).arg(&page).current_dir(root))?;
        let mut browser = Command::new("chromium");
        browser
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", folder.path().join("user").display()))
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--screenshot={}", root.join(picture).display()))
            .arg(format!("file://{}{place}", page.display()));
        run(&mut browser)
    })
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().display().to_string();
    match command.output() {
        Ok(ran) if ran.status.success() => Ok(()),
        Ok(ran) => Err(format!("{program}: {}", String::from_utf8_lossy(&ran.stderr))),
        Err(error) => Err(format!("{program} cannot be started: {error}")),
    }
}

#[test]
fn every_screenshot_is_there_and_is_shown() {
    let root = crate::root();
    let documents = ["README.md", "docs/reports.md", "docs/laboratory.md"];
    let text: String = documents
        .iter()
        .map(|name| std::fs::read_to_string(root.join(name)).unwrap_or_default())
        .collect();
    for (picture, ..) in SCREENSHOTS {
        let bytes = std::fs::read(root.join(picture)).unwrap_or_default();
        assert!(bytes.starts_with(b"\x89PNG"), "{picture}");
        let name = picture.trim_start_matches("docs/");
        assert!(text.contains(&format!("{name})")), "{picture} is in no document");
    }
}
