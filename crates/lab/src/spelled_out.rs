//! Arguments as people type them, spelled out for the parser.

use std::ffi::OsString;
use std::str::FromStr;

/// The arguments with what clap cannot tell apart spelled out: the number after `--contacts` may
/// be missing (`--contacts A B`), and a pose need not be quoted (`--pose-b 0 0 5 0 0 0 1`).
///
/// What is a number is never taken for a file; such a file can be named as `./5`.
pub fn spelled_out(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut spelled = Vec::new();
    let mut rest = arguments.into_iter().peekable();
    let is_count =
        |next: &OsString| next.to_str().is_some_and(|text| usize::from_str(text).is_ok());
    let is_number = |next: &OsString| next.to_str().is_some_and(|text| f64::from_str(text).is_ok());
    while let Some(argument) = rest.next() {
        match argument.to_str() {
            Some("--") => {
                spelled.push(argument);
                spelled.extend(rest);
                break;
            }
            Some("--contacts") => {
                let limit = rest.next_if(is_count).unwrap_or_else(|| "all".into());
                spelled.push(joined(argument, "=", &limit));
            }
            Some("--pose-a" | "--pose-b") if rest.peek().is_some_and(is_number) => {
                let mut pose = joined(argument, "=", &OsString::new());
                while let Some(number) = rest.next_if(is_number) {
                    pose = joined(pose, " ", &number);
                }
                spelled.push(pose);
            }
            _ => spelled.push(argument),
        }
    }
    spelled
}

fn joined(mut left: OsString, between: &str, right: &OsString) -> OsString {
    left.push(between);
    left.push(right);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> String {
        let spelled = spelled_out(text.split(' ').map(OsString::from));
        let spelled: Vec<_> = spelled.iter().map(|part| part.to_string_lossy()).collect();
        spelled.join("|")
    }

    #[test]
    fn optional_numbers_and_unquoted_poses_are_spelled_out() {
        assert_eq!(spelled("check --contacts A B"), "check|--contacts=all|A|B");
        assert_eq!(spelled("check --contacts 5 A"), "check|--contacts=5|A");
        assert_eq!(spelled("check A --contacts"), "check|A|--contacts=all");
        assert_eq!(spelled("--pose-b 0 -1 2e3 A --json"), "--pose-b= 0 -1 2e3|A|--json");
        assert_eq!(spelled("--pose-a x 1"), "--pose-a|x|1");
        assert_eq!(spelled("-- --contacts 5 --pose-a 1"), "--|--contacts|5|--pose-a|1");
    }
}
