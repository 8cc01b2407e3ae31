//! Approximate convex decomposition: planes across the axes cut a model where its hull is farthest
//! from it.
//!
//! After Mamou and Ghorbel (2009) and Wei and others (2022), derived anew, with two
//! differences. Nothing is made of voxels or simplified: a part is what the cuts leave of the
//! triangles, and its piece the exact hull of that; so pieces hold the surface, up to the rounding
//! of cut points, which is known. And a part is measured both ways: how far it is from a point of its
//! surface, along the normal, to where the hull ends, like in HACD; and how far points of the hull's
//! faces are from the model. A flat slice of a ring shows in the second only.
//!
//! ```text
//!      ┌───────────────┐ hull          Of all planes across an axis the one is taken that leaves
//!      │░░░░░│↑        │               the least volume in the two hulls: here the one through the
//!      │░░░░░│concavity│               inner corner.
//!      │░░░░░└─────────┤
//!      │░░░░░░░░░░░░░░░│
//!      └───────────────┘
//! ```

use xcollide_brep::{ConvexHull, Topology};

use super::concavity;
use super::cut::{Polygon, cut};
use super::pieces::{Piece, Pieces};
use crate::convex::vector::{Vector, add, cross, dot, scaled, square, sub, unit};
use crate::mesh::Wide;
use crate::{Model, NarrowPhase};

/// When a decomposition is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DecompositionOptions {
    /// No more pieces than this. At least one.
    pub most_pieces: usize,
    /// Parts are not cut whose hulls are, along the normals of their surface, no farther from it
    /// than this part of the model's size.
    pub concavity: f64,
}

impl Default for DecompositionOptions {
    /// At most 32 pieces, 2 % of the size.
    fn default() -> Self {
        Self { most_pieces: 32, concavity: 0.02 }
    }
}

/// No part is cut out of others more than so many times; each cut rounds.
const MOST_CUTS: u32 = 32;

/// So many polygons of a part are looked at to measure it and to choose a cut.
const SAMPLE: usize = 400;

/// So many planes are tried across each axis, besides those through corners.
const PLANES: usize = 7;

/// With so many different coordinates or fewer, a plane is tried through each.
const FEW_COORDINATES: usize = 16;

/// A part of the surface.
struct Part {
    polygons: Vec<Polygon>,
    hull: ConvexHull,
    concavity: f64,
    cuts: u32,
}

/// What parts are measured by.
struct Whole<'a> {
    model: &'a Model,
    facing: Facing,
}

/// Where the normals of the triangles point.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Facing {
    Outward,
    Inward,
    /// To no side in particular: a part is as deep as on the shallower one.
    Either,
}

impl Facing {
    fn of(model: &Model, polygons: &[Polygon]) -> Self {
        if !model.topology().contains(Topology::ORIENTED | Topology::CLOSED) {
            return Self::Either;
        }
        let origin = polygons.first().map_or([0.0; 3], |polygon| polygon[0]);
        let volume = polygons.iter().map(|polygon| {
            let [a, b, c] = [0, 1, 2].map(|i| sub(polygon[i.min(polygon.len() - 1)], origin));
            dot(a, cross(b, c))
        });
        if volume.sum::<f64>() < 0.0 { Self::Inward } else { Self::Outward }
    }
}

pub(super) fn decompose(model: &Model, options: &DecompositionOptions) -> Pieces {
    let corners = model.triangulation().triangles().iter();
    let polygons: Vec<Polygon> =
        corners.map(|t| t.map(|vertex| model.mesh().position(vertex)).to_vec()).collect();
    // Another handle's worth of trees, which are dropped in the end.
    let model_of_trees = Model::new(model.brep().clone());
    let _ = Wide::new().prepare(&model_of_trees);
    let whole = Whole { facing: Facing::of(model, &polygons), model: &model_of_trees };
    let Some(first) = Part::new(polygons, 0, &whole) else { return Pieces::new(Vec::new(), 0.0) };
    let enough = options.concavity * size(first.hull.mesh().positions());
    let mut parts = vec![first];
    while parts.len() < options.most_pieces {
        let worst = (0..parts.len())
            .filter(|&i| parts[i].cuts < MOST_CUTS && parts[i].concavity > enough)
            .max_by(|&i, &j| parts[i].concavity.total_cmp(&parts[j].concavity).then(j.cmp(&i)));
        let Some(worst) = worst else { break };
        match parts[worst].halves(&whole) {
            Some([below, above]) => {
                parts[worst] = below;
                parts.push(above);
            }
            // Nothing to gain by any plane.
            None => parts[worst].concavity = 0.0,
        }
    }
    let cuts = parts.iter().map(|part| part.cuts).max().unwrap_or(0);
    // A hull of finite points is a mesh, and of fewer elements than ids can number.
    let pieces =
        parts.into_iter().filter_map(|part| Piece::part(part.hull.into_mesh(), model).ok());
    Pieces::new(pieces.collect(), f64::from(cuts))
}

