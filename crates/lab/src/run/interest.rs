//! The interest matrix of a scene. It excludes pairs of static objects, pairs within a rigid piece, and
//! pairs of groups that the scene excludes.

use std::collections::BTreeMap;

use xcollide::interest::InterestMatrix;
use xcollide::{ObjectId, World};
use xcollide_scenes::Simulation;

/// Groups with a matrix group of their own; all others share the last one.
const OWN: usize = InterestMatrix::GROUPS - 1;

/// Fills the world's interest matrix; instance `i` is object `ids[i]`.
///
/// Takes linear time, except for pairs that are excluded one by one: those within a rigid piece, and
/// those of groups after the first 63 (the static objects of a group form a group of their own).
pub(crate) fn set_interest(world: &mut World, simulation: &Simulation, ids: &[ObjectId]) {
    let instances = simulation.instances();
    // Apart from rigid pieces, the members of a class have equal rules.
    let mut classes: BTreeMap<(usize, bool), Vec<usize>> = BTreeMap::new();
    for (index, instance) in instances.iter().enumerate() {
        classes.entry((simulation.group(index), instance.is_static)).or_default().push(index);
    }
    let classes: Vec<_> = classes.into_iter().collect();
    let interest = world.interest_mut();
    for (number, (_, members)) in classes.iter().enumerate() {
        for &member in members {
            interest.set_group(ids[member], number.min(OWN) as u8);
        }
    }
    for (one, ((group, fixed), members)) in classes.iter().enumerate() {
        for (other, ((partner, is_fixed), others)) in classes[..=one].iter().enumerate() {
            if simulation.are_groups_wanted(*group, *partner) && !(*fixed && *is_fixed) {
                continue;
            }
            if one < OWN {
                interest.set_groups(one as u8, other as u8, false);
                continue;
            }
            for &a in members {
                for &b in others {
                    interest.set_pair(ids[a], ids[b], false);
                }
            }
        }
    }
    let mut pieces: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..instances.len() {
        pieces.entry(simulation.piece(index)).or_default().push(index);
    }
    for relatives in pieces.values() {
        for (place, &a) in relatives.iter().enumerate() {
            for &b in &relatives[..place] {
                interest.set_pair(ids[a], ids[b], false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide::narrow::{Model, Pose};
    use xcollide_scenes::{Object, Rule, Scene};

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// The world wants exactly the pairs that the scene wants; returns how many those are.
    fn agree(scene: &Scene) -> Result<usize, Box<dyn std::error::Error>> {
        let simulation = Simulation::new(scene)?;
        let model = Model::from_mesh(xcollide_scenes::shape("shape:box")?)?;
        let mut world = World::new();
        let count = simulation.instances().len();
        let ids: Result<Vec<_>, _> =
            (0..count).map(|_| world.add(&model, &Pose::IDENTITY)).collect();
        let ids = ids?;
        set_interest(&mut world, &simulation, &ids);
        let mut wanted = 0;
        for a in 0..count {
            for b in 0..count {
                let expected = simulation.is_wanted(a, b);
                if a != b {
                    assert_eq!(world.interest().wants(ids[a], ids[b]), expected, "{a}, {b}");
                }
                wanted += usize::from(expected);
            }
        }
        Ok(wanted)
    }

    #[test]
    fn rules_statics_and_assemblies_are_told() -> Outcome {
        let text = "name = 'a'
            interest = [{ groups = ['sky', 'sky'], on = false }, { groups = ['', 'sea'], on = false }]
            [[objects]]\nname = 'planet'\nmesh = 'shape:box'\nstatic = true\ngroup = 'sky'
            [[objects]]\nmesh = 'shape:box'\nparent = 'planet'\nposes = [[1, 0, 0], [2, 0, 0], [3, 0, 0]]
            [[objects]]\nmesh = 'shape:box'\nstatic = true\nposes = [[1, 0, 0], [2, 0, 0]]
            [[objects]]\nmesh = 'shape:box'\nposes = [[1, 0, 0], [2, 0, 0]]
            [[objects]]\nmesh = 'shape:box'\ngroup = 'sea'\nposes = [[1, 0, 0], [2, 0, 0]]
            [[objects]]\nmesh = 'shape:box'\ngroup = 'sky'\nposes = [[1, 0, 0], [2, 0, 0]]
            [[objects]]\nmesh = 'shape:box'\nname = 'arm'\nparent = 'planet'\njointed = true
            [[objects]]\nmesh = 'shape:box'\nparent = 'arm'\npose = [1, 0, 0]";
        assert!(agree(&Scene::from_toml(text, "a.toml")?)? > 20);
        Ok(())
    }

    /// A scene may have more groups than the matrix.
    #[test]
    fn groups_beyond_those_of_the_matrix_are_told_pair_by_pair() -> Outcome {
        let mut scene = Scene::new("groups");
        for group in 0..100 {
            let mut object = Object::new("", "shape:box");
            object.group = format!("{group:03}");
            object.is_static = group % 3 == 0;
            scene.objects.push(object);
        }
        for group in 0..90 {
            let pair = [group, group * 7 % 100].map(|group| format!("{group:03}"));
            scene.interest.push(Rule::new(&pair[0], &pair[1], false));
        }
        scene.interest.push(Rule::new("*", "077", false));
        let wanted = agree(&scene)?;
        assert!(wanted > 5000 && wanted < 100 * 99 - 34 * 33, "{wanted}");
        Ok(())
    }
}
