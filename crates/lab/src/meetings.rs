//! Who met whom, when and where.
//!
//! A meeting is an uninterrupted series of instants at which two bodies collide: frames of a run, queries of a check, rows
//! of a robot's table. [`MeetingLog`] gathers them instant by instant; a page shows them as a table and a timeline, the
//! terminal as a screenful of text. The most important come first: those that last longest, of these the deepest.

mod contact;
mod section;

pub(crate) use contact::{Measurements, PairContact};

use std::cmp::Reverse;
use std::collections::BTreeMap;

use xcollide::narrow::proximity::Distance;

use crate::report::number;

/// Further meetings are counted, and neither listed nor shown.
const MOST: usize = 200_000;
/// The lines of text that a screen holds.
pub(crate) const SCREENFUL: usize = 20;

/// What an instant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instants {
    Frames,
    Queries,
    Rows,
}

impl Instants {
    pub(crate) fn one(self) -> &'static str {
        match self {
            Self::Frames => "frame",
            Self::Queries => "query",
            Self::Rows => "row",
        }
    }

    pub(crate) fn many(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Queries => "queries",
            Self::Rows => "rows",
        }
    }
}

/// Two bodies that collide at all instants from the first to the last.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub(crate) pair: [u32; 2],
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// When in the first instant they touched, if they were tested on their way there: a part of 1.
    pub(crate) began_after: Option<f64>,
    /// The deepest contact whose depth is known, else the least clearance, else the first contact.
    pub(crate) contact: PairContact,
    /// The instant of this contact.
    pub(crate) at: u64,
}

impl Meeting {
    pub(crate) fn instants(&self) -> u64 {
        self.last - self.first + 1
    }

    /// Replaces the contact by a deeper or nearer one.
    fn deepen(&mut self, contact: &PairContact, instant: u64) {
        let known = &self.contact;
        let is_deeper = match (contact.depth, known.depth) {
            (Some(depth), Some(known)) => depth > known,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => contact.clearance < known.clearance,
        };
        if is_deeper {
            (self.contact, self.at) = (*contact, instant);
        }
    }
}

/// The least distance of two bodies that never met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    pub(crate) distance: f64,
    pub(crate) at: u64,
    pub(crate) points: [[f64; 3]; 2],
}

/// The meetings of two bodies.
struct PairMeetings<'a> {
    pair: [u32; 2],
    /// The longest first.
    meetings: Vec<&'a Meeting>,
    instants: u64,
}

/// All meetings so far. Grows by an instant at a time.
pub(crate) struct MeetingLog {
    names: Vec<String>,
    unit: Instants,
    instants: u64,
    meetings: Vec<Meeting>,
    /// The meetings of the last instant, by pair.
    open: Vec<([u32; 2], usize)>,
    approaches: BTreeMap<[u32; 2], Approach>,
    /// Meetings that are not listed.
    unlisted: usize,
}

impl MeetingLog {
    /// A log without instants, of bodies with these names by number.
    pub(crate) fn new(names: Vec<String>, unit: Instants) -> Self {
        let (meetings, open, approaches) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { names, unit, instants: 0, meetings, open, approaches, unlisted: 0 }
    }

    /// Adds an instant: the bodies that collide then, ordered by pair.
    pub(crate) fn add(&mut self, contacts: impl IntoIterator<Item = PairContact>) {
        let instant = self.instants;
        self.instants += 1;
        let mut before = std::mem::take(&mut self.open).into_iter().peekable();
        for contact in contacts {
            let pair = contact.pair;
            while before.next_if(|(earlier, _)| *earlier < pair).is_some() {}
            if let Some((_, place)) = before.next_if(|(same, _)| *same == pair) {
                self.meetings[place].last = instant;
                self.meetings[place].deepen(&contact, instant);
                self.open.push((pair, place));
            } else if self.meetings.len() < MOST {
                self.open.push((pair, self.meetings.len()));
                self.meetings.push(Meeting {
                    pair,
                    first: instant,
                    last: instant,
                    began_after: contact.time,
                    contact,
                    at: instant,
                });
            } else {
                self.unlisted += 1;
            }
        }
    }

