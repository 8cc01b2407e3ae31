//! Writes a run as a GLB file: the scene in motion, with collisions marked.

use std::collections::BTreeMap;
use std::path::Path;

use xcollide::bounds::{Aabb, Wireframe};
use xcollide_io::glb::{GlbError, GlbScene, Material, MaterialId, Node, NodeId, ShapeId};
use xcollide_scenes::{Flexible, Placement, Scene, Simulation};

use crate::exit::Failure;
use crate::output_file::OutputFile;

const FRAMES_PER_SECOND: f64 = 30.0;
/// The most poses of moving objects in memory, 56 bytes each.
const MOST_POSES: usize = 4_000_000;
/// The largest error of a shown position, relative to the object's radius.
const TOLERANCE: f64 = 1e-3;

const SIGNAL: [f64; 3] = [1.0, 0.06, 0.03];
/// Colours of objects without their own, in turn.
const COLORS: [[f64; 3]; 6] = [
    [0.36, 0.56, 0.78],
    [0.80, 0.70, 0.42],
    [0.45, 0.68, 0.50],
    [0.62, 0.52, 0.75],
    [0.42, 0.68, 0.72],
    [0.72, 0.58, 0.50],
];

pub(crate) struct MotionExport {
    to: OutputFile,
    moving: Vec<usize>,
    poses: Vec<([f64; 3], [f64; 4])>,
    /// For each object, the frames in which it collides.
    marked: Vec<Vec<u32>>,
    /// Whether other objects are inside, so that it must be transparent.
    around: Vec<bool>,
    frames: usize,
    /// The instances that change their shape, with the positions of their vertices, frame by frame.
    flexible: BTreeMap<usize, Vec<Vec<[f32; 3]>>>,
}

impl MotionExport {
    /// Opens the file. Its old content stays until the run is done.
    pub(crate) fn create(path: &Path, scene: &Scene) -> Result<Self, Failure> {
        let moving: usize =
            scene.objects.iter().filter(|one| !one.is_static).map(|one| one.count).sum();
        if moving.saturating_mul(scene.frames) > MOST_POSES {
            let advice = match MOST_POSES / moving {
                0 => "take fewer objects".to_owned(),
                fitting => format!("--frames {fitting} would do"),
            };
            return Err(Failure::bad_input(format!(
                "--export: found {moving} moving objects in {} frames, expected at most \
                 {MOST_POSES} poses in all; {advice}",
                scene.frames
            )));
        }
        Ok(Self {
            to: OutputFile::open(path)?,
            moving: Vec::new(),
            poses: Vec::new(),
            marked: Vec::new(),
            around: Vec::new(),
            frames: 0,
            flexible: BTreeMap::new(),
        })
    }

    /// Adds a frame: poses of all instances and colliding pairs. The first frame also reads the
    /// simulation.
    pub(crate) fn add(
        &mut self,
        simulation: &Simulation,
        poses: &[Placement],
        colliding: impl Iterator<Item = [u32; 2]>,
    ) {
        let instances = simulation.instances();
        if self.frames == 0 {
            self.moving = (0..instances.len()).filter(|&one| !instances[one].is_static).collect();
            self.marked = vec![Vec::new(); instances.len()];
            self.around = around(simulation);
        }
        self.poses.extend(self.moving.iter().map(|&object| placed(&poses[object])));
        let frame = self.frames as u32;
        for object in colliding.flatten() {
            let marked = &mut self.marked[object as usize];
            if marked.last() != Some(&frame) {
                marked.push(frame);
            }
        }
        self.frames += 1;
    }

    /// Adds to the last frame the positions of the vertices of flexible instances.
    pub(crate) fn add_vertices<'a>(
        &mut self,
        vertices: impl Iterator<Item = (usize, &'a [[f64; 3]])>,
    ) {
        for (instance, positions) in vertices {
            let rounded = positions.iter().map(|position| position.map(|x| x as f32)).collect();
            self.flexible.entry(instance).or_default().push(rounded);
        }
    }

    pub(crate) fn finish(self, scene: &Scene, simulation: &Simulation) -> Result<(), Failure> {
        let bytes = self.glb(scene, simulation);
        let bytes = bytes.map_err(|error| Failure::Failed(format!("--export: {error}")))?;
        self.to.write(&bytes)
    }

