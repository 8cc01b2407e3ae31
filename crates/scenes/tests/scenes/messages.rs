//! Error messages: file, line, key, found, expected.

use xcollide_scenes::{Kind, Scene, Simulation, embedded, scenes};

#[test]
fn every_error_has_line_key_found_and_expected() {
    // Two lines come before each.
    let head = [
        "frames = ",
        "color = 1",
        "name = 3",
        "seed = -1",
        "seed = 1.5",
        "seed = 18446744073709551616",
        "frames = 0",
        "frames = 1979-05-27",
        "response = 'explode'",
        "response = true",
        "[cage]",
        "[cage]\nmin = [0, 0, 0]",
        "[cage]\nmin = [0, 0]\nmax = [1, 1, 1]",
        "[cage]\nmin = [0, 0, 0]\nmax = [1, 0, 1]",
        "[cage]\nmin = [0, nan, 0]\nmax = [1, 1, 1]",
        "[cage]\ndensity = 0",
        "[cage]\ndensity = 0.1\nmax = [1, 1, 1]",
        "[cage]\ndensity = 0.1\nkeep = 'all'",
        "[phases]\nmiddle = 'grid'",
        "[phases]\nbroad = 1",
        "[schedule]\norder = 'sorted'",
        "[schedule]\ntests = 0",
        "[schedule]\ntests = 2\nspeed = -1",
        "[schedule]\ntests = 2\nviewer = [0, 0, inf]",
        "[[interest]]\non = true",
        "[[interest]]\ngroups = ['a']\non = true",
        "[[interest]]\ngroups = ['*', '*']",
        "[[interest]]\ngroups = ['*', '*']\non = true\n[[interest]]\ngroups = ['*', 'b']\non = true",
        "interest = 1",
    ];
    let object = [
        "mash = 'a.obj'",
        "mesh = ''",
        "mesh = ['a.obj']",
        "scale = 0",
        "scale = '2'",
        "scale = inf",
        "centered = 1",
        "color = [0, 2, 0]",
        "color = [0, 0]",
        "color = [0, '1', 0]",
        "count = 0",
        "count = 2",
        "count = 99999999999",
        "mass = -1",
        "flexible = 'cloth'",
        "flexible = {}",
        "flexible = { kind = 'jelly' }",
        "flexible = { kind = 'cloth', depth = 1 }",
        "flexible = { kind = 'cloth', thickness = 0 }",
        "flexible = { kind = 'cloth', gravity = [0, 0, nan] }",
        "flexible = { kind = 'cloth', bending = 1.5 }",
        "flexible = { kind = 'cloth', friction = -1 }",
        "flexible = { kind = 'cloth', fixed = [0, -1] }",
        "flexible = { kind = 'cloth' }\nstatic = true",
        "flexible = { kind = 'clay' }\nposes = [[0, 0, 0], [1, 0, 0]]",
        "flexible = { kind = 'clay', depth = -1 }",
        "flexible = { kind = 'clay', angles = [181, 200] }",
        "flexible = { kind = 'clay', angles = [160, 161] }",
        "flexible = { kind = 'clay', scans = 1001 }",
        "pose = [0, 0]",
        "pose = [0, 0, 0, 0, 0, 0, 2]",
        "pose = [0, 0, nan]",
        "poses = [[0, 0, 0], [0, 0, 0, 1, 1, 1, 1]]",
        "pose = [0, 0, 0]\nposes = []",
        "poses = []",
        "poses = {}",
        "placement = 'random'",
        "placement = 'anywhere'",
        "placement = 'random'\nwithin = [[0, 0, 0]]",
        "placement = 'random'\nwithin = [[0, 0, 0], [1, 1, -1]]",
        "within = [[0, 0, 0], [1, 1, 1]]",
        "placement = 'random'\nparent = 'first'",
        "name = 'first'",
        "parent = 'nobody'",
        "parent = ''",
        "name = 'self'\nparent = 'self'",
        "parent = 'two'\nposes = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]",
        "static = true\nparent = 'first'",
        "static = true\nmotion = { kind = 'orbit', axis = [0, 0, 1], degrees = 1 }",
        "motion = 'free'",
        "motion = {}",
        "motion = { kind = 'loose' }",
        "motion = { kind = 'free', poses = [] }",
        "motion = { kind = 'free', haste = 1 }",
        "motion = { kind = 'free', speed = 1, velocity = [0, 0, 0] }",
        "motion = { kind = 'free', speed = -1 }",
        "motion = { kind = 'free', speed_in_radii = nan }",
        "motion = { kind = 'free', velocity = [0, inf, 0] }",
        "motion = { kind = 'free', axis = [0, 0, 0] }",
        "motion = { kind = 'free', degrees = 1e10 }",
        "motion = { kind = 'free' }\nparent = 'first'",
        "motion = { kind = 'orbit', degrees = 1 }",
        "motion = { kind = 'orbit', axis = [0, 0, 1] }",
        "motion = { kind = 'recorded' }",
        "motion = { kind = 'recorded', poses = [] }",
        "motion = { kind = 'recorded', poses = [[0, 0, 0]], then = 'stop' }",
        "motion = { kind = 'recorded', poses = [[0, 0, 0]], file = 'a.txt' }",
        "motion = { kind = 'recorded', poses = [[0, 0, 0]] }\nposes = [[0, 0, 0], [1, 0, 0]]",
    ];
    let first = "[[objects]]\nname = 'first'\nmesh = 'a.obj'\n\
                 [[objects]]\nname = 'two'\nmesh = 'a.obj'\nposes = [[0, 0, 0], [1, 1, 1]]\n";
    let mut texts = vec![
        String::new(),
        "name = 'a'".to_owned(),
        "name = 'a'\nobjects = 3".to_owned(),
        "name = 'a'\nname = 'b'".to_owned(),
        "name = 'a'\nobjects = [{ mesh = 'a.obj' }, 7]".to_owned(),
    ];
    for part in head {
        let name = if part.starts_with("name") { "" } else { "name = 'a'" };
        texts.push(format!("# A comment.\n{name}\n{part}\n{first}"));
    }
    for part in object {
        let mesh = if part.starts_with("mesh") { "" } else { "mesh = 'a.obj'" };
        texts.push(format!("name = 'a'\n{first}\n[[objects]]\n{mesh}\n{part}\n"));
    }
    let mut log = String::new();
    for (index, text) in texts.iter().enumerate() {
        let error = match Scene::from_toml(text, "a.toml") {
            Ok(_) => panic!("{text} should be refused"),
            Err(error) => error,
        };
        let message = error.to_string();
        assert!(!message.contains('\n') && message.contains("expected "), "{message}");
        let parts = index.checked_sub(5).map_or(text.replace('\n', " ⏎ "), |part| {
            let part = head.get(part).or_else(|| object.get(part - head.len()));
            part.unwrap().replace('\n', " ⏎ ")
        });
        log += &format!("{parts}\n    {message}\n");
        // The line is that of the part that is wrong.
        if let Some(part) = index.checked_sub(5)
            && error.error.key().is_some()
        {
            let (from, text) = match head.get(part) {
                Some(text) => (3, text),
                None => (12, &object[part - head.len()]),
            };
            let lines = from..from + text.lines().count();
            // Something that is missing has the line of the table that should have it.
            let table = from - 2..from;
            assert!(
                lines.contains(&error.line) || table.contains(&error.line),
                "{message}\n{text}"
            );
        }
    }
    insta::assert_snapshot!("errors", log);
}

