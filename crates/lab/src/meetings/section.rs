//! Meetings in a report: a table and a timeline.

use xcollide::narrow::Feature;

use super::{Meeting, MeetingLog, point};
use crate::output::count;
use crate::report::{Cell, Column, Section, Table, Timeline, number};

/// Rows of the table; the most important are listed.
const MOST_ROWS: usize = 1000;
/// Rows of the timeline.
const MOST_BARS: usize = 40;

impl MeetingLog {
    /// The sections with the table and, if anybody met, the timeline.
    pub(crate) fn sections(&self) -> Vec<Section> {
        let all = self.ranked();
        let approaches = self.approaches();
        let section = Section::new("Who met");
        let (unit, units) = (self.unit.one(), self.unit.many());
        let over = count(self.instants as usize, unit, units);
        if all.is_empty() && approaches.is_empty() {
            return vec![section.prose(&format!("Nobody met in {over}."))];
        }
        let pairs = self.pairs();
        let shown = all.len().min(MOST_ROWS);
        let mut prose = match all.len() {
            0 => format!("Nobody met in {over}."),
            _ => format!(
                "{} of {} in {over}.",
                count(all.len() + self.unlisted, "meeting", "meetings"),
                count(pairs.len(), "pair", "pairs")
            ),
        };
        if shown < all.len() + self.unlisted {
            prose += &format!(" The {shown} that last longest are listed; --json has all.");
        }
        prose += " A heading sorts the table, a number shows the moment below. The depth is how far one of two bodies must \
                  move at least to part them, with the moment at which it is greatest, of contacts that were measured.";
        let heading = |name: &str| Column::number(name);
        let columns = [
            Column::text("who"),
            heading("from"),
            heading("to"),
            Column::text("kind"),
            heading("depth or gap"),
            Column::text("where"),
            Column::text("faces"),
        ];
        let mut table = Table::new("Who met, when and where", columns).sortable();
        for meeting in all.iter().take(MOST_ROWS) {
            table = table.row(self.cells(meeting));
        }
        for (pair, approach) in approaches.iter().take(MOST_ROWS - shown) {
            let [p, q] = approach.points;
            table = table.row([
                Cell::from(self.names(*pair)),
                Cell::default(),
                Cell::default(),
                Cell::from("apart"),
                measure(&format!("{} apart", number(approach.distance)), approach.at)
                    .sort(-approach.distance),
                Cell::from(format!("{} and {}", point(p), point(q))),
                Cell::default(),
            ]);
        }
        let mut sections = vec![section.prose(&prose).table(table)];
        if !pairs.is_empty() && self.instants > 1 {
            let title = match pairs.len() {
                pairs if pairs > MOST_BARS => {
                    format!("The {MOST_BARS} pairs that were together longest, of {pairs}")
                }
                _ => "A bar for each meeting, a row for each pair".to_owned(),
            };
            let timeline = Timeline::new(&title, unit, self.instants);
            let timeline = pairs.iter().take(MOST_BARS).fold(timeline, |timeline, of| {
                let spans = of.meetings.iter().map(|meeting| [meeting.first, meeting.last]);
                timeline.row(&self.names(of.pair), spans)
            });
            sections.push(Section::new("When").timeline(timeline));
        }
        sections
    }

    fn cells(&self, meeting: &Meeting) -> [Cell; 7] {
        let Meeting { pair, first, last, began_after, contact, at } = *meeting;
        let moment = |at: u64| Cell::from(at.to_string()).moment(at).sort(at as f64);
        // On the way from the instant before.
        let from = match began_after {
            Some(part) if first > 0 => {
                let time = (first - 1) as f64 + part;
                Cell::from(format!("{time:.3}")).moment(first).sort(time)
            }
            _ => moment(first),
        };
        let measured = match (contact.depth, contact.clearance) {
            (Some(depth), _) => measure(&format!("{} deep", number(depth)), at).sort(depth),
            (None, Some(clearance)) => {
                measure(&format!("≤ {} apart", number(clearance)), at).sort(-clearance)
            }
            (None, None) => Cell::from("–"),
        };
        let faces = contact
            .features
            .map_or_else(String::new, |[a, b]| format!("{}, {}", feature(a), feature(b)));
        [
            Cell::from(self.names(pair)),
            from,
            moment(last),
            Cell::from(contact.kind.in_words()),
            measured,
            Cell::from(point(contact.point)),
            Cell::from(faces),
        ]
    }
}

/// A measure and the instant at which it was taken.
fn measure(text: &str, at: u64) -> Cell {
    Cell::from(format!("{text} at {at}")).moment(at)
}

fn feature(feature: Feature) -> String {
    match feature {
        Feature::Face(face) => face.to_string(),
        Feature::Edge { face, ends: [start, end] } => format!("edge {start}–{end} of {face}"),
        Feature::Vertex(vertex) => format!("vertex {vertex}"),
        Feature::Body => "body".to_owned(),
        _ => String::new(),
    }
}
