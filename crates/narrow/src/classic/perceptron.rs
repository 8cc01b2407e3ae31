//! A separating plane, learned by a perceptron (Zachmann 1994, 3.4.2; lecture slides, "The
//! 'Separating Planes' Algorithm").
//!
//! ```text
//!      A     ╱ w · x = w₀       With z = (q, −1) for vertices of B and (−p, 1) for those of A a
//!     ● ●   ╱ ╱                 plane w separates iff w · z > 0 for all of them. While some z is on
//!    ●   ● ╱ ╱   ●              the wrong side it pulls the plane towards itself:
//!        ●╱ ╱  ●   ●
//!        ╱ ╱ ◄── q ● B               w := w + η z     (η shrinking by a factor each time)
//! ```
//!
//! The thesis takes z in the order of the vertices; here, as in the slides, z is the worst vertex of either
//! body, found by hill climbing from the previous one, or of all vertices as in the thesis ([`PerceptronOf1994`]; on several
//! threads if the query wants it, 6.3.1). If the two worst vertices have a gap along w, then w
//! separates for some w₀, which ends the search earlier.
//!
//! For bodies that meet the search would not end. It stops after a number of iterations, and the answer is
//! [`Undecided`](crate::Verdict::Undecided), biased to a collision; `benches/perceptron.rs` counts how often
//! that is wrong. Planes are certified as in the other convex algorithms.
//!
//! Models need not be convex: a plane between two hulls separates what is in them. The closer a model is to its hull,
//! the more often there is one.
//!
//! Differences from the source:
//!
//! - Coordinates are relative to the middle between the bodies, in units of their reach, so that |z| ≤ 2;
//!   the thesis assumes |z| = 1 in its bound on the iterations.
//! - Its formula for the adaptive step has the wrong sign: w · z is negative if z is wrong. Corrected, the
//!   steps still become smaller the better the plane is. (Twice as long, and for both vertices together,
//!   the step is Chung's reflection in [`SeparatingVector`](super::SeparatingVector).)
//! - Its bounding box phase drops the vertices outside the common part of the boxes, which is wrong: two
//!   crossed bars have no vertex there and no separating plane. Here disjoint boxes decide at once.

mod all_vertices;

use xcollide_bounds::Aabb;
use xcollide_convex::{Bias, Body, Pair, Plane, Probe, Search, SearchResult};

use crate::convex::certified::Certified;
use xcollide_math::vector::{add, dot, length_squared, scale, sub, unit};

/// The perceptron, on the hulls of any two models: `Apart` is right, otherwise it is undecided.
///
/// ```
/// use xcollide_narrow::classic::Perceptron;
/// use xcollide_convex::Bias;
/// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Verdict};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let perceptron = Perceptron::default();
/// let ask = |x: f64, y: f64| -> Result<Verdict, Box<dyn std::error::Error>> {
///     let pose = Pose::from_translation([x, y, 0.0]);
///     let (a, b) = (Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?);
///     Ok(perceptron.test(a, b, &Query::new(), &mut PairCache::new()))
/// };
/// assert!(ask(0.6, 0.6)?.is_apart());
/// assert_eq!(ask(0.4, 0.4)?, Verdict::Undecided(Reason::Biased(Bias::Collides)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Perceptron = Certified<PerceptronSearch>;

/// The perceptron that compares all vertices with each plane, as the thesis does: O(n) an iteration, which is what several
/// threads can share (Zachmann 1994, 6.3.1). "Every plane depends on" the one before, so they wait for each other after each
/// iteration. Fine and medium [grain](crate::Grain) do so from some 8000 vertices of both hulls on; answers are the same.
///
/// ```
/// use xcollide_narrow::NarrowPhase;
/// use xcollide_narrow::classic::{Perceptron, PerceptronOf1994};
///
/// assert_eq!(PerceptronOf1994::default().rate(0.5).name(), "separating-plane-1994");
/// assert_eq!(Perceptron::default().rate(0.5).name(), "separating-plane");
/// ```
pub type PerceptronOf1994 = Certified<PerceptronSearch<true>>;

/// The search of [`Perceptron`], with the parameters of its methods. `ALL`: it compares all vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerceptronSearch<const ALL: bool = false> {
    rate: f64,
    step: Step,
    most_iterations: u32,
    initial: InitialPlane,
    /// Whether to try axis-parallel planes first: the bounding box phase.
    boxes: bool,
}

/// How the step length η changes: by a factor after each step, or by the cosine between w and z.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Constant(f64),
    Adaptive,
}

/// The plane of the first iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InitialPlane {
    Trivial,
    Barycenters,
    BoxCenters,
}