    /// Adds distances of the last instant. Of each pair the least counts.
    pub(crate) fn add_distances<'a>(
        &mut self,
        distances: impl IntoIterator<Item = ([u32; 2], &'a Distance)>,
    ) {
        let at = self.instants.saturating_sub(1);
        for (pair, &Distance { value, points, .. }) in distances {
            let known = self.approaches.get(&pair);
            let is_nearer = known.is_none_or(|known| value < known.distance);
            if is_nearer && (known.is_some() || self.approaches.len() < MOST) {
                self.approaches.insert(pair, Approach { distance: value, at, points });
            }
        }
    }

    /// What an instant is called.
    pub(crate) fn unit(&self) -> &'static str {
        self.unit.one()
    }

    pub(crate) fn name(&self, body: u32) -> &str {
        self.names.get(body as usize).map_or("", String::as_str)
    }

    pub(crate) fn names(&self, [a, b]: [u32; 2]) -> String {
        format!("{} – {}", self.name(a), self.name(b))
    }

    fn pairs(&self) -> Vec<PairMeetings<'_>> {
        let mut pairs: BTreeMap<[u32; 2], Vec<&Meeting>> = BTreeMap::new();
        for meeting in self.ranked() {
            pairs.entry(meeting.pair).or_default().push(meeting);
        }
        let mut pairs: Vec<_> = pairs
            .into_iter()
            .map(|(pair, meetings)| {
                let instants = meetings.iter().map(|meeting| meeting.instants()).sum();
                PairMeetings { pair, meetings, instants }
            })
            .collect();
        pairs.sort_by_key(|of| (Reverse(of.instants), of.meetings[0].first, of.pair));
        pairs
    }

    /// The most important first.
    fn ranked(&self) -> Vec<&Meeting> {
        let mut ranked: Vec<&Meeting> = self.meetings.iter().collect();
        let depth = |meeting: &Meeting| meeting.contact.depth.unwrap_or(0.0);
        ranked.sort_by(|a, b| {
            b.instants()
                .cmp(&a.instants())
                .then(depth(b).total_cmp(&depth(a)))
                .then((a.first, a.pair).cmp(&(b.first, b.pair)))
        });
        ranked
    }

    /// The pairs that never met and whose distance is known, the nearest first.
    fn approaches(&self) -> Vec<([u32; 2], Approach)> {
        let mut met: Vec<[u32; 2]> = self.meetings.iter().map(|meeting| meeting.pair).collect();
        met.sort_unstable();
        let known = self.approaches.iter().map(|(pair, approach)| (*pair, *approach));
        let mut apart: Vec<_> =
            known.filter(|(pair, _)| met.binary_search(pair).is_err()).collect();
        apart.sort_by(|(p, a), (q, b)| a.distance.total_cmp(&b.distance).then(p.cmp(q)));
        apart
    }

    /// "frame 3", "frames 3–9".
    fn when(&self, meeting: &Meeting) -> String {
        match meeting.instants() {
            1 => format!("{} {}", self.unit.one(), meeting.first),
            _ => format!("{} {}–{}", self.unit.many(), meeting.first, meeting.last),
        }
    }

    /// The pairs that met, a line each, at most a screenful; `None` if nobody met. `rest`: where more of them are.
    pub(crate) fn in_words(&self, rest: &str) -> Option<String> {
        let pairs = self.pairs();
        if pairs.is_empty() {
            return None;
        }
        let mut lines = vec!["who met, the longest first:".to_owned()];
        for PairMeetings { pair, meetings, .. } in pairs.iter().take(SCREENFUL) {
            let mut line = format!("  {}, {}", self.names(*pair), self.when(meetings[0]));
            line += &match meetings.len() - 1 {
                0 => String::new(),
                1 => " and once more".to_owned(),
                more => format!(" and {more} more times"),
            };
            lines.push(line + &format!(", at {}", short_point(meetings[0].contact.point)));
        }
        let more = pairs.len().saturating_sub(SCREENFUL);
        if more > 0 {
            let pairs = if more == 1 { "pair" } else { "pairs" };
            lines.push(format!("  and {more} more {pairs} (see {rest})"));
        }
        Some(lines.join("\n"))
    }
}

