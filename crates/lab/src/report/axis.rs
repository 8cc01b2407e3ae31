//! Axes: mapping of values to pixels, and ticks.

use super::number::{decimal, number, superscript};

#[derive(Clone)]
pub(crate) struct Axis {
    name: String,
    pub(super) unit: String,
    form: Form,
    from_zero: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Linear,
    /// Linear, with ticks at whole numbers.
    Count,
    Log,
}

impl Axis {
    /// A linear axis. The unit may be empty.
    pub(crate) fn linear(name: &str, unit: &str) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), form: Form::Linear, from_zero: false }
    }

    /// A linear axis of whole numbers.
    pub(crate) fn count(name: &str) -> Self {
        Self { form: Form::Count, ..Self::linear(name, "") }
    }

    /// A logarithmic axis. The plot omits values that are not positive and says how many.
    pub(crate) fn log(name: &str, unit: &str) -> Self {
        Self { form: Form::Log, ..Self::linear(name, unit) }
    }

    /// Extends a linear axis to zero.
    pub(crate) fn with_zero(self) -> Self {
        Self { from_zero: true, ..self }
    }

    /// Name and unit.
    pub(super) fn label(&self) -> String {
        match &*self.unit {
            "" => self.name.clone(),
            unit => format!("{} ({unit})", self.name),
        }
    }

    /// A value as text: counts are exact, other values have three digits.
    pub(super) fn text(&self, value: f64) -> String {
        match self.form {
            Form::Count => value.to_string(),
            Form::Linear | Form::Log => number(value),
        }
    }

    /// Whether the axis can show the value.
    pub(super) fn shows(&self, value: f64) -> bool {
        match self.form {
            Form::Log => (1e-300..=1e300).contains(&value),
            Form::Linear | Form::Count => value.abs() <= 1e300,
        }
    }
}

/// The range of an axis that contains given values, between two pixels.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    is_log: bool,
    /// The values at the ends, or their logarithms.
    ends: [f64; 2],
    pixels: [f64; 2],
    pub(super) ticks: Vec<Tick>,
    /// The power of ten that multiplies the ticks' labels.
    power: i32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    /// Empty for a faint line without label.
    pub(super) label: String,
}

impl Scale {
    /// The scale of those `values` that the axis can show, with about `wanted` ticks; `rounded`
    /// ends at ticks.
    pub(super) fn new(
        axis: &Axis,
        values: impl Iterator<Item = f64>,
        pixels: [f64; 2],
        rounded: bool,
        wanted: usize,
    ) -> Self {
        let start = [f64::INFINITY, f64::NEG_INFINITY];
        let range = values
            .filter(|&value| axis.shows(value))
            .fold(start, |[low, high], value| [low.min(value), high.max(value)]);
        let [low, high] = if range[0] <= range[1] { range } else { [1.0, 1.0] };
        if axis.form == Form::Log {
            Self::log([low, high], pixels, rounded, wanted)
        } else {
            let [low, high] =
                if axis.from_zero { [low.min(0.0), high.max(0.0)] } else { [low, high] };
            Self::linear(widened(low, high), axis.form == Form::Count, pixels, rounded, wanted)
        }
    }

    pub(super) fn pixel(&self, value: f64) -> f64 {
        let value = if self.is_log { libm::log10(value) } else { value };
        let [[low, high], [first, last]] = [self.ends, self.pixels];
        first + (value - low) / (high - low) * (last - first)
    }

    /// The axis's label, with the power of ten that the ticks omit.
    pub(super) fn label(&self, axis: &Axis) -> String {
        if self.power == 0 {
            return axis.label();
        }
        let unit = format!("10{} {}", superscript(self.power), axis.unit);
        format!("{} ({})", axis.name, unit.trim_end())
    }

