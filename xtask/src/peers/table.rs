//! The table of a contest: a row for each case and program.

use super::contest::Round;
use super::contest::{AT_ONCE, Kind, OURS, Rounds};

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Time a query by category in the table's unit, the median over the rounds.
fn medians(kind: Kind, rounds: &[Round]) -> Vec<f64> {
    let category = |number: usize| {
        let times = rounds.iter().filter_map(|round| round.times.get(number)).copied();
        let times: Vec<f64> = times.collect();
        if times.is_empty() { f64::NAN } else { median(times) / kind.unit().1 }
    };
    (0..kind.categories().len()).map(category).collect()
}

/// One row per program and case: ours first, others with their multiples of ours and of our
/// batches.
pub(super) fn table(kind: Kind, answers: &Rounds) -> String {
    let mut text = format!(
        "{} a query, and in brackets how many times as long as ours{}.\n\n| case | program | ",
        kind.unit().0,
        if kind == Kind::Convex { ", and as ours of 256 pairs at once" } else { "" }
    );
    text += &format!("{} | hits |\n", kind.categories().join(" | "));
    text += &format!("|---|---|{}---|\n", "---|".repeat(kind.categories().len()));
    let mut cases: Vec<&String> = answers.keys().map(|(case, _)| case).collect();
    cases.dedup();
    for case in cases {
        let Some(our_rounds) = answers.get(&(case.clone(), OURS.to_owned())) else { continue };
        let ours = medians(kind, our_rounds);
        let at_once = answers.get(&(case.clone(), AT_ONCE.to_owned()));
        let at_once = at_once.map(|rounds| medians(kind, rounds));
        let is_ours = |program: &str| program == OURS || program == AT_ONCE;
        let others = answers.keys().filter(|(c, program)| c == case && !is_ours(program));
        let programs = std::iter::once(OURS).chain(at_once.is_some().then_some(AT_ONCE));
        let programs = programs.chain(others.map(|(_, program)| program.as_str()));
        for program in programs {
            let rounds = &answers[&(case.clone(), program.to_owned())];
            let cells: Vec<String> = medians(kind, rounds)
                .iter()
                .enumerate()
                .map(|(category, time)| match &at_once {
                    _ if is_ours(program) => three(*time),
                    Some(at_once) => {
                        let multiples = [&ours, at_once].map(|ours| three(time / ours[category]));
                        format!("{} ({})", three(*time), multiples.join(", "))
                    }
                    None => format!("{} ({})", three(*time), three(time / ours[category])),
                })
                .collect();
            let (round, ours) = (&rounds[0], &our_rounds[0]);
            let pairs = round.answers.iter().zip(&ours.answers);
            let differ = pairs.filter(|(theirs, ours)| theirs != ours).count();
            let differ = if differ > 0 { format!(", {differ} differ") } else { String::new() };
            text += &format!(
                "| {case} | {program} | {} | {} of {}{differ} |\n",
                cells.join(" | "),
                round.hits,
                round.queries
            );
        }
    }
    text
}

/// Three significant digits.
fn three(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}
