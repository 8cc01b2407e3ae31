//! A scene in motion: the pose of every instance by frame, and the response to collisions.
//!
//! Poses are computed with + − × ÷, square roots and `libm` only, in one fixed order, so they are the same on
//! every platform. Rotations are unit quaternions, normalized each frame.

mod assembly;
mod body;
mod files;
mod instances;
mod interest;
mod random_places;
mod response;
mod step;
mod walls;

use xcollide_brep::PolygonMesh;
use xcollide_math::Pose;

pub use files::{NoFiles, SceneFiles};
pub use instances::Instance;
pub(crate) use instances::bounds_of;

use crate::{Formula, MeshSource, Object, Placement, Response, Scene, SceneError, Start};
use assembly::Assembly;
use body::Body;
pub(crate) use body::random_of;
use interest::Groups;
use step::{Rules, Step};
use walls::Walls;

/// A [`Scene`] in motion.
///
/// Instances are numbered through all objects in the order of the scene. Methods panic if an instance or group
/// does not exist. Frame 0 has the initial poses. In each frame take the [`poses`](Self::poses), detect
/// collisions, [`respond`](Self::respond) to them and [`advance`](Self::advance).
///
/// ```
/// use xcollide_scenes::{Simulation, embedded};
///
/// let mut simulation = Simulation::new(&embedded("cage?objects=10")?)?;
/// assert_eq!(simulation.frame(), 0);
/// let before = simulation.poses()[9].translation();
/// // Instances 8 and 9 collide: their velocities are reversed.
/// simulation.respond(&[(8, 9)]);
/// simulation.advance();
/// assert_eq!(simulation.frame(), 1);
/// assert_ne!(simulation.poses()[9].translation(), before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    meshes: Vec<PolygonMesh>,
    /// Of each mesh that only draws a body.
    formulas: Vec<Option<Formula>>,
    instances: Vec<Instance>,
    /// The objects of the resolved scene, without start and motion.
    described: Vec<Object>,
    bodies: Vec<Body>,
    assembly: Assembly,
    groups: Groups,
    walls: Option<Walls>,
    response: Response,
    /// The pairs of the last response, ordered.
    touching: Vec<(usize, usize)>,
    placements: Vec<Placement>,
    poses: Vec<Pose>,
    frame: usize,
    crowded: usize,
}

