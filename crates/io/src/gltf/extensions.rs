//! Which extensions are read, skipped or refused.

use ::gltf::json::Root;

use super::compression::{DRACO, MESHOPT};
use super::instances;
use crate::error::{Position, Problem, ReadError, quote};
use crate::report::{ReadReport, RemarkKind};

/// Extensions that are read.
const READ: [&str; 5] = [instances::NAME, DRACO, MESHOPT[0], MESHOPT[1], "KHR_mesh_quantization"];

/// Beginnings of the names of extensions that change no positions or triangles.
const APPEARANCE: [&str; 12] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_xmp",
    "KHR_technique",
    "KHR_audio",
    "EXT_texture_",
    "EXT_lights_",
    "EXT_structural_metadata",
    "MSFT_texture_",
    "ADOBE_materials_",
    "AGI_stk_metadata",
];

/// Rejects required extensions that may change positions or triangles.
pub(super) fn check(root: &Root) -> Result<(), ReadError> {
    let is_harmful = |name: &&String| !is_read(name) && !is_appearance(name);
    match root.extensions_required.iter().find(is_harmful) {
        None => Ok(()),
        Some(name) => {
            let found = format!("the required extension {}", quote(name.as_bytes()));
            let expected = "plain buffers, triangles and nodes: export without it";
            Err(Problem::unsupported(found, expected).at(Position::File))
        }
    }
}

/// Reports extensions that are not read.
pub(super) fn report(root: &Root, report: &mut ReadReport) {
    for name in root.extensions_used.iter().filter(|name| !is_read(name)) {
        let kind = if is_appearance(name) { RemarkKind::Attribute } else { RemarkKind::Unknown };
        let name = format!(" {}", quote(name.as_bytes()));
        report.add(kind, "extension", &name, 1, Position::File);
    }
}

fn is_read(name: &str) -> bool {
    READ.contains(&name)
}

fn is_appearance(name: &str) -> bool {
    APPEARANCE.iter().any(|prefix| name.starts_with(prefix))
}
