//! Lock-free double buffer between the application and the detection.
//!
//! ```text
//!              enter ──▶ ┌──────┐  swap   ┌───────┐
//!  application           │ back │ ◀─────▶ │ front │  detection
//!              take ◀─── └──────┘         └───────┘ ──▶ publish
//! ```
//!
//! A thread owns a buffer after taking it out of its slot by one atomic exchange. No thread waits for a
//! buffer: if the slot is empty, the thread pushes its entry to a queue, and the next owner drains the queue
//! before it adds its own entry. So entries of one thread, and of threads that synchronise with each other,
//! keep their order. Only the detection retries on an empty slot, which lasts some nanoseconds.
//! `loom/tests.rs` checks this file under every thread schedule.

use sync::{Queue, Slot, pause};

/// Collects entries.
pub(crate) trait Buffer {
    /// The type of an entry.
    type Entry;

    fn enter(&mut self, entry: Self::Entry);

    /// Called on the empty buffer that replaces `before`.
    fn follow(&mut self, before: &Self);
}

/// From the application to the detection.
pub(crate) struct Inbox<B: Buffer> {
    back: Slot<B>,
    queue: Queue<B::Entry>,
}

impl<B: Buffer> Inbox<B> {
    pub(crate) fn new(back: B) -> Self {
        Self { back: Slot::new(Some(Box::new(back))), queue: Queue::new() }
    }

    /// Adds an entry. Never waits for the detection.
    #[inline]
    pub(crate) fn enter(&self, entry: B::Entry) {
        match self.back.swap(None) {
            Some(mut back) => {
                self.take_up_queue(&mut back);
                back.enter(entry);
                self.back.swap(Some(back));
            }
            None => self.queue.push(entry),
        }
    }

    /// Swaps an empty buffer for the collected entries. Only the detection thread may call it.
    pub(crate) fn swap(&self, mut front: Box<B>) -> Box<B> {
        loop {
            if let Some(mut back) = self.back.swap(None) {
                self.take_up_queue(&mut back);
                front.follow(&back);
                self.back.swap(Some(front));
                return back;
            }
            pause();
        }
    }

    fn take_up_queue(&self, back: &mut B) {
        // Usually empty; checking that is cheaper than a failed pop.
        while !self.queue.is_empty() {
            let Some(entry) = self.queue.pop() else { return };
            back.enter(entry);
        }
    }
}

/// From the detection to the application: the latest result.
pub(crate) struct Outbox<T> {
    latest: Slot<T>,
    /// Memory for reuse.
    spare: Slot<T>,
}

impl<T> Outbox<T> {
    pub(crate) fn new() -> Self {
        Self { latest: Slot::new(None), spare: Slot::new(None) }
    }

    /// Replaces the latest result. Returns memory for the next one, if any.
    pub(crate) fn publish(&self, result: Box<T>) -> Option<Box<T>> {
        let unread = self.latest.swap(Some(result));
        unread.or_else(|| self.spare.swap(None))
    }

    /// The latest result, if it was not taken yet.
    pub(crate) fn take(&self) -> Option<Box<T>> {
        self.latest.swap(None)
    }

    /// Returns memory for reuse.
    pub(crate) fn give_back(&self, memory: Box<T>) {
        self.spare.swap(Some(memory));
    }
}

/// The atomic types.
#[cfg(not(loom))]
mod sync {
    use crossbeam_utils::atomic::AtomicCell;

    pub(super) use crossbeam_queue::SegQueue as Queue;
    pub(super) use std::thread::yield_now as pause;

    /// A place for one buffer.
    pub(super) struct Slot<T>(AtomicCell<Option<Box<T>>>);

    const _: () = assert!(AtomicCell::<Option<Box<u8>>>::is_lock_free());

    impl<T> Slot<T> {
        pub(super) fn new(buffer: Option<Box<T>>) -> Self {
            Self(AtomicCell::new(buffer))
        }

        #[inline]
        pub(super) fn swap(&self, buffer: Option<Box<T>>) -> Option<Box<T>> {
            self.0.swap(buffer)
        }
    }
}

/// The loom model of the same types.
#[cfg(loom)]
mod sync {
    use std::collections::VecDeque;
    use std::sync::PoisonError;

    use loom::sync::Mutex;
    pub(super) use loom::thread::yield_now as pause;

    pub(super) struct Slot<T>(Mutex<Option<Box<T>>>);

    impl<T> Slot<T> {
        pub(super) fn new(buffer: Option<Box<T>>) -> Self {
            Self(Mutex::new(buffer))
        }

        pub(super) fn swap(&self, buffer: Option<Box<T>>) -> Option<Box<T>> {
            std::mem::replace(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), buffer)
        }
    }

    pub(super) struct Queue<T>(Mutex<VecDeque<T>>);

    impl<T> Queue<T> {
        pub(super) fn new() -> Self {
            Self(Mutex::new(VecDeque::new()))
        }

        pub(super) fn push(&self, entry: T) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(entry);
        }

        pub(super) fn pop(&self) -> Option<T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
        }

        pub(super) fn is_empty(&self) -> bool {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
        }
    }
}
