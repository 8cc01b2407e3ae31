//! `xcollide picture`: a level of a mesh's hierarchy, its inner spheres, or two hierarchies in a query, as a GLB file
//! (Zachmann 1994, figure 3.31).

mod outlines;
mod packing;
mod record;
mod scene;

pub(crate) use outlines::outlined_algorithms;

use std::collections::BTreeSet;

use xcollide::brep::{FaceId, Interior};
use xcollide::narrow::bvh::levels::Level;
use xcollide::narrow::{Model, PairCache, Placed, Query};
use xcollide::registry;

use crate::exit::{Failure, Status};
use crate::mesh_source::MeshSource;
use crate::options::PictureOptions;
use crate::output::Session;
use crate::output_file::OutputFile;
use crate::progress::Progress;
use outlines::{ReachedVolume, outlines, reached_outlines};
use record::{Drawn, PictureRecord};

pub(crate) fn run(options: &PictureOptions, session: &mut Session) -> Result<Status, Failure> {
    let Session { output, progress, .. } = session;
    let to = OutputFile::open(&options.export)?;
    let a = model(&options.a, progress)?;
    let (bytes, drawn) = match (&options.b, options.spheres()) {
        (None, Some(most)) => spheres(options, &a, most, progress)?,
        (None, None) => level(options, &a, progress)?,
        (Some(b), _) if *b == options.a => at_work(options, [&a, &a], progress)?,
        (Some(b), _) => at_work(options, [&a, &model(b, progress)?], progress)?,
    };
    to.write(&bytes)?;
    let record = PictureRecord::new(options, drawn);
    output.result(&record, || record.in_words())?;
    Ok(Status::Done)
}

fn model(source: &MeshSource, progress: &Progress) -> Result<Model, Failure> {
    let model = progress.during(&format!("reading {source}"), || source.mesh_model())?;
    if model.triangulation().is_empty() {
        let what = "found only faces without area, expected some to draw";
        return Err(Failure::bad_input(format!("{source}: {what}")));
    }
    Ok(model)
}

/// One mesh and the volumes of a level.
fn level(
    options: &PictureOptions,
    model: &Model,
    progress: &Progress,
) -> Result<(Vec<u8>, Drawn), Failure> {
    let wanted = options.level.unwrap_or(Level::Leaves);
    let volumes = progress
        .during(&format!("building the {}", options.algorithm), || {
            outlines(&options.algorithm, model, wanted)
        })
        .map_err(Failure::bad_input)?;
    let bytes = scene::of_level(model, &volumes).map_err(unwritable)?;
    let level = match wanted {
        Level::At(level) => level.into(),
        Level::Leaves => "leaves".into(),
    };
    let volumes = volumes.iter().filter(|volume| !volume.triangles.is_empty()).count();
    Ok((bytes, Drawn::Level { level, volumes, faces: model.mesh().face_count() }))
}

/// One mesh and the spheres that fill its body.
fn spheres(
    options: &PictureOptions,
    model: &Model,
    most: usize,
    progress: &Progress,
) -> Result<(Vec<u8>, Drawn), Failure> {
    if model.interior() == Interior::None {
        let what =
            "found a surface that bounds no body, expected a closed one to fill with spheres";
        return Err(Failure::bad_input(format!("{}: {what}", options.a)));
    }
    let (bytes, spheres, filled) = progress
        .during("filling it with spheres", || packing::of_packing(model, most))
        .map_err(unwritable)?;
    Ok((bytes, Drawn::Packing { spheres, filled, faces: model.mesh().face_count() }))
}

/// Two meshes and the leaves that a descent of both hierarchies reaches.
fn at_work(
    options: &PictureOptions,
    models: [&Model; 2],
    progress: &Progress,
) -> Result<(Vec<u8>, Drawn), Failure> {
    let poses = [options.pose_a, options.pose_b].map(Option::unwrap_or_default);
    let place = |side: usize| {
        let option = ["--pose-a", "--pose-b"][side];
        Placed::new(models[side], &poses[side])
            .map_err(|error| Failure::bad_input(format!("{option}: {error}")))
    };
    let (a, b) = (place(0)?, place(1)?);
    let reached = progress
        .during(&format!("descending the {}", options.algorithm), || {
            reached_outlines(&options.algorithm, a, b)
        })
        .map_err(Failure::bad_input)?;
    let mut contacts = Vec::new();
    if let Some(algorithm) = registry::narrow_phase(&options.algorithm) {
        let query = Query::new();
        let mut cache = PairCache::new();
        // Only contacts are drawn; an enclosed body has none.
        let _ = algorithm.contacts(a, b, &query, usize::MAX, &mut cache, &mut contacts);
    }
    let meeting: [BTreeSet<FaceId>; 2] = [
        contacts.iter().map(|pair| pair.0).collect(),
        contacts.iter().map(|pair| pair.1).collect(),
    ];
    let bytes = scene::at_work(models, poses, &reached, &meeting).map_err(unwritable)?;
    let overlapping =
        |leaves: &Vec<ReachedVolume>| leaves.iter().filter(|leaf| leaf.overlaps).count();
    let drawn = Drawn::Query {
        reached: reached.each_ref().map(Vec::len),
        overlapping: reached.each_ref().map(overlapping),
        contacts: contacts.len(),
    };
    Ok((bytes, drawn))
}

fn unwritable(error: scene::SceneError) -> Failure {
    Failure::Failed(format!("--export: {error}"))
}
