//! A scene in motion: where every instance is in each frame, and how collisions turn it away.
//!
//! Poses are computed with + − × ÷, square roots and `libm` alone, in one fixed order, so they
//! are the same on every platform. Rotations are unit quaternions, normalised anew each frame.

mod assembly;
mod body;
mod bulk;
mod files;
mod instances;
mod interest;
mod placing;
mod response;
mod walls;

use nalgebra::Isometry3;
use xcollide_brep::PolygonMesh;

pub use files::{NoFiles, SceneFiles};
pub use instances::Instance;

use crate::{MeshSource, Object, Response, Scene, SceneError, Start};
use assembly::Assembly;
use body::Body;
pub(crate) use body::random_of;
use interest::Groups;
use walls::Walls;

/// A [`Scene`] in motion: meshes and poses out, lists of colliding pairs in.
///
/// Instances are numbered through all objects in the order of the scene. Frame 0 is that of the
/// initial poses. A frame is: take the [`poses`](Self::poses), detect collisions,
/// [`respond`](Self::respond) to them, [`advance`](Self::advance).
///
/// ```
/// use xcollide_scenes::{Simulation, embedded};
///
/// let mut simulation = Simulation::new(&embedded("cage?objects=10")?)?;
/// assert_eq!(simulation.frame(), 0);
/// let before = simulation.poses()[9].translation;
/// // Say that somebody found instances 8 and 9 to collide: their velocities are reversed.
/// simulation.respond(&[(8, 9)]);
/// simulation.advance();
/// assert_eq!(simulation.frame(), 1);
/// assert_ne!(simulation.poses()[9].translation, before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    meshes: Vec<PolygonMesh>,
    instances: Vec<Instance>,
    /// The objects of the resolved scene, without where they begin and how they move.
    described: Vec<Object>,
    bodies: Vec<Body>,
    assembly: Assembly,
    groups: Groups,
    walls: Option<Walls>,
    response: Response,
    /// The pairs of the last response, ordered.
    touching: Vec<(usize, usize)>,
    poses: Vec<Isometry3<f64>>,
    frame: usize,
    crowded: usize,
}

