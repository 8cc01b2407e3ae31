//! Algorithms made of algorithms.

mod auto;
mod chain;
mod race;
