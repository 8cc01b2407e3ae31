//! Approximate convex decomposition: planes perpendicular to the axes cut a model where its hull is farthest
//! from it.
//!
//! After Mamou and Ghorbel (2009) and Wei and others (2022), with two differences. There are no voxels and no
//! simplification: a part consists of clipped triangles, and its piece is their exact hull, so pieces contain
//! the surface up to the known rounding of cut points. And a part is measured both ways: from a point of its
//! surface along the normal to the hull, as in HACD, and from points of the hull's faces to the model. A flat
//! slice of a ring is concave by the second measure only.
//!
//! ```text
//!      ┌───────────────┐ hull          The best plane leaves the least volume in the two hulls: here
//!      │░░░░░│↑        │               the plane through the inner corner.
//!      │░░░░░│concavity│
//!      │░░░░░└─────────┤
//!      │░░░░░░░░░░░░░░░│
//!      └───────────────┘
//! ```

use std::sync::Arc;

use xcollide_brep::{ConvexHull, Topology};

use super::cut::Patch;
use super::pieces::{Piece, Pieces};
use super::plane;
use super::point_distance::PointDistance;
use crate::Model;
use crate::convex::prepare::polytope_of_part;
use xcollide_math::vector::{add, cross, dot, neg, scale, sub, unit};

/// The limits of a decomposition.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DecompositionOptions {
    /// The most pieces, at least one.
    pub most_pieces: usize,
    /// Parts are cut only if their hulls are farther than this from their surface, relative to the model's
    /// size.
    pub concavity: f64,
}

impl Default for DecompositionOptions {
    /// At most 32 pieces, 2 % of the size.
    fn default() -> Self {
        Self { most_pieces: 32, concavity: 0.02 }
    }
}

/// The most cuts around a part; each one rounds.
const MOST_CUTS: u32 = 32;

/// The most polygons used to measure a part.
const SAMPLE: usize = 400;

/// A part of the surface.
struct Part {
    patch: Patch,
    hull: ConvexHull,
    concavity: f64,
    cuts: u32,
}

/// Data shared by all parts.
struct Whole<'a> {
    /// The vertices of the model, and the points of the cuts.
    points: Vec<[f64; 3]>,
    facing: Facing,
    distance: PointDistance<'a>,
}

/// The direction of the triangles' normals.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Facing {
    Outward,
    Inward,
    /// Unknown: the depth of a part is that on the shallower side.
    Either,
}

impl Facing {
    fn of(model: &Model) -> Self {
        if !model.topology().contains(Topology::ORIENTED | Topology::CLOSED) {
            return Self::Either;
        }
        let triangles = model.triangulation().triangles();
        let at = |vertex| model.mesh().position(vertex);
        let origin = triangles.first().map_or([0.0; 3], |triangle| at(triangle[0]));
        let volume = triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| sub(at(vertex), origin));
            dot(a, cross(b, c))
        });
        if volume.sum::<f64>() < 0.0 { Self::Inward } else { Self::Outward }
    }
}

pub(crate) fn decompose(model: &Model, options: &DecompositionOptions) -> Pieces {
    let triangles = model.triangulation().triangles().iter();
    let patch = Patch::new(triangles.map(|corners| corners.map(|vertex| vertex.0)));
    let mut whole = Whole {
        points: model.mesh().positions().to_vec(),
        facing: Facing::of(model),
        distance: PointDistance::new(model),
    };
    let Some(first) = Part::new(patch, 0, &whole) else { return Pieces::new(Vec::new(), 0.0) };
    let enough = options.concavity * plane::size(first.hull.mesh().positions());
    let mut parts = vec![first];
    while parts.len() < options.most_pieces {
        let worst = (0..parts.len())
            .filter(|&i| parts[i].cuts < MOST_CUTS && parts[i].concavity > enough)
            .max_by(|&i, &j| parts[i].concavity.total_cmp(&parts[j].concavity).then(j.cmp(&i)));
        let Some(worst) = worst else { break };
        match parts[worst].halves(&mut whole) {
            Some([below, above]) => {
                parts[worst] = below;
                parts.push(above);
            }
            // No plane improves this part.
            None => parts[worst].concavity = 0.0,
        }
    }
    let cuts = parts.iter().map(|part| part.cuts).max().unwrap_or(0);
    // A hull of finite points is always a valid model.
    let polytope = |piece: &Model| Arc::new(polytope_of_part(piece, model));
    let pieces =
        parts.into_iter().filter_map(|part| Piece::new(part.hull.into_mesh(), polytope).ok());
    Pieces::new(pieces.collect(), f64::from(cuts))
}

