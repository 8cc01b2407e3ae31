//! Boxes that fly in a cube, for broad phases alone (the set-up of Zachmann 1994, chapter 5).

use std::time::Instant;

use xcollide::bounds::{Aabb, Obb};
use xcollide::broad::{Bounds, BroadPhase, Everything, Pairs, ProxyError, ProxyId};
use xcollide_scenes::{Placement, Poses, Random, Rotation};

use super::experiment::unusable;
use crate::compare::{CompareError, median};

/// Boxes in a cube from 0 to `side`, reflected at its walls.
#[derive(Clone)]
pub(super) struct FlyingBoxes {
    side: f64,
    /// Half the sides of a box.
    half: [f64; 3],
    bodies: Vec<Body>,
}

#[derive(Clone)]
struct Body {
    placement: Placement,
    velocity: [f64; 3],
    spin: Rotation,
}

/// Means over the frames, and the memory at the end.
pub(super) struct BroadPhaseCosts {
    pub(super) microseconds: f64,
    pub(super) kilobytes: f64,
    pub(super) candidates: f64,
    pub(super) moves: f64,
}

impl FlyingBoxes {
    /// `turn`: radians a frame; 0 gives upright boxes.
    pub(super) fn new(count: usize, side: f64, half: [f64; 3], turn: f64) -> Self {
        let mut random = Random::new(11);
        let mut poses = Poses::new(11);
        let body = |_| {
            let rotation = random.rotation();
            let at = [(); 3].map(|()| random.between(0.0, side));
            let velocity = random.direction().map(|value| 0.05 * value);
            let spin = poses.nudged(&Placement::IDENTITY, 0.0, turn).rotation;
            let turned = Placement::turned(rotation, at);
            let placement = if turn > 0.0 { turned } else { Placement::at(at) };
            Body { placement, velocity, spin }
        };
        Self { side, half, bodies: (0..count).map(body).collect() }
    }

    pub(super) fn universe(&self) -> Aabb {
        Aabb::new([0.0; 3], [self.side; 3])
    }

    fn step(&mut self) {
        for Body { placement, velocity, spin } in &mut self.bodies {
            placement.rotation = spin.after(&placement.rotation);
            for (at, velocity) in placement.translation.iter_mut().zip(velocity) {
                *at += *velocity;
                if *at < 0.5 {
                    *velocity = velocity.abs();
                } else if *at > self.side - 0.5 {
                    *velocity = -velocity.abs();
                }
            }
        }
    }

    /// Oriented boxes and the aligned boxes around them.
    fn bounds(&self) -> Vec<Bounds> {
        let bounds =
            |body: &Body| {
                let pose = body.placement.pose();
                let axes = [0, 1, 2].map(|k| pose.rotation().map(|row| row[k]));
                let corners =
                    (0..8).map(|corner| {
                        pose.apply([0, 1, 2].map(|k| {
                            if corner >> k & 1 == 0 { self.half[k] } else { -self.half[k] }
                        }))
                    });
                let corners: Vec<[f64; 3]> = corners.collect();
                let aligned = Aabb::from_points(corners.iter().copied());
                Bounds::new(aligned).oriented(Obb::with_axes(&corners, axes))
            };
        self.bodies.iter().map(bounds).collect()
    }

    /// Plays `frames` frames to an empty broad phase.
    pub(super) fn play(
        &self,
        broad: &mut dyn BroadPhase,
        frames: usize,
    ) -> Result<BroadPhaseCosts, CompareError> {
        let mut boxes = self.clone();
        let id = |index: usize| ProxyId::new(index as u32, 0);
        let refused = |error: ProxyError| unusable("flying boxes", error);
        for (index, bounds) in boxes.bounds().iter().enumerate() {
            broad.insert(id(index), bounds).map_err(refused)?;
        }
        let mut pairs = Pairs::new();
        let mut times = Vec::with_capacity(frames);
        let (mut candidates, mut moves) = (0, 0);
        for _ in 0..frames {
            boxes.step();
            let all = boxes.bounds();
            let start = Instant::now();
            for (index, bounds) in all.iter().enumerate() {
                broad.update(id(index), bounds).map_err(refused)?;
            }
            broad.pairs(&Everything, &mut pairs);
            times.push(start.elapsed().as_secs_f64() * 1e6);
            candidates += broad.stats().tests;
            moves += broad.stats().moves;
        }
        let a_frame = |sum: u64| sum as f64 / frames.max(1) as f64;
        Ok(BroadPhaseCosts {
            microseconds: median(times),
            kilobytes: broad.bytes() as f64 / 1024.0,
            candidates: a_frame(candidates),
            moves: a_frame(moves),
        })
    }
}
