//! How to build a box-tree: the thesis's parameters as values.

/// The parameters of a [`BoxTree`](crate::classic::box_tree::BoxTree) (Zachmann 1994, 3.6.3).
///
/// The thesis leaves most numbers to experiments. The defaults suit smooth shapes.
/// For shapes full of holes use [`CutSearch::Sweep`] with a γ of 4.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxTreeOptions {
    /// `d_max`: no leaf has more cuts above it. Not above [`DEPTH_LIMIT`](Self::DEPTH_LIMIT).
    pub max_depth: u32,
    /// `Min`: a box with this many triangles or fewer is not cut.
    pub min_triangles: usize,
    /// γ: the weight of a triangle that crosses a cut, relative to one that unbalances it. At least 0.
    pub crossing_weight: f64,
    /// λ: a box is not cut if a part would get more than this share of its triangles.
    pub max_share: f64,
    /// The most entries of triangles in leaves, over the number of triangles; at least 1. (Our addition; the
    /// thesis reports 1.2 to 16.)
    ///
    /// A node is cut only while the product of (left + right) / all over this cut and those above stays
    /// within the bound. That bounds the sum: divided by its product, the number of triangles of a node is
    /// the sum of those of its children. So the leaves together have n, and products are within the bound.
    pub max_copies: f64,
    /// δ: half the thickness of a cut-plane, relative to the longest side of the whole box; clamped to 0 to
    /// 0.01, and at least a few roundings of the coordinates.
    pub thickness: f64,
    /// The search for the best cut along an axis.
    pub search: CutSearch,
    /// Cuts off empty space first if it is at least this share of a side (the first heuristic under "other
    /// criteria for box-splitting", with a third). Empty leaves end a traversal early. 1 or more: never, as
    /// in the thesis's own trees.
    pub empty_share: f64,
}

/// The search for a cut-plane along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CutSearch {
    /// The thesis's interval bisection for `|n_l − n_r|`; crossing triangles count only when the three axes
    /// are compared.
    ///
    /// The interval `[l, r]` is cut at its middle c. If `n_l < n_r`, the new left end is
    /// `l' = (2 n_l · l + (n_r − n_l) · c) / (n_l + n_r)`, else the right end likewise: the whole half is
    /// dropped if one side is empty, nothing if they are equal. (The thesis lacks the factor 2, without which
    /// the weights do not sum to one, and the ½ of the middle.)
    Bisection {
        /// `Max`, typically 10.
        iterations: u32,
        /// `p_max`: a penalty that is good enough, typically 0.5.
        enough: f64,
    },
    /// The global minimum of the penalty `|n_l − n_r| + γ n_c` over the planes at which extents of triangles
    /// end (for γ ≥ 1, over all planes), by sorting.
    Sweep,
}

impl BoxTreeOptions {
    /// No box-tree is deeper.
    pub const DEPTH_LIMIT: u32 = 60;

    /// The trees of the thesis's figures: no leaf is empty. (The defaults cut off empty space first, its future work.) The
    /// sizes of leaves and copies are those that suit its objects here; `xcollide compare --paper zachmann-3.32` varies them.
    pub const OF_1994: Self = Self {
        max_depth: Self::DEPTH_LIMIT,
        min_triangles: 16,
        crossing_weight: 1.0,
        max_share: 0.9,
        max_copies: 1.5,
        thickness: 1e-10,
        search: CutSearch::Bisection { iterations: 10, enough: 0.5 },
        empty_share: 1.0,
    };
}

impl Default for BoxTreeOptions {
    fn default() -> Self {
        Self { empty_share: 1.0 / 3.0, ..Self::OF_1994 }
    }
}
