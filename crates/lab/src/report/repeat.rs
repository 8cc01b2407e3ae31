//! How to repeat a report: command, program, machine and date.

use std::fs;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Column, Section, Table};

/// The section with the command, the machine and the program's version.
///
/// ```
/// use xcollide_lab::report::{Page, how_to_repeat};
///
/// let html = Page::new("A run").section(how_to_repeat("xcollide run cage --seed 4")).to_html();
/// assert!(html.contains("xcollide run cage --seed 4") && html.contains(env!("CARGO_PKG_VERSION")));
/// ```
#[must_use]
pub fn how_to_repeat(command: &str) -> Section {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut table = Table::new("", [Column::text(""), Column::text("")])
        .row(["program", &format!("xcollide {}", env!("CARGO_PKG_VERSION"))])
        .row(["processor", &processor()])
        .row(["processors at hand", &processors.to_string()])
        .row(["system", &format!("{}, {}", std::env::consts::OS, std::env::consts::ARCH)])
        .row(["written", &date_and_time(now)]);
    if cfg!(debug_assertions) {
        let slow = "with checks for development, so times say little; build with --release";
        table = table.row(["built", slow]);
    }
    Section::new("How to repeat it").code(command).table(table)
}

/// The command, quoted for a shell.
///
/// ```
/// let line = xcollide_lab::report::command_line(["run", "cage?objects=5", "it's"]);
/// assert_eq!(line, r"xcollide run 'cage?objects=5' 'it'\''s'");
/// ```
#[must_use]
pub fn command_line<T: AsRef<str>>(arguments: impl IntoIterator<Item = T>) -> String {
    let mut line = "xcollide".to_owned();
    for argument in arguments {
        let argument = argument.as_ref();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
        line.push(' ');
        if !argument.is_empty() && argument.chars().all(is_plain) {
            line.push_str(argument);
        } else {
            line.push_str(&format!("'{}'", argument.replace('\'', r"'\''")));
        }
    }
    line
}

/// The command line of this process, quoted for a shell.
pub(crate) fn invoked_command() -> String {
    let arguments = std::env::args_os().skip(1);
    command_line(arguments.map(|word| word.to_string_lossy().into_owned()))
}

/// The processor's name in the system, else its architecture.
fn processor() -> String {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = known.lines().find(|line| line.starts_with("model name"));
    let name = name.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// "2026-03-01 15:04 UTC", from seconds since 1970.
fn date_and_time(seconds: u64) -> String {
    let (day, minute) = (seconds / 86_400, seconds % 86_400 / 60);
    let [year, month, day] = date(day);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minute / 60, minute % 60)
}

/// Year, month and day of the Gregorian calendar.
fn date(mut day: u64) -> [u64; 3] {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    [year, month, day + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        let days = [0, 58, 59, 364, 365, 789, 790, 11_016, 11_017, 20_513];
        let dates = [
            [1970, 1, 1],
            [1970, 2, 28],
            [1970, 3, 1],
            [1970, 12, 31],
            [1971, 1, 1],
            [1972, 2, 29],
            [1972, 3, 1],
            [2000, 2, 29],
            [2000, 3, 1],
            [2026, 3, 1],
        ];
        assert_eq!(days.map(date), dates);
        assert_eq!(date_and_time(20_513 * 86_400 + 54_299), "2026-03-01 15:04 UTC");
    }
}
