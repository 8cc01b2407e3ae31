//! Sources of instances: a table with model files beside it, or a glTF scene.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use rustc_hash::{FxBuildHasher, FxHasher};
use xcollide::brep::PolygonMesh;
use xcollide::narrow::{Model, Pose};
use xcollide_clash::{Instance, InstanceSet};
use xcollide_io::Format;
use xcollide_io::gltf::{self, Part, PartOptions};

use super::table;
use crate::exit::Failure;
use crate::files::Input;
use crate::mesh_source::MeshSource;
use crate::read_warnings;

/// The rows of a source.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) instances: Vec<Instance>,
    pub(crate) failures: Vec<RowFailure>,
}

/// A row that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowFailure {
    pub(crate) id: String,
    pub(crate) message: String,
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
        let input = Input::open(path)?;
        let name = input.name.clone();
        let bytes = input.read()?;
        let wrong = |what: String| Failure::bad_input(format!("{name}: {what}"));
        if is_gltf(&bytes, path) {
            let folder = path.parent().unwrap_or(Path::new("."));
            let scene = gltf::parts(&bytes, Some(folder), &PartOptions::default());
            let scene = scene.map_err(|error| wrong(error.to_string()))?;
            read_warnings::show(&name, &scene.report).map_err(wrong)?;
            let (instances, meshes) = of_parts(scene.parts);
            let rows = Rows { instances, failures: Vec::new() };
            return Ok(Self::load(rows, |reference| {
                let mesh = meshes.get(reference).cloned().unwrap_or_default();
                Model::from_mesh(mesh).map_err(|error| error.to_string())
            }));
        }
        let rows = table::read(&bytes[..]).map_err(|error| wrong(error.to_string()))?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self::load(rows, |reference| model_beside(&folder, reference)))
    }

    fn load(
        Rows { instances, mut failures }: Rows,
        load: impl Fn(&str) -> Result<Model, String> + Sync,
    ) -> Self {
        let rows = instances.len() + failures.len();
        let set = InstanceSet::load(instances, load);
        failures.extend(set.failures().iter().map(|failure| RowFailure {
            id: failure.id.clone(),
            message: failure.error.to_string(),
        }));
        failures.sort();
        Self { set, failures, rows }
    }
}

/// Reads the model of a row: a path beside the table, or a generated shape.
fn model_beside(folder: &Path, reference: &str) -> Result<Model, String> {
    let source = match reference.starts_with("shape:") {
        true => MeshSource::Shape(reference.to_owned()),
        false => MeshSource::File(folder.join(PathBuf::from(reference))),
    };
    source.model().map_err(|error| error.to_string())
}

fn is_gltf(bytes: &[u8], path: &Path) -> bool {
    bytes.starts_with(b"glTF")
        || Format::of_path(path) == Some(Format::Gltf)
        || bytes.trim_ascii_start().starts_with(b"{")
}

/// The instances of a scene at its first frame, and the meshes by their references. Equal meshes have one reference.
///
/// An id is the name of the node, or `name#number` if several nodes have the name. The group is the node above.
fn of_parts(parts: Vec<Part>) -> (Vec<Instance>, BTreeMap<String, PolygonMesh>) {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for part in &parts {
        *names.entry(part.name.clone()).or_default() += 1;
    }
    let mut poses: Vec<Pose> = Vec::with_capacity(parts.len());
    let mut meshes: BTreeMap<String, PolygonMesh> = BTreeMap::new();
    let mut alike: HashMap<u64, Vec<String>, FxBuildHasher> = HashMap::default();
    let mut instances = Vec::with_capacity(parts.len());
    for part in parts {
        let own = part.poses.first().copied().unwrap_or_default();
        // Parents come first.
        let pose = part.parent.map_or(own, |parent| poses[parent] * own);
        poses.push(pose);
        let known = alike.entry(hash(&part.mesh)).or_default();
        let same = known.iter().find(|reference| meshes.get(*reference) == Some(&part.mesh));
        let model = match same {
            Some(reference) => reference.clone(),
            None => {
                let reference = format!("node {}", part.node);
                known.push(reference.clone());
                meshes.insert(reference.clone(), part.mesh);
                reference
            }
        };
        let is_unique = names.get(&part.name) == Some(&1);
        let id = if is_unique { part.name } else { format!("{}#{}", part.name, part.node) };
        let pose = Instance::numbers(&pose);
        let group = part.above.unwrap_or_default();
        instances.push(Instance { id, model, pose, group, attributes: Vec::new() });
    }
    (instances, meshes)
}

fn hash(mesh: &PolygonMesh) -> u64 {
    use std::hash::Hasher;
    let mut hasher = FxHasher::default();
    hasher.write_usize(mesh.face_count());
    mesh.positions().iter().flatten().for_each(|value| hasher.write_u64(value.to_bits()));
    hasher.finish()
}