    fn linear(
        [low, high]: [f64; 2],
        whole: bool,
        pixels: [f64; 2],
        rounded: bool,
        wanted: usize,
    ) -> Self {
        // The smallest of 1, 2, 5 times a power of ten with at most `wanted` steps.
        let least = (high - low) / wanted as f64;
        let least = if whole { least.max(1.0) } else { least };
        let base = libm::floor(libm::log10(least)) as i32;
        let steps = [(1, base), (2, base), (5, base), (1, base + 1)];
        let (digit, exponent) = steps
            .into_iter()
            .find(|&(digit, exponent)| scaled(digit, exponent) >= least * (1.0 - 1e-9))
            .unwrap_or((2, base + 1));
        let step = scaled(digit, exponent);
        let (first, last) = if rounded {
            (libm::floor(low / step + 1e-9), libm::ceil(high / step - 1e-9))
        } else {
            (libm::ceil(low / step - 1e-9), libm::floor(high / step + 1e-9))
        };
        // The range may be zero relative to the step.
        let (first, last) = (first as i64, (last as i64).max(first as i64 + i64::from(rounded)));
        let numbers = first..=last.min(first.saturating_add(100));
        let ends = if rounded {
            [scaled(first * digit, exponent), scaled(last * digit, exponent)]
        } else {
            [low, high]
        };
        let size = libm::log10(ends[0].abs().max(ends[1].abs()));
        let power =
            if (-3.0..6.0).contains(&size) { 0 } else { 3 * libm::floor(size / 3.0) as i32 };
        let ticks = numbers
            .map(|number| Tick {
                at: scaled(number * digit, exponent),
                label: decimal(number * digit, exponent - power),
            })
            .collect();
        Self { is_log: false, ends, pixels, ticks, power }
    }

    fn log([low, high]: [f64; 2], pixels: [f64; 2], rounded: bool, wanted: usize) -> Self {
        let [low, high] = if high / low < 1.05 { [0.5 * low, 2.0 * high] } else { [low, high] };
        let logs = [low, high].map(libm::log10);
        let decades = logs[1] - logs[0];
        // 1, 2, 5 if there is room, else powers of ten, if necessary not all of them.
        let fine = decades * 3.0 <= wanted as f64 + 1.0;
        let stride = libm::ceil(decades / wanted as f64).max(1.0) as i32;
        let digits: &[i64] = if fine { &[1, 2, 5] } else { &[1] };
        let reach = libm::floor(logs[0]) as i32 - 1..=libm::ceil(logs[1]) as i32 + 1;
        let marks: Vec<(i64, i32)> =
            reach.flat_map(|exponent| digits.iter().map(move |&digit| (digit, exponent))).collect();
        let place = |(digit, exponent): (i64, i32)| f64::from(exponent) + libm::log10(digit as f64);
        let under = marks.iter().rev().find(|&&mark| place(mark) <= logs[0] + 1e-9);
        let over = marks.iter().find(|&&mark| place(mark) >= logs[1] - 1e-9);
        let ends = match (under, over) {
            (Some(&under), Some(&over)) if rounded => [place(under), place(over)],
            _ => logs,
        };
        let within = |mark: &(i64, i32)| (ends[0] - 1e-9..=ends[1] + 1e-9).contains(&place(*mark));
        let ticks = marks
            .iter()
            .filter(|mark| within(mark))
            .map(|&(digit, exponent)| (digit, exponent, fine || exponent.rem_euclid(stride) == 0))
            .filter(|&(.., is_labelled)| is_labelled || stride < 4)
            .map(|(digit, exponent, is_labelled)| {
                let label = if is_labelled { power_label(digit, exponent) } else { String::new() };
                Tick { at: scaled(digit, exponent), label }
            })
            .collect();
        Self { is_log: true, ends, pixels, ticks, power: 0 }
    }
}

/// `number` · 10^`exponent`, rounded once if the power is exact.
fn scaled(number: i64, exponent: i32) -> f64 {
    let power = libm::pow(10.0, f64::from(exponent.abs()));
    if exponent < 0 { number as f64 / power } else { number as f64 * power }
}

/// A non-empty range, even if all values are equal.
fn widened(low: f64, high: f64) -> [f64; 2] {
    let size = low.abs().max(high.abs());
    if size < 1e-300 {
        // Zero, or so small that quotients would overflow.
        [0.0, 1.0]
    } else if high - low > 1e-9 * size {
        [low, high]
    } else {
        [low - 0.1 * size, high + 0.1 * size]
    }
}

