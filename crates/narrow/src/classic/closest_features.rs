//! Closest features, tracked from query to query: the Lin–Canny algorithm (Lin and Canny 1991; I-COLLIDE
//! 3.2 and 3.3).
//!
//! The closest features of two hulls change rarely while the hulls move little. Each query walks from the
//! last pair of features to the current one over adjacent features, mostly no step or one; see
//! [`feature_walk`](super::feature_walk). The walk proves nothing: a plane across the line between the
//! nearest points certifies that hulls are apart, GJK from the vertices of the features that they meet, and
//! a support query gives the lower bound of a distance.

use xcollide_convex::{
    Body, ContactCertificate, HullFeature, Pair, Polytope, Search, SearchResult, Simplex,
};

use super::feature_walk::{End, Walk};
use super::segment_pair::nearest_on_segments;
use crate::PairCache;
use crate::convex::certified::Certified;
use HullFeature::{Edge, Face, Vertex};
use xcollide_math::vector::{cross, dot, length_squared, neg, scale, sub, unit};

/// Closest features, tracked from query to query.
pub type ClosestFeatures = Certified<ClosestFeaturesSearch>;

/// The search of [`ClosestFeatures`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClosestFeaturesSearch;

/// The most steps of a walk; beyond, GJK continues. Walks between unrelated poses take some √n steps for n
/// vertices.
const MOST_STEPS: u32 = 1000;

/// Memory of a pair: the features and the steps of the last query.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosestFeaturesMemory {
    features: Option<[HullFeature; 2]>,
    /// The vertices of a tetrahedron with the origin inside.
    tetrahedron: Option<[[u32; 2]; 4]>,
    steps: u32,
}

impl ClosestFeaturesMemory {
    /// The features at which the last query ended: the closest of disjoint hulls, else two that meet or nearly
    /// do. `None` before the first query.
    #[must_use]
    pub fn features(&self) -> Option<[HullFeature; 2]> {
        self.features
    }
}

impl Search for ClosestFeaturesSearch {
    const NAME: &'static str = "closest-features";
    type Memory = ClosestFeaturesMemory;

    fn prepare(&self, polytope: &Polytope) {
        let _ = polytope.regions();
    }

    fn search(&self, pair: &mut Pair<'_>, memory: &mut ClosestFeaturesMemory) -> SearchResult {
        let mut features = memory.features.unwrap_or_else(|| first(pair));
        let (end, steps) = Walk::new(pair).run(&mut features, MOST_STEPS);
        (memory.features, memory.steps) = (Some(features), steps);
        let mut direction = across(pair, features);
        let mut ends = corners(pair, features).map(|corners| corners[0]);
        if end == End::Nearest {
            let probe = pair.probe(direction, ends);
            ends = probe.ends;
            if probe.gap > 0.0 {
                memory.tetrahedron = None;
                let plane = pair.apart(direction, &probe);
                return plane.map_or(SearchResult::Direction(direction), SearchResult::Separated);
            }
        }
        pair.hand_over();
        let certificate = ContactCertificate::of(pair);
        let shift = certificate.map_or([0.0; 3], |certificate| certificate.shift);
        let mut simplex = Simplex::new();
        let mut add = |ends| simplex.push(sub(pair.difference(ends), shift), ends);
        match memory.tetrahedron {
            Some(tetrahedron) => tetrahedron.into_iter().for_each(|ends| _ = add(ends)),
            None => seeds(pair, features).for_each(|ends| _ = add(ends)),
        }
        let result = pair.gjk(certificate.as_ref(), &mut simplex, &mut direction, &mut ends);
        memory.tetrahedron = match (result, simplex.ends()) {
            (SearchResult::Intersecting(_), &[a, b, c, d]) => Some([a, b, c, d]),
            _ => None,
        };
        result
    }
}

/// The closest features of two hulls and their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FeatureDistance {
    /// The features of the nearest points; for parallel faces or edges one of the equally near pairs. If the
    /// hulls meet, two features at which the walk detected it.
    pub features: [HullFeature; 2],
    /// The nearest points in the world, rounded. They coincide if the hulls meet.
    pub points: [[f64; 3]; 2],
    /// The distance of the points: an upper bound of that of the hulls, up to rounding.
    pub distance: f64,
    /// A lower bound of the distance of the hulls, up to rounding. Zero if they meet.
    pub at_least: f64,
    /// The steps of the walk.
    pub steps: u32,
}

