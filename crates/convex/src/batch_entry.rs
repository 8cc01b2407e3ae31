//! A pair of a batch.

use crate::pair::Pair;

/// A pair of a batch, with its memory.
#[derive(Debug)]
pub struct BatchEntry<'a, M> {
    /// The pair.
    pub pair: Pair<'a>,
    /// What the search keeps from its last query.
    pub memory: &'a mut M,
}
