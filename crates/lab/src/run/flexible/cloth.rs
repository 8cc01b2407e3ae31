//! Cloth by position-based dynamics: where its vertices would go in a frame.
//!
//! Sources: Müller, Heidelberger, Hennix and Ratcliff, *Position Based Dynamics*, 2007 (constraints of distances, bending
//! by the distance of opposite corners, collisions, friction); Macklin and others, *Small Steps in Physics Simulation*,
//! 2019 (short steps with one pass each). All sums run in one fixed order, so the same frames come out everywhere.
//!
//! The response is a proposal: it keeps a distance where it can. That nothing intersects is up to
//! [`stopping`](super::stopping).

use std::collections::BTreeMap;

use xcollide::math::vector::{add, dot, length, scale, sub};
use xcollide::narrow::Model;
use xcollide::predicates::moving::MovingPoint;
use xcollide_scenes::Cloth as Settings;

use super::closest::{of_segments, on_triangle, weighted};
use super::surroundings::{Meeting, MovingMeshes, Surroundings};

type Vector = [f64; 3];

/// The steps of a frame.
const STEPS: usize = 10;
/// The part of its speed that a vertex keeps in a frame.
const KEPT: f64 = 0.995;

pub(super) struct Cloth {
    settings: Settings,
    pub(super) positions: Vec<Vector>,
    /// In units a frame.
    pub(super) velocities: Vec<Vector>,
    is_fixed: Vec<bool>,
    /// Vertices and their distance at rest.
    edges: Vec<([u32; 2], f64)>,
    /// The corners opposite to an edge, and their distance at rest.
    folds: Vec<([u32; 2], f64)>,
    /// The vertices joined to each by an edge.
    pub(super) neighbours: Vec<Vec<u32>>,
}

/// A distance to keep: of a vertex from a face, or of two edges, along the direction and at the points of the start.
struct Spacing {
    points: [u32; 4],
    weights: [f64; 4],
    normal: Vector,
}

