//! Output files: written beside their target and renamed when they are complete.
//!
//! A failed write, a closed pipe or a killed process leaves the target as it was. A killed process may
//! leave a file called `.xcollide-….tmp` in the folder. Devices and pipes are written directly.

use std::fmt;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use tempfile::{Builder, NamedTempFile, TempPath};

use crate::exit::Failure;

/// A path that can be written to, checked before a long run. Nothing is written yet.
pub(crate) struct OutputFile {
    path: PathBuf,
    place: Place,
}

enum Place {
    /// A file in a folder, and the permissions of the file that is there already.
    File { target: PathBuf, permissions: Option<Permissions> },
    /// A device or a pipe.
    Special(File),
}

/// Writes an [`OutputFile`]. The target appears with [`finish`](Self::finish), complete or not at all.
pub(crate) struct OutputWriter {
    path: PathBuf,
    to: BufWriter<File>,
    /// The temporary file and the target that it becomes.
    rename: Option<(TempPath, PathBuf)>,
}

impl OutputFile {
    /// Checks that a file can be written.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let place = Place::of(path).map_err(|error| Failure::unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), place })
    }

    /// Writes the file.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut writer = self.writer()?;
        writer.to.write_all(bytes).map_err(|error| writer.unwritable(&error))?;
        writer.finish()
    }

    /// Begins to write the file, for content that grows over a run.
    pub(crate) fn writer(self) -> Result<OutputWriter, Failure> {
        let Self { path, place } = self;
        let (file, rename) = match place {
            Place::Special(file) => (file, None),
            Place::File { target, permissions } => {
                let temporary = beside(&target, permissions);
                let temporary = temporary.map_err(|error| Failure::unwritable(&path, &error))?;
                let (file, temporary) = temporary.into_parts();
                (file, Some((temporary, target)))
            }
        };
        Ok(OutputWriter { path, to: BufWriter::new(file), rename })
    }
}

impl OutputWriter {
    /// Makes `write!` and `writeln!` return errors that name the file.
    pub(crate) fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), Failure> {
        self.to.write_fmt(text).map_err(|error| self.unwritable(&error))
    }

    /// Replaces the target.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self { path, to, rename } = self;
        let finish = || {
            let file = to.into_inner().map_err(IntoInnerError::into_error)?;
            let Some((temporary, target)) = rename else { return Ok(()) };
            // Some file systems report a full disk only here.
            file.sync_all()?;
            drop(file);
            temporary.persist(target).map_err(io::Error::from)
        };
        finish().map_err(|error| Failure::unwritable(&path, &error))
    }

    fn unwritable(&self, error: &io::Error) -> Failure {
        Failure::unwritable(&self.path, error)
    }
}

impl Place {
    fn of(path: &Path) -> io::Result<Self> {
        let found = match fs::metadata(path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let is_special = found.as_ref().is_some_and(|found| !found.is_file() && !found.is_dir());
        let target = if is_special { None } else { linked(path)? };
        let Some(target) = target else { return special(path).map(Self::Special) };
        if found.is_some() {
            // Fails for folders and for files without write permission.
            File::options().write(true).open(&target)?;
        }
        let permissions = found.map(|found| found.permissions());
        drop(beside(&target, None)?);
        Ok(Self::File { target, permissions })
    }
}

/// The file that links lead to, which need not exist; `None` for an open file of this process, such as
/// `/dev/stdout`.
fn linked(path: &Path) -> io::Result<Option<PathBuf>> {
    // As many links as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if path.starts_with("/proc") || path.starts_with("/dev/fd") {
            return Ok(None);
        }
        let Ok(link) = fs::read_link(&path) else { return Ok(Some(path)) };
        path = folder(&path).join(link);
    }
    Err(io::ErrorKind::InvalidInput.into())
}

fn special(path: &Path) -> io::Result<File> {
    // Opened by its name, a redirected output would be written from its beginning.
    #[cfg(unix)]
    if path == Path::new("/dev/stdout") {
        use std::os::fd::AsFd;
        return io::stdout().as_fd().try_clone_to_owned().map(File::from);
    }
    File::options().append(true).open(path)
}

