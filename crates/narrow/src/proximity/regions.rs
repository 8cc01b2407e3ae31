//! Where two models are near each other: one contact for each pair of regions (the contact determination of SWIFT++, Ehmann and
//! Lin 2001; Daneu 2002, 2.6).

use rustc_hash::FxHashMap;
use xcollide_bvh::wide::best_first;
use xcollide_math::vector::{cross, dot, sub, unit};
use xcollide_predicates::{ClosestPoints, closest_points, triangles_within};

use super::near_formulas::near_formulas;
use super::{Nearness, every_pair, face, trees, triangle};
use crate::Placed;
use crate::formula::any_formula;
use xcollide_brep::FaceId;

/// A region of one model that is near a region of another, and their nearest points.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearRegions {
    /// The distance of the regions, rounded as that of [`Distance`](super::Distance).
    pub distance: f64,
    /// Their nearest points, in world coordinates.
    pub points: [[f64; 3]; 2],
    /// From the point on the first model to that on the second, of length 1. Where these are one, it points out of the face of
    /// the first model, of those that touch the one that most faces the other model's; 0 if it has no area.
    pub normal: [f64; 3],
    /// The faces of these points; `None` if a model is given by a formula.
    pub faces: Option<[FaceId; 2]>,
    /// How many pairs of triangles of the regions are within the tolerance; a formula counts as one triangle.
    pub pairs: usize,
}

impl From<NearRegions> for Nearness {
    /// What [`Nearness::verify`] verifies of it.
    fn from(NearRegions { points, faces, .. }: NearRegions) -> Self {
        Self { points, faces }
    }
}

/// All places where two surfaces are at most `tolerance` apart, the nearest first: each pair of regions once. Empty if there is
/// none, and for a negative or NaN tolerance. Which triangles are within the tolerance is decided exactly.
///
/// Two pairs of triangles are in one pair of regions if their triangles share a corner on both models, or a chain of such pairs
/// leads from one to the other. So a table on a floor has four, whatever its legs are made of. A body that is inside another is
/// near its surface only.
///
/// A body given by a formula is one region, and near whatever reaches into it: to such regions the distance is 0. Of a mesh near it,
/// triangles that share a corner are of one region. The distance is the upper bound of [`formula::distance`](crate::formula::distance);
/// what rounding hides counts as near.
///
/// Takes the time of looking at all pairs within the tolerance, so a tolerance of the size of the models takes the product of
/// their triangles. Builds the same hierarchy as [`distance`](super::distance()).
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// # use xcollide_narrow::{Model, Placed, Pose};
/// use xcollide_narrow::proximity::near_regions;
///
/// // Two feet over a floor.
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let moved = |by: f64| corners.map(|[x, y, z]| [x + by, y, z + 0.01]);
/// # let all = faces.iter().copied().chain(faces.iter().map(|face| face.map(|v| v + 8)));
/// # let feet = PolygonMesh::from_polygons([moved(0.0), moved(5.0)].concat(), all.collect::<Vec<_>>())?;
/// # let floor = corners.map(|[x, y, z]| [20.0 * x - 10.0, 20.0 * y - 10.0, z - 1.0]);
/// # let floor = PolygonMesh::from_polygons(floor.to_vec(), faces)?;
/// # let (feet, floor) = (Model::from_mesh(feet)?, Model::from_mesh(floor)?);
/// # let pose = Pose::IDENTITY;
/// # let (feet, floor) = (Placed::new(&feet, &pose)?, Placed::new(&floor, &pose)?);
/// let found = near_regions(feet, floor, 0.02);
/// assert_eq!(found.len(), 2);
/// assert_eq!(found[0].normal, [0.0, 0.0, -1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn near_regions(a: Placed<'_>, b: Placed<'_>, tolerance: f64) -> Vec<NearRegions> {
    if tolerance.is_nan() || tolerance < 0.0 {
        return Vec::new();
    }
    if any_formula(a, b) {
        return in_order(near_formulas(a, b, tolerance));
    }
    let mut regions = Regions::default();
    let mut look = |s, t| {
        let (one, other) = (triangle(a, s), triangle(b, t));
        if triangles_within(&one, &other, tolerance) {
            let corners = [(a, s), (b, t)].map(|(of, triangle)| corners(of, triangle));
            let nearest = closest_points(&one, &other);
            let facing = match nearest.distance {
                0.0 => normal(&one).zip(normal(&other)).map_or(1.0, |(m, n)| dot(m, n)),
                _ => 0.0,
            };
            regions.add(corners, Pair { nearest, facing, triangles: [s, t] });
        }
    };
    match trees(a, b) {
        Some([tree_a, tree_b]) => {
            best_first((tree_a, a.pose()), (tree_b, b.pose()), tolerance, |of_a, of_b, _| {
                of_a.iter().for_each(|&s| of_b.iter().for_each(|&t| look(s, t)));
                None
            });
        }
        None => every_pair(a, b).for_each(|(s, t)| look(s, t)),
    }
    in_order(regions.roots().map(|region| region.told(a, b)).collect())
}

