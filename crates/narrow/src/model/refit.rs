//! New versions of a model whose vertices have moved: flexible objects.
//!
//! A model never changes, as queries and proofs rest on it. What moves is made anew, and what can be
//! adapted instead of built again is: the half-edges, which depend on the faces alone, and what
//! algorithms prepared ([`Refit`]).

use std::any::Any;
use std::sync::{Arc, PoisonError};

use xcollide_brep::BrepError;

use super::{AnyPrepared, Kept, Model};

/// What an algorithm keeps with a model and can adapt to moved vertices, sooner than build it.
pub trait Refit: Any + Send + Sync {
    /// The same for `to`, which has the faces of `from`, at other positions. Its triangles may be
    /// others, even in number, where faces have more than three corners. `None`: it has to be built
    /// again, which happens when it is asked for.
    fn refitted(self: &Arc<Self>, from: &Model, to: &Model) -> Option<Arc<Self>>;
}

/// [`Refit::refitted`] of a type that is known no more.
pub(crate) type Refitting = fn(&AnyPrepared, &Model, &Model) -> Option<AnyPrepared>;

fn refitting<T: Refit>(kept: &AnyPrepared, from: &Model, to: &Model) -> Option<AnyPrepared> {
    let kept = kept.clone().downcast::<T>().ok()?;
    Some(kept.refitted(from, to)?)
}

impl Model {
    /// The same faces over moved vertices: a new version of a flexible object, which goes into a
    /// world by `World::set_model`.
    ///
    /// The model is that of the moved mesh in every respect, classified and triangulated anew, so
    /// answers are those of [`from_mesh`](Self::from_mesh), bit for bit; only which of several
    /// contacts is the witness may differ. What algorithms have prepared is adapted here, if it can
    /// be: hierarchies of boxes, spheres, k-DOPs and patches, box-trees, lists of edges. The rest
    /// is built again when it is wanted: hulls, ellipsoids, convex pieces, those that were
    /// [given](crate::compound::Pieces::keep) included.
    ///
    /// Takes a tenth (`interval-tree`), a half (box-trees, axis-aligned boxes, patches) or two thirds
    /// (k-DOPs, spheres) of the time of a new model that is prepared alike, and hardly less for
    /// oriented boxes, where the fit is what takes the time; O(n log n). Hierarchies keep who is next to whom: after large deformations queries take
    /// longer than with a new model.
    ///
    /// # Errors
    /// Not as many positions as the mesh has vertices; one that is not finite.
    ///
    /// ```
    /// # use xcollide_brep::PolygonMesh;
    /// use xcollide_narrow::mesh::Wide;
    /// use xcollide_narrow::{Model, NarrowPhase};
    ///
    /// # let tetrahedron = PolygonMesh::from_polygons(
    /// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    /// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// # )?;
    /// let model = Model::from_mesh(tetrahedron)?;
    /// Wide::new().prepare(&model)?;
    /// let taller = model.mesh().positions().iter().map(|[x, y, z]| [*x, *y, 2.0 * z]).collect();
    /// let moved = model.moved(taller)?;
    /// assert_eq!(moved.local_box().max, [1.0, 1.0, 2.0]);
    /// assert!(Wide::new().prepared_bytes(&moved).is_some(), "its hierarchy is there already");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved(&self, positions: Vec<[f64; 3]>) -> Result<Self, BrepError> {
        let moved = Self::new(self.brep().moved(positions)?);
        if let Some(wide) = self.shared.wide.get().and_then(|wide| wide.moved(&moved)) {
            // Nobody else has the new model yet, so the place is free.
            let _ = moved.shared.wide.set(wide);
        }
        // Not while others wait for the lock: refitting may be spread over threads.
        let kept = self.shared.prepared.read().unwrap_or_else(PoisonError::into_inner).clone();
        for Kept { key, value, refit } in kept {
            let Some(refitted) = refit.and_then(|refit| refit(&value, self, &moved)) else {
                continue;
            };
            let mut list = moved.shared.prepared.write().unwrap_or_else(PoisonError::into_inner);
            if list.iter().all(|other| other.key != key) {
                list.push(Kept { key, value: refitted, refit });
            }
        }
        Ok(moved)
    }

    /// As [`prepared`](Self::prepared), for what can be adapted when [vertices move](Self::moved).
    pub fn prepared_to_refit<T: Refit>(&self, build: impl FnOnce(&Self) -> T) -> Arc<T> {
        match self.lookup::<T>() {
            Some(found) => found,
            None => self.keep(build, Some(refitting::<T>)),
        }
    }
}
