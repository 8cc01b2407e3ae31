//! Stacked bar plots.

use super::axis::{Axis, Scale};
use super::canvas::{Canvas, LETTER, WIDTH};
use super::markup::shortened;
use super::number::number;

const BAR: f64 = 18.0;
const STEP: f64 = 27.0;
const LEGEND_STEP: f64 = 20.0;
const BELOW: f64 = 46.0;
const LONGEST_LABEL: usize = 40;

/// Horizontal bars, each a stack of the same parts with the sum at its end. Parts differ in colour and
/// hatch. The axis is linear from zero. Values that are negative or not finite count as zero.
#[derive(Clone)]
pub(crate) struct BarPlot {
    pub(super) title: String,
    axis: Axis,
    parts: Vec<String>,
    bars: Vec<(String, Vec<f64>)>,
}

impl BarPlot {
    /// A plot without bars; `parts` are the parts of each bar.
    pub(crate) fn new<T: Into<String>>(
        title: &str,
        axis: Axis,
        parts: impl IntoIterator<Item = T>,
    ) -> Self {
        let parts = parts.into_iter().map(Into::into).collect();
        Self { title: title.to_owned(), axis: axis.with_zero(), parts, bars: Vec::new() }
    }

    /// Adds a bar. Missing values are zero, surplus ones are ignored.
    pub(crate) fn bar(mut self, name: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let positive = |value: f64| if value.is_finite() && value > 0.0 { value } else { 0.0 };
        let mut values: Vec<f64> =
            values.into_iter().take(self.parts.len()).map(positive).collect();
        values.resize(self.parts.len(), 0.0);
        self.bars.push((name.to_owned(), values));
        self
    }

    pub(super) fn svg(&self, name: &str) -> String {
        let labels: Vec<String> =
            self.bars.iter().map(|(label, _)| shortened(label, LONGEST_LABEL)).collect();
        let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let left = 24.0 + LETTER * widest as f64;
        let right = WIDTH - 84.0;
        let (entries, top) = self.legend();
        let bottom = top + STEP * self.bars.len() as f64 + 6.0;
        let sums = self.bars.iter().map(|(_, values)| values.iter().sum());
        let scale = Scale::new(&self.axis, sums, [left, right], false, 6);
        let mut canvas = Canvas::new(bottom + BELOW, name, &self.title, &self.in_words());
        canvas.hatches(name, self.parts.len());
        for (part, (text, [x, y])) in entries.iter().enumerate() {
            canvas.part(name, part, [*x, *y], [24.0, 13.0]);
            canvas.text("l", [x + 30.0, y + 11.0], "start", text);
        }
        canvas.horizontal(&scale, [top, bottom]);
        for (place, ((_, values), label)) in self.bars.iter().zip(&labels).enumerate() {
            let y = top + STEP * place as f64 + 6.0;
            canvas.text("l", [left - 8.0, y + 13.0], "end", label);
            let mut sum = 0.0;
            for (part, value) in values.iter().enumerate() {
                let from = scale.pixel(sum);
                sum += value;
                let width = scale.pixel(sum) - from;
                if width > 0.0 {
                    canvas.part(name, part, [from, y], [width, BAR]);
                }
            }
            canvas.text("t", [scale.pixel(sum) + 6.0, y + 13.0], "start", &number(sum));
        }
        canvas.line("a", [left, top], [left, bottom]);
        let middle = [0.5 * (left + right), bottom + 38.0];
        canvas.text("t", middle, "middle", &scale.label(&self.axis));
        canvas.finish()
    }

    /// Positions of the legend's entries, and its lower end. A single part needs no legend.
    fn legend(&self) -> (Vec<(String, [f64; 2])>, f64) {
        let mut entries = Vec::new();
        if self.parts.len() < 2 {
            return (entries, 8.0);
        }
        let [mut x, mut y] = [8.0, 6.0];
        for part in &self.parts {
            let text = shortened(part, LONGEST_LABEL);
            let width = 50.0 + LETTER * text.chars().count() as f64;
            if x > 8.0 && x + width > WIDTH {
                (x, y) = (8.0, y + LEGEND_STEP);
            }
            entries.push((text, [x, y]));
            x += width;
        }
        (entries, y + LEGEND_STEP + 8.0)
    }

    fn in_words(&self) -> String {
        let mut text = format!("Bars: {}.", self.axis.label());
        for (name, values) in &self.bars {
            let parts: Vec<String> = self
                .parts
                .iter()
                .zip(values)
                .map(|(part, &value)| format!("{part} {}", number(value)))
                .collect();
            let sum = number(values.iter().sum());
            let sum = format!("{sum} {}", self.axis.unit);
            text += &format!(" {name}: {}, in all {}.", parts.join(", "), sum.trim_end());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_sum_and_odd_values_are_nothing() {
        let plot = BarPlot::new("a", Axis::linear("t", "s"), ["x", "y", "z"])
            .bar("b", [1.0, f64::NAN, -3.0, 50.0])
            .bar("c", [1.0]);
        assert_eq!(plot.bars[0].1, [1.0, 0.0, 0.0]);
        assert_eq!(plot.bars[1].1, [1.0, 0.0, 0.0]);
        let svg = plot.svg("p");
        // Three of the legend, and one a bar.
        assert_eq!(svg.matches("<rect class=\"p ").count(), 5);
        assert!(svg.contains("b: x 1, y 0, z 0, in all 1 s."));
        let none = BarPlot::new("a", Axis::linear("t", "s"), Vec::<String>::new()).bar("b", [1.0]);
        assert!(!none.svg("p").contains("NaN"));
    }

    #[test]
    fn the_text_alternative_has_parts_and_sum() {
        let bars = BarPlot::new("By stage", Axis::linear("time", "ms"), ["broad", "narrow"])
            .bar("wide-obb", [0.5, 2.0])
            .bar("box-tree", [0.5, 3.25]);
        assert!(bars.svg("p").contains("box-tree: broad 0.5, narrow 3.25, in all 3.75 ms."));
    }

    #[test]
    fn a_long_legend_goes_on_in_the_next_line() {
        let names: Vec<String> = (0..20).map(|part| format!("part number {part}")).collect();
        let (entries, top) = BarPlot::new("a", Axis::linear("t", "s"), names).legend();
        let ends = |(text, [x, _]): &(String, [f64; 2])| x + 30.0 + LETTER * text.len() as f64;
        assert!(entries.iter().all(|entry| ends(entry) < WIDTH) && top > 60.0);
    }
}
