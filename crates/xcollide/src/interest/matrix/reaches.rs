//! The largest distance in the queries of each object.
//!
//! The maximum over the default, the object's group and its pairs, updated with every rule. Only the largest
//! distance of an object's pairs is stored; its pairs are visited if that one decreases.

use super::{ASK, InterestMatrix, of_groups};
use crate::ObjectId;
use crate::broad::ProxyId;

/// The largest distances by group and by object.
#[derive(Clone, Debug, Default)]
pub(super) struct Reaches {
    /// By group; empty while all are 0.
    groups: Vec<f64>,
    /// By object index, for rules of pairs; missing ones are 0.
    pairs: Vec<f64>,
}

impl Reaches {
    fn of_pairs(&self, index: u32) -> f64 {
        self.pairs.get(index as usize).copied().unwrap_or(0.0)
    }
}

impl InterestMatrix {
    /// The largest distance in the queries of an object. A world widens the object's boxes by half of it on
    /// every side. O(1).
    #[must_use]
    pub fn reach_of(&self, object: ObjectId) -> f64 {
        let id = ProxyId::from(object);
        let member = self.member(id);
        let of_group = self.reaches.groups.get(usize::from(member.group)).copied().unwrap_or(0.0);
        let of_pairs = if member.paired { self.reaches.of_pairs(id.index()) } else { 0.0 };
        self.asks[0].reach().max(of_group).max(of_pairs)
    }

    /// Updates a group after its queries have changed.
    pub(super) fn measure_group(&mut self, group: u8) {
        self.reaches.groups.resize(Self::GROUPS, 0.0);
        let most = (0..Self::GROUPS as u8).fold(0.0, |most: f64, other| {
            match self.group_asks[of_groups(group, other)] {
                0 => most,
                place => most.max(self.asks[place as usize].reach()),
            }
        });
        self.reaches.groups[usize::from(group)] = most;
    }

    /// The distance in the query of a pair.
    pub(super) fn reach_of_pair(&self, one: ObjectId, other: ObjectId) -> f64 {
        let (i, j) = (ProxyId::from(one).index(), ProxyId::from(other).index());
        if i == j { 0.0 } else { self.reach_of_rule(self.pairs.get(i, j)) }
    }

    /// Updates both objects of a pair after its rule has changed; `before` is its former distance.
    pub(super) fn measure_pair(&mut self, one: ObjectId, other: ObjectId, before: f64) {
        let now = self.reach_of_pair(one, other);
        for id in [one, other].map(ProxyId::from) {
            let known = self.reaches.of_pairs(id.index());
            if now >= known {
                self.set_reach(id.index(), now);
            } else if before >= known {
                self.measure_again(id.index());
            }
        }
    }

    /// Removes all rules of pairs with an index.
    pub(super) fn forget_pairs(&mut self, index: u32) {
        let rules = match self.reaches.pairs.is_empty() {
            true => Vec::new(),
            false => self.pairs.of(index),
        };
        self.pairs.forget(index);
        self.set_reach(index, 0.0);
        for (other, rule) in rules {
            let reach = self.reach_of_rule(rule);
            if reach > 0.0 && self.reaches.pairs.get(other as usize) == Some(&reach) {
                self.measure_again(other);
            }
        }
    }

    /// Computes the maximum of an index from all its pairs.
    fn measure_again(&mut self, index: u32) {
        let rules = self.pairs.of(index).into_iter();
        let most = rules.fold(0.0, |most: f64, (_, rule)| most.max(self.reach_of_rule(rule)));
        self.set_reach(index, most);
    }

    fn set_reach(&mut self, index: u32, reach: f64) {
        let slot = index as usize;
        if slot < self.reaches.pairs.len() {
            self.reaches.pairs[slot] = reach;
        } else if reach > 0.0 {
            self.reaches.pairs.resize(slot + 1, 0.0);
            self.reaches.pairs[slot] = reach;
        }
    }

    fn reach_of_rule(&self, rule: u32) -> f64 {
        match rule >> ASK {
            0 => 0.0,
            place => self.asks[place as usize].reach(),
        }
    }

    /// Computes all maxima after the rules were set directly.
    pub(super) fn measure_all(&mut self) {
        if !self.group_asks.is_empty() {
            (0..Self::GROUPS as u8).for_each(|group| self.measure_group(group));
        }
        for ([i, j], rule) in self.pairs.iter() {
            let reach = self.reach_of_rule(rule);
            for index in [i, j] {
                self.set_reach(index, self.reaches.of_pairs(index).max(reach));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interest::Ask;
    use xcollide_scenes::Random;

    /// The reach of an object is the largest of all its rules, whatever was said before, and forgotten.
    #[test]
    fn the_reach_is_the_largest_of_the_rules_there_are() {
        let mut random = Random::new(12);
        let (mut wide, mut narrow) = (0, 0);
        for round in 0..30 {
            // In both forms of the rules of pairs.
            let spread = if round % 2 == 0 { 1 } else { 200 };
            let id = |index: u32, generation| ObjectId::new(index * spread, generation);
            let mut matrix = InterestMatrix::new();
            let mut generations = [0; 12];
            for step in 0..200 {
                let mut below = |most: f64| random.between(0.0, most) as usize;
                let (i, j, reach) = (below(12.0), below(12.0), below(5.0));
                let (g, h) = (below(3.0) as u8, below(3.0) as u8);
                let ask = match below(4.0) {
                    0 => Ask::Touch,
                    1 => Ask::Distance { up_to: reach as f64 },
                    _ => Ask::Within { tolerance: reach as f64 - 1.0 },
                };
                let a = id(i as u32, generations[i]);
                let b = id(j as u32, generations[j]);
                match below(12.0) {
                    0 => matrix.set_groups_ask(g, h, ask),
                    1 => matrix.set_group(a, g),
                    2 => matrix.set_pair(a, b, reach % 2 == 0),
                    3 if step % 50 == 0 => matrix.set_default_ask(ask),
                    4..=5 => matrix.clear_pair(a, b),
                    6 => {
                        matrix.forget(a);
                        generations[i] += 1;
                    }
                    // Also without being forgotten.
                    7 => generations[i] += 1,
                    _ => matrix.set_pair_ask(a, b, ask),
                }
                for (k, &generation) in generations.iter().enumerate() {
                    let object = id(k as u32, generation);
                    let of = |l: usize| id(l as u32, generations[l]);
                    let others = (0..12).filter(|&l| l != k).map(|l| matrix.ask(object, of(l)));
                    let asked = others.fold(0.0, |most: f64, ask| most.max(ask.reach()));
                    let reach = matrix.reach_of(object);
                    assert!(reach >= asked, "{object}: {reach}, though {asked} is asked");
                    let all = matrix.reach();
                    assert!(reach <= all);
                    (wide, narrow) =
                        (wide + usize::from(reach > 0.0), narrow + usize::from(reach < all));
                    let mut again = matrix.clone();
                    again.reaches = Reaches::default();
                    again.measure_all();
                    assert_eq!(again.reach_of(object), reach, "{object} in round {round}, {step}");
                }
            }
        }
        assert!(wide > 10_000 && narrow > 10_000, "{wide} {narrow}");
    }
}
