//! Scenes written and read again.

use proptest::prelude::*;
use xcollide_scenes::{
    CageBox, CageSize, Clay, Cloth, Ending, Flexible, HeightField, Heights, Keep, MeshSource,
    Motion, MotionPromise, Object, Placement, Random, Recording, Response, Rule, Scene, Speed,
    Start, TestSchedule, Way, names, scenes,
};

use super::scene;

fn again(scene: &Scene) -> Scene {
    let text = scene.to_toml();
    Scene::from_toml(&text, "again.toml").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn embedded_scenes_are_the_same_after_a_file() {
    for name in names() {
        assert_eq!(again(&scene(name)), scene(name), "{name}");
    }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-1e3..1e3f64, Just(0.0), Just(-0.0), Just(1e-7), Just(5e99), Just(-1.0 / 3.0)]
}

fn vector() -> impl Strategy<Value = [f64; 3]> {
    [number(), number(), number()]
}

fn poses(count: usize) -> impl Strategy<Value = Vec<Placement>> {
    let pose = (any::<u64>(), 0..3, vector()).prop_map(|(seed, form, translation)| {
        let turned = Placement::turned(Random::new(seed).rotation(), translation);
        match form {
            0 => Placement::at(translation),
            1 => turned,
            _ => Placement::from(turned.pose()),
        }
    });
    prop::collection::vec(pose, count)
}

fn axis() -> impl Strategy<Value = [f64; 3]> {
    any::<u64>().prop_map(|seed| Random::new(seed).direction().map(|value| 3.0 * value))
}

fn motion() -> impl Strategy<Value = Motion> {
    let way = prop_oneof![
        vector().prop_map(Way::Along),
        (0.0..1e3f64).prop_map(|speed| Way::Random(Speed::Units(speed))),
        (0.0..1e3f64).prop_map(|speed| Way::Random(Speed::Radii(speed))),
    ];
    let free = (way, prop::option::of(axis()), -1e3..1e3f64)
        .prop_map(|(way, axis, degrees)| Motion::Free { way, axis, degrees });
    let orbit = (vector(), axis(), -1e3..1e3f64)
        .prop_map(|(center, axis, degrees)| Motion::Orbit { center, axis, degrees });
    prop_oneof![Just(Motion::Fixed), free, orbit]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,8}", "\\PC{1,12}", Just("a\"b\\c\n\t\u{7f}\r#'".to_owned())]
}

fn recording() -> impl Strategy<Value = Motion> {
    let poses = prop_oneof![
        (1..4usize).prop_flat_map(poses).prop_map(Recording::Listed),
        text().prop_map(Recording::File)
    ];
    let ending = prop_oneof![Just(Ending::Stay), Just(Ending::Repeat)];
    (poses, ending).prop_map(|(poses, ending)| Motion::Recorded { poses, ending })
}

fn object() -> impl Strategy<Value = Object> {
    let look =
        (text(), 1e-3..1e3f64, any::<bool>(), prop::option::of([0.0..1f64, 0.0..1.0, 0.0..1.0]));
    let start = (1..4usize).prop_flat_map(|count| {
        let random = (prop::option::of(vector()), any::<bool>()).prop_map(|(corner, turned)| {
            let within = corner.map(|corner| [corner, corner.map(|value| value + 1.0)]);
            Start::Random { within, turned }
        });
        (Just(count), prop_oneof![poses(count).prop_map(Start::At), random])
    });
    let rest = (motion(), text(), prop::option::of(1e-3..1e3f64), 0..5usize);
    let flexible = prop::option::of(flexible());
    let promise = (0.0..9.0f64, prop_oneof![Just([0.0; 3]), axis()])
        .prop_map(|(acceleration, axis)| MotionPromise::new(acceleration, axis));
    (look, start, rest, recording(), flexible, prop::option::of(promise)).prop_map(
        |(look, (count, start), rest, recording, flexible, promise)| {
            let mut object = Object::new("", &look.0);
            (object.scale, object.centered, object.color) = (look.1, look.2, look.3);
            (object.count, object.start) = (count, start);
            (object.motion, object.group, object.mass, object.variants) = rest;
            if count == 1 && object.variants > 2 {
                object.motion = recording;
            }
            object.is_static = object.motion == Motion::Fixed;
            object.flexible = flexible.filter(|_| count == 1);
            if let Some(Flexible::Cloth(_)) = object.flexible {
                (object.motion, object.is_static) = (Motion::Fixed, false);
            }
            object.promise = promise.filter(|_| object.motion != Motion::Fixed);
            if object.variants == 1 {
                object.mesh = MeshSource::HeightField(ground(&object));
            }
            object
        },
    )
}

