//! Closest-feature tracking (Lin and Canny 1991; I-COLLIDE 3.2 and 3.3).
//!
//! Which two features of two hulls are nearest changes seldom while the hulls move little. So the
//! last pair is remembered, and each query walks from it to the pair of today, over features that
//! meet: nearly always no step or one. The distance comes with it.
//!
//! [`feature_walk`](super::feature_walk) has the walk, [`voronoi`](crate::convex::voronoi) what it walks
//! on. It is only trusted with finding: that hulls are apart is certified by a plane across the
//! line between the nearest points, that they meet by Gilbert's algorithm from the vertices of the
//! features; and a distance is handed out with the bound below it that one more look at all
//! vertices has shown.

use xcollide_convex::{
    Body, ContactCertificate, HullFeature, Pair, Polytope, Search, SearchResult, Simplex,
};

use super::feature_walk::{End, Walk};
use super::segment_pair::nearest_on_segments;
use crate::convex::certified::Certified;
use HullFeature::{Edge, Face, Vertex};
use xcollide_math::vector::{cross, dot, length_squared, neg, scale, sub, unit};

/// Closest features, tracked from query to query.
pub type ClosestFeatures = Certified<ClosestFeaturesSearch>;

/// The search of [`ClosestFeatures`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosestFeaturesSearch {
    /// The longest walk, in steps from a pair of features to the next; beyond, Gilbert's algorithm
    /// goes on from where the walk is. Walks between poses that have nothing to do with each other
    /// take some √n steps for n vertices.
    pub most_steps: u32,
}

impl Default for ClosestFeaturesSearch {
    fn default() -> Self {
        Self { most_steps: MOST_STEPS }
    }
}

const MOST_STEPS: u32 = 1000;

/// What is remembered: the features of the last query, and how far it walked.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosestFeaturesMemory {
    features: Option<[HullFeature; 2]>,
    /// The vertices of a tetrahedron that held the origin.
    tetrahedron: Option<[[u32; 2]; 4]>,
    steps: u32,
}

impl ClosestFeaturesMemory {
    /// The features at which the last query ended: the nearest of hulls that are apart, else two
    /// that meet or nearly do. `None` before the first query.
    #[must_use]
    pub fn features(&self) -> Option<[HullFeature; 2]> {
        self.features
    }

    /// How many steps the last query took from feature to feature.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps
    }
}

impl Search for ClosestFeaturesSearch {
    const NAME: &'static str = "closest-features";
    type Memory = ClosestFeaturesMemory;

    fn search(&self, pair: &mut Pair<'_>, memory: &mut ClosestFeaturesMemory) -> SearchResult {
        let mut features = memory.features.unwrap_or_else(|| first(pair));
        let (end, steps) = Walk::new(pair).run(&mut features, self.most_steps);
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
        let inset = ContactCertificate::of(pair);
        let shift = inset.map_or([0.0; 3], |inset| inset.shift);
        let mut simplex = Simplex::new();
        let mut add = |ends| simplex.push(sub(pair.difference(ends), shift), ends);
        match memory.tetrahedron {
            Some(tetrahedron) => tetrahedron.into_iter().for_each(|ends| _ = add(ends)),
            None => seeds(pair, features).for_each(|ends| _ = add(ends)),
        }
        let finding = pair.gjk(inset.as_ref(), &mut simplex, &mut direction, &mut ends);
        memory.tetrahedron = match (finding, simplex.ends()) {
            (SearchResult::Intersecting(_), &[a, b, c, d]) => Some([a, b, c, d]),
            _ => None,
        };
        finding
    }
}

/// Two features of two hulls, and what lies between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureDistance {
    /// The features on which the nearest points are; where faces or edges run parallel, one of the
    /// pairs that are equally near. Where the hulls meet, two features at which that was noticed.
    pub features: [HullFeature; 2],
    /// A point of each in the world, rounded. They coincide where the hulls meet.
    pub points: [[f64; 3]; 2],
    /// The distance of the points: not less than that of the hulls, up to rounding.
    pub distance: f64,
    /// A distance that the hulls have at least, up to rounding: the gap that a look along the line
    /// between the points has shown. Zero where they meet.
    pub at_least: f64,
    /// How many steps the walk took.
    pub steps: u32,
}

