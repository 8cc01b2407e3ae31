//! `xcollide list`: algorithms with what they accept, their guarantee and source; generated shapes;
//! embedded scenes.

use serde::Serialize;
use xcollide::registry::{self, Entry};
use xcollide_scenes::{DEFAULT_SCENE, EmbeddedScene};

use crate::exit::{Failure, Status};
use crate::options::ListOptions;
use crate::output::Output;

/// The output for an algorithm.
#[derive(Clone, Debug, Serialize)]
pub struct AlgorithmRecord {
    name: &'static str,
    kind: &'static str,
    accepts: &'static str,
    guarantee: &'static str,
    default: bool,
    source: &'static str,
}

impl From<&Entry> for AlgorithmRecord {
    fn from(entry: &Entry) -> Self {
        Self {
            name: entry.name,
            kind: entry.kind.name(),
            accepts: entry.accepts.name(),
            guarantee: entry.guarantee.name(),
            default: entry.default,
            source: entry.source,
        }
    }
}

/// The output for a shape.
#[derive(Clone, Debug, Serialize)]
pub struct ShapeRecord {
    shape: String,
    about: &'static str,
}

/// The output for an embedded scene.
#[derive(Clone, Debug, Serialize)]
pub struct EmbeddedSceneRecord {
    name: &'static str,
    about: &'static str,
    source: &'static str,
    frames: usize,
    /// The name with all parameters at their defaults, as `run` takes it.
    scene: String,
    default: bool,
}

impl From<&EmbeddedScene> for EmbeddedSceneRecord {
    fn from(embedded: &EmbeddedScene) -> Self {
        Self {
            name: embedded.name,
            about: embedded.about,
            source: embedded.source,
            frames: embedded.frames,
            scene: embedded.to_string(),
            default: embedded.name == DEFAULT_SCENE,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written to.
pub fn run(options: &ListOptions, output: &mut Output) -> Result<Status, Failure> {
    match (options.shapes, options.scenes) {
        (true, _) => shapes(output),
        (_, true) => scenes(output),
        _ => algorithms(output),
    }?;
    Ok(Status::Done)
}

fn algorithms(output: &mut Output) -> Result<(), Failure> {
    let row = |[name, kind, accepts, guarantee, source]: [&str; 5]| {
        format!("{name:<20}{kind:<11}{accepts:<18}{guarantee:<13}{source}")
    };
    output.remark(row(["name", "kind", "accepts", "guarantee", "source"]))?;
    for entry in registry::algorithms() {
        let record = AlgorithmRecord::from(entry);
        output.result(&record, || {
            let name =
                if record.default { format!("{} *", record.name) } else { record.name.into() };
            row([&name, record.kind, record.accepts, record.guarantee, record.source])
        })?;
    }
    output.remark("* the default of its kind")
}

fn shapes(output: &mut Output) -> Result<(), Failure> {
    for shape in xcollide_scenes::list() {
        let record = ShapeRecord { shape: format!("shape:{shape}"), about: shape.about };
        output.result(&record, || format!("{}\n    {}", record.shape, record.about))?;
    }
    Ok(())
}

fn scenes(output: &mut Output) -> Result<(), Failure> {
    for embedded in xcollide_scenes::scenes() {
        let record = EmbeddedSceneRecord::from(embedded);
        output.result(&record, || {
            let mark = if record.default { " *" } else { "" };
            let EmbeddedSceneRecord { name, about, source, scene, .. } = &record;
            format!("{name}{mark}: {about}\n    from {source}\n    {scene}")
        })?;
    }
    output.remark("* what `xcollide run` shows when nobody names another")
}
