//! The names of a scene's instances, for people.

use std::collections::BTreeMap;

use xcollide_scenes::{Scene, Simulation};

/// A name for each instance: that of its object, followed by the instance's number in the scene if others have the same.
pub(crate) fn instance_names(scene: &Scene, simulation: &Simulation) -> Vec<String> {
    let plain = |object: usize| match &*scene.objects[object].name {
        "" => "object",
        name => name,
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for instance in simulation.instances() {
        *counts.entry(plain(instance.object)).or_default() += 1;
    }
    let named = simulation.instances().iter().enumerate().map(|(number, instance)| {
        let name = plain(instance.object);
        if counts[name] == 1 { name.to_owned() } else { format!("{name} {number}") }
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_scenes::{Object, Start};

    #[test]
    fn names_have_numbers_where_they_are_not_enough() -> Result<(), Box<dyn std::error::Error>> {
        let mut scene = Scene::new("names");
        for (name, count) in [("wall", 1), ("ball", 2), ("", 1), ("", 1)] {
            let mut object = Object::new(name, "shape:box");
            object.count = count;
            object.start = Start::Random { within: Some([[-9.0; 3], [9.0; 3]]), turned: false };
            scene.objects.push(object);
        }
        let names = instance_names(&scene, &Simulation::new(&scene)?);
        assert_eq!(names, ["wall", "ball 1", "ball 2", "object 3", "object 4"]);
        Ok(())
    }
}
