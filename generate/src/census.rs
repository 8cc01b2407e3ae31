//! Reads every mesh file under some folders and counts which are read, and why the others are not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use xcollide_io::{Format, MeshFile, Problem, ReadError, Remark};

/// The longest time that a file may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Writes the tables as Markdown. `counts`: a file for the numbers of vertices and faces of each mesh,
/// separated by tabs.
pub(crate) fn run(folders: &[PathBuf], tables: &Path, counts: Option<&Path>) -> Result<(), String> {
    let mut census = Census::default();
    let mut lines = String::from("file\tformat\tvertices\tfaces\ttriangles\tremarks\n");
    for folder in folders {
        let files = files(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in files {
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            let outcome = read(&path);
            writeln!(lines, "{name}\t{}", outcome.line()).map_err(|error| error.to_string())?;
            census.add(&name, outcome);
        }
    }
    let write = |path: &Path, text: String| {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write(tables, census.tables())?;
    counts.map_or(Ok(()), |path| write(path, lines))
}

/// The files with the ending of a format, in a fixed order.
fn files(folder: &Path) -> std::io::Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // Links may lead in a circle.
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() && Format::of_path(&entry.path()).is_some() {
                found.insert(entry.path());
            }
        }
    }
    Ok(found)
}

/// What became of a file.
enum Outcome {
    Read(Box<MeshFile>),
    Rejected { format: Option<Format>, reason: String },
}

/// Reads a file in a thread, so that neither a panic nor a loop ends the census.
fn read(path: &Path) -> Outcome {
    let (sender, receiver) = channel();
    let file = path.to_owned();
    std::thread::spawn(move || {
        let _ = sender.send(MeshFile::read(&file));
    });
    let rejected = |reason| Outcome::Rejected { format: Format::of_path(path), reason };
    match receiver.recv_timeout(LIMIT) {
        Ok(Ok(file)) => Outcome::Read(Box::new(file)),
        Ok(Err(error)) => rejected(reason(&error)),
        Err(RecvTimeoutError::Timeout) => rejected(format!("takes more than {LIMIT:?}")),
        Err(RecvTimeoutError::Disconnected) => rejected("panics".to_owned()),
    }
}

/// The problem without numbers and words from the file, so that equal ones can be counted.
fn reason(error: &ReadError) -> String {
    if let Problem::Io(error) = error.problem() {
        return format!("cannot be read: {}", error.kind());
    }
    let problem = error.problem().to_string();
    let mut reason = String::new();
    for (index, part) in problem.split('`').enumerate() {
        if index % 2 == 1 && part.chars().any(|c| c.is_ascii_digit() || !c.is_ascii()) {
            reason.push_str("`…`");
        } else if index % 2 == 1 {
            let _ = write!(reason, "`{part}`");
        } else {
            let mut digits = false;
            for c in part.chars() {
                if !c.is_ascii_digit() {
                    reason.push(c);
                } else if !digits {
                    reason.push('N');
                }
                digits = c.is_ascii_digit();
            }
        }
    }
    reason
}

impl Outcome {
    fn line(&self) -> String {
        match self {
            Self::Read(file) => {
                let mesh = &file.mesh;
                let triangles: usize =
                    mesh.faces().map(|face| face.outer().len().saturating_sub(2)).sum();
                let remarks: Vec<String> =
                    file.report.warnings().map(ToString::to_string).collect();
                let (vertices, faces) = (mesh.vertex_count(), mesh.face_count());
                format!("{}\t{vertices}\t{faces}\t{triangles}\t{}", file.format, remarks.join("; "))
            }
            Self::Rejected { reason, .. } => format!("-\t-\t-\t-\t{reason}"),
        }
    }
}

/// The numbers of files of a format.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    files: usize,
    clean: usize,
    warned: usize,
    without_faces: usize,
    rejected: usize,
}

#[derive(Debug, Default)]
struct Census {
    rows: BTreeMap<Format, Row>,
    /// By format and text, the number of files and the first one.
    reasons: BTreeMap<(Format, String), (usize, String)>,
    warnings: BTreeMap<(Format, String), (usize, String)>,
}

impl Census {
    fn add(&mut self, name: &str, outcome: Outcome) {
        let format = match &outcome {
            Outcome::Read(file) => file.format,
            Outcome::Rejected { format, .. } => format.unwrap_or(Format::Obj),
        };
        let row = self.rows.entry(format).or_default();
        row.files += 1;
        match outcome {
            Outcome::Rejected { reason, .. } => {
                row.rejected += 1;
                let entry = self.reasons.entry((format, reason));
                entry.or_insert_with(|| (0, name.to_owned())).0 += 1;
            }
            Outcome::Read(file) => {
                row.without_faces += usize::from(file.report.no_faces().is_some());
                let kinds: BTreeSet<String> = file.report.warnings().map(Remark::thing).collect();
                if kinds.is_empty() {
                    row.clean += 1;
                } else {
                    row.warned += 1;
                }
                for kind in kinds {
                    let entry = self.warnings.entry((format, kind));
                    entry.or_insert_with(|| (0, name.to_owned())).0 += 1;
                }
            }
        }
    }

    fn tables(&self) -> String {
        let mut text = String::from(
            "| format | files | read | read with warnings | rejected | of those read, without faces |\n\
             |---|---:|---:|---:|---:|---:|\n",
        );
        for (format, row) in &self.rows {
            let Row { files, clean, warned, without_faces, rejected } = row;
            let _ = writeln!(
                text,
                "| {format} | {files} | {clean} | {warned} | {rejected} | {without_faces} |"
            );
        }
        let lists = [("Rejected", &self.reasons), ("Warnings", &self.warnings)];
        for (title, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            let _ = write!(
                text,
                "\n{title}:\n\n| format | files | what | for example |\n|---|---:|---|---|\n"
            );
            for ((format, what), (count, example)) in list {
                let what = what.replace('|', "\\|");
                let _ = writeln!(text, "| {format} | {count} | {what} | `{example}` |");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_counted_by_format_and_reason() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("sub"))?;
        for (name, text) in [
            ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
            ("sub/b.OBJ", "v 0 0 0\nw 1\n"),
            ("c.obj", "v 0 0 0\nf 7\n"),
            ("d.obj", "v 0 0 0\nf 81 1\n"),
            ("e.off", ""),
            ("f.txt", ""),
        ] {
            fs::write(folder.path().join(name), text)?;
        }
        let mut census = Census::default();
        for path in files(folder.path())? {
            census.add(&path.display().to_string(), read(&path));
        }
        let tables = census.tables();
        assert!(tables.contains("| OBJ | 4 | 1 | 1 | 2 | 1 |\n| OFF | 1 | 0 | 0 | 1 | 0 |\n"));
        let reason = "| OBJ | 2 | vertex number N in a face, expected N..=N |";
        assert!(tables.contains(reason), "{tables}");
        assert!(tables.contains("| OBJ | 1 | statement `w` |"), "{tables}");
        Ok(())
    }
}
