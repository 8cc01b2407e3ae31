//! Broad phases that get the boxes of a crowd every frame: ours, parry's and rapier's.

use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rapier3d_f64::prelude::{
    ActiveCollisionTypes, BroadPhaseBvh, BroadPhasePairEvent, ColliderBuilder, ColliderHandle,
    ColliderSet, IntegrationParameters, RigidBodySet,
};
use xcollide_bounds::Aabb;
use xcollide_broad::{BroadPhase, Everything, Pairs, ProxyId, Stats};

use crate::crowd::World;

/// One that is told of the boxes every frame.
pub trait Subject {
    /// Takes the boxes of a frame, and says how many pairs it has found.
    fn frame(&mut self, world: &World) -> usize;

    /// The pairs, where they are known in order.
    fn pairs(&self) -> Option<&Pairs> {
        None
    }

    /// Memory in use; 0 where that is not known.
    fn bytes(&self) -> usize {
        0
    }

    /// What the last frame took, in counts.
    fn stats(&self) -> Stats {
        Stats::default()
    }

    /// What an adaptive one has chosen.
    fn choice(&self) -> String {
        String::new()
    }
}

/// A broad phase of this project.
pub struct Ours {
    broad: Box<dyn BroadPhase>,
    pairs: Pairs,
    moved: Vec<u32>,
}

impl Ours {
    /// With the boxes of a world.
    ///
    /// # Panics
    /// It refuses a box.
    #[must_use]
    pub fn new(mut broad: Box<dyn BroadPhase>, world: &World) -> Self {
        for index in 0..world.boxes.len() {
            if let Err(error) = broad.insert(ProxyId::new(index as u32, 0), &world.bounds(index)) {
                panic!("{error}");
            }
        }
        Self { broad, pairs: Pairs::new(), moved: Vec::new() }
    }
}

impl Subject for Ours {
    fn frame(&mut self, world: &World) -> usize {
        let Self { broad, moved, .. } = self;
        moved.clear();
        moved.extend(world.moved().map(|index| index as u32));
        let change =
            |at: usize| (ProxyId::new(moved[at], 0), (&world.boxes[moved[at] as usize]).into());
        broad.update_many(moved.len(), &change, &mut |id, error| panic!("{id}: {error}"));
        self.broad.pairs(&Everything, &mut self.pairs);
        self.pairs.overlapping.len()
    }

    fn pairs(&self) -> Option<&Pairs> {
        Some(&self.pairs)
    }

    fn bytes(&self) -> usize {
        self.broad.bytes()
    }

    fn stats(&self) -> Stats {
        self.broad.stats()
    }

    fn choice(&self) -> String {
        self.broad.choice()
    }
}

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x, y, z)
}

fn parry_box(aabb: &Aabb) -> ParryAabb {
    ParryAabb::new(vector(aabb.min), vector(aabb.max))
}

/// parry's hierarchy: refitted (and improved a little), or built anew, every frame.
pub struct Parry {
    bvh: Bvh,
    workspace: BvhWorkspace,
    rebuild: bool,
}

impl Parry {
    fn build(world: &World) -> Bvh {
        let boxes: Vec<_> = world.boxes.iter().map(parry_box).collect();
        Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes)
    }

    /// With the boxes of a world; built anew each frame, or refitted.
    #[must_use]
    pub fn new(world: &World, rebuild: bool) -> Self {
        Self { bvh: Self::build(world), workspace: BvhWorkspace::default(), rebuild }
    }
}

impl Subject for Parry {
    fn frame(&mut self, world: &World) -> usize {
        if self.rebuild {
            self.bvh = Self::build(world);
        } else {
            for index in world.moved() {
                let aabb = parry_box(&world.boxes[index]);
                self.bvh.insert_or_update_partially(aabb, index as u32, 0.0);
            }
            self.bvh.refit(&mut self.workspace);
            self.bvh.optimize_incremental(&mut self.workspace);
        }
        let mut pairs = 0;
        self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |_, _| pairs += 1);
        pairs
    }
}

/// rapier's broad phase. Its pairs are of boxes that it has enlarged, so there are more.
pub struct Rapier {
    broad: BroadPhaseBvh,
    colliders: ColliderSet,
    handles: Vec<ColliderHandle>,
    bodies: RigidBodySet,
    events: Vec<BroadPhasePairEvent>,
    pairs: i64,
}

impl Rapier {
    /// With the boxes of a world.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let mut colliders = ColliderSet::new();
        let handles = world.boxes.iter().map(|aabb| {
            let half = (vector(aabb.max) - vector(aabb.min)) * 0.5;
            let shape = ColliderBuilder::cuboid(half.x, half.y, half.z)
                .translation(vector(aabb.min) + half)
                .active_collision_types(ActiveCollisionTypes::all());
            colliders.insert(shape.build())
        });
        let handles: Vec<_> = handles.collect();
        let mut rapier = Self {
            broad: BroadPhaseBvh::new(),
            colliders,
            handles: Vec::new(),
            bodies: RigidBodySet::new(),
            events: Vec::new(),
            pairs: 0,
        };
        rapier.update(&handles);
        rapier.handles = handles;
        rapier
    }

    fn update(&mut self, moved: &[ColliderHandle]) {
        self.events.clear();
        let parameters = IntegrationParameters::default();
        let Self { broad, colliders, bodies, events, .. } = self;
        broad.update(&parameters, colliders, bodies, moved, &[], events);
        for event in &self.events {
            let added = matches!(event, BroadPhasePairEvent::AddPair(_));
            self.pairs += if added { 1 } else { -1 };
        }
    }
}

impl Subject for Rapier {
    fn frame(&mut self, world: &World) -> usize {
        let mut moved = Vec::new();
        for index in world.moved() {
            let handle = self.handles[index];
            let aabb = &world.boxes[index];
            let middle = (vector(aabb.min) + vector(aabb.max)) * 0.5;
            if let Some(collider) = self.colliders.get_mut(handle) {
                collider.set_translation(middle);
            }
            moved.push(handle);
        }
        self.update(&moved);
        self.pairs as usize
    }
}
