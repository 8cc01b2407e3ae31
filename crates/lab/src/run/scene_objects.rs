//! The instances of a scene as models and objects of a world.

use std::collections::BTreeMap;

use xcollide::brep::PolygonMesh;
use xcollide::narrow::{Model, NarrowPhase};
use xcollide::robot::model_of_formula;
use xcollide::{ObjectId, World, WorldError};
use xcollide_scenes::{Formula, Simulation};

/// A new model of each mesh, or of the formula that it draws. The error names the first object of the mesh.
pub(crate) fn models(simulation: &Simulation) -> Result<Vec<Model>, String> {
    let model = |(number, (mesh, formula)): (usize, (&PolygonMesh, &Option<Formula>))| {
        let model = match formula {
            Some(formula) => model_of_formula(formula).map_err(|error| error.to_string()),
            None => Model::from_mesh(mesh.clone()).map_err(|error| error.to_string()),
        };
        model.map_err(|error| {
            let object = simulation.instances().iter().position(|one| one.mesh == number);
            format!("object {}: {error}", object.unwrap_or_default())
        })
    };
    simulation.meshes().iter().zip(simulation.formulas()).enumerate().map(model).collect()
}

/// Adds all instances at their current poses. Returns their ids, in order.
pub(crate) fn add_objects(
    world: &mut World,
    simulation: &Simulation,
    models: &[Model],
) -> Result<Vec<ObjectId>, String> {
    let instances = simulation.instances().iter().zip(simulation.poses()).enumerate();
    let added = instances.map(|(object, (instance, pose))| {
        let refused = |error: WorldError| format!("object {object}: {error}");
        let id = world.add(&models[instance.mesh], pose).map_err(refused)?;
        world.set_static(id, instance.is_static).map_err(refused)?;
        Ok(id)
    });
    added.collect()
}

/// The first wanted pair that the narrow phase does not accept.
///
/// Instances of one group and one topology are tested as one class, so the time is nearly linear.
pub(crate) fn first_refused(
    narrow: &dyn NarrowPhase,
    simulation: &Simulation,
    models: &[Model],
) -> Option<(usize, usize)> {
    let instances = simulation.instances().iter();
    let is_formula = |index: usize| models[simulation.instances()[index].mesh].formula().is_some();
    let kinds: Vec<_> = instances.map(|instance| models[instance.mesh].topology()).collect();
    let mut classes: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    // A world tests formulas with any narrow phase.
    for (index, kind) in kinds.iter().enumerate().filter(|(index, _)| !is_formula(*index)) {
        let is_static = simulation.instances()[index].is_static;
        let class = (simulation.group(index), is_static, kind.bits());
        classes.entry(class).or_default().push(index);
    }
    let classes: Vec<_> = classes.into_values().collect();
    for (place, members) in classes.iter().enumerate() {
        for others in &classes[..=place] {
            let (a, b) = (members[0], others[0]);
            let accepted = narrow.accepts(kinds[a], kinds[b]) && narrow.accepts(kinds[b], kinds[a]);
            // All members of a class agree on being static and on their group.
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
