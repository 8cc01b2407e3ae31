//! glTF 2.0, as JSON (`.gltf`) or binary (`.glb`), in: the triangles of a scene in its frame.
//!
//! Read is the default scene, else the first, else all nodes. Each node's mesh is mapped by the
//! transforms of the node and those above it, in f64, and faces under a mirroring transform are
//! turned round, as glTF demands. Triangle lists, strips and fans, indexed or not, become
//! triangles; points and lines are dropped, as are skins, morph targets, animations, materials
//! and all attributes but the positions. Meshes follow one another in depth-first order.
//!
//! Primitives of one mesh that share positions share vertices; apart from that, vertices are as
//! numerous as the file has them. Exporters double them along seams of texture and normals, so
//! a model that should be closed usually wants welding first
//! ([`repair`](https://docs.rs/xcollide-brep)).
//!
//! The `gltf` crate splits the container and parses the JSON. Its accessors trust what the JSON
//! says and panic where that is wrong, so buffers are read through the checked views of this
//! module. Names, offsets and counts are checked where they are used, and nothing else of the
//! file is: a missing `max` does no harm here.
//!
//! Source: Khronos, "glTF 2.0 Specification", 2021.

mod animation;
mod buffers;
mod elements;
mod parts;
mod placing;
mod primitive;
mod scene;
mod transform;
mod turns;

use std::borrow::Cow;
use std::path::Path;

use ::gltf::binary::Glb;
use ::gltf::json::Root;
use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError, quote};
use buffers::Buffers;
pub use parts::{Part, PartOptions, Parts, Pose};

/// Reads glTF whose buffers are inside: as binary chunk, or base64 in the JSON. Takes time
/// linear in the input and the mesh.
///
/// Nodes may share a mesh, so a small file can make a large mesh, but not without bound: at most
/// 2²⁰ vertices and corners, and 256 more for each byte of the file and its buffers.
///
/// # Errors
/// With the line or the element: broken JSON, a reference or range that does not exist, a
/// coordinate that is not finite, a required extension that changes geometry, a buffer that is
/// kept elsewhere.
pub fn read(bytes: &[u8]) -> Result<PolygonMesh, ReadError> {
    read_with(bytes, None)
}

/// Reads glTF whose buffers may also be files, named relative to `folder`.
///
/// Only regular files are opened, and only as much is read as the buffer is said to hold.
///
/// # Errors
/// As [`read`], and where a file cannot be read or is too short.
pub fn read_beside(bytes: &[u8], folder: &Path) -> Result<PolygonMesh, ReadError> {
    read_with(bytes, Some(folder))
}

/// Reads glTF as a scene of [`Parts`]: its meshes one by one, and how they move. Buffers may also
/// be files, named relative to `folder` if there is one.
///
/// What is read, and how much of it at most, is as for [`read`]; besides, a pose a part and frame
/// counts as a vertex.
///
/// # Errors
/// As [`read_beside`]; also where the animation does not exist or is too long, keys are not in
/// order, or a part does not move as a rigid body.
///
/// ```
/// use xcollide_io::gltf::{self, PartOptions};
///
/// // A triangle, moved.
/// let text = r#"{"asset": {"version": "2.0"}, "nodes": [{"translation": [1, 2, 3], "mesh": 0}],
///     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
///     "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
///         "min": [0, 0, 0], "max": [1, 1, 0]}],
///     "bufferViews": [{"buffer": 0, "byteLength": 36}],
///     "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;
/// let scene = gltf::parts(text.as_bytes(), None, &PartOptions::default())?;
/// assert_eq!(scene.parts[0].name, "node 0");
/// assert_eq!(scene.parts[0].poses[0].translation, [1.0, 2.0, 3.0]);
/// # Ok::<(), xcollide_io::ReadError>(())
/// ```
pub fn parts(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &PartOptions,
) -> Result<Parts, ReadError> {
    with_document(bytes, folder, |root, buffers, size| parts::read(root, buffers, size, options))
}

fn read_with(bytes: &[u8], folder: Option<&Path>) -> Result<PolygonMesh, ReadError> {
    with_document(bytes, folder, scene::read)
}

/// Opens a file and hands over its JSON, its buffers, and how many bytes there are altogether.
fn with_document<T>(
    bytes: &[u8],
    folder: Option<&Path>,
    read: impl FnOnce(&Root, &Buffers<'_>, usize) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let Container { json, json_start, chunk } = Container::open(bytes)?;
    let root = Root::from_slice(&json).map_err(|error| {
        let position = match json_start {
            None => Position::Line(error.line() as u64),
            // The chunk is one line as a rule.
            Some(start) if error.line() == 1 => Position::Byte(start + error.column() as u64),
            Some(start) => Position::Byte(start),
        };
        let message = error.to_string();
        // The position is ours to say.
        let found = message.rsplit_once(" at line ").map_or(&*message, |(found, _)| found);
        Problem::unexpected(found, "glTF 2.0 as JSON").at(position)
    })?;
    check_extensions(&root)?;
    let buffers = Buffers::load(&root, chunk.as_deref(), folder)?;
    read(&root, &buffers, bytes.len() + buffers.len())
}

/// The two parts of a file.
struct Container<'a> {
    json: Cow<'a, [u8]>,
    /// Where the JSON starts in a binary container.
    json_start: Option<u64>,
    chunk: Option<Cow<'a, [u8]>>,
}

impl<'a> Container<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        const HEADER: usize = 12;
        const CHUNK_HEADER: u64 = 8;

        if bytes.is_empty() {
            return Err(Problem::Empty { expected: "glTF".into() }.at(Position::File));
        }
        if !bytes.starts_with(b"glTF") {
            let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            return Ok(Self { json: json.into(), json_start: None, chunk: None });
        }
        // The crate subtracts the header's length from this one unchecked.
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
            let found = match error {
                ::gltf::Error::Binary(::gltf::binary::Error::Version(version)) => {
                    format!("GLB version {version}")
                }
                ::gltf::Error::Binary(::gltf::binary::Error::Io(_)) => {
                    "the end of the file".to_owned()
                }
                ::gltf::Error::Binary(error) => error.to_string(),
                error => error.to_string(),
            };
            let expected = "a GLB of version 2: a JSON chunk, and maybe a BIN chunk";
            Problem::unexpected(found, expected).at(Position::Byte(0))
        })?;
        let json_start = Some(HEADER as u64 + CHUNK_HEADER);
        Ok(Self { json: glb.json, json_start, chunk: glb.bin })
    }
}

/// Refuses files that cannot be understood without an extension that is not known to leave
/// positions and triangles alone.
fn check_extensions(root: &Root) -> Result<(), ReadError> {
    const HARMLESS: [&str; 5] =
        ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_mesh_quantization"];
    let harmful = |name: &&String| !HARMLESS.iter().any(|harmless| name.starts_with(harmless));
    match root.extensions_required.iter().find(harmful) {
        None => Ok(()),
        Some(name) => {
            let found = format!("the required extension {}", quote(name.as_bytes()));
            let expected = "plain buffers, triangles and nodes";
            Err(Problem::unsupported(found, expected).at(Position::File))
        }
    }
}
