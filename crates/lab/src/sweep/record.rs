//! The output for an answer about motion, as JSON or text.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use xcollide::narrow::Reason;
use xcollide::narrow::continuous::MotionVerdict;

use super::Answer;
use crate::output::{Object, count, optional, time};
use crate::witness::{WitnessRecord, meeting};

/// An answer and the number of its query, as a JSON object. Keys that do not apply are left out.
pub(super) struct SweepRecord<'a> {
    pub(super) query: u64,
    pub(super) answer: &'a Answer,
}

impl Serialize for SweepRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { verdict, nanoseconds } = self.answer;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("query", &self.query)?;
        map.serialize_entry("verdict", name(verdict))?;
        let interval = verdict.interval();
        let interval =
            interval.map(|time| Object(vec![("at_least", time.lo), ("at_most", time.hi)]));
        optional(&mut map, "time", interval)?;
        if let MotionVerdict::Collides { witness, .. } = verdict {
            map.serialize_entry("witness", &WitnessRecord::from(witness))?;
        }
        map.serialize_entry("ns", nanoseconds)?;
        map.end()
    }
}

pub(super) fn name(verdict: &MotionVerdict) -> &'static str {
    match verdict {
        MotionVerdict::Collides { .. } => "collides",
        MotionVerdict::Apart(_) => "apart",
        MotionVerdict::Undecided { .. } => "undecided",
    }
}

impl Answer {
    /// The answer as text, with the number of the query if there are many.
    pub(super) fn in_words(&self, query: Option<u64>) -> String {
        let query = query.map(|query| format!("query {query}: ")).unwrap_or_default();
        let (name, time) = (name(&self.verdict), time(self.nanoseconds));
        format!("{query}{name}: {} [{time}]", self.reason())
    }

    fn reason(&self) -> String {
        let (at_least, at_most) =
            self.verdict.interval().map_or((1.0, 1.0), |time| (time.lo, time.hi));
        match &self.verdict {
            MotionVerdict::Collides { witness, .. } => {
                let when = if at_least == at_most {
                    format!("at time {at_most:?}")
                } else {
                    format!("at a time from {at_least:?} to {at_most:?}")
                };
                format!("{when}, then {}", meeting(witness))
            }
            MotionVerdict::Apart(apart) => {
                format!("at all times, by {}", count(apart.steps(), "step", "steps"))
            }
            MotionVerdict::Undecided { reason: Reason::OutOfTime, .. } => {
                format!("the budget was used up; apart until {at_least:?}")
            }
            MotionVerdict::Undecided { .. } => format!(
                "apart until {at_least:?}, and then so close that rounding does not tell more"
            ),
        }
    }
}