fn power_label(digit: i64, exponent: i32) -> String {
    match (digit, exponent) {
        (_, -3..=5) => decimal(digit, exponent),
        (1, _) => format!("10{}", superscript(exponent)),
        _ => format!("{digit}·10{}", superscript(exponent)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], rounded: bool) -> Vec<String> {
        let scale = Scale::new(axis, values.iter().copied(), [0.0, 100.0], rounded, 6);
        scale.ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn labels_have_name_and_unit() {
        let axes = [Axis::linear("distance", "mm"), Axis::log("time", "ms"), Axis::count("frame")];
        assert_eq!(axes.map(|axis| axis.label()), ["distance (mm)", "time (ms)", "frame"]);
    }

    #[test]
    fn ticks_are_round_numbers_over_the_range() {
        let axis = Axis::linear("", "");
        assert_eq!(labels(&axis, &[0.13, 0.91], true), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&axis, &[0.13, 0.91], false), ["0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(&axis, &[-3.0, 7.0], true), ["−4", "−2", "0", "2", "4", "6", "8"]);
        assert_eq!(labels(&Axis::count(""), &[0.0, 2.0], false), ["0", "1", "2"]);
        assert_eq!(labels(&Axis::count("").with_zero(), &[2.0, 2.0], true), ["0", "1", "2"]);
        assert_eq!(
            labels(&axis, &[5.0, 5.0], true),
            ["4.4", "4.6", "4.8", "5.0", "5.2", "5.4", "5.6"]
        );
    }

    #[test]
    fn large_and_small_values_share_a_power_of_ten() {
        let axis = Axis::linear("time", "ms").with_zero();
        let scale = Scale::new(&axis, [3.2e7].into_iter(), [0.0, 1.0], true, 4);
        let shown: Vec<_> = scale.ticks.iter().map(|tick| &*tick.label).collect();
        assert_eq!(shown, ["0", "10", "20", "30", "40"]);
        assert_eq!(scale.label(&axis), "time (10⁶ ms)");
    }

    #[test]
    fn log_ticks_are_decades_or_finer() {
        let axis = Axis::log("", "");
        assert_eq!(labels(&axis, &[0.3, 12.0], true), ["0.2", "0.5", "1", "2", "5", "10", "20"]);
        let wide = labels(&axis, &[1e-6, 1e6], true);
        assert_eq!(wide.len(), 13);
        let shown: Vec<_> = wide.iter().filter(|label| !label.is_empty()).collect();
        assert_eq!(shown, ["10⁻⁶", "10⁻⁴", "0.01", "1", "100", "10,000", "10⁶"]);
        assert_eq!(labels(&axis, &[7.0], true), ["2", "5", "10", "20"]);
    }

    #[test]
    fn pixels_follow_the_form_of_the_axis() {
        let scale = Scale::new(&Axis::log("", ""), [1.0, 100.0].into_iter(), [50.0, 0.0], true, 6);
        assert_eq!([1.0, 10.0, 100.0].map(|value| scale.pixel(value)), [50.0, 25.0, 0.0]);
        let scale = Scale::new(&Axis::linear("", ""), [1.0, 3.0].into_iter(), [0.0, 8.0], false, 6);
        assert_eq!([1.0, 2.0, 3.0].map(|value| scale.pixel(value)), [0.0, 4.0, 8.0]);
    }

    /// Whatever the values, the ticks are few, ascend, and lie on finite pixels.
    #[test]
    fn no_values_break_an_axis() {
        let odd = [
            0.0,
            -0.0,
            -1.7e-309,
            1e-300,
            -1e300,
            1e300,
            f64::NAN,
            f64::INFINITY,
            5e-324,
            1.0,
            -7.5,
            1e15,
        ];
        for axis in [Axis::linear("", ""), Axis::log("", ""), Axis::count("").with_zero()] {
            for a in odd {
                for b in odd {
                    for rounded in [false, true] {
                        let scale = Scale::new(&axis, [a, b].into_iter(), [0.0, 9.0], rounded, 6);
                        assert!(scale.ticks.len() <= 102, "{a:e} {b:e}");
                        assert!(
                            scale.ticks.is_sorted_by(|s, t| s.at < t.at),
                            "{a:e} {b:e} {scale:?}"
                        );
                        for value in [a, b].into_iter().filter(|&value| axis.shows(value)) {
                            let pixel = scale.pixel(value);
                            assert!((-1e-6..=9.0 + 1e-6).contains(&pixel), "{a:e} {b:e} {scale:?}");
                        }
                    }
                }
            }
        }
    }
}
