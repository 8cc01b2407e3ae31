//! The coarse polyhedron in a body that is given by a formula.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

use rustc_hash::FxHashMap;
use xcollide_convex::Polytope;
use xcollide_convex::shape::Core;
use xcollide_math::vector::{
    add, cross, dot, largest, length, neg, perpendicular, scale, sub, unit,
};
use xcollide_predicates::Point;

use super::Inscribed;
use super::patch::{Matrix, Patch, Sphere, Tube, middle, times};
use crate::{Formula, Pose};

/// The sides of a box by its corners, of which number i has the greater coordinate k where bit k of i is set.
const SIDES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// Of what a few operations round.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl Inscribed {
    /// `None` for a half space, and for shapes without a formula.
    pub(in crate::volume) fn of_formula(formula: &Formula, pose: &Pose) -> Option<Self> {
        let shape = formula.shape()?;
        let (radius, matrix) = (shape.radius(), pose.rotation());
        let scaled =
            |sizes: [f64; 3]| -> Matrix { matrix.map(|row| [0, 1, 2].map(|k| row[k] * sizes[k])) };
        let mut body = Self::empty();
        match (formula, shape.core()) {
            (Formula::Rounded(rounded), _) => body.add_rounded(rounded.polytope(), pose, radius),
            (_, Core::Point) => body.add_ball(pose.translation(), ball_map(radius)),
            (_, Core::Ellipsoid { half }) => body.add_ball(pose.translation(), scaled(half)),
            (_, Core::Segment { half }) => {
                let arm = pose.rotate([0.0, 0.0, half]);
                let center = pose.translation();
                body.add_capsule([sub(center, arm), add(center, arm)], radius);
            }
            (_, Core::Cuboid { half }) => {
                let corner = |i: usize| {
                    pose.apply([0, 1, 2].map(|k| if i >> k & 1 == 0 { -half[k] } else { half[k] }))
                };
                body.add_box((0..8).map(corner).collect());
            }
            (_, Core::Cylinder { half, radius }) => {
                let centers = [-half, half].map(|z| pose.apply([0.0, 0.0, z]));
                body.add_revolved(centers, [1.0, 1.0], scaled([radius, radius, 1.0]));
            }
            (_, Core::Cone { half, radius }) => {
                let centers = [-half, half].map(|z| pose.apply([0.0, 0.0, z]));
                body.add_revolved(centers, [1.0, 0.0], scaled([radius, radius, 1.0]));
            }
            _ => return None,
        }
        body.error += ROUNDING * (largest(pose.translation()) + shape.reach() + radius);
        Some(body)
    }

    /// A box, by its corners.
    pub(in crate::volume) fn of_box(corners: Vec<Point>, error: f64) -> Self {
        let mut body = Self { error, ..Self::empty() };
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
            polygons: Vec::new(),
            error: 0.0,
        }
    }

    fn add_box(&mut self, corners: Vec<Point>) {
        self.corners = corners;
        self.polygons = SIDES.map(Vec::from).into();
    }

    fn add_corner(&mut self, place: Point) -> u32 {
        self.corners.push(place);
        self.corners.len() as u32 - 1
    }

    fn add_sphere(&mut self, center: Point, map: Matrix) -> u32 {
        let [x, y, z] = map;
        self.spheres.push(Sphere { center, map, factor: dot(x, cross(y, z)).abs() });
        self.spheres.len() as u32 - 1
    }

    fn add_ball(&mut self, center: Point, map: Matrix) {
        let sphere = self.add_sphere(center, map);
        let axes = [0, 1, 2].map(|k| {
            let mut axis = [0.0; 3];
            axis[k] = 1.0;
            axis
        });
        let ways: [[f64; 3]; 6] =
            std::array::from_fn(|i| if i < 3 { axes[i] } else { neg(axes[i - 3]) });
        let numbers = ways.map(|way| self.add_corner(add(center, times(&map, way))));
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

    /// A cylinder or a cone, by the ends of its axis, its radii there, and the matrix that moves unit vectors with z = 0.
    fn add_revolved(&mut self, centers: [Point; 2], radii: [f64; 2], map: Matrix) {
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
        let columns = [0, 1].map(|k| map.map(|row| row[k]));
        let factor = dot(cross(columns[0], columns[1]), sub(centers[1], centers[0])).abs();
        let tube = Tube { centers, radii, map, factor };
        let rings = [0, 1].map(|end| {
            let apex = (radii[end] == 0.0).then(|| self.add_corner(centers[end]));
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
        if radii[1] > 0.0 {
            self.polygons.push(rings[1].to_vec());
        }
        self.tubes.push(tube);
    }

    /// All points at most a radius from a segment.
    fn add_capsule(&mut self, centers: [Point; 2], radius: f64) {
        let map = ball_map(radius);
        let Some(axis) = unit(sub(centers[1], centers[0])) else {
            return self.add_ball(centers[0], map);
        };
        let right = perpendicular(axis);
        let Some(right) = unit(right) else { return };
        let up = cross(axis, right);
        let ways = [right, up, neg(right), neg(up)];
        let mut arcs = [Vec::new(), Vec::new()];
        let mut numbers = [0, 1]
            .map(|end| ways.map(|way| self.add_corner(add(centers[end], scale(way, radius)))));
        for k in 0..4 {
            let at = [k, (k + 1) % 4];
            let ends = numbers.each_mut().map(|numbers| at.map(|i| numbers[i]));
            self.add_strip(centers, radius, ends, at.map(|i| ways[i]));
            for (end, arcs) in arcs.iter_mut().enumerate() {
                let [from, to] = at.map(|i| (numbers[end][i], ways[i]));
                // Seen from outside, the ball at the first end passes the arc from the second corner to the first one.
                arcs.push(if end == 0 { [to, from] } else { [from, to] });
            }
        }
        let [first, second] = arcs;
        // A strip has its first arc forward and its second one backward.
        self.add_fan(centers[0], radius, neg(axis), &first);
        self.add_fan(centers[1], radius, axis, &second);
    }

    /// A strip about a segment, by the corners at both ends of each of two lines.
    fn add_strip(
        &mut self,
        centers: [Point; 2],
        radius: f64,
        ends: [[u32; 2]; 2],
        ways: [[f64; 3]; 2],
    ) {
        let map = ball_map(radius);
        let factor = radius * radius * length(sub(centers[1], centers[0]));
        self.tubes.push(Tube { centers, radii: [1.0, 1.0], map, factor });
        let tube = self.tubes.len() as u32 - 1;
        let angle = angle_between(ways);
        self.patches.push(Patch::Strip { tube, ends, ways, angle });
    }

    /// Parts of a sphere about a direction between arcs, each from one corner to another.
    fn add_fan(&mut self, center: Point, radius: f64, way: [f64; 3], arcs: &[Arc]) {
        let sphere = self.add_sphere(center, ball_map(radius));
        let top = self.add_corner(self.spheres[sphere as usize].at(way));
        for &[(from, of_from), (to, of_to)] in arcs {
            let (corners, ways) = ([top, from, to], [way, of_from, of_to]);
            self.patches.push(Patch::Triangle { sphere, corners, ways });
        }
    }

    /// All points at most a radius from a polytope.
    fn add_rounded(&mut self, polytope: &Polytope, pose: &Pose, radius: f64) {
        let positions: Vec<Point> = polytope.positions().iter().map(|&p| pose.apply(p)).collect();
        match *positions.as_slice() {
            [] => return,
            [center] => return self.add_ball(center, ball_map(radius)),
            [start, end] => return self.add_capsule([start, end], radius),
            _ => {}
        }
        let facets: Vec<&[u32]> = polytope.facets().collect();
        let mut normals = Vec::with_capacity(facets.len());
        // Edges by their facets, the one that passes them from the lower to the higher number first.
        let mut edges: BTreeMap<[u32; 2], [usize; 2]> = BTreeMap::new();
        let mut numbers: BTreeMap<(u32, usize), u32> = BTreeMap::new();
        for (number, facet) in facets.iter().enumerate() {
            let (normal, error) = normal_of(facet, &positions);
            // A corner is on its sphere in any case, so that only the square of this error counts.
            self.error = self.error.max(radius * error * error);
            normals.push(normal);
            let polygon = facet.iter().map(|&v| {
                let place = add(positions[v as usize], scale(normal, radius));
                *numbers.entry((v, number)).or_insert_with(|| self.add_corner(place))
            });
            let polygon = polygon.collect();
            self.polygons.push(polygon);
            for (k, &v) in facet.iter().enumerate() {
                let w = facet[(k + 1) % facet.len()];
                edges.entry([v.min(w), v.max(w)]).or_default()[usize::from(v > w)] = number;
            }
        }
        let mut arcs: Vec<Vec<Arc>> = vec![Vec::new(); positions.len()];
        for (&[v, w], &[left, right]) in &edges {
            let centers = [v, w].map(|end| positions[end as usize]);
            let corner = |side: usize| [v, w].map(|end| numbers[&(end, side)]);
            let mut lines = vec![(corner(left), normals[left]), (corner(right), normals[right])];
            if dot(normals[left], normals[right]) < 0.0 {
                let along = sub(centers[1], centers[0]);
                let out = [cross(along, normals[left]), cross(normals[right], along)];
                let way = middle_of(out).unwrap_or(normals[left]);
                let new = centers.map(|center| self.add_corner(add(center, scale(way, radius))));
                lines.insert(1, (new, way));
            }
            for pair in lines.windows(2) {
                let [(one, from), (other, to)] = [pair[0], pair[1]];
                self.add_strip(
                    centers,
                    radius,
                    [[one[0], other[0]], [one[1], other[1]]],
                    [from, to],
                );
                arcs[v as usize].push([(other[0], to), (one[0], from)]);
                arcs[w as usize].push([(one[1], from), (other[1], to)]);
            }
        }
        for (position, arcs) in positions.iter().zip(&arcs) {
            let ways: Vec<[f64; 3]> = arcs.iter().map(|[(_, way), _]| *way).collect();
            self.add_fan(*position, radius, inner_way(&ways), arcs);
        }
    }
}

/// From one corner of a sphere to another: their numbers and unit vectors.
type Arc = [(u32, [f64; 3]); 2];

fn ball_map(radius: f64) -> Matrix {
    [[radius, 0.0, 0.0], [0.0, radius, 0.0], [0.0, 0.0, radius]]
}

fn angle_between([v, w]: [[f64; 3]; 2]) -> f64 {
    libm::atan2(length(cross(v, w)), dot(v, w))
}

/// The direction in the middle of two vectors.
fn middle_of([v, w]: [[f64; 3]; 2]) -> Option<[f64; 3]> {
    Some(middle(unit(v)?, unit(w)?))
}

/// The normal of a polygon, and a bound of its error.
fn normal_of(polygon: &[u32], positions: &[Point]) -> ([f64; 3], f64) {
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
    let error = ROUNDING * polygon.len() as f64 * longest * (far + longest) / area;
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
