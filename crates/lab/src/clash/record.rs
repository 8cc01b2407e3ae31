//! A clash, an error and the summary as JSON and in words.

use serde::Serialize;
use xcollide::Kind;
use xcollide_clash::{Clash, InstanceSet, PairFailure};

use super::source::RowFailure;
use crate::meetings::point;
use crate::output::{finite, finite_point};
use crate::report::number;

/// The object of a clash.
#[derive(Serialize)]
pub(crate) struct ClashRecord<'s> {
    a: &'s str,
    b: &'s str,
    kind: &'static str,
    /// Which of the two is enclosed.
    #[serde(skip_serializing_if = "Option::is_none")]
    enclosed: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<DepthRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<VolumeRecord>,
    groups: [&'s str; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    issue: Option<usize>,
}

#[derive(Serialize)]
struct DepthRecord {
    at_least: f64,
    at_most: f64,
    direction: [f64; 3],
}

#[derive(Serialize)]
struct VolumeRecord {
    at_least: f64,
    at_most: f64,
}

/// The object of a row or a pair that cannot be used.
#[derive(Serialize)]
pub(crate) struct ErrorRecord<'s> {
    error: ErrorFields<'s>,
}

#[derive(Serialize)]
struct ErrorFields<'s> {
    id: &'s str,
    /// The other one, where a pair cannot be decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<&'s str>,
    message: String,
}

/// The object at the end.
#[derive(Serialize)]
pub(crate) struct SummaryRecord {
    pub(crate) summary: Summary,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Summary {
    /// Rows of the table, also those that cannot be used.
    pub(crate) instances: usize,
    pub(crate) candidates: usize,
    pub(crate) clashes: usize,
    pub(crate) errors: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) issues: Option<usize>,
    /// How long it took, with `--stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ns: Option<Times>,
}

/// Nanoseconds by stage.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Times {
    /// Reading the table and all models.
    pub(crate) read: u64,
    /// Finding the clashes.
    pub(crate) detect: u64,
}

impl<'s> ClashRecord<'s> {
    /// `merged`: whether clashes have been merged into issues.
    pub(crate) fn new(clash: &Clash, set: &'s InstanceSet, merged: bool) -> Self {
        let [a, b] = clash.pair.map(|id| set.instance(id));
        let found = &clash.interference;
        let enclosed = match found.kind {
            Kind::Enclosed => Some(&*a.id),
            Kind::Enclosing => Some(&*b.id),
            _ => None,
        };
        let depth = found.depth.map(|depth| DepthRecord {
            at_least: depth.at_least,
            at_most: depth.at_most,
            direction: depth.direction,
        });
        let volume = found
            .volume
            .and_then(Result::ok)
            .map(|volume| VolumeRecord { at_least: volume.at_least, at_most: volume.at_most });
        Self {
            a: &a.id,
            b: &b.id,
            kind: found.kind.name(),
            enclosed,
            distance: finite(found.distance),
            point: finite_point(found.point),
            depth,
            volume,
            groups: [&a.group, &b.group],
            issue: merged.then(|| clash.issue.index()),
        }
    }

    pub(crate) fn in_words(&self) -> String {
        let Self { a, b, kind, .. } = self;
        let mut text = format!("{a} – {b}: ");
        text += &match (self.enclosed, self.distance) {
            (Some(inner), _) => format!("{inner} is enclosed"),
            (None, Some(distance)) if *kind == "apart" => format!("{distance:?} apart"),
            _ => (*kind).to_owned(),
        };
        if let Some(depth) = &self.depth {
            text += &format!(", depth {:?} to {:?}", depth.at_least, depth.at_most);
        }
        if let Some(volume) = &self.volume {
            text += &format!(", volume in common {:?} to {:?}", volume.at_least, volume.at_most);
        }
        if let Some(at) = self.point {
            text += &format!(", at {}", point(at));
        }
        text + &match self.groups {
            ["", ""] => String::new(),
            [p, q] => format!(" [{}]", pair_of_groups([p, q])),
        }
    }
}

impl<'s> ErrorRecord<'s> {
    pub(crate) fn of_row(failure: &'s RowFailure) -> Self {
        let RowFailure { id, message } = failure;
        Self { error: ErrorFields { id, with: None, message: message.clone() } }
    }

    pub(crate) fn of_pair(failure: &PairFailure, set: &'s InstanceSet) -> Self {
        let [a, b] = failure.pair.map(|id| &*set.instance(id).id);
        let message = failure.error.to_string();
        Self { error: ErrorFields { id: a, with: Some(b), message } }
    }

    pub(crate) fn in_words(&self) -> String {
        let ErrorFields { id, with, message } = &self.error;
        match with {
            Some(with) => format!("{id} – {with}: {message}"),
            None if id.is_empty() => message.clone(),
            None => format!("{id}: {message}"),
        }
    }
}

/// "pipes – steel"; instances without a group are "no group".
pub(crate) fn pair_of_groups(groups: [&str; 2]) -> String {
    let [p, q] = groups.map(|group| if group.is_empty() { "no group" } else { group });
    format!("{p} – {q}")
}

/// "overlapping, 0.25 deep", "0.003 apart".
pub(crate) fn kind_in_words(clash: &Clash) -> String {
    let found = &clash.interference;
    match (found.kind, found.depth) {
        (Kind::Apart, _) => format!("{} apart", number(found.distance)),
        (kind, Some(depth)) => format!("{}, {} deep", kind.name(), number(depth.at_most)),
        (kind, None) => kind.name().to_owned(),
    }
}