/// The closest features of the hulls of a pair and their distance, walking from an earlier pair of
/// features; features that the hulls do not have are ignored.
///
/// O(1) expected where the features are those of a moment ago; from nowhere, some √n steps for n
/// vertices. Rounded: the two bounds usually agree to a few units in the last place of the size of
/// the bodies, and where the walk was led astray by rounding Gilbert's algorithm, [`nearest`], has
/// the last word. It decides nothing: to know whether bodies touch ask a
/// [`NarrowPhase`](crate::NarrowPhase). Both polytopes must have [vertices](Polytope::is_empty).
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::classic::ClosestFeatures;
/// use xcollide_convex::{Body, HullFeature, Pair, Polytope};
/// use xcollide_narrow::convex::polytope_of;
/// use xcollide_narrow::{Model, Placed, Pose};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
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
pub(super) fn closest_features(
    pair: &mut Pair<'_>,
    from: Option<[HullFeature; 2]>,
) -> FeatureDistance {
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
            let vertices: Vec<u32> = found.simplex.ends().iter().map(|ends| ends[side]).collect();
            let regions = bodies(pair)[side].polytope().regions();
            regions.smallest(&vertices).unwrap_or(features[side])
        });
    }
    let (points, distance, at_least) = (found.points, found.distance, found.at_least);
    FeatureDistance { features, points, distance, at_least, steps }
}

/// The bounds of a distance are as near to each other as they get, relatively.
const ENOUGH: f64 = 1e-12;

fn bodies<'p, 'a>(pair: &'p Pair<'a>) -> [&'p Body<'a>; 2] {
    [pair.a(), pair.b()]
}

/// Where nothing is remembered: the vertices farthest towards each other along the line between the
/// centers.
fn first(pair: &mut Pair<'_>) -> [HullFeature; 2] {
    pair.probe(pair.first_direction(), [0; 2]).ends.map(Vertex)
}

fn corners<'a>(pair: &Pair<'a>, features: [HullFeature; 2]) -> [&'a [u32]; 2] {
    let polytopes: [&'a Polytope; 2] = [pair.a().polytope(), pair.b().polytope()];
    [0, 1].map(|side| polytopes[side].regions().corners(features[side]))
}

/// Up to four pairs of corners of two features: the first three of each, so that all corners of
/// the larger appear.
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

/// A direction square to both features, from the first to the second body. Not the difference of
/// the nearest points, which is noise where they are near.
fn across(pair: &Pair<'_>, features: [HullFeature; 2]) -> [f64; 3] {
    let [a, b] = bodies(pair);
    let corners = corners(pair, features);
    let at = |side: usize, corner: usize| bodies(pair)[side].position(corners[side][corner]);
    let normal = |body: &Body<'_>, face| body.turned(body.polytope().regions().face(face).normal);
    let between = sub(at(1, 0), at(0, 0));
    let square_to = |line: [f64; 3]| match unit(line) {
        Some(line) => sub(between, scale(line, dot(between, line))),
        None => between,
    };
    let line = |side: usize| sub(at(side, 1), at(side, 0));
    match features {
        [Face(face), _] => normal(a, face),
        [_, Face(face)] => neg(normal(b, face)),
        [Vertex(_), Vertex(_)] => between,
        [Edge(_), Vertex(_)] => square_to(line(0)),
        [Vertex(_), Edge(_)] => square_to(line(1)),
        [Edge(_), Edge(_)] => {
            let normal = cross(line(0), line(1));
            let sizes = length_squared(line(0)) * length_squared(line(1));
            if length_squared(normal) <= PARALLEL * sizes {
                square_to(line(0))
            } else if dot(normal, sub(b.center(), a.center())) < 0.0 {
                neg(normal)
            } else {
                normal
            }
        }
    }
}

/// Below this square of the sine of their angle the product of two edges is mostly rounding.
const PARALLEL: f64 = 1e-24;

/// The nearest points of two features, one of which may be a face if the other is a vertex above
/// it.
fn measured(pair: &Pair<'_>, features: [HullFeature; 2]) -> ([[f64; 3]; 2], f64) {
    let [a, b] = bodies(pair);
    let [of_a, of_b] = corners(pair, features);
    let ends = |body: &Body<'_>, corners: &[u32]| {
        [corners[0], corners[corners.len() - 1]].map(|vertex| body.position(vertex))
    };
    let [on_a, on_b] = [ends(a, of_a), ends(b, of_b)];
    // The point of a face's plane below a vertex.
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
