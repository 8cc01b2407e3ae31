//! The layers of a world do not change its frames.

use xcollide::bounds::Obb;
use xcollide::narrow::Guarantee;
use xcollide::narrow::classic::Arbitrary;
use xcollide::narrow::classic::Perceptron;
use xcollide::narrow::combine::{Chain, Race};
use xcollide::narrow::convex::Hybrid;
use xcollide::narrow::mesh::{BinaryTrees, Wide};
use xcollide::registry::{self, Entry, Kind};
use xcollide::{World, WorldBuilder};
use xcollide_fixtures::long_run;
use xcollide_scenes::Random;

use super::Outcome;
use super::cage::{Log, log_in_step_of, log_of, truth};

/// Narrow phases that take any model.
fn narrow() -> Vec<&'static Entry> {
    let exact = |entry: &&Entry| entry.guarantee == Guarantee::Exact;
    registry::of_kind(Kind::Narrow).filter(exact).collect()
}

/// A builder with the named layers and defaults.
fn with(mut builder: WorldBuilder, layers: &[&Entry], threads: bool) -> WorldBuilder {
    for layer in layers {
        if let Some(narrow) = layer.narrow_phase() {
            builder = builder.boxed_narrow_phase(narrow);
        }
        if let Some(broad) = layer.broad_phase(threads) {
            builder = builder.boxed_broad_phase(broad);
        }
        if let Some(bounding) = layer.bounding() {
            builder = builder.boxed_bounding(bounding);
        }
        if let Some(execution) = layer.execution() {
            builder = builder.boxed_execution(execution);
        }
    }
    builder
}

fn agrees(layers: &[&Entry], threads: bool, count: usize, truth: &Log) -> Outcome {
    let names: Vec<&str> = layers.iter().map(|layer| layer.name).collect();
    let world = with(World::builder(), layers, threads).build();
    // It takes the whole world and is no layer.
    let log = if layers.iter().any(|layer| layer.name == "concurrent") {
        log_in_step_of(world, count, truth.len())?
    } else {
        log_of(world, count, truth.len(), |_, _| ())?
    };
    assert_eq!(log, *truth, "{names:?}");
    Ok(())
}

/// A log must have many events of each kind to prove something.
fn eventful(log: &Log, at_least: usize) {
    let sum = |count: fn(&super::cage::Entry) -> usize| log.iter().map(count).sum::<usize>();
    let counts = [sum(|e| e.began.len()), sum(|e| e.persisting.len()), sum(|e| e.ended.len())];
    assert!(counts.iter().all(|&count| count >= at_least), "{counts:?}");
}

#[test]
fn every_layer_gives_the_log_of_brute_force() -> Outcome {
    let (count, frames) = (14, 14);
    let truth = truth(count, frames)?;
    eventful(&truth, 10);
    for layer in narrow() {
        agrees(&[layer], false, count, &truth)?;
    }
    for broad in registry::of_kind(Kind::Broad) {
        for bounds in registry::of_kind(Kind::Bounds) {
            for execution in registry::of_kind(Kind::Execution) {
                let threads = execution.name != "serial";
                agrees(&[broad, bounds, execution], threads, count, &truth)?;
            }
        }
    }
    Ok(())
}

/// Whether a broad phase uses these bounds if they are tighter than boxes; the default stands for
/// all that do not. (The short test has all broad phases with all bounds.)
fn looks_at(broad: &str, bounds: &str) -> bool {
    match bounds {
        "oriented" => ["auto", "grid-stabbed"].contains(&broad),
        "k-dop" => ["auto", "slab-octree"].contains(&broad),
        _ => true,
    }
}