#[test]
fn the_ends_of_ranges_are_accepted_and_nothing_beyond() {
    let is_scene = |head: &str, object: &str| {
        let text = format!("name = 'ends'\n{head}\n[[objects]]\nmesh = 'a.obj'\n{object}\n");
        Scene::from_toml(&text, "ends.toml").is_ok()
    };
    for (end, beyond) in [
        ("seed = 18446744073709551615", "seed = 18446744073709551616"),
        ("frames = 1000000000", "frames = 1000000001"),
        ("[cage]\ndensity = 1", "[cage]\ndensity = 1.01"),
        ("[schedule]\ntests = 1", "[schedule]\ntests = 0"),
    ] {
        assert!(is_scene(end, "") && !is_scene(beyond, ""), "{end}, {beyond}");
    }
    for (end, beyond) in [
        ("pose = [1e100, -1e100, 0]", "pose = [1.1e100, 0, 0]"),
        (
            "motion = { kind = 'free', velocity = [0, -1e100, 0] }",
            "motion = { kind = 'free', velocity = [0, -1.1e100, 0] }",
        ),
        ("stretch = [-1, 1, 1]", "stretch = [0, 1, 1]"),
        ("variants = 0", "variants = -1"),
        ("color = [0, 1, 0]", "color = [0, 1.1, 0]"),
    ] {
        assert!(is_scene("", end) && !is_scene("", beyond), "{end}, {beyond}");
    }
}

