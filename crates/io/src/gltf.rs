//! Reads glTF 2.0, as JSON (`.gltf`) or binary (`.glb`): the triangles of a scene in its frame.
//!
//! Reads the default scene, otherwise the first, otherwise all nodes. The transforms of a node and its ancestors
//! are applied to its mesh in f64; faces under a mirroring transform are reversed, as glTF requires.
//! Triangle lists, strips and fans, indexed or not, become triangles, mesh by mesh in depth-first order.
//! Morph targets have their default weights, skins the pose of their joints' nodes, which is reported.
//! Instances (`EXT_mesh_gpu_instancing`) are repeated; meshes compressed by meshopt or Draco are decoded, if the
//! features `meshopt` and `draco` are on.
//! Points and lines are skipped with a warning, materials and other attributes without.
//!
//! Primitives of one mesh that share positions share vertices. Exporters duplicate vertices along seams
//! of texture and normals, so closed models usually need welding
//! ([`repair`](https://docs.rs/xcollide-brep)).
//!
//! The `gltf` crate splits the container and parses the JSON. Its accessors panic on invalid JSON, so
//! this module reads the buffers through checked views. Only properties in use are checked. Source:
//! Khronos, "glTF 2.0 Specification", 2021.

mod alternating_nodes;
mod animation;
mod buffers;
mod compression;
#[cfg_attr(not(feature = "draco"), path = "gltf/without_draco.rs")]
mod draco;
mod elements;
mod extensions;
mod instances;
#[cfg_attr(not(feature = "meshopt"), path = "gltf/without_meshopt.rs")]
mod meshopt;
mod parts;
mod place;
mod placing;
mod primitive;
mod scene;
mod skin;
mod transform;

use std::borrow::Cow;
use std::path::Path;

use ::gltf::binary::Glb;
use ::gltf::json::{Root, Value, deserialize};
use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError, quote};
use crate::report::ReadReport;
use buffers::Buffers;
pub use parts::{BrokenPart, Part, PartOptions, Parts};

/// Reads glTF. Its buffers are a binary chunk, base64 in the JSON, or, with a `folder`, regular files
/// with names relative to it.
///
/// Takes linear time in the input and the mesh, which has at most 2²⁰ vertices and corners plus 256 for
/// each byte of the input (nodes may share a mesh).
///
/// # Errors
/// With the line or element: invalid JSON, a reference or range that does not exist, a non-finite
/// coordinate, a required extension that changes geometry, a buffer whose file cannot be read, is too
/// short, or is not allowed.
pub fn read(bytes: &[u8], folder: Option<&Path>) -> Result<PolygonMesh, ReadError> {
    read_reported(bytes, folder, &mut ReadReport::default())
}

pub(crate) fn read_reported(
    bytes: &[u8],
    folder: Option<&Path>,
    report: &mut ReadReport,
) -> Result<PolygonMesh, ReadError> {
    let (mesh, found) = with_document(bytes, folder, scene::read)?;
    *report = found;
    Ok(mesh)
}

/// Reads glTF as a scene of [`Parts`]: its meshes and their motion. The limits of [`read`] apply; each
/// pose of a part in a frame counts as a vertex.
///
/// # Errors
/// As [`read`]; also an animation that does not exist or is too long, keys out of order, or a part that
/// does not move as a rigid body.
///
/// ```
/// use xcollide_io::gltf::{self, PartOptions};
///
/// // A triangle in a translated node.
/// let text = r#"{"asset": {"version": "2.0"}, "nodes": [{"translation": [1, 2, 3], "mesh": 0}],
///     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
///     "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
///         "min": [0, 0, 0], "max": [1, 1, 0]}],
///     "bufferViews": [{"buffer": 0, "byteLength": 36}],
///     "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;
/// let scene = gltf::parts(text.as_bytes(), None, &PartOptions::default())?;
/// assert_eq!(scene.parts[0].name, "node 0");
/// assert_eq!(scene.parts[0].poses[0].translation(), [1.0, 2.0, 3.0]);
/// # Ok::<(), xcollide_io::ReadError>(())
/// ```
pub fn parts(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &PartOptions,
) -> Result<Parts, ReadError> {
    with_document(bytes, folder, |root, buffers, size| parts::read(root, buffers, size, options))
}

