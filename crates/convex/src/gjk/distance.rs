//! GJK by itself: boolean, and for distances.
//!
//! Source: Gilbert, Johnson and Keerthi 1988; Chung 1996, 5.1 to 5.4, with the improved termination of the thesis: the
//! search ends at support vertices that the simplex already has, and at a simplex that is not nearer than the one before,
//! so that none occurs twice.
//!
//! The parameters are the [`Subalgorithm`] and, for distances, the direction: towards the nearest point, or with momentum
//! (Montaut, Le Lidec, Petrik, Sivic and Carpentier, *Collision detection accelerated: an optimization perspective*,
//! 2022, who see GJK as the algorithm of Frank and Wolfe, and speed it up as Nesterov did gradient descent).

use crate::contact_certificate::ContactCertificate;
use crate::gjk::search::search_by;
use crate::gjk::simplex::{Simplex, Subalgorithm};
use crate::pair::Pair;
use crate::search::Search;
use crate::search_result::SearchResult;
use xcollide_math::vector::{add, dot, length_squared, scale, sub, unit};

/// Boolean GJK, from the simplex of the last query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GjkSearch {
    /// How the simplex is reduced: changes the time, not the answer.
    pub subalgorithm: Subalgorithm,
}

/// The vertices of the last simplex.
#[derive(Clone, Debug, Default)]
pub struct GjkMemory {
    ends: [u32; 2],
    simplex: Vec<[u32; 2]>,
}

impl Search for GjkSearch {
    const NAME: &'static str = "gilbert";
    type Memory = GjkMemory;

    fn search(&self, pair: &mut Pair<'_>, memory: &mut GjkMemory) -> SearchResult {
        let certificate = ContactCertificate::of(pair);
        let shift = certificate.map_or([0.0; 3], |certificate| certificate.shift);
        let mut simplex = Simplex::new();
        for &ends in &memory.simplex {
            simplex.push(sub(pair.difference(ends), shift), ends);
        }
        let (mut direction, mut ends) = (pair.first_direction(), memory.ends);
        let reduce = |simplex: &mut Simplex| simplex.reduce_by(self.subalgorithm);
        let result =
            search_by(pair, certificate.as_ref(), &mut simplex, &mut direction, &mut ends, reduce);
        memory.ends = ends;
        memory.simplex.clear();
        memory.simplex.extend_from_slice(simplex.ends());
        result
    }
}

/// The nearest points of two hulls, and bounds of their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// A point of each hull in the world, rounded. They coincide if the hulls meet.
    pub points: [[f64; 3]; 2],
    /// The distance of the points: an upper bound of the distance of the hulls, up to rounding.
    pub distance: f64,
    /// A lower bound, up to rounding: the widest gap along any direction of the search. Zero if they meet.
    pub at_least: f64,
    /// The direction of that gap, of length 1; zero if there is none.
    pub direction: [f64; 3],
    /// The vertices whose hulls have the nearest points.
    pub simplex: Simplex,
}

/// GJK for the distance of two hulls.
///
/// ```
/// use xcollide_math::Pose;
/// use xcollide_convex::{Body, GjkDistance, HullFeature, Pair, Polytope, Subalgorithm};
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let tetrahedron = Polytope::new(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let there = Pose::from_translation([2.0; 3]);
/// let mut pair =
///     Pair::new(Body::new(&tetrahedron, &Pose::IDENTITY), Body::new(&tetrahedron, &there));
///
/// let descent = GjkDistance { subalgorithm: Subalgorithm::SignedVolumes, accelerated: true };
/// let found = descent.nearest(&mut pair, &[]);
/// // From the face x + y + z = 1 to the corner (2, 2, 2).
/// assert!((found.distance - 5.0 / 3.0_f64.sqrt()).abs() < 1e-15);
/// let carriers = found.carriers(&pair).ok_or("they meet")?;
/// assert!(matches!(carriers, [HullFeature::Face(_), HullFeature::Vertex(0)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GjkDistance {
    /// How the simplex is reduced.
    pub subalgorithm: Subalgorithm,
    /// Whether directions have momentum, until a step comes no nearer: with momentum alone the search need not end.
    ///
    /// For close bodies with thousands of vertices it saves 10 to 20 % of the steps; for small or distant ones it costs as
    /// many.
    pub accelerated: bool,
}

/// The most steps.
const MOST_STEPS: u32 = 128;

/// The search ends when the bounds differ by this part.
const ENOUGH: f64 = 1e-14;

