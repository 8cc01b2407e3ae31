//! Pairs of placed meshes: queries for any two models.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use xcollide::registry::{self, Accepts, Kind};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics};
use xcollide_scenes::{Poses, Random};

use crate::contest::Contestant;

/// A query: which of the models against which, and where the second one is. The first is at the
/// origin.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Numbers of the models.
    pub models: [usize; 2],
    /// The second one's pose.
    pub pose: Pose,
}

/// The model of a shape's spec.
///
/// # Panics
/// There is no such shape.
#[must_use]
pub fn model(spec: &str) -> Model {
    match xcollide_scenes::shape(spec).map(Model::from_mesh) {
        Ok(Ok(model)) => model,
        other => panic!("{spec}: {:?}", other.err()),
    }
}

/// A torus, a knotted tube and a sphere of about this many triangles each, of like size.
#[must_use]
pub fn models(triangles: usize) -> Vec<Model> {
    // Nearly all faces are quadrilaterals.
    let faces = triangles / 2;
    ["torus", "knot", "sphere"].map(|shape| model(&format!("{shape}?faces={faces}"))).into()
}

/// Every exact algorithm of the registry for any two models, by name, without the choice among them.
#[must_use]
pub fn algorithms() -> Vec<Box<dyn NarrowPhase>> {
    registry::of_kind(Kind::Narrow)
        .filter(|entry| entry.guarantee == Guarantee::Exact && entry.accepts == Accepts::Any)
        .filter(|entry| entry.name != "auto")
        .filter_map(registry::Entry::narrow_phase)
        .collect()
}

/// An algorithm as a contestant. It remembers of each pair of models what such a cache is for, and
/// gives up a query after two seconds (the wide hierarchies, which need no such limit, have none).
#[must_use]
pub fn contestant<'a>(
    algorithm: Box<dyn NarrowPhase>,
    models: &'a [Model],
    pairs: &'a [Pair],
    cache: fn() -> PairCache,
) -> Contestant<'a> {
    // Whoever is never long gets no budget: there would be a clock to look at.
    let mut query = Query::new().semantics(Semantics::Surface);
    if !algorithm.name().starts_with("wide") {
        query = query.budget(Duration::from_secs(2));
    }
    let coherent = if cache().is_coherent() { ", coherent" } else { "" };
    let name = format!("{}{coherent}", algorithm.name());
    with_query(algorithm, models, pairs, cache, name, query)
}

/// The default algorithm, asked for a proof of *apart* that can be verified fast.
#[must_use]
pub fn proving<'a>(models: &'a [Model], pairs: &'a [Pair]) -> Contestant<'a> {
    let query = Query::new().semantics(Semantics::Surface).certify(true);
    let name = "wide-obb, *apart* with its proof".to_owned();
    with_query(Box::new(Wide::new()), models, pairs, PairCache::new, name, query)
}

fn with_query<'a>(
    algorithm: Box<dyn NarrowPhase>,
    models: &'a [Model],
    pairs: &'a [Pair],
    cache: fn() -> PairCache,
    name: String,
    query: Query,
) -> Contestant<'a> {
    for model in models {
        if let Err(error) = algorithm.prepare(model) {
            panic!("{}: {error}", algorithm.name());
        }
    }
    let queries: Vec<_> = pairs
        .iter()
        .map(|pair| (pair.models, pair.models.map(|m| &models[m]), &pair.pose))
        .map(|(numbers, [a, b], pose)| (numbers, [placed(a, &Pose::IDENTITY), placed(b, pose)]))
        .collect();
    let mut caches: Vec<PairCache> = (0..models.len() * models.len()).map(|_| cache()).collect();
    Contestant::new(name, move |i| {
        let ([s, t], [a, b]) = queries[i];
        algorithm.test(a, b, &query, &mut caches[s * models.len() + t]).decided()
    })
}

/// A model at a pose.
///
/// # Panics
/// The pose is none.
#[must_use]
pub fn placed<'a>(model: &'a Model, pose: &'a Pose) -> Placed<'a> {
    match Placed::new(model, pose) {
        Ok(placed) => placed,
        Err(error) => panic!("{error}"),
    }
}

/// A pose of a unit quaternion, the real part last, and a translation.
#[must_use]
pub fn pose([x, y, z, w]: [f64; 4], translation: [f64; 3]) -> Pose {
    Pose::try_from(Isometry3::from_parts(
        Translation3::from(translation),
        UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z)),
    ))
    .unwrap()
}

