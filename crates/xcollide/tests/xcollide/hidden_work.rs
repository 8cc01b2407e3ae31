//! No hidden work: after `prepare`, queries build nothing that a model keeps, and after warming up they allocate
//! nothing.

use std::collections::HashSet;

use allocation_counter::measure;
use xcollide::narrow::{Model, PairCache, PairQuery, Placed, Pose, Query, Semantics, Verdict};
use xcollide::registry::{self, Kind};
use xcollide::{Frame, World};
use xcollide_scenes::Poses;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Bodies with few and many vertices, a concave one, an open one, one of many pieces, and a soup.
const SHAPES: [&str; 7] = [
    "box",
    "polytope?vertices=200&seed=2",
    "torus?faces=60",
    "frame",
    "mobius?faces=30",
    "cubes?n=2",
    "soup?faces=30&length=0.6&seed=1",
];

fn models(shapes: &[&str]) -> Result<Vec<Model>, Box<dyn std::error::Error>> {
    shapes.iter().map(|spec| Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)).collect()
}

/// Deep, near and far, exactly touching (boxes of side 1 at distance 1), and one inside another's box.
fn poses() -> Vec<Pose> {
    let mut random = Poses::new(9);
    let mut poses: Vec<Pose> =
        [0.2, 0.8, 1.3, 2.0, 5.0].map(|distance| random.at_distance(distance).pose()).to_vec();
    poses.extend([Pose::IDENTITY, Pose::from_translation([1.0, 0.0, 0.0])]);
    poses
}

#[test]
fn after_prepare_queries_build_nothing() -> Outcome {
    let mut asked = 0;
    for entry in registry::of_kind(Kind::Narrow) {
        let Some(algorithm) = entry.narrow_phase() else { continue };
        let models = models(&SHAPES)?;
        let accepted: Vec<&Model> = models
            .iter()
            .filter(|model| algorithm.accepts(model.topology(), model.topology()))
            .collect();
        for model in &accepted {
            algorithm.prepare(model)?;
        }
        let bytes: Vec<usize> = accepted.iter().map(|model| model.prepared_bytes()).collect();
        for one in &accepted {
            for other in &accepted {
                if !algorithm.accepts(one.topology(), other.topology()) {
                    continue;
                }
                for pose in &poses() {
                    let (a, b) = (Placed::new(one, &Pose::IDENTITY)?, Placed::new(other, pose)?);
                    for semantics in [Semantics::Solid, Semantics::Surface] {
                        let query = Query::new().semantics(semantics);
                        let mut cache = PairCache::new();
                        let _ = algorithm.test(a, b, &query, &mut cache);
                        let _ = algorithm.contacts(a, b, &query, 8, &mut cache, &mut Vec::new());
                        asked += 1;
                    }
                }
            }
        }
        for (model, &before) in accepted.iter().zip(&bytes) {
            assert_eq!(model.prepared_bytes(), before, "{} of {model:?}", entry.name);
        }
    }
    assert!(asked > 5000, "{asked}");
    Ok(())
}

/// The defaults, `auto` and what it chooses from; and convex pieces in hierarchies.
const ALGORITHMS: [&str; 5] = ["auto", "hybrid", "wide-obb", "wide-compact", "compound"];