impl Certified<ClosestFeaturesSearch> {
    /// The closest features of the hulls of a pair and their distance, walking from an earlier pair of
    /// features; features that the hulls do not have are ignored. Both polytopes must have
    /// [vertices](Polytope::is_empty).
    ///
    /// O(1) expected from features of a similar pose; else some √n steps for n vertices. Rounded: the two
    /// bounds mostly agree to a few units in the last place of the size of the bodies. If rounding led the
    /// walk astray, GJK ([`Pair::nearest`]) decides.
    ///
    /// ```
    /// use xcollide_narrow::classic::ClosestFeatures;
    /// use xcollide_convex::{Body, HullFeature, Pair, Polytope};
    /// use xcollide_narrow::convex::polytope_of;
    /// use xcollide_narrow::{Model, Placed, Pose};
    ///
    /// # let (corners, faces) = xcollide_fixtures::tetrahedron();
    /// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let model = Model::from_mesh(tetrahedron)?;
    /// let polytope = polytope_of(&model);
    /// let a = Placed::new(&model, &Pose::IDENTITY)?;
    /// let mut features = None;
    /// for step in 0..10 {
    ///     // A corner of the second, in front of the slanted face of the first.
    ///     let at = 0.5 + 0.125 * f64::from(step);
    ///     let pose_b = Pose::from_translation([at, at, at]);
    ///     let b = Placed::new(&model, &pose_b)?;
    ///     let mut pair = Pair::new(Body::new(&polytope, a.pose()), Body::new(&polytope, b.pose()));
    ///     let found = ClosestFeatures::between(&mut pair, features);
    ///     assert!(matches!(found.features, [HullFeature::Face(_), HullFeature::Vertex(0)]));
    ///     assert!((found.distance - (3.0 * at - 1.0) / f64::sqrt(3.0)).abs() < 1e-14);
    ///     features = Some(found.features);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn between(pair: &mut Pair<'_>, from: Option<[HullFeature; 2]>) -> FeatureDistance {
        let has = |features: &[HullFeature; 2]| {
            bodies(pair).iter().zip(features).all(|(body, &f)| body.polytope().regions().has(f))
        };
        let mut features = from.filter(has).unwrap_or_else(|| first(pair));
        let (end, steps) = Walk::new(pair).run(&mut features, MOST_STEPS);
        if end == End::Nearest {
            let (points, distance) = measured(pair, features);
            let direction = across(pair, features);
            let ends = corners(pair, features).map(|corners| corners[0]);
            let at_least = pair.probe(direction, ends).gap / length_squared(direction).sqrt();
            let noise = pair.a().noise() + pair.b().noise();
            if distance - at_least <= 16.0 * noise + ENOUGH * distance {
                return FeatureDistance {
                    features,
                    points,
                    distance,
                    at_least: at_least.max(0.0),
                    steps,
                };
            }
        }
        let seeds: Vec<[u32; 2]> = seeds(pair, features).collect();
        let found = pair.nearest(&seeds);
        if end != End::Meeting || found.distance > 0.0 {
            features = [0, 1].map(|side| {
                let vertices: Vec<u32> =
                    found.simplex.ends().iter().map(|ends| ends[side]).collect();
                let regions = bodies(pair)[side].polytope().regions();
                regions.smallest(&vertices).unwrap_or(features[side])
            });
        }
        let (points, distance, at_least) = (found.points, found.distance, found.at_least);
        FeatureDistance { features, points, distance, at_least, steps }
    }

    /// The steps of the last query from feature to feature.
    #[must_use]
    pub fn steps(cache: &PairCache) -> u32 {
        Self::memory(cache).map_or(0, |memory| memory.steps)
    }
}

/// The relative difference at which two bounds of a distance are close enough.
const ENOUGH: f64 = 1e-12;

