//! The walk from a pair of features to the nearest pair.
//!
//! Two features contain the nearest points of their hulls if each point lies in the Voronoi region of the
//! other feature (Lin and Canny 1991). If one does not, it is on the wrong side of a plane between two
//! regions, and the feature beyond that plane is nearer: the walk goes there.
//!
//! The nearest points of two features are not computed: parallel edges and faces have many, or spurious
//! ones due to rounding. Instead the planes of the other feature's region clip an edge, and the sign of the
//! derivative of the distance at a clip point tells whether the nearest point is beyond (Mirtich, *V-Clip:
//! fast and robust polyhedral collision detection*, 1998). Two faces are never a pair: one of their
//! vertices or edges is as near.
//!
//! ```text
//!      V(left)  │  V(vertex) │ V(right)     The edge is cut at λ₀ and λ₁. At λ₁ it still descends
//!    ───────────┼─╲──────────┼────────      towards the feature, so the nearest point is beyond:
//!              λ₀   ╲        │              step to the feature on the right. If it descended
//!                     ╲      │              before λ₁ and rose after, the nearest point would be
//!                       ╲    │              in V(vertex).
//!                         ╲  │
//!                       ●   ╲│ λ₁
//! ```
//!
//! While features are apart each step goes to a pair that is nearer, or as near and of lower dimension, so
//! no pair repeats. Below a face this does not hold: there the walk crosses the inside of the hull, see
//! [`Walk::through_the_inside`], and ends after a few crossings.

use xcollide_convex::{HullFeature, Pair, Polytope, VoronoiRegions};
use xcollide_math::Pose;

use super::segment_pair::nearest_on_segments;
use HullFeature::{Edge, Face, Vertex};
use xcollide_math::vector::{add, dot, length_squared, scale, sub};

/// Two hulls, each in the frame of the other.
pub(crate) struct Walk<'a> {
    polytopes: [&'a Polytope; 2],
    regions: [&'a VoronoiRegions; 2],
    /// From the frame of the other hull into the frame of this one.
    from_other: [Pose; 2],
}

/// The end of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the nearest features.
    Nearest,
    /// At features that meet: an edge that pierces a face, or a vertex in the hull (and any face of it).
    Meeting,
    /// After too many steps or crossings of the inside.
    Lost,
}

/// One step: to another pair, over a border or through the inside, or the end.
enum Step {
    Go([HullFeature; 2]),
    Cross([HullFeature; 2]),
    Stop(End),
}

/// The most crossings of the inside of a hull. Walks between disjoint hulls need one or two; hulls that meet
/// may make a walk cyclic.
const MOST_CROSSINGS: u32 = 6;

/// An edge in the frame of the other hull.
struct Line {
    tail: [f64; 3],
    /// From tail to head.
    along: [f64; 3],
}

impl Line {
    fn at(&self, parameter: f64) -> [f64; 3] {
        add(self.tail, scale(self.along, parameter))
    }
}

/// The part of an edge that is in a region.
struct Clip {
    /// Its start and end; it is empty if the start exceeds the end.
    range: [f64; 2],
    /// The features beyond the planes at its start and end.
    beyond: [Option<HullFeature>; 2],
}

impl Clip {
    const WHOLE: Self = Self { range: [0.0, 1.0], beyond: [None; 2] };

    /// Cuts off the part on the negative side of a plane, given the heights of tail and head. `false` if
    /// nothing is left of the edge, even without the other planes.
    fn cut(&mut self, [tail, head]: [f64; 2], feature: HullFeature) -> bool {
        if tail < 0.0 && head < 0.0 {
            return false;
        }
        if tail < 0.0 {
            let enters = tail / (tail - head);
            if enters > self.range[0] {
                (self.range[0], self.beyond[0]) = (enters, Some(feature));
            }
        } else if head < 0.0 {
            let leaves = tail / (tail - head);
            if leaves < self.range[1] {
                (self.range[1], self.beyond[1]) = (leaves, Some(feature));
            }
        }
        true
    }

