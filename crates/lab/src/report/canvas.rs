//! SVG pictures inside a page.

use std::fmt::Write as _;

use super::axis::Scale;
use super::markup::escaped;

pub(super) const WIDTH: f64 = 780.0;
/// Generous average width of a letter.
pub(super) const LETTER: f64 = 6.7;

/// Number of distinct colours for series or parts.
pub(super) const COLORS: usize = 8;
/// Strokes and gaps. With markers and colours, 40 series look different.
const DASHES: [&str; 5] = ["", "8 4", "2 3", "10 3 2 3", "14 4 4 4"];
const MARKERS: usize = 8;
/// Hatches of a bar's parts, in repeated squares of 8 pixels. The first is solid.
const HATCHES: [&str; 8] = [
    "",
    "M-1,9 L9,-1 M-1,1 L1,-1 M7,9 L9,7",
    "M0,4 L8,4",
    "M0,0 L8,8 M0,8 L8,0",
    "M4,0 L4,8",
    "M-1,-1 L9,9 M7,-1 L9,1 M-1,7 L1,9",
    "M0,4 L8,4 M4,0 L4,8",
    "M4,4 L4,4",
];

pub(super) struct Canvas {
    svg: String,
}

impl Canvas {
    /// An empty picture; `name` is the page-unique prefix of its ids.
    pub(super) fn new(height: f64, name: &str, title: &str, description: &str) -> Self {
        let (title, description) = (escaped(title), escaped(description));
        let height = pixels(height);
        Self {
            svg: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
                 role=\"img\" aria-labelledby=\"{name}-title {name}-text\">\n\
                 <title id=\"{name}-title\">{title}</title>\n\
                 <desc id=\"{name}-text\">{description}</desc>\n"
            ),
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }

    pub(super) fn element(&mut self, element: &str) {
        self.svg.push_str(element);
        self.svg.push('\n');
    }

