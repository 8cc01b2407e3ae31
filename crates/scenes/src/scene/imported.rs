//! The result of an import.

use super::{Object, Rule};

/// Objects and rules that an import adds to a scene.
#[derive(Debug, Default)]
pub(crate) struct Imported {
    pub(crate) objects: Vec<Object>,
    pub(crate) interest: Vec<Rule>,
}