    fn is_empty(&self) -> bool {
        self.range[0] > self.range[1]
    }
}

impl<'a> Walk<'a> {
    pub(crate) fn new(pair: &Pair<'a>) -> Self {
        let [a, b] = pair.motions();
        let polytopes = [pair.a().polytope(), pair.b().polytope()];
        Self {
            polytopes,
            regions: polytopes.map(Polytope::regions),
            from_other: [Pose::relative(&a, &b), Pose::relative(&b, &a)],
        }
    }

    /// Walks from a pair of features and replaces it by the last pair; returns the number of steps.
    pub(crate) fn run(&self, features: &mut [HullFeature; 2], most_steps: u32) -> (End, u32) {
        let mut crossings = 0;
        for step in 0..most_steps {
            match self.step(*features) {
                Step::Go(next) => *features = next,
                Step::Cross(next) if crossings < MOST_CROSSINGS => {
                    *features = next;
                    crossings += 1;
                }
                Step::Cross(_) => return (End::Lost, step),
                Step::Stop(end) => return (end, step),
            }
        }
        (End::Lost, most_steps)
    }

    fn step(&self, features: [HullFeature; 2]) -> Step {
        match features {
            [Vertex(v), Vertex(w)] => self.two_vertices([v, w]),
            [Vertex(v), Edge(e)] => self.vertex_and_edge(0, v, e),
            [Edge(e), Vertex(v)] => self.vertex_and_edge(1, v, e),
            [Vertex(v), Face(f)] => self.vertex_and_face(0, v, f),
            [Face(f), Vertex(v)] => self.vertex_and_face(1, v, f),
            [Edge(e), Edge(f)] => self.two_edges([e, f]),
            [Edge(e), Face(f)] => self.edge_and_face(0, e, f),
            [Face(f), Edge(e)] => self.edge_and_face(1, e, f),
            // Continue with a corner of the first.
            [Face(f), Face(g)] => Step::Go([Vertex(self.regions[0].corners(Face(f))[0]), Face(g)]),
        }
    }

    /// A vertex in the frame of the other hull.
    fn seen(&self, side: usize, vertex: u32) -> [f64; 3] {
        self.from_other[1 - side].apply(self.polytopes[side].position(vertex))
    }

    /// An edge in the frame of the other hull.
    fn line(&self, side: usize, edge: u32) -> Line {
        let [tail, head] = self.regions[side].edge(edge).ends.map(|v| self.seen(side, v));
        Line { tail, along: sub(head, tail) }
    }

    fn two_vertices(&self, vertices: [u32; 2]) -> Step {
        for side in [0, 1] {
            let other = 1 - side;
            let outwards = sub(
                self.seen(side, vertices[side]),
                self.polytopes[other].position(vertices[other]),
            );
            let edges = self.regions[other].leaving(vertices[other]);
            let beyond = edges.map(|(edge, away)| (edge, dot(away, outwards)));
            if let Some((edge, _)) = farthest(beyond.filter(|&(_, height)| height > 0.0)) {
                return go(side, Vertex(vertices[side]), Edge(edge));
            }
        }
        Step::Stop(End::Nearest)
    }

