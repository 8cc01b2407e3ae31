//! A world as a value: stored, sent elsewhere, brought back, and it goes on as if nothing had been.
//!
//! What a check finds depends on what was before: which pairs collided, which were tested when, who has
//! waited. All of that is in the snapshot, and the geometry itself: the answers depend on its last bit,
//! and a model is made of its mesh in one way only, so what is made again is equal. A key by which
//! the application finds its own models would tie a snapshot to a place where they still are as they
//! were; who has no use for the geometry makes no snapshots, but sets poses. What algorithms
//! remember, and what broad phases build, is not in it: it changes no answer, and may be of phases that
//! the restored world does not have.

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

/// All of a [`World`] that decides what the next checks find.
///
/// With the feature `serde` it can be written in any format: a pair of a version and the state. Formats
/// that people read have all coordinates as text, so they come back bit for bit from any reader.
///
/// In it: objects with their ids, poses, parents, numbers and flags, also those that are free again;
/// models, each once, however many objects share it; the interest matrix; the query; which pairs
/// collide, with proofs, contacts and distances, since when they are late; the numbers of frames.
///
/// Not in it are values with code of their own: layers, the schedule, callbacks and channels.
///
/// ```
/// use xcollide::prelude::*;
///
/// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
/// let mut world = World::new();
/// let [one, other] = [world.add(&model, &Pose::identity())?, world.add(&model, &Pose::identity())?];
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
    /// `None` where the version is unknown.
    state: Option<State>,
}

impl WorldSnapshot {
    /// The version of the layout that it was read with.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }
}

impl World {
    /// All that decides what the next checks find. Copies the geometry: time and memory are linear in
    /// the objects, the pairs whose boxes overlap, and the faces of the models.
    ///
    /// What was handed to a [`Concurrent`](super::Concurrent) and has not reached the world yet is not
    /// in it; a snapshot that is made by a [change](super::Concurrent::change) has all that was handed
    /// over before.
    #[must_use]
    pub fn snapshot(&self) -> WorldSnapshot {
        WorldSnapshot { version: VERSION, state: Some(capture::state(self)) }
    }

    /// The world of a snapshot, in the layers of a builder, which may be others than it had; also the
    /// schedule is the builder's. Its query and its interest matrix are not used.
    ///
    /// The next frames are those of the world that the snapshot is of, under the same calls: the same
    /// pairs in the same order, with the same proofs of all that is not tested again; and where an
    /// algorithm's proof depends on the two poses alone, all proofs. What differs is how long
    /// things take, what the broad phase counts, [`World::bounds`] before the first check, and that a
    /// schedule that [notices speed](super::Schedule::noticing_speed) knows of none in that check. Models
    /// are prepared again, with it.
    ///
    /// # Errors
    /// The snapshot is of another version, or was damaged.
    pub fn restore(snapshot: &WorldSnapshot, builder: WorldBuilder) -> Result<Self, RestoreError> {
        match &snapshot.state {
            Some(state) if snapshot.version == VERSION => restore::world(state, builder.build()),
            _ => Err(RestoreError::Version { found: snapshot.version, known: VERSION }),
        }
    }
}