#[test]
fn groups_without_end_are_refused() {
    let mut text = "name = 'groups'\n".to_owned();
    for group in 0..256 {
        text += &format!("[[objects]]\nmesh = 'a.obj'\ngroup = '{group}'\n");
    }
    assert!(Scene::from_toml(&text, "g.toml").is_ok());
    text += "[[objects]]\nmesh = 'a.obj'\ngroup = 'last'\n";
    assert_eq!(
        Scene::from_toml(&text, "g.toml").unwrap_err().to_string(),
        "g.toml: line 772: key `objects[256].group`: found one more, `last`, expected at most 256 \
         groups in a scene"
    );
}

#[test]
fn cloth_has_no_motion_and_no_parent() {
    for key in [
        "motion = { kind = 'orbit', axis = [0, 0, 1], degrees = 1 }",
        "parent = 'first'",
        "static = true",
    ] {
        let text = format!(
            "name = 'a'\n[[objects]]\nname = 'first'\nmesh = 'a.obj'\n[[objects]]\n\
             mesh = 'a.obj'\nflexible = {{ kind = 'cloth' }}\n{key}\n"
        );
        let message = Scene::from_toml(&text, "a.toml").unwrap_err().to_string();
        let expected = "found `cloth` beside a motion, `static` or a parent";
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn circles_of_parents_are_refused() {
    let object = |name: &str, parent: &str| {
        format!("[[objects]]\nname = '{name}'\nmesh = 'a.obj'\nparent = '{parent}'\n")
    };
    let circle = ["a b", "b c", "c a"].map(|pair| {
        let (name, parent) = pair.split_once(' ').unwrap();
        object(name, parent)
    });
    let text = format!("name = 'circle'\n{}", circle.concat());
    let message = Scene::from_toml(&text, "c.toml").unwrap_err().to_string();
    assert_eq!(
        message,
        "c.toml: line 5: key `objects[0].parent`: found `b`, which hangs on this object itself, \
         expected an object that does not"
    );
    // A circle that an object hangs on without being in it.
    let text = format!("name = 'circle'\n{}{}", object("d", "a"), circle.concat());
    let message = Scene::from_toml(&text, "c.toml").unwrap_err().to_string();
    assert!(message.starts_with("c.toml: line 9: key `objects[1].parent`: found `b`"), "{message}");
}

#[test]
fn wrong_embedded_scenes_are_refused_in_words() {
    let names = [
        "",
        "cages",
        "cage?",
        "cage?objects",
        "cage?objects=0",
        "cage?objects=1&objects=2",
        "cage?object=1",
        "cage?shape=mouse",
        "cage?frames=0",
        "cage?seed=-1",
        "icollide?density=0",
        "qcollide?velocity=nan",
        &"a\nb".repeat(1000),
    ];
    let mut log = String::new();
    for name in names {
        if let Err(error) = embedded(name) {
            let message = error.to_string();
            assert!(message.len() < 300 && !message.contains('\n'), "{message}");
            log += &format!("{message}\n");
        } else {
            assert_eq!(name, "cage?");
        }
    }
    insta::assert_snapshot!("embedded", log);
}

#[test]
fn embedded_scenes_begin_or_are_refused_at_the_ends_of_their_parameters() {
    let mut begun = 0;
    for known in scenes() {
        for parameter in known.all_parameters() {
            let values: Vec<String> = match parameter.kind {
                Kind::Count { min, max, .. } => [min, max].map(|value| value.to_string()).into(),
                Kind::Number { min, max, .. } => [min, max].map(|value| value.to_string()).into(),
                Kind::Choice(words) => words.iter().map(|&word| word.to_owned()).collect(),
                _ => vec![u64::MAX.to_string()],
            };
            for value in values {
                let name = format!("{}?{}={value}", known.name, parameter.name);
                let scene = super::scene(&name);
                assert_eq!(scene.check(), Ok(()), "{name}");
                // Large ones take long.
                let many = value.parse().is_ok_and(|value: f64| value > 2e4);
                if scene.instance_count() > 3000 || (many && parameter.name != "frames") {
                    continue;
                }
                if let Ok(mut simulation) = Simulation::new(&scene) {
                    (0..3).for_each(|_| simulation.advance());
                    begun += 1;
                }
            }
        }
    }
    assert!(begun > 70, "{begun}");
}