    fn vertex_and_edge(&self, side: usize, vertex: u32, edge: u32) -> Step {
        let other = 1 - side;
        let point = self.seen(side, vertex);
        let of_edge = self.regions[other].edge(edge);
        let [tail, head] = of_edge.ends;
        let from_tail = sub(point, self.polytopes[other].position(tail));
        if dot(of_edge.along, from_tail) < 0.0 {
            return go(side, Vertex(vertex), Vertex(tail));
        }
        if dot(of_edge.along, sub(point, self.polytopes[other].position(head))) > 0.0 {
            return go(side, Vertex(vertex), Vertex(head));
        }
        let heights = of_edge.into.map(|into| dot(into, from_tail));
        let faces = of_edge.faces.into_iter().flatten().zip(heights);
        if let Some((face, _)) = farthest(faces.filter(|&(_, height)| height > 0.0)) {
            return go(side, Vertex(vertex), Face(face));
        }
        // The vertex is in the region of the edge. Is a point of the edge in the region of the vertex?
        let line = self.line(other, edge);
        let corner = self.polytopes[side].position(vertex);
        let [tail, head] = [0.0, 1.0].map(|end| sub(line.at(end), corner));
        let mut clip = Clip::WHOLE;
        for (neighbour, away) in self.regions[side].leaving(vertex) {
            if !clip.cut([-dot(away, tail), -dot(away, head)], Edge(neighbour)) {
                return go(side, Edge(neighbour), Edge(edge));
            }
        }
        let rise = |_, parameter: f64| dot(line.along, sub(line.at(parameter), corner));
        match clip.nearer(rise) {
            Some(neighbour) => go(side, neighbour, Edge(edge)),
            None => Step::Stop(End::Nearest),
        }
    }

    fn vertex_and_face(&self, side: usize, vertex: u32, face: u32) -> Step {
        let other = 1 - side;
        let regions = self.regions[other];
        let point = self.seen(side, vertex);
        let outside = regions.borders(face).map(|(edge, corner, into, _)| {
            (edge, -dot(into, sub(point, self.polytopes[other].position(corner))))
        });
        if let Some((edge, _)) = farthest(outside.filter(|&(_, outside)| outside > 0.0)) {
            return go(side, Vertex(vertex), Edge(edge));
        }
        let plane = regions.face(face);
        let height = dot(plane.normal, point) - plane.offset;
        if height < 0.0 {
            return self.through_the_inside(side, vertex, face);
        }
        if height == 0.0 {
            return Step::Stop(End::Meeting);
        }
        // The vertex is in the region of the face. Does an edge lead nearer?
        let down = self.from_other[side].rotate(plane.normal);
        let edges = self.regions[side].leaving(vertex).map(|(edge, away)| (edge, -dot(down, away)));
        match farthest(edges.filter(|&(_, descent)| descent > 0.0)) {
            Some((edge, _)) => go(side, Edge(edge), Face(face)),
            None => Step::Stop(End::Nearest),
        }
    }

    fn two_edges(&self, edges: [u32; 2]) -> Step {
        for side in [0, 1] {
            let other = 1 - side;
            let line = self.line(side, edges[side]);
            let region = self.regions[other].edge(edges[other]);
            let ends = region.ends.map(|v| self.polytopes[other].position(v));
            let heights = |along: [f64; 3], from: [f64; 3]| {
                [line.tail, line.at(1.0)].map(|end| dot(along, sub(end, from)))
            };
            let mut clip = Clip::WHOLE;
            // The ends first: they win if a face is equally near.
            let [from_tail, from_head] = ends.map(|end| heights(region.along, end));
            let planes = [from_tail, from_head.map(|height| -height)];
            for (heights, end) in planes.into_iter().zip(region.ends) {
                if !clip.cut(heights, Vertex(end)) {
                    return go(side, Edge(edges[side]), Vertex(end));
                }
            }
            let to_end = |feature: HullFeature, parameter: f64| {
                let end = ends[usize::from(feature != Vertex(region.ends[0]))];
                dot(line.along, sub(line.at(parameter), end))
            };
            if let Some(end) = clip.nearer(to_end) {
                return go(side, Edge(edges[side]), end);
            }
            let Some(faces) = region.faces else { continue };
            let mut clip = Clip { beyond: [None; 2], ..clip };
            for (face, into) in faces.into_iter().zip(region.into) {
                if !clip.cut(heights(into, ends[0]).map(|height| -height), Face(face)) {
                    return go(side, Edge(edges[side]), Face(face));
                }
            }
            let to_face = |feature: HullFeature, parameter: f64| {
                let normals = faces.map(|face| self.regions[other].face(face).normal);
                let normal = normals[usize::from(feature != Face(faces[0]))];
                let above = dot(normal, sub(line.at(parameter), ends[0])) > 0.0;
                dot(normal, line.along) * if above { 1.0 } else { -1.0 }
            };
            if let Some(face) = clip.nearer(to_face) {
                return go(side, Edge(edges[side]), face);
            }
        }
        Step::Stop(End::Nearest)
    }

