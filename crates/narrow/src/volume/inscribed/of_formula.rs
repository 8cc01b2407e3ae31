//! The coarse polyhedron in a body that is given by a formula.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

use rustc_hash::FxHashMap;
use xcollide_bounds::Aabb;
use xcollide_convex::Polytope;
use xcollide_convex::shape::Core;
use xcollide_math::vector::{
    add, cross, dot, largest, length, neg, perpendicular, scale, sub, unit,
};
use xcollide_predicates::Point;

use super::Inscribed;
use super::frame::{Frame, View};
use super::patch::{Patch, Sphere, Tube, middle};
use crate::formula::polyhedra::BOX_SIDES;
use crate::volume::number::{Double, Number, rounded};
use crate::{Formula, Pose};

impl Inscribed {
    /// At a pose, as far as it is in a box: boxes and what has an axis are shortened, as parts that are far away are rounded more.
    /// `None` for a half space, and for shapes without a formula.
    pub(in crate::volume) fn of_formula(
        formula: &Formula,
        pose: &Pose,
        view: &View,
        within: &Aabb,
    ) -> Option<Self> {
        let shape = formula.shape()?;
        let radius = shape.radius();
        let frame = Frame::of(pose, view);
        let on_axis = |z: f64| frame.at([0.0, 0.0, z]);
        let range = frame.range(2, within);
        let mut body = Self::empty();
        match (formula, shape.core()) {
            (Formula::Rounded(shape), _) => body.add_rounded(shape.polytope(), &frame, radius),
            (_, Core::Point) => body.add_ball(Frame::ball(on_axis(0.0), radius)),
            (_, Core::Ellipsoid { half }) => body.add_ball(frame.scaled(half)),
            (_, Core::Segment { half }) => {
                let ball = |z| Frame::ball(on_axis(z), radius);
                let [low, high] = [range[0] - 1.5 * radius, range[1] + 1.5 * radius];
                body.add_capsule([low, high].map(|z| ball(z.clamp(-half, half))), radius);
            }
            (_, Core::Cuboid { half }) => {
                let sides: [[f64; 2]; 3] = std::array::from_fn(|k| {
                    frame.range(k, within).map(|x| x.clamp(-half[k], half[k]))
                });
                let corner =
                    |i: usize| rounded(&frame.at(std::array::from_fn(|k| sides[k][i >> k & 1])));
                body.add_box((0..8).map(corner).collect());
            }
            (_, Core::Cylinder { half, radius }) => {
                let map = frame.scaled([radius, radius, 1.0]);
                let ends = range.map(|z| z.clamp(-half, half));
                body.add_revolved(ends.map(|z| map.about(on_axis(z))), 1.0);
            }
            (_, Core::Cone { half, radius }) => {
                let ends = range.map(|z| z.clamp(-half, half));
                let parts = ends.map(|z| Double::difference(z, half).div(&Double::of(2.0 * half)));
                let map = frame.scaled([radius, radius, 1.0]);
                let [base, top] = [0, 1].map(|k| map.times(&parts[k]).about(on_axis(ends[k])));
                let [base_radius, top_radius] = parts.map(|part| part.rounded());
                if base_radius > 0.0 {
                    body.add_revolved([base, top], top_radius / base_radius);
                }
            }
            _ => return None,
        }
        Some(body)
    }

    /// A box under the border of a half space, in which all is that a box has below it.
    pub(in crate::volume) fn of_half_space(pose: &Pose, view: &View, within: &Aabb) -> Self {
        let frame = Frame::of(pose, view);
        let normal = frame.matrix().map(|row| row[2]);
        let up = scale(normal, 1.0 / length(normal));
        let right = perpendicular(up);
        let right = unit(right).unwrap_or(right);
        let front = cross(up, right);
        let (center, reach) = (within.center(), length(within.size()));
        let above = frame.height(center);
        let mut body = Self::empty();
        let corner = |i: usize| {
            let side = |k: usize| if i >> k & 1 == 0 { -reach } else { reach };
            let across = add(scale(right, side(0)), scale(front, side(1)));
            let point = add(center, add(across, scale(up, -above)));
            if i >> 2 & 1 == 0 {
                return add(point, scale(up, (above - reach).min(-reach)));
            }
            let point = add(point, scale(up, -frame.height(point)));
            // What this has left.
            body.error = body.error.max(1.01 * frame.height(point).abs());
            point
        };
        let corners = (0..8).map(corner).collect();
        body.add_box(corners);
        body
    }