#[test]
fn queries_allocate_nothing_after_warming_up() -> Outcome {
    let (models, poses) = (models(&SHAPES)?, poses());
    let query = Query::new();
    let mut verdicts = [0; 2];
    for name in ALGORITHMS {
        let algorithm = registry::narrow_phase(name).ok_or(name)?;
        for one in &models {
            for other in &models {
                if !algorithm.accepts(one.topology(), other.topology()) {
                    continue;
                }
                for model in [one, other] {
                    algorithm.prepare(model)?;
                }
                // Where other models touch exactly, faces in one plane may need exact arithmetic, which allocates.
                let is_box = |model: &Model| model.mesh().face_count() == 6;
                let asked = if is_box(one) && is_box(other) { &poses[..] } else { &poses[..6] };
                let mut cache = PairCache::new();
                let mut all = |cache: &mut PairCache| -> Outcome {
                    for pose in asked {
                        let a = Placed::new(one, &Pose::IDENTITY)?;
                        let verdict = algorithm.test(a, Placed::new(other, pose)?, &query, cache);
                        verdicts[usize::from(verdict.is_collision())] += 1;
                    }
                    Ok(())
                };
                // Twice: the lists of pieces of the last query and of this one take turns.
                all(&mut cache)?;
                all(&mut cache)?;
                let mut result = Ok(());
                let counted = measure(|| result = all(&mut cache));
                result?;
                assert_eq!(counted.count_total, 0, "{name}: {one:?} and {other:?}");
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 100), "{verdicts:?}");
    Ok(())
}

#[test]
fn batches_allocate_nothing_after_warming_up() -> Outcome {
    let (models, poses) = (models(&SHAPES)?, poses());
    let algorithm = registry::narrow_phase("auto").ok_or("auto")?;
    for model in &models {
        algorithm.prepare(model)?;
    }
    let mut caches: Vec<PairCache> =
        (0..models.len() * poses.len()).map(|_| PairCache::new()).collect();
    let mut pairs = Vec::new();
    for ((number, pose), cache) in (0..models.len())
        .flat_map(|number| poses.iter().map(move |pose| (number, pose)))
        .zip(&mut caches)
    {
        let a = Placed::new(&models[number], &Pose::IDENTITY)?;
        let b = Placed::new(&models[(number + 1) % 2], pose)?;
        pairs.push(PairQuery { a, b, cache });
    }
    let mut verdicts = Vec::new();
    for _ in 0..2 {
        algorithm.test_many(&mut pairs, &Query::new(), &mut verdicts);
    }
    let expected = verdicts.clone();
    let counted = measure(|| algorithm.test_many(&mut pairs, &Query::new(), &mut verdicts));
    assert_eq!(verdicts.len(), expected.len());
    assert!(verdicts.iter().map(Verdict::decided).eq(expected.iter().map(Verdict::decided)));
    assert_eq!(counted.count_total, 0);
    Ok(())
}

/// Bodies that oscillate in a crowd. After some periods only frames with a new candidate pair allocate, for its
/// cache. Nothing is exactly aligned: exact arithmetic with big integers allocates.
#[test]
fn a_check_without_new_pairs_allocates_nothing_after_warming_up() -> Outcome {
    check_a_crowd(28, 4, &SHAPES, "all-pairs")
}

/// The same with neighbour lists, which are made anew every few frames, in steps.
#[test]
fn neighbour_lists_allocate_nothing_after_warming_up() -> Outcome {
    check_a_crowd(
        1100,
        10,
        &["polytope?vertices=30&seed=2", "frame", "torus?faces=24"],
        "neighbour-list on hash-grid",
    )
}

/// The pairs whose boxes overlap, by a sweep along x.
fn overlapping<'a>(
    bodies: impl Iterator<Item = (&'a Model, &'a Pose)>,
) -> Result<HashSet<[usize; 2]>, Box<dyn std::error::Error>> {
    let mut boxes = Vec::new();
    for (number, (model, pose)) in bodies.enumerate() {
        boxes.push((Placed::new(model, pose)?.world_box(), number));
    }
    boxes.sort_by(|(a, _), (b, _)| a.min[0].total_cmp(&b.min[0]));
    let mut pairs = HashSet::new();
    for (at, (first, i)) in boxes.iter().enumerate() {
        let near = boxes[at + 1..].iter().take_while(|(second, _)| second.min[0] <= first.max[0]);
        let met = near.filter(|(second, _)| first.overlaps(second));
        pairs.extend(met.map(|&(_, j)| [*i.min(&j), *i.max(&j)]));
    }
    Ok(pairs)
}

