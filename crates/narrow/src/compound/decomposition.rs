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

use super::cut::Patch;
use super::pieces::{Piece, Pieces};
use super::plane;
use super::point_distance::PointDistance;
use crate::Model;
use xcollide_math::vector::{add, cross, dot, neg, scale, sub, unit};

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

/// So many polygons of a part are looked at to measure it.
const SAMPLE: usize = 400;

/// A part of the surface.
struct Part {
    patch: Patch,
    hull: ConvexHull,
    concavity: f64,
    cuts: u32,
}

/// What all parts share.
struct Whole<'a> {
    /// The vertices of the model, and the points of the cuts.
    points: Vec<[f64; 3]>,
    facing: Facing,
    distance: PointDistance<'a>,
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
    fn new(patch: Patch, cuts: u32, whole: &Whole<'_>) -> Option<Self> {
        let corners = patch.distinct_corners();
        let corners: Vec<[f64; 3]> = corners.iter().map(|&p| whole.points[p as usize]).collect();
        let hull = ConvexHull::of(&corners).ok()?;
        let depth = depth(&patch, &whole.points, &hull, whole.facing);
        let concavity = depth.max(height(&whole.distance, &hull));
        Some(Self { patch, hull, concavity, cuts })
    }

    /// The two parts of the best cut; `None` where no plane leaves something on both sides.
    fn halves(&self, whole: &mut Whole<'_>) -> Option<[Self; 2]> {
        let (axis, at) = plane::best(&self.patch, &whole.points, self.hull.mesh().positions())?;
        let [below, above] = self.patch.cut(&mut whole.points, axis, at);
        let part = |patch| Self::new(patch, self.cuts + 1, whole);
        Some([part(below)?, part(above)?])
    }
}

/// How far points on the faces of a hull are from the model, which it may be in, at most.
fn height(model: &PointDistance<'_>, hull: &ConvexHull) -> f64 {
    /// So many points are tried.
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

/// How far it is at most from the surface, along its normal, to where the hull ends.
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
    // Less than this is none: most of the points are on the hull, and found to be so at its face.
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

/// How far it is from a point along a direction to the first of some planes; or something between that
/// and `enough`, if it is less. What ended the search is moved to the front: the next point
/// is often near.
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
