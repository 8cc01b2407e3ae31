//! Proofs that two moving models are apart.

use xcollide_bounds::Obb;
use xcollide_bvh::binary::{Bvh, NodeId};
use xcollide_math::vector::neg;

use super::advancement::MotionClearance;
use super::body_in_motion::{Bodies, Side, Step};
use super::motion_front::{MotionFront, MovingPair, PartedNodes, Parting};
use super::safe_time::Safe;
use super::{MotionVerdict, Moving};
use crate::query::Deadline;
use crate::{ProofError, Semantics, Separation};

type Vector = [f64; 3];

/// Proof that two moving models have no point in common from time 0 on, up to some time.
///
/// At time 0 the models are apart by a [`Separation`]. Then all pairs of triangles are parted, set by set, along directions
/// that follow each other in time, in which bounds on the motion let none of them meet. The rounding of all poses is within
/// these bounds. So no surface meets the other, and no body gets into the other without that. If one of the models is given
/// by a formula or [deforms](Moving::deforming), it is a chain of distances instead, each greater than what bounds on the motion let go until the next.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionSeparation {
    /// That the models are apart at time 0.
    start: Separation,
    until: f64,
    steps: usize,
    /// The proof for the time after, if it was asked for.
    front: Option<MotionFront>,
    /// The proof for a model given by a formula, or that deforms.
    clearance: Option<MotionClearance>,
}

impl MotionSeparation {
    pub(super) fn begin(start: Separation) -> Self {
        Self { start, until: 0.0, steps: 0, front: None, clearance: None }
    }

    /// Of models that keep a distance.
    pub(super) fn by_clearance(start: Separation, clearance: MotionClearance) -> Self {
        let (until, steps) = (clearance.until(), clearance.steps());
        Self { start, until, steps, front: None, clearance: Some(clearance) }
    }

    /// Extends the time, by a search that has bounded the motion so often.
    pub(super) fn go_on(&mut self, until: f64, steps: usize) {
        self.until = until;
        self.steps = steps;
    }

    /// Keeps the proof.
    pub(super) fn certify(&mut self, bodies: &Bodies<'_>) {
        if self.until > 0.0 {
            self.front = Until::new(bodies, self.until).build();
        }
    }

    /// The models are apart from 0 up to this time, which is included.
    #[must_use]
    pub fn until(&self) -> f64 {
        self.until
    }

    /// How often the search bounded the motion of parts of the models: its work.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Verifies the proof, without the search that found it where [`Query::certificate`](crate::Query::certificate)
    /// asked for it. Takes the time of a [`Front`](crate::Front), mostly.
    ///
    /// The bounds of the paths are taken as they are.
    ///
    /// # Errors
    /// The first condition that does not hold, or the pose at time 0 cannot place a model.
    pub fn verify(
        &self,
        a: Moving<'_>,
        b: Moving<'_>,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        let broken = |what| ProofError::BrokenFront { what };
        let [of_a, of_b] = [a, b].map(|moving| moving.at(0.0));
        let of_a = of_a.placed().map_err(broken_place)?;
        let of_b = of_b.placed().map_err(broken_place)?;
        self.start.verify(of_a, of_b, semantics)?;
        if !(0.0..=1.0).contains(&self.until) {
            return Err(broken("it ends at no time from 0 to 1"));
        }
        if self.until == 0.0 {
            return Ok(());
        }
        if let Some(clearance) = &self.clearance {
            if clearance.until() < self.until {
                return Err(broken("its distances end before its time"));
            }
            return clearance.verify(a, b, 0.0, semantics);
        }
        if a.deforming.is_some() || b.deforming.is_some() {
            return Err(broken("it is of bodies that do not deform"));
        }
        let bodies = Bodies::new([&a, &b]);
        let until = Until::new(&bodies, self.until);
        match &self.front {
            Some(front) => front.verify(&until),
            None => until
                .build()
                .ok_or(broken("it is longer than the bounds on the motion allow"))?
                .verify(&until),
        }
    }
}

