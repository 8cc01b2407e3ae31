//! Stands for the decoder of Draco where the feature `draco` is off: compressed primitives are rejected.

use std::convert::Infallible;
use std::marker::PhantomData;

use ::gltf::json::mesh::Primitive;

use super::compression::by_draco;
use super::elements::Source;
use crate::error::Problem;

/// Stands for a decoded primitive; without the decoder there is no value.
pub(super) struct Decoded<'a>(Infallible, PhantomData<&'a ()>);

impl<'a> Decoded<'a> {
    /// Rejects a primitive that only Draco can read.
    pub(super) fn of(
        source: &mut Source<'a>,
        primitive: &'a Primitive,
    ) -> Result<Option<Self>, Problem> {
        let found = "a primitive compressed by Draco";
        match by_draco(source.root, primitive) {
            None => Ok(None),
            Some(_) => Err(Problem::FeatureDisabled { found, feature: "draco" }),
        }
    }

    pub(super) fn vectors<const N: usize>(
        &self,
        _: &'static str,
        _: bool,
    ) -> Result<Vec<[f64; N]>, Problem> {
        match self.0 {}
    }

    pub(super) fn corners(&self) -> Vec<u32> {
        match self.0 {}
    }
}
