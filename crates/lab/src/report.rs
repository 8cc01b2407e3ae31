//! Reports: self-contained HTML documents of headings, prose, tables and plots.
//!
//! A report is one file with style, SVG pictures and scripts inside, without anything to load. Lines
//! have dashes, markers and labels, and bars have hatches, so that a black-and-white print is legible.
//! Every plot has a text alternative. Pages follow the system's light or dark mode, and are light on
//! paper. The same report has the same bytes on every platform. All text is escaped here.

mod axis;
mod bar_plot;
mod canvas;
mod line_plot;
mod markup;
mod number;
mod page;
mod repeat;
mod table;
mod timeline;
mod view;

pub(crate) use axis::Axis;
pub(crate) use bar_plot::BarPlot;
pub(crate) use line_plot::{LinePlot, Series};
pub(crate) use number::{number, time_unit};
pub(crate) use page::{Page, Section};
pub(crate) use repeat::{command_line, how_to_repeat, invoked_command, timestamp};
pub(crate) use table::{Cell, Column, Table};
pub(crate) use timeline::Timeline;
pub(crate) use view::View;