/// A point as other commands read it, with six digits; what rounding left of a zero is one.
fn short_point(point: [f64; 3]) -> String {
    let largest = point.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let [x, y, z] = point.map(|value| match value.abs() > 1e-12 * largest {
        true => format!("{value:.5e}").parse().unwrap_or(value),
        false => 0.0,
    });
    format!("({x:?}, {y:?}, {z:?})")
}

/// "(1.5, −2, 0.333)".
pub(crate) fn point(point: [f64; 3]) -> String {
    let [x, y, z] = point.map(number);
    format!("({x}, {y}, {z})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(pair: [u32; 2], depth: Option<f64>) -> PairContact {
        PairContact { depth, ..PairContact::at(pair, [f64::from(pair[1]), 0.0, 0.5]) }
    }

    fn log(frames: &[&[PairContact]]) -> MeetingLog {
        let names = (0..9).map(|number| format!("body {number}")).collect();
        let mut log = MeetingLog::new(names, Instants::Frames);
        frames.iter().for_each(|contacts| log.add(contacts.iter().copied()));
        log
    }

    #[test]
    fn a_meeting_lasts_as_long_as_each_instant_has_it() {
        let [ab, cd] = [contact([0, 1], None), contact([2, 3], None)];
        let log = log(&[&[ab], &[ab, cd], &[cd], &[ab], &[]]);
        let found = log.ranked();
        let spans: Vec<_> = found.iter().map(|m| (m.pair, m.first, m.last)).collect();
        assert_eq!(spans, [([0, 1], 0, 1), ([2, 3], 1, 2), ([0, 1], 3, 3)]);
        assert_eq!(
            log.in_words("--json").unwrap_or_default(),
            "who met, the longest first:\n  \
             body 0 – body 1, frames 0–1 and once more, at (1.0, 0.0, 0.5)\n  \
             body 2 – body 3, frames 1–2, at (3.0, 0.0, 0.5)"
        );
    }

    #[test]
    fn the_deepest_contact_stands_for_a_meeting() {
        let at = |depth| contact([0, 1], depth);
        let log = log(&[&[at(Some(0.5))], &[at(None)], &[at(Some(2.0))], &[at(Some(1.0))]]);
        let meeting = &log.meetings[0];
        assert_eq!((meeting.contact.depth, meeting.at), (Some(2.0), 2));
    }

    #[test]
    fn the_longest_come_first_and_of_these_the_deepest() {
        let [shallow, deep, long] = [([0, 1], 0.5), ([2, 3], 2.0), ([4, 5], 0.25)]
            .map(|(pair, depth)| contact(pair, Some(depth)));
        let log = log(&[&[shallow, deep, long], &[long]]);
        let found: Vec<_> = log.ranked().iter().map(|meeting| meeting.pair).collect();
        assert_eq!(found, [[4, 5], [2, 3], [0, 1]]);
    }

    #[test]
    fn a_screenful_is_shown_and_the_rest_counted() {
        let all: Vec<PairContact> = (1..31).map(|body| contact([0, body], None)).collect();
        let text = log(&[&all]).in_words("--json or --report").unwrap_or_default();
        assert_eq!(text.lines().count(), 1 + SCREENFUL + 1);
        assert!(text.ends_with("\n  and 10 more pairs (see --json or --report)"), "{text}");
        assert_eq!(log(&[&[]]).in_words(""), None);
    }

    #[test]
    fn pairs_that_never_met_have_their_nearest_instant() {
        let mut log = log(&[&[contact([0, 1], None)]]);
        let [zero, half, one, three] = [0.0, 0.5, 1.0, 3.0].map(|value| Distance {
            value,
            points: [[0.0; 3]; 2],
            faces: None,
        });
        log.add_distances([([0, 1], &zero), ([0, 2], &three)]);
        log.add([]);
        log.add_distances([([0, 2], &one), ([1, 2], &half)]);
        let found: Vec<_> = log.approaches().iter().map(|(p, a)| (*p, a.distance, a.at)).collect();
        assert_eq!(found, [([1, 2], 0.5, 1), ([0, 2], 1.0, 1)]);
    }
}
