//! Markdown tables of timings: one row per contestant, one column per set of queries.

use std::fmt;

use crate::contest::Timing;

/// A table that grows by columns.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<(String, Vec<Timing>)>,
}

impl Table {
    /// Adds a column; contestants need not be the same as in the others.
    pub fn push(&mut self, title: impl Into<String>, timings: Vec<Timing>) {
        self.columns.push((title.into(), timings));
    }

    /// Everybody, in the order in which they first appear.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for timing in self.columns.iter().flat_map(|(_, timings)| timings) {
            if !names.contains(&timing.name.as_str()) {
                names.push(&timing.name);
            }
        }
        names
    }

    /// The largest spread, and whether two contestants counted different hits.
    fn remarks(&self) -> (f64, Vec<String>) {
        let all = self.columns.iter().flat_map(|(_, timings)| timings);
        let spread = all.fold(0.0, |most: f64, timing| most.max(timing.spread));
        let mut differences = Vec::new();
        for (title, timings) in &self.columns {
            let mut finite = timings.iter().filter(|timing| timing.nanoseconds.is_finite());
            let Some(first) = finite.next() else { continue };
            for other in finite.filter(|other| other.hits != first.hits) {
                differences.push(format!(
                    "{title}: {} counts {} hits, {} {}",
                    other.name, other.hits, first.name, first.hits
                ));
            }
        }
        (spread, differences)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let titles: Vec<&str> = self.columns.iter().map(|(title, _)| title.as_str()).collect();
        writeln!(f, "| | {} |", titles.join(" | "))?;
        writeln!(f, "|{}", "---|".repeat(titles.len() + 1))?;
        for name in self.names() {
            write!(f, "| {name} |")?;
            for (_, timings) in &self.columns {
                match timings.iter().find(|timing| timing.name == name) {
                    Some(timing) => write!(f, " {} |", microseconds(timing.nanoseconds))?,
                    None => write!(f, " |")?,
                }
            }
            writeln!(f)?;
        }
        let (spread, differences) = self.remarks();
        writeln!(
            f,
            "\nThe middle half of the passes is within ±{:.0} % everywhere.",
            100.0 * spread
        )?;
        for difference in differences {
            writeln!(f, "{difference}.")?;
        }
        Ok(())
    }
}

/// Three digits of a time, in microseconds.
#[must_use]
pub fn microseconds(nanoseconds: f64) -> String {
    let value = nanoseconds / 1000.0;
    match value {
        _ if value.is_infinite() => "gave up".into(),
        0.0..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(name: &str, nanoseconds: f64, hits: usize) -> Timing {
        Timing { name: name.into(), nanoseconds, spread: 0.02, hits }
    }

    #[test]
    fn rows_are_contestants_and_missing_cells_are_empty() {
        let mut table = Table::default();
        table.push("near", vec![timing("fast", 1234.5, 3), timing("slow", f64::INFINITY, 0)]);
        table.push("deep", vec![timing("fast", 123_456.0, 3), timing("other", 99_000.0, 4)]);
        let expected = "| | near | deep |\n|---|---|---|\n| fast | 1.23 | 123 |\n\
            | slow | gave up | |\n| other | | 99.0 |\n\n\
            The middle half of the passes is within ±2 % everywhere.\n\
            deep: other counts 4 hits, fast 3.\n";
        assert_eq!(table.to_string(), expected);
    }
}
