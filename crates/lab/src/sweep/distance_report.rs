//! The report of a sweep: the distance of the two models over time, with the interval of the first contact.

use std::path::Path as FilePath;

use xcollide::narrow::continuous::{Moving, TimeInterval};
use xcollide::narrow::{Placed, Semantics};

use crate::exit::Failure;
use crate::output_file::OutputFile;
use crate::report::{Axis, LinePlot, Page, Section, Series, Table, how_to_repeat, invoked_command};

/// Moments at which the distance is measured, evenly spaced.
const MOMENTS: usize = 129;

/// Queries with a plot.
const MOST: usize = 20;

/// A report that grows by a query at a time, and is written at the end.
pub(super) struct DistanceReport {
    to: OutputFile,
    queries: usize,
    sections: Vec<Section>,
}

impl DistanceReport {
    pub(super) fn create(path: &FilePath) -> Result<Self, Failure> {
        Ok(Self { to: OutputFile::open(path)?, queries: 0, sections: Vec::new() })
    }

    /// Adds a query: two moving models, the answer in words, and the interval that it tells.
    pub(super) fn add(
        &mut self,
        number: u64,
        [a, b]: [Moving<'_>; 2],
        semantics: Semantics,
        answer: &str,
        time: Option<TimeInterval>,
    ) {
        self.queries += 1;
        if self.sections.len() == MOST {
            return;
        }
        let at = |moving: Moving<'_>, moment: f64| moving.path().at(moment);
        let distance = |moment: f64| {
            let poses = [at(a, moment), at(b, moment)];
            let placed = [Placed::new(a.model(), &poses[0]), Placed::new(b.model(), &poses[1])];
            let [Ok(a), Ok(b)] = placed else { return None };
            let found = xcollide::narrow::proximity::distance(a, b, semantics)?;
            Some([moment, found.value])
        };
        let moments = (0..MOMENTS).map(|k| k as f64 / (MOMENTS - 1) as f64);
        let points: Vec<[f64; 2]> = moments.filter_map(distance).collect();
        let highest = points.iter().map(|point| point[1]).fold(0.0, f64::max);
        let mut plot = LinePlot::new(
            "Distance over time",
            Axis::linear("time", "").with_zero(),
            Axis::linear("distance", "").with_zero(),
        )
        .series(Series::new("distance", points));
        let mut table = Table::of_values().row(["answer", answer]);
        if let Some(TimeInterval { lo, hi }) = time {
            for (name, moment) in [("proved apart before", lo), ("touching at the latest", hi)] {
                table = table.row([name, &format!("{moment:?}")]);
            }
            table = table.row(["width of the interval", &format!("{:e}", hi - lo)]);
            plot = plot.series(Series::new("first contact", [[lo, 0.0], [lo, highest]]));
            // One line unless the answer left more open than a line is wide.
            if hi - lo > 1.0 / MOMENTS as f64 {
                plot = plot.series(Series::new("at the latest", [[hi, 0.0], [hi, highest]]));
            }
        }
        self.sections.push(Section::new(&format!("Query {number}")).table(table).lines(plot));
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        let Self { to, queries, sections } = self;
        let lead = match queries.checked_sub(sections.len()) {
            None | Some(0) => "When two moving models first touch.".to_owned(),
            Some(_) => format!(
                "When two moving models first touch: the first {MOST} of {queries} queries."
            ),
        };
        let page = Page::new("Motion of two models").lead(&lead);
        let page = sections.into_iter().fold(page, Page::section);
        to.write(page.section(how_to_repeat(&invoked_command())).to_html().as_bytes())
    }
}
