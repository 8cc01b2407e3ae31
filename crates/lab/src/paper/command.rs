//! The command `compare --paper`: runs an experiment and prints its tables.

use serde::Serialize;

use super::{Effort, Experiment, FigureTable, Finding, Published, experiment, experiments};
use crate::compare::CompareOptions;
use crate::exit::{Failure, Status};
use crate::output::{Output, Session};
use crate::output_file::OutputFile;
use crate::report::{Axis, LinePlot, Page, Section, Series, Table, how_to_repeat, invoked_command};

#[derive(Serialize)]
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
    /// From fewer bodies than the source has.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    quick: bool,
}

#[derive(Serialize)]
struct FindingRecord<'a> {
    paper: &'a str,
    source: &'a str,
    table: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
    /// From fewer bodies than the source has.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    quick: bool,
}

/// Runs the experiment of this name; `list` lists them all.
pub(crate) fn run(
    name: &str,
    options: &CompareOptions,
    Session { common, output, progress }: &mut Session,
) -> Result<Status, Failure> {
    if name == "list" {
        for experiment in experiments() {
            let Experiment { name, about, source, .. } = experiment;
            output.result(experiment, || format!("{name:<24}{about} ({source})"))?;
        }
        return Ok(Status::Done);
    }
    let Some(experiment) = experiment(name) else {
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
    let report = options.report.as_deref().map(OutputFile::open).transpose()?;
    let bar = progress.stages(common.json);
    let tables = experiment
        .run(&effort, &mut |stage| bar.message(|| format!("{name}: {stage}")))
        .map_err(|error| Failure::Failed(error.to_string()))?;
    drop(bar);
    output.remark(format_args!(
        "{}: {} ({})\n",
        experiment.name, experiment.about, experiment.source
    ))?;
    if options.quick {
        output.remark(QUICK)?;
    }
    for table in &tables {
        print(experiment, table, options.quick, output)?;
    }
    if let Some(file) = report {
        file.write(page(experiment, &tables, options.quick).to_html().as_bytes())?;
    }
    Ok(Status::Done)
}

/// The note on a quick look.
const QUICK: &str = "A quick look: few frames, timed once, fewer bodies than the source has. These figures are no \
                     comparison with the source's.\n";

fn print(
    experiment: &Experiment,
    table: &FigureTable,
    quick: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    if !output.is_json() {
        return output.remark(table);
    }
    for (row, column, cell) in table.cells() {
        let record = FigureRecord {
            paper: experiment.name,
            source: experiment.source,
            table: &table.caption,
            row,
            column,
            ours: cell.ours.filter(|value| value.is_finite()),
            published: cell.published,
            quick,
        };
        output.result(&record, String::new)?;
    }
    for finding in &table.findings {
        let Experiment { name: paper, source, .. } = experiment;
        let record = FindingRecord { paper, source, table: &table.caption, finding, quick };
        output.result(&record, String::new)?;
    }
    Ok(())
}

fn page(experiment: &Experiment, tables: &[FigureTable], quick: bool) -> Page {
    let quick = if quick { format!(" {QUICK}") } else { String::new() };
    let source = experiment.source;
    let lead = format!("{source}. Figures of the source stand in brackets beside ours.{quick}");
    let title = format!("{}: {}", experiment.name, experiment.about);
    let page = tables
        .iter()
        .fold(Page::new(&title).lead(&lead), |page, table| page.section(section(table)));
    page.section(how_to_repeat(&invoked_command()))
}

/// The table, and lines if the rows are numbers.
fn section(figures: &FigureTable) -> Section {
    let columns = figures.columns.iter().map(String::as_str);
    let table = Table::of_numbers("", &figures.heading, columns);
    let table = figures.rows.iter().fold(table, |table, (name, cells)| {
        let cells = cells.iter().map(ToString::to_string);
        table.row(std::iter::once(name.clone()).chain(cells))
    });
    let mut section = Section::new(&figures.caption).table(table);
    let values: Option<Vec<f64>> = figures.rows.iter().map(|(name, _)| name.parse().ok()).collect();
    if let Some(values) = values.filter(|values| values.len() > 2) {
        let axis = Axis::linear(&figures.heading, "");
        let plot = LinePlot::new(&figures.caption, axis, Axis::log("figure", ""));
        section =
            section.lines(figures.columns.iter().enumerate().fold(plot, |plot, (at, name)| {
                let points = figures
                    .rows
                    .iter()
                    .zip(&values)
                    .filter_map(|((_, cells), x)| Some([*x, cells.get(at)?.ours?]));
                plot.series(Series::new(name, points))
            }));
    }
    let findings = figures.findings.iter().map(ToString::to_string);
    let prose = figures.remarks.iter().cloned().chain(findings);
    prose.fold(section, |section, text| section.prose(&text))
}
