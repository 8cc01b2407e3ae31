//! Buffers that change hands between the application and the detection, without locks.
//!
//! ```text
//!              enter ──▶ ┌──────┐  swap   ┌───────┐
//!  application           │ back │ ◀─────▶ │ front │  detection
//!              take ◀─── └──────┘         └───────┘ ──▶ publish
//! ```
//!
//! A buffer is owned by whoever has taken it out of its slot, by one atomic exchange, and nobody waits
//! for it to come back: who finds the slot empty leaves his entry in a queue, and whoever has the buffer
//! next takes up the queue first. So entries of one thread keep their order, and so do those of threads
//! that know of each other:
//!
//! - an entry that is in the buffer stays before all that come to it later, by the queue or not;
//! - an entry that is in the queue is taken up before whoever has the buffer adds one of his own.
//!
//! Only the detection tries again when it finds the slot empty, which is so for some nanoseconds.
//! `loom/tests/handoff.rs` checks this file against every order in which the threads can run.

use sync::{Queue, Slot, pause};

/// What entries are collected in.
pub(crate) trait Buffer {
    /// What is entered.
    type Entry;

    /// Takes an entry up.
    fn enter(&mut self, entry: Self::Entry);

    /// Goes on, empty, where the buffer ends that it is swapped for.
    fn follow(&mut self, before: &Self);
}

/// The way to the detection.
pub(crate) struct Inbox<B: Buffer> {
    back: Slot<B>,
    queue: Queue<B::Entry>,
}

impl<B: Buffer> Inbox<B> {
    /// With an empty buffer.
    pub(crate) fn new(back: B) -> Self {
        Self { back: Slot::new(Some(Box::new(back))), queue: Queue::new() }
    }

    /// Leaves an entry. Never waits for the detection.
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

    /// Swaps an empty buffer for what has been entered; for the detection, of which there is one.
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
        // Mostly it is empty, and to see that takes less than to find nothing in it.
        while !self.queue.is_empty() {
            let Some(entry) = self.queue.pop() else { return };
            back.enter(entry);
        }
    }
}

/// The way back: the latest result, whoever has the time to look at it.
pub(crate) struct Outbox<T> {
    latest: Slot<T>,
    /// Memory to be used again.
    spare: Slot<T>,
}

impl<T> Outbox<T> {
    /// With nothing in it.
    pub(crate) fn new() -> Self {
        Self { latest: Slot::new(None), spare: Slot::new(None) }
    }

    /// Puts a result in place of the one before; returns memory for the next, if there is some.
    pub(crate) fn publish(&self, result: Box<T>) -> Option<Box<T>> {
        let unread = self.latest.swap(Some(result));
        unread.or_else(|| self.spare.swap(None))
    }

    /// The latest result, where it was not taken yet.
    pub(crate) fn take(&self) -> Option<Box<T>> {
        self.latest.swap(None)
    }

    /// Gives memory back.
    pub(crate) fn give_back(&self, memory: Box<T>) {
        self.spare.swap(Some(memory));
    }
}

/// What is exchanged atomically: in earnest.
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

/// The same as loom models it.
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