impl<const ALL: bool> Certified<PerceptronSearch<ALL>> {
    /// Sets η: how far a vertex pulls the plane, whose normal has length 1 at first; 0.1 by default.
    #[must_use]
    pub const fn rate(mut self, rate: f64) -> Self {
        self.0.rate = rate;
        self
    }

    /// Multiplies η by this factor after each step; 1, for none, by default.
    #[must_use]
    pub const fn relaxation(mut self, factor: f64) -> Self {
        self.0.step = Step::Constant(factor);
        self
    }

    /// Sets η to the error of the vertex: the cosine between w and z.
    #[must_use]
    pub const fn adaptive(mut self) -> Self {
        self.0.step = Step::Adaptive;
        self
    }

    /// Sets the number of iterations, two support queries each, after which the search stops; 100 by
    /// default.
    #[must_use]
    pub const fn most_iterations(mut self, iterations: u32) -> Self {
        self.0.most_iterations = iterations;
        self
    }

    /// Begins with the plane x = 0 instead of half way between the means of the vertices.
    #[must_use]
    pub const fn from_trivial_plane(mut self) -> Self {
        self.0.initial = InitialPlane::Trivial;
        self
    }

    /// Begins half way between the centers of the bounding boxes in the models' frames.
    #[must_use]
    pub const fn from_box_centers(mut self) -> Self {
        self.0.initial = InitialPlane::BoxCenters;
        self
    }

    /// Omits the bounding box phase.
    #[must_use]
    pub const fn without_boxes(mut self) -> Self {
        self.0.boxes = false;
        self
    }
}

impl<const ALL: bool> Default for PerceptronSearch<ALL> {
    fn default() -> Self {
        Self {
            rate: 0.1,
            step: Step::Constant(1.0),
            most_iterations: 100,
            initial: InitialPlane::Barycenters,
            boxes: true,
        }
    }
}

/// Memory of a pair: the last plane and the worst vertices.
#[derive(Clone, Debug, Default)]
pub struct PerceptronMemory {
    plane: Option<Plane>,
    ends: [u32; 2],
    /// In the models' frames.
    box_centers: Option<[[f64; 3]; 2]>,
}

impl<const ALL: bool> Search for PerceptronSearch<ALL> {
    const NAME: &'static str = if ALL { "separating-plane-1994" } else { "separating-plane" };
    const BIAS: Option<Bias> = Some(Bias::Collides);
    type Memory = PerceptronMemory;

    fn search(&self, pair: &mut Pair<'_>, memory: &mut PerceptronMemory) -> SearchResult {
        let frame = Frame::of(pair);
        let mut neuron = match memory.plane {
            Some(plane) => frame.neuron(&plane),
            None => {
                if let Some(result) = self.between_boxes(pair, memory) {
                    return result;
                }
                frame.neuron(&self.initial_plane(pair, memory))
            }
        };
        let mut rate = self.rate;
        for _ in 0..self.most_iterations {
            if length_squared(neuron.normal) == 0.0 {
                neuron.normal = pair.first_direction();
            }
            let probe = Self::probe(pair, neuron.normal, memory.ends);
            memory.ends = probe.ends;
            if probe.gap > 0.0 {
                let [low, high] = probe.heights;
                let offset = 0.5 * low + 0.5 * high;
                memory.plane = Some(Plane { normal: neuron.normal, offset });
                let plane = pair.apart(neuron.normal, &probe);
                return plane
                    .map_or(SearchResult::Direction(neuron.normal), SearchResult::Separated);
            }
            let [p, q] = probe.ends;
            for (vertex, side) in [(pair.a().position(p), -1.0), (pair.b().position(q), 1.0)] {
                self.learn(&mut neuron, scale(frame.local(vertex), side), -side, rate);
            }
            if let Step::Constant(relaxation) = self.step {
                rate *= relaxation;
            }
        }
        memory.plane = Some(frame.plane(&neuron));
        SearchResult::Biased(Bias::Collides)
    }
}

impl<const ALL: bool> PerceptronSearch<ALL> {
    fn probe(pair: &mut Pair<'_>, direction: [f64; 3], near: [u32; 2]) -> Probe {
        if ALL { all_vertices::probe(pair, direction) } else { pair.probe(direction, near) }
    }