impl Pair<'_> {
    /// The distance of the two polytopes by the default [`GjkDistance`], starting from the vertices of an earlier simplex,
    /// if there is one.
    ///
    /// Rounded: the two bounds usually agree to a few units in the last place of the size of the bodies, and prove nothing.
    #[must_use]
    pub fn nearest(&mut self, from: &[[u32; 2]]) -> Nearest {
        GjkDistance::default().nearest(self, from)
    }
}

impl GjkDistance {
    /// The distance of the two polytopes; see [`Pair::nearest`].
    #[must_use]
    pub fn nearest(&self, pair: &mut Pair<'_>, from: &[[u32; 2]]) -> Nearest {
        let mut simplex = Simplex::new();
        for &ends in from.iter().take(4) {
            simplex.push(pair.difference(ends), ends);
        }
        let mut ends = from.first().copied().unwrap_or_default();
        if simplex.is_empty() {
            let probe = pair.probe(pair.first_direction(), ends);
            ends = probe.ends;
            simplex.push(probe.difference, ends);
        }
        let (mut at_least, mut direction) = (0.0, [0.0; 3]);
        let mut point = simplex.reduce_by(self.subalgorithm);
        let mut momentum = self.accelerated.then(|| Momentum::new(pair.difference(ends)));
        for _ in 0..MOST_STEPS {
            let Some(nearest) = point else { break };
            let length = length_squared(nearest).sqrt();
            if length == 0.0 {
                break;
            }
            let along = momentum.as_mut().and_then(|momentum| momentum.turn(nearest));
            let along = along.unwrap_or(nearest);
            let probe = pair.probe(along, ends);
            ends = probe.ends;
            if let Some(momentum) = &mut momentum {
                momentum.support = probe.difference;
            }
            let shorten = 1.0 / length_squared(along).sqrt();
            let gap = dot(along, probe.difference) * shorten;
            if gap > at_least {
                (at_least, direction) = (gap, scale(along, shorten));
            }
            let before = simplex;
            let enough = length - at_least <= ENOUGH * length;
            // No nearer: with momentum the direction was bad; without it rounding decides, and the old simplex was
            // better.
            let next = (!enough && simplex.push(probe.difference, ends))
                .then(|| simplex.reduce_by(self.subalgorithm))
                .filter(|next| {
                    next.is_none_or(|next| length_squared(next) < length_squared(nearest))
                });
            match next {
                Some(next) => point = next,
                None => {
                    simplex = before;
                    if enough || momentum.take().is_none() {
                        break;
                    }
                }
            }
        }
        match point {
            Some(_) => {
                let [p, q] = points(pair, &simplex);
                let distance = length_squared(sub(q, p)).sqrt();
                Nearest { points: [p, q], distance, at_least, direction, simplex }
            }
            // The simplex holds the origin.
            None => {
                let weighted = <[_; 4]>::try_from(simplex.ends());
                let weighted = weighted
                    .ok()
                    .and_then(|ends| ContactCertificate::nothing(pair).weigh(pair, ends));
                let points = weighted.unwrap_or([pair.a().center(); 2]);
                Nearest { points, distance: 0.0, at_least: 0.0, direction: [0.0; 3], simplex }
            }
        }
    }
}

/// Directions with momentum as of Montaut and others, normalised for the faces of polytopes. With x the nearest point so
/// far, s the last difference and d the last direction
///
/// ```text
/// δ = (k + 1) / (k + 3),   y = δ x/|x| + (1 − δ) s/|s|,   d := δ d/|d| + (1 − δ) y/|y|
/// ```
struct Momentum {
    step: f64,
    direction: [f64; 3],
    support: [f64; 3],
}

impl Momentum {
    fn new(first: [f64; 3]) -> Self {
        Self { step: 0.0, direction: first, support: first }
    }

    /// The next direction; `None` if it vanishes.
    fn turn(&mut self, nearest: [f64; 3]) -> Option<[f64; 3]> {
        let share = (self.step + 1.0) / (self.step + 3.0);
        self.step += 1.0;
        let mixed = |a, b| Some(add(scale(unit(a)?, share), scale(unit(b)?, 1.0 - share)));
        self.direction = mixed(self.direction, mixed(nearest, self.support)?)?;
        unit(self.direction)
    }
}

/// The nearest points, by the weights of a reduced simplex.
pub(crate) fn points(pair: &Pair<'_>, simplex: &Simplex) -> [[f64; 3]; 2] {
    let mut points = [[0.0; 3]; 2];
    for (&[p, q], &weight) in simplex.ends().iter().zip(simplex.weights()) {
        points[0] = add(points[0], scale(pair.a().position(p), weight));
        points[1] = add(points[1], scale(pair.b().position(q), weight));
    }
    points
}