/// `count` bodies in a grid with `row` of them in a row.
fn check_a_crowd(count: u32, row: u32, shapes: &[&str], choice: &str) -> Outcome {
    const PERIOD: usize = 32;
    // Lists that are made in steps use two sets of memory in turns.
    let warm_up = if count > 1024 { 8 * PERIOD } else { 4 * PERIOD };
    let mut world = World::new();
    let models = models(shapes)?;
    let mut objects = Vec::new();
    for number in 0..count {
        let at = [number % row, number / row % row, number / (row * row)].map(f64::from);
        let aside = f64::from(number * 7919 % 97) * 1.7e-4;
        let at = [at[0] * 1.03 + aside, at[1] * 1.07 - aside, at[2] * 0.97 + 0.7 * aside];
        let model = &models[number as usize % models.len()];
        objects.push((world.add(model, &Pose::from_translation(at))?, model, at));
    }
    let mut frame = Frame::new();
    let (mut before, mut counted, mut began, mut lists_made) = (HashSet::new(), 0, 0, 0);
    for step in 0..warm_up + 2 * PERIOD {
        // All together, so that boxes leave their fat boxes and lists are made while pairs stay the same.
        let drift = 0.02 * step as f64 * f64::from(u8::from(count > 100));
        let poses: Vec<Pose> = objects
            .iter()
            .enumerate()
            .map(|(number, &(_, _, [x, y, z]))| {
                let phase = (step + 5 * number) % PERIOD;
                // Few, so that in some frames no pair is new; in every second period of a crowd none.
                let rests = count > 100 && step / PERIOD % 2 == 1;
                let moves = f64::from(u8::from(number % (count as usize / 7) == 0 && !rests));
                let shift = phase.min(PERIOD - phase) as f64 * 0.019 * moves;
                Pose::from_translation([x + shift, y + drift, z - shift])
            })
            .collect();
        // Allocations are counted after the warm-up, where no pair is new since the step before.
        let bodies = objects.iter().zip(&poses).map(|(&(_, model, _), pose)| (model, pose));
        let pairs = if step + 1 < warm_up { HashSet::new() } else { overlapping(bodies)? };
        let mut check = || -> Result<(), xcollide::WorldError> {
            for (&(object, _, _), pose) in objects.iter().zip(&poses) {
                world.set_pose(object, pose)?;
            }
            world.check_into(&mut frame);
            Ok(())
        };
        let mut result = Ok(());
        let allocations = measure(|| result = check()).count_total;
        result?;
        if step >= warm_up && pairs.is_subset(&before) {
            assert_eq!(allocations, 0, "step {step}");
            (counted, began) = (counted + 1, began + frame.began.len());
            lists_made += frame.stats.broad.moves;
        }
        before = pairs;
    }
    assert_eq!(world.broad_phase().choice(), choice);
    assert!(lists_made > 0 || choice == "all-pairs");
    assert!(counted > 5 && began > 5, "{counted} frames, in which {began} contacts began");
    Ok(())
}

/// Vertices that move in place: after the first times, models, the default hierarchies and worlds allocate nothing, while
/// their boxes stay as good as they were.
#[test]
fn vertices_that_move_in_place_allocate_nothing_after_warming_up() -> Outcome {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| in_place().map_err(|error| error.to_string()))?;
    Ok(())
}

fn in_place() -> Outcome {
    let mut world = World::new();
    let mut frame = Frame::new();
    for spec in ["sheet?cells=12&side=2", "torus?faces=9000", "box"] {
        let mut model = Model::from_mesh(xcollide_scenes::shape(spec)?)?;
        let start = model.mesh().positions().to_vec();
        let waved = |time: usize| -> Vec<[f64; 3]> {
            let bend = 0.02 * (time % 5) as f64;
            let wave = |[x, y, z]: [f64; 3]| [x, y, z + bend * x * x];
            start.iter().map(|&position| wave(position)).collect()
        };
        let frames: Vec<_> = (0..12).map(waved).collect();
        registry::narrow_phase("wide-obb").ok_or("wide-obb")?.prepare(&model)?;
        let object = world.add(&Model::from_mesh(model.mesh().clone())?, &Pose::IDENTITY)?;
        for (time, positions) in frames.iter().enumerate() {
            let mut moved = Ok(());
            let counted = measure(|| moved = model.set_positions(positions));
            moved?;
            assert!(time < 2 || counted.count_total == 0, "{spec} at {time}: {counted:?}");
            let mut set = Ok(());
            let counted = measure(|| {
                set = world.set_vertices(object, positions);
                world.check_into(&mut frame);
            });
            set?;
            assert!(time < 3 || counted.count_total == 0, "{spec} at {time}: {counted:?}");
        }
        let tree = registry::narrow_phase("wide-obb").ok_or("wide-obb")?.prepared_bytes(&model);
        assert!(tree.is_some(), "it was refitted");
        world.remove(object)?;
    }
    Ok(())
}