#[test]
fn every_combination_gives_the_log_of_brute_force_soak() -> Outcome {
    /// Of so many combinations a sample has one.
    const OF: usize = 100;
    let run = long_run(1, OF as u64);
    let mut number = 0;
    let (count, frames) = (24, 30);
    let truth = truth(count, frames)?;
    eventful(&truth, 60);
    for narrow in narrow() {
        for broad in registry::of_kind(Kind::Broad) {
            for bounds in registry::of_kind(Kind::Bounds) {
                if !looks_at(broad.name, bounds.name) {
                    continue;
                }
                // Other modes do not affect broad phase and boxes; see `grain`.
                let executions = registry::of_kind(Kind::Execution);
                let here = ["serial", "parallel", "concurrent"];
                for execution in executions.filter(|e| here.contains(&e.name)) {
                    number += 1;
                    if !run.picks(number, OF) {
                        continue;
                    }
                    let threads = execution.name != "serial";
                    agrees(&[narrow, broad, bounds, execution], threads, count, &truth)?;
                }
            }
        }
    }
    Ok(())
}

/// `Race` in a world that tests several pairs at a time.
#[test]
fn races_give_the_log_of_brute_force() -> Outcome {
    let (count, frames) = (14, 14);
    let truth = truth(count, frames)?;
    let races: [fn(WorldBuilder) -> WorldBuilder; 3] = [
        |builder| builder.narrow_phase(Race(Arbitrary::default(), Perceptron::default())),
        |builder| builder.narrow_phase(Race(Hybrid::default(), Wide::new())),
        |builder| builder.narrow_phase(Chain(Perceptron::default(), BinaryTrees::<Obb>::new())),
    ];
    for race in races {
        for execution in registry::of_kind(Kind::Execution) {
            let builder = with(race(World::builder()), &[execution], true);
            let log = if execution.name == "concurrent" {
                log_in_step_of(builder.build(), count, frames)?
            } else {
                log_of(builder.build(), count, frames, |_, _| ())?
            };
            assert_eq!(log, truth, "{}", execution.name);
        }
    }
    Ok(())
}

#[test]
fn a_long_history_is_that_of_brute_force_soak() -> Outcome {
    /// Of so many layers a sample has one.
    const OF: usize = 10;
    let run = long_run(100, 500);
    let (count, frames) = (30, run.cases as usize);
    let truth = truth(count, frames)?;
    eventful(&truth, frames / 2);
    for (number, broad) in registry::of_kind(Kind::Broad).enumerate() {
        for execution in registry::of_kind(Kind::Execution).filter(|_| run.picks(number, OF)) {
            agrees(&[broad, execution], execution.name != "serial", count, &truth)?;
        }
    }
    for (_, narrow) in narrow().into_iter().enumerate().filter(|(number, _)| run.picks(*number, OF))
    {
        agrees(&[narrow], false, count, &truth)?;
    }
    Ok(())
}

/// A running world whose layers are replaced at random before every frame gives the same frames.
#[test]
fn layers_can_be_swapped_while_the_world_runs() -> Outcome {
    let (count, frames) = (14, 60);
    let truth = truth(count, frames)?;
    let mut random = Random::new(11);
    let mut pick = |kind: Kind| {
        let entries: Vec<_> =
            registry::of_kind(kind).filter(|entry| entry.guarantee == Guarantee::Exact).collect();
        entries[random.between(0.0, entries.len() as f64 - 0.001) as usize]
    };
    let log = log_of(World::new(), count, frames, |frame, world| {
        if let Some(layer) = pick(Kind::Narrow).narrow_phase().filter(|_| frame % 4 != 1) {
            world.set_narrow_phase(layer);
        }
        let threads = frame % 2 == 0;
        if let Some(layer) = pick(Kind::Broad).broad_phase(threads).filter(|_| frame % 4 != 2) {
            world.set_broad_phase(layer);
        }
        if let Some(layer) = pick(Kind::Bounds).bounding().filter(|_| frame % 4 != 3) {
            world.set_bounding(layer);
        }
        if let Some(layer) = pick(Kind::Execution).execution() {
            world.set_execution(layer);
        }
    })?;
    assert_eq!(log, truth);
    Ok(())
}

/// Coherent caches give the same answers.
#[test]
fn coherent_pairs_give_the_log_of_brute_force() -> Outcome {
    let (count, frames) = (14, 30);
    let world = World::builder().coherent(true).build();
    assert_eq!(log_of(world, count, frames, |_, _| ())?, truth(count, frames)?);
    Ok(())
}
