//! `xcollide classify`: what kind of polyhedron is this?

mod record;

use std::time::Instant;

use xcollide::brep::{Brep, RepairOptions, repair};
use xcollide_io::WriteError;

use crate::exit::{Failure, Status, complain};
use crate::mesh_source::{MeshSource, MeshSourceError};
use crate::options::ClassifyOptions;
use crate::output::{Session, nanoseconds};
use record::{ClassifyRecord, Repairs};

/// Runs the command. Reports files that are not meshes and continues with the others.
pub(crate) fn run(options: &ClassifyOptions, session: &mut Session) -> Result<Status, Failure> {
    if options.repair.is_some() && options.files.len() != 1 {
        let files = options.files.len();
        return Err(Failure::bad_input(format!("--repair: found {files} meshes, expected one")));
    }
    let mut status = Status::Done;
    for source in &options.files {
        match session.progress.during(&format!("classifying {source}"), || subject(source)) {
            Ok(subject) => subject.report(options, session)?,
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
    times: [u64; 2],
}

fn subject(source: &MeshSource) -> Result<Subject<'_>, MeshSourceError> {
    let started = Instant::now();
    let mesh = source.mesh()?;
    let read = nanoseconds(started.elapsed());
    let started = Instant::now();
    let brep = Brep::new(mesh)
        .map_err(|error| MeshSourceError::Brep { origin: source.to_string(), error })?;
    Ok(Subject { source, brep, times: [read, nanoseconds(started.elapsed())] })
}

impl Subject<'_> {
    /// Prints the classification, and repairs the mesh if requested.
    fn report(&self, options: &ClassifyOptions, session: &mut Session) -> Result<(), Failure> {
        let Session { common, output, progress } = session;
        let mut record = ClassifyRecord::new(&self.source.to_string(), &self.brep);
        record.times = common.stats.then_some(self.times);
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
        output.result(&record, || record.in_words() + &text)
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
