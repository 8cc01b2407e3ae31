//! A run as a GLB file: the scene in motion, with collisions marked.

use std::collections::BTreeMap;
use std::path::Path;

use xcollide::bounds::Aabb;
use xcollide_io::glb::{GlbError, MaterialId, ShapeId};
use xcollide_scenes::{Flexible, Placement, Scene, Simulation};

use super::instance_names;
use crate::exit::Failure;
use crate::moving_scene::{COLORS, FRAMES_PER_SECOND, MovingBody, MovingScene, Placing, TOLERANCE};
use crate::output_file::OutputFile;
use crate::visual_aids::{Aid, VisualAids};

/// The most poses of moving objects in memory, 56 bytes each.
pub(crate) const MOST_POSES: usize = 4_000_000;

/// The motion of a run, frame by frame, and what collides.
#[derive(Default)]
pub(crate) struct MotionRecord {
    moving: Vec<usize>,
    poses: Vec<Placing>,
    /// For each object, the frames in which it collides.
    marked: Vec<Vec<u32>>,
    /// Whether other objects are inside, so that it must be transparent.
    around: Vec<bool>,
    frames: usize,
    /// The instances that change their shape, with the positions of their vertices, frame by frame.
    flexible: BTreeMap<usize, Vec<Vec<[f32; 3]>>>,
    aids: VisualAids,
}

impl MotionRecord {
    /// An empty record with these visual aids, unless the scene's motion would take too much memory.
    pub(crate) fn new(scene: &Scene, aids: &[Aid]) -> Result<Self, String> {
        let moving: usize =
            scene.objects.iter().filter(|one| !one.is_static).map(|one| one.count).sum();
        if moving.saturating_mul(scene.frames) > MOST_POSES {
            let advice = match MOST_POSES / moving {
                0 => "take fewer objects".to_owned(),
                fitting => format!("--frames {fitting} would do"),
            };
            return Err(format!(
                "found {moving} moving objects in {} frames, expected at most {MOST_POSES} poses in all; {advice}",
                scene.frames
            ));
        }
        Ok(Self { aids: VisualAids::new(aids), ..Self::default() })
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

    /// The visual aids, for those of the last frame.
    pub(crate) fn aids(&mut self) -> &mut VisualAids {
        self.aids.set_frame(self.frames.saturating_sub(1));
        &mut self.aids
    }

    /// The GLB file.
    pub(crate) fn glb(&self, scene: &Scene, simulation: &Simulation) -> Result<Vec<u8>, GlbError> {
        let mut moving = MovingScene::new(self.frames);
        // Made when they are shown: flexible objects have shapes of their own.
        let mut shapes: Vec<Option<ShapeId>> = vec![None; simulation.meshes().len()];
        let looks: Vec<[MaterialId; 2]> = scene
            .objects
            .iter()
            .enumerate()
            .map(|(number, object)| {
                let name = if object.name.is_empty() { "object" } else { &object.name };
                moving.look(name, object.color.unwrap_or(COLORS[number % COLORS.len()]))
            })
            .collect();
        if let Some(cage) = simulation.cage() {
            moving.cage(cage)?;
        }
        let mut places = vec![None; simulation.instances().len()];
        for (place, &object) in self.moving.iter().enumerate() {
            places[object] = Some(place);
        }
        let names = instance_names(scene, simulation);
        let mut nodes = Vec::new();
        for (object, (instance, name)) in simulation.instances().iter().zip(&names).enumerate() {
            let shape = match self.flexible.get(&object) {
                Some(frames) => {
                    let mesh = &simulation.meshes()[instance.mesh];
                    let tolerance = TOLERANCE * instance.radius;
                    moving.glb.deforming_mesh(mesh, frames, FRAMES_PER_SECOND, tolerance)?
                }
                None => match shapes[instance.mesh] {
                    Some(shape) => shape,
                    None => *shapes[instance.mesh]
                        .insert(moving.glb.mesh(&simulation.meshes()[instance.mesh])?),
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
            nodes.push(moving.body(&MovingBody {
                name,
                shape,
                look: looks[instance.object],
                is_clear: self.around[object],
                parent: None,
                path: &path,
                marked: &self.marked[object],
                radius: instance.radius,
            }));
        }
        let name = |object: u32| names[object as usize].clone();
        let body = |object: u32| {
            let mesh = &simulation.meshes()[simulation.instances()[object as usize].mesh];
            Some((mesh, nodes[object as usize]))
        };
        let size = mark_size(simulation);
        self.aids.draw(&mut moving.glb, self.frames, name, body, size)?;
        moving.into_bytes()
    }
}

/// Half the length of a contact's cross: half the radius of the smallest objects.
pub(super) fn mark_size(simulation: &Simulation) -> f64 {
    let radii = simulation.instances().iter().map(|instance| instance.radius);
    let least = radii.filter(|radius| *radius > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { 0.5 * least } else { 1.0 }
}

/// A file that gets the motion.
pub(crate) struct MotionExport {
    to: OutputFile,
    pub(crate) record: MotionRecord,
}

impl MotionExport {
    /// Opens the file. Its old content stays until the run is done.
    pub(crate) fn create(path: &Path, scene: &Scene, aids: &[Aid]) -> Result<Self, Failure> {
        let record = MotionRecord::new(scene, aids);
        let record = record.map_err(|why| Failure::bad_input(format!("--export: {why}")))?;
        Ok(Self { to: OutputFile::open(path)?, record })
    }

    pub(crate) fn finish(self, scene: &Scene, simulation: &Simulation) -> Result<(), Failure> {
        let bytes = self.record.glb(scene, simulation);
        let bytes = bytes.map_err(|error| Failure::Failed(format!("--export: {error}")))?;
        self.to.write(&bytes)
    }
}

fn placed(placement: &Placement) -> Placing {
    (placement.translation, placement.rotation.quaternion())
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
        let told = |scene: &Scene| match MotionExport::create(Path::new("no/such/file"), scene, &[])
        {
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
