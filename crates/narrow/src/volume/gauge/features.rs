//! The features of a polytope with a radius.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;

use xcollide_math::vector::{cross, dot, length, neg, perpendicular, sub, unit};

use super::atom::{Border, Feature, Rounded};
use super::quadric::{Polynomial, Quadric};
use crate::volume::inscribed::normal_of;

/// Edges by the numbers of their ends, with the facets beside each and the directions out of these across it.
type Edges = BTreeMap<[u32; 2], Vec<(usize, [f64; 3])>>;

impl Rounded {
    /// By the corners and the facets of the polytope, none for a segment; and how far its surface may be from where it should be, as
    /// normals are rounded. `None` without a radius, or if the origin is not inside.
    pub(super) fn new(
        positions: &[[f64; 3]],
        facets: &[&[u32]],
        radius: f64,
    ) -> Option<(Self, f64)> {
        let is_segment = facets.is_empty() && positions.len() == 2;
        if radius <= 0.0 || (facets.is_empty() && !is_segment) {
            return None;
        }
        let mut edges = Edges::new();
        if is_segment {
            edges.insert([0, 1], Vec::new());
        }
        let far = positions.iter().map(|p| length(*p)).fold(radius, f64::max);
        let mut error = 8.0 * f64::EPSILON * far;
        let mut normals = Vec::with_capacity(facets.len());
        for (number, facet) in facets.iter().enumerate() {
            let (normal, of_normal) = normal_of(facet, positions);
            let from_first = |v: &u32| sub(positions[*v as usize], positions[facet[0] as usize]);
            let far = facet.iter().map(|v| length(from_first(v))).fold(0.0, f64::max);
            let high = facet.iter().map(|v| dot(normal, from_first(v)).abs()).fold(0.0, f64::max);
            error += of_normal * far + radius * of_normal * of_normal + high;
            for k in 0..facet.len() {
                let [v, w] = [facet[k], facet[(k + 1) % facet.len()]];
                let out = cross(sub(positions[w as usize], positions[v as usize]), normal);
                edges.entry([v.min(w), v.max(w)]).or_default().push((number, unit(out)?));
            }
            normals.push(normal);
        }
        // Vertices, edges, facets.
        let first_facet = positions.len() + edges.len();
        let mut features: Vec<Feature> = positions.iter().map(|v| vertex(*v, radius)).collect();
        let mut numbers: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for (&[v, w], beside) in &edges {
            let number = features.len() as u32;
            numbers.insert([v, w], number);
            let [from, to] = [v, w].map(|end| positions[end as usize]);
            let along = unit(sub(to, from))?;
            let mut edge = edge(from, along, radius)?;
            edge.borders = vec![Border::at(to, along, w), Border::at(from, neg(along), v)];
            for (facet, out) in beside {
                edge.borders.push(Border::at(from, neg(*out), (first_facet + facet) as u32));
            }
            for (end, place, way) in [(v, from, along), (w, to, neg(along))] {
                features[end as usize].borders.push(Border::at(place, way, number));
            }
            features.push(edge);
        }
        let mut nearest = f64::INFINITY;
        for (facet, normal) in facets.iter().zip(&normals) {
            let place = |k: usize| positions[facet[k % facet.len()] as usize];
            let level = dot(*normal, place(0)) + radius;
            nearest = nearest.min(level);
            let mut factor = SQRT_2;
            let mut borders = Vec::with_capacity(facet.len());
            for k in 0..facet.len() {
                let [v, w] = [facet[k], facet[(k + 1) % facet.len()]];
                let (before, after) =
                    (sub(place(k + facet.len() - 1), place(k)), sub(place(k + 1), place(k)));
                borders.push(Border::at(
                    place(k),
                    unit(cross(after, *normal))?,
                    numbers[&[v.min(w), v.max(w)]],
                ));
                let cosine = dot(unit(before)?, unit(after)?).clamp(-1.0, 1.0);
                // Where two borders are passed by as much, the point between them is farther by 1 over the sine of half the
                // angle; between the normals at a vertex it is 1 over the cosine.
                factor = factor.max((2.0 / (1.0 - cosine)).sqrt());
                let of_vertex = &mut features[v as usize].factor;
                *of_vertex = of_vertex.max((2.0 / (1.0 + cosine)).sqrt());
            }
            features.push(Feature { quadric: Quadric::plane(*normal, level), borders, factor });
        }
        // Inside of the polytope the nearest point of the surface is over a facet.
        let in_polytope = if nearest.is_finite() { nearest } else { 0.0 };
        let depth = in_polytope.min(if facets.len() > 2 { f64::INFINITY } else { 0.0 });
        let depth = depth.max(radius - distance(positions, 0.25 * radius));
        (depth > 0.0 && nearest > 0.0).then_some((Self { features, radius, depth }, error))
    }
}

impl Border {
    /// Through a point, for what is before it in a direction.
    fn at(place: [f64; 3], normal: [f64; 3], beyond: u32) -> Self {
        Self { normal, level: dot(normal, place), beyond }
    }
}

/// A sphere about a point.
fn vertex(at: [f64; 3], radius: f64) -> Feature {
    let axis = |k: usize| {
        let mut axis = [0.0; 3];
        axis[k] = 1.0;
        (axis, -at[k])
    };
    let ball = (0..3).fold(Polynomial::of(-radius * radius), |sum, k| sum.with(1.0, axis(k)));
    Feature { quadric: Quadric::far_side(ball), borders: Vec::new(), factor: SQRT_2 }
}

/// A cylinder about a line: the square of the distance from it is the sum of those from two planes.
fn edge(at: [f64; 3], along: [f64; 3], radius: f64) -> Option<Feature> {
    let right = unit(perpendicular(along))?;
    let plane = |a: [f64; 3]| (a, -dot(a, at));
    let tube = Polynomial::of(-radius * radius)
        .with(1.0, plane(right))
        .with(1.0, plane(cross(along, right)));
    Some(Feature { quadric: Quadric::far_side(tube), borders: Vec::new(), factor: 1.0 })
}

/// No less than the distance of the origin from the hull of some points: that of a point in it, which Gilbert's steps bring nearer (1966) until
/// this is enough.
fn distance(points: &[[f64; 3]], enough: f64) -> f64 {
    const STEPS: usize = 200;
    let mut nearest = points[0];
    for _ in 0..STEPS {
        let lowest = points.iter().min_by(|p, q| dot(**p, nearest).total_cmp(&dot(**q, nearest)));
        let Some(way) = lowest else { break };
        let line = sub(*way, nearest);
        let part = -dot(nearest, line) / dot(line, line);
        if length(nearest) <= enough || part.is_nan() {
            break;
        }
        let part = part.clamp(0.0, 1.0);
        nearest = [0, 1, 2].map(|k| nearest[k] + part * line[k]);
    }
    length(nearest)
}
