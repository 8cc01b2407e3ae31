//! Criterion's result files as tables: one a group, one row a function, one column a parameter; the
//! median, per element if the benchmark sets a throughput.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
    throughput: Option<Throughput>,
}

/// Throughput of an iteration; only elements are used here.
#[derive(Deserialize)]
struct Throughput {
    #[serde(rename = "Elements")]
    elements: Option<f64>,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// Tables of all estimates in this folder since that time.
///
/// # Errors
/// A file cannot be read or is not criterion's.
pub(super) fn tables(folder: &Path, since: SystemTime) -> Result<String, String> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    let mut files = Vec::new();
    find(folder, since, &mut files)
        .map_err(|error| format!("bench: {}: {error}", folder.display()))?;
    files.sort();
    for file in files {
        let benchmark: Benchmark = read(&file.with_file_name("benchmark.json"))?;
        let estimates: Estimates = read(&file)?;
        let elements = benchmark.throughput.and_then(|of| of.elements).unwrap_or(1.0);
        let group = groups.entry(benchmark.group_id).or_default();
        group.add(
            benchmark.function_id.unwrap_or_default(),
            benchmark.value_str.unwrap_or_default(),
            estimates.median.point_estimate / elements,
        );
    }
    Ok(groups.iter().map(|(name, group)| group.table(name)).collect())
}

/// Finds new estimates in a folder.
fn find(folder: &Path, since: SystemTime, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, since, files)?;
        } else if path.ends_with("new/estimates.json") && path.metadata()?.modified()? >= since {
            files.push(path);
        }
    }
    Ok(())
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, String> {
    let problem = |error: &dyn std::fmt::Display| format!("bench: {}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| problem(&error))?;
    serde_json::from_str(&text).map_err(|error| problem(&error))
}

/// Nanoseconds by function and parameter.
#[derive(Default)]
struct Group {
    rows: BTreeMap<String, BTreeMap<String, f64>>,
    columns: Vec<String>,
}

impl Group {
    fn add(&mut self, function: String, parameter: String, nanoseconds: f64) {
        if !self.columns.contains(&parameter) {
            self.columns.push(parameter.clone());
            // Sorted numerically, unlike their names.
            self.columns.sort_by(|a, b| {
                let number = |text: &String| text.parse::<f64>().unwrap_or(f64::INFINITY);
                number(a).total_cmp(&number(b)).then_with(|| a.cmp(b))
            });
        }
        self.rows.entry(function).or_default().insert(parameter, nanoseconds);
    }

    fn table(&self, name: &str) -> String {
        let titles: Vec<&str> = self
            .columns
            .iter()
            .map(|column| if column.is_empty() { "time" } else { column.as_str() })
            .collect();
        let mut text = format!("| {name} | {} |\n", titles.join(" | "));
        text += &format!("|---|{}\n", "---:|".repeat(titles.len()));
        for (function, cells) in &self.rows {
            let cells: Vec<String> = self
                .columns
                .iter()
                .map(|column| cells.get(column).map_or_else(String::new, |&ns| time(ns)))
                .collect();
            text += &format!("| {function} | {} |\n", cells.join(" | "));
        }
        text + "\n"
    }
}

/// Three digits and a unit.
fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    match value {
        v if v < 10.0 => format!("{v:.2} {unit}"),
        v if v < 100.0 => format!("{v:.1} {unit}"),
        v => format!("{v:.0} {unit}"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn estimates_become_a_table_a_group() {
        let folder = tempfile::tempdir().unwrap();
        let since = SystemTime::UNIX_EPOCH;
        for (path, function, parameter, ns) in
            [("a", "fast", "1000", 1234.5), ("b", "fast", "20", 8.0), ("c", "slow", "20", 5.678e7)]
        {
            let new = folder.path().join(path).join("new");
            fs::create_dir_all(&new).unwrap();
            // The second goes through four elements, the third through bytes, which do not count.
            let throughput = match path {
                "a" => serde_json::json!(null),
                "b" => serde_json::json!({"Elements": 4}),
                _ => serde_json::json!({"Bytes": 4}),
            };
            let benchmark = serde_json::json!({
                "group_id": "g", "function_id": function, "value_str": parameter, "title": "?",
                "throughput": throughput,
            });
            let estimates =
                serde_json::json!({"mean": 1, "median": {"point_estimate": ns, "other": 0}});
            fs::write(new.join("benchmark.json"), benchmark.to_string()).unwrap();
            fs::write(new.join("estimates.json"), estimates.to_string()).unwrap();
        }
        let expected = "| g | 20 | 1000 |\n|---|---:|---:|\n| fast | 2.00 ns | 1.23 µs |\n\
            | slow | 56.8 ms |  |\n\n";
        assert_eq!(tables(folder.path(), since).unwrap(), expected);
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        assert_eq!(tables(folder.path(), later).unwrap(), "", "what is old is not of this run");
    }

    #[test]
    fn a_file_that_is_not_of_criterion_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("new");
        fs::create_dir_all(&new).unwrap();
        fs::write(new.join("benchmark.json"), "{}").unwrap();
        fs::write(new.join("estimates.json"), "{}").unwrap();
        let problem = tables(folder.path(), SystemTime::UNIX_EPOCH).unwrap_err();
        assert!(problem.contains("benchmark.json: missing field `group_id`"), "{problem}");
    }
}
