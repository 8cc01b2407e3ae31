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

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide::math::Pose;
    use xcollide_scenes::shape;

    fn model(spec: &str) -> Model {
        let mesh = shape(spec).unwrap_or_else(|error| panic!("{error}"));
        Model::from_mesh(mesh).unwrap_or_else(|error| panic!("{error}"))
    }

    fn lifted(spec: &str, by: Vector) -> Model {
        let sheet = model(spec);
        let places = sheet.mesh().positions().iter().map(|&place| add(place, by)).collect();
        sheet.moved(places).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The cloth that rests as the sheet and begins as told, after some frames of proposals that nothing stops. Under it is
    /// a table whose top is at z = 0.
    fn after(
        frames: usize,
        settings: &Settings,
        mut sheet: Model,
        begin: impl FnOnce(&mut Cloth),
    ) -> Cloth {
        let triangles = sheet.triangulation().triangles().iter();
        let faces: Vec<[u32; 3]> =
            triangles.map(|corners| corners.map(|vertex| vertex.0)).collect();
        let mut cloth = Cloth::new(settings, sheet.mesh().positions().to_vec(), &faces);
        begin(&mut cloth);
        let table = [(0, model("shape:box?x=8&y=8&z=1"))];
        let mut around = Surroundings::new(cloth.positions.len(), table.into_iter());
        let poses = [Pose::from_translation([0.0, 0.0, -0.5])];
        for _ in 0..frames {
            sheet.set_positions(&cloth.positions).unwrap_or_else(|error| panic!("{error}"));
            around.move_bodies([&poses, &poses]);
            if let Err(error) = cloth.propose(&sheet, &mut around) {
                panic!("{error}");
            }
            cloth.arrive(&around.points);
        }
        cloth
    }

    fn distance(cloth: &Cloth, [a, b]: [u32; 2]) -> f64 {
        length(sub(cloth.positions[a as usize], cloth.positions[b as usize]))
    }

    /// Two corners are held, and the rest swings down.
    #[test]
    fn hanging_cloth_keeps_the_length_of_its_edges() {
        let settings = Settings { fixed: vec![0, 2], ..Settings::default() };
        let sheet = lifted("shape:sheet?cells=2&side=2", [0.0, 0.0, 3.0]);
        let cloth = after(60, &settings, sheet, |_| ());
        let lowest = cloth.positions.iter().fold(f64::INFINITY, |least, place| least.min(place[2]));
        assert!(lowest < 2.5, "{lowest}");
        for &(ends, rest) in &cloth.edges {
            let now = distance(&cloth, ends);
            assert!((now / rest - 1.0).abs() < 0.01, "{now} instead of {rest}");
        }
    }

    /// A square that is folded along its diagonal by a right angle, without weight.
    #[test]
    fn a_fold_is_smoothed_unless_bending_is_0() {
        let opened = |bending: f64| {
            let settings = Settings { bending, gravity: [0.0; 3], ..Settings::default() };
            let sheet = lifted("shape:sheet?cells=1&side=2", [0.0, 0.0, 3.0]);
            let fold = |cloth: &mut Cloth| cloth.positions[1] = [0.0, 0.0, 3.0 + 2.0_f64.sqrt()];
            distance(&after(3, &settings, sheet, fold), [1, 2])
        };
        assert!((opened(0.0) - 2.0).abs() < 1e-6, "{}", opened(0.0));
        assert!(opened(0.001) > 2.01, "{}", opened(0.001));
    }

    /// Beside the diagonal of the table's top.
    #[test]
    fn cloth_comes_to_rest_at_its_thickness() {
        let settings = Settings { thickness: 0.02, ..Settings::default() };
        let sheet = lifted("shape:sheet?cells=1&side=0.2", [2.0, 1.0, 0.1]);
        for [_, _, height] in after(60, &settings, sheet, |_| ()).positions {
            assert!((height - 0.02).abs() < 1e-6, "{height}");
        }
    }

    #[test]
    fn friction_slows_what_slides() {
        let way = |friction: f64| {
            let settings = Settings { friction, ..Settings::default() };
            let sheet = lifted("shape:sheet?cells=1&side=0.2", [2.0, 1.0, 0.01]);
            let push = |cloth: &mut Cloth| cloth.velocities.fill([0.01, 0.0, 0.0]);
            after(25, &settings, sheet, push).positions[0][0] - 1.9
        };
        assert!(way(0.3) < 0.9 * way(0.0), "{} and {}", way(0.3), way(0.0));
    }
}