    fn glb(&self, scene: &Scene, simulation: &Simulation) -> Result<Vec<u8>, GlbError> {
        let mut glb = GlbScene::new();
        // Made when they are shown: flexible objects have shapes of their own.
        let mut shapes: Vec<Option<ShapeId>> = vec![None; simulation.meshes().len()];
        let looks: Vec<[MaterialId; 2]> = (0..scene.objects.len())
            .map(|object| {
                let color = scene.objects[object].color.unwrap_or(COLORS[object % COLORS.len()]);
                let name = named(scene, object);
                let solid = Material::new(name, faded(color));
                let clear = Material::new(&format!("{name}, clear"), faded(color)).opacity(0.16);
                [solid, clear].map(|material| glb.material(&material))
            })
            .collect();
        let signal = Material::new("collides", SIGNAL).glow(0.55);
        let clear = Material::new("collides, clear", SIGNAL).glow(0.3).opacity(0.3);
        let signals = [signal, clear].map(|material| glb.material(&material));
        if let Some(cage) = simulation.cage() {
            let lines = glb.lines(&Aabb::new(cage[0], cage[1]).wireframe())?;
            let gray = glb.material(&Material::new("cage", [0.45, 0.45, 0.5]).glow(1.0));
            glb.node(Node::new("cage").shape(lines, gray));
        }
        let mut places = vec![None; simulation.instances().len()];
        for (place, &object) in self.moving.iter().enumerate() {
            places[object] = Some(place);
        }
        for (object, instance) in simulation.instances().iter().enumerate() {
            let name = format!("{} {object}", named(scene, instance.object));
            let clear = usize::from(self.around[object]);
            let (plain, signal) = (looks[instance.object][clear], signals[clear]);
            let shape = match self.flexible.get(&object) {
                Some(frames) => {
                    let mesh = &simulation.meshes()[instance.mesh];
                    let tolerance = TOLERANCE * instance.radius;
                    glb.deforming_mesh(mesh, frames, FRAMES_PER_SECOND, tolerance)?
                }
                None => match shapes[instance.mesh] {
                    Some(shape) => shape,
                    None => *shapes[instance.mesh]
                        .insert(glb.mesh(&simulation.meshes()[instance.mesh])?),
                },
            };
            let flexible = scene.objects[instance.object].flexible.as_ref();
            let path: Vec<_> = match places[object] {
                // Its vertices are those of the world.
                _ if matches!(flexible, Some(Flexible::Cloth(_))) => vec![],
                Some(place) => {
                    self.poses.iter().skip(place).step_by(self.moving.len()).copied().collect()
                }
                None => vec![placed(&simulation.placements()[object])],
            };
            // Viewers without animation show the end.
            let body = path
                .last()
                .map_or_else(|| Node::new(&name), |&(at, turned)| Node::new(&name).at(at, turned));
            let marked = &self.marked[object];
            let node = match marked.len() {
                0 => glb.node(body.shape(shape, plain)),
                all if all == self.frames => glb.node(body.shape(shape, signal)),
                _ => {
                    let node = glb.node(body);
                    self.mark(&mut glb, node, shape, [plain, signal], marked);
                    node
                }
            };
            if places[object].is_some() && !path.is_empty() {
                glb.animate(node, &path, FRAMES_PER_SECOND, TOLERANCE * instance.radius);
            }
        }
        glb.to_bytes()
    }

    /// Adds two nodes at one place. One is visible at a time.
    fn mark(
        &self,
        glb: &mut GlbScene,
        body: NodeId,
        shape: ShapeId,
        looks: [MaterialId; 2],
        marked: &[u32],
    ) {
        let mut collides = vec![false; self.frames];
        for &frame in marked {
            collides[frame as usize] = true;
        }
        for (name, look, when) in [("apart", looks[0], false), ("collides", looks[1], true)] {
            let node = glb.node(Node::new(name).shape(shape, look).below(body));
            let shown = collides.iter().map(|&collides| collides == when);
            glb.show_when(node, shown, FRAMES_PER_SECOND);
        }
    }
}

fn placed(placement: &Placement) -> ([f64; 3], [f64; 4]) {
    (placement.translation, placement.rotation.quaternion())
}

fn named(scene: &Scene, object: usize) -> &str {
    match &*scene.objects[object].name {
        "" => "object",
        name => name,
    }
}

fn faded(color: [f64; 3]) -> [f64; 3] {
    color.map(|part| 0.6 * part + 0.4 * 0.7)
}

/// Which objects contain others: static ones in a cage, and those whose box contains another box.
fn around(simulation: &Simulation) -> Vec<bool> {
    let instances = simulation.instances();
    let in_cage = simulation.cage().is_some();
    let mut around: Vec<bool> =
        instances.iter().map(|instance| in_cage && instance.is_static).collect();
    // Quadratic, and only for looks.
    if instances.len() > 1000 {
        return around;
    }
    let bounds = |object: usize| {
        let mesh = &simulation.meshes()[instances[object].mesh];
        let pose = &simulation.poses()[object];
        Aabb::from_points(mesh.positions().iter().map(|&position| pose.apply(position)))
    };
    let boxes: Vec<Aabb> = (0..instances.len()).map(bounds).collect();
    for (outer, around) in boxes.iter().zip(&mut around) {
        let holds = |inner: &Aabb| {
            (0..3).all(|k| outer.min[k] < inner.min[k] && inner.max[k] < outer.max[k])
        };
        *around = *around || boxes.iter().any(holds);
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_scenes::Object;

    #[test]
    fn too_many_poses_are_refused_before_anything_is_made() {
        let mut scene = Scene::new("many");
        scene.objects.push(Object::new("dust", "shape:box"));
        scene.objects[0].count = MOST_POSES + 1;
        scene.frames = 1;
        let told = |scene: &Scene| match MotionExport::create(Path::new("no/such/file"), scene) {
            Err(Failure::BadInput(told)) => told,
            _ => String::new(),
        };
        assert!(told(&scene).ends_with("; take fewer objects"), "{}", told(&scene));
        scene.objects[0].count = 1000;
        scene.frames = 10_000;
        assert!(told(&scene).ends_with("; --frames 4000 would do"), "{}", told(&scene));
        scene.objects[0].is_static = true;
        assert_eq!(told(&scene), "", "what is static takes no poses");
    }
}
