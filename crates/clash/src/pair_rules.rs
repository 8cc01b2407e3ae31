//! Rules for the instances of a set: the rule of two instances in constant time.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::{Ignore, Instance, InstanceSet, PairRule, Rules};

/// The rules of all pairs of a set.
///
/// Groups that all rules name alike are one *class*; there are few classes, and a table has the rule of each two.
pub(crate) struct PairRules {
    /// The class of each instance.
    class_of: Vec<u32>,
    classes: usize,
    /// The rule of two classes; `None` if they are not tested.
    table: Vec<Option<PairRule>>,
    /// The ignored pairs of single instances, the smaller number first.
    ignored: FxHashSet<[u32; 2]>,
    /// The ignored pairs by patterns of ids: which instances match each of the two.
    patterns: Vec<[Vec<bool>; 2]>,
    /// For each attribute whose values must differ, the number of the value of each instance; 0 without one.
    values: Vec<Vec<u32>>,
}

impl PairRules {
    pub(crate) fn new(rules: &Rules, set: &InstanceSet) -> Self {
        let ids = || set.ids().map(|id| set.instance(id));
        let mut numbers: BTreeMap<Vec<bool>, u32> = BTreeMap::new();
        let mut class_of_group: BTreeMap<&str, u32> = BTreeMap::new();
        let class_of = ids()
            .map(|instance| {
                let group = instance.group.as_str();
                *class_of_group.entry(group).or_insert_with(|| {
                    let next = numbers.len() as u32;
                    *numbers.entry(signature(rules, group)).or_insert(next)
                })
            })
            .collect();
        let mut signatures: Vec<(&Vec<bool>, u32)> =
            numbers.iter().map(|(signature, &number)| (signature, number)).collect();
        signatures.sort_by_key(|(_, number)| *number);
        let of_two = |p: &Vec<bool>, q: &Vec<bool>| rule(rules, p, q);
        let table = signatures
            .iter()
            .flat_map(|(p, _)| signatures.iter().map(move |(q, _)| of_two(p, q)))
            .collect();
        let mut found = Self {
            class_of,
            classes: signatures.len(),
            table,
            ignored: FxHashSet::default(),
            patterns: Vec::new(),
            values: Vec::new(),
        };
        for ignore in &rules.ignore {
            match ignore {
                Ignore::Ids([p, q]) if !p.contains('*') && !q.contains('*') => {
                    let number = |name: &str| set.find(name).map(|id| id.index() as u32);
                    if let (Some(a), Some(b)) = (number(p), number(q)) {
                        found.ignored.insert([a.min(b), a.max(b)]);
                    }
                }
                Ignore::Ids(names) => {
                    let sides = [&names[0], &names[1]]
                        .map(|name| ids().map(|instance| matches(name, &instance.id)).collect());
                    found.patterns.push(sides);
                }
                Ignore::Same(attribute) => {
                    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
                    let mut number = |value| {
                        let next = numbers.len() as u32 + 1;
                        *numbers.entry(value).or_insert(next)
                    };
                    let values = ids().map(|instance| instance.attribute(attribute));
                    found.values.push(values.map(|value| value.map_or(0, &mut number)).collect());
                }
                // Part of the table.
                Ignore::Groups(_) => {}
            }
        }
        found
    }

    /// The rule of two instances, the smaller number first; `None` if they are not tested.
    pub(crate) fn rule(&self, a: u32, b: u32) -> Option<PairRule> {
        let [i, j] = [a, b].map(|number| number as usize);
        let (p, q) = (self.class_of[i] as usize, self.class_of[j] as usize);
        let rule = self.table[p * self.classes + q]?;
        let is_ignored = self.ignored.contains(&[a, b])
            || self.patterns.iter().any(|[p, q]| p[i] && q[j] || p[j] && q[i])
            || self.values.iter().any(|values| values[i] != 0 && values[i] == values[j]);
        (!is_ignored).then_some(rule)
    }

    /// Whether all pairs are tested.
    pub(crate) fn is_everything(&self) -> bool {
        self.table.iter().all(Option::is_some)
            && self.ignored.is_empty()
            && self.patterns.is_empty()
            && self.values.is_empty()
    }

    /// Half of the largest tolerance that an instance has with any other.
    pub(crate) fn margin(&self, instance: u32) -> f64 {
        let class = self.class_of[instance as usize] as usize;
        let row = &self.table[class * self.classes..][..self.classes];
        0.5 * row.iter().flatten().map(|rule| rule.tolerance).fold(0.0, f64::max)
    }
}

impl Rules {
    /// The rule of two instances in any order, without a set; `None` if they are not tested.
    ///
    /// The same as in a [`ClashDetector`](crate::ClashDetector), for programs that have a table in parts. O(r) for r rules.
    #[must_use]
    pub fn pair_rule(&self, a: &Instance, b: &Instance) -> Option<PairRule> {
        let both = |[p, q]: &[String; 2], x: &str, y: &str| {
            matches(p, x) && matches(q, y) || matches(p, y) && matches(q, x)
        };
        let is_ignored = self.ignore.iter().any(|ignore| match ignore {
            // Part of the rule of the groups.
            Ignore::Groups(_) => false,
            Ignore::Ids(names) => both(names, &a.id, &b.id),
            Ignore::Same(attribute) => match (a.attribute(attribute), b.attribute(attribute)) {
                (Some(p), Some(q)) => p == q,
                _ => false,
            },
        });
        let [p, q] = [a, b].map(|instance| signature(self, &instance.group));
        rule(self, &p, &q).filter(|_| !is_ignored)
    }