impl Cloth {
    pub(super) fn new(settings: &Settings, positions: Vec<Vector>, faces: &[[u32; 3]]) -> Self {
        let count = positions.len();
        // The corners opposite to each edge.
        let mut opposite: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for &corners in faces {
            let [first, second, third] = corners;
            let sides = [[first, second], [second, third], [third, first]];
            for (k, [a, b]) in sides.into_iter().enumerate() {
                opposite.entry([a.min(b), a.max(b)]).or_default().push(corners[(k + 2) % 3]);
            }
        }
        let at_rest =
            |[a, b]: [u32; 2]| ([a, b], length(sub(positions[a as usize], positions[b as usize])));
        let mut neighbours = vec![Vec::new(); count];
        for &[a, b] in opposite.keys() {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        let folds = opposite.values().filter_map(|corners| match corners[..] {
            [a, b] if a != b => Some(at_rest([a, b])),
            _ => None,
        });
        let mut is_fixed = vec![false; count];
        for &vertex in &settings.fixed {
            is_fixed[vertex as usize] = true;
        }
        Self {
            settings: settings.clone(),
            folds: folds.collect(),
            edges: opposite.keys().map(|&edge| at_rest(edge)).collect(),
            velocities: vec![[0.0; 3]; count],
            is_fixed,
            neighbours,
            positions,
        }
    }

    /// Writes into `around`, whose bodies are on their way over the frame, where the vertices are and where they would go. The
    /// result are the meshes of the frame.
    pub(super) fn propose(
        &self,
        model: &Model,
        around: &mut Surroundings,
    ) -> Result<MovingMeshes, String> {
        let free = self.positions.iter().zip(&self.velocities).zip(&self.is_fixed);
        let ways = free.map(|((&at, &velocity), &is_fixed)| {
            let velocity = if is_fixed { [0.0; 3] } else { add(velocity, self.settings.gravity) };
            MovingPoint::new(at, add(at, velocity))
        });
        for (point, way) in around.points.iter_mut().zip(ways) {
            *point = way;
        }
        let mut meshes = around.moving_meshes(model)?;
        let spacings = self.spacings(&mut meshes, around)?;
        let mut now: Vec<Vector> = around.points.iter().map(|point| point.start).collect();
        let mut velocities = self.velocities.clone();
        let count = self.positions.len();
        let step = 1.0 / STEPS as f64;
        for number in 1..=STEPS {
            let before = now.clone();
            for vertex in 0..count {
                if !self.is_fixed[vertex] {
                    let velocity = add(velocities[vertex], scale(self.settings.gravity, step));
                    now[vertex] = add(now[vertex], scale(velocity, step));
                }
            }
            // Bodies are where they are at this time.
            let part = number as f64 * step;
            for (now, point) in now.iter_mut().zip(&around.points).skip(count) {
                *now = weighted([point.start, point.end], [1.0 - part, part]);
            }
            for (ends, rest) in &self.edges {
                self.keep_distance(&mut now, *ends, *rest, 1.0);
            }
            for (ends, rest) in &self.folds {
                self.keep_distance(&mut now, *ends, *rest, self.settings.bending);
            }
            for spacing in &spacings {
                self.keep_apart(&mut now, spacing, &before);
            }
            for vertex in 0..count {
                velocities[vertex] = scale(sub(now[vertex], before[vertex]), 1.0 / step);
            }
        }
        for (vertex, point) in around.points.iter_mut().enumerate().take(count) {
            let is_finite = now[vertex].iter().all(|x| x.is_finite());
            point.end = if is_finite && !self.is_fixed[vertex] { now[vertex] } else { point.start };
        }
        Ok(meshes)
    }

    /// Takes the vertices to where they have got in this frame. The proposal counts for the speed unless it was stopped.
    pub(super) fn arrive(&mut self, ways: &[MovingPoint]) {
        let vertices = self.positions.iter_mut().zip(&mut self.velocities).zip(ways);
        for ((position, velocity), way) in vertices {
            *velocity = scale(sub(way.end, way.start), KEPT);
            *position = way.end;
        }
    }

    fn is_free(&self, point: u32) -> bool {
        self.is_fixed.get(point as usize) == Some(&false)
    }

    /// What comes within the thickness, as seen from the start.
    fn spacings(
        &self,
        meshes: &mut MovingMeshes,
        around: &Surroundings,
    ) -> Result<Vec<Spacing>, String> {
        let thickness = self.settings.thickness;
        let mut meetings = Vec::new();
        around.meetings(meshes, thickness, |meeting| meetings.push(meeting))?;
        let points = &around.points;
        let spacing = |meeting: Meeting| {
            let numbers = meeting.points();
            let ways = numbers.map(|point| points[point as usize]);
            let [a, b, c, d] = ways.map(|way| way.start);
            let weights = match meeting {
                Meeting::VertexFace(_) => {
                    let [u, v, w] = on_triangle(a, [b, c, d]);
                    [1.0, -u, -v, -w]
                }
                Meeting::EdgeEdge(_) => {
                    let [s, t] = of_segments([a, b], [c, d]);
                    [1.0 - s, s, t - 1.0, -t]
                }
            };
            let away = weighted([a, b, c, d], weights);
            let way = weighted(ways.map(|way| sub(way.end, way.start)), weights);
            let distance = length(away);
            let is_near = distance < thickness + length(way) && distance > 0.0;
            let normal = scale(away, 1.0 / distance);
            is_near.then_some(Spacing { points: numbers, weights, normal })
        };
        Ok(meetings.into_iter().filter_map(spacing).collect())
    }

    fn keep_distance(&self, now: &mut [Vector], [a, b]: [u32; 2], rest: f64, part: f64) {
        let away = sub(now[b as usize], now[a as usize]);
        let distance = length(away);
        let share = f64::from(u8::from(self.is_free(a)) + u8::from(self.is_free(b)));
        if share == 0.0 || distance == 0.0 {
            return;
        }
        let correction = scale(away, part * (distance - rest) / (distance * share));
        if self.is_free(a) {
            now[a as usize] = add(now[a as usize], correction);
        }
        if self.is_free(b) {
            now[b as usize] = sub(now[b as usize], correction);
        }
    }

    /// Pushes apart what is nearer than the thickness, and brakes what slides there.
    fn keep_apart(&self, now: &mut [Vector], spacing: &Spacing, before: &[Vector]) {
        let Spacing { points, weights, normal } = spacing;
        let at = points.map(|point| now[point as usize]);
        let depth = self.settings.thickness - dot(weighted(at, *weights), *normal);
        let moves = [0, 1, 2, 3].map(|k| if self.is_free(points[k]) { weights[k] } else { 0.0 });
        let share: f64 = moves.iter().map(|weight| weight * weight).sum();
        if depth <= 0.0 || share < 1e-9 {
            return;
        }
        let were = points.map(|point| before[point as usize]);
        let slid = sub(weighted(at, *weights), weighted(were, *weights));
        let slid = sub(slid, scale(*normal, dot(slid, *normal)));
        let slip = length(slid);
        let brake = if slip > 0.0 { (self.settings.friction * depth / slip).min(1.0) } else { 0.0 };
        let correction = scale(sub(scale(*normal, depth), scale(slid, brake)), 1.0 / share);
        for (point, weight) in points.iter().zip(moves) {
            let place = &mut now[*point as usize];
            *place = add(*place, scale(correction, weight));
        }
    }
}