    /// w := w + η z if z = (`vector`, `bias`) is on the wrong side.
    fn learn(&self, neuron: &mut Neuron, vector: [f64; 3], bias: f64, rate: f64) {
        let output = dot(neuron.normal, vector) + neuron.threshold * bias;
        if output > 0.0 {
            return;
        }
        let rate = match self.step {
            Step::Constant(_) => rate,
            Step::Adaptive => {
                let squares = (length_squared(neuron.normal) + neuron.threshold * neuron.threshold)
                    * (length_squared(vector) + 1.0);
                -output / squares.sqrt()
            }
        };
        neuron.normal = add(neuron.normal, scale(vector, rate));
        neuron.threshold += rate * bias;
    }

    fn initial_plane(&self, pair: &Pair<'_>, memory: &mut PerceptronMemory) -> Plane {
        let [from, to] = match self.initial {
            InitialPlane::Trivial => return Plane { normal: [1.0, 0.0, 0.0], offset: 0.0 },
            InitialPlane::Barycenters => [pair.a().center(), pair.b().center()],
            InitialPlane::BoxCenters => {
                let bodies = [pair.a(), pair.b()];
                let local = memory.box_centers.get_or_insert_with(|| bodies.map(box_center));
                [bodies[0].place(local[0]), bodies[1].place(local[1])]
            }
        };
        let normal = unit(sub(to, from)).unwrap_or([1.0, 0.0, 0.0]);
        Plane { normal, offset: dot(normal, scale(add(from, to), 0.5)) }
    }

    /// The bounding box phase: a plane perpendicular to an axis.
    fn between_boxes(
        &self,
        pair: &mut Pair<'_>,
        memory: &mut PerceptronMemory,
    ) -> Option<SearchResult> {
        let between = sub(pair.b().center(), pair.a().center());
        for axis in (0..3).filter(|_| self.boxes) {
            let mut direction = [0.0; 3];
            direction[axis] = if between[axis] < 0.0 { -1.0 } else { 1.0 };
            let probe = Self::probe(pair, direction, memory.ends);
            memory.ends = probe.ends;
            if let Some(plane) = pair.apart(direction, &probe) {
                memory.plane = Some(plane);
                return Some(SearchResult::Separated(plane));
            }
        }
        None
    }
}

/// w: a plane normal · x = threshold in the coordinates of a [`Frame`].
#[derive(Clone, Copy, Debug)]
struct Neuron {
    normal: [f64; 3],
    threshold: f64,
}

/// Coordinates in which all vertices are within 1 of the origin.
struct Frame {
    center: [f64; 3],
    size: f64,
}

impl Frame {
    fn of(pair: &Pair<'_>) -> Self {
        let [a, b] = [pair.a(), pair.b()];
        let center = scale(add(a.center(), b.center()), 0.5);
        let half = 0.5 * length_squared(sub(b.center(), a.center())).sqrt();
        let size = half + a.polytope().radius().max(b.polytope().radius());
        Self { center, size: if size > 0.0 && size.is_finite() { size } else { 1.0 } }
    }

    fn local(&self, position: [f64; 3]) -> [f64; 3] {
        scale(sub(position, self.center), 1.0 / self.size)
    }

    /// A world plane in these coordinates, with a normal of length 1.
    fn neuron(&self, plane: &Plane) -> Neuron {
        let length = length_squared(plane.normal).sqrt();
        let (normal, offset) = match unit(plane.normal) {
            Some(normal) => (normal, plane.offset / length),
            None => (plane.normal, 0.0),
        };
        Neuron { normal, threshold: (offset - dot(normal, self.center)) / self.size }
    }

    fn plane(&self, neuron: &Neuron) -> Plane {
        let offset = dot(neuron.normal, self.center) + neuron.threshold * self.size;
        Plane { normal: neuron.normal, offset }
    }
}

