//! Frames without a list, which the other algorithm answers itself: while lists rest, and while the next one is made in steps
//! after the last was lost.
//!
//! The algorithm that searches the fat boxes answers, too: its static boxes are the same, and it reads the moving ones anew.

use std::mem::take;

use xcollide_bounds::Aabb;

use super::NeighbourListFinder;
use super::cost_model::CostModel;
use super::escaped_boxes::EscapedBoxes;
use super::motion_predictor::IN_STEPS;
use super::pair_schedule::PairSchedule;
use super::upcoming_list::UpcomingList;
use crate::{Courses, Mobility, PairCollector, PairFinder, PreviousBounds, Proxies};

impl<F: PairFinder> NeighbourListFinder<F> {
    /// Says whether to go without lists from the next search on, which takes an algorithm that
    /// [may skip updates](PairFinder::may_skip_updates). When lists come back, nothing is known of how boxes move.
    pub(crate) fn rest(&mut self, rests: bool) {
        if self.rests == rests {
            return;
        }
        self.rests = rests;
        self.predictor.renew();
        self.costs = CostModel::default();
        self.upcoming = UpcomingList::default();
        if rests && !self.serves {
            self.free_memory();
        }
    }

    /// Frees what only a list in use needs.
    fn free_memory(&mut self) {
        self.pairs = PairSchedule::default();
        self.courses = Courses::default();
        self.escaped = EscapedBoxes::default();
        self.found = Vec::new();
    }

    /// Whether lists rest.
    pub(crate) fn rests(&self) -> bool {
        self.rests
    }

    /// Whether the other algorithm can answer in place of a list: while lists rest, or until the next one is made in steps.
    pub(super) fn can_bypass(&self, proxies: &Proxies) -> bool {
        let is_able = self.margin.is_none() && self.finder.may_skip_updates();
        // With a shorter look-ahead, boxes leave their courses before a list that is made in steps is in use.
        let in_steps = self.goes_in_steps(proxies) && self.predictor.horizon() >= IN_STEPS;
        is_able && (self.rests || !self.is_lost && in_steps)
    }

    /// Finds the pairs of static boxes before the first list, so that this can be made in steps.
    pub(super) fn list_first_static(&mut self, proxies: &Proxies) {
        let is_first = !self.serves && !self.knows_fixed && self.enlarged.is_empty();
        if !is_first || !self.finder.may_skip_updates() || self.margin.is_some() {
            return;
        }
        self.knows_fixed = true;
        self.fixed.clear();
        if proxies.moving() == proxies.len() {
            return;
        }
        for index in 0..proxies.boxes().len() as u32 {
            if proxies.mobility(index) == Mobility::Static {
                self.enlarge(proxies, index);
            }
        }
        let mut all = PairCollector::boxes_onto(&self.enlarged, take(&mut self.fixed).into());
        self.finder.find(&self.enlarged, &mut all);
        self.fixed = all.found.into_keys(self.threads);
        self.order.sort(&mut self.fixed, proxies.boxes().len(), self.threads);
    }

    /// Takes the list out of use if it is over or lists rest.
    pub(super) fn end_if_over(&mut self, proxies: &Proxies) {
        if !self.serves || !(self.rests || self.is_over()) {
            return;
        }
        self.predictor.learn(&self.costs, self.span.planned, true);
        (self.serves, self.is_lost) = (false, false);
        if self.can_bypass(proxies) {
            self.show_changes(proxies);
            if self.rests {
                self.free_memory();
            }
        }
    }

    /// Tells the other algorithm which static boxes came or went since the list was made.
    fn show_changes(&mut self, proxies: &Proxies) {
        let indices = take(&mut self.escaped.indices);
        for &index in indices.as_slice() {
            let rests = proxies.is_alive(index) && proxies.mobility(index) == Mobility::Static;
            if rests || self.is_static(index) {
                let before = PreviousBounds { aabb: Aabb::EMPTY, mobility: Mobility::Static };
                self.finder.removed(proxies, index, &before);
                self.disturb();
            }
        }
        self.escaped.indices = indices;
    }

    /// Notes that static boxes are others than in the last list.
    fn disturb(&mut self) {
        self.knows_fixed = false;
        self.upcoming.give_up();
    }

    /// A box was added while no list is in use.
    pub(super) fn bypass_insertion(&mut self, proxies: &Proxies, index: u32) {
        if self.finder.may_skip_updates() {
            self.finder.inserted(proxies, index);
        }
        if proxies.mobility(index) == Mobility::Static {
            self.disturb();
        }
    }

    /// A box got new bounds while no list is in use.
    pub(super) fn bypass_update(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        if self.finder.may_skip_updates() {
            self.finder.updated(proxies, index, before);
        }
        let now = proxies.mobility(index);
        let stays = now == Mobility::Moving || proxies.boxes()[index as usize] == before.aabb;
        if now != before.mobility || !stays {
            self.disturb();
        }
    }

    /// A box was removed while no list is in use.
    pub(super) fn bypass_removal(
        &mut self,
        proxies: &Proxies,
        index: u32,
        before: &PreviousBounds,
    ) {
        if self.finder.may_skip_updates() {
            self.finder.removed(proxies, index, before);
        }
        if before.mobility == Mobility::Static {
            self.disturb();
        }
    }
}
