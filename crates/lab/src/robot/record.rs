//! The answer for a row, as JSON and text.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use xcollide::narrow::Feature;
use xcollide::robot::{BodyId, Robot};

use super::Answer;
use crate::meetings::PairContact;
use crate::output::{Object, finite, optional};
use crate::witness::WitnessRecord;

/// A row's answer.
pub(super) struct RowRecord<'a> {
    pub(super) row: usize,
    pub(super) robot: &'a Robot,
    pub(super) answer: &'a Answer,
    /// Whether to tell why the pairs collide.
    pub(super) witness: bool,
    /// Whether to report the work.
    pub(super) stats: bool,
}

#[derive(Serialize)]
struct PairWitness<'a> {
    pair: [&'a str; 2],
    witness: WitnessRecord,
}

impl RowRecord<'_> {
    fn verdict(&self) -> &'static str {
        if self.answer.pairs.is_empty() { "apart" } else { "collides" }
    }

    fn names(&self, pair: [BodyId; 2]) -> [&str; 2] {
        pair.map(|body| self.robot.name(body))
    }

    pub(super) fn in_words(&self) -> String {
        let mut text = format!("row {}: {}", self.row, self.verdict());
        for (number, &pair) in self.answer.pairs.iter().enumerate() {
            let [a, b] = self.names(pair);
            text += &format!("{} {a}–{b}", if number == 0 { ":" } else { "," });
        }
        if let Some(clearance) = &self.answer.clearance {
            let [a, b] = self.names(clearance.bodies);
            text += &format!(", distance {:?} ({a}–{b})", clearance.distance);
        }
        if self.stats {
            let stats = &self.answer.stats;
            text += &format!("; {} boxes, {} shapes tested", stats.box_tests, stats.shape_tests);
        }
        text
    }
}

impl Serialize for RowRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("row", &self.row)?;
        map.serialize_entry("verdict", self.verdict())?;
        let pairs = self.answer.pairs.iter().map(|&pair| self.names(pair));
        map.serialize_entry("pairs", &pairs.collect::<Vec<_>>())?;
        let clearance = self.answer.clearance.as_ref();
        optional(&mut map, "distance", clearance.and_then(|found| finite(found.distance)))?;
        optional(&mut map, "nearest", clearance.map(|found| self.names(found.bodies)))?;
        if self.witness {
            let witness = |(&pair, proof)| {
                let PairContact { features, point, .. } = PairContact::of_proof([0, 1], proof);
                let [a, b] = features.unwrap_or([Feature::Body; 2]);
                PairWitness { pair: self.names(pair), witness: WitnessRecord::new(a, b, point) }
            };
            let proofs = self.answer.pairs.iter().zip(&self.answer.proofs);
            map.serialize_entry("witnesses", &proofs.map(witness).collect::<Vec<_>>())?;
        }
        let stats = self.stats.then(|| {
            let stats = self.answer.stats;
            Object(vec![("box_tests", stats.box_tests), ("shape_tests", stats.shape_tests)])
        });
        optional(&mut map, "stats", stats)?;
        map.end()
    }
}
