//! The objects of a scene as obstacles of a robot.

use std::ffi::OsStr;

use xcollide::robot::Robot;
use xcollide_scenes::Simulation;

use crate::exit::Failure;
use crate::run::{Source, models};

/// Adds all instances of a scene where its first frame has them: under the names of their objects, followed
/// by `#` and a number from 1 if there are several.
pub(super) fn add(scene: &OsStr, robot: &mut Robot) -> Result<(), Failure> {
    let mut source = Source::open(Some(scene))?;
    source.resolve(None, None)?;
    let Source { name, scene, mut files } = source;
    let wrong = |error: String| Failure::bad_input(format!("{name}: {error}"));
    let simulation =
        Simulation::with_files(&scene, &mut files).map_err(|error| wrong(error.to_string()))?;
    let models = models(&simulation).map_err(wrong)?;
    for (instance, pose) in simulation.instances().iter().zip(simulation.poses()) {
        let object = &scene.objects[instance.object];
        let mut name = object.name.clone();
        if object.count > 1 {
            name = format!("{name}#{}", instance.number + 1);
        }
        let added = robot.add_obstacle(&name, &models[instance.mesh], pose);
        added.map_err(|error| wrong(error.to_string()))?;
    }
    Ok(())
}
