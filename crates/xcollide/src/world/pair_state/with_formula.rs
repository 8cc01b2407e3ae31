//! The test of a pair with an object that is given by a formula.

use super::{Detail, Outcome, PairState, Proof, Testing, distance_up_to, outcome};
use crate::interest::Ask;
use crate::narrow::formula::{self, Formulas};
use crate::narrow::proximity::Nearness;
use crate::narrow::{NarrowPhase, Placed, Reason};
use crate::world::objects::{FORMULA, Objects};

impl PairState {
    #[inline]
    pub(super) fn has_formula(&self, objects: &Objects) -> bool {
        let [i, j] = self.indices();
        (objects.flags[i] | objects.flags[j]) & FORMULA != 0
    }

    /// The outcome for two placed models, at least one of them given by a formula. They have no contacts of faces.
    pub(super) fn decide_with_formula(
        &mut self,
        [a, b]: [Placed<'_>; 2],
        testing: &Testing<'_>,
    ) -> Outcome {
        let narrow: &dyn NarrowPhase =
            if testing.narrow.accepts_formulas() { testing.narrow } else { &Formulas };
        let query = testing.query;
        match self.ask {
            Ask::Within { tolerance } => match formula::within(a, b, tolerance, query.semantics) {
                Some((true, points)) => {
                    Outcome::Collides(Proof::Near(Nearness { points, faces: None }))
                }
                Some((false, _)) => Outcome::Apart,
                None => Outcome::Undecided(Reason::TooClose),
            },
            Ask::Distance { up_to } => {
                let found = outcome(narrow.test(a, b, query, &mut self.cache));
                let distance = distance_up_to(up_to, a, b, query, &mut self.cache);
                self.detail.get_or_insert_default().distance = distance;
                found
            }
            Ask::Kind => {
                let found = outcome(narrow.test(a, b, query, &mut self.cache));
                self.find_kind(found, [a, b], query);
                found
            }
            Ask::Depth | Ask::Manifold => {
                let found = outcome(narrow.test(a, b, query, &mut self.cache));
                self.find_response_of(found, [a, b]);
                found
            }
            Ask::Touch | Ask::Contacts { .. } => {
                if let Some(detail) = &mut self.detail {
                    **detail = Detail::default();
                }
                outcome(narrow.test(a, b, query, &mut self.cache))
            }
        }
    }
}
