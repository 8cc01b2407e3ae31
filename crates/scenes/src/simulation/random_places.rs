//! Random positions for bodies such that their bounding spheres do not overlap. Positions are drawn by
//! rejection; a grid of cells as wide as the largest sphere finds neighbours.

use xcollide_brep::PolygonMesh;
use xcollide_math::vector::{add, length_squared};

use super::Instance;
use super::assembly::Assembly;
use super::body::{Body, random_of};
use super::instances::{Bounds, bounds_of};
use super::walls::Walls;
use crate::message_number::number;
use crate::{Motion, Object, Random, Scene, SceneError, Start};

/// Attempts before a body is placed despite overlapping another.
const ATTEMPTS: usize = 200;

/// Places the bodies with random starts. Returns the number of those that found no free position.
pub(super) fn place(
    scene: &Scene,
    (meshes, instances): (&[PolygonMesh], &[Instance]),
    assembly: &Assembly,
    walls: Option<&Walls>,
    bodies: &mut [Body],
) -> Result<usize, SceneError> {
    // A recording says where its body starts.
    let region = |object: usize| match &scene.objects[object] {
        Object { motion: Motion::Recorded { .. }, .. } => None,
        Object { start: Start::Random { within, .. }, .. } => Some(*within),
        _ => None,
    };
    let is_random = |object: usize| region(object).is_some();
    let mut boxes: Vec<Bounds> = Vec::new();
    let mut reach = 0.0_f64;
    for (index, instance) in instances.iter().enumerate() {
        if let Some(walls) = walls
            && bodies[index].is_free()
        {
            walls.check(instance, assembly.reaches[index])?;
        }
        if is_random(instance.object) {
            reach = reach.max(assembly.reaches[index]);
        }
    }
    if reach == 0.0 {
        return Ok(0);
    }
    for (index, instance) in instances.iter().enumerate() {
        let root = assembly.roots[index];
        if !is_random(instances[root].object) {
            let world = assembly.world(bodies, index);
            let positions = meshes[instance.mesh].positions().iter();
            boxes.push(bounds_of(
                positions.map(|&v| add(world.rotation.rotate(v), world.translation)),
            ));
        }
    }
    let mut taken = Taken::new(boxes, reach);
    let mut crowded = 0;
    let mut random = random_of(scene.seed, 0, 1);
    for (index, instance) in instances.iter().enumerate() {
        if instance.number == 0 {
            random = random_of(scene.seed, instance.object, 1);
        }
        let Some(within) = region(instance.object) else { continue };
        let reach = assembly.reaches[index];
        let room = walls.and_then(|walls| walls.room(reach));
        let Some(room) = within.or(room) else {
            let key = format!("objects[{}].within", instance.object);
            let found = format!("a body that reaches {}", number(reach));
            let expected = "a place for each body of this object in the cage";
            return Err(SceneError::bad(key, found, expected));
        };
        let (center, free) = taken.draw(&mut random, room, reach);
        crowded += usize::from(!free);
        taken.insert(center, reach);
        let mut at = bodies[index].start;
        at.translation = center;
        bodies[index].place(at);
    }
    Ok(crowded)
}

/// The occupied space: boxes, and spheres in a periodic grid.
struct Taken {
    boxes: Vec<Bounds>,
    spheres: Vec<([f64; 3], f64)>,
    /// Linked lists: the last sphere of each cell, and the previous one of each sphere.
    last: Vec<u32>,
    before: Vec<u32>,
    /// Width of a cell: a sphere overlaps only spheres of adjacent cells.
    width: f64,
}

/// Cells along an axis. The grid wraps around, which costs only time.
const CELLS: i64 = 64;
const NONE: u32 = u32::MAX;

impl Taken {
    fn new(boxes: Vec<Bounds>, largest: f64) -> Self {
        let last = vec![NONE; (CELLS * CELLS * CELLS) as usize];
        Self { boxes, spheres: Vec::new(), last, before: Vec::new(), width: 2.0 * largest }
    }

    /// A random point of `room` and whether a sphere there is free; any point after too many attempts.
    fn draw(&self, random: &mut Random, room: Bounds, radius: f64) -> ([f64; 3], bool) {
        let mut draw = || [0, 1, 2].map(|k| random.between(room[0][k], room[1][k]));
        let mut center = draw();
        for _ in 1..ATTEMPTS {
            if self.is_free(center, radius) {
                return (center, true);
            }
            center = draw();
        }
        (center, self.is_free(center, radius))
    }

    fn is_free(&self, center: [f64; 3], radius: f64) -> bool {
        let clear_of_box = |[min, max]: &Bounds| {
            let gap = [0, 1, 2].map(|k| (min[k] - center[k]).max(center[k] - max[k]).max(0.0));
            length_squared(gap) > radius * radius
        };
        let clear_of_sphere = |&(other, reach): &([f64; 3], f64)| {
            let gap = [0, 1, 2].map(|k| other[k] - center[k]);
            length_squared(gap) > (radius + reach) * (radius + reach)
        };
        let home = self.cell(center);
        let mut neighbours = (0..27).map(|n| {
            let step = [n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1];
            self.slot([0, 1, 2].map(|k| home[k].saturating_add(step[k])))
        });
        neighbours.all(|slot| self.chain(slot).all(clear_of_sphere))
            && self.boxes.iter().all(clear_of_box)
    }

    fn insert(&mut self, center: [f64; 3], radius: f64) {
        let slot = self.slot(self.cell(center));
        self.before.push(self.last[slot]);
        self.last[slot] = self.spheres.len() as u32;
        self.spheres.push((center, radius));
    }

    fn chain(&self, slot: usize) -> impl Iterator<Item = &([f64; 3], f64)> {
        let link = |at: u32| (at != NONE).then_some(at);
        let first = link(self.last[slot]);
        std::iter::successors(first, move |&at| link(self.before[at as usize]))
            .map(|at| &self.spheres[at as usize])
    }

    fn cell(&self, center: [f64; 3]) -> [i64; 3] {
        center.map(|value| (value / self.width).floor() as i64)
    }

    fn slot(&self, cell: [i64; 3]) -> usize {
        let [x, y, z] = cell.map(|value| value.rem_euclid(CELLS));
        ((x * CELLS + y) * CELLS + z) as usize
    }
}
