//! Whether the narrow phase accepts all pairs that a scene wants.

use std::collections::BTreeMap;

use xcollide::brep::Topology;
use xcollide::narrow::NarrowPhase;
use xcollide_scenes::Simulation;

/// The first wanted pair that the narrow phase does not accept; `kinds` has the topology of each
/// instance's model.
///
/// Instances of one group and one topology are tested as one class, so the time is nearly linear.
pub(crate) fn first_refused(
    narrow: &dyn NarrowPhase,
    simulation: &Simulation,
    kinds: &[Topology],
) -> Option<(usize, usize)> {
    let mut classes: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, kind) in kinds.iter().enumerate() {
        let is_static = simulation.instances()[index].is_static;
        let class = (simulation.group(index), is_static, kind.bits());
        classes.entry(class).or_default().push(index);
    }
    let classes: Vec<_> = classes.into_values().collect();
    for (place, members) in classes.iter().enumerate() {
        for others in &classes[..=place] {
            let (a, b) = (members[0], others[0]);
            let accepted = narrow.accepts(kinds[a], kinds[b]) && narrow.accepts(kinds[b], kinds[a]);
            // Skips static pairs and unwanted groups, whichever members represent the classes.
            let [x, y] = [a, b].map(|index| simulation.instances()[index].is_static);
            let groups = [a, b].map(|index| simulation.group(index));
            if accepted || (x && y) || !simulation.are_groups_wanted(groups[0], groups[1]) {
                continue;
            }
            let pairs = members.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
            if let Some((a, b)) = pairs.into_iter().find(|&(a, b)| simulation.is_wanted(a, b)) {
                return Some((a.min(b), a.max(b)));
            }
        }
    }
    None
}
