//! The instances of all objects, and their meshes.

use std::collections::BTreeMap;

use xcollide_brep::{MassProperties, PolygonMesh};
use xcollide_math::vector::length_squared;

use super::SceneFiles;
use crate::message_number::number;
use crate::stretch::stretched;
use crate::{
    Flexible, Formula, MeshSource, MotionPromise, Object, Scene, SceneError, ShapeError, shape,
};

/// An instance of an object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Instance {
    /// Index of the object in the scene.
    pub object: usize,
    /// Its number within the object, from 0.
    pub number: usize,
    /// Index of its mesh in [`Simulation::meshes`](super::Simulation::meshes).
    pub mesh: usize,
    /// Its parent instance.
    pub parent: Option<usize>,
    /// Whether it never moves.
    pub is_static: bool,
    /// Distance of the farthest vertex from its origin.
    pub radius: f64,
    /// Its volume, or that of its bounding sphere if it is not closed.
    pub volume: f64,
    /// Its mass.
    pub mass: f64,
    /// What the scene promises about its motion.
    #[cfg_attr(feature = "serde", serde(default))]
    pub promise: Option<MotionPromise>,
}

pub(super) fn spec(object: &Object, number: usize) -> String {
    let variant = if object.variants == 0 { number } else { number % object.variants };
    match &object.mesh {
        MeshSource::Shape(spec) => spec.replace("{}", &variant.to_string()),
        MeshSource::File(path) => path.clone(),
        // Distinct for distinct ground.
        MeshSource::HeightField(ground) => format!("{ground:?}"),
    }
}

/// The instances of a scene and their meshes, each once, with its formula if it only draws one.
type Made = (Vec<PolygonMesh>, Vec<Option<Formula>>, Vec<Instance>);

/// Reads or builds each mesh once, and creates the instances.
pub(super) fn make(scene: &Scene, files: &mut dyn SceneFiles) -> Result<Made, SceneError> {
    let mut known = BTreeMap::new();
    let (mut meshes, mut formulas, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let mut instances = Vec::with_capacity(scene.instance_count());
    for (index, object) in scene.objects.iter().enumerate() {
        // Without a placeholder all instances share one mesh.
        let varies = object.mesh.text().contains("{}");
        let mut last = None;
        for number in 0..object.count {
            let mesh = match last {
                Some(mesh) if !varies => mesh,
                _ => {
                    let key =
                        (spec(object, number), factors(object).map(f64::to_bits), object.centered);
                    if !known.contains_key(&key) {
                        let mesh = load(index, object, &key.0, files)?;
                        check_fixed(index, object, &mesh)?;
                        let radius = radius(&mesh);
                        sizes.push([radius, volume_or_ball(&mesh, radius)]);
                        meshes.push(mesh);
                        formulas.push(formula(&key.0).and_then(Result::ok));
                    }
                    *known.entry(key).or_insert(meshes.len() - 1)
                }
            };
            last = Some(mesh);
            let [radius, volume] = sizes[mesh];
            instances.push(Instance {
                object: index,
                number,
                mesh,
                parent: None,
                is_static: object.is_static,
                radius,
                volume,
                mass: object.mass.unwrap_or(volume),
                promise: object.promise,
            });
        }
    }
    Ok((meshes, formulas, instances))
}

/// The formula of a spec, if it is one of a formula.
fn formula(spec: &str) -> Option<Result<Formula, ShapeError>> {
    spec.starts_with(Formula::PREFIX).then(|| Formula::new(spec))
}

fn load(
    index: usize,
    object: &Object,
    spec: &str,
    files: &mut dyn SceneFiles,
) -> Result<PolygonMesh, SceneError> {
    let key = || format!("objects[{index}].mesh");
    let mesh = match &object.mesh {
        MeshSource::Shape(_) => {
            let made = match formula(spec) {
                Some(formula) => formula.and_then(|formula| formula.drawing()),
                None => shape(spec),
            };
            made.map_err(|error| SceneError::Shape { key: key(), error })?
        }
        MeshSource::File(path) => files.mesh(path).map_err(|problem| SceneError::File {
            key: key(),
            path: path.clone(),
            problem,
        })?,
        MeshSource::HeightField(ground) => {
            ground.mesh(&format!("objects[{index}].height_field"), |path| files.text(path))?
        }
    };
    if mesh.vertex_count() == 0 {
        return Err(SceneError::bad(key(), "a mesh without vertices", "at least one vertex"));
    }
    if formula(spec).is_some() {
        let is_changed =
            factors(object) != [1.0; 3] || object.centered || object.flexible.is_some();
        if is_changed {
            let found = "a formula with a scale, a stretch, `centered` or `flexible`";
            return Err(SceneError::bad(key(), found, "its size in the formula"));
        }
        return Ok(mesh);
    }
    let mesh = placed(index, object, mesh)?;
    if radius(&mesh) > 1e100 {
        let found = format!("a mesh that reaches {} from its origin", number(radius(&mesh)));
        return Err(SceneError::bad(key(), found, "at most 1e100"));
    }
    Ok(mesh)
}

/// Whether the fixed vertices of a cloth exist.
fn check_fixed(index: usize, object: &Object, mesh: &PolygonMesh) -> Result<(), SceneError> {
    let Some(Flexible::Cloth(cloth)) = &object.flexible else { return Ok(()) };
    let count = mesh.vertex_count();
    match cloth.fixed.iter().position(|&vertex| vertex as usize >= count) {
        Some(at) => {
            let key = format!("objects[{index}].flexible.fixed[{at}]");
            Err(SceneError::bad(key, cloth.fixed[at], format!("a vertex from 0 to {}", count - 1)))
        }
        None => Ok(()),
    }
}

fn placed(index: usize, object: &Object, mesh: PolygonMesh) -> Result<PolygonMesh, SceneError> {
    let factors = factors(object);
    if factors == [1.0; 3] && !object.centered {
        return Ok(mesh);
    }
    let middle = if object.centered { middle(&mesh) } else { [0.0; 3] };
    let key = format!("objects[{index}].mesh");
    stretched(&mesh, middle, factors)
        .map_err(|error| SceneError::Shape { key, error: error.into() })
}

fn factors(object: &Object) -> [f64; 3] {
    object.stretch.map(|factor| factor * object.scale)
}

fn middle(mesh: &PolygonMesh) -> [f64; 3] {
    let [min, max] = bounds_of(mesh.positions().iter().copied());
    [0, 1, 2].map(|k| 0.5 * min[k] + 0.5 * max[k])
}

pub(crate) type Bounds = [[f64; 3]; 2];

pub(crate) fn bounds_of(points: impl Iterator<Item = [f64; 3]>) -> Bounds {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for point in points {
        for k in 0..3 {
            bounds[0][k] = bounds[0][k].min(point[k]);
            bounds[1][k] = bounds[1][k].max(point[k]);
        }
    }
    bounds
}

fn radius(mesh: &PolygonMesh) -> f64 {
    let squared = mesh.positions().iter().map(|&position| length_squared(position));
    squared.fold(0.0, f64::max).sqrt()
}

/// The volume of a closed mesh, or of the bounding sphere of any other mesh; always positive.
fn volume_or_ball(mesh: &PolygonMesh, radius: f64) -> f64 {
    const SPHERE: f64 = 4.0 / 3.0 * core::f64::consts::PI;

    let sphere = SPHERE * radius * radius * radius;
    let volume = MassProperties::of(mesh).map_or(sphere, |mass| mass.volume.abs());
    // A single point has no volume.
    if volume.is_finite() && volume > 0.0 { volume } else { 1.0 }
}
