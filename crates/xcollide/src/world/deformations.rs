//! Objects whose vertices move during a check.

use std::sync::OnceLock;

use super::Failure;
use super::objects::{MOVED, Objects, UNPREPARED};
use crate::bounds::Aabb;
use crate::math::Path;
use crate::math::vector::largest;
use crate::narrow::continuous::{MovingMesh, MovingMeshError};
use crate::narrow::{Model, Pose};

type Positions = Vec<[f64; 3]>;

/// Values of a few objects, by object index.
#[derive(Debug)]
pub(super) struct Sparse<T> {
    /// Without the rest where no further object has one.
    values: Vec<Option<T>>,
    /// The indices of all objects that ever had one since this was made.
    listed: Vec<u32>,
}

impl<T> Default for Sparse<T> {
    fn default() -> Self {
        Self { values: Vec::new(), listed: Vec::new() }
    }
}

impl<T> Sparse<T> {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    #[inline]
    pub(super) fn of(&self, slot: usize) -> Option<&T> {
        self.values.get(slot)?.as_ref()
    }

    pub(super) fn set(&mut self, slot: usize, value: T) {
        if self.values.len() <= slot {
            self.values.resize_with(slot + 1, || None);
        }
        if self.values[slot].replace(value).is_none() {
            self.listed.push(slot as u32);
        }
    }

    #[inline]
    pub(super) fn forget(&mut self, slot: usize) {
        if let Some(value) = self.values.get_mut(slot) {
            *value = None;
        }
    }

    /// All values, ascending by index.
    fn drain(&mut self) -> impl Iterator<Item = (usize, T)> {
        let mut listed = std::mem::take(&mut self.listed);
        // One that was forgotten and set again is listed twice.
        listed.sort_unstable();
        let values = &mut self.values;
        listed.into_iter().filter_map(|index| {
            let slot = index as usize;
            Some((slot, values[slot].take()?))
        })
    }
}

/// An object whose vertices move during the current check.
#[derive(Debug)]
pub(super) struct Deformation {
    /// From time 0 to time 1, in the world.
    pub(super) mesh: MovingMesh,
    /// The positions at time 1, in the model's frame.
    positions: Positions,
    /// The model at time 1, where a query was about that.
    end: OnceLock<Model>,
}

impl Deformation {
    fn new(model: &Model, path: &dyn Path, positions: Positions) -> Result<Self, MovingMeshError> {
        let [start, end] = [path.at(0.0), path.at(1.0)];
        model.check_positions(&positions, &end)?;
        let ends: Positions = positions.iter().map(|&position| end.apply(position)).collect();
        let mesh = MovingMesh::deforming(model, &start, &ends)?;
        Ok(Self { mesh, positions, end: OnceLock::new() })
    }

    /// The model at time 1, in its frame.
    pub(super) fn end(&self) -> &Model {
        let model = self.mesh.model();
        // The positions were checked.
        self.end
            .get_or_init(|| model.moved(self.positions.clone()).unwrap_or_else(|_| model.clone()))
    }

    /// Bounds the vertices on their way.
    pub(super) fn aabb(&self) -> Aabb {
        let swept = self.mesh.swept_aabb();
        if swept.is_empty() {
            return swept;
        }
        // Positions between are rounded.
        swept.expanded(8.0 * f64::EPSILON * largest(swept.min).max(largest(swept.max)))
    }
}

impl Objects {
    /// Begins the motions of vertices that were set since the last check, after the poses and paths are known.
    pub(super) fn begin_deformations(&mut self, failures: &mut Vec<Failure>) {
        if self.next_positions.is_empty() {
            return;
        }
        let mut next = std::mem::take(&mut self.next_positions);
        for (slot, positions) in next.drain() {
            let Some(model) = &self.models[slot] else { continue };
            match Deformation::new(model, self.path(slot), positions) {
                Ok(deformation) => self.deformations.set(slot, deformation),
                Err(error) => failures
                    .push(Failure::Object { object: self.names[slot], message: error.to_string() }),
            }
            self.mark(slot, MOVED);
        }
        self.next_positions = next;
    }

    /// Ends a check: the vertices are at their last positions, and rest there from then on.
    pub(super) fn end_deformations(&mut self, failures: &mut Vec<Failure>) {
        if self.deformations.is_empty() {
            return;
        }
        let mut deformations = std::mem::take(&mut self.deformations);
        for (slot, Deformation { mesh, positions, end }) in deformations.drain() {
            // No handle is left of the model but the object's own, so that it changes in place.
            drop(mesh);
            let Some(model) = &mut self.models[slot] else { continue };
            let moved = match end.into_inner() {
                Some(end) => {
                    *model = end;
                    Ok(())
                }
                None => model.set_positions(&positions),
            };
            if let Err(error) = moved {
                let (object, message) = (self.names[slot], error.to_string());
                failures.push(Failure::Object { object, message });
            }
            self.mark(slot, MOVED | UNPREPARED);
        }
        self.deformations = deformations;
    }

    /// The model of an object at the end of this check, and its pose then.
    pub(super) fn at_end(&self, slot: usize) -> (Option<&Model>, Pose) {
        let model = match self.deformations.of(slot) {
            Some(deformation) => Some(deformation.end()),
            None => self.models[slot].as_ref(),
        };
        (model, self.path(slot).at(1.0))
    }
}
