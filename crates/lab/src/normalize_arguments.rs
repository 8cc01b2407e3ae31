//! Rewrites arguments into a form that clap can parse.

use std::ffi::OsString;
use std::str::FromStr;

/// Rewrites `--contacts` without its number (`--contacts A B`) and poses without quotes (`--pose-b 0 0
/// 5 0 0 0 1`). A number is never taken for a file name; such a file can be given as `./5`.
pub(crate) fn normalized(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut normalized = Vec::new();
    let mut rest = arguments.into_iter().peekable();
    let is_count =
        |next: &OsString| next.to_str().is_some_and(|text| usize::from_str(text).is_ok());
    let is_number = |next: &OsString| next.to_str().is_some_and(|text| f64::from_str(text).is_ok());
    while let Some(argument) = rest.next() {
        match argument.to_str() {
            Some("--") => {
                normalized.push(argument);
                normalized.extend(rest);
                break;
            }
            Some("--contacts") => {
                let limit = rest.next_if(is_count).unwrap_or_else(|| "all".into());
                normalized.push(joined(argument, "=", &limit));
            }
            Some("--pose-a" | "--pose-b" | "--from-a" | "--to-a" | "--from-b" | "--to-b")
                if rest.peek().is_some_and(is_number) =>
            {
                let mut pose = joined(argument, "=", &OsString::new());
                while let Some(number) = rest.next_if(is_number) {
                    pose = joined(pose, " ", &number);
                }
                normalized.push(pose);
            }
            _ => normalized.push(argument),
        }
    }
    normalized
}

fn joined(mut left: OsString, between: &str, right: &OsString) -> OsString {
    left.push(between);
    left.push(right);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalize(text: &str) -> String {
        let normalized = normalized(text.split(' ').map(OsString::from));
        let normalized: Vec<_> = normalized.iter().map(|part| part.to_string_lossy()).collect();
        normalized.join("|")
    }

    #[test]
    fn optional_numbers_and_unquoted_poses_are_spelled_out() {
        assert_eq!(normalize("check --contacts A B"), "check|--contacts=all|A|B");
        assert_eq!(normalize("check --contacts 5 A"), "check|--contacts=5|A");
        assert_eq!(normalize("check A --contacts"), "check|A|--contacts=all");
        assert_eq!(normalize("--pose-b 0 -1 2e3 A --json"), "--pose-b= 0 -1 2e3|A|--json");
        assert_eq!(normalize("--pose-a x 1"), "--pose-a|x|1");
        assert_eq!(normalize("-- --contacts 5 --pose-a 1"), "--|--contacts|5|--pose-a|1");
    }
}