    fn empty() -> Self {
        Self {
            corners: Vec::new(),
            middles: FxHashMap::default(),
            spheres: Vec::new(),
            tubes: Vec::new(),
            patches: Vec::new(),
            are_outside: Vec::new(),
            polygons: Vec::new(),
            error: 0.0,
            is_full: false,
        }
    }

    fn add_box(&mut self, corners: Vec<Point>) {
        self.corners = corners;
        self.polygons = BOX_SIDES.map(Vec::from).into();
    }

    fn add_corner(&mut self, place: Point) -> u32 {
        self.corners.push(place);
        self.corners.len() as u32 - 1
    }

    fn add_sphere(&mut self, frame: Frame) -> u32 {
        self.spheres.push(Sphere::new(frame));
        self.spheres.len() as u32 - 1
    }

    /// The ball about the origin, in a frame.
    fn add_ball(&mut self, frame: Frame) {
        let sphere = self.add_sphere(frame);
        let axes = [0, 1, 2].map(|k| {
            let mut axis = [0.0; 3];
            axis[k] = 1.0;
            axis
        });
        let ways: [[f64; 3]; 6] =
            std::array::from_fn(|i| if i < 3 { axes[i] } else { neg(axes[i - 3]) });
        let numbers = ways.map(|way| self.add_corner(self.spheres[sphere as usize].at(way)));
        for eighth in 0..8 {
            let mut at = [0, 1, 2].map(|k| if eighth >> k & 1 == 0 { k } else { k + 3 });
            if (eighth as u32).count_ones() % 2 == 1 {
                at.swap(1, 2);
            }
            self.patches.push(Patch::Triangle {
                sphere,
                corners: at.map(|i| numbers[i]),
                ways: at.map(|i| ways[i]),
            });
        }
    }

    /// A cylinder or a part of a cone, by the frames at the ends of its axis, in which unit vectors have z = 0, and the radius at the
    /// second in parts of that at the first.
    fn add_revolved(&mut self, frames: [Frame; 2], radius: f64) {
        const D: f64 = FRAC_1_SQRT_2;
        const WAYS: [[f64; 3]; 8] = [
            [1.0, 0.0, 0.0],
            [D, D, 0.0],
            [0.0, 1.0, 0.0],
            [-D, D, 0.0],
            [-1.0, 0.0, 0.0],
            [-D, -D, 0.0],
            [0.0, -1.0, 0.0],
            [D, -D, 0.0],
        ];
        let (map, [start, end]) = (frames[0].matrix(), frames.each_ref().map(Frame::center));
        let [x, y] = [0, 1].map(|k| map.map(|row| row[k]));
        let factor = dot(cross(x, y), sub(end, start)).abs();
        let tube = Tube::new(frames, radius, factor);
        let rings = [0, 1].map(|end| {
            let is_apex = end == 1 && radius == 0.0;
            let apex = is_apex.then(|| self.add_corner(tube.at(end, WAYS[0])));
            WAYS.map(|way| apex.unwrap_or_else(|| self.add_corner(tube.at(end, way))))
        });
        for k in 0..8 {
            let next = (k + 1) % 8;
            self.patches.push(Patch::Strip {
                tube: 0,
                ends: rings.map(|ring| [ring[k], ring[next]]),
                ways: [WAYS[k], WAYS[next]],
                angle: FRAC_PI_4,
            });
        }
        self.polygons.push(rings[0].iter().rev().copied().collect());
        if radius > 0.0 {
            self.polygons.push(rings[1].to_vec());
        }
        self.tubes.push(tube);
    }