/// How far apart the second model, coming along `way` from the distance `from`, first meets the first.
#[must_use]
pub fn contact(a: &Model, b: &Model, rotation: [f64; 4], way: [f64; 3], from: f64) -> f64 {
    let query = Query::new().semantics(Semantics::Surface);
    let mut cache = PairCache::new();
    let mut meet = |along: f64| {
        let there = pose(rotation, way.map(|k| k * along));
        let there = placed(b, &there);
        Wide::new().test(placed(a, &Pose::IDENTITY), there, &query, &mut cache).is_collision()
    };
    let mut low = from;
    while low > 0.0 && !meet(low) {
        low -= 0.01;
    }
    let mut high = low + 0.01;
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if meet(middle) { low = middle } else { high = middle }
    }
    low
}

/// The size of the shapes of [`models`], about.
pub const SIZE: f64 = 2.5;

/// Queries of all pairs of models, turned at random: apart by 0.1 to 1 % of the size (`near`), as
/// deep in each other (`touching`), and at 40 to 85 % of the distance of contact (`overlapping`).
#[must_use]
pub fn families(models: &[Model], queries: usize) -> [(&'static str, Vec<Pair>); 3] {
    let (mut poses, mut random) = (Poses::new(42), Random::new(43));
    let mut families = [("near", vec![]), ("touching", vec![]), ("overlapping", vec![])];
    for i in 0..queries {
        let numbers = [i % models.len(), i / models.len() % models.len()];
        let (rotation, way) = (poses.rotation(), poses.direction());
        let [a, b] = numbers.map(|m| &models[m]);
        let touching = contact(a, b, rotation, way, 4.0);
        let gap = SIZE * random.between(0.001, 0.01);
        let distances = [touching + gap, touching - gap, touching * random.between(0.4, 0.85)];
        for (family, distance) in families.iter_mut().zip(distances) {
            let pose = pose(rotation, way.map(|k| k * distance));
            family.1.push(Pair { models: numbers, pose });
        }
    }
    families
}

/// A hit and a near miss of a small sphere, the model of this number, against itself: what is asked
/// to get hold of the code.
#[must_use]
pub fn small_queries(number: usize) -> [Pair; 2] {
    [1.5, 1.99].map(|distance| Pair {
        models: [number; 2],
        pose: pose([0.48, 0.36, 0.0, 0.8], [0.6 * distance, 0.0, 0.8 * distance]),
    })
}

/// A sequence of frames of each model against itself: it turns by a degree and goes half a degree
/// about the other a frame, at 0.5 % of the size a frame from 1 % deep to 4 % apart and back.
#[must_use]
pub fn motion(models: &[Model], frames: usize) -> Vec<Pair> {
    const DEGREE: f64 = std::f64::consts::PI / 180.0;
    let mut poses = Poses::new(44);
    let mut pairs = Vec::new();
    for (number, model) in models.iter().enumerate() {
        let mut place = poses.within(0.0);
        let mut way = poses.direction();
        for frame in 0..frames {
            place = poses.nudged(&place, 0.0, DEGREE);
            let aside = poses.direction();
            way = unit([0, 1, 2].map(|k| way[k] + 0.5 * DEGREE * aside[k]));
            // Steps 0 to 9 and back to 1.
            let step = (frame % 20).min(20 - frame % 20) as f64;
            let distance = contact(model, model, place.rotation.quaternion(), way, 4.0)
                + SIZE * (0.005 * step - 0.01);
            let pose = place.pose().with_translation(way.map(|k| k * distance));
            pairs.push(Pair { models: [number; 2], pose });
        }
    }
    pairs
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

/// A sphere in another, 0.1 % of the radius from it everywhere, in some orientations.
#[must_use]
pub fn conforming(triangles: usize) -> (Vec<Model>, Vec<Pair>) {
    let faces = triangles / 2;
    let models = [1.0, 0.999].map(|r| model(&format!("sphere?faces={faces}&radius={r}")));
    let mut poses = Poses::new(45);
    let queries = (0..3).map(|_| {
        let place = poses.at_distance(0.0001);
        Pair { models: [0, 1], pose: place.pose() }
    });
    let queries = queries.collect();
    (models.into(), queries)
}
