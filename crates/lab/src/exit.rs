//! Exit statuses, and the error line on standard error.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;

/// How a command ended after doing its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Status {
    #[default]
    Done,
    /// `check --exit-code`: a query found a collision.
    Collides,
    /// `check --exit-code`: no query found a collision, but one is undecided.
    Undecided,
    /// Bad input that was reported already; the rest was done.
    BadInput,
    /// `clash`: rows or pairs that cannot be used were reported already; the rest was done.
    Incomplete,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Wrong usage or bad input. The text names file and line or element, what was found and what
    /// was expected.
    #[error("{0}")]
    BadInput(String),
    #[error("{0}")]
    Failed(String),
    /// Standard output cannot be written to.
    #[error("standard output: {0}")]
    Output(#[from] std::io::Error),
}

impl Failure {
    pub(crate) fn bad_input(what: impl Display) -> Self {
        Self::BadInput(what.to_string())
    }

    pub(crate) fn unreadable(name: &str, error: &std::io::Error) -> Self {
        Self::BadInput(format!("{name}: cannot be read: {error}"))
    }

    pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Self {
        Self::Failed(format!("{}: cannot be written: {error}", path.display()))
    }
}

/// The exit code of a command. Writes a failure to standard error.
pub(crate) fn code(ended: Result<Status, Failure>) -> ExitCode {
    match ended {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::Collides) => ExitCode::from(10),
        Ok(Status::Undecided) => ExitCode::from(11),
        Ok(Status::BadInput) => ExitCode::from(2),
        Ok(Status::Incomplete) => ExitCode::from(1),
        // The reader closed the pipe: `xcollide … | head` is no error.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            complain(&failure);
            ExitCode::from(if matches!(failure, Failure::BadInput(_)) { 2 } else { 1 })
        }
    }
}

pub(crate) fn complain(what: &dyn Display) {
    // Nothing is left to do if standard error is closed.
    let _ = writeln!(std::io::stderr(), "xcollide: {what}");
}

/// Reports wrong usage in one line, or prints help or the version. Returns the exit code.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let printed = write!(std::io::stdout(), "{}", error.render());
        return code(printed.map(|()| Status::Done).map_err(Failure::from));
    }
    let text = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Nothing is left to do if standard error is closed.
        let _ = write!(std::io::stderr(), "{text}");
        return ExitCode::from(2);
    }
    complain(&first_paragraph(&text));
    ExitCode::from(2)
}

fn first_paragraph(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim);
    let joined = lines.collect::<Vec<_>>().join(" ");
    joined.strip_prefix("error: ").unwrap_or(&joined).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_many_lines_becomes_one() {
        let text = "error: the following are missing:\n  <A>\n  <B>\n\nUsage: xcollide\n";
        assert_eq!(first_paragraph(text), "the following are missing: <A> <B>");
        assert_eq!(first_paragraph(""), "");
    }
}
