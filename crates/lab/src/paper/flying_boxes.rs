//! Boxes that fly in a cube, for broad phases alone (the set-up of Zachmann 1994, chapter 5).

use std::time::Instant;

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use xcollide::bounds::{Aabb, Obb};
use xcollide::broad::{Bounds, BroadPhase, Everything, Pairs, ProxyError, ProxyId};
use xcollide_scenes::{Placement, Poses, Random};

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
    pose: Isometry3<f64>,
    velocity: Vector3<f64>,
    spin: UnitQuaternion<f64>,
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
            let turned = rotation(random.rotation());
            let at = [(); 3].map(|()| random.between(0.0, side));
            let still = Placement::IDENTITY;
            let velocity = Vector3::from(random.direction()) * 0.05;
            let spin = rotation(poses.nudged(&still, 0.0, turn).rotation.quaternion());
            let turned = if turn > 0.0 { turned } else { UnitQuaternion::identity() };
            Body { pose: Isometry3::from_parts(Translation3::from(at), turned), velocity, spin }
        };
        Self { side, half, bodies: (0..count).map(body).collect() }
    }

    pub(super) fn universe(&self) -> Aabb {
        Aabb::new([0.0; 3], [self.side; 3])
    }

    fn step(&mut self) {
        for Body { pose, velocity, spin } in &mut self.bodies {
            pose.rotation = UnitQuaternion::new_normalize((*spin * pose.rotation).into_inner());
            pose.translation.vector += *velocity;
            for axis in 0..3 {
                let at = pose.translation.vector[axis];
                if at < 0.5 {
                    velocity[axis] = velocity[axis].abs();
                } else if at > self.side - 0.5 {
                    velocity[axis] = -velocity[axis].abs();
                }
            }
        }
    }

    /// Oriented boxes and the aligned boxes around them.
    fn bounds(&self) -> Vec<Bounds> {
        let bounds = |body: &Body| {
            let turn = body.pose.rotation.to_rotation_matrix();
            let axes = [0, 1, 2].map(|k| {
                let column = turn.matrix().column(k);
                [column[0], column[1], column[2]]
            });
            let at = body.pose.translation.vector;
            let corners = (0..8).map(|corner| {
                let sign =
                    |k: usize| if corner >> k & 1 == 0 { self.half[k] } else { -self.half[k] };
                let point = at + turn * Vector3::new(sign(0), sign(1), sign(2));
                [point.x, point.y, point.z]
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

fn rotation([x, y, z, w]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
}
