//! Objects with parents: their poses in the world.

use xcollide_math::vector::length;

use super::Instance;
use super::body::Body;
use crate::{Placement, Scene};

#[derive(Clone, Debug)]
pub(super) struct Assembly {
    pub(super) parents: Vec<Option<usize>>,
    pub(super) roots: Vec<usize>,
    /// The root of each instance's rigid piece: its last ancestor before a joint.
    pub(super) pieces: Vec<usize>,
    /// All instances, parents before their children.
    order: Vec<usize>,
    /// The distance that an assembly reaches from its root's origin at the start. For instances that are not
    /// roots, their own radius.
    pub(super) reaches: Vec<f64>,
}

impl Assembly {
    /// Requires a valid scene: parents exist without cycles.
    pub(super) fn of(scene: &Scene, instances: &[Instance]) -> Self {
        let mut firsts = vec![0; scene.objects.len()];
        for (index, instance) in instances.iter().enumerate().rev() {
            firsts[instance.object] = index;
        }
        let names = scene.objects_by_name();
        let parent_of = |instance: &Instance| {
            let name = scene.objects[instance.object].parent.as_ref()?;
            let parent = *names.get(name.as_str())?;
            let number = if scene.objects[parent].count == 1 { 0 } else { instance.number };
            Some(firsts[parent] + number)
        };
        let parents: Vec<Option<usize>> = instances.iter().map(parent_of).collect();
        let depth = |mut at: usize| {
            let mut depth = 0;
            while let Some(parent) = parents[at] {
                (at, depth) = (parent, depth + 1);
            }
            (depth, at)
        };
        let depths: Vec<(usize, usize)> = (0..instances.len()).map(depth).collect();
        let mut order: Vec<usize> = (0..instances.len()).collect();
        order.sort_by_key(|&index| depths[index].0);
        let roots = depths.iter().map(|&(_, root)| root).collect();
        // Parents precede their children.
        let mut pieces: Vec<usize> = (0..instances.len()).collect();
        for &index in &order {
            if let Some(parent) = parents[index]
                && !scene.objects[instances[index].object].jointed
            {
                pieces[index] = pieces[parent];
            }
        }
        let reaches = instances.iter().map(|instance| instance.radius).collect();
        Self { parents, roots, pieces, order, reaches }
    }

    pub(super) fn measure(&mut self, bodies: &[Body]) {
        for &index in self.order.iter().rev() {
            if let Some(parent) = self.parents[index] {
                let reach = length(bodies[index].start.translation) + self.reaches[index];
                self.reaches[parent] = self.reaches[parent].max(reach);
            }
        }
    }

    /// Whether any instance has a parent. Constant time, as parents precede their children in the order.
    pub(super) fn has_children(&self) -> bool {
        self.order.last().is_some_and(|&last| self.parents[last].is_some())
    }

    /// The placement of an instance in the world.
    pub(super) fn world(&self, bodies: &[Body], instance: usize) -> Placement {
        let mut world = bodies[instance].now;
        let mut at = instance;
        while let Some(parent) = self.parents[at] {
            world = bodies[parent].now.after(&world);
            at = parent;
        }
        world
    }
}
