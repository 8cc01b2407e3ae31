//! Joins the results of the parts of a job into a frame.

use std::mem::{replace, take};
use std::sync::{Mutex, PoisonError};

use super::cost_estimate::CostEstimate;
use super::rows::Rows;
use super::rows_job::RowsJob;
use super::{Collision, Frame};
use crate::execution::{Execution, Job};

/// The results of the parts, and what copies them.
pub(super) struct FrameParts<'a> {
    pub(super) parts: &'a mut [Rows],
    pub(super) execution: &'a dyn Execution,
    /// Cost of copying an item.
    pub(super) cost: &'a CostEstimate,
}

impl FrameParts<'_> {
    /// Moves all results to the frame, in order. The lists of `former` become those of the frame or of the only part, so
    /// that nothing is allocated, and what they contain is overwritten.
    pub(super) fn join(mut self, frame: &mut Frame, former: &mut Frame) {
        let starts = self.starts_of_contacts();
        let moved = |part: usize, collision: &Collision| {
            let contacts = collision.contacts.map(|place| starts[part] + place);
            Collision { contacts, ..*collision }
        };
        self.join_lists(|frame| &mut frame.began, frame, former, moved);
        self.join_lists(|frame| &mut frame.persisting, frame, former, moved);
        self.join_lists(|frame| &mut frame.contacts, frame, former, same);
        self.join_lists(|frame| &mut frame.ended, frame, former, same);
        self.join_lists(|frame| &mut frame.kind_changes, frame, former, same);
        self.join_lists(|frame| &mut frame.distances, frame, former, same);
        self.join_lists(|frame| &mut frame.bounded_distances, frame, former, same);
        self.join_lists(|frame| &mut frame.depths, frame, former, same);
        self.join_lists(|frame| &mut frame.manifolds, frame, former, same);
        self.join_lists(|frame| &mut frame.undecided, frame, former, same);
        self.join_lists(|frame| &mut frame.assumed, frame, former, same);
        for rows in self.parts {
            // Few, and other stages have added theirs.
            frame.failures.append(&mut rows.results.failures);
            frame.stats.tested += rows.results.stats.tested;
            frame.stats.narrow += rows.results.stats.narrow;
        }
    }

    /// Where the contacts of each part begin.
    fn starts_of_contacts(&self) -> Vec<u32> {
        if self.parts.len() < 2 {
            // Allocates nothing.
            return Vec::new();
        }
        let mut end = 0;
        let starts = self.parts.iter().map(|rows| {
            let start = end;
            end += rows.results.contacts.len() as u32;
            start
        });
        starts.collect()
    }

    /// Joins one list of all parts. In the frame, `item` of a part becomes what is returned for it.
    fn join_lists<T: Clone + Send>(
        &mut self,
        list: fn(&mut Frame) -> &mut Vec<T>,
        frame: &mut Frame,
        former: &mut Frame,
        item: impl Fn(usize, &T) -> T + Sync,
    ) {
        let (all, memory) = (list(frame), take(list(former)));
        if let [rows] = self.parts {
            *all = replace(list(&mut rows.results), memory);
            return;
        }
        *all = memory;
        let (mut len, mut any) = (0, None);
        for list in self.parts.iter_mut().map(|rows| list(&mut rows.results)) {
            len += list.len();
            any = any.or_else(|| list.first().cloned());
        }
        let Some(any) = any else { return all.clear() };
        all.resize(len, any);
        let mut rest = &mut all[..];
        let places: Vec<_> = (self.parts.iter_mut())
            .map(|rows| {
                let place;
                (place, rest) = take(&mut rest).split_at_mut(list(&mut rows.results).len());
                Mutex::new(place)
            })
            .collect();
        let copy = |part: usize, rows: &mut Rows| {
            // Never waits, as each part has a place of its own.
            let mut place = places[part].lock().unwrap_or_else(PoisonError::into_inner);
            for (place, from) in place.iter_mut().zip(list(&mut rows.results)) {
                *place = item(part, from);
            }
        };
        self.execution.run(Job::of_rows(RowsJob::new(self.parts, len, &copy, self.cost)));
    }
}

fn same<T: Clone>(_: usize, item: &T) -> T {
    item.clone()
}