impl Part {
    /// `None` where there are no polygons.
    fn new(polygons: Vec<Polygon>, cuts: u32, whole: &Whole<'_>) -> Option<Self> {
        let hull = ConvexHull::of(&polygons.concat()).ok()?;
        let concavity = depth(&polygons, &hull, whole.facing).max(height(whole.model, &hull));
        Some(Self { polygons, hull, concavity, cuts })
    }

    /// What a plane is tried on: a sample, and of the polygons that cross the plane another. Without
    /// those both hulls would end before the plane, and the largest section seem to gain most.
    fn tried(&self, sampled: &[Polygon], axis: usize, at: f64) -> Vec<Polygon> {
        let crosses = |polygon: &&Polygon| {
            let low = polygon.iter().any(|p| p[axis] < at);
            low && polygon.iter().any(|p| p[axis] > at)
        };
        let crossing: Vec<Polygon> = self.polygons.iter().filter(crosses).cloned().collect();
        sampled.iter().chain(sample(&crossing)).cloned().collect()
    }

    /// The two parts of the best cut; `None` where no plane leaves something on both sides.
    fn halves(&self, whole: &Whole<'_>) -> Option<[Self; 2]> {
        let sample: Vec<Polygon> = sample(&self.polygons).cloned().collect();
        let size = size(self.hull.mesh().positions());
        let mut best: Option<(f64, usize, f64)> = None;
        for axis in 0..3 {
            let planes = planes(self.hull.mesh().positions(), &sample, axis);
            for &at in &planes {
                let costs = cut(&self.tried(&sample, axis, at), axis, at);
                let costs = costs.map(|side| cost(&side, size));
                let [Some(below), Some(above)] = costs else { continue };
                let cost = below + above;
                if best.is_none_or(|(least, ..)| cost < least * (1.0 - 1e-9)) {
                    best = Some((cost, axis, at));
                }
            }
        }
        let (_, axis, at) = best?;
        let [below, above] = cut(&self.polygons, axis, at);
        let part = |polygons| Self::new(polygons, self.cuts + 1, whole);
        Some([part(below)?, part(above)?])
    }
}