/// Opens a file and passes on its JSON, its buffers, and their total number of bytes.
fn with_document<T>(
    bytes: &[u8],
    folder: Option<&Path>,
    read: impl FnOnce(&Root, &Buffers<'_>, usize) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let Container { json, json_start, chunk } = open(bytes)?;
    let mut root = parse(&json, json_start)?;
    if !root.asset.version.starts_with("2.") {
        return Err(wrong_version(&root.asset.version));
    }
    extensions::check(&root)?;
    let mut buffers = Buffers::load(&root, chunk.as_deref(), folder)?;
    let size = bytes.len() + buffers.len();
    meshopt::decode(&mut root, &mut buffers)?;
    read(&root, &buffers, size)
}

/// Parses the JSON at an offset of a binary container, or on its own. The crate demands lists of nodes
/// in scenes, which may be missing, and does not know the older glTF 1.0.
fn parse(json: &[u8], start: Option<u64>) -> Result<Root, ReadError> {
    let error = match Root::from_slice(json) {
        Ok(root) => return Ok(root),
        Err(error) => error,
    };
    let Ok(mut value) = deserialize::from_slice::<Value>(json) else {
        return Err(wrong_json(&error, start));
    };
    let version = value["asset"]["version"].to_string();
    if version.trim_matches('"').starts_with('1') {
        return Err(wrong_version(version.trim_matches('"')));
    }
    let mut mended = false;
    let scenes = value.get_mut("scenes").and_then(Value::as_array_mut);
    for scene in scenes.into_iter().flatten().filter_map(Value::as_object_mut) {
        mended |= !scene.contains_key("nodes");
        scene.entry("nodes").or_insert_with(|| Value::Array(Vec::new()));
    }
    let root = if mended { deserialize::from_value(value) } else { Err(error) };
    root.map_err(|error| wrong_json(&error, start))
}

fn wrong_json(error: &::gltf::json::Error, start: Option<u64>) -> ReadError {
    let position = match start {
        _ if error.line() == 0 => Position::File,
        None => Position::Line(error.line() as u64),
        // The chunk is usually one line.
        Some(start) if error.line() == 1 => Position::Byte(start + error.column() as u64),
        Some(start) => Position::Byte(start),
    };
    let message = error.to_string();
    // `ReadError` adds the position.
    let found = message.rsplit_once(" at line ").map_or(&*message, |(found, _)| found);
    Problem::unexpected(found, "glTF 2.0 as JSON").at(position)
}

/// glTF 1.0 has other JSON, and shaders instead of materials.
const CONVERTED: &str = "2.0: convert it, for example with gltf-pipeline, or export it again";

fn wrong_version(version: &str) -> ReadError {
    let found = format!("version {} of glTF", quote(version.as_bytes()));
    let expected = if version.starts_with('1') { CONVERTED } else { "2.0" };
    Problem::unsupported(found, expected).at(Position::File)
}

struct Container<'a> {
    json: Cow<'a, [u8]>,
    /// Offset of the JSON in a binary container.
    json_start: Option<u64>,
    chunk: Option<Cow<'a, [u8]>>,
}

fn open(bytes: &[u8]) -> Result<Container<'_>, ReadError> {
    const GLB: &str = "a GLB of version 2: a JSON chunk, and maybe a BIN chunk";
    const HEADER: usize = 12;
    const CHUNK_HEADER: u64 = 8;

    if bytes.is_empty() {
        return Err(Problem::empty("glTF"));
    }
    if !bytes.starts_with(b"glTF") {
        let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        return Ok(Container { json: json.into(), json_start: None, chunk: None });
    }
    // The crate subtracts the header's length from this one without a check.
    if bytes.get(4..8).is_some_and(|version| version != [2, 0, 0, 0]) {
        let version =
            bytes[4..8].iter().rev().fold(0, |all: u32, &byte| all << 8 | u32::from(byte));
        if version == 1 {
            return Err(wrong_version("1.0"));
        }
        let found = format!("GLB version {version}");
        return Err(Problem::unexpected(found, GLB).at(Position::Byte(0)));
    }
    let length = bytes.get(8..HEADER).and_then(|length| length.try_into().ok());
    let Some(length) = length.map(u32::from_le_bytes) else {
        let expected = "the 12 bytes of a GLB header";
        return Err(Problem::truncated(expected).at(Position::Byte(bytes.len() as u64)));
    };
    if !(HEADER..=bytes.len()).contains(&(length as usize)) {
        let found = format!("a GLB of {length} bytes");
        let expected = format!("{HEADER}..={} bytes", bytes.len());
        return Err(Problem::unexpected(found, expected).at(Position::Byte(8)));
    }
    let glb = Glb::from_slice(&bytes[..length as usize]).map_err(|error| {
        use ::gltf::{Error::Binary, binary::Error};
        let found = match error {
            Binary(Error::Io(_)) => "the end of the file".to_owned(),
            Binary(error) => error.to_string(),
            error => error.to_string(),
        };
        Problem::unexpected(found, GLB).at(Position::Byte(0))
    })?;
    let json_start = Some(HEADER as u64 + CHUNK_HEADER);
    Ok(Container { json: glb.json, json_start, chunk: glb.bin })
}
