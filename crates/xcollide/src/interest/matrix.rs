//! The collision interest matrix (Zachmann 1994, 7.0.1).
//!
//! The broad phase queries every pair of overlapping boxes, so a query takes a few nanoseconds: it reads one
//! word of each object and one bit of the group matrix. Rules of pairs are looked up only if both objects
//! have some.

mod reaches;
mod record;

use reaches::Reaches;

use super::Ask;
use super::pair_rules::PairRules;
use crate::ObjectId;
use crate::broad::{Interest, ProxyId};

/// Which pairs of objects are wanted, and with which query.
///
/// The most specific rule decides: an object that is switched off is in no pair; then the rule of the pair
/// counts, then that of the two groups, then the default. Queries follow the same order.
///
/// Every object is in one of 64 groups, initially [group](Self::set_group) 0. Groups are the layers of
/// engines; the row of a group is its mask. Rules are symmetric. Memory: at most 8 bytes per object, plus
/// the rules of pairs. Removing an object removes its rules.
///
/// ```
/// use xcollide::interest::InterestMatrix;
/// # use xcollide::prelude::*;
/// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
///
/// let mut world = World::new();
/// let [palm, finger, cup] = [world.add(&model, &Pose::IDENTITY)?,
///     world.add(&model, &Pose::IDENTITY)?, world.add(&model, &Pose::IDENTITY)?];
/// // A hand that collides with everything except itself.
/// let (hand, things) = (1, 0);
/// let interest: &mut InterestMatrix = world.interest_mut();
/// interest.set_group(palm, hand);
/// interest.set_group(finger, hand);
/// interest.set_groups(hand, hand, false);
/// interest.set_groups(things, things, false);
/// assert!(interest.wants(palm, cup) && !interest.wants(palm, finger));
/// assert_eq!(world.check().began.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct InterestMatrix {
    default: bool,
    /// By object index; missing ones are [`Member::default`].
    members: Vec<Member>,
    /// Bit `h` of `decided[g]`: groups g and h have a rule.
    decided: [u64; Self::GROUPS],
    /// The rules of groups.
    wanted: [u64; Self::GROUPS],
    /// The rules of groups with the default filled in.
    effective: [u64; Self::GROUPS],
    /// The queries in use; the first is the default.
    asks: Vec<Ask>,
    /// Half a matrix of indices into `asks`, 0 for the default; empty if no group has a query.
    group_asks: Vec<u32>,
    pairs: PairRules,
    reaches: Reaches,
    /// Whether every pair is wanted.
    everything: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Member {
    generation: u32,
    group: u8,
    off: bool,
    /// Whether a pair with this object has a rule.
    paired: bool,
}

/// The rule of a pair: bit 0 "wanted", bit 1 "decided", then the index of its query, 0 for none.
const WANTED: u32 = 1;
const DECIDED: u32 = 2;
const ASK: u32 = 2;

impl Default for InterestMatrix {
    fn default() -> Self {
        Self::new()
    }
}

impl InterestMatrix {
    /// Number of groups; they are numbered from 0.
    pub const GROUPS: usize = 64;

    /// A matrix in which every pair is wanted.
    #[must_use]
    pub fn new() -> Self {
        let none = [0; Self::GROUPS];
        Self {
            default: true,
            members: Vec::new(),
            decided: none,
            wanted: none,
            effective: [u64::MAX; Self::GROUPS],
            asks: vec![Ask::default()],
            group_asks: Vec::new(),
            pairs: PairRules::default(),
            reaches: Reaches::default(),
            everything: true,
        }
    }

    /// A matrix in which no pair is wanted.
    #[must_use]
    pub fn nothing() -> Self {
        let mut matrix = Self::new();
        matrix.set_default(false);
        matrix
    }

    /// Sets whether pairs without any rule are wanted.
    pub fn set_default(&mut self, wanted: bool) {
        self.default = wanted;
        self.everything &= wanted;
        for (effective, (decided, groups)) in
            self.effective.iter_mut().zip(self.decided.iter().zip(&self.wanted))
        {
            *effective = if wanted { groups | !decided } else { groups & decided };
        }
    }

