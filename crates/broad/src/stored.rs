//! The stored forms of types with promises about their fields, which deserialising checks.

use crate::ProxyIds;

#[derive(serde::Deserialize)]
#[serde(rename = "ProxyIds")]
pub(crate) struct StoredProxyIds {
    generations: Vec<u32>,
    free: Vec<u32>,
}

impl TryFrom<StoredProxyIds> for ProxyIds {
    type Error = &'static str;

    fn try_from(StoredProxyIds { generations, free }: StoredProxyIds) -> Result<Self, Self::Error> {
        Self::from_parts(generations, free)
            .ok_or("an index is free twice, or is free and was never issued")
    }
}

#[cfg(feature = "classic")]
#[derive(serde::Deserialize)]
#[serde(rename = "GridSettings")]
pub(crate) struct StoredGridSettings {
    cell: Option<f64>,
    universe: Option<xcollide_bounds::Aabb>,
    indexed: bool,
    stabbed: bool,
}

#[cfg(feature = "classic")]
impl From<StoredGridSettings> for crate::classic::GridSettings {
    /// As the setters, ignores a cell or universe that cannot be.
    fn from(stored: StoredGridSettings) -> Self {
        let mut settings = Self::new();
        settings = stored.cell.map_or(settings, |side| settings.cell(side));
        settings = stored.universe.map_or(settings, |universe| settings.universe(&universe));
        settings = if stored.indexed { settings.indexed() } else { settings };
        if stored.stabbed { settings.stabbed() } else { settings }
    }
}
