//! A pair of many with its memory.

use crate::pair::Pair;

/// A pair of many, and what the search remembers of it.
#[derive(Debug)]
pub struct BatchEntry<'a, M> {
    /// The pair.
    pub pair: Pair<'a>,
    /// What is remembered of it.
    pub memory: &'a mut M,
}