/// The center of the bounding box in the model's frame.
fn box_center(body: &Body<'_>) -> [f64; 3] {
    Aabb::from_points(body.polytope().positions().iter().copied()).center()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
    use xcollide_scenes::{PolytopeKind, Random, polytope};

    use super::*;
    use crate::convex::polytope_of;
    use crate::{Model, Placed, Pose};

    /// The perceptron convergence theorem with a start other than zero: with z · w* ≥ γ for all z
    /// and a w* of length 1, and |z| ≤ R, k steps make |w| at least γηk − 1, but its square at most
    /// 1 + η²R²k. So there are at most R²/γ² + 2/(γη) of them (thesis, formula 3.3, has w = 0 at
    /// the start and R = 1).
    #[test]
    fn a_plane_is_found_within_the_bound_of_the_thesis() {
        let mut random = Random::new(5);
        let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate];
        let (mut found, mut hard) = (0, 0);
        for round in 0..800 {
            let body = |seed: usize| {
                let mesh = polytope(5 + (round * 7) % 80, kinds[seed % 3], seed as u64).unwrap();
                Model::from_mesh(mesh).unwrap()
            };
            let (a, b) = (body(round), body(round / 3 + 1));
            let [x, y, z, w] = random.rotation();
            let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
            let at = Translation3::from([(); 3].map(|()| random.between(-1.5, 1.5)));
            let here = Placed::new(&a, &Pose::IDENTITY).unwrap();
            let there = Pose::try_from(Isometry3::from_parts(at, turn)).unwrap();
            let there = Placed::new(&b, &there).unwrap();
            let (of_a, of_b) = (polytope_of(&a), polytope_of(&b));
            let pair = || Pair::new(Body::new(&of_a, here.pose()), Body::new(&of_b, there.pose()));
            let best = pair().nearest(&[]);
            if best.at_least < 1e-3 {
                continue;
            }
            let frame = Frame::of(&pair());
            let middle = scale(add(best.points[0], best.points[1]), 0.5);
            let threshold = dot(best.direction, frame.local(middle));
            let margin = 0.5 * best.at_least / frame.size / (1.0 + threshold * threshold).sqrt();
            for initial in
                [InitialPlane::Trivial, InitialPlane::Barycenters, InitialPlane::BoxCenters]
            {
                let rate = [0.02, 0.1, 0.5, 2.0][round % 4];
                // The trivial plane may be far from the origin of the frame: |w| is then larger.
                let mut memory = PerceptronMemory::default();
                let search = PerceptronSearch::<false> {
                    rate,
                    step: Step::Constant(1.0),
                    initial,
                    boxes: false,
                    ..PerceptronSearch::default()
                };
                let start = frame.neuron(&search.initial_plane(&pair(), &mut memory));
                let length = (1.0 + start.threshold * start.threshold).sqrt();
                let bound = 2.0 / (margin * margin) + 2.0 * length / (margin * rate);
                let search = PerceptronSearch { most_iterations: bound as u32 + 1, ..search };
                let mut pair = pair();
                let result = search.search(&mut pair, &mut memory);
                assert!(matches!(result, SearchResult::Separated(_)), "{result:?} within {bound}");
                found += 1;
                hard += u32::from(pair.probes() > 10);
            }
        }
        assert!(found > 600 && hard > 30, "{found} found, {hard} of them in more than ten steps");
    }

    /// What was learnt is remembered: where nothing has moved the plane holds at once.
    #[test]
    fn the_next_query_starts_with_the_plane() {
        let model = Model::from_mesh(polytope(40, PolytopeKind::Rod, 3).unwrap()).unwrap();
        let polytope = polytope_of(&model);
        let here = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let mut learnt = 0;
        for step in 0..40 {
            let pose = Pose::from_translation([0.05 * f64::from(step), 0.1, 0.2]);
            let there = Placed::new(&model, &pose).unwrap();
            let search = PerceptronSearch::<false> { boxes: false, ..Default::default() };
            let mut memory = PerceptronMemory::default();
            let mut probes = [0, 0];
            let mut results = [SearchResult::Inconclusive; 2];
            for time in 0..2 {
                let mut pair = Pair::new(
                    Body::new(&polytope, here.pose()),
                    Body::new(&polytope, there.pose()),
                );
                results[time] = search.search(&mut pair, &mut memory);
                probes[time] = pair.probes();
            }
            if matches!(results[0], SearchResult::Separated(_)) {
                assert!(matches!(results[1], SearchResult::Separated(_)));
                assert_eq!(probes[1], 1);
                learnt += u32::from(probes[0] > 1);
            }
        }
        assert!(learnt > 3, "{learnt}");
    }

    /// Between bodies that meet there is no plane: after 100 iterations the search ends, leaning to a collision.
    #[test]
    fn a_hundred_iterations_without_a_plane_lean_to_a_collision() {
        let model = Model::from_mesh(polytope(40, PolytopeKind::Rod, 3).unwrap()).unwrap();
        let polytope = polytope_of(&model);
        let here = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let mut memory = PerceptronMemory::default();
        for step in 0..3 {
            let pose = Pose::from_translation([0.0, 0.0, 0.01 * f64::from(step)]);
            let there = Placed::new(&model, &pose).unwrap();
            let mut pair =
                Pair::new(Body::new(&polytope, here.pose()), Body::new(&polytope, there.pose()));
            let search = PerceptronSearch::<false> { boxes: false, ..Default::default() };
            let result = search.search(&mut pair, &mut memory);
            assert!(matches!(result, SearchResult::Biased(Bias::Collides)), "{result:?}");
            assert_eq!(pair.probes(), 100);
        }
    }
}