/// At most [`SAMPLE`] polygons: one of each run of equal length, now here, now there in it, so that no
/// pattern in their order is met with another.
fn sample(polygons: &[Polygon]) -> impl Iterator<Item = &Polygon> {
    let step = polygons.len().div_ceil(SAMPLE).max(1);
    polygons.chunks(step).enumerate().filter_map(move |(run, polygons)| {
        let scattered = (run as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        polygons.get(scattered as usize % polygons.len())
    })
}

/// How far points on the faces of a hull are from the model, which it may be in, at most.
fn height(model: &Model, hull: &ConvexHull) -> f64 {
    /// So many points are tried.
    const POINTS: usize = 200;
    let mesh = hull.mesh();
    let step = mesh.face_count().div_ceil(POINTS / 4).max(1);
    let mut highest = 0.0_f64;
    for face in mesh.faces().step_by(step) {
        let corners = face.outer();
        let share = 1.0 / corners.len() as f64;
        let centre = corners.iter().fold([0.0; 3], |sum, &v| add(sum, mesh.position(v)));
        let centre = scaled(centre, share);
        let between = corners.iter().step_by(corners.len().div_ceil(3));
        let between = between.map(|&v| scaled(add(mesh.position(v), centre), 0.5));
        for point in between.chain([centre]) {
            highest = highest.max(concavity::distance(model, point).unwrap_or(0.0));
        }
    }
    highest
}

/// Where to try planes across an axis: even steps, and the coordinates of corners, if they are few
/// or the middle ones. From the middle outwards, so that of equals the first is the most even.
fn planes(hull: &[Vector], sample: &[Polygon], axis: usize) -> Vec<f64> {
    let (low, high) = hull
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[axis]), h.max(p[axis])));
    let mut planes: Vec<f64> =
        (1..=PLANES).map(|i| low + (high - low) * (i as f64 / (PLANES + 1) as f64)).collect();
    let mut corners: Vec<f64> = sample.iter().flatten().map(|p| p[axis]).collect();
    corners.sort_unstable_by(f64::total_cmp);
    corners.dedup();
    if corners.len() <= FEW_COORDINATES {
        planes.extend(corners);
    }
    let middle = 0.5 * low + 0.5 * high;
    planes.retain(|&at| low < at && at < high);
    planes.sort_by(|x, y| (x - middle).abs().total_cmp(&(y - middle).abs()));
    planes
}

/// Volume of the hull and, so that flat parts have a cost, a little of its surface; `None` where
/// there is nothing.
fn cost(polygons: &[Polygon], size: f64) -> Option<f64> {
    /// In volumes, of a layer that thick, relative to the size.
    const LAYER: f64 = 1e-3;
    let hull = ConvexHull::of(&polygons.concat()).ok()?;
    let mesh = hull.mesh();
    let origin = *mesh.positions().first()?;
    let (mut volume, mut area) = (0.0, 0.0);
    for face in mesh.faces() {
        let at = |i: usize| sub(mesh.position(face.outer()[i]), origin);
        for i in 2..face.outer().len() {
            let twice = cross(sub(at(i - 1), at(0)), sub(at(i), at(0)));
            area += 0.5 * square(twice).sqrt();
            volume += dot(twice, at(0)) / 6.0;
        }
    }
    Some(volume + LAYER * size * area)
}

/// How far it is at most from the surface, along its normal, to where the hull ends.
fn depth(polygons: &[Polygon], hull: &ConvexHull, facing: Facing) -> f64 {
    if hull.dimension() < 2 {
        return 0.0;
    }
    let mesh = hull.mesh();
    let planes: Vec<(Vector, f64)> = mesh
        .faces()
        .filter_map(|face| {
            let at = |i: usize| mesh.position(face.outer()[i]);
            let normal = unit(cross(sub(at(1), at(0)), sub(at(2), at(1))))?;
            Some((normal, dot(normal, at(0))))
        })
        .collect();
    let exit = |point: Vector, along: Vector| {
        let distances = planes.iter().filter_map(|&(normal, height)| {
            let speed = dot(normal, along);
            (speed > 1e-9).then(|| (height - dot(normal, point)).max(0.0) / speed)
        });
        distances.fold(f64::INFINITY, f64::min)
    };
    let mut deepest = 0.0_f64;
    for polygon in sample(polygons) {
        let [a, b, c, ..] = polygon[..] else { continue };
        let Some(normal) = unit(cross(sub(b, a), sub(c, a))) else { continue };
        let centre = polygon.iter().fold([0.0; 3], |sum, &p| add(sum, p));
        let centre = scaled(centre, 1.0 / polygon.len() as f64);
        for &point in polygon.iter().chain([&centre]) {
            let [ahead, behind] = [1.0, -1.0].map(|sign| exit(point, scaled(normal, sign)));
            let out = match facing {
                Facing::Outward => ahead,
                Facing::Inward => behind,
                Facing::Either => ahead.min(behind),
            };
            if out.is_finite() {
                deepest = deepest.max(out);
            }
        }
    }
    deepest
}

/// The longest side of the box.
fn size(points: &[Vector]) -> f64 {
    let extent = |k: usize| {
        let range = points
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[k]), h.max(p[k])));
        range.1 - range.0
    };
    extent(0).max(extent(1)).max(extent(2))
}
