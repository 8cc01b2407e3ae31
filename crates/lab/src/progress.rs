//! Progress bars and messages on standard error, only on a terminal.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exit::complain;
use crate::options::Common;

/// Shows progress on standard error if it is a terminal, unless `--quiet` is given.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    shown: bool,
    /// No bars if results go to the same terminal, as they would break the bar.
    bars: bool,
}

impl Progress {
    /// Depends on the terminal and the options.
    #[must_use]
    pub fn new(common: &Common) -> Self {
        let shown = !common.quiet && std::io::stderr().is_terminal();
        Self { shown, bars: shown && !std::io::stdout().is_terminal() }
    }

    /// Shows a message while `work` runs.
    pub fn during<T>(&self, message: &str, work: impl FnOnce() -> T) -> T {
        if !self.shown {
            return work();
        }
        let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        spinner.set_message(message.to_owned());
        spinner.enable_steady_tick(Duration::from_millis(100));
        let done = work();
        spinner.finish_and_clear();
        done
    }

    /// Prints a line about something that the results contain too.
    pub fn message(&self, line: &str) {
        // On a shared terminal the results are enough.
        if self.bars {
            complain(&line);
        }
    }

    /// A bar over the bytes of a file, or a byte count if the size is unknown. Dropping it removes
    /// it.
    #[must_use]
    pub fn bytes(&self, total: Option<u64>) -> Bar {
        if !self.bars {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        let form = if total.is_some() { "{wide_bar} {percent} % {eta}" } else { "{bytes} read" };
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        Bar(bar)
    }

    /// A line for the current stage, if the amount of work is unknown. Hidden if `results` go to
    /// the same terminal. Dropping it removes it.
    #[must_use]
    pub fn stages(&self, results: bool) -> Bar {
        if !self.shown || (results && !self.bars) {
            return Bar(ProgressBar::hidden());
        }
        let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        spinner.enable_steady_tick(Duration::from_millis(100));
        Bar(spinner)
    }

    /// A bar over frames with a line below. Hidden if `results` go to the same terminal. Dropping
    /// it removes it.
    #[must_use]
    pub fn frames(&self, total: u64, results: bool) -> Bar {
        if !self.shown || (results && !self.bars) {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}\n{msg}") {
            bar.set_style(style);
        }
        Bar(bar)
    }
}

/// A progress bar that is removed when dropped.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// Sets the position.
    pub fn at(&self, position: u64) {
        self.0.set_position(position);
    }

    /// Sets the line; `line` runs only if the bar is visible.
    pub fn message(&self, line: impl FnOnce() -> String) {
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
