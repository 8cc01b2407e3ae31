//! Endings of the files that commands write.

pub(crate) const HTML: &[&str] = &["html", "htm"];
pub(crate) const GLB: &[&str] = &["glb"];
pub(crate) const CSV: &[&str] = &["csv"];
pub(super) const MESHES: &[&str] = &["obj", "stl", "ply", "off"];
