//! Proofs that two moving models are apart.

use super::motion_front::MotionFront;
use super::safe_time::Step;
use super::{MotionVerdict, Moving};
use crate::query::Deadline;
use crate::{Placed, ProofError, Semantics, Separation};

/// Proof that two moving models have no point in common from time 0 on, up to some time: a chain of steps.
///
/// At time 0 the models are apart by a [`Separation`]. In each step all pairs of triangles are parted along directions
/// in which bounds on the motion let none of them meet. The rounding of all poses is within these bounds. So no
/// surface meets the other, and no body gets into the other without that.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionSeparation {
    /// That the models are apart at time 0.
    start: Separation,
    /// When the steps end.
    ends: Vec<f64>,
    /// The proofs of the first steps, if they were asked for.
    fronts: Vec<MotionFront>,
}

impl MotionSeparation {
    pub(super) fn begin(start: Separation) -> Self {
        Self { start, ends: Vec::new(), fronts: Vec::new() }
    }

    /// Adds a step.
    pub(super) fn go_on(&mut self, end: f64) {
        self.ends.push(end);
    }

    /// Keeps the proof of the next step.
    pub(super) fn certify(&mut self, step: &Step<'_>) {
        if self.fronts.len() == self.ends.len() {
            self.fronts.extend(MotionFront::build(step, &mut Deadline::never()));
        }
    }

    /// The models are apart from 0 up to this time, which is included.
    #[must_use]
    pub fn until(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }

    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.ends.len()
    }

    /// Verifies the proof, without the search that found it where [`Query::certificate`](crate::Query::certificate)
    /// asked for it. Takes the time of a [`Front`](crate::Front) for each step.
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
        let [of_a, of_b] = [a, b].map(|moving| moving.path().at(0.0));
        let of_a = Placed::new(a.model(), &of_a).map_err(broken_place)?;
        let of_b = Placed::new(b.model(), &of_b).map_err(broken_place)?;
        self.start.verify(of_a, of_b, semantics)?;
        let mut from = 0.0;
        for (number, &end) in self.ends.iter().enumerate() {
            if !(from..=1.0).contains(&end) {
                return Err(broken("its steps are not in order"));
            }
            let step = Step::new([&a, &b], from, end);
            match self.fronts.get(number) {
                Some(front) => front.verify(&step)?,
                None => MotionFront::build(&step, &mut Deadline::never())
                    .ok_or(broken("a step is longer than the bounds on the motion allow"))?
                    .verify(&step)?,
            }
            from = end;
        }
        Ok(())
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
            let [of_a, of_b] = [a, b].map(|moving| moving.path().at(time));
            let of_a = Placed::new(a.model(), &of_a).map_err(broken_place)?;
            let of_b = Placed::new(b.model(), &of_b).map_err(broken_place)?;
            witness.verify(of_a, of_b, semantics)?;
        }
        if matches!(self, Self::Apart(apart) if apart.until() < 1.0) {
            return Err(ProofError::BrokenFront { what: "it ends before time 1" });
        }
        Ok(())
    }
}