/// A temporary file in the folder of `target`.
fn beside(target: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let folder = folder(target);
    // The error of a missing folder is better than that of the file in it.
    fs::metadata(folder)?;
    let mut builder = Builder::new();
    builder.prefix(".xcollide-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Reduced by the umask, as for any new file.
        builder.permissions(Permissions::from_mode(0o666));
    }
    // Without the random name of the temporary file.
    let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Parses the path of an output. Its ending must be in the list, the usual one first; paths without an
/// ending, such as `/dev/stdout`, are accepted.
pub(crate) fn ending_in(
    endings: &'static [&'static str],
) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| {
        let fits = |found: &std::ffi::OsStr| {
            endings.iter().any(|ending| found.eq_ignore_ascii_case(ending))
        };
        match path.extension() {
            Some(found) if !fits(found) => {
                let found = found.to_string_lossy();
                let expected = endings.join(", .");
                let one = if endings.len() > 1 { "one of " } else { "" };
                Err(format!("found the ending .{found}, expected {one}.{expected}"))
            }
            _ => Ok(path),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn names(folder: &Path) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
        let mut names: Vec<String> = entries
            .map(|name| name.map(|name| name.to_string_lossy().into_owned()))
            .collect::<io::Result<_>>()?;
        names.sort();
        Ok(names)
    }

    #[test]
    fn a_target_changes_when_it_is_complete() -> Outcome {
        let place = tempfile::tempdir()?;
        let target = place.path().join("out.csv");
        for (old, new) in [(None, "first\n"), (Some("first\n"), "second\n")] {
            let mut writer = OutputFile::open(&target)?.writer()?;
            assert_eq!(names(place.path())?.len(), 1 + usize::from(old.is_some()));
            write!(writer, "{new}")?;
            writer.to.flush()?;
            assert_eq!(fs::read_to_string(&target).ok().as_deref(), old);
            writer.finish()?;
            assert_eq!(fs::read_to_string(&target)?, new);
            assert_eq!(names(place.path())?, ["out.csv"]);
        }
        Ok(())
    }

    /// A disk that is full half way, or an error of the program.
    #[test]
    fn a_write_that_fails_half_way_leaves_the_old_file() -> Outcome {
        let place = tempfile::tempdir()?;
        let target = place.path().join("out.csv");
        fs::write(&target, "old")?;
        let mut writer = OutputFile::open(&target)?.writer()?;
        writeln!(writer, "{}", "half".repeat(10_000))?;
        // A file that is open for reading refuses all writes.
        writer.to = BufWriter::with_capacity(0, File::open(&target)?);
        let failure = writeln!(writer, "rest").err().map(|failure| failure.to_string());
        let expected = format!("{}: cannot be written: ", target.display());
        assert!(failure.is_some_and(|failure| failure.starts_with(&expected)));
        drop(writer);
        assert_eq!(fs::read_to_string(&target)?, "old");
        assert_eq!(names(place.path())?, ["out.csv"]);
        Ok(())
    }

    /// Checking a path writes nothing.
    #[test]
    fn an_output_that_is_never_written_leaves_nothing() -> Outcome {
        let place = tempfile::tempdir()?;
        drop(OutputFile::open(&place.path().join("out.csv"))?);
        assert!(names(place.path())?.is_empty());
        assert!(OutputFile::open(place.path()).is_err(), "a folder is no file");
        assert!(OutputFile::open(&place.path().join("no/out.csv")).is_err());
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_links_are_followed() -> Outcome {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let place = tempfile::tempdir()?;
        let at = |name: &str| place.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).map(|found| found.permissions().mode());
        fs::write(at("usual"), "")?;
        OutputFile::open(&at("new"))?.write(b"new")?;
        assert_eq!(mode("new")?, mode("usual")?);
        fs::set_permissions(at("new"), Permissions::from_mode(0o640))?;
        OutputFile::open(&at("new"))?.write(b"newer")?;
        assert_eq!(mode("new")? & 0o777, 0o640);
        fs::create_dir(at("inner"))?;
        symlink("../new", at("inner/link"))?;
        symlink("inner/link", at("link"))?;
        symlink("later", at("dangling"))?;
        symlink("circle", at("circle"))?;
        OutputFile::open(&at("link"))?.write(b"newest")?;
        OutputFile::open(&at("dangling"))?.write(b"late")?;
        assert_eq!(fs::read_to_string(at("new"))?, "newest");
        assert_eq!(fs::read_to_string(at("later"))?, "late");
        assert!(fs::symlink_metadata(at("link"))?.is_symlink());
        assert!(fs::symlink_metadata(at("dangling"))?.is_symlink());
        assert!(OutputFile::open(&at("circle")).is_err());
        OutputFile::open(Path::new("/dev/null"))?.write(b"nothing")?;
        assert!(!fs::metadata("/dev/null")?.is_file());
        Ok(())
    }
}
