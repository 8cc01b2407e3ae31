//! `xcollide list`: algorithms with what they accept, their guarantee and source; generated shapes;
//! embedded scenes.

use serde::Serialize;
use xcollide::registry::{self, Entry};
use xcollide_scenes::{DEFAULT_SCENE, EmbeddedScene};

use crate::exit::{Failure, Status};
use crate::options::ListOptions;
use crate::output::Output;

#[derive(Serialize)]
struct AlgorithmRecord {
    name: &'static str,
    kind: &'static str,
    accepts: &'static str,
    guarantee: &'static str,
    default: bool,
    source: &'static str,
}

#[derive(Serialize)]
struct ShapeRecord {
    shape: String,
    about: &'static str,
}

#[derive(Serialize)]
struct EmbeddedSceneRecord {
    name: &'static str,
    about: &'static str,
    source: &'static str,
    frames: usize,
    /// The name with all parameters at their defaults, as `run` takes it.
    scene: String,
    default: bool,
}

pub(crate) fn run(options: &ListOptions, output: &mut Output) -> Result<Status, Failure> {
    match (options.shapes, options.scenes) {
        (true, _) => shapes(output),
        (_, true) => scenes(output),
        _ => algorithms(output),
    }?;
    Ok(Status::Done)
}

fn algorithms(output: &mut Output) -> Result<(), Failure> {
    let row = |[name, kind, accepts, guarantee, source]: [&str; 5]| {
        format!("{name:<23}{kind:<11}{accepts:<18}{guarantee:<13}{source}")
    };
    output.remark(row(["name", "kind", "accepts", "guarantee", "source"]))?;
    for entry in registry::algorithms() {
        let &Entry { name, default, source, .. } = entry;
        let [kind, accepts] = [entry.kind.name(), entry.accepts.name()];
        let guarantee = entry.guarantee.name();
        let record = AlgorithmRecord { name, kind, accepts, guarantee, default, source };
        output.result(&record, || {
            let name = if default { format!("{name} *") } else { name.into() };
            row([&name, kind, accepts, guarantee, source])
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
        let &EmbeddedScene { name, about, source, frames, .. } = embedded;
        let (scene, default) = (embedded.to_string(), name == DEFAULT_SCENE);
        let mark = if default { " *" } else { "" };
        let text = format!("{name}{mark}: {about}\n    from {source}\n    {scene}");
        let record = EmbeddedSceneRecord { name, about, source, frames, scene, default };
        output.result(&record, || text)?;
    }
    output.remark("* what `xcollide run` shows when nobody names another")
}
