//! Reports to the parallel callback, spread over threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::cost_estimate::CostEstimate;
use super::pair_state::message_of;
use super::report::{ParallelCallback, Report};
use super::{Frame, ObjectPair};

/// The reports of a frame, each with a place for the message of a panic.
pub(super) struct ReportedFrame<'a> {
    reports: Vec<Report<'a>>,
    messages: Vec<Option<String>>,
}

impl<'a> ReportedFrame<'a> {
    /// All reports in order.
    pub(super) fn new(reports: impl Iterator<Item = Report<'a>>) -> Self {
        let reports: Vec<_> = reports.collect();
        let messages = vec![None; reports.len()];
        Self { reports, messages }
    }

    pub(super) fn job<'j>(
        &'j mut self,
        frame: &'j Frame,
        callback: &'j ParallelCallback,
        cost: &'j CostEstimate,
    ) -> ReportsJob<'j> {
        let Self { reports, messages } = self;
        ReportsJob { reports, messages, frame, callback, cost }
    }

    /// The pairs whose callbacks panicked, with the messages, in order.
    pub(super) fn panics(self) -> impl Iterator<Item = (ObjectPair, String)> {
        let all = self.reports.into_iter().map(|report| report.pair()).zip(self.messages);
        all.filter_map(|(pair, message)| Some((pair, message?)))
    }
}

/// Calls the parallel callback with reports.
pub(crate) struct ReportsJob<'a> {
    reports: &'a [Report<'a>],
    messages: &'a mut [Option<String>],
    frame: &'a Frame,
    callback: &'a ParallelCallback,
    cost: &'a CostEstimate,
}

impl ReportsJob<'_> {
    pub(crate) fn len(&self) -> usize {
        self.reports.len()
    }

    /// Estimated time of one thread.
    pub(crate) fn work(&self) -> Duration {
        self.cost.estimate(0, self.reports.len())
    }

    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.reports.len() < 2 {
            return (self, None);
        }
        let Self { reports, messages, frame, callback, cost } = self;
        let (reports, other_reports) = reports.split_at(reports.len() / 2);
        let (messages, other_messages) = messages.split_at_mut(reports.len());
        let (others, texts) = (other_reports, other_messages);
        let other = Self { reports: others, messages: texts, frame, callback, cost };
        (Self { reports, messages, frame, callback, cost }, Some(other))
    }

    pub(crate) fn finish(self) {
        let Self { reports, messages, frame, callback, cost } = self;
        cost.measure(0, || {
            for (report, message) in reports.iter().zip(messages) {
                let called = catch_unwind(AssertUnwindSafe(|| callback(*report, frame)));
                *message = called.err().map(|panic| message_of(&*panic));
            }
            reports.len() as u64
        });
    }
}