    /// `anchor`: `start`, `middle` or `end` of the text is at the point.
    pub(super) fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: &str, text: &str) {
        let (x, y, text) = (pixels(x), pixels(y), escaped(text));
        self.element(&format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(pixels);
        self.element(&format!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        ));
    }

    /// A line in the style of series `number`.
    pub(super) fn series_line(&mut self, number: usize, points: &[[f64; 2]]) {
        // Lines through many points are thin, as they may move up and down at every pixel.
        let class = if points.len() > 200 { "s thin" } else { "s" };
        let listed: Vec<String> =
            points.iter().map(|&[x, y]| format!("{},{}", pixels(x), pixels(y))).collect();
        let dash = match DASHES[number % DASHES.len()] {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let (color, listed) = (number % COLORS, listed.join(" "));
        self.element(&format!("<polyline class=\"{class} c{color}\"{dash} points=\"{listed}\"/>"));
    }

    /// The marker of a series at a point.
    pub(super) fn marker(&mut self, number: usize, [x, y]: [f64; 2]) {
        let color = number % COLORS;
        let shape = number % MARKERS;
        let class = if shape < MARKERS / 2 { "m" } else { "m hollow" };
        let polygon = |corners: &[[f64; 2]]| {
            let corners: Vec<String> = corners
                .iter()
                .map(|[dx, dy]| format!("{},{}", pixels(x + dx), pixels(y + dy)))
                .collect();
            format!("<polygon class=\"{class} c{color}\" points=\"{}\"/>", corners.join(" "))
        };
        let element = match shape % 4 {
            0 => {
                let (x, y) = (pixels(x), pixels(y));
                format!("<circle class=\"{class} c{color}\" cx=\"{x}\" cy=\"{y}\" r=\"3.6\"/>")
            }
            1 => polygon(&[[-3.2, -3.2], [3.2, -3.2], [3.2, 3.2], [-3.2, 3.2]]),
            2 => polygon(&[[0.0, -4.4], [4.2, 3.2], [-4.2, 3.2]]),
            _ => polygon(&[[0.0, -4.8], [4.2, 0.0], [0.0, 4.8], [-4.2, 0.0]]),
        };
        self.element(&element);
    }

    /// Grid and labels of a horizontal scale over the plot's height.
    pub(super) fn horizontal(&mut self, scale: &Scale, [top, bottom]: [f64; 2]) {
        for tick in &scale.ticks {
            let x = scale.pixel(tick.at);
            self.line("g", [x, top], [x, bottom]);
            if !tick.label.is_empty() {
                self.text("t", [x, bottom + 17.0], "middle", &tick.label);
            }
        }
    }

    /// Grid and labels of a vertical scale over the plot's width.
    pub(super) fn vertical(&mut self, scale: &Scale, [left, right]: [f64; 2]) {
        for tick in &scale.ticks {
            let y = scale.pixel(tick.at);
            self.line("g", [left, y], [right, y]);
            if !tick.label.is_empty() {
                self.text("t", [left - 7.0, y + 4.0], "end", &tick.label);
            }
        }
    }

    /// Hatches for parts of bars, as `url(#name-hatch-number)`.
    pub(super) fn hatches(&mut self, name: &str, count: usize) {
        self.element("<defs>");
        for number in 0..count {
            let color = number % COLORS;
            // When colours repeat, each gets another hatch.
            let hatch = (number + 3 * (number / COLORS)) % HATCHES.len();
            let base = if hatch == 0 { "h solid" } else { "h" };
            let strokes = HATCHES[hatch];
            let _ = writeln!(
                self.svg,
                "<pattern id=\"{name}-hatch-{number}\" width=\"8\" height=\"8\" \
                 patternUnits=\"userSpaceOnUse\"><rect class=\"{base} c{color}\" \
                 width=\"8\" height=\"8\"/><path class=\"w c{color}\" \
                 d=\"{strokes}\"/></pattern>"
            );
        }
        self.element("</defs>");
    }

    pub(super) fn part(&mut self, name: &str, number: usize, [x, y]: [f64; 2], size: [f64; 2]) {
        let ([x, y], [width, height]) = ([x, y].map(pixels), size.map(pixels));
        let color = number % COLORS;
        self.element(&format!(
            "<rect class=\"p c{color}\" fill=\"url(#{name}-hatch-{number})\" x=\"{x}\" y=\"{y}\" \
             width=\"{width}\" height=\"{height}\"/>"
        ));
    }
}

/// Rounded to a tenth of a pixel.
pub(super) fn pixels(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    (tenths as f64 / 10.0).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn pixels_have_at_most_one_decimal() {
        assert_eq!(
            [1.0, 0.25, -0.04, -12.34, 99.96].map(pixels),
            ["1", "0.3", "0", "-12.3", "100"]
        );
    }

    /// A drawing in black and white.
    fn uncolored(draw: impl FnOnce(&mut Canvas)) -> String {
        let mut canvas = Canvas::new(9.0, "p", "", "");
        draw(&mut canvas);
        let svg = canvas.finish();
        (0..COLORS).fold(svg, |svg, color| svg.replace(&format!(" c{color}\""), "\""))
    }

    #[test]
    fn lines_and_parts_of_bars_differ_without_colors() {
        let lines: BTreeSet<String> = (0..40)
            .map(|number| {
                uncolored(|canvas| {
                    canvas.series_line(number, &[[0.0; 2], [9.0; 2]]);
                    canvas.marker(number, [5.0; 2]);
                })
            })
            .collect();
        assert_eq!(lines.len(), 40);
        let hatches = uncolored(|canvas| canvas.hatches("p", COLORS));
        let strokes: BTreeSet<&str> = hatches
            .split("<path")
            .skip(1)
            .filter_map(|rest| rest.split_once("/>"))
            .map(|(path, _)| path)
            .collect();
        assert_eq!(strokes.len(), COLORS, "{hatches}");
    }
}
