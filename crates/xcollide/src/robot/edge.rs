//! A robot on a straight edge between two configurations: certified for every moment, not for samples.

use xcollide_scenes::robot::JointPath;

use super::{BodyId, Robot, RobotError};
use crate::bounds::Aabb;
use crate::math::Path;
use crate::math::vector::length;
use crate::narrow::continuous::{
    MotionVerdict, Moving, TimeInterval, WithinVerdict, time_of_contact, time_within,
};
use crate::narrow::{Formula, Model, ProofError, Query, QueryError, Reason, Semantics};
use crate::world::Proof;

/// A robot all of whose joints go evenly from one configuration, at time 0, to another, at time 1.
///
/// Made by [`Robot::edge`].
pub struct Edge<'r> {
    robot: &'r Robot,
    joints: JointPath<'r>,
    /// The path of each shape.
    paths: Vec<Box<dyn Path + 'r>>,
}

impl std::fmt::Debug for Edge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Edge").field("joints", &self.joints).finish_non_exhaustive()
    }
}

/// Whether bodies of a robot collide on an [`Edge`]: about all moments of the way.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct EdgeVerdict {
    outcome: EdgeOutcome,
    margin: f64,
    /// What was found of the pairs of shapes whose boxes overlap at some time before the contact, in order.
    pairs: Vec<([usize; 2], PairVerdict)>,
}

/// What happens on an [`Edge`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EdgeOutcome {
    /// No two tested bodies have a point in common, or are within the margin, at any moment.
    Free,
    /// Two bodies collide.
    Collides {
        /// The first two.
        bodies: [BodyId; 2],
        /// No two bodies collide before `lo`; these do at `hi`. At most as wide as asked for, unless another pair is
        /// undecided before.
        time: TimeInterval,
        /// Why, at `hi`.
        proof: Proof,
    },
    /// It was not found out: two bodies come closer than rounding tells, and are not found to collide.
    Undecided {
        /// The two bodies.
        bodies: [BodyId; 2],
        /// No two bodies collide before `lo`; later they may.
        time: TimeInterval,
        /// Why not.
        reason: Reason,
    },
}

#[derive(Clone, Debug, PartialEq)]
enum PairVerdict {
    Touch(MotionVerdict),
    Near(WithinVerdict),
}

impl PairVerdict {
    /// The times of contact that are left; `None` if there is none.
    fn interval(&self) -> Option<TimeInterval> {
        match self {
            Self::Touch(verdict) => verdict.interval(),
            Self::Near(verdict) => verdict.interval(),
        }
    }

    /// Why they collide at the end of the interval, or why that is not known; `None` if they are apart.
    fn ending(&self) -> Option<Result<Proof, Reason>> {
        match self {
            Self::Touch(MotionVerdict::Collides { witness, .. }) => {
                Some(Ok(Proof::Witness(*witness)))
            }
            Self::Touch(MotionVerdict::Undecided { reason, .. })
            | Self::Near(WithinVerdict::Undecided { reason, .. }) => Some(Err(*reason)),
            Self::Near(WithinVerdict::Near { nearness, .. }) => Some(Ok(Proof::Near(*nearness))),
            Self::Touch(MotionVerdict::Apart(_)) | Self::Near(WithinVerdict::Farther(_)) => None,
        }
    }
}

impl EdgeVerdict {
    /// What happens.
    #[must_use]
    pub fn outcome(&self) -> EdgeOutcome {
        self.outcome
    }

    /// Whether it is proved that no bodies collide at any moment.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.outcome == EdgeOutcome::Free
    }

    /// Verifies the proofs: of all pairs of bodies whose boxes overlap at some time before the contact.
    ///
    /// # Errors
    /// The first condition that does not hold, or the edge is another one.
    pub fn verify(&self, edge: &Edge<'_>) -> Result<(), ProofError> {
        let broken = |what| Err(ProofError::BrokenFront { what });
        let end = match self.outcome {
            EdgeOutcome::Free => f64::INFINITY,
            EdgeOutcome::Collides { time, .. } | EdgeOutcome::Undecided { time, .. } => time.lo,
        };
        let Ok(candidates) = edge.candidates() else { return broken("a body cannot be placed") };
        for candidate in candidates.iter().filter(|candidate| candidate.from < end) {
            if !self.pairs.iter().any(|(shapes, _)| *shapes == candidate.shapes) {
                return broken("two bodies whose boxes overlap have no verdict");
            }
        }
        for (shapes, verdict) in &self.pairs {
            if !edge.is_pair(*shapes) {
                return broken("a verdict about bodies that are not tested");
            }
            let [a, b] = shapes.map(|shape| edge.moving(shape));
            match verdict {
                PairVerdict::Touch(_) if self.margin > 0.0 => {
                    return broken("a verdict without the margin");
                }
                PairVerdict::Touch(verdict) => verdict.verify(a, b, Semantics::Solid)?,
                PairVerdict::Near(verdict) => {
                    verdict.verify(a, b, self.margin, Semantics::Solid)?;
                }
            }
        }
        if edge.robot.margin == self.margin && self.outcome == edge.outcome(&self.pairs) {
            Ok(())
        } else {
            broken("the outcome is not that of its pairs")
        }
    }
}