impl Simulation {
    /// Begins a scene whose meshes and motions are all computed.
    ///
    /// # Errors
    /// As for [`with_files`](Self::with_files), and if the scene names a file.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        Self::with_files(scene, &mut NoFiles)
    }

    /// Begins a scene; what is in files is asked of `files`. Takes, besides making the meshes,
    /// expected linear time for bodies of about one size placed at random.
    ///
    /// Instances are those of the [resolved](Scene::resolved) scene, if it has imports.
    ///
    /// # Errors
    /// The scene does not pass [`check`](Scene::check); a shape cannot be made, a file not be
    /// had; a mesh has no vertex, or one beyond 1e100; or the cage has no room for a body that it must keep.
    pub fn with_files(scene: &Scene, files: &mut dyn SceneFiles) -> Result<Self, SceneError> {
        let resolved;
        let scene = if scene.imports.is_empty() {
            scene.check()?;
            scene
        } else {
            resolved = scene.resolved(files)?;
            &resolved
        };
        let (meshes, mut instances) = instances::make(scene, files)?;
        let mut assembly = Assembly::of(scene, &instances);
        for (instance, parent) in instances.iter_mut().zip(assembly.parents()) {
            instance.parent = *parent;
        }
        let mut bodies = body::make(scene, &instances, files)?;
        assembly.measure(&bodies);
        let walls = Walls::of(scene, &instances)?;
        let all = (meshes.as_slice(), instances.as_slice());
        let crowded = placing::place(scene, all, &assembly, walls.as_ref(), &mut bodies)?;
        let mut simulation = Self {
            groups: Groups::of(scene),
            poses: vec![Isometry3::identity(); instances.len()],
            response: scene.response,
            touching: Vec::new(),
            frame: 0,
            described: scene.objects.iter().map(at_rest).collect(),
            meshes,
            instances,
            bodies,
            assembly,
            walls,
            crowded,
        };
        simulation.write_poses();
        Ok(simulation)
    }

    /// The meshes, enlarged and centered as the scene says. Equal ones are there once.
    #[must_use]
    pub fn meshes(&self) -> &[PolygonMesh] {
        &self.meshes
    }

    /// The instances, object by object.
    #[must_use]
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Where every instance is in this frame.
    #[must_use]
    pub fn poses(&self) -> &[Isometry3<f64>] {
        &self.poses
    }

    /// Where an instance is relative to its parent, or in the world if it has none.
    ///
    /// # Panics
    /// There is no such instance.
    #[must_use]
    pub fn relative_pose(&self, instance: usize) -> Isometry3<f64> {
        self.bodies[instance].now.into()
    }

    /// How far a body moves in a frame; zero where it is not free.
    ///
    /// # Panics
    /// There is no such instance.
    #[must_use]
    pub fn velocity(&self, instance: usize) -> [f64; 3] {
        self.bodies[instance].velocity
    }

    /// The most that any point of a body moves in a frame because it turns; zero where it is not free.
    ///
    /// # Panics
    /// There is no such instance.
    #[must_use]
    pub fn turning(&self, instance: usize) -> f64 {
        // The chord of the angle, at the farthest vertex.
        2.0 * self.bodies[instance].sine_of_half_spin() * self.instances[instance].radius
    }

    /// The number of this frame, from 0.
    #[must_use]
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// The least and the greatest corner of the cage, if there is one.
    #[must_use]
    pub fn cage(&self) -> Option<[[f64; 3]; 2]> {
        self.walls.as_ref().map(|walls| [walls.min, walls.max])
    }

    /// For how many instances no free place was found, so that their spheres may overlap others.
    #[must_use]
    pub fn crowded(&self) -> usize {
        self.crowded
    }

    /// Whether a pair is wanted: not both static, not of the same piece, and not switched off
    /// by the scene's interest.
    ///
    /// # Panics
    /// There is no such instance.
    #[must_use]
    pub fn is_wanted(&self, a: usize, b: usize) -> bool {
        let [x, y] = [a, b].map(|instance| &self.instances[instance]);
        a != b
            && !(x.is_static && y.is_static)
            && self.assembly.piece(a) != self.assembly.piece(b)
            && self.are_groups_wanted(self.group(a), self.group(b))
    }

    /// The rigid piece that an instance is part of: the instance that it hangs on in the end, or up
    /// to the first joint ([`Object::jointed`]). Pairs within a piece are not wanted.
    ///
    /// # Panics
    /// There is no such instance.
    #[must_use]
    pub fn piece(&self, instance: usize) -> usize {
        self.assembly.piece(instance)
    }

    /// The names of the groups, ordered; instances without a group have the empty name.
    #[must_use]
    pub fn groups(&self) -> &[String] {
        &self.groups.names
    }

    /// The group of an instance, as its place in [`groups`](Self::groups).
    ///
    /// # Panics
    /// There is no such instance.
    #[must_use]
    pub fn group(&self, instance: usize) -> usize {
        self.groups.of_object(self.instances[instance].object)
    }

    /// Whether the scene's interest wants pairs of these groups.
    ///
    /// # Panics
    /// There is no such group.
    #[must_use]
    pub fn are_groups_wanted(&self, a: usize, b: usize) -> bool {
        self.groups.are_wanted(a, b)
    }

    /// Moves on to the next frame.
    pub fn advance(&mut self) {
        self.frame += 1;
        for (index, body) in self.bodies.iter_mut().enumerate() {
            body.advance(self.frame);
            if let Some(walls) = &self.walls
                && body.is_free()
            {
                walls.turn_back(body, self.assembly.reach(index));
            }
        }
        self.write_poses();
    }

    /// Turns away the bodies that collide in this frame, as the scene's
    /// [`Response`](crate::Response) says; [`advance`](Self::advance) then moves them so. Pairs
    /// count once, in any order; those of unknown instances count for nothing.
    pub fn respond(&mut self, colliding: &[(usize, usize)]) {
        response::respond(self, colliding);
    }

    /// The scene in which these instances of `scene` stand still where they are in this frame, bit for bit:
    /// to keep a case that is worth another look.
    ///
    /// # Panics
    /// There is no such instance.
    #[must_use]
    pub fn still(&self, scene: &Scene, instances: &[usize]) -> Scene {
        let mut still = Scene::new(&format!("{}, frame {}", scene.name, self.frame));
        still.seed = scene.seed;
        still.frames = 1;
        still.phases.clone_from(&scene.phases);
        for &index in instances {
            let instance = &self.instances[index];
            let described = &self.described[instance.object];
            let mut object = Object::new(&index.to_string(), &instance.spec(described));
            object.scale = described.scale;
            object.stretch = described.stretch;
            object.centered = described.centered;
            object.color = described.color;
            object.start = Start::At(vec![self.assembly.world(&self.bodies, index)]);
            still.objects.push(object);
        }
        still
    }

    fn write_poses(&mut self) {
        for &index in self.assembly.parents_first() {
            // What is static hangs on nothing that moves.
            if self.frame > 0 && self.instances[index].is_static {
                continue;
            }
            let world = self.assembly.world(&self.bodies, index);
            self.poses[index] = world.into();
        }
    }
}

/// What an object is, wherever it is.
fn at_rest(object: &Object) -> Object {
    let mut still = Object::new(&object.name, object.mesh.text());
    (still.scale, still.stretch, still.centered) = (object.scale, object.stretch, object.centered);
    (still.color, still.variants) = (object.color, object.variants);
    still
}

impl MeshSource {
    /// The spec or path for an instance.
    pub(crate) fn of_instance(&self, number: usize) -> String {
        match self {
            Self::Shape(spec) => spec.replace("{}", &number.to_string()),
            Self::File(path) => path.clone(),
        }
    }
}
