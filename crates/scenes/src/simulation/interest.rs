//! Which pairs of objects are tested.

use crate::Scene;

/// The scene's rules, evaluated for every pair of groups.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    pub(super) of_object: Vec<usize>,
    pub(super) names: Vec<String>,
    /// By pair of groups, row by row.
    wanted: Vec<bool>,
}

impl Groups {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut names: Vec<&str> =
            scene.objects.iter().map(|object| object.group.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let number = |name: &str| names.partition_point(|known| *known < name);
        let of_object = scene.objects.iter().map(|object| number(&object.group)).collect();
        let count = names.len();
        let wanted = |pair: usize| {
            let [a, b] = [names[pair / count], names[pair % count]];
            let last = scene.interest.iter().rev().find(|rule| rule.covers(a, b));
            last.is_none_or(|rule| rule.on)
        };
        let wanted = (0..count * count).map(wanted).collect();
        let names = names.into_iter().map(str::to_owned).collect();
        Self { of_object, names, wanted }
    }

    pub(super) fn are_wanted(&self, a: usize, b: usize) -> bool {
        self.wanted[a * self.names.len() + b]
    }
}