    /// What two balls of one radius and the segments between them fill.
    fn add_capsule(&mut self, balls: [Frame; 2], radius: f64) {
        let [start, end] = balls.each_ref().map(Frame::center);
        let Some(axis) = unit(sub(end, start)) else { return self.add_ball(balls[0].clone()) };
        let right = perpendicular(axis);
        let right = unit(right).unwrap_or(right);
        let up = cross(axis, right);
        let ways = [right, up, neg(right), neg(up)];
        let mut arcs = [Vec::new(), Vec::new()];
        let numbers = balls.each_ref().map(|ball| ways.map(|way| self.add_corner(ball.on(way))));
        for k in 0..4 {
            let at = [k, (k + 1) % 4];
            let [first, second] = numbers.map(|numbers| at.map(|i| numbers[i]));
            self.add_strip(&balls, radius, [first, second], at.map(|i| ways[i]));
            let [from, to] = at.map(|i| ways[i]);
            // Seen from outside, the ball at the first end passes the arc from the second corner to the first one.
            arcs[0].push([(first[1], to), (first[0], from)]);
            arcs[1].push([(second[0], from), (second[1], to)]);
        }
        for (ball, (way, arcs)) in balls.into_iter().zip([neg(axis), axis].into_iter().zip(&arcs)) {
            self.add_fan(ball, way, arcs);
        }
    }

    /// A strip between two balls, by the corners at both ends of each of two lines.
    fn add_strip(
        &mut self,
        balls: &[Frame; 2],
        radius: f64,
        ends: [[u32; 2]; 2],
        ways: [[f64; 3]; 2],
    ) {
        let [start, end] = balls.each_ref().map(Frame::center);
        let factor = radius * radius * length(sub(end, start));
        self.tubes.push(Tube::new(balls.clone(), 1.0, factor));
        let tube = self.tubes.len() as u32 - 1;
        let [v, w] = ways;
        let angle = libm::atan2(length(cross(v, w)), dot(v, w));
        self.patches.push(Patch::Strip { tube, ends, ways, angle });
    }

    /// Parts of a ball about a direction between arcs, each from one corner to another.
    fn add_fan(&mut self, ball: Frame, way: [f64; 3], arcs: &[Arc]) {
        let sphere = self.add_sphere(ball);
        let top = self.add_corner(self.spheres[sphere as usize].at(way));
        for &[(from, of_from), (to, of_to)] in arcs {
            let (corners, ways) = ([top, from, to], [way, of_from, of_to]);
            self.patches.push(Patch::Triangle { sphere, corners, ways });
        }
    }

    /// All points at most a radius from a polytope.
    fn add_rounded(&mut self, polytope: &Polytope, frame: &Frame, radius: f64) {
        let ball = |&p: &Point| Frame::ball(frame.at(p), radius);
        let balls: Vec<Frame> = polytope.positions().iter().map(ball).collect();
        match balls.as_slice() {
            [] => return,
            [ball] => return self.add_ball(ball.clone()),
            [first, second] => return self.add_capsule([first.clone(), second.clone()], radius),
            _ => {}
        }
        let positions: Vec<Point> = balls.iter().map(Frame::center).collect();
        let mut normals = Vec::with_capacity(polytope.facets().len());
        // Edges by their facets, the one that passes them from the lower to the higher number first.
        let mut edges: BTreeMap<[u32; 2], [usize; 2]> = BTreeMap::new();
        let mut numbers: BTreeMap<(u32, usize), u32> = BTreeMap::new();
        for (number, facet) in polytope.facets().enumerate() {
            let (normal, error) = normal_of(facet, &positions);
            // A corner is on its ball in any case, so that only the square of this error counts.
            self.error = self.error.max(radius * error * error);
            normals.push(normal);
            let mut polygon = Vec::with_capacity(facet.len());
            for (k, &v) in facet.iter().enumerate() {
                let corner = self.add_corner(balls[v as usize].on(normal));
                numbers.insert((v, number), corner);
                polygon.push(corner);
                let w = facet[(k + 1) % facet.len()];
                edges.entry([v.min(w), v.max(w)]).or_default()[usize::from(v > w)] = number;
            }
            self.polygons.push(polygon);
        }
        let mut arcs: Vec<Vec<Arc>> = vec![Vec::new(); positions.len()];
        for (&[v, w], &[left, right]) in &edges {
            let ends = [v, w].map(|end| balls[end as usize].clone());
            let corner = |side: usize| [v, w].map(|end| numbers[&(end, side)]);
            let mut lines = vec![(corner(left), normals[left]), (corner(right), normals[right])];
            if dot(normals[left], normals[right]) < 0.0 {
                let along = sub(positions[w as usize], positions[v as usize]);
                let out = [cross(along, normals[left]), cross(normals[right], along)];
                let way = middle_of(out).unwrap_or(normals[left]);
                lines.insert(1, (ends.each_ref().map(|ball| self.add_corner(ball.on(way))), way));
            }
            for pair in lines.windows(2) {
                let [(one, from), (other, to)] = [pair[0], pair[1]];
                let corners = [[one[0], other[0]], [one[1], other[1]]];
                self.add_strip(&ends, radius, corners, [from, to]);
                arcs[v as usize].push([(other[0], to), (one[0], from)]);
                arcs[w as usize].push([(one[1], from), (other[1], to)]);
            }
        }
        for (ball, arcs) in balls.into_iter().zip(&arcs) {
            let ways: Vec<[f64; 3]> = arcs.iter().map(|[(_, way), _]| *way).collect();
            self.add_fan(ball, inner_way(&ways), arcs);
        }
    }
}

