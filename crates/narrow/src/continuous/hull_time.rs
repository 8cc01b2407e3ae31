//! How long the convex hulls of two small moving bodies are certainly apart, along one direction for all of both.
//!
//! For convex bodies one direction does what a search of hierarchies finds pair by pair, in a hundredth of the time; for
//! others it is enough while their hulls are apart.

use xcollide_brep::Topology;
use xcollide_convex::{Body, Nearest, Pair};
use xcollide_math::vector::{cross, dot, neg, scale, sub, unit};

use super::body_in_motion::{Bodies, PointInMotion, Side, Step};
use super::safe_time::{Height, Safe};
use crate::Model;
use crate::convex::polytope_of;

type Vector = [f64; 3];

/// The least part of the time that remains for which hulls are taken before parts of the bodies are looked at.
const LONG: f64 = 0.05;

/// Models with more vertices are left to the hierarchies.
const MOST_VERTICES: usize = 128;

/// Whether a model is so small that its hull is looked at.
pub(super) fn is_for_hull(model: &Model) -> bool {
    model.used_vertices().len() <= MOST_VERTICES
}

impl Step<'_> {
    /// Whether the bodies are so small that their hulls are looked at.
    pub(super) fn has_hulls(&self) -> bool {
        self.sides.iter().all(|side| is_for_hull(side.model))
    }

    /// The direction along which all of the two bodies is safe for longest, of those tried. `None` if the hulls are not
    /// found apart.
    pub(super) fn best_of_hulls(&self) -> Option<Safe> {
        let hulls = [0, 1].map(|k| polytope_of(self.sides[k].model));
        if !hulls.iter().all(|hull| hull.is_certifiable()) {
            return None;
        }
        let [a, b] = [0, 1].map(|k| Body::new(&hulls[k], &self.sides[k].pose));
        let nearest = Pair::new(a, b).nearest(&[]);
        let along = unit(nearest.direction)?;
        let points = [0, 1].map(|k| {
            let side = &self.sides[k];
            let places = hulls[k].positions().iter().map(|&p| side.pose.apply(p));
            places.map(|place| side.point(place)).collect::<Vec<PointInMotion>>()
        });
        let mut best = None;
        let way = sub(self.sides[0].speed.velocity, self.sides[1].speed.velocity);
        // Across the way, along which a body that slides past is free for long.
        let across = unit(way).map(|way| sub(along, scale(way, dot(way, along))));
        let features = normals(&nearest, &points);
        for direction in [Some(along), across].into_iter().chain(features).flatten() {
            let Some(n) = unit(direction) else { continue };
            let n = if dot(n, along) < 0.0 { neg(n) } else { n };
            let heights = [
                heights(&self.sides[0], &points[0], n),
                heights(&self.sides[1], &points[1], neg(n)),
            ];
            let time = self.time_apart(&heights);
            let is_loose = time > LONG * self.remaining;
            Safe::raise(&mut best, Safe { direction: n, time, is_loose });
            if time >= self.remaining {
                break;
            }
        }
        best
    }

    /// Until when the heights of two bodies along opposite directions certainly add up to less than 0.
    ///
    /// The sum of the greatest heights is a convex function of time. If it is below 0 at the beginning and not at the
    /// end, chords give times before its root, and tangents times after it.
    fn time_apart(&self, heights: &[Vec<Height>; 2]) -> f64 {
        // The steps after which chords and tangents meet, but for rounding.
        const STEPS: usize = 5;
        let sum = |time: f64| {
            let greatest = |heights: &[Height]| {
                heights.iter().fold((f64::NEG_INFINITY, 0.0), |most, height| {
                    let here = height.after(time);
                    // Keeps NaN, of bounds that are no numbers.
                    let is_more = here > most.0 || here.is_nan();
                    if is_more { (here, height.rate_at(time)) } else { most }
                })
            };
            let [of_a, of_b] = [0, 1].map(|k| greatest(&heights[k]));
            // As for triangles, a little more than verification asks for.
            (of_a.0 + of_b.0 + 1.25 * self.margin, of_a.1 + of_b.1)
        };
        let (mut safe, mut below) = (0.0, sum(0.0).0);
        let (mut after, (mut above, mut rate)) = (self.remaining, sum(self.remaining));
        // NaN after an overflow.
        if below.is_nan() || below >= 0.0 {
            return 0.0;
        }
        if above < 0.0 {
            return self.remaining;
        }
        for _ in 0..STEPS {
            let chord = safe + (after - safe) * (below / (below - above));
            let (height, _) = sum(chord);
            if !(safe < chord && chord < after && height < 0.0) {
                break;
            }
            (safe, below) = (chord, height);
            let tangent = after - above / rate;
            if tangent > safe && tangent < after {
                let (height, slope) = sum(tangent);
                if height >= 0.0 {
                    (after, above, rate) = (tangent, height, slope);
                } else {
                    (safe, below) = (tangent, height);
                }
            }
        }
        // A little before: a proof rounds the time in its own way.
        safe * (1.0 - 1e-9)
    }
}

impl Bodies<'_> {
    /// Whether no search of hierarchies finds a longer time than [`best_of_hulls`](Step::best_of_hulls), or not by much.
    pub(super) fn are_convex(&self) -> bool {
        let topology = self.0[0].model.topology() & self.0[1].model.topology();
        topology.contains(Topology::CONVEX)
    }
}

fn heights(side: &Side<'_>, points: &[PointInMotion], n: Vector) -> Vec<Height> {
    let progress = side.along(n);
    points.iter().map(|point| side.of_point(point, n, &progress)).collect()
}

/// The normals of the faces and edges that have the nearest points: close to contact the direction between these is lost
/// in rounding.
fn normals(nearest: &Nearest, points: &[Vec<PointInMotion>; 2]) -> [Option<Vector>; 3] {
    let ends = nearest.simplex.ends();
    let edges = |k: usize| {
        let at = |i: usize| ends.get(i).map(|end| points[k][end[k] as usize].place);
        let edge = |i: usize, j: usize| {
            let edge = sub(at(j)?, at(i)?);
            (edge != [0.0; 3]).then_some(edge)
        };
        [edge(0, 1), edge(0, 2), edge(1, 2)]
    };
    let [of_a, of_b] = [edges(0), edges(1)];
    let face = |[first, second, _]: [Option<Vector>; 3]| Some(cross(first?, second?));
    let any = |edges: [Option<Vector>; 3]| edges.into_iter().flatten().next();
    let crossing = any(of_a).zip(any(of_b)).map(|(one, other)| cross(one, other));
    [face(of_a), face(of_b), crossing]
}
