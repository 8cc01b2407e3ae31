//! The report of a comparison: tables, and plots that are legible in black and white.

use super::combination::LAYERS;
use super::command::Subject;
use super::figures::median;
use super::record::{label, memory, varying};
use super::{CostModel, Figures, Growth, Outcome};
use crate::output::{count, time};
use crate::report::{
    Axis, BarPlot, Column, LinePlot, Page, Section, Series, Table, how_to_repeat, number, time_unit,
};

/// The most lines of a plot; the fastest are shown.
const MOST_LINES: usize = 8;
/// The most points of a line, each the median of some frames.
const MOST_POINTS: usize = 150;

/// The report of all scenes. `parameter`: the name of the varied parameter and the number of its
/// values; scenes of one kind are consecutive. `command` repeats the report.
pub(super) fn document(
    found: &[(Subject, Outcome)],
    parameter: Option<(&str, usize)>,
    growths: &[Vec<Growth>],
    command: &str,
) -> Page {
    let scenes: Vec<&str> = found.iter().map(|(subject, _)| subject.label.as_str()).collect();
    let lead = format!(
        "The same recorded motion, played by all in turns; every answer of every frame was compared. \
         Scenes: {}.",
        scenes.join(", ")
    );
    let mut page = Page::new("Comparison of algorithms").lead(&lead);
    if let Some((parameter, values)) = parameter {
        for (of_kind, growths) in found.chunks(values).zip(growths) {
            page = page.section(over_parameter(of_kind, parameter, growths));
        }
    }
    for (subject, outcome) in found {
        page = page.section(scene(subject, outcome));
    }
    page.section(how_to_repeat(command))
}

fn over_parameter(found: &[(Subject, Outcome)], parameter: &str, growths: &[Growth]) -> Section {
    let Some((subject, first)) = found.first() else { return Section::new(parameter) };
    let name = &subject.source.scene.name;
    let mut section = Section::new(&format!("{name}: time over {parameter}"));
    let varying = varying(&first.figures);
    let longest = found.iter().flat_map(|(_, outcome)| &outcome.figures);
    let (unit, name) = time_unit(longest.map(|one| one.median_ns).fold(0.0, f64::max));
    let positive = found.iter().all(|(one, _)| one.value.is_some_and(|value| value > 0.0));
    let axis = if positive { Axis::log } else { Axis::linear };
    let title = format!("Median time of a frame over {parameter}");
    let mut plot = LinePlot::new(&title, axis(parameter, ""), Axis::log("time", name));
    for figures in fastest(&first.figures) {
        let same = found.iter().filter_map(|(subject, outcome)| {
            let one = outcome.figures.iter().find(|one| one.names == figures.names)?;
            Some((subject.value?, one))
        });
        let same: Vec<(f64, &Figures)> = same.collect();
        let points = same.iter().map(|(value, one)| [*value, one.median_ns / unit]);
        let ranges = same.iter().map(|(_, one)| {
            [one.median_ns * (1.0 - one.spread) / unit, one.median_ns * (1.0 + one.spread) / unit]
        });
        plot = plot.series(Series::new(&label(figures, varying), points).spread(ranges));
    }
    section = section.lines(plot);
    if !growths.is_empty() {
        let columns = LAYERS.map(Column::text).into_iter().chain([Column::number("exponent")]);
        let caption = format!("Growth: time is about {parameter} to this power");
        let rows = growths.iter().fold(Table::new(&caption, columns), |table, growth| {
            let exponent = format!("{:.2}", growth.exponent);
            table.row(growth.names.iter().chain([&exponent]))
        });
        section = section.table(rows);
    }
    section
}

fn scene(Subject { label, source, .. }: &Subject, outcome: &Outcome) -> Section {
    let scene = &source.scene;
    let all = &outcome.figures;
    let objects = count(scene.instance_count(), "object", "objects");
    let about = match &*scene.about {
        "" => String::new(),
        about => format!("{about}; "),
    };
    let Some(first) = all.first() else { return Section::new(label) };
    let prose = format!(
        "{about}{objects}, seed {}, {} timed {}. A frame's time is the median over the rounds; ± is \
         half of what the middle half of the rounds spans.",
        scene.seed,
        count(first.frames_ns.len(), "frame", "frames"),
        count(first.rounds, "time", "times"),
    );
    let mut section = Section::new(label).prose(&prose);
    for one in &outcome.left_out {
        section = section.prose(&format!("{one}."));
    }
    section = section.table(times(all)).bars(stages(all)).lines(over_frames(all));
    section.table(work(all))
}

