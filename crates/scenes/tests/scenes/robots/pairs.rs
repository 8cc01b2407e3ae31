//! Which pairs of links are tested.

use super::*;

#[test]
fn a_description_tests_the_pairs_of_the_scene() {
    let (robot, (scene, simulation)) = (description(), arm());
    let solid = |&link: &usize| !robot.geometries(link).is_empty();
    let links: Vec<usize> = (0..robot.links().len()).filter(solid).collect();
    assert_eq!(links.len(), 6);
    for &a in &links {
        for &b in &links {
            let [x, y] = [a, b].map(|link| instance(&scene, &robot.links()[link]));
            assert_eq!(robot.are_tested(a, b), simulation.is_wanted(x, y));
        }
    }
}

/// Two links on a third one without geometry never move relative to each other, so a scene does not test them either;
/// they are where the description puts them.
#[test]
fn links_on_one_without_geometry_are_a_piece() {
    let solid = r#"<collision><geometry><box size="1 1 1"/></geometry></collision>"#;
    let joint = |kind: &str, parent: &str, child: &str, x: f64| {
        format!(
            r#"<joint name="to {child}" type="{kind}"><origin xyz="{x} 0 0.5" rpy="0 0 1"/>
            <parent link="{parent}"/><child link="{child}"/><axis xyz="0 1 0"/></joint>"#
        )
    };
    for of_base in [solid, ""] {
        let links = [("base", of_base), ("mount", ""), ("a", solid), ("b", solid), ("tip", solid)];
        let links = links.map(|(name, solid)| format!(r#"<link name="{name}">{solid}</link>"#));
        let joints = [
            joint("continuous", "base", "mount", 0.25),
            joint("fixed", "mount", "a", 0.5),
            joint("fixed", "mount", "b", -0.25),
            joint("continuous", "b", "tip", 2.0),
        ];
        let text = format!("<robot name=\"r\">{}{}</robot>", links.concat(), joints.concat());
        let table = "to mount,to tip\n0,0\n0.5,1\n-2,0.25\n";
        let mut files = Texts::new().with("r.urdf", &text).with("r.csv", table);
        let robot = RobotDescription::read("r.urdf", None, &mut files).unwrap();
        let mut scene = Scene::new("r");
        scene.frames = 3;
        let path = "r.csv".to_owned();
        let mut import = Robot::new("r.urdf");
        import.joints = JointMotion::File { path, ending: Ending::Stay };
        scene.imports.push(Import::from(import));
        let resolved = scene.resolved(&mut files).unwrap();
        let mut simulation = Simulation::with_files(&scene, &mut files).unwrap();
        let names = robot.links().to_vec();
        let is_solid = |link: &usize| !robot.geometries(*link).is_empty();
        let solids: Vec<usize> = (0..5).filter(is_solid).collect();
        for &one in &solids {
            for &other in &solids {
                let [x, y] = [one, other].map(|link| instance(&resolved, &names[link]));
                let is_wanted = simulation.is_wanted(x, y);
                assert_eq!(robot.are_tested(one, other), is_wanted, "{one} {other}");
            }
        }
        assert!(!robot.are_tested(2, 3) && robot.are_tested(2, 4));
        let mut poses = Vec::new();
        for values in [[0.0, 0.0], [0.5, 1.0], [-2.0, 0.25]] {
            robot.place_links(&values, &mut poses).unwrap();
            let found = isometries(&simulation);
            for &link in &solids {
                let [x, y] = [&isometry(&poses[link]), &found[instance(&resolved, &names[link])]];
                assert!((x.to_matrix() - y.to_matrix()).norm() < 1e-12, "{link}: {x} {y}");
            }
            simulation.advance();
        }
    }
}

#[test]
fn pairs_are_those_that_neither_a_joint_nor_the_srdf_rules_out() {
    let (scene, simulation) = arm();
    let mut off = vec![
        // Adjacent links, skipping the flange, which has no geometry.
        ["base", "upper"],
        ["lower", "upper"],
        ["lower", "hand"],
        ["hand", "left"],
        ["hand", "right"],
        // The SRDF's, in any order.
        ["base", "lower"],
        ["lower", "left"],
        ["right", "lower"],
        // The scene's rules; the cup forms a piece with the hand, and table and base are static.
        ["cup", "hand"],
        ["table", "base"],
    ];
    let second: Vec<_> = off.iter().filter(|pair| pair.contains(&"lower")).copied().collect();
    let second = second
        .into_iter()
        .map(|pair| pair.map(|name| if name == "lower" { "lower#2" } else { name }));
    off.extend(second);
    off.push(["lower", "lower#2"]);
    let mut wanted = 0;
    for a in &scene.objects {
        for b in &scene.objects {
            let pair = [a.name.as_str(), b.name.as_str()];
            let expected =
                a.name != b.name && !off.iter().any(|off| *off == pair || [off[1], off[0]] == pair);
            let found = simulation.is_wanted(instance(&scene, pair[0]), instance(&scene, pair[1]));
            assert_eq!(found, expected, "{pair:?}");
            wanted += usize::from(found);
        }
    }
    assert_eq!(wanted, 9 * 8 - 2 * off.len());
}

#[test]
fn adjacent_links_are_tested_where_the_scene_says_so() {
    let mut scene = Scene::new("arm");
    let mut robot = Robot::new("arm.urdf");
    robot.adjacent = true;
    scene.imports.push(Import::from(robot));
    let (scene, simulation) = begin(&scene);
    let count = scene.objects.len();
    let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
    let unwanted: Vec<_> = pairs.filter(|&(a, b)| !simulation.is_wanted(a, b)).collect();
    // The two geometries of one link.
    let lower = [instance(&scene, "lower#2"), instance(&scene, "lower")];
    assert_eq!(unwanted, [(lower[0], lower[1])]);
}

/// But what never moves relative to each other is one piece, whatever the rules.
#[test]
fn rules_of_a_scene_override_those_of_its_robot() {
    let mut scene = Scene::from_toml(SCENE, "arm.toml").unwrap();
    for (a, b, on) in [
        ("base", "upper", true),
        ("lower", "left", true),
        ("left", "right", false),
        ("cup", "hand", true),
    ] {
        scene.interest.push(Rule::new(a, b, on));
    }
    let (resolved, simulation) = begin(&scene);
    let wanted =
        |a: &str, b: &str| simulation.is_wanted(instance(&resolved, a), instance(&resolved, b));
    // Excluded by a joint, by the SRDF, and by nothing.
    assert!(wanted("base", "upper") && wanted("lower", "left") && !wanted("left", "right"));
    assert!(!wanted("cup", "hand"));
}

#[test]
fn an_srdf_may_disable_by_default_and_enable_in_spite_of_that() {
    let srdf = "<robot name='arm'><disable_default_collisions link='hand'/>\
        <enable_collisions link1='base' link2='hand'/>\
        <enable_collisions link1='base' link2='left'/>\
        <disable_collisions link1='left' link2='base'/></robot>";
    let mut scene = Scene::new("arm");
    let mut robot = Robot::new("arm.urdf");
    robot.srdf = Some("arm.srdf".to_owned());
    scene.imports.push(Import::from(robot));
    let mut files = Texts::new().with("arm.srdf", srdf);
    let resolved = scene.resolved(&mut files).unwrap();
    let simulation = Simulation::with_files(&scene, &mut files).unwrap();
    let wanted =
        |a: &str, b: &str| simulation.is_wanted(instance(&resolved, a), instance(&resolved, b));
    assert!(wanted("base", "hand") && wanted("left", "upper") && wanted("left", "right"));
    assert!(!wanted("upper", "hand") && !wanted("base", "left"));
}

#[test]
fn two_robots_are_told_apart_by_name_and_test_each_other() {
    let mut scene = Scene::new("two");
    for (name, x) in [("a", 0.0), ("b", 1.5)] {
        let mut robot = Robot::new("arm.urdf");
        robot.joints = JointMotion::Random { steps: 10 };
        let mut import = Import::from(robot);
        import.name = name.to_owned();
        import.pose.translation[0] = x;
        scene.imports.push(import);
    }
    assert_eq!(Scene::from_toml(&scene.to_toml(), "two.toml").unwrap(), scene);
    let (resolved, mut simulation) = begin(&scene);
    let [a, b] = ["a/base", "b/base"].map(|name| instance(&resolved, name));
    assert_eq!(
        isometries(&simulation)[b].translation.x - isometries(&simulation)[a].translation.x,
        1.5
    );
    assert!(!simulation.is_wanted(a, b), "both stand");
    let [a, b] = ["a/hand", "b/hand"].map(|name| instance(&resolved, name));
    assert!(simulation.is_wanted(a, b));
    simulation.advance();
    simulation.advance();
    let relative = |index: usize| isometry(&simulation.relative_pose(index));
    assert_ne!(relative(a), relative(b), "each has random numbers of its own");
}