/// From one corner of a sphere to another: their numbers and unit vectors.
type Arc = [(u32, [f64; 3]); 2];

/// The direction in the middle of two vectors.
fn middle_of([v, w]: [[f64; 3]; 2]) -> Option<[f64; 3]> {
    Some(middle(unit(v)?, unit(w)?))
}

/// The normal of a polygon, and a bound of its error.
pub(in crate::volume) fn normal_of(polygon: &[u32], positions: &[Point]) -> ([f64; 3], f64) {
    let corner = |k: usize| positions[polygon[k % polygon.len()] as usize];
    let start = corner(0);
    let mut sum = [0.0; 3];
    let mut longest: f64 = 0.0;
    for k in 1..polygon.len() {
        sum = add(sum, cross(sub(corner(k), start), sub(corner(k + 1), start)));
        longest = longest.max(length(sub(corner(k), start)));
    }
    let far = polygon.iter().map(|&v| largest(positions[v as usize])).fold(0.0, f64::max);
    let area = length(sum);
    let error = 8.0 * f64::EPSILON * polygon.len() as f64 * longest * (far + longest) / area;
    (unit(sum).unwrap_or([0.0, 0.0, 1.0]), if error < 1.0 { error } else { 1.0 })
}

/// A direction within the cone of some directions at a vertex, at less than a right angle to each.
///
/// The point nearest to the origin in the hull of their ends is such a direction, if not all of them are in a plane
/// (Gilbert 1966 steps towards it); a little of the mean is added, for it may be on the border.
fn inner_way(ways: &[[f64; 3]]) -> [f64; 3] {
    const STEPS: usize = 200;
    let sum = ways.iter().fold([0.0; 3], |sum, &way| add(sum, way));
    let mean = scale(sum, 1.0 / ways.len() as f64);
    let lowest = |to: [f64; 3]| {
        let heights = ways.iter().map(|&way| (dot(to, way), way));
        heights.min_by(|(one, _), (other, _)| one.total_cmp(other)).unwrap_or((0.0, to))
    };
    let mut nearest = mean;
    for _ in 0..STEPS {
        let (height, way) = lowest(nearest);
        if height > 0.5 * dot(nearest, nearest) {
            break;
        }
        let line = sub(way, nearest);
        let part = -dot(nearest, line) / dot(line, line);
        nearest = add(nearest, scale(line, part.clamp(0.0, 1.0)));
    }
    let (height, _) = lowest(nearest);
    unit(add(nearest, scale(mean, 0.5 * height.max(0.0)))).unwrap_or([0.0, 0.0, 1.0])
}