    /// Moves an object to a group.
    ///
    /// # Panics
    /// There is no such group.
    pub fn set_group(&mut self, object: ObjectId, group: u8) {
        assert!(usize::from(group) < Self::GROUPS, "there are {} groups", Self::GROUPS);
        if let Some(member) = self.member_mut(object) {
            member.group = group;
        }
    }

    /// The group of an object.
    #[must_use]
    pub fn group(&self, object: ObjectId) -> u8 {
        self.member(object.into()).group
    }

    /// Sets whether pairs of objects of these two groups, which may be equal, are wanted.
    ///
    /// # Panics
    /// There is no such group.
    pub fn set_groups(&mut self, one: u8, other: u8, wanted: bool) {
        for (g, h) in [(one, other), (other, one)] {
            let (g, bit) = (usize::from(g), 1_u64 << h);
            self.decided[g] |= bit;
            for row in [&mut self.wanted[g], &mut self.effective[g]] {
                *row = if wanted { *row | bit } else { *row & !bit };
            }
        }
        self.everything &= wanted;
    }

    /// Switches an object on or off. An object that is off is in no pair.
    pub fn set_object(&mut self, object: ObjectId, on: bool) {
        if let Some(member) = self.member_mut(object) {
            member.off = !on;
        }
        self.everything &= on;
    }

    /// Sets whether this pair is wanted. Ignored if both are the same object.
    pub fn set_pair(&mut self, one: ObjectId, other: ObjectId, wanted: bool) {
        self.everything &= wanted;
        self.change_pair(one, other, |rule| rule & !WANTED | DECIDED | u32::from(wanted));
    }

    /// Sets the query of pairs without one of their own.
    pub fn set_default_ask(&mut self, ask: Ask) {
        self.asks[0] = ask;
    }

    /// Sets the query of pairs of objects of these groups.
    ///
    /// # Panics
    /// There is no such group.
    pub fn set_groups_ask(&mut self, one: u8, other: u8, ask: Ask) {
        assert!(usize::from(one.max(other)) < Self::GROUPS, "there are {} groups", Self::GROUPS);
        let place = self.place_of(ask);
        self.group_asks.resize(Self::GROUPS * (Self::GROUPS + 1) / 2, 0);
        self.group_asks[of_groups(one, other)] = place;
        self.measure_group(one);
        self.measure_group(other);
    }

    /// Sets the query of this pair.
    pub fn set_pair_ask(&mut self, one: ObjectId, other: ObjectId, ask: Ask) {
        let place = self.place_of(ask);
        let before = self.reach_of_pair(one, other);
        self.change_pair(one, other, |rule| rule & (WANTED | DECIDED) | place << ASK);
        self.measure_pair(one, other, before);
    }

    /// Removes the rule and the query of this pair.
    pub fn clear_pair(&mut self, one: ObjectId, other: ObjectId) {
        let before = self.reach_of_pair(one, other);
        self.change_pair(one, other, |_| 0);
        self.measure_pair(one, other, before);
    }

    /// Removes all rules of an object. A [`World`](crate::World) does so when it removes one.
    pub fn forget(&mut self, object: ObjectId) {
        let id = ProxyId::from(object);
        let Some(member) = self.members.get_mut(id.index() as usize) else { return };
        if member.generation == id.generation() {
            let paired = std::mem::take(member).paired;
            member.generation = id.generation();
            if paired {
                self.forget_pairs(id.index());
            }
        }
    }

    /// Whether the pair is wanted. O(1).
    #[inline]
    #[must_use]
    pub fn wants(&self, one: ObjectId, other: ObjectId) -> bool {
        self.wanted(one.into(), other.into())
    }

    /// The query of the pair. O(1).
    #[inline]
    #[must_use]
    pub fn ask(&self, one: ObjectId, other: ObjectId) -> Ask {
        // Usually there is no other query.
        if self.asks.len() == 1 { self.asks[0] } else { self.particular_ask(one, other) }
    }

