//! Progress bars and messages on standard error, and only where a person looks at it.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::Common;
use crate::exit::complain;

/// Shows what goes on: on standard error, only if it is a terminal, and not with `--quiet`.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    shown: bool,
    /// Results that run over the same terminal are progress enough, and a bar would tear them.
    bars: bool,
}

impl Progress {
    /// What the terminal and the options allow.
    #[must_use]
    pub fn new(common: &Common) -> Self {
        let shown = !common.quiet && std::io::stderr().is_terminal();
        Self { shown, bars: shown && !std::io::stdout().is_terminal() }
    }

    /// Runs `work` with a message shown for as long as it takes.
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

    /// Says something that the results say, too, in a line.
    pub fn message(&self, line: &str) {
        // Over the same terminal the results are enough.
        if self.bars {
            complain(&line);
        }
    }

    /// A bar over the bytes of a file, or over as many as there are where that is not known.
    /// Dropping it takes it away.
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

    /// A line for what goes on, where nobody knows how much there is. None where `results` are
    /// written over the same terminal. Dropping it takes it away.
    #[must_use]
    pub fn stages(&self, results: bool) -> Bar {
        if !self.shown || (results && !self.bars) {
            return Bar(ProgressBar::hidden());
        }
        let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        spinner.enable_steady_tick(Duration::from_millis(100));
        Bar(spinner)
    }

    /// A bar over frames, with a line below for what goes on. None where `results` are written over
    /// the same terminal. Dropping it takes it away.
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

/// A progress bar that goes away when dropped.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// How far things have come.
    pub fn at(&self, position: u64) {
        self.0.set_position(position);
    }

    /// What goes on; not asked for where nobody sees it.
    pub fn say(&self, line: impl FnOnce() -> String) {
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
