//! Timelines: a row of bars for each name, over all instants.

use super::axis::{Axis, Scale};
use super::canvas::{Canvas, LETTER, WIDTH, pixels};
use super::markup::shortened;

const STEP: f64 = 20.0;
const BAR: f64 = 12.0;
const TOP: f64 = 8.0;
const BELOW: f64 = 46.0;
const LONGEST_LABEL: usize = 46;
/// Narrower bars would not be seen.
const NARROWEST: f64 = 2.0;

/// Spans of instants, first and last, in rows. The page's script lets readers choose an instant there.
#[derive(Clone)]
pub(crate) struct Timeline {
    pub(super) title: String,
    unit: String,
    instants: u64,
    rows: Vec<(String, Vec<[u64; 2]>)>,
}

impl Timeline {
    /// A timeline without rows. `unit` is what an instant is called.
    pub(crate) fn new(title: &str, unit: &str, instants: u64) -> Self {
        Self { title: title.to_owned(), unit: unit.to_owned(), instants, rows: Vec::new() }
    }

    /// Adds a row with its spans.
    pub(crate) fn row(mut self, name: &str, spans: impl IntoIterator<Item = [u64; 2]>) -> Self {
        let mut spans: Vec<[u64; 2]> = spans.into_iter().collect();
        spans.sort_unstable();
        self.rows.push((name.to_owned(), spans));
        self
    }

    pub(super) fn svg(&self, name: &str) -> String {
        let labels = || self.rows.iter().map(|(label, _)| shortened(label, LONGEST_LABEL));
        let widest = labels().map(|label| label.chars().count()).max().unwrap_or(0);
        let left = 24.0 + LETTER * widest as f64;
        let right = WIDTH - 24.0;
        let bottom = TOP + STEP * self.rows.len() as f64 + 4.0;
        let axis = Axis::count(&self.unit);
        // An instant takes the place from its number to the next.
        let ends = [0.0, self.instants.max(1) as f64];
        let scale = Scale::new(&axis, ends.into_iter(), [left, right], false, 8);
        let mut canvas = Canvas::new(bottom + BELOW, name, &self.title, &self.in_words());
        let [from, to] = ends.map(|end| pixels(scale.pixel(end)));
        canvas.element(&format!(
            "<g class=\"timeline\" data-left=\"{from}\" data-right=\"{to}\" data-top=\"{TOP}\" \
             data-bottom=\"{bottom}\" data-instants=\"{}\">",
            self.instants
        ));
        canvas.horizontal(&scale, [TOP, bottom]);
        for (row, (label, (_, spans))) in labels().zip(&self.rows).enumerate() {
            let y = TOP + STEP * row as f64 + 4.0;
            canvas.text("l", [left - 8.0, y + 10.5], "end", &label);
            for [start, end] in drawn(spans, &scale) {
                let [x, y, width, height] =
                    [start, y, (end - start).max(NARROWEST), BAR].map(pixels);
                canvas.element(&format!(
                    "<rect class=\"b\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
                ));
            }
        }
        canvas.line("a", [left, TOP], [left, bottom]);
        let middle = [0.5 * (left + right), bottom + 38.0];
        canvas.text("t", middle, "middle", &scale.label(&axis));
        canvas.element("</g>");
        canvas.finish()
    }

    fn in_words(&self) -> String {
        let mut text = format!("Bars over {} {}.", self.instants, self.unit);
        for (name, spans) in &self.rows {
            let listed: Vec<String> = spans
                .iter()
                .take(20)
                .map(|[first, last]| match first == last {
                    true => first.to_string(),
                    false => format!("{first} to {last}"),
                })
                .collect();
            let more = if spans.len() > 20 { " and more" } else { "" };
            text += &format!(" {name}: {}{more}.", listed.join(", "));
        }
        text
    }
}

/// The bars of ordered spans in pixels. Spans without a visible gap are one bar.
fn drawn(spans: &[[u64; 2]], scale: &Scale) -> Vec<[f64; 2]> {
    let mut bars: Vec<[f64; 2]> = Vec::new();
    for &[first, last] in spans {
        let [start, end] = [first, last + 1].map(|instant| scale.pixel(instant as f64));
        match bars.last_mut() {
            Some(bar) if start - bar[1] < 0.5 => bar[1] = end.max(bar[1]),
            _ => bars.push([start, end]),
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_bar_and_gaps_that_no_one_sees_are_closed() {
        let timeline = Timeline::new("When", "frame", 100)
            .row("a – b", [[50, 50], [0, 9]])
            .row("c – d", [[3, 99]]);
        let svg = timeline.svg("p");
        assert_eq!(svg.matches("<rect class=\"b\"").count(), 3);
        assert!(svg.contains("a – b: 0 to 9, 50. c – d: 3 to 99."), "{svg}");
        let many = (0..50_000).map(|one| [4 * one, 4 * one + 1]);
        let dense = Timeline::new("When", "frame", 200_000).row("a – b", many);
        assert_eq!(dense.svg("p").matches("<rect class=\"b\"").count(), 1);
    }

    #[test]
    fn nothing_to_show_is_no_error() {
        assert!(!Timeline::new("When", "row", 0).svg("p").contains("NaN"));
    }
}
