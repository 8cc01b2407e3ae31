//! Any text, read as a scene: a scene that can be written and read again, or an error. Small scenes run some frames.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xcollide_scenes::{Scene, Simulation};

fuzz_target!(|text: &str| {
    let Ok(scene) = Scene::from_toml(text, "scene.toml") else { return };
    let written = scene.to_toml();
    let again = Scene::from_toml(&written, "scene.toml").expect("what was written is read");
    assert_eq!(again.to_toml(), written);
    if scene.instance_count() > 32 || text.contains("faces") || text.contains("depth") {
        // Large shapes only take time.
        return;
    }
    let Ok(mut simulation) = Simulation::new(&scene) else { return };
    for _ in 0..3 {
        simulation.advance();
        assert!(
            simulation.poses().iter().all(|pose| pose.translation().iter().all(|x| !x.is_nan()))
        );
    }
});
