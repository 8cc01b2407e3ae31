//! `xcollide classify`: what kind of polyhedron is this?

mod record;

pub use record::{ClassifyRecord, Repairs};

use std::time::Instant;

use xcollide::brep::{Brep, RepairOptions, repair};
use xcollide_io::WriteError;

use crate::exit::{Failure, Status, complain};
use crate::mesh_source::{MeshSource, MeshSourceError};
use crate::options::{ClassifyOptions, Common};
use crate::output::Output;
use crate::progress::Progress;

/// Runs the command. Reports files that are not meshes and continues with the others.
///
/// # Errors
/// Several meshes with `--repair`; a file or standard output cannot be written.
pub fn run(
    options: &ClassifyOptions,
    common: &Common,
    output: &mut Output,
    progress: &Progress,
) -> Result<Status, Failure> {
    if options.repair.is_some() && options.files.len() != 1 {
        let files = options.files.len();
        return Err(Failure::bad_input(format!("--repair: found {files} meshes, expected one")));
    }
    let mut status = Status::Done;
    for source in &options.files {
        match progress.during(&format!("classifying {source}"), || subject(source)) {
            Ok(subject) => subject.report(options, common, output, progress)?,
            Err(error) => {
                complain(&error);
                status = Status::BadInput;
            }
        }
    }
    Ok(status)
}

struct Subject<'a> {
    source: &'a MeshSource,
    brep: Brep,
    /// Nanoseconds.
    read: u64,
    built: u64,
}

fn subject(source: &MeshSource) -> Result<Subject<'_>, MeshSourceError> {
    let started = Instant::now();
    let mesh = source.mesh()?;
    let read = nanoseconds_since(started);
    let started = Instant::now();
    let brep = Brep::new(mesh)
        .map_err(|error| MeshSourceError::Brep { origin: source.to_string(), error })?;
    Ok(Subject { source, brep, read, built: nanoseconds_since(started) })
}

fn nanoseconds_since(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

impl Subject<'_> {
    /// Prints the classification, and repairs the mesh if asked to.
    fn report(
        &self,
        options: &ClassifyOptions,
        common: &Common,
        output: &mut Output,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let mut record = ClassifyRecord::new(&self.source.to_string(), &self.brep);
        if common.stats {
            record.count(self.read, self.built, &self.brep);
        }
        let mut text = String::new();
        if let Some(path) = &options.repair {
            let mended = progress.during(&format!("mending {}", self.source), || {
                let mended = repair(self.brep.mesh(), &RepairOptions::default());
                xcollide_io::write_path(path, &mended.mesh).map_err(unwritable)?;
                Ok::<_, Failure>(mended)
            })?;
            let report = mended.report.to_string().replace('\n', ", ");
            text = format!("\n  mended into {}: {report}", path.display());
            record.repairs = Some(Repairs::of(&mended.report));
        }
        output.result(&record, || record.in_words(&self.brep) + &text)
    }
}

/// A wrong file name is bad input; other errors are not.
fn unwritable(error: WriteError) -> Failure {
    let reason = match &error {
        WriteError::File { error, .. } => error,
        other => other,
    };
    match reason {
        WriteError::UnknownEnding | WriteError::NotWritten { .. } => Failure::bad_input(&error),
        _ => Failure::Failed(error.to_string()),
    }
}
