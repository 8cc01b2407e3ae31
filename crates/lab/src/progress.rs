//! Progress bars and messages on standard error, only on a terminal.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exit::complain;
use crate::options::Common;

/// Shows progress on standard error if it is a terminal, unless `--quiet` is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    shown: bool,
    /// No bars if results go to the same terminal, as they would break the bar.
    bars: bool,
}

impl Progress {
    pub(crate) fn new(common: &Common) -> Self {
        let shown = !common.quiet && std::io::stderr().is_terminal();
        Self { shown, bars: shown && !std::io::stdout().is_terminal() }
    }

    /// Shows a message during `work`.
    pub(crate) fn during<T>(&self, message: &str, work: impl FnOnce() -> T) -> T {
        let spinner = spinner(self.shown);
        spinner.message(|| message.to_owned());
        work()
    }

    /// Prints a line about something that the results contain too.
    pub(crate) fn message(&self, line: &str) {
        // On a shared terminal the results are enough.
        if self.bars {
            complain(&line);
        }
    }

    /// A bar over the bytes of a file, or a byte count if the size is unknown.
    pub(crate) fn bytes(&self, total: Option<u64>) -> Bar {
        let form = if total.is_some() { "{wide_bar} {percent} % {eta}" } else { "{bytes} read" };
        bar(self.bars, total, form)
    }

    /// A line for the current stage, if the amount of work is unknown. Hidden if `results` go to
    /// the same terminal.
    pub(crate) fn stages(&self, results: bool) -> Bar {
        spinner(self.shown && (self.bars || !results))
    }

    /// A bar over frames with a line below. Hidden if `results` go to the same terminal.
    pub(crate) fn frames(&self, total: u64, results: bool) -> Bar {
        let shown = self.shown && (self.bars || !results);
        bar(shown, Some(total), "{wide_bar} {pos}/{len} {eta}\n{msg}")
    }
}

fn spinner(shown: bool) -> Bar {
    let spinner = bar(shown, None, "{spinner} {msg}");
    if shown {
        spinner.0.enable_steady_tick(Duration::from_millis(100));
    }
    spinner
}

fn bar(shown: bool, total: Option<u64>, form: &str) -> Bar {
    if !shown {
        return Bar(ProgressBar::hidden());
    }
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    Bar(bar)
}

/// A progress bar that is removed when dropped.
#[derive(Debug)]
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn at(&self, position: u64) {
        self.0.set_position(position);
    }

    /// Sets the line; `line` runs only if the bar is visible.
    pub(crate) fn message(&self, line: impl FnOnce() -> String) {
        if !self.0.is_hidden() {
            self.0.set_message(line());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