    fn edge_and_face(&self, side: usize, edge: u32, face: u32) -> Step {
        let other = 1 - side;
        let regions = self.regions[other];
        let line = self.line(side, edge);
        let head = line.at(1.0);
        let mut clip = Clip::WHOLE;
        let mut outside = false;
        for (border, corner, into, _) in regions.borders(face) {
            let corner = self.polytopes[other].position(corner);
            let heights = [line.tail, head].map(|end| dot(into, sub(end, corner)));
            outside |= !clip.cut(heights, Edge(border));
        }
        if outside || clip.is_empty() {
            let border = self.nearest_border(&[line.tail, head], other, face);
            return go(side, Edge(edge), Edge(border));
        }
        let plane = regions.face(face);
        let heights = clip.range.map(|t| dot(plane.normal, line.at(t)) - plane.offset);
        let ends = self.regions[side].edge(edge).ends;
        if heights[0].min(heights[1]) <= 0.0 && heights[0].max(heights[1]) >= 0.0 {
            return Step::Stop(End::Meeting);
        }
        if heights[0] < 0.0 {
            // Below the face: in the hull or beyond it.
            let higher = usize::from(heights[1] > heights[0]);
            return self.through_the_inside(side, ends[higher], face);
        }
        let lower = usize::from(heights[1] < heights[0]);
        match clip.beyond[lower] {
            Some(border) => go(side, Edge(edge), border),
            None => go(side, Vertex(ends[lower]), Face(face)),
        }
    }

    /// The border of a face nearest to a segment that is not above or below the face.
    fn nearest_border(&self, segment: &[[f64; 3]; 2], of: usize, face: u32) -> u32 {
        let distance = |edge: u32| {
            let ends = self.regions[of].edge(edge).ends.map(|v| self.polytopes[of].position(v));
            let [p, q] = nearest_on_segments(segment, &ends);
            -length_squared(sub(q, p))
        };
        let borders = self.regions[of].borders(face).map(|(edge, ..)| (edge, distance(edge)));
        farthest(borders).map_or(0, |(edge, _)| edge)
    }

    /// Goes from below a face to the face through which the ray from the center to a vertex of the other
    /// hull leaves.
    ///
    /// The cones from the center over the faces are the pseudo-Voronoi regions of I-COLLIDE (3.3): a vertex
    /// in the cone of a face, and not above the face, is in the hull. The walk from cone to cone cannot be
    /// cyclic: with d the distance of the center from the plane of a face, y = normal / d is a vertex of the
    /// polar dual of the hull, whose edges connect adjacent faces, and increasing y · (vertex − center) is
    /// hill climbing on that polytope. At its top the vertex is in the hull iff the product is at most 1.
    fn through_the_inside(&self, side: usize, vertex: u32, face: u32) -> Step {
        let other = 1 - side;
        let (polytope, regions) = (self.polytopes[other], self.regions[other]);
        if polytope.dimension() < 3 {
            // A polygon has only two sides.
            return go(side, Vertex(vertex), Face(1 - face.min(1)));
        }
        let center = polytope.center();
        let ray = sub(self.seen(side, vertex), center);
        let along = |face: u32| {
            let plane = regions.face(face);
            dot(plane.normal, ray) / (plane.offset - dot(plane.normal, center))
        };
        let (mut at, mut height) = (face, along(face));
        loop {
            let across = regions.borders(at).map(|(.., across)| (across, along(across)));
            match farthest(across.filter(|&(_, other)| other > height)) {
                Some(next) => (at, height) = next,
                None if height > 1.0 => {
                    return Step::Cross(ordered(side, Vertex(vertex), Face(at)));
                }
                None => return Step::Stop(End::Meeting),
            }
        }
    }
}