    /// The largest distance in any query that was ever set.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.asks.iter().fold(0.0, |most: f64, ask| most.max(ask.reach()))
    }

    fn particular_ask(&self, one: ObjectId, other: ObjectId) -> Ask {
        let (a, b) = (ProxyId::from(one), ProxyId::from(other));
        let (of_a, of_b) = (self.member(a), self.member(b));
        let mut place = 0;
        if of_a.paired && of_b.paired && a.index() != b.index() {
            place = self.pairs.get(a.index(), b.index()) >> ASK;
        }
        if place == 0 && !self.group_asks.is_empty() {
            place = self.group_asks[of_groups(of_a.group, of_b.group)];
        }
        self.asks[place as usize]
    }

    #[inline]
    fn wanted(&self, a: ProxyId, b: ProxyId) -> bool {
        let (of_a, of_b) = (self.member(a), self.member(b));
        if of_a.off || of_b.off || a.index() == b.index() {
            return false;
        }
        if of_a.paired && of_b.paired {
            let rule = self.pairs.get(a.index(), b.index());
            if rule & DECIDED != 0 {
                return rule & WANTED != 0;
            }
        }
        self.effective[usize::from(of_a.group)] >> of_b.group & 1 != 0
    }

    #[inline]
    fn member(&self, id: ProxyId) -> Member {
        match self.members.get(id.index() as usize) {
            Some(member) if member.generation == id.generation() => *member,
            _ => Member::default(),
        }
    }

    /// The entry of an object; `None` if the index belongs to a later object.
    fn member_mut(&mut self, object: ObjectId) -> Option<&mut Member> {
        let id = ProxyId::from(object);
        let index = id.index() as usize;
        if index >= self.members.len() {
            self.members.resize(index + 1, Member::default());
        }
        let member = &mut self.members[index];
        if member.generation != id.generation() {
            if id.generation().wrapping_sub(member.generation) > u32::MAX / 2 {
                return None;
            }
            let paired = std::mem::take(member).paired;
            member.generation = id.generation();
            if paired {
                self.forget_pairs(id.index());
            }
        }
        self.members.get_mut(index)
    }

    fn change_pair(&mut self, one: ObjectId, other: ObjectId, change: impl FnOnce(u32) -> u32) {
        let (a, b) = (ProxyId::from(one), ProxyId::from(other));
        if a.index() == b.index() || self.member_mut(one).is_none() {
            return;
        }
        let Some(of_b) = self.member_mut(other) else { return };
        of_b.paired = true;
        if let Some(of_a) = self.member_mut(one) {
            of_a.paired = true;
        }
        let rule = change(self.pairs.get(a.index(), b.index()));
        self.pairs.set(a.index(), b.index(), rule);
    }

    /// The index of a query in the list, which is added if missing; never 0.
    fn place_of(&mut self, ask: Ask) -> u32 {
        let known = self.asks.iter().skip(1).position(|known| *known == ask);
        let place = known.map_or(self.asks.len(), |known| known + 1);
        if known.is_none() {
            self.asks.push(ask);
        }
        place as u32
    }
}

/// The index of two groups in half a matrix with its diagonal.
fn of_groups(one: u8, other: u8) -> usize {
    let (g, h) = (usize::from(one.min(other)), usize::from(one.max(other)));
    h * (h + 1) / 2 + g
}

impl Interest for InterestMatrix {
    #[inline]
    fn wants(&self, a: ProxyId, b: ProxyId) -> bool {
        self.wanted(a, b)
    }