impl Simulation {
    /// Starts a scene that uses no files.
    ///
    /// # Errors
    /// As for [`with_files`](Self::with_files), and if the scene names a file.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        Self::with_files(scene, &mut NoFiles)
    }

    /// Starts a scene that may use files. Resolves its imports. Besides making the meshes, takes expected linear
    /// time for bodies of similar size at random positions.
    ///
    /// # Errors
    /// [`check`](Scene::check) fails; a shape cannot be made or a file not be read; a mesh has no vertex, or one
    /// beyond 1e100; or the cage has no room for a body that it must keep.
    pub fn with_files(scene: &Scene, files: &mut dyn SceneFiles) -> Result<Self, SceneError> {
        let resolved;
        let scene = if scene.imports.is_empty() {
            scene.check()?;
            scene
        } else {
            resolved = scene.resolved(files)?;
            &resolved
        };
        let (meshes, formulas, mut instances) = instances::make(scene, files)?;
        let mut assembly = Assembly::of(scene, &instances);
        for (instance, parent) in instances.iter_mut().zip(&assembly.parents) {
            instance.parent = *parent;
        }
        let mut bodies = body::make(scene, &instances, files)?;
        assembly.measure(&bodies);
        let walls = Walls::of(scene, &instances)?;
        let all = (meshes.as_slice(), instances.as_slice());
        let crowded = random_places::place(scene, all, &assembly, walls.as_ref(), &mut bodies)?;
        let mut simulation = Self {
            groups: Groups::of(scene),
            placements: vec![Placement::IDENTITY; instances.len()],
            poses: vec![Pose::IDENTITY; instances.len()],
            response: scene.response,
            touching: Vec::new(),
            frame: 0,
            described: scene.objects.iter().map(at_rest).collect(),
            meshes,
            formulas,
            instances,
            bodies,
            assembly,
            walls,
            crowded,
        };
        simulation.step().write_poses();
        Ok(simulation)
    }

    /// The distinct meshes, scaled and centered.
    #[must_use]
    pub fn meshes(&self) -> &[PolygonMesh] {
        &self.meshes
    }

    /// The formula of each mesh that only draws a body given by one.
    #[must_use]
    pub fn formulas(&self) -> &[Option<Formula>] {
        &self.formulas
    }

    /// The instances, object by object.
    #[must_use]
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The pose of every instance in this frame.
    #[must_use]
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// The poses of [`poses`](Self::poses), as quaternions.
    #[must_use]
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The pose of an instance relative to its parent, or to the world without one.
    #[must_use]
    pub fn relative_pose(&self, instance: usize) -> Placement {
        self.bodies[instance].now
    }

    /// The translation of a body per frame; zero unless it is free.
    #[must_use]
    pub fn velocity(&self, instance: usize) -> [f64; 3] {
        self.bodies[instance].velocity
    }

    /// The greatest distance by which a frame's rotation moves a point of a body; zero unless it is free.
    #[must_use]
    pub fn turning(&self, instance: usize) -> f64 {
        // The chord at the farthest vertex.
        2.0 * self.bodies[instance].sine_of_half_spin() * self.instances[instance].radius
    }

    /// The number of this frame, from 0.
    #[must_use]
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// The least and the greatest corner of the cage, if any.
    #[must_use]
    pub fn cage(&self) -> Option<[[f64; 3]; 2]> {
        self.walls.as_ref().map(|walls| [walls.min, walls.max])
    }

    /// The number of instances without a free position, whose spheres may overlap others.
    #[must_use]
    pub fn crowded(&self) -> usize {
        self.crowded
    }

    /// Whether a pair is tested: not both are static, they are in different pieces, and no rule excludes them.
    #[must_use]
    pub fn is_wanted(&self, a: usize, b: usize) -> bool {
        let [x, y] = [a, b].map(|instance| &self.instances[instance]);
        a != b
            && !(x.is_static && y.is_static)
            && self.piece(a) != self.piece(b)
            && self.are_groups_wanted(self.group(a), self.group(b))
    }

    /// The root of the rigid piece of an instance: its last ancestor before a joint ([`Object::jointed`]). Pairs
    /// within a piece are not tested.
    #[must_use]
    pub fn piece(&self, instance: usize) -> usize {
        self.assembly.pieces[instance]
    }

    /// The names of the groups, ordered; instances without a group have the empty name.
    #[must_use]
    pub fn groups(&self) -> &[String] {
        &self.groups.names
    }

    /// The group of an instance, as an index into [`groups`](Self::groups).
    #[must_use]
    pub fn group(&self, instance: usize) -> usize {
        self.groups.of_object[self.instances[instance].object]
    }

    /// Whether pairs of these groups are tested.
    #[must_use]
    pub fn are_groups_wanted(&self, a: usize, b: usize) -> bool {
        self.groups.are_wanted(a, b)
    }

    /// Moves all bodies to the next frame, in linear time.
    pub fn advance(&mut self) {
        self.frame += 1;
        self.step().advance();
    }

    /// As [`advance`](Self::advance), on the threads of rayon's current pool. The poses have the same bits.
    #[cfg(feature = "parallel")]
    pub fn advance_in_parallel(&mut self) {
        self.frame += 1;
        self.step().advance_in_parallel();
    }

    /// Applies the scene's [`Response`](crate::Response) to the colliding pairs of this frame, which changes
    /// velocities for the next [`advance`](Self::advance). Repeated pairs count once; unknown instances are
    /// ignored.
    pub fn respond(&mut self, colliding: &[(usize, usize)]) {
        response::respond(self, colliding);
    }

    /// A scene in which these instances of `scene` are fixed at their poses of this frame, bit for bit, to
    /// reproduce a case later.
    #[must_use]
    pub fn still(&self, scene: &Scene, instances: &[usize]) -> Scene {
        let mut still = Scene::new(&format!("{}, frame {}", scene.name, self.frame));
        still.seed = scene.seed;
        still.frames = 1;
        still.phases.clone_from(&scene.phases);
        for &index in instances {
            let instance = &self.instances[index];
            let described = &self.described[instance.object];
            let mut object = at_rest(described);
            (object.name, object.variants) = (index.to_string(), 0);
            if let MeshSource::Shape(_) = described.mesh {
                object.mesh = instances::spec(described, instance.number).as_str().into();
            }
            object.start = Start::At(vec![self.assembly.world(&self.bodies, index)]);
            still.objects.push(object);
        }
        still
    }

    fn step(&mut self) -> Step<'_> {
        let Self { frame, walls, assembly, bodies, instances, placements, poses, .. } = self;
        let rules = Rules { frame: *frame, walls: walls.as_ref(), assembly };
        Step { rules, bodies, instances, placements, poses }
    }
}

fn at_rest(object: &Object) -> Object {
    let mut still = Object::new(&object.name, "");
    still.mesh.clone_from(&object.mesh);
    (still.scale, still.stretch, still.centered) = (object.scale, object.stretch, object.centered);
    (still.color, still.variants) = (object.color, object.variants);
    still
}
