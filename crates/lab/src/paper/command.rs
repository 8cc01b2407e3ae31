//! The command: the name of an experiment in, its sheets out.

use serde::Serialize;

use super::{Effort, Experiment, Published, Sheet, experiment, experiments};
use crate::cli::Common;
use crate::compare::{CompareOptions, command_line};
use crate::exit::{Failure, Status};
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Axis, Column, LinePlot, Page, Section, Series, Table, how_to_repeat};
use crate::run::OutFile;

/// What is printed of a figure.
#[derive(Debug, Serialize)]
struct FigureRecord<'a> {
    paper: &'a str,
    source: &'a str,
    table: &'a str,
    row: &'a str,
    column: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<Published>,
    /// Of a smaller world than the source's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    quick: bool,
}

/// What is printed of an experiment.
#[derive(Debug, Serialize)]
struct ExperimentRecord {
    paper: &'static str,
    about: &'static str,
    source: &'static str,
}

/// Repeats the experiment of this name; `list` lists them all.
///
/// # Errors
/// There is no such experiment; algorithms disagree; the report or standard output cannot be written.
pub(crate) fn run(
    name: &str,
    options: &CompareOptions,
    common: &Common,
    output: &mut Output,
    progress: &Progress,
) -> Result<Status, Failure> {
    if name == "list" {
        for &Experiment { name: paper, about, source, .. } in experiments() {
            let record = ExperimentRecord { paper, about, source };
            output.result(&record, || format!("{paper:<24}{about} ({source})"))?;
        }
        return Ok(Status::Done);
    }
    let Some(chosen) = experiment(name) else {
        let names: Vec<&str> = experiments().iter().map(|one| one.name).collect();
        let names = names.join(", ");
        let what = format!("--paper: found `{name}`, expected list or one of: {names}");
        return Err(Failure::bad_input(what));
    };
    let frames = options.frames.map(std::num::NonZeroUsize::get);
    let quick = Effort::quick();
    let effort = match options.quick {
        true => Effort { frames: frames.or(quick.frames), ..quick },
        false => Effort { frames, rounds: options.rounds.get(), ..Effort::default() },
    };
    let report = options.report.as_deref().map(OutFile::open).transpose()?;
    let bar = progress.stages(common.json);
    let sheets = chosen
        .run(&effort, &mut |stage| bar.say(|| format!("{name}: {stage}")))
        .map_err(|error| Failure::Failed(error.to_string()))?;
    drop(bar);
    output.remark(format_args!("{}: {} ({})\n", chosen.name, chosen.about, chosen.source))?;
    if options.quick {
        output.remark(QUICK)?;
    }
    for sheet in &sheets {
        print(chosen, sheet, options.quick, output)?;
    }
    if let Some(file) = report {
        file.write(page(chosen, &sheets, options.quick).to_html().as_bytes())?;
    }
    Ok(Status::Done)
}

/// What is said of a quick look.
const QUICK: &str = "A quick look: few frames, timed once, fewer bodies than the source has. These figures are no \
                     comparison with the source's.\n";

fn print(
    chosen: &Experiment,
    sheet: &Sheet,
    quick: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    if !output.is_json() {
        return output.remark(sheet);
    }
    for (row, column, cell) in sheet.cells() {
        let record = FigureRecord {
            paper: chosen.name,
            source: chosen.source,
            table: &sheet.caption,
            row,
            column,
            ours: cell.ours.filter(|value| value.is_finite()),
            published: cell.published,
            quick,
        };
        output.result(&record, String::new)?;
    }
    Ok(())
}

fn page(chosen: &Experiment, sheets: &[Sheet], quick: bool) -> Page {
    let quick = if quick { format!(" {QUICK}") } else { String::new() };
    let source = chosen.source;
    let lead = format!("{source}. Figures of the source stand in brackets beside ours.{quick}");
    let title = format!("{}: {}", chosen.name, chosen.about);
    let page = sheets
        .iter()
        .fold(Page::new(&title).lead(&lead), |page, sheet| page.section(section(sheet)));
    page.section(how_to_repeat(&command_line()))
}

/// The table; and lines, where rows are numbers.
fn section(sheet: &Sheet) -> Section {
    let columns = std::iter::once(Column::text(&sheet.heading))
        .chain(sheet.columns.iter().map(|name| Column::number(name)));
    let table = sheet.rows.iter().fold(Table::new("", columns), |table, row| {
        let cells = row.cells.iter().map(ToString::to_string);
        table.row(std::iter::once(row.name.clone()).chain(cells))
    });
    let mut section = Section::new(&sheet.caption).table(table);
    let values: Option<Vec<f64>> = sheet.rows.iter().map(|row| row.name.parse().ok()).collect();
    if let Some(values) = values.filter(|values| values.len() > 2) {
        let axis = Axis::linear(&sheet.heading, "");
        let plot = LinePlot::new(&sheet.caption, axis, Axis::log("figure", ""));
        section = section.lines(sheet.columns.iter().enumerate().fold(plot, |plot, (at, name)| {
            let points = sheet
                .rows
                .iter()
                .zip(&values)
                .filter_map(|(row, x)| Some([*x, row.cells.get(at)?.ours?]));
            plot.series(Series::new(name, points))
        }));
    }
    sheet.remarks.iter().fold(section, |section, remark| section.prose(remark))
}
