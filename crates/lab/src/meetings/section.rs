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

#[cfg(test)]
mod tests {
    use xcollide::brep::FaceId;

    use super::*;
    use crate::meetings::{Instants, PairContact};
    use crate::report::Page;

    fn html(log: &MeetingLog) -> String {
        log.sections().into_iter().fold(Page::new("a"), Page::section).to_html()
    }

    #[test]
    fn a_row_has_names_moments_kind_depth_point_and_faces() {
        let names = ["left", "right"].map(str::to_owned).to_vec();
        let mut log = MeetingLog::new(names, Instants::Frames);
        let faces = [FaceId(3), FaceId(7)];
        let at = |depth: f64| PairContact {
            depth: Some(depth),
            features: Some(faces.map(Feature::Face)),
            ..PairContact::at([0, 1], [1.5, 0.0, depth])
        };
        log.add([]);
        for depth in [0.5, 2.0, 1.0] {
            log.add([at(depth)]);
        }
        let cells = [
            "<th scope=\"row\">left – right</th>".to_owned(),
            "<td class=\"n\" data-sort=\"1\"><a href=\"#moment=1\">1</a></td>".to_owned(),
            "<td class=\"n\" data-sort=\"3\"><a href=\"#moment=3\">3</a></td>".to_owned(),
            "<td>surfaces meet</td>".to_owned(),
            format!(
                "<td class=\"n\" data-sort=\"2\"><a href=\"#moment=2\">{} deep at 2</a></td>",
                number(2.0)
            ),
            format!("<td>{}</td>", point([1.5, 0.0, 2.0])),
            format!("<td>{}, {}</td>", faces[0], faces[1]),
        ];
        let html = html(&log);
        assert!(html.contains(&cells.concat()), "{html}");
    }

    #[test]
    fn at_most_1000_meetings_and_40_bars_are_shown() {
        let names = (0..1002).map(|body: u32| body.to_string()).collect();
        let contacts: Vec<PairContact> =
            (1..1002).map(|body| PairContact::at([0, body], [0.0; 3])).collect();
        let mut log = MeetingLog::new(names, Instants::Frames);
        for _ in 0..2 {
            log.add(contacts.iter().copied());
        }
        let html = html(&log);
        assert_eq!(html.matches("<th scope=\"row\">").count(), 1000);
        assert!(html.contains("The 1000 that last longest are listed; --json has all."));
        assert_eq!(html.matches("<rect class=\"b\"").count(), 40);
    }
}
