//! `xcollide classify`: what kind of polyhedron is this?

mod record;

use std::path::Path;
use std::time::{Duration, Instant};

use xcollide::brep::{Brep, PolygonMesh, RepairOptions, repair};
use xcollide::narrow::Model;
use xcollide_io::{Format, WriteError, write_bytes};

use crate::exit::{Failure, Status, complain};
use crate::mesh_source::{MeshSource, MeshSourceError};
use crate::options::ClassifyOptions;
use crate::output::{Session, nanoseconds};
use crate::output_file::OutputFile;
use record::{ClassifyRecord, Repairs};

/// Runs the command. Reports files that are not meshes and continues with the others.
pub(crate) fn run(options: &ClassifyOptions, session: &mut Session) -> Result<Status, Failure> {
    if options.repair.is_some() && options.files.len() != 1 {
        let files = options.files.len();
        return Err(Failure::bad_input(format!("--repair: found {files} meshes, expected one")));
    }
    let mut mended = options.repair.as_deref().map(Mended::open).transpose()?;
    let mut status = Status::Done;
    for source in &options.files {
        match session.progress.during(&format!("classifying {source}"), || subject(source)) {
            Ok(subject) => subject.report(options.budget, mended.take(), session)?,
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
    model: Model,
    times: [u64; 2],
}

fn subject(source: &MeshSource) -> Result<Subject<'_>, MeshSourceError> {
    let started = Instant::now();
    let mesh = source.mesh()?;
    let read = nanoseconds(started.elapsed());
    let started = Instant::now();
    let brep = Brep::new(mesh)
        .map_err(|error| MeshSourceError::Brep { origin: source.to_string(), error })?;
    let built = nanoseconds(started.elapsed());
    Ok(Subject { source, model: Model::new(brep), times: [read, built] })
}

impl Subject<'_> {
    /// Prints the classification, and repairs the mesh if requested.
    fn report(
        &self,
        budget: Option<Duration>,
        to: Option<Mended<'_>>,
        session: &mut Session,
    ) -> Result<(), Failure> {
        let Session { common, output, progress } = session;
        let mut record = ClassifyRecord::new(&self.source.to_string(), &self.model, budget);
        record.times = common.stats.then_some(self.times);
        let mut text = String::new();
        if let Some(to) = to {
            let name = to.path.display().to_string();
            let repaired = progress.during(&format!("mending {}", self.source), || {
                let repaired = repair(self.model.mesh(), &RepairOptions::default());
                // Without changes there is nothing to write.
                if !repaired.report.changes.is_empty() {
                    to.write(&repaired.mesh)?;
                }
                Ok::<_, Failure>(repaired)
            })?;
            let report = repaired.report.to_string().replace('\n', ", ");
            text = match repaired.report.changes[..] {
                [] => format!("\n  nothing mended, {name} is not written: {report}"),
                _ => format!("\n  mended into {name}: {report}"),
            };
            record.repairs = Some(Repairs::of(&repaired.report));
        }
        if !common.quiet
            && let Err(error) = self.source.check_faces(self.model.mesh())
        {
            complain(&format_args!("{error}; nothing collides with it"));
        }
        output.result(&record, || record.in_words() + &text)
    }
}

/// The file of a mended mesh, in the format of its ending.
struct Mended<'a> {
    path: &'a Path,
    format: Format,
    to: OutputFile,
}

impl<'a> Mended<'a> {
    fn open(path: &'a Path) -> Result<Self, Failure> {
        let unknown =
            || Failure::bad_input(format!("{}: {}", path.display(), WriteError::UnknownEnding));
        let format = Format::of_path(path).ok_or_else(unknown)?;
        Ok(Self { path, format, to: OutputFile::open(path)? })
    }

    fn write(self, mesh: &PolygonMesh) -> Result<(), Failure> {
        let bytes = write_bytes(mesh, self.format)
            .map_err(|error| Failure::Failed(format!("{}: {error}", self.path.display())))?;
        self.to.write(&bytes)
    }
}
