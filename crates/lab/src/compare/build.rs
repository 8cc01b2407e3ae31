//! A builder of hierarchies as a layer of a comparison.

use xcollide::narrow::mesh::TreeBuilder;
use xcollide::registry::{self, Kind};

/// How narrow phases build their hierarchies: by a builder of the registry, by an own one, or, by
/// default, each in its own way.
///
/// ```
/// use xcollide::narrow::bvh::binary::{Builder, Split};
/// use xcollide::narrow::mesh::TreeBuilder;
/// use xcollide_lab::compare::{Algorithm, Build, Comparison};
///
/// let fours = Builder::new(Split::Median).leaf_size(4);
/// let comparison = Comparison::new()
///     .narrow(Algorithm::narrow_phase("obb-tree").ok_or("no such algorithm")?)
///     .build(Build::default())
///     .build(Build::named("median").ok_or("no such builder")?)
///     .build(Build::own("median, four a leaf", [TreeBuilder::Binary(fours)]));
/// assert_eq!(comparison.combinations().len(), 3);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    name: String,
    /// None for the algorithms' own.
    pub(super) builders: Vec<TreeBuilder>,
}

impl Default for Build {
    /// Each algorithm's own builder.
    fn default() -> Self {
        Self { name: Self::DEFAULT.to_owned(), builders: Vec::new() }
    }
}

impl Build {
    /// The name of the default.
    pub const DEFAULT: &'static str = "auto";

    /// The registry's builder of this name, if any.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let entry = registry::find(Kind::Build, name)?;
        Some(Self { name: name.to_owned(), builders: entry.tree_builders() })
    }

    /// Own builders, one for each kind of hierarchy. An algorithm takes the first that it can use.
    pub fn own(name: impl Into<String>, builders: impl IntoIterator<Item = TreeBuilder>) -> Self {
        Self { name: name.into(), builders: builders.into_iter().collect() }
    }

    /// The name in tables and records.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}