fn in_order(mut found: Vec<NearRegions>) -> Vec<NearRegions> {
    found.sort_by(|x, y| x.distance.total_cmp(&y.distance).then(x.faces.cmp(&y.faces)));
    found
}

/// The unit normal of a triangle; `None` if it has no area.
pub(super) fn normal([p, q, r]: &[[f64; 3]; 3]) -> Option<[f64; 3]> {
    unit(cross(sub(*q, *p), sub(*r, *p)))
}

/// The numbers of the corners of a triangle.
pub(super) fn corners(of: Placed<'_>, triangle: u32) -> [u32; 3] {
    of.model().triangulation().triangles()[triangle as usize].map(|vertex| vertex.0)
}

/// Sets of pairs of triangles, a union–find forest: pairs with a corner of both models in common are in one set.
#[derive(Default)]
pub(super) struct Regions {
    all: Vec<Region>,
    /// By corners of both models: a region there.
    at: FxHashMap<[u32; 2], u32>,
}

pub(super) struct Region {
    /// In the forest; a root is its own.
    parent: u32,
    pub(super) nearest: Pair,
    pub(super) pairs: usize,
}

/// Two triangles.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) nearest: ClosestPoints,
    /// The cosine of the angle of their normals if they touch; −1 if they face each other.
    pub(super) facing: f64,
    pub(super) triangles: [u32; 2],
}

impl Pair {
    fn is_before(&self, other: &Self) -> bool {
        let by_facing = self.facing.total_cmp(&other.facing);
        let by_distance = self.nearest.distance.total_cmp(&other.nearest.distance);
        by_distance.then(by_facing).then(self.triangles.cmp(&other.triangles)).is_lt()
    }
}

impl Regions {
    pub(super) fn add(&mut self, [of_a, of_b]: [[u32; 3]; 2], nearest: Pair) {
        let mut root = self.all.len() as u32;
        self.all.push(Region { parent: root, nearest, pairs: 1 });
        for v in of_a {
            for w in of_b {
                let there = *self.at.entry([v, w]).or_insert(root);
                root = self.union(there, root);
            }
        }
    }

    /// The root of a region.
    fn find(&mut self, mut region: u32) -> u32 {
        while self.all[region as usize].parent != region {
            let parent = self.all[region as usize].parent;
            // Path halving.
            self.all[region as usize].parent = self.all[parent as usize].parent;
            region = parent;
        }
        region
    }

    fn union(&mut self, one: u32, other: u32) -> u32 {
        let (one, other) = (self.find(one), self.find(other));
        // The one with more pairs stays.
        let is_larger = self.all[one as usize].pairs >= self.all[other as usize].pairs;
        let (stays, goes) = if is_larger { (one, other) } else { (other, one) };
        if stays != goes {
            let Region { nearest, pairs, .. } = self.all[goes as usize];
            self.all[goes as usize].parent = stays;
            let region = &mut self.all[stays as usize];
            region.pairs += pairs;
            if nearest.is_before(&region.nearest) {
                region.nearest = nearest;
            }
        }
        stays
    }

    pub(super) fn roots(&self) -> impl Iterator<Item = &Region> {
        (0..).zip(&self.all).filter(|(place, region)| region.parent == *place).map(|(_, of)| of)
    }
}

impl Region {
    fn told(&self, a: Placed<'_>, b: Placed<'_>) -> NearRegions {
        let Pair { nearest, triangles: [s, t], .. } = self.nearest;
        let apart = unit(sub(nearest.b, nearest.a)).filter(|_| nearest.distance > 0.0);
        NearRegions {
            distance: nearest.distance,
            points: [nearest.a, nearest.b],
            normal: apart.or_else(|| normal(&triangle(a, s))).unwrap_or_default(),
            faces: Some([face(a, s), face(b, t)]),
            pairs: self.pairs,
        }
    }
}