impl Clip {
    /// The feature beyond one of the two cuts, if it is nearer than the part between them by the derivative
    /// of the distance.
    fn nearer(&self, rise: impl Fn(HullFeature, f64) -> f64) -> Option<HullFeature> {
        let [enters, leaves] = self.range;
        if let Some(before) = self.beyond[0]
            && rise(before, enters) > 0.0
        {
            return Some(before);
        }
        if let Some(after) = self.beyond[1]
            && rise(after, leaves) < 0.0
        {
            return Some(after);
        }
        // Nothing is between them, so one of the two is nearer in spite of rounding.
        if self.is_empty() { self.beyond[0] } else { None }
    }
}

fn go(side: usize, feature: HullFeature, other: HullFeature) -> Step {
    Step::Go(ordered(side, feature, other))
}

fn ordered(side: usize, feature: HullFeature, other: HullFeature) -> [HullFeature; 2] {
    if side == 0 { [feature, other] } else { [other, feature] }
}

/// The first item with the greatest height.
fn farthest<T>(heights: impl Iterator<Item = (T, f64)>) -> Option<(T, f64)> {
    heights.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::ClosestFeatures;
    use crate::convex::polytope_of;
    use crate::{Model, Placed, Pose};
    use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
    use xcollide_convex::Body;
    use xcollide_scenes::Random;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    const SHAPES: [&str; 8] = [
        "shape:box",
        "shape:icosahedron",
        "shape:polytope?vertices=12&kind=plate&seed=3",
        "shape:polytope?vertices=30&kind=rod&seed=4",
        "shape:polytope?vertices=400&seed=5",
        "shape:sphere?faces=500",
        "shape:cone?faces=60",
        "shape:cylinder?faces=400",
    ];

    /// From any pair of features to the nearest, or into the hull: never in circles. The referee
    /// is Gilbert's algorithm.
    #[test]
    fn walks_from_anywhere_end_at_the_nearest_features() -> Outcome {
        let shapes = SHAPES.iter().map(|spec| xcollide_scenes::shape(spec));
        let mut models = Vec::new();
        for mesh in shapes {
            models.push(Model::from_mesh(mesh?)?);
        }
        let mut random = Random::new(3);
        let (mut ends, mut longest) = ([0; 3], 0);
        for round in 0..6000 {
            let (a, b) = (&models[round % 8], &models[round / 8 % 8]);
            let [x, y, z, w] = random.rotation();
            let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
            let t = [(); 3].map(|()| random.between(-1.2, 1.2));
            let pose = Pose::try_from(Isometry3::from_parts(Translation3::from(t), turn)).unwrap();
            let (of_a, of_b) = (polytope_of(a), polytope_of(b));
            let (a, b) = (Placed::new(a, &Pose::IDENTITY)?, Placed::new(b, &pose)?);
            let mut pair = Pair::new(Body::new(&of_a, a.pose()), Body::new(&of_b, b.pose()));
            let any = |of: &Polytope, random: &mut Random| {
                let features: Vec<HullFeature> = of.regions().features().collect();
                features[(random.bits() % features.len() as u64) as usize]
            };
            let mut features = [any(&of_a, &mut random), any(&of_b, &mut random)];
            let from = features;
            let (end, steps) = Walk::new(&pair).run(&mut features, 5000);
            let gap = pair.nearest(&[]).at_least;
            longest = longest.max(steps);
            ends[end as usize] += 1;
            match end {
                End::Nearest => {
                    let found = ClosestFeatures::between(&mut pair, Some(from));
                    // Else Gilbert had to help, and named others.
                    assert_eq!(found.features, features);
                    assert!((found.distance - gap).abs() < 1e-9, "{found:?} {gap:e}");
                }
                End::Meeting => assert!(gap < 1e-12, "{from:?} {features:?} {gap:e}"),
                End::Lost => {}
            }
        }
        assert!(ends[0] > 1000 && ends[1] > 1000 && ends[2] < 6, "{ends:?}");
        assert!(longest < 300);
        Ok(())
    }
}
