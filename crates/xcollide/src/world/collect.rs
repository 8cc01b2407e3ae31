//! Collects the results of the tests into a frame, in the order of the pairs.

use super::mark::Mark;
use super::objects::Objects;
use super::pair_state::{Outcome, PairState, Response};
use super::{
    AssumedContact, Cause, Collision, Ended, Failure, Frame, KindChange, ObjectPair, Schedule,
    World,
};
use crate::broad::{Pair, ProxyId};
use crate::execution::Execution;
use crate::narrow::Reason;

impl World {
    /// Sorts the results into the frame. If they are `unchanged`, they are those of the last check.
    pub(super) fn collect(
        &mut self,
        execution: &dyn Execution,
        frame: &mut Frame,
        unchanged: bool,
    ) {
        frame.stats.pairs = self.candidates.overlapping.len();
        let (objects, interest) = (&self.objects, &self.interest);
        let assumes_contact = self.schedule.as_ref().is_some_and(Schedule::assumes_contact);
        // Looking up two objects for each pair takes longer than all else here.
        let none_gone = self.gone.is_empty();
        let is_alive = |id: ProxyId| none_gone || objects.is_alive(id.into());
        let alive = |pair: Pair| is_alive(pair.a) && is_alive(pair.b);
        let frames = (&mut *frame, &mut self.former);
        self.pairs.collect(frames, execution, unchanged, alive, |state, mark, frame| {
            if mark.has(Mark::ACTIVE) {
                state.write(mark, unchanged, frame);
                if assumes_contact && state.is_out_of_time() {
                    frame.assumed.push(state.assumed(objects));
                }
            } else if mark.set(Mark::COLLIDING, false) {
                let pair = ObjectPair::from(state.pair);
                let cause = match alive(state.pair) {
                    false => Cause::Removed,
                    true if interest.wants(pair.a, pair.b) => Cause::Apart,
                    true => Cause::NotWanted,
                };
                frame.ended.push(Ended { pair, cause });
            }
        });
        frame.stats.colliding = frame.began.len() + frame.persisting.len();
    }
}

impl PairState {
    /// Whether there was no time for the test, or not enough.
    fn is_out_of_time(&self) -> bool {
        self.late || matches!(self.outcome, Outcome::Undecided(reason) if reason.is_out_of_time())
    }

    /// The contact that is assumed in place of a test.
    fn assumed(&self, objects: &Objects) -> AssumedContact {
        let [a, b] = self.indices().map(|slot| &objects.bounds[slot].aabb);
        AssumedContact { pair: self.pair.into(), region: a.intersection(b) }
    }

    /// Writes the pair's state into the frame; if `unchanged`, it is that of an earlier check.
    fn write(&self, mark: &Mark, unchanged: bool, frame: &mut Frame) {
        let pair = ObjectPair::from(self.pair);
        if self.late {
            frame.undecided.push((pair, Reason::OutOfTime));
            return;
        }
        if self.tested_now && !unchanged {
            frame.stats.tested += 1;
            frame.stats.narrow += self.cache.stats();
        }
        match self.outcome {
            Outcome::Collides(proof) => {
                let start = frame.contacts.len() as u32;
                frame.contacts.extend_from_slice(self.contacts());
                let contacts = [start, frame.contacts.len() as u32];
                let is_new = self.is_new && !unchanged;
                let kind = self.kind();
                let collision = Collision { pair, is_new, proof, kind, contacts };
                if mark.set(Mark::COLLIDING, true) {
                    frame.persisting.push(collision);
                    let before = self.kind_before().filter(|_| self.tested_now && !unchanged);
                    if let (Some(before), Some(now)) = (before, kind)
                        && before != now
                    {
                        frame.kind_changes.push(KindChange { pair, before, now });
                    }
                } else {
                    frame.began.push(collision);
                }
            }
            Outcome::Apart => {
                if mark.set(Mark::COLLIDING, false) {
                    frame.ended.push(Ended { pair, cause: Cause::Apart });
                }
            }
            Outcome::Undecided(reason) => frame.undecided.push((pair, reason)),
            Outcome::Failed => {
                frame.failures.push(Failure::Pair { pair, message: self.message() });
            }
        }
        match self.distance() {
            Some(found) if found.parts_left > 0 => frame.bounded_distances.push((pair, found)),
            Some(found) => frame.distances.push((pair, found.nearest)),
            None => {}
        }
        match self.response() {
            Some(Response::Depth(depth)) => frame.depths.push((pair, *depth)),
            Some(Response::Manifold(manifold)) => frame.manifolds.push((pair, manifold.clone())),
            None => {}
        }
    }
}
