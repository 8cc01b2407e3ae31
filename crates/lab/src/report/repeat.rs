//! How to repeat a report: command, program, machine and date.

use std::fs;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Section, Table};

/// The section with the command, the machine and the program's version.
pub(crate) fn how_to_repeat(command: &str) -> Section {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut table = Table::of_values()
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
pub(crate) fn command_line<T: AsRef<str>>(arguments: impl IntoIterator<Item = T>) -> String {
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

/// "2026-03-01T15:04:59Z", from seconds since 1970.
pub(crate) fn timestamp(seconds: u64) -> String {
    let [year, month, day] = date(seconds / 86_400);
    let [hour, minute, second] = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of the Gregorian calendar, from days since 1970.
fn date(day: u64) -> [u64; 3] {
    // Years begin in March, so that the leap day is the last of a year; they repeat every 400 years.
    let day = day + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Five months from March on have 153 days in all.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    [400 * era + year + carry, month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_has_command_and_version() {
        let section = how_to_repeat("xcollide run cage --seed 4");
        let html = crate::report::Page::new("A run").section(section).to_html();
        assert!(html.contains("xcollide run cage --seed 4"));
        assert!(html.contains(env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn commands_are_quoted() {
        let line = command_line(["run", "cage?objects=5", "it's"]);
        assert_eq!(line, r"xcollide run 'cage?objects=5' 'it'\''s'");
    }

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
        assert_eq!(timestamp(20_513 * 86_400 + 54_299), "2026-03-01T15:04:59Z");
    }
}