/// Two bodies up to a time.
struct Until<'a> {
    bodies: &'a Bodies<'a>,
    end: f64,
}

impl<'a> Until<'a> {
    fn new(bodies: &'a Bodies<'a>, end: f64) -> Self {
        Self { bodies, end }
    }

    fn build(&self) -> Option<MotionFront> {
        MotionFront::build(self, &mut Deadline::never())
    }
}

impl MovingPair for Until<'_> {
    fn trees(&self) -> Option<[&Bvh<Obb>; 2]> {
        self.bodies.trees()
    }

    fn end(&self) -> f64 {
        self.end
    }

    fn part_nodes(&self, nodes: [NodeId; 2], from: f64) -> Option<PartedNodes> {
        let (trees, step) = (self.trees()?, Step::new(self.bodies, from, self.end));
        let is_all = trees.map(Bvh::root) == nodes.map(Some) && step.has_hulls();
        let by_hulls = if is_all { step.best_of_hulls() } else { None };
        let is_convex = by_hulls.is_some() && self.bodies.are_convex();
        let by_boxes = || step.best_of_boxes([0, 1].map(|k| trees[k].volume(nodes[k])));
        let Safe { direction, time, is_loose } = by_hulls.or_else(by_boxes)?;
        let until = step.until(time);
        Some(PartedNodes { direction, until, is_loose: is_loose || is_convex })
    }

    fn part_triangles(&self, numbers: [u32; 2], from: f64) -> Option<(Parting, f64)> {
        let step = Step::new(self.bodies, from, self.end);
        let safe = step.best_of_triangles(numbers)?;
        Some((Parting::Along(safe.direction), step.until(safe.time)))
    }

    fn are_apart_along(&self, triangles: [&[u32]; 2], n: Vector, [from, to]: [f64; 2]) -> bool {
        let step = Step::new(self.bodies, from, to);
        // The greatest heights at both ends; between them they are convex functions.
        let highest = |side: &Side<'_>, triangles: &[u32], n: Vector| {
            let progress = side.along(n);
            let points = triangles.iter().flat_map(|&t| side.triangle(t));
            let points = points.map(|place| side.point(place));
            points.map(|point| side.of_point(&point, n, &progress)).fold(
                [f64::NEG_INFINITY; 2],
                |[now, later], height| {
                    [now.max(height.now), later.max(height.after(step.remaining))]
                },
            )
        };
        let of_a = highest(&step.sides[0], triangles[0], n);
        let of_b = highest(&step.sides[1], triangles[1], neg(n));
        (0..2).all(|end| of_a[end] + of_b[end] + step.margin < 0.0)
    }

    /// Never: on a path the exact test knows single moments only.
    fn are_apart_exactly(&self, _: [&[u32]; 2]) -> bool {
        false
    }
}

pub(super) fn broken_place(_: xcollide_math::PoseError) -> ProofError {
    ProofError::BrokenFront { what: "a pose cannot place its model" }
}

impl MotionVerdict {
    /// Verifies the proofs of this verdict: the separation, and the witness at the time of contact. What is undecided
    /// has the proof of its times.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: Moving<'_>,
        b: Moving<'_>,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        let (apart, contact) = match self {
            Self::Collides { at_most, witness, apart } => {
                (apart.as_ref(), Some((at_most, witness)))
            }
            Self::Apart(apart) => (Some(apart), None),
            Self::Undecided { apart, .. } => (apart.as_ref(), None),
        };
        if let Some(apart) = apart {
            apart.verify(a, b, semantics)?;
        }
        if let Some((&time, witness)) = contact {
            let [of_a, of_b] = [a, b].map(|moving| moving.at(time));
            let of_a = of_a.placed().map_err(broken_place)?;
            let of_b = of_b.placed().map_err(broken_place)?;
            witness.verify(of_a, of_b, semantics)?;
        }
        if matches!(self, Self::Apart(apart) if apart.until() < 1.0) {
            return Err(ProofError::BrokenFront { what: "it ends before time 1" });
        }
        Ok(())
    }
}
