//! Line plots.

use super::axis::{Axis, Scale};
use super::canvas::{Canvas, LETTER, WIDTH, pixels};
use super::markup::shortened;

const LEFT: f64 = 62.0;
const TOP: f64 = 30.0;
const BELOW: f64 = 46.0;
/// Vertical distance of labels at the right.
const LABEL_STEP: f64 = 17.0;
/// Distance from a line's end to its label.
const LEADER: f64 = 20.0;
/// Length of the line sample before a label.
const SWATCH: f64 = 30.0;
const LONGEST_LABEL: usize = 30;
/// Lines of up to this many points have a marker at each point, longer ones at some.
const MARKED: usize = 24;

/// Lines over one axis, each labelled at its end.
///
/// Series differ in colour, dash and marker. Values that the axis cannot show interrupt the line, and
/// a note gives their number. Of many points, the extremes in each pixel column are drawn.
#[derive(Clone)]
pub(crate) struct LinePlot {
    pub(super) title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
}

/// One line of a [`LinePlot`].
#[derive(Clone)]
pub(crate) struct Series {
    name: String,
    points: Vec<[f64; 2]>,
    spread: Vec<[f64; 2]>,
}

impl Series {
    /// A line through points, in their order.
    pub(crate) fn new(name: &str, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self { name: name.to_owned(), points: points.into_iter().collect(), spread: Vec::new() }
    }

    /// Adds a whisker at each point, from the lower to the upper value.
    pub(crate) fn spread(self, ranges: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self { spread: ranges.into_iter().collect(), ..self }
    }
}

impl LinePlot {
    pub(crate) fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self { title: title.to_owned(), x, y, series: Vec::new() }
    }

    pub(crate) fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Number of points that the plot omits.
    pub(super) fn left_out(&self) -> usize {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.filter(|point| !self.shows(point)).count()
    }

    fn shows(&self, [x, y]: &[f64; 2]) -> bool {
        self.x.shows(*x) && self.y.shows(*y)
    }

    pub(super) fn svg(&self, name: &str) -> String {
        let labels: Vec<String> =
            self.series.iter().map(|series| shortened(&series.name, LONGEST_LABEL)).collect();
        let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let right = WIDTH - LEADER - SWATCH - 14.0 - LETTER * widest as f64;
        let height = 250.0_f64.max(LABEL_STEP * labels.len() as f64);
        let bottom = TOP + height;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let ranges = || self.series.iter().flat_map(|series| series.spread.iter().flatten());
        let x = Scale::new(&self.x, points().map(|p| p[0]), [LEFT, right], false, 8);
        let values = points().map(|p| p[1]).chain(ranges().copied());
        let y = Scale::new(&self.y, values, [bottom, TOP], true, 6);
        let mut canvas = Canvas::new(bottom + BELOW, name, &self.title, &self.in_words());
        canvas.horizontal(&x, [TOP, bottom]);
        canvas.vertical(&y, [LEFT, right]);
        canvas.line("a", [LEFT, bottom], [right, bottom]);
        canvas.line("a", [LEFT, TOP], [LEFT, bottom]);
        canvas.text("t", [8.0, TOP - 14.0], "start", &y.label(&self.y));
        let middle = [0.5 * (LEFT + right), bottom + 38.0];
        canvas.text("t", middle, "middle", &x.label(&self.x));
        let mut ends = Vec::new();
        for (number, series) in self.series.iter().enumerate() {
            let place = |point: &[f64; 2]| [x.pixel(point[0]), y.pixel(point[1])];
            self.draw(&mut canvas, number, series, &place);
            let last = series.points.iter().rev().find(|point| self.shows(point));
            if let Some(end) = last.map(place) {
                ends.push((number, end));
            }
        }
        let heights =
            spaced(&ends.iter().map(|(_, end)| end[1]).collect::<Vec<_>>(), [TOP, bottom]);
        for ((number, [end, from]), to) in ends.into_iter().zip(heights) {
            let start = right + LEADER;
            canvas.line("d", [end + 5.0, from], [start - 2.0, to]);
            canvas.series_line(number, &[[start, to], [start + SWATCH, to]]);
            canvas.marker(number, [start + 0.5 * SWATCH, to]);
            let at = [start + SWATCH + 7.0, to + 4.0];
            canvas.text("l", at, "start", &labels[number]);
        }
        canvas.finish()
    }

    fn draw(
        &self,
        canvas: &mut Canvas,
        number: usize,
        series: &Series,
        place: &dyn Fn(&[f64; 2]) -> [f64; 2],
    ) {
        for ([x, y], range) in series.points.iter().zip(&series.spread) {
            if self.shows(&[*x, range[0]]) && self.shows(&[*x, range[1]]) && self.shows(&[*x, *y]) {
                let [[x, low], [_, high]] = [place(&[*x, range[0]]), place(&[*x, range[1]])];
                let color = number % super::canvas::COLORS;
                let [a, b, left, right] = [low, high, x - 4.0, x + 4.0].map(pixels);
                let x = pixels(x);
                canvas.element(&format!(
                    "<path class=\"r c{color}\" d=\"M{left},{a} H{right} M{x},{a} V{b} M{left},{b} H{right}\"/>"
                ));
            }
        }
        let is_shown = |a: &[f64; 2], b: &[f64; 2]| self.shows(a) == self.shows(b);
        let mut marked = Vec::new();
        for piece in series.points.chunk_by(is_shown).filter(|piece| self.shows(&piece[0])) {
            let placed: Vec<[f64; 2]> = piece.iter().map(place).collect();
            match placed[..] {
                [lone] => marked.push(lone),
                _ => canvas.series_line(number, &thinned(&placed)),
            }
            if series.points.len() <= MARKED {
                marked.extend(placed);
            } else {
                // A few markers, at different places for different lines.
                let stride = piece.len().div_ceil(8);
                let first =
                    stride * (2 * (number % self.series.len()) + 1) / (2 * self.series.len());
                marked.extend(placed.iter().skip(first).step_by(stride));
            }
        }
        for at in marked {
            canvas.marker(number, at);
        }
    }

    fn in_words(&self) -> String {
        let mut text = format!("Lines: {} over {}.", self.y.label(), self.x.label());
        for series in &self.series {
            let shown = series.points.iter().filter(|point| self.shows(point));
            let shown: Vec<f64> = shown.map(|point| point[1]).collect();
            let (name, count) = (&series.name, shown.len());
            text += &match (shown.first(), shown.last()) {
                (Some(&first), Some(&last)) => {
                    let least = shown.iter().copied().fold(f64::INFINITY, f64::min);
                    let greatest = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    let [first, last, least, greatest] =
                        [first, last, least, greatest].map(|value| self.y.text(value));
                    format!(
                        " {name}: {count} points, from {first} to {last}; least {least}, greatest \
                         {greatest}."
                    )
                }
                _ => format!(" {name}: no points."),
            };
        }
        text
    }
}