fn times(all: &[Figures]) -> Table {
    let columns = ["median", "±", "least", "99 %", "most", "memory", "preparing"];
    let varying = varying(all);
    let caption =
        "Time of a frame; memory of the broad phase and of what was prepared for the models";
    all.iter().fold(Table::of_numbers(caption, "algorithms", columns), |table, one| {
        let ns = |value: f64| time(value.round() as u64);
        table.row([
            label(one, varying),
            ns(one.median_ns),
            format!("{:.0} %", 100.0 * one.spread),
            ns(one.min_ns),
            ns(one.p99_ns),
            ns(one.max_ns),
            memory(one, "over"),
            time(one.build_ns),
        ])
    })
}

fn work(all: &[Figures]) -> Table {
    let columns = ["pairs", "N_V", "N_P", "C_V, ns", "C_P, ns", "C, ns", "explained"];
    let varying = varying(all);
    let caption = "Work of all frames, and the cost model T = N_V C_V + N_P C_P + N C, fitted to the times of the narrow \
                   phase: T is the time of a frame, N the pairs tested, N_V the tests of bounding volumes, N_P those of \
                   primitives (triangles); C, C_V, C_P are what a pair, a volume and a primitive cost; explained is the \
                   share of the squared times that the model accounts for";
    all.iter().fold(Table::of_numbers(caption, "algorithms", columns), |table, one| {
        let cost = |of: fn(CostModel) -> f64| one.cost.map_or_else(String::new, |c| number(of(c)));
        table.row([
            label(one, varying),
            one.tested.to_string(),
            one.volume_tests.to_string(),
            one.primitive_tests.to_string(),
            cost(|cost| cost.volume_ns),
            cost(|cost| cost.primitive_ns),
            cost(|cost| cost.pair_ns),
            one.cost.map_or_else(String::new, |cost| format!("{:.0} %", 100.0 * cost.explained)),
        ])
    })
}

fn stages(all: &[Figures]) -> BarPlot {
    let varying = varying(all);
    let longest = all.iter().map(|one| one.stages_ns.iter().sum()).fold(0.0, f64::max);
    let (unit, name) = time_unit(longest);
    let parts = ["poses", "bounds", "broad phase", "narrow phase"];
    let plot = BarPlot::new("Mean time of a frame by stage", Axis::linear("time", name), parts);
    all.iter().fold(plot, |plot, one| {
        plot.bar(&label(one, varying), one.stages_ns.map(|stage| stage / unit))
    })
}

fn over_frames(all: &[Figures]) -> LinePlot {
    let varying = varying(all);
    let longest = all.iter().map(|one| one.max_ns).fold(0.0, f64::max);
    let (unit, name) = time_unit(longest);
    let title = "Time over frames";
    let plot = LinePlot::new(title, Axis::count("frame"), Axis::log("time", name));
    fastest(all).fold(plot, |plot, one| {
        let piece = one.frames_ns.len().div_ceil(MOST_POINTS).max(1);
        // The first frame is left out, unless it is the only one.
        let offset = usize::from(one.frames_ns.len() > 1);
        let points = one.frames_ns.chunks(piece).enumerate().map(|(number, frames)| {
            let middle = number * piece + offset + frames.len() / 2;
            [middle as f64, median(frames.to_vec()) / unit]
        });
        plot.series(Series::new(&label(one, varying), points))
    })
}

/// The fastest, at most [`MOST_LINES`], in their order.
fn fastest(all: &[Figures]) -> impl Iterator<Item = &Figures> {
    let mut medians: Vec<f64> = all.iter().map(|one| one.median_ns).collect();
    medians.sort_by(f64::total_cmp);
    let slowest = medians.get(MOST_LINES - 1).copied().unwrap_or(f64::INFINITY);
    all.iter().filter(move |one| one.median_ns <= slowest)
}