fn bodies<'p, 'a>(pair: &'p Pair<'a>) -> [&'p Body<'a>; 2] {
    [pair.a(), pair.b()]
}

/// The features to start with: the support vertices along the line between the centers.
fn first(pair: &mut Pair<'_>) -> [HullFeature; 2] {
    pair.probe(pair.first_direction(), [0; 2]).ends.map(Vertex)
}

fn corners<'a>(pair: &Pair<'a>, features: [HullFeature; 2]) -> [&'a [u32]; 2] {
    let polytopes: [&'a Polytope; 2] = [pair.a().polytope(), pair.b().polytope()];
    [0, 1].map(|side| polytopes[side].regions().corners(features[side]))
}

/// Up to four pairs of the first three corners of two features, with all of these corners of the larger
/// one.
fn seeds<'a>(
    pair: &Pair<'a>,
    features: [HullFeature; 2],
) -> impl Iterator<Item = [u32; 2]> + use<'a> {
    let [a, b] = corners(pair, features).map(|corners| &corners[..corners.len().min(3)]);
    let count = (a.len() * b.len()).min(4);
    (0..count).map(move |i| match (a.len(), b.len()) {
        (2, 2) => [a[i / 2], b[i % 2]],
        _ => [a[i % a.len()], b[i % b.len()]],
    })
}

/// A direction perpendicular to both features, from the first to the second body. Not the difference of the
/// nearest points, which is noise if they are near.
fn across(pair: &Pair<'_>, features: [HullFeature; 2]) -> [f64; 3] {
    let [a, b] = bodies(pair);
    let corners = corners(pair, features);
    let at = |side: usize, corner: usize| bodies(pair)[side].position(corners[side][corner]);
    let normal = |body: &Body<'_>, face| body.turned(body.polytope().regions().face(face).normal);
    let between = sub(at(1, 0), at(0, 0));
    let perpendicular_to = |line: [f64; 3]| match unit(line) {
        Some(line) => sub(between, scale(line, dot(between, line))),
        None => between,
    };
    let line = |side: usize| sub(at(side, 1), at(side, 0));
    match features {
        [Face(face), _] => normal(a, face),
        [_, Face(face)] => neg(normal(b, face)),
        [Vertex(_), Vertex(_)] => between,
        [Edge(_), Vertex(_)] => perpendicular_to(line(0)),
        [Vertex(_), Edge(_)] => perpendicular_to(line(1)),
        [Edge(_), Edge(_)] => {
            let normal = cross(line(0), line(1));
            let sizes = length_squared(line(0)) * length_squared(line(1));
            if length_squared(normal) <= PARALLEL * sizes {
                perpendicular_to(line(0))
            } else if dot(normal, sub(b.center(), a.center())) < 0.0 {
                neg(normal)
            } else {
                normal
            }
        }
    }
}

/// Below this squared sine of their angle the cross product of two edges is mostly rounding error.
const PARALLEL: f64 = 1e-24;

/// The nearest points of two features; one may be a face if the other is a vertex above it.
fn measured(pair: &Pair<'_>, features: [HullFeature; 2]) -> ([[f64; 3]; 2], f64) {
    let [a, b] = bodies(pair);
    let [of_a, of_b] = corners(pair, features);
    let ends = |body: &Body<'_>, corners: &[u32]| {
        [corners[0], corners[corners.len() - 1]].map(|vertex| body.position(vertex))
    };
    let [on_a, on_b] = [ends(a, of_a), ends(b, of_b)];
    // The projection of a vertex to the plane of a face.
    let below = |face: &Body<'_>, id, corner: [f64; 3], vertex: [f64; 3]| {
        let normal = face.turned(face.polytope().regions().face(id).normal);
        sub(vertex, scale(normal, dot(normal, sub(vertex, corner))))
    };
    let points = match features {
        [Face(face), _] => [below(a, face, on_a[0], on_b[0]), on_b[0]],
        [_, Face(face)] => [on_a[0], below(b, face, on_b[0], on_a[0])],
        _ => nearest_on_segments(&on_a, &on_b),
    };
    (points, length_squared(sub(points[1], points[0])).sqrt())
}
