//! What the buffers between the application and the detection promise, in every order of the threads.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

use crate::double_buffer::{Buffer, Inbox, Outbox};

/// Who entered, and which of his entries it is.
type Entry = (u8, u8);

/// Keeps all entries, and in which buffer of the row it is.
#[derive(Default)]
struct List {
    entries: Vec<Entry>,
    number: u32,
}

impl Buffer for List {
    type Entry = Entry;

    fn enter(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    fn follow(&mut self, before: &Self) {
        assert!(self.entries.is_empty());
        self.number = before.number + 1;
    }
}

/// Orders of threads with at most so many changes from one to another that is not forced.
fn model(preemptions: usize, threads: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(threads);
}

/// What is entered by several threads comes out once, each thread's in order, whenever the other side
/// swaps; and buffers follow each other without a gap.
#[test]
fn nothing_is_lost_and_each_thread_keeps_its_order() {
    model(3, || {
        let inbox = Arc::new(Inbox::new(List::default()));
        let writers = [1, 2].map(|who| {
            let inbox = inbox.clone();
            thread::spawn(move || {
                for step in 0..2 {
                    inbox.enter((who, step));
                }
            })
        });
        let (mut seen, mut next) = (Vec::new(), 0);
        let mut read = |seen: &mut Vec<Entry>| {
            let back = inbox.swap(Box::default());
            assert_eq!(back.number, next);
            next += 1;
            seen.extend(&back.entries);
        };
        read(&mut seen);
        read(&mut seen);
        for writer in writers {
            assert!(writer.join().is_ok());
        }
        read(&mut seen);
        for who in [1, 2] {
            let steps: Vec<u8> = seen.iter().filter(|e| e.0 == who).map(|e| e.1).collect();
            assert_eq!(steps, [0, 1], "{seen:?}");
        }
        assert_eq!(seen.len(), 4);
    });
}

/// A thread that knows of another's entry comes after it.
#[test]
fn an_entry_comes_after_those_that_its_thread_knows_of() {
    model(3, || {
        let inbox = Arc::new(Inbox::new(List::default()));
        let flag = Arc::new(AtomicBool::new(false));
        let (theirs, raised) = (inbox.clone(), flag.clone());
        let first = thread::spawn(move || {
            theirs.enter((1, 0));
            raised.store(true, Ordering::Release);
        });
        let (theirs, raised) = (inbox.clone(), flag);
        let second = thread::spawn(move || {
            let knows = raised.load(Ordering::Acquire);
            theirs.enter((2, u8::from(knows)));
        });
        let mut seen = inbox.swap(Box::default()).entries;
        assert!(first.join().is_ok() && second.join().is_ok());
        seen.extend(inbox.swap(Box::default()).entries);
        assert_eq!(seen.len(), 2);
        if seen.contains(&(2, 1)) {
            assert_eq!(seen, [(1, 0), (2, 1)]);
        }
    });
}

/// The detection sleeps where there is nothing, and wakes up for every entry: the loop of the thread,
/// with its stop. Where an entry were lost, or a wake-up, this would never end, which loom notices.
#[test]
fn no_wake_up_is_lost() {
    model(3, || {
        let inbox = Arc::new(Inbox::new(List::default()));
        let stop = Arc::new(AtomicBool::new(false));
        let (theirs, stops) = (inbox.clone(), stop.clone());
        let detection = thread::spawn(move || {
            let mut seen = Vec::new();
            let mut front = Box::<List>::default();
            loop {
                let stop = stops.load(Ordering::Acquire);
                front = theirs.swap(front);
                if !front.entries.is_empty() {
                    seen.append(&mut front.entries);
                } else if stop {
                    return seen;
                } else {
                    thread::park();
                }
            }
        });
        for step in 0..2 {
            inbox.enter((1, step));
            detection.thread().unpark();
        }
        stop.store(true, Ordering::Release);
        detection.thread().unpark();
        assert_eq!(detection.join().ok(), Some(vec![(1, 0), (1, 1)]));
    });
}

/// Results are seen in ascending order, none twice, the last one in the end; and no memory is in two
/// hands.
#[test]
fn the_latest_result_is_seen_once() {
    model(4, || {
        let outbox = Arc::new(Outbox::new());
        let theirs = outbox.clone();
        let detection = thread::spawn(move || {
            let mut result = Box::new(0);
            for number in 1..=3 {
                *result = number;
                result = theirs.publish(result).unwrap_or_default();
                // Nobody else reads or writes it now.
                *result = 100;
            }
        });
        let mut last = 0;
        let mut look = || {
            if let Some(mut result) = outbox.take() {
                assert!(last < *result && *result <= 3, "{last} {result}");
                last = std::mem::replace(&mut *result, 200);
                outbox.give_back(result);
            }
        };
        look();
        look();
        assert!(detection.join().is_ok());
        look();
        assert_eq!(last, 3);
    });
}
