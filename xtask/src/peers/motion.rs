//! Queries of moving vertices, faces and edges: our bench `motion`, then the Python module `ipctk` on
//! the same queries, one after the other on one thread.

use std::env;
use std::path::Path;
use std::process::Command;

/// Asks `ipctk` about all queries of a folder; prints rows like those of the bench.
const SCRIPT: &str = include_str!("motion.py");

/// The table for a folder with SCENE/vertex-face/*.csv and SCENE/edge-edge/*.csv.
pub(super) fn run(root: &Path, folder: &Path, python: &Path) -> Result<String, String> {
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut bench = Command::new(cargo);
    bench.args(["bench", "-p", "xcollide-benches", "--bench", "motion"]);
    bench.current_dir(root).env("XCOLLIDE_CCD", &folder);
    let ours = output(&mut bench)?;
    let mut peers = Command::new(python);
    peers.args(["-c", SCRIPT]).arg(&folder);
    let theirs = output(&mut peers)?;
    Ok(table(&ours, &theirs))
}

/// The heading and the rows of all scenes together, then the rows of the peers.
fn table(ours: &str, theirs: &str) -> String {
    let rows = ours.lines().filter(|line| line.starts_with('|'));
    let (heading, rows): (Vec<_>, Vec<_>) = rows.enumerate().partition(|(i, _)| *i < 2);
    let all = rows.into_iter().map(|(_, row)| row).filter(|row| row.contains("all scenes"));
    let heading = heading.into_iter().map(|(_, row)| row);
    let lines: Vec<&str> = heading.chain(all).chain(theirs.lines()).collect();
    lines.join("\n")
}

fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{program}: {error}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn scenes_together_and_peers_stay() {
        let ours = "building\n| queries | ns |\n|---|---|\n| spikes | 1 |\n| all scenes | 2 |\n";
        let expected = "| queries | ns |\n|---|---|\n| all scenes | 2 |\n| peer | 3 |";
        assert_eq!(super::table(ours, "| peer | 3 |\n"), expected);
    }
}
