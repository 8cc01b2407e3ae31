//! Reports: self-contained HTML documents of headings, prose, tables and plots.
//!
//! A report is one file with style and SVG pictures inside, without scripts or links to load.
//! Series and parts differ in more than colour: lines have dashes, markers and labels, bars have
//! hatches, so a black-and-white print is legible. Every plot has a text alternative. Pages are
//! light or dark as the system is, and light on paper. The same report has the same bytes on every
//! platform. All text is escaped here.
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
pub(crate) use repeat::invoked_command;
pub use repeat::{command_line, how_to_repeat};
pub use table::{Column, Table};
