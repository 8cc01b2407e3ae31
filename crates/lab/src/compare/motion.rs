//! A scene's motion, recorded once, so that all algorithms see the same poses.
//!
//! What collides is part of the motion of a scene that answers collisions; so the poses are those
//! of a run by the default algorithms, and a wrong algorithm cannot lead the scene astray while it
//! is compared.

use nalgebra::Isometry3;
use xcollide::brep::PolygonMesh;
use xcollide::narrow::{Model, Query, Semantics};
use xcollide::{ObjectId, World, WorldError};
use xcollide_scenes::{Placement, Scene, SceneFiles, Simulation};

use super::CompareError;
use crate::run::SceneWorld;

/// The poses of all frames, and which pairs collide in each.
#[derive(Clone, Debug)]
pub struct Motion {
    scene: Scene,
    semantics: Semantics,
    /// As it was in frame 0.
    simulation: Simulation,
    /// The instances that are not static.
    moving: Vec<usize>,
    /// Frame by frame, the poses of those that are not static.
    poses: Vec<Isometry3<f64>>,
    /// Frame by frame, ordered.
    colliding: Vec<Vec<[u32; 2]>>,
}

impl Motion {
    /// The most memory that poses may take.
    const MOST_BYTES: usize = 1 << 30;

    /// Runs the scene for as many frames as it has, by the default algorithms. `seen` is told each
    /// frame that is done.
    ///
    /// # Errors
    /// The scene cannot be made, or its poses take more than a gigabyte.
    pub fn record(
        scene: &Scene,
        files: &mut dyn SceneFiles,
        seen: impl FnMut(usize),
    ) -> Result<Self, CompareError> {
        Self::record_as(Semantics::Solid, scene, files, seen)
    }

    /// The same for bodies or for surfaces.
    ///
    /// # Errors
    /// As for [`record`](Self::record).
    pub fn record_as(
        semantics: Semantics,
        scene: &Scene,
        files: &mut dyn SceneFiles,
        mut seen: impl FnMut(usize),
    ) -> Result<Self, CompareError> {
        let unusable = |problem: String| CompareError::Scene { scene: scene.name.clone(), problem };
        let world = World::builder().query(Query::new().semantics(semantics)).build();
        let mut staged = SceneWorld::new(scene, files, world, false)
            .map_err(|error| unusable(error.to_string()))?;
        let simulation = staged.simulation().clone();
        let instances = simulation.instances();
        let moving: Vec<usize> =
            (0..instances.len()).filter(|&index| !instances[index].is_static).collect();
        let bytes = moving.len().saturating_mul(scene.frames) * size_of::<Isometry3<f64>>();
        if bytes > Self::MOST_BYTES {
            let most = Self::MOST_BYTES / size_of::<Isometry3<f64>>() / moving.len();
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
                staged.advance();
            }
            let all = staged.simulation().poses();
            poses.extend(moving.iter().map(|&index| all[index]));
            staged.detect().map_err(|failure| unusable(failure.to_string()))?;
            colliding.push(staged.colliding());
            seen(frame);
        }
        Ok(Self { scene: scene.clone(), semantics, simulation, moving, poses, colliding })
    }

    /// The scene.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Whether closed meshes are bodies, or surfaces.
    #[must_use]
    pub fn semantics(&self) -> Semantics {
        self.semantics
    }

    /// The scene's instances and meshes, as they begin.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// How many frames there are.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.colliding.len()
    }

    /// The pairs of instances that collide in a frame, the smaller number first, ordered.
    ///
    /// # Panics
    /// There is no such frame.
    #[must_use]
    pub fn colliding(&self, frame: usize) -> &[[u32; 2]] {
        &self.colliding[frame]
    }

    /// Puts the instances into a world where they are in frame 0; returns their ids.
    ///
    /// # Errors
    /// The world does not take one, in words.
    pub(super) fn enter(
        &self,
        world: &mut World,
        models: &[Model],
    ) -> Result<Vec<ObjectId>, String> {
        let instances = self.simulation.instances();
        let mut ids = Vec::with_capacity(instances.len());
        for (index, instance) in instances.iter().enumerate() {
            let refused = |error: WorldError| format!("object {index}: {error}");
            let id = world.add(&models[instance.mesh], &self.pose(0, index)).map_err(refused)?;
            world.set_static(id, instance.is_static).map_err(refused)?;
            ids.push(id);
        }
        Ok(ids)
    }

    /// The models of the scene's meshes; nobody else has them.
    ///
    /// # Errors
    /// A mesh makes none, in words.
    pub(super) fn models(&self) -> Result<Vec<Model>, String> {
        let model = |mesh: &PolygonMesh| Model::from_mesh(mesh.clone());
        let all: Result<_, _> = self.simulation.meshes().iter().map(model).collect();
        all.map_err(|error| error.to_string())
    }

    /// The instances that are not static with their poses in a frame.
    pub(super) fn poses(&self, frame: usize) -> impl Iterator<Item = (usize, &Isometry3<f64>)> {
        let first = frame * self.moving.len();
        self.moving.iter().copied().zip(&self.poses[first..first + self.moving.len()])
    }

    /// Where an instance is in a frame.
    pub(super) fn pose(&self, frame: usize, instance: usize) -> Isometry3<f64> {
        match self.moving.binary_search(&instance) {
            Ok(place) => self.poses[frame * self.moving.len() + place],
            Err(_) => self.simulation.poses()[instance],
        }
    }

    /// The scene in which these instances stand still where they are in a frame, bit for bit.
    pub(super) fn still(&self, frame: usize, instances: &[usize]) -> Scene {
        let mut still = self.simulation.still(&self.scene, instances);
        still.name = format!("{}, frame {frame}", self.scene.name);
        for (object, &instance) in still.objects.iter_mut().zip(instances) {
            let at = Placement::from(self.pose(frame, instance));
            object.start = xcollide_scenes::Start::At(vec![at]);
        }
        still
    }

    /// The scene in which these instances go alone the way that they went up to a frame.
    pub(super) fn until(&self, frame: usize, instances: &[usize]) -> Scene {
        let mut scene = self.still(frame, instances);
        scene.name = format!("{}, frames 0 to {frame}", self.scene.name);
        scene.frames = frame + 1;
        for (object, &instance) in scene.objects.iter_mut().zip(instances) {
            let way = (0..=frame).map(|frame| Placement::from(self.pose(frame, instance)));
            object.motion = xcollide_scenes::Motion::Recorded {
                poses: xcollide_scenes::Recording::Listed(way.collect()),
                ending: xcollide_scenes::Ending::Stay,
            };
        }
        scene
    }
}