/// Ground with the numbers of an object.
fn ground(object: &Object) -> HeightField {
    let heights = match object.mass {
        Some(mass) => Heights::Listed(vec![vec![0.0, mass, -mass], vec![-0.0, 1e-7, mass / 3.0]]),
        None => Heights::File(object.group.clone()),
    };
    let cell = if object.centered { [1.0; 2] } else { [object.scale, 0.1] };
    HeightField { heights, cell, floor: -object.scale }
}

fn flexible() -> impl Strategy<Value = Flexible> {
    let fixed = prop::collection::vec(any::<u32>(), 0..4);
    let cloth = (1e-3..1.0f64, vector(), 0.0..1.0f64, 0.0..1.0f64, fixed).prop_map(
        |(thickness, gravity, bending, friction, fixed)| {
            Flexible::Cloth(Cloth { thickness, gravity, bending, friction, fixed })
        },
    );
    let clay = (1e-3..1.0f64, 0.0..180.0f64, 180.0..360.0f64, 0..1000usize).prop_map(
        |(depth, low, high, scans)| Flexible::Clay(Clay { depth, angles: [low, high], scans }),
    );
    prop_oneof![cloth, clay]
}

pub(crate) fn any_scene() -> impl Strategy<Value = Scene> {
    let size = prop_oneof![
        vector()
            .prop_map(|min| CageSize::Box { min, max: min.map(|value| value + value.abs() + 1.0) }),
        (1e-6..1.0f64).prop_map(CageSize::Density),
    ];
    let keep = prop_oneof![Just(Keep::Body), Just(Keep::Origin)];
    let head = (text(), text(), any::<u64>(), 1..1_000_000usize, 0..Response::ALL.len());
    let name = || prop::option::of(text());
    let schedule = (1..9usize, name(), prop::option::of(vector()), 0.0..9.0f64, any::<bool>())
        .prop_map(|(tests, order, viewer, speed, assume_contact)| {
            let mut schedule = TestSchedule::new(tests);
            (schedule.order, schedule.viewer, schedule.speed) = (order, viewer, speed);
            schedule.assume_contact = assume_contact;
            schedule
        });
    let schedule = prop::option::of(schedule);
    let tail = (size, keep, [name(), name(), name(), name(), name(), name(), name()], schedule);
    (head, tail, prop::collection::vec(object(), 0..5), any::<bool>()).prop_map(
        |(head, (size, keep, phases, schedule), objects, on)| {
            let mut scene = Scene::new(&head.0);
            (scene.about, scene.seed, scene.frames) = (head.1, head.2, head.3);
            scene.response = Response::ALL[head.4].0;
            let mut cage = CageBox::cube(1.0);
            (cage.size, cage.keep) = (size, keep);
            scene.cage = Some(cage);
            [
                scene.phases.broad,
                scene.phases.narrow,
                scene.phases.bounds,
                scene.phases.execution,
                scene.phases.build,
                scene.phases.degrade,
                scene.phases.degrade_to,
            ] = phases;
            scene.schedule = schedule;
            scene.objects = objects;
            // Names that are there, and parents where they fit.
            for index in 0..scene.objects.len() {
                scene.objects[index].name = format!("{index} \"é\"");
                let fits = index > 0 && matches!(scene.objects[index].start, Start::At(_));
                let free = matches!(scene.objects[index].motion, Motion::Free { .. });
                let cloth = matches!(scene.objects[index].flexible, Some(Flexible::Cloth(_)));
                if fits && !free && !cloth && scene.objects[index].count == scene.objects[0].count {
                    scene.objects[index].parent = Some(scene.objects[0].name.clone());
                    scene.objects[index].is_static &= scene.objects[0].is_static;
                    scene.objects[index].promise = None;
                }
            }
            if let Some(object) = scene.objects.first() {
                scene.interest = vec![Rule::new(&object.group, "*", on), Rule::new("*", "*", !on)];
            }
            scene
        },
    )
}

proptest! {
    #[test]
    fn any_scene_is_the_same_after_a_file_bit_for_bit(scene in any_scene()) {
        scene.check().unwrap();
        let read = again(&scene);
        prop_assert_eq!(&read, &scene);
        // The signs of zeros, which `==` overlooks.
        prop_assert_eq!(read.to_toml(), scene.to_toml());
    }

    #[test]
    fn any_text_is_read_or_refused_in_a_line(text in "\\PC{0,60}|[a-z =\\[\\]\"'.0-9\n]{0,80}") {
        if let Err(error) = Scene::from_toml(&text, "any.toml") {
            prop_assert!(!error.to_string().contains('\n'), "{}", error);
        }
    }
}

