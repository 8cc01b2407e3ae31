//! The output for an answer about motion, as JSON or text.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use xcollide::narrow::Reason;
use xcollide::narrow::continuous::TimeInterval;

use super::{Answer, Outcome};
use crate::output::{Object, count, optional, time};
use crate::witness::{WitnessRecord, meeting};

/// An answer and the number of its query, as a JSON object. Keys that do not apply are left out.
pub(super) struct SweepRecord<'a> {
    pub(super) query: u64,
    pub(super) answer: &'a Answer,
}

impl Serialize for SweepRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { outcome, nanoseconds } = self.answer;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("query", &self.query)?;
        map.serialize_entry("verdict", name(outcome))?;
        let interval = outcome.interval();
        let interval =
            interval.map(|time| Object(vec![("at_least", time.lo), ("at_most", time.hi)]));
        optional(&mut map, "time", interval)?;
        if let Outcome::Collides { witness, .. } = outcome {
            map.serialize_entry("witness", &WitnessRecord::from(witness))?;
        }
        map.serialize_entry("ns", nanoseconds)?;
        map.end()
    }
}

pub(super) fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Collides { .. } => "collides",
        Outcome::Apart { .. } => "apart",
        Outcome::Undecided { .. } => "undecided",
    }
}

impl Answer {
    /// The answer as text, with the number of the query if there are many.
    pub(super) fn in_words(&self, query: Option<u64>) -> String {
        let query = query.map(|query| format!("query {query}: ")).unwrap_or_default();
        let (name, time) = (name(&self.outcome), time(self.nanoseconds));
        format!("{query}{name}: {} [{time}]", self.reason())
    }

    fn reason(&self) -> String {
        match &self.outcome {
            Outcome::Collides { time: TimeInterval { lo: at_least, hi: at_most }, witness } => {
                let when = if at_least == at_most {
                    format!("at time {at_most:?}")
                } else {
                    format!("at a time from {at_least:?} to {at_most:?}")
                };
                format!("{when}, then {}", meeting(witness))
            }
            Outcome::Apart { steps: Some(steps) } => {
                format!("at all times, by {}", count(*steps, "step", "steps"))
            }
            Outcome::Apart { steps: None } => "at all times".to_owned(),
            Outcome::Undecided { reason: Reason::OutOfTime, until } => {
                format!("the budget was used up; apart until {until:?}")
            }
            Outcome::Undecided { until, .. } => {
                format!("apart until {until:?}, and then so close that rounding does not tell more")
            }
        }
    }
}