/// Two shapes whose boxes overlap on the way.
struct Candidate {
    shapes: [usize; 2],
    /// They do not before this time.
    from: f64,
}

/// Pieces of the way, in each of which bodies stay in a box.
const PIECES: usize = 16;

impl Robot {
    /// The robot on the straight edge between two configurations, for planners of motion.
    ///
    /// ```
    /// use xcollide::robot::{EdgeOutcome, Packages, Robot};
    ///
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scenes"))?;
    /// let arm = Robot::load("arm.urdf", Some("arm.srdf"), &Packages::new())?;
    /// let edge = arm.edge(&[0.0, -0.5, 0.0, 0.0], &[1.0, 0.5, 0.5, 0.02])?;
    /// let verdict = edge.check(1e-6)?;
    /// match verdict.outcome() {
    ///     EdgeOutcome::Free => println!("free at every moment"),
    ///     EdgeOutcome::Collides { bodies: [a, b], time, .. } => {
    ///         println!("{} meets {} at {} of the way", arm.name(a), arm.name(b), time.hi);
    ///     }
    ///     _ => println!("undecided"),
    /// }
    /// verdict.verify(&edge)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Values are no configuration, or a body gets beyond the range of f64.
    pub fn edge(&self, from: &[f64], to: &[f64]) -> Result<Edge<'_>, RobotError> {
        let joints = self.description.joint_path(from, to)?;
        let path = |shape: &super::Shape| -> Box<dyn Path + '_> {
            match shape.link {
                Some(link) => Box::new(joints.link(link, &shape.origin, middle(&shape.model))),
                None => Box::new(shape.origin.pose()),
            }
        };
        let paths = self.shapes.iter().map(path).collect();
        Ok(Edge { robot: self, joints, paths })
    }
}

