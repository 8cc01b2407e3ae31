//! Tables in text files.

/// The rows of a table with the numbers of their lines, from 1, each split at its commas, semicolons or blanks; cells may be in
/// quotes. Empty lines, and those that begin with `#`, are skipped.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| (number, cells(line)))
}

fn cells(line: &str) -> Vec<&str> {
    let separator = [',', ';'].into_iter().find(|&separator| line.contains(separator));
    match separator {
        Some(separator) => {
            line.split(separator).map(|cell| cell.trim().trim_matches('"')).collect()
        }
        None => line.split_whitespace().map(|cell| cell.trim_matches('"')).collect(),
    }
}
