//! Reports: HTML documents that stand alone, of headings, prose, tables and plots.
//!
//! A report is one file: style and pictures (SVG) are inside, there is no script, and nothing is
//! fetched. What tells series and parts apart is never colour alone: lines have dashes and markers,
//! bars have hatches, and lines are labelled where they end, so that a print in black and white says
//! the same. Every plot tells in words what it shows to those who do not see it. It is light or dark
//! as the reader's system is, and light on paper. The same report is the same bytes on every platform.
//!
//! Text is escaped wherever it goes; nobody else has to.
//!
//! ```
//! use xcollide_lab::report::{Axis, BarPlot, Column, LinePlot, Page, Section, Series, Table};
//!
//! let table = Table::new("time by stage", [Column::text("stage"), Column::number("ms")])
//!     .row(["broad", "0.21"])
//!     .row(["narrow", "3.40"]);
//! let lines = LinePlot::new("Time over objects", Axis::log("objects", ""), Axis::log("time", "ms"))
//!     .series(Series::new("grid", [[10.0, 0.01], [100.0, 0.1], [1000.0, 1.2]]))
//!     .series(Series::new("all pairs", [[10.0, 0.01], [100.0, 0.9], [1000.0, 95.0]]));
//! let bars = BarPlot::new("Time by stage", Axis::linear("time", "ms"), ["broad", "narrow"])
//!     .bar("grid", [0.21, 3.4])
//!     .bar("all pairs", [14.0, 3.4]);
//! let section = Section::new("Times").prose("Medians of 5 runs.").table(table).lines(lines).bars(bars);
//! let html = Page::new("Broad phases").section(section).to_html();
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("Medians of 5 runs."));
//! ```

mod axis;
mod bar_plot;
mod canvas;
mod line_plot;
mod markup;
mod number;
mod page;
mod repeat;
mod table;

pub use axis::Axis;
pub use bar_plot::BarPlot;
pub use line_plot::{LinePlot, Series};
pub use number::{number, time_unit};
pub use page::{Page, Section};
pub use repeat::{command_line, how_to_repeat};
pub use table::{Column, Table};
