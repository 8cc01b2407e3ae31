//! Sources of instances: a table with model files beside it, or a glTF scene.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use rustc_hash::{FxBuildHasher, FxHasher};
use xcollide::brep::PolygonMesh;
use xcollide::narrow::{Model, Pose};
use xcollide_clash::{Instance, InstanceSet};
use xcollide_io::Format;
use xcollide_io::gltf::{self, PartOptions, Parts};

use super::csv_table;
use crate::exit::Failure;
use crate::files::Input;
use crate::mesh_source::MeshSource;
use crate::read_warnings;

/// The rows of a table or scene.
#[derive(Debug, Default)]
pub struct Rows {
    /// The rows that can be used, in their order.
    pub instances: Vec<Instance>,
    /// The others.
    pub failures: Vec<RowFailure>,
    /// The meshes that are not in files of their own.
    pub meshes: Meshes,
}

/// The meshes that a source has itself, by their references. Equal ones have one reference.
#[derive(Debug, Default)]
pub struct Meshes {
    by_reference: BTreeMap<String, PolygonMesh>,
    alike: HashMap<u64, Vec<String>, FxBuildHasher>,
}

/// A row that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowFailure {
    /// Its id, which may be empty.
    pub id: String,
    /// Where it is, what was found and what was expected.
    pub message: String,
}

/// The instances of a source with their models.
pub(crate) struct Source {
    pub(crate) set: InstanceSet,
    /// The rows that cannot be used, in the order of the ids.
    pub(crate) failures: Vec<RowFailure>,
    /// The number of rows.
    pub(crate) rows: usize,
}

impl Source {
    /// Reads a table or a scene and all models.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let (set, failures, rows) = Rows::read(path)?.load(folder);
        Ok(Self { set, failures, rows })
    }
}

impl Rows {
    /// Reads a table or a scene.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let input = Input::open(path)?;
        let name = input.name.clone();
        let bytes = input.read()?;
        let wrong = |what: String| Failure::bad_input(format!("{name}: {what}"));
        if is_gltf(&bytes, path) {
            let folder = path.parent().unwrap_or(Path::new("."));
            let options = PartOptions::default().skip_broken(true);
            let scene = gltf::parts(&bytes, Some(folder), &options);
            let scene = scene.map_err(|error| wrong(error.to_string()))?;
            read_warnings::show(&name, &scene.report).map_err(wrong)?;
            Ok(of_scene(scene))
        } else if bytes.starts_with(PARQUET) {
            parquet(bytes).map_err(wrong)
        } else {
            csv_table::read(&bytes[..]).map_err(|error| wrong(error.to_string()))
        }
    }

    /// Loads the models, of which those in files are beside the table. Returns the set, the rows that cannot be used in the
    /// order of their ids, and the number of rows.
    pub(crate) fn load(self, folder: &Path) -> (InstanceSet, Vec<RowFailure>, usize) {
        let Self { instances, mut failures, meshes } = self;
        let rows = instances.len() + failures.len();
        let set = InstanceSet::load(instances, |reference| model(&meshes, folder, reference));
        failures.extend(set.failures().iter().map(|failure| RowFailure {
            id: failure.id.clone(),
            message: failure.error.to_string(),
        }));
        failures.sort();
        (set, failures, rows)
    }
}

/// How a Parquet file begins.
const PARQUET: &[u8] = b"PAR1";

#[cfg(feature = "parquet")]
fn parquet(bytes: Vec<u8>) -> Result<Rows, String> {
    super::parquet_file::read(bytes).map_err(|error| error.to_string())
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: Vec<u8>) -> Result<Rows, String> {
    Err("found Parquet, expected CSV or glTF, as this program was built without the feature `parquet`".to_owned())
}

/// Reads the model of a row: a path beside the table, or a generated shape.
///
/// # Errors
/// It cannot be read, or has no faces.
pub fn model_beside(folder: &Path, reference: &str) -> Result<Model, String> {
    let source = match reference.starts_with("shape:") {
        true => MeshSource::Shape(reference.to_owned()),
        false => MeshSource::File(folder.join(PathBuf::from(reference))),
    };
    source.mesh_model().map_err(|error| error.to_string())
}

/// The model of a row: that of the source itself, else a file beside the table or a generated shape.
fn model(meshes: &Meshes, folder: &Path, reference: &str) -> Result<Model, String> {
    match meshes.get(reference) {
        Some(mesh) => Model::from_mesh(mesh.clone()).map_err(|error| error.to_string()),
        None => model_beside(folder, reference),
    }
}

fn is_gltf(bytes: &[u8], path: &Path) -> bool {
    bytes.starts_with(b"glTF")
        || Format::of_path(path) == Some(Format::Gltf)
        || bytes.trim_ascii_start().starts_with(b"{")
}

/// The instances of a scene at its first frame.
///
/// An id is the name of the node, or `name#number` if several nodes have the name. The group is the node above.
fn of_scene(scene: Parts) -> Rows {
    let Parts { parts, broken, .. } = scene;
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let of_parts = parts.iter().map(|part| &part.name);
    for name in of_parts.chain(broken.iter().map(|part| &part.name)) {
        *names.entry(name.clone()).or_default() += 1;
    }
    let id = |name: String, node: usize| match names.get(&name) {
        Some(1) => name,
        _ => format!("{name}#{node}"),
    };
    let mut poses: Vec<Pose> = Vec::with_capacity(parts.len());
    let mut rows = Rows::default();
    for part in parts {
        let own = part.poses.first().copied().unwrap_or_default();
        // Parents come first.
        let pose = part.parent.map_or(own, |parent| poses[parent] * own);
        poses.push(pose);
        let model = rows.meshes.add(part.mesh, || format!("node {}", part.node));
        let id = id(part.name, part.node);
        let pose = Instance::numbers(&pose);
        let group = part.above.unwrap_or_default();
        rows.instances.push(Instance { id, model, pose, group, attributes: Vec::new() });
    }
    let failures = broken
        .into_iter()
        .map(|part| RowFailure { id: id(part.name, part.node), message: part.message });
    rows.failures.extend(failures);
    rows
}

impl Meshes {
    /// Adds a mesh, and returns its reference: that of an equal one, else `name`, which no other has.
    pub(crate) fn add(&mut self, mesh: PolygonMesh, name: impl FnOnce() -> String) -> String {
        let known = self.alike.entry(hash(&mesh)).or_default();
        let same = known.iter().find(|reference| self.by_reference.get(*reference) == Some(&mesh));
        if let Some(reference) = same {
            return reference.clone();
        }
        let reference = name();
        known.push(reference.clone());
        self.by_reference.insert(reference.clone(), mesh);
        reference
    }

    /// The mesh with this reference.
    #[must_use]
    pub fn get(&self, reference: &str) -> Option<&PolygonMesh> {
        self.by_reference.get(reference)
    }
}

fn hash(mesh: &PolygonMesh) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(mesh.face_count());
    mesh.positions().iter().flatten().for_each(|value| hasher.write_u64(value.to_bits()));
    hasher.finish()
}