impl Part {
    /// `None` if there are no polygons.
    fn new(patch: Patch, cuts: u32, whole: &Whole<'_>) -> Option<Self> {
        let corners = patch.distinct_corners();
        let corners: Vec<[f64; 3]> = corners.iter().map(|&p| whole.points[p as usize]).collect();
        let hull = ConvexHull::of(&corners).ok()?;
        let depth = depth(&patch, &whole.points, &hull, whole.facing);
        let concavity = depth.max(height(&whole.distance, &hull));
        Some(Self { patch, hull, concavity, cuts })
    }

    /// The two parts of the best cut; `None` if no plane leaves polygons on both sides.
    fn halves(&self, whole: &mut Whole<'_>) -> Option<[Self; 2]> {
        let (axis, at) = plane::best(&self.patch, &whole.points, self.hull.mesh().positions())?;
        let [below, above] = self.patch.cut(&mut whole.points, axis, at);
        let part = |patch| Self::new(patch, self.cuts + 1, whole);
        Some([part(below)?, part(above)?])
    }
}

/// The largest distance of points on the faces of a hull from the model.
fn height(model: &PointDistance<'_>, hull: &ConvexHull) -> f64 {
    /// The number of points.
    const POINTS: usize = 200;
    let mesh = hull.mesh();
    let step = mesh.face_count().div_ceil(POINTS / 4).max(1);
    let mut highest = 0.0_f64;
    for face in mesh.faces().step_by(step) {
        let corners = face.outer();
        let share = 1.0 / corners.len() as f64;
        let center = corners.iter().fold([0.0; 3], |sum, &v| add(sum, mesh.position(v)));
        let center = scale(center, share);
        let between = corners.iter().step_by(corners.len().div_ceil(3));
        let between = between.map(|&v| scale(add(mesh.position(v), center), 0.5));
        for point in between.chain([center]) {
            highest = model.beyond(point, highest).unwrap_or(highest);
        }
    }
    highest
}

/// The largest distance from the surface along its normal to the hull.
fn depth(patch: &Patch, points: &[[f64; 3]], hull: &ConvexHull, facing: Facing) -> f64 {
    if hull.dimension() < 2 {
        return 0.0;
    }
    let mesh = hull.mesh();
    let mut planes: Vec<([f64; 3], f64)> = mesh
        .faces()
        .filter_map(|face| {
            let at = |i: usize| mesh.position(face.outer()[i]);
            let normal = unit(cross(sub(at(1), at(0)), sub(at(2), at(1))))?;
            Some((normal, dot(normal, at(0))))
        })
        .collect();
    let mut deepest = 0.0_f64;
    // Smaller distances count as none: most points are on the hull.
    let mut enough = 1e-12 * plane::size(mesh.positions());
    for polygon in plane::sample(patch.len(), SAMPLE).map(|index| patch.polygon(index)) {
        let at = |i: usize| points[polygon[i] as usize];
        if polygon.len() < 3 {
            continue;
        }
        let Some(normal) = unit(cross(sub(at(1), at(0)), sub(at(2), at(0)))) else { continue };
        let along: &[[f64; 3]] = match facing {
            Facing::Outward => &[normal],
            Facing::Inward => &[neg(normal)],
            Facing::Either => &[normal, neg(normal)],
        };
        let corners = (0..polygon.len()).map(at);
        let center = scale(corners.clone().fold([0.0; 3], add), 1.0 / polygon.len() as f64);
        for point in corners.chain([center]) {
            let mut out = f64::INFINITY;
            for &along in along {
                if out > enough {
                    out = out.min(exit(&mut planes, point, along, enough));
                }
            }
            if out.is_finite() && out > enough {
                (deepest, enough) = (out, out);
            }
        }
    }
    deepest
}

/// The distance from a point along a direction to the first of some planes, or any upper bound of it that is
/// at most `enough`. The plane that ends the search moves to the front: the next point is often near.
fn exit(planes: &mut [([f64; 3], f64)], point: [f64; 3], along: [f64; 3], enough: f64) -> f64 {
    let mut nearest = f64::INFINITY;
    for index in 0..planes.len() {
        let (normal, height) = planes[index];
        let speed = dot(normal, along);
        if speed > 1e-9 {
            nearest = nearest.min((height - dot(normal, point)).max(0.0) / speed);
            if nearest <= enough {
                planes.swap(0, index);
                break;
            }
        }
    }
    nearest
}