impl Edge<'_> {
    /// The configuration at a time from 0 to 1, at both ends as it was given. The verdict of a time is that of
    /// [`RobotState`](super::RobotState) in this configuration.
    #[must_use]
    pub fn configuration(&self, time: f64) -> Vec<f64> {
        self.joints.configuration(time)
    }

    /// Whether two tested bodies collide at any moment, and when first, up to an interval of the given width in time.
    ///
    /// Bodies collide if they have a point in common, or with a [margin](Robot::set_margin) are within it. `Free` is proved
    /// for every moment, `Collides` for its time. Where bodies come closer than rounding tells, the answer is `Undecided`; a
    /// planner counts that as a collision.
    ///
    /// Boxes in pieces of the way rule out most pairs, in time linear in the number of
    /// [tested pairs](Robot::tested_pairs); the others take a query of the
    /// [time of contact](crate::narrow::continuous::time_of_contact) each.
    ///
    /// # Errors
    /// The width is NaN or negative, or a body gets beyond the range of f64.
    pub fn check(&self, width: f64) -> Result<EdgeVerdict, RobotError> {
        let margin = self.robot.margin;
        let mut candidates = self.candidates()?;
        candidates.sort_by(|one, other| one.from.total_cmp(&other.from));
        let mut pairs: Vec<([usize; 2], PairVerdict)> = Vec::new();
        let mut contact = f64::INFINITY;
        for Candidate { shapes, from } in candidates {
            if from >= contact {
                break;
            }
            let [a, b] = shapes.map(|shape| self.moving(shape));
            let query = Query::new();
            let verdict = if margin > 0.0 {
                time_within(a, b, margin, width, &query).map(PairVerdict::Near)
            } else {
                time_of_contact(a, b, width, &query).map(PairVerdict::Touch)
            };
            let verdict = verdict.map_err(|error| self.failed(shapes, error))?;
            if let Some(time) = verdict.interval() {
                contact = contact.min(if is_contact(&verdict) { time.hi } else { f64::INFINITY });
            }
            pairs.push((shapes, verdict));
        }
        pairs.sort_by_key(|(shapes, _)| *shapes);
        Ok(EdgeVerdict { outcome: self.outcome(&pairs), margin, pairs })
    }

    /// The first contact, of those pairs. What is before counts: of an undecided pair it is not known whether it is first.
    fn outcome(&self, pairs: &[([usize; 2], PairVerdict)]) -> EdgeOutcome {
        let mut before = f64::INFINITY;
        let mut first: Option<(TimeInterval, [usize; 2], Result<Proof, Reason>)> = None;
        for (shapes, verdict) in pairs {
            let (Some(time), Some(ending)) = (verdict.interval(), verdict.ending()) else {
                continue;
            };
            before = before.min(time.lo);
            // A contact comes before what is undecided.
            let rank = |time: TimeInterval, ending: &Result<Proof, Reason>| {
                (ending.is_err(), if ending.is_ok() { time.hi } else { time.lo })
            };
            let is_first = first.as_ref().is_none_or(|(known, _, of)| {
                rank(time, &ending)
                    .partial_cmp(&rank(*known, of))
                    .is_some_and(std::cmp::Ordering::is_lt)
            });
            if is_first {
                first = Some((time, *shapes, ending));
            }
        }
        let Some((time, shapes, ending)) = first else { return EdgeOutcome::Free };
        let mut bodies = shapes.map(|shape| BodyId(self.robot.shapes[shape].body));
        bodies.sort_unstable();
        let time = TimeInterval { lo: before, hi: time.hi };
        match ending {
            Ok(proof) => EdgeOutcome::Collides { bodies, time, proof },
            Err(reason) => EdgeOutcome::Undecided { bodies, time, reason },
        }
    }

    fn moving(&self, shape: usize) -> Moving<'_> {
        Moving::new(&self.robot.shapes[shape].model, &*self.paths[shape])
    }

    fn failed(&self, shapes: [usize; 2], error: QueryError) -> RobotError {
        let [a, b] =
            shapes.map(|shape| self.robot.name(BodyId(self.robot.shapes[shape].body)).to_owned());
        RobotError::Query { a, b, error }
    }

    /// Whether two shapes are of bodies that are tested against each other.
    fn is_pair(&self, shapes: [usize; 2]) -> bool {
        let [Some(a), Some(b)] = shapes.map(|shape| self.robot.shapes.get(shape)) else {
            return false;
        };
        self.robot.partners[a.body as usize].contains(&b.body)
    }

    /// The pairs of shapes whose boxes overlap in a piece of the way, ordered.
    fn candidates(&self) -> Result<Vec<Candidate>, RobotError> {
        let robot = self.robot;
        let boxes = (0..PIECES).map(|piece| self.boxes(piece)).collect::<Result<Vec<_>, _>>()?;
        let overlap = |piece: usize, [s, t]: [usize; 2]| {
            boxes[piece][s].expanded(robot.margin).overlaps(&boxes[piece][t])
        };
        let mut candidates = Vec::new();
        for [a, b] in robot.tested_pairs() {
            for s in robot.bodies[a.index()].shapes.clone() {
                for t in robot.bodies[b.index()].shapes.clone() {
                    if let Some(piece) = (0..PIECES).find(|&piece| overlap(piece, [s, t])) {
                        let from = piece as f64 / PIECES as f64;
                        candidates.push(Candidate { shapes: [s, t], from });
                    }
                }
            }
        }
        Ok(candidates)
    }

    /// A box for each shape, which it does not leave in a piece of the way.
    fn boxes(&self, piece: usize) -> Result<Vec<Aabb>, RobotError> {
        let [from, to] = [piece, piece + 1].map(|end| end as f64 / PIECES as f64);
        let middle = 0.5 * (from + to);
        let of_shape = |shape: &super::Shape, path: &dyn Path| {
            let pose = path.at(middle);
            let moved = crate::narrow::Placed::new(&shape.model, &pose).map_err(|error| {
                RobotError::Pose { name: self.robot.name(BodyId(shape.body)).to_owned(), error }
            })?;
            if is_half_space(&shape.model) && !path.is_translation() {
                // Far from its center it is as fast as it likes.
                return Ok(Aabb::new([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]));
            }
            let (bounds, speed) = (moved.world_box(), path.speed(from, to));
            let [arm, reach] = [path.center(), [0.0; 3]].map(|point| farthest(&shape.model, point));
            let turning = 1.002 * (length(speed.spin) + speed.spin_error) * arm;
            let fastest = length(speed.velocity) + speed.velocity_error + turning;
            Ok(bounds.expanded(0.5001 * (to - from) * fastest + 2.0 * path.rounding(reach)))
        };
        let shapes = self.robot.shapes.iter().zip(&self.paths);
        shapes.map(|(shape, path)| of_shape(shape, &**path)).collect()
    }
}

fn is_contact(verdict: &PairVerdict) -> bool {
    matches!(verdict.ending(), Some(Ok(_)))
}

fn is_half_space(model: &Model) -> bool {
    matches!(model.formula(), Some(Formula::HalfSpace))
}

/// The middle of the box of a model; the origin for a half space.
fn middle(model: &Model) -> [f64; 3] {
    if is_half_space(model) { [0.0; 3] } else { model.local_box().center() }
}

/// An upper bound of the distance of a model's points from a point; 0 for a half space, whose points all translate alike.
fn farthest(model: &Model, from: [f64; 3]) -> f64 {
    if is_half_space(model) {
        return 0.0;
    }
    let local = model.local_box();
    let side = |k: usize| (local.max[k] - from[k]).abs().max((from[k] - local.min[k]).abs());
    1.001 * length([side(0), side(1), side(2)])
}