#[test]
fn what_has_its_default_may_be_left_out() {
    let text = "name = 'least'\nobjects = [{ mesh = 'shape:sphere' }]\n";
    let scene = Scene::from_toml(text, "least.toml").unwrap();
    let mut expected = Scene::new("least");
    expected.objects.push(Object::new("", "shape:sphere"));
    assert_eq!(scene, expected);
    assert_eq!(scene.objects[0].mesh, MeshSource::Shape("shape:sphere".to_owned()));
}

#[test]
fn keys_left_out_of_tables_have_their_defaults() {
    let scene = |head: &str, object: &str| {
        let text = format!("name = 'n'\n{head}\n[[objects]]\n{object}\n");
        Scene::from_toml(&text, "n.toml").unwrap()
    };
    let orbit = "motion = { kind = 'orbit', axis = [0, 0, 1], degrees = 1";
    let heights = "height_field = { heights = [[0, 1], [1, 0]], floor = -1";
    let recorded = "motion = { kind = 'recorded', poses = [[0, 0, 0]]";
    let moving = format!("{recorded} }}\npromise = {{ acceleration = 1");
    for (given, rest) in [
        (
            "flexible = { kind = 'cloth'",
            "thickness = 0.01, gravity = [0, 0, -0.001], bending = 0.1, friction = 0.3, fixed = []",
        ),
        ("flexible = { kind = 'clay'", "depth = 0.01, angles = [160, 200], scans = 5"),
        (orbit, "center = [0, 0, 0]"),
        (recorded, "then = 'stay'"),
        (moving.as_str(), "never_towards = [0, 0, 0]"),
        (heights, "cell = [1, 1]"),
    ] {
        let mesh = if given == heights { "" } else { "mesh = 'a.obj'" };
        let short = scene("", &format!("{mesh}\n{given} }}"));
        assert_eq!(short, scene("", &format!("{mesh}\n{given}, {rest} }}")), "{given}");
    }
    let mesh = "mesh = 'a.obj'";
    let short = scene("schedule = { tests = 9 }", mesh);
    let long = "schedule = { tests = 9, speed = 0, assume_contact = false }";
    assert_eq!(short, scene(long, mesh));
}

#[test]
fn numbers_may_be_written_as_toml_allows() {
    let text = "name = 'n'\nseed = 0xff_ff\nframes = 1_000\n[[objects]]\nmesh = 'a.obj'\n\
                scale = 2\ncolor = [0, 1, 0.5]\npose = [1, -2, 3e2]\nmass = 1_0.5\n";
    let scene = Scene::from_toml(text, "n.toml").unwrap();
    assert_eq!((scene.seed, scene.frames), (0xffff, 1000));
    assert_eq!(scene.objects[0].color, Some([0.0, 1.0, 0.5]));
    assert_eq!(scene.objects[0].mass, Some(10.5));
    let Start::At(poses) = &scene.objects[0].start else { panic!("{:?}", scene.objects[0]) };
    assert_eq!(poses[0].translation, [1.0, -2.0, 300.0]);
}

#[test]
fn the_example_of_the_documentation_is_a_scene() {
    let guide = include_str!("../../../../docs/scenes.md");
    let blocks: Vec<&str> =
        guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!blocks.is_empty());
    for text in blocks {
        let scene = Scene::from_toml(text, "docs/scenes.md").unwrap();
        assert_eq!(again(&scene), scene);
    }
}

/// The table has all scenes with their parameters, and the variants are scenes.
#[test]
fn the_documentation_lists_the_embedded_scenes() {
    let guide = include_str!("../../../../docs/scenes.md");
    let mut sections = guide.split("\n## ");
    let section = sections.find(|section| section.starts_with("Embedded scenes")).unwrap();
    let row = |row: &'static str| {
        let (name, rest) = row.split_once('`').unwrap();
        let parameters = rest.rsplit('`').nth(1).unwrap();
        (name, parameters.split(' ').collect::<Vec<_>>())
    };
    let told: Vec<_> =
        section.lines().filter_map(|line| line.strip_prefix("| `")).map(row).collect();
    let all = scenes().iter().map(|known| {
        let parameters = known.parameters.iter().map(|parameter| parameter.name);
        (known.name, parameters.collect::<Vec<_>>())
    });
    assert_eq!(told, all.collect::<Vec<_>>());
    let code = section.split('`').skip(1).step_by(2);
    let variants: Vec<&str> = code.filter(|text| text.contains('?')).collect();
    assert!(variants.len() > 8, "{variants:?}");
    for name in variants {
        assert_eq!(scene(name).check(), Ok(()), "{name}");
    }
}