    /// For each group, half of the largest tolerance that its instances have with those of any of the groups: boxes that are
    /// grown by it overlap where the tolerance of a pair reaches from one to the other.
    ///
    /// O(g log g + c²) for g groups, of which rules tell c apart.
    #[must_use]
    pub fn margins<'g>(&self, groups: impl IntoIterator<Item = &'g str>) -> BTreeMap<&'g str, f64> {
        let signatures: BTreeMap<&str, Vec<bool>> =
            groups.into_iter().map(|group| (group, signature(self, group))).collect();
        let classes: BTreeSet<&Vec<bool>> = signatures.values().collect();
        let largest = |p: &Vec<bool>| {
            let tolerances = classes.iter().filter_map(|q| rule(self, p, q));
            tolerances.map(|rule| rule.tolerance).fold(0.0, f64::max)
        };
        let margins: BTreeMap<&Vec<bool>, f64> =
            classes.iter().map(|p| (*p, 0.5 * largest(p))).collect();
        signatures.iter().map(|(group, signature)| (*group, margins[signature])).collect()
    }
}

/// Which names of the rules are those of a group.
fn signature(rules: &Rules, group: &str) -> Vec<bool> {
    let tested = rules.test.iter().map(|rule| &rule.groups);
    let ignored = rules.ignore.iter().filter_map(|ignore| match ignore {
        Ignore::Groups(groups) => Some(groups),
        _ => None,
    });
    ignored.chain(tested).flatten().map(|name| matches(name, group)).collect()
}

/// The rule of two groups with these signatures.
fn rule(rules: &Rules, p: &[bool], q: &[bool]) -> Option<PairRule> {
    let names_both = |k: usize| p[2 * k] && q[2 * k + 1] || q[2 * k] && p[2 * k + 1];
    let ignored = rules.ignore.iter().filter(|ignore| matches!(ignore, Ignore::Groups(_))).count();
    if (0..ignored).any(names_both) {
        return None;
    }
    let Rules { tolerance, touching, .. } = *rules;
    if rules.test.is_empty() {
        return Some(PairRule { tolerance, touching });
    }
    let first = (0..rules.test.len()).find(|&k| names_both(ignored + k))?;
    let rule = &rules.test[first];
    Some(PairRule {
        tolerance: rule.tolerance.unwrap_or(tolerance),
        touching: rule.touching.unwrap_or(touching),
    })
}

/// Whether a name with at most one `*` is that of a text.
fn matches(name: &str, text: &str) -> bool {
    match name.split_once('*') {
        None => name == text,
        Some((start, end)) => {
            text.len() >= start.len() + end.len() && text.starts_with(start) && text.ends_with(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use xcollide_narrow::Model;

    use super::*;

    /// Rules of all kinds, for ids and groups of one letter and a digit.
    const RULES: &str = "tolerance = 0.25
        [[test]]
        groups = ['a*', 'b*']
        tolerance = 1.5
        [[test]]
        groups = ['c*', '*']
        touching = false
        [[test]]
        groups = ['a1', 'a1']
        [[ignore]]
        groups = ['a2', '*2']
        [[ignore]]
        ids = ['3', '5']
        [[ignore]]
        ids = ['1*', '2*']
        [[ignore]]
        same = 'floor'";

    #[test]
    fn rules_of_a_pair_are_those_of_a_set() -> Result<(), Box<dyn std::error::Error>> {
        let rules = Rules::from_toml(RULES)?;
        let mut rows = Vec::new();
        for number in 0..40_u32 {
            let group = format!("{}{}", ["a", "b", "c", "d"][number as usize % 4], number % 3);
            let attributes = match number % 7 {
                0 => Vec::new(),
                floor => vec![("floor".to_owned(), floor.to_string())],
            };
            let pose = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
            let (id, model) = (number.to_string(), String::new());
            rows.push(Instance { id, model, pose, group, attributes });
        }
        let (corners, faces) = xcollide_fixtures::cube();
        let mesh = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
        let set = InstanceSet::load(rows, |_| Model::from_mesh(mesh.clone()));
        for rules in [rules, Rules::new(), Rules::new().tolerance(0.5)] {
            let of_set = PairRules::new(&rules, &set);
            let margins = rules.margins(set.ids().map(|id| set.instance(id).group.as_str()));
            let mut wanted = 0;
            for a in set.ids() {
                let first = set.instance(a);
                assert_eq!(margins[&*first.group], of_set.margin(a.index() as u32));
                for b in set.ids().skip(a.index() + 1) {
                    let second = set.instance(b);
                    let expected = of_set.rule(a.index() as u32, b.index() as u32);
                    assert_eq!(rules.pair_rule(first, second), expected, "{first:?} {second:?}");
                    assert_eq!(rules.pair_rule(second, first), expected, "{first:?} {second:?}");
                    wanted += usize::from(expected.is_some());
                }
            }
            assert!(wanted > 100 && (rules.test.is_empty() || wanted < 600), "{wanted}");
        }
        Ok(())
    }

    #[test]
    fn a_star_stands_for_any_text() {
        for (name, text, expected) in [
            ("pipes", "pipes", true),
            ("pipes", "pipe", false),
            ("*", "", true),
            ("P-*", "P-1", true),
            ("P-*", "Q-1", false),
            ("*-1", "P-1", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
        ] {
            assert_eq!(matches(name, text), expected, "{name} {text}");
        }
    }
}
