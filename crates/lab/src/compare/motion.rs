//! The recorded motion of a scene, so that all algorithms see the same poses.
//!
//! Responses to collisions are part of the motion. The default algorithms run the scene, so that a
//! wrong algorithm cannot change the motion while it is compared.

use xcollide::World;
use xcollide::narrow::{Query, Semantics};
use xcollide_scenes::{Ending, Motion as Movement, Placement, Recording, Scene, SceneFiles};
use xcollide_scenes::{Simulation, Start};

use super::CompareError;
use crate::run::SceneWorld;

/// The poses and colliding pairs of all frames.
#[derive(Clone, Debug)]
pub struct Motion {
    scene: Scene,
    semantics: Semantics,
    /// The state in frame 0.
    simulation: Simulation,
    /// The instances that are not static.
    moving: Vec<usize>,
    /// Poses of the moving instances, frame by frame.
    poses: Vec<Placement>,
    /// Colliding pairs, frame by frame, ordered.
    colliding: Vec<Vec<[u32; 2]>>,
}

impl Motion {
    /// The most bytes of poses.
    const MOST_BYTES: usize = 1 << 30;

    /// Runs all frames of the scene by the default algorithms. Calls `seen` after each frame.
    ///
    /// # Errors
    /// The scene is invalid, or its poses take more than a gigabyte.
    pub fn record(
        scene: &Scene,
        files: &mut dyn SceneFiles,
        seen: impl FnMut(usize),
    ) -> Result<Self, CompareError> {
        Self::record_as(Semantics::Solid, scene, files, seen)
    }

    /// As [`record`](Self::record), with the given semantics.
    ///
    /// # Errors
    /// As for [`record`](Self::record).
    pub fn record_as(
        semantics: Semantics,
        scene: &Scene,
        files: &mut dyn SceneFiles,
        mut seen: impl FnMut(usize),
    ) -> Result<Self, CompareError> {
        let unusable = |problem| CompareError::Scene { scene: scene.name.clone(), problem };
        if scene.objects.iter().any(|object| object.flexible.is_some()) {
            let what = "found an object that changes its shape, expected rigid ones, as only poses are recorded";
            return Err(unusable(what.to_owned()));
        }
        let world = World::builder().query(Query::new().semantics(semantics)).build();
        let mut staged = SceneWorld::new(scene, files, world, false).map_err(unusable)?;
        let simulation = staged.simulation().clone();
        let instances = simulation.instances();
        let moving: Vec<usize> =
            (0..instances.len()).filter(|&index| !instances[index].is_static).collect();
        let bytes = moving.len().saturating_mul(scene.frames) * size_of::<Placement>();
        if bytes > Self::MOST_BYTES {
            let most = Self::MOST_BYTES / size_of::<Placement>() / moving.len();
            return Err(unusable(format!(
                "{} frames of {} moving objects are too many to record, expected at most {most} \
                 frames",
                scene.frames,
                moving.len()
            )));
        }
        let mut poses = Vec::with_capacity(moving.len() * scene.frames);
        let mut colliding = Vec::with_capacity(scene.frames);
        for frame in 0..scene.frames {
            if frame > 0 {
                staged.advance().map_err(|failure| unusable(failure.to_string()))?;
            }
            let all = staged.simulation().placements();
            poses.extend(moving.iter().map(|&index| all[index]));
            staged.detect().map_err(|failure| unusable(failure.to_string()))?;
            colliding.push(staged.colliding());
            seen(frame);
        }
        Ok(Self { scene: scene.clone(), semantics, simulation, moving, poses, colliding })
    }

    pub(crate) fn scene(&self) -> &Scene {
        &self.scene
    }

    pub(crate) fn semantics(&self) -> Semantics {
        self.semantics
    }

    /// The scene's instances and meshes in frame 0.
    pub(crate) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.colliding.len()
    }

    /// The colliding pairs of instances in a frame, ordered, the smaller number first.
    ///
    /// # Panics
    /// No such frame.
    #[must_use]
    pub fn colliding(&self, frame: usize) -> &[[u32; 2]] {
        &self.colliding[frame]
    }

    /// The instances that move, ascending.
    pub(super) fn moving(&self) -> &[usize] {
        &self.moving
    }

    /// Their poses in a frame.
    pub(super) fn poses(&self, frame: usize) -> &[Placement] {
        let first = frame * self.moving.len();
        &self.poses[first..first + self.moving.len()]
    }

    /// The pose of an instance in a frame.
    pub(crate) fn pose(&self, frame: usize, instance: usize) -> Placement {
        match self.moving.binary_search(&instance) {
            Ok(place) => self.poses[frame * self.moving.len() + place],
            Err(_) => self.simulation.placements()[instance],
        }
    }

    /// A scene of these instances, standing still at their exact poses in a frame.
    pub(super) fn still(&self, frame: usize, instances: &[usize]) -> Scene {
        let mut still = self.simulation.still(&self.scene, instances);
        still.name = format!("{}, frame {frame}", self.scene.name);
        for (object, &instance) in still.objects.iter_mut().zip(instances) {
            object.start = Start::At(vec![self.pose(frame, instance)]);
        }
        still
    }

    /// A scene of these instances, moving as recorded up to a frame.
    pub(super) fn until(&self, frame: usize, instances: &[usize]) -> Scene {
        let mut scene = self.still(frame, instances);
        scene.name = format!("{}, frames 0 to {frame}", self.scene.name);
        scene.frames = frame + 1;
        scene.continuous = self.scene.continuous;
        for (object, &instance) in scene.objects.iter_mut().zip(instances) {
            let way = (0..=frame).map(|frame| self.pose(frame, instance));
            let poses = Recording::Listed(way.collect());
            object.motion = Movement::Recorded { poses, ending: Ending::Stay };
        }
        scene
    }
}
