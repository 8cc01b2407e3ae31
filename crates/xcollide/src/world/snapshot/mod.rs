//! A world as a value, to be stored or sent elsewhere and restored.
//!
//! The result of a check depends on history: which pairs collided, when they were tested, which are late.
//! The snapshot contains this history and the meshes, bit for bit; the mesh determines the model. It omits
//! caches and broad-phase data, which change no answer and depend on the layers.

mod capture;
mod error;
#[cfg(feature = "serde")]
mod exact;
pub(crate) mod record;
mod restore;
#[cfg(feature = "serde")]
mod version;

use super::{World, WorldBuilder};
use record::{State, VERSION};

pub use error::RestoreError;

/// All of a [`World`] that decides the results of later checks.
///
/// With the feature `serde` it can be written in any format, as a pair of version and state.
/// Human-readable formats get coordinates as text, so they survive bit for bit.
///
/// It contains objects (ids, poses, parents, user data, flags, free indices); models, each once;
/// the interest matrix; the query; pairs with verdicts, proofs, contacts, distances and waiting
/// times; frame numbers.
///
/// It omits values with code of their own: layers, schedule, callbacks and channels. Points of contact manifolds get new ids.
///
/// ```
/// use xcollide::prelude::*;
///
/// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
/// let mut world = World::new();
/// let [one, other] = [world.add(&model, &Pose::IDENTITY)?, world.add(&model, &Pose::IDENTITY)?];
/// assert_eq!(world.check().began.len(), 1);
///
/// let snapshot = world.snapshot();
/// let mut again = World::restore(&snapshot, World::builder())?;
/// let frame = again.check();
/// assert_eq!((frame.number, frame.persisting.len()), (1, 1));
/// assert!(frame.collides(one, other));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSnapshot {
    version: u32,
    /// `None` if the version is unknown.
    state: Option<State>,
}

impl WorldSnapshot {
    /// The version of the layout in which it was written.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }
}

impl World {
    /// A snapshot of the world. Copies the geometry: time and memory are linear in the objects, the
    /// pairs with overlapping boxes and the faces of the models.
    ///
    /// Entries of a [`Concurrent`](super::Concurrent) that have not reached the world are missing;
    /// a snapshot made inside a [change](super::Concurrent::change) has all entries before it.
    #[must_use]
    pub fn snapshot(&self) -> WorldSnapshot {
        WorldSnapshot { version: VERSION, state: Some(capture::state(self)) }
    }

    /// Restores a world with the layers and the schedule of `builder`, which may differ from the
    /// original's. The builder's query and interest matrix are ignored.
    ///
    /// Under the same calls, the frames equal those of the original: the same pairs in the same order, and
    /// the same proofs for pairs that need no new test (for all pairs, if the algorithm's proof depends on
    /// the two poses alone). Times, broad-phase counts and [`World::bounds`] before the first check may
    /// differ; a schedule that [notices speed](super::Schedule::noticing_speed) starts without speeds. The
    /// first check prepares models again.
    ///
    /// # Errors
    /// The snapshot has another version or was damaged.
    pub fn restore(snapshot: &WorldSnapshot, builder: WorldBuilder) -> Result<Self, RestoreError> {
        match &snapshot.state {
            Some(state) if snapshot.version == VERSION => restore::world(state, builder.build()),
            _ => Err(RestoreError::Version { found: snapshot.version, known: VERSION }),
        }
    }
}
