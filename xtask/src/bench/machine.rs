//! The circumstances of a measurement: date, machine, versions.

use std::fs;
use std::path::Path;
use std::process::Command;

use cargo_metadata::MetadataCommand;
use xcollide_simd::SimdLevel;

/// The state of a machine.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    date: String,
    processor: String,
    processors: usize,
    /// Load average of the last minute.
    load: f64,
    rustc: String,
    commit: String,
    /// The peers with their versions.
    peers: Vec<String>,
}

/// The peers that the benches are linked with.
const PEERS: [&str; 2] = ["parry3d-f64", "rapier3d-f64"];

impl Machine {
    /// This machine, now. Unknown values are called so.
    pub(super) fn now(root: &Path) -> Self {
        let said = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).current_dir(root).output().ok()?;
            let text = String::from_utf8(output.stdout).ok()?;
            output.status.success().then(|| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let unknown = || "unknown".to_owned();
        let file = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let rustc = said("rustc", &["--version"]).unwrap_or_else(unknown);
        Self {
            date: said("date", &["+%Y-%m-%d"]).unwrap_or_else(unknown),
            processor: processor(&file("/proc/cpuinfo")).unwrap_or_else(unknown),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            load: file("/proc/loadavg")
                .split(' ')
                .next()
                .and_then(|t| t.parse().ok())
                .unwrap_or(0.0),
            rustc: rustc.split(" (").next().unwrap_or_default().to_owned(),
            commit: said("git", &["describe", "--always"]).map_or_else(unknown, |commit| {
                // Of several runs, those before have written into the document.
                let status = ["status", "--porcelain", "--", ".", ":!docs/benchmarks.md"];
                if said("git", &status).is_some() { commit + "-dirty" } else { commit }
            }),
            peers: peers(root),
        }
    }

    /// Prints a warning if the machine is busy.
    pub(super) fn warn(&self) {
        if self.load > 0.75 * self.processors as f64 {
            eprintln!("bench: the machine is busy (load {:.1}): trust ratios only", self.load);
        }
    }

    /// The line about the circumstances of a command.
    pub(super) fn stamp(&self, command: &str) -> String {
        let Self { date, processor, processors, load, rustc, commit, peers } = self;
        let mut line = format!(
            "`{command}`  \n{date}, {processor}, {processors} processors, {}, load {load:.1} before it; {rustc}, \
             commit {commit}",
            SimdLevel::best()
        );
        if !peers.is_empty() {
            line += &format!("; {}", peers.join(", "));
        }
        line + "."
    }
}

/// The processor's name from Linux's description, with family and model, as some names stand for
/// many processors.
fn processor(information: &str) -> Option<String> {
    let value = |wanted: &str| {
        let mut pairs = information.lines().filter_map(|line| line.split_once(':'));
        pairs.find(|(key, _)| key.trim() == wanted).map(|(_, value)| value.trim())
    };
    let name = value("model name")?;
    Some(match (value("cpu family"), value("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name.to_owned(),
    })
}

/// The peers' versions in the workspace's lock file.
pub(crate) fn peers(root: &Path) -> Vec<String> {
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).exec();
    let Ok(metadata) = metadata else { return Vec::new() };
    let of = |name: &&str| {
        let package = metadata.packages.iter().find(|package| package.name.as_str() == *name)?;
        Some(format!("{name} {}", package.version))
    };
    PEERS.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peers_are_those_the_workspace_is_locked_to() {
        let peers = peers(&crate::root());
        assert_eq!(peers.len(), PEERS.len(), "{peers:?}");
        assert!(peers[0].starts_with("parry3d-f64 0."), "{peers:?}");
    }

    #[test]
    fn a_stamp_says_when_where_and_with_what() {
        let machine = Machine::now(&crate::root());
        let stamp = machine.stamp("cargo bench");
        assert!(stamp.starts_with("`cargo bench`  \n20"), "{stamp}");
        assert!(stamp.contains("rustc 1.") && stamp.contains("parry3d-f64"), "{stamp}");
    }

    #[test]
    fn processors_are_named_as_linux_names_them() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\nmodel name\t: other\n";
        assert_eq!(processor(text).as_deref(), Some("Some CPU @ 3 GHz"));
        let text = "cpu family\t: 26\nmodel\t\t: 2\nmodel name\t: Some CPU\n";
        assert_eq!(processor(text).as_deref(), Some("Some CPU (family 26, model 2)"));
        assert_eq!(processor(""), None);
    }
}
