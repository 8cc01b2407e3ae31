//! Callbacks and event channels.
//!
//! After all tests, a check calls the callbacks one after the other, in order. A callback gets the world;
//! its changes count from the next check, like all changes between two checks (Zachmann 1994, 7.0.2). A
//! panic in a callback becomes a [`Failure`]; the others still run.
//!
//! "All callbacks are executed strictly sequential. This may or may not be desirable, depending on the application. In the
//! future, this can be switched on/off by the application" (7.2): the parallel callback is called before the others, on the
//! threads of the execution.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;

use super::pair_state::message_of;
use super::report::{ParallelCallback, Report, reports};
use super::{Cause, Collision, Failure, Frame, ObjectId, ObjectPair, World};
use crate::narrow::Kind;

/// A function of the application. It gets the report, the frame of the report and the current world.
pub(super) type Callback = Box<dyn FnMut(Report<'_>, &Frame, &mut World) + Send>;

/// Beginning, change of kind or end of a collision, as sent to a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Event {
    /// The number of the check.
    pub frame: u64,
    /// The application's frame at the check; see [`Frame::application`].
    pub application: u64,
    /// The objects.
    pub pair: ObjectPair,
    /// What changed.
    pub change: Change,
}

/// A change of one pair.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Change {
    /// They collide now.
    Began(Collision),
    /// They collide in another way than before.
    Kind {
        /// The kind before.
        before: Kind,
        /// The kind now.
        now: Kind,
    },
    /// They no longer collide.
    Ended(Cause),
}

/// All receivers of reports.
#[derive(Default)]
pub(super) struct Callbacks {
    pub(super) general: Option<Callback>,
    pub(super) of_pairs: BTreeMap<ObjectPair, Callback>,
    pub(super) channels: Vec<Sender<Event>>,
    pub(super) parallel: Option<Box<ParallelCallback>>,
}

impl Callbacks {
    /// Drops the callbacks of removed objects, after reporting the end of their collisions.
    fn forget(&mut self, gone: &[ObjectId]) {
        self.of_pairs
            .retain(|pair, _| ![pair.a, pair.b].iter().any(|id| gone.binary_search(id).is_ok()));
    }

    /// Merges callbacks that were set while the old ones ran; the newer ones win.
    fn update(&mut self, mut newer: Self) {
        self.of_pairs.append(&mut newer.of_pairs);
        self.channels.append(&mut newer.channels);
        if newer.general.is_some() {
            self.general = newer.general;
        }
        if newer.parallel.is_some() {
            self.parallel = newer.parallel;
        }
    }

    fn are_none(&self) -> bool {
        self.general.is_none() && self.of_pairs.is_empty()
    }
}

impl World {
    /// Reports a frame to callbacks and channels.
    pub(super) fn report(&mut self, frame: &mut Frame) {
        self.send(frame);
        if self.callbacks.are_none() {
            self.gone.clear();
            return;
        }
        let mut gone = std::mem::take(&mut self.gone);
        gone.sort_unstable();
        // Taken out of the world, so that a callback may set others.
        let mut callbacks = std::mem::take(&mut self.callbacks);
        let mut failures = Vec::new();
        let mut call = |report: Report<'_>, frame: &Frame, world: &mut Self| {
            let pair = report.pair();
            let of_pair = callbacks.of_pairs.get_mut(&pair);
            let Some(callback) = of_pair.or(callbacks.general.as_mut()) else { return };
            let called = catch_unwind(AssertUnwindSafe(|| callback(report, frame, world)));
            if let Err(panic) = called {
                failures.push(Failure::Callback { pair, message: message_of(&*panic) });
            }
        };
        for report in reports(frame) {
            call(report, frame, self);
        }
        frame.failures.append(&mut failures);
        if !gone.is_empty() {
            callbacks.forget(&gone);
        }
        let newer = std::mem::replace(&mut self.callbacks, callbacks);
        self.callbacks.update(newer);
    }

    /// Sends events in order. Drops channels without receiver.
    fn send(&mut self, frame: &Frame) {
        if self.callbacks.channels.is_empty() {
            return;
        }
        let (number, application) = (frame.number, frame.application);
        let event = |pair, change| Event { frame: number, application, pair, change };
        let began = frame.began.iter().map(|c| event(c.pair, Change::Began(*c)));
        let kinds = frame.kind_changes.iter();
        let kinds = kinds.map(|c| event(c.pair, Change::Kind { before: c.before, now: c.now }));
        let ended = frame.ended.iter().map(|e| event(e.pair, Change::Ended(e.cause)));
        let events: Vec<Event> = began.chain(kinds).chain(ended).collect();
        self.callbacks
            .channels
            .retain(|channel| events.iter().all(|event| channel.send(*event).is_ok()));
    }
}