    fn is_everything(&self) -> bool {
        self.everything
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use xcollide_scenes::Random;

    fn id(index: u32, generation: u32) -> ObjectId {
        ObjectId::new(index, generation)
    }

    /// The plain form of the rules, looked up one after the other.
    #[derive(Default)]
    struct Plain {
        default: bool,
        off: BTreeMap<u32, bool>,
        groups: BTreeMap<u32, u8>,
        pairs: BTreeMap<[u32; 2], bool>,
        group_pairs: BTreeMap<[u8; 2], bool>,
        pair_asks: BTreeMap<[u32; 2], usize>,
        group_asks: BTreeMap<[u8; 2], usize>,
    }

    impl Plain {
        fn group(&self, i: u32) -> u8 {
            self.groups.get(&i).copied().unwrap_or(0)
        }

        fn group_pair(&self, i: u32, j: u32) -> [u8; 2] {
            sorted(self.group(i), self.group(j))
        }

        fn wants(&self, i: u32, j: u32) -> bool {
            if self.off.get(&i) == Some(&true) || self.off.get(&j) == Some(&true) {
                return false;
            }
            let of_pair = self.pairs.get(&sorted(i, j));
            let of_groups = self.group_pairs.get(&self.group_pair(i, j));
            of_pair.or(of_groups).copied().unwrap_or(self.default)
        }

        fn ask(&self, i: u32, j: u32) -> Ask {
            let of_pair = self.pair_asks.get(&sorted(i, j));
            let of_groups = self.group_asks.get(&self.group_pair(i, j));
            of_pair.or(of_groups).map_or(Ask::Touch, |&limit| Ask::Contacts { limit })
        }
    }

    fn sorted<T: Ord + Copy>(a: T, b: T) -> [T; 2] {
        [a.min(b), a.max(b)]
    }

    #[test]
    fn the_most_particular_rule_decides() {
        let mut random = Random::new(9);
        let mut answers = [0; 2];
        for round in 0..40 {
            let mut matrix = InterestMatrix::new();
            let mut plain = Plain { default: true, ..Plain::default() };
            let many = [12.0, 1500.0][round % 2];
            for _ in 0..300 {
                let mut below = |most: f64| random.between(0.0, most) as u32;
                let (i, j) = (below(many), below(many));
                let (g, h, yes) = (below(4.0) as u8, below(4.0) as u8, below(2.0) == 1);
                let (a, b) = (id(i, 0), id(j, 0));
                match below(9.0) {
                    0 => {
                        matrix.set_default(yes);
                        plain.default = yes;
                    }
                    1 => {
                        matrix.set_object(a, yes);
                        plain.off.insert(i, !yes);
                    }
                    2 => {
                        matrix.set_group(a, g);
                        plain.groups.insert(i, g);
                    }
                    3 => {
                        matrix.set_groups(g, h, yes);
                        plain.group_pairs.insert(sorted(g, h), yes);
                    }
                    4 => {
                        matrix.clear_pair(a, b);
                        plain.pairs.remove(&sorted(i, j));
                        plain.pair_asks.remove(&sorted(i, j));
                    }
                    5 if i != j => {
                        let limit = usize::from(g);
                        matrix.set_pair_ask(a, b, Ask::Contacts { limit });
                        plain.pair_asks.insert(sorted(i, j), limit);
                    }
                    6 => {
                        let limit = 10 + usize::from(g);
                        matrix.set_groups_ask(g, h, Ask::Contacts { limit });
                        plain.group_asks.insert(sorted(g, h), limit);
                    }
                    7 => {
                        matrix.forget(a);
                        plain.off.remove(&i);
                        plain.groups.remove(&i);
                        plain.pairs.retain(|pair, _| !pair.contains(&i));
                        plain.pair_asks.retain(|pair, _| !pair.contains(&i));
                    }
                    _ if i != j => {
                        matrix.set_pair(a, b, yes);
                        plain.pairs.insert(sorted(i, j), yes);
                    }
                    _ => {}
                }
                for _ in 0..8 {
                    let (i, j) = (below(many), below(many));
                    if i != j {
                        let wanted = plain.wants(i, j);
                        answers[usize::from(wanted)] += 1;
                        assert_eq!(matrix.wants(id(i, 0), id(j, 0)), wanted);
                        assert_eq!(matrix.ask(id(i, 0), id(j, 0)), plain.ask(i, j));
                        assert!(wanted || !matrix.is_everything());
                    }
                }
            }
        }
        assert!(answers.iter().all(|&count| count > 5000), "{answers:?}: one-sided");
    }

    /// A new owner of an index starts without rules, and the old one cannot say anything any more.
    #[test]
    fn rules_end_with_their_object() {
        let mut matrix = InterestMatrix::new();
        let (old, new, other) = (id(3, 0), id(3, 1), id(5, 0));
        matrix.set_pair(old, other, false);
        assert!(!matrix.wants(old, other) && matrix.wants(new, other));
        matrix.set_group(new, 2);
        matrix.set_pair(old, other, false);
        matrix.set_object(old, false);
        assert!(matrix.wants(new, other));
        assert_eq!((matrix.group(new), matrix.group(old)), (2, 0));
    }
}