/// The points that determine how a line looks: the first, lowest, highest and last of each pixel
/// column.
fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    if points.len() <= 400 {
        return points.to_vec();
    }
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for column in points.chunk_by(|a, b| a[0].floor() == b[0].floor()) {
        let by_height = |a: &usize, b: &usize| column[*a][1].total_cmp(&column[*b][1]);
        let all = 0..column.len();
        let low = all.clone().min_by(by_height).unwrap_or(0);
        let high = all.max_by(by_height).unwrap_or(0);
        let mut places = [0, low.min(high), low.max(high), column.len() - 1].to_vec();
        places.dedup();
        kept.extend(places.into_iter().map(|place| column[place]));
    }
    kept
}

/// Heights of labels near the wanted ones, in the same order, [`LABEL_STEP`] apart.
fn spaced(wished: &[f64], [top, bottom]: [f64; 2]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wished.len()).collect();
    order.sort_by(|&a, &b| wished[a].total_cmp(&wished[b]).then(a.cmp(&b)));
    let mut heights = wished.to_vec();
    // Downwards until they do not overlap, then upwards to stay above the lower end.
    let mut free = top;
    for &label in &order {
        heights[label] = heights[label].max(free);
        free = heights[label] + LABEL_STEP;
    }
    let mut free = bottom;
    for &label in order.iter().rev() {
        heights[label] = heights[label].min(free);
        free = heights[label] - LABEL_STEP;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_alternative_has_number_ends_and_extremes() {
        let curve = Series::new("found", (0..50_u32).map(|x| [f64::from(x), f64::from(x * x)]));
        let plot = LinePlot::new("Pairs", Axis::count("frame"), Axis::count("pairs").with_zero());
        let text = "found: 50 points, from 0 to 2401; least 0, greatest 2401.";
        assert!(plot.series(curve).svg("p").contains(text));
    }

    #[test]
    fn labels_keep_their_order_and_their_distance() {
        let heights = spaced(&[50.0, 48.0, 200.0, 49.0, 249.0, 250.0], [0.0, 250.0]);
        assert_eq!(heights, [82.0, 48.0, 200.0, 65.0, 233.0, 250.0]);
    }

    #[test]
    fn thinning_keeps_extremes_and_ends() {
        let points: Vec<[f64; 2]> =
            (0..10_000).map(|i| [f64::from(i) * 0.05, f64::from(i * 7919 % 1000)]).collect();
        let kept = thinned(&points);
        assert!(kept.len() <= 4 * 501 && kept.len() > 1000, "{}", kept.len());
        for column in 0..500 {
            let of = |points: &[[f64; 2]]| -> Vec<f64> {
                let inside = points.iter().filter(|p| p[0].floor() == f64::from(column));
                inside.map(|p| p[1]).collect()
            };
            let range = |values: Vec<f64>| {
                values.iter().fold([f64::MAX, f64::MIN], |[a, b], &v| [a.min(v), b.max(v)])
            };
            assert_eq!(range(of(&kept)), range(of(&points)), "column {column}");
        }
        assert_eq!([kept.first(), kept.last()], [points.first(), points.last()]);
    }

    #[test]
    fn what_has_no_place_interrupts_the_line_and_is_counted() {
        let points = [[1.0, 1.0], [2.0, 2.0], [3.0, 0.0], [4.0, f64::NAN], [5.0, 3.0], [6.0, 4.0]];
        let plot = LinePlot::new("a", Axis::linear("x", ""), Axis::log("y", ""))
            .series(Series::new("b", points));
        assert_eq!(plot.left_out(), 2);
        // Two pieces, and the one beside the label.
        assert_eq!(plot.svg("p").matches("<polyline").count(), 3);
        assert!(plot.svg("p").contains("b: 4 points, from 1 to 4; least 1, greatest 4."));
        let empty = LinePlot::new("a", Axis::linear("x", ""), Axis::log("y", ""));
        assert!(!empty.svg("p").contains("NaN"));
    }
}
