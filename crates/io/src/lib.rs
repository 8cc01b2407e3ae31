#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
mod format;
mod format_detection;
pub mod glb;
pub mod gltf;
pub mod obj;
pub mod off;
pub mod ply;
mod read;
mod report;
mod soup;
pub mod stl;
mod text;
mod write;
mod write_error;

pub use xcollide_brep::PolygonMesh;

pub use error::{Position, Problem, ReadError};
pub use format::Format;
pub use read::{MeshFile, read_bytes, read_path};
pub use report::{NoFaces, ReadReport, Remark, RemarkKind};
pub use write::{write_bytes, write_path};
pub use write_error::WriteError;
