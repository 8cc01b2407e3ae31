//! The test of a pair in which an object moves during the check.

use super::{OUT_OF_RANGE, Outcome, PairState, Proof, Testing};
use crate::interest::Ask;
use crate::narrow::continuous::{MotionVerdict, Moving, TimeInterval, time_of_contact};
use crate::narrow::proximity;
use crate::narrow::{Model, Placed, Reason, Verdict};
use crate::world::objects::Objects;

impl PairState {
    #[inline]
    pub(super) fn is_in_motion(&self, objects: &Objects) -> bool {
        let moves = |slot: usize| objects.motions.of(slot).is_some();
        !objects.motions.is_empty() && self.indices().into_iter().any(moves)
    }

    /// The outcome for two models on their paths.
    ///
    /// # Errors
    /// Why a pose of a path cannot be used.
    pub(super) fn decide_in_motion(
        &mut self,
        models: [&Model; 2],
        testing: &Testing<'_>,
    ) -> Result<Outcome, String> {
        let (narrow, query) = (testing.narrow, testing.query);
        let paths = self.indices().map(|slot| testing.objects.path(slot));
        let [a, b] = [0, 1].map(|k| Moving::new(models[k], paths[k]));
        let verdict = time_of_contact(a, b, testing.time_width, query);
        let verdict = verdict.map_err(|error| error.to_string())?;
        let at = |time: f64| paths.map(|path| path.at(time));
        if let Ask::Distance { up_to } = self.ask {
            let poses = at(1.0);
            let [a, b] = placed(models, &poses)?;
            let distance = proximity::distance(a, b, query.semantics);
            self.detail.get_or_insert_default().distance =
                distance.filter(|distance| distance.value <= up_to);
        }
        if let Some(detail) = &mut self.detail {
            detail.contacts.clear();
        }
        Ok(match verdict {
            MotionVerdict::Collides { at_most, witness, apart } => {
                if let Ask::Contacts { limit } = self.ask {
                    let poses = at(at_most);
                    let [a, b] = placed(models, &poses)?;
                    let contacts = &mut self.detail.get_or_insert_default().contacts;
                    let cache = &mut self.cache;
                    let listing = narrow.contact_overlaps(a, b, query, limit, cache, contacts);
                    if let Verdict::Undecided(reason) = listing.verdict {
                        return Ok(Outcome::Undecided(reason));
                    }
                }
                let lo = apart.map_or(0.0, |apart| apart.until());
                let time = TimeInterval { lo, hi: at_most };
                Outcome::Collides(Proof::InMotion { witness, time })
            }
            // They may have come within the tolerance without touching.
            MotionVerdict::Apart(_) if matches!(self.ask, Ask::Within { .. }) => {
                Outcome::Undecided(Reason::NotAccepted)
            }
            MotionVerdict::Apart(_) => Outcome::Apart,
            MotionVerdict::Undecided { reason, .. } => Outcome::Undecided(reason),
        })
    }
}

fn placed<'a>(
    [a, b]: [&'a Model; 2],
    [of_a, of_b]: &'a [crate::Pose; 2],
) -> Result<[Placed<'a>; 2], String> {
    match (Placed::new(a, of_a), Placed::new(b, of_b)) {
        (Ok(a), Ok(b)) => Ok([a, b]),
        _ => Err(OUT_OF_RANGE.to_owned()),
    }
}
