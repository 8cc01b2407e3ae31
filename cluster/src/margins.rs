//! By how much boxes are grown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xcollide_bounds::Aabb;
use xcollide_clash::Rules;

/// The margin of each group: half of the largest tolerance that its instances have with any other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Margins {
    /// Those of most groups.
    most: f64,
    /// The others.
    groups: BTreeMap<String, f64>,
}

impl Margins {
    /// The margins by rules, where a table has these groups.
    #[must_use]
    pub fn new<'g>(rules: &Rules, groups: impl IntoIterator<Item = &'g str>) -> Self {
        let margins = rules.margins(groups);
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        // As bits, which are in the order of the numbers if these are not negative.
        margins.values().for_each(|margin| *counts.entry(margin.to_bits()).or_default() += 1);
        let most = counts.iter().max_by_key(|(_, count)| **count);
        let most = most.map_or(0.0, |(bits, _)| f64::from_bits(*bits));
        let others = margins.into_iter().filter(|(_, margin)| *margin != most);
        Self { most, groups: others.map(|(group, margin)| (group.to_owned(), margin)).collect() }
    }

    /// The box of an instance of a group, grown, as in memory.
    #[must_use]
    pub fn grown(&self, of: &Aabb, group: &str) -> Aabb {
        let margin = self.groups.get(group).copied().unwrap_or(self.most);
        if margin > 0.0 { of.expanded(margin) } else { *of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_half_of_the_largest_tolerance() -> Result<(), Box<dyn std::error::Error>> {
        let text = "tolerance = 0.5\n[[test]]\ngroups = ['a', '*']\ntolerance = 2.0\n[[test]]\ngroups = ['b', 'c']";
        let rules = Rules::from_toml(text)?;
        let margins = Margins::new(&rules, ["a", "b", "c", "d"]);
        let unit = Aabb { min: [0.0; 3], max: [1.0; 3] };
        for group in ["a", "b", "c", "d"] {
            assert_eq!(margins.grown(&unit, group), unit.expanded(1.0), "{group}");
        }
        let alone = Margins::new(&rules, ["b", "c"]);
        assert_eq!(alone.grown(&unit, "c"), unit.expanded(0.25));
        assert_eq!(Margins::new(&Rules::new(), ["", "b"]).grown(&unit, ""), unit);
        Ok(())
    }
}
