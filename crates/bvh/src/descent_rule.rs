//! Which node a traversal of two trees opens next.

/// Which of two overlapping nodes is replaced by its children. If one is a leaf, it is the other one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DescentRule {
    /// The larger one, by the diagonal of the box around its primitives; of equals the first tree's
    /// (Daneu 3.4.1, there by volume; Gottschalk).
    #[default]
    LargerFirst,
    /// That of the first and of the second tree by turns.
    Alternate,
    /// Both: four pairs of children, as the slides' pseudo-code has it.
    Both,
}
