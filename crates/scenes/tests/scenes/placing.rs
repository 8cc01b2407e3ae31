//! Random places of bodies: without overlap if there is room, always inside the cage.

use xcollide_scenes::{CageBox, Object, Placement, Scene, Simulation, Speed, Start};

use super::{begin, isometries, scene};

/// The instances at random places whose spheres overlap those of others.
fn overlaps(simulation: &Simulation, scene: &Scene) -> usize {
    let is_random = |index: &usize| {
        let object = &scene.objects[simulation.instances()[*index].object];
        matches!(object.start, Start::Random { .. })
    };
    let random: Vec<usize> = (0..simulation.instances().len()).filter(is_random).collect();
    let poses = isometries(simulation);
    let mut count = 0;
    for (i, &a) in random.iter().enumerate() {
        count += usize::from(random[..i].iter().any(|&b| {
            let [p, q] = [a, b].map(|index| poses[index].translation.vector);
            let [r, s] = [a, b].map(|index| simulation.instances()[index].radius);
            (p - q).norm() <= (r + s) * (1.0 - 1e-12)
        }));
    }
    count
}

#[test]
fn bounding_spheres_do_not_overlap_at_the_start() {
    let names = ["cage", "cage?objects=20&side=8", "icollide", "qcollide", "qcollide?vertices=500"];
    let more = ["tetra-flakes", "city", "asteroids?objects=3000"];
    for name in names.into_iter().chain(more) {
        let simulation = begin(name);
        assert_eq!(simulation.crowded(), 0, "{name}");
        assert_eq!(overlaps(&simulation, &scene(name)), 0, "{name}");
    }
}

#[test]
fn the_embedded_asteroids_all_have_room() {
    assert_eq!(begin("asteroids").crowded(), 0);
}

#[test]
fn bodies_without_room_are_counted_and_placed_all_the_same() {
    let mut scene = Scene::new("crowd");
    scene.cage = Some(CageBox::cube(4.0));
    scene.objects.push(Object::flying(
        "ball",
        "shape:sphere?faces=50",
        100,
        Speed::Units(0.1),
        1.0,
    ));
    let simulation = Simulation::new(&scene).unwrap();
    // 27 balls of radius 1 have room in a cube of side 4 at the very most.
    assert!(simulation.crowded() >= 73, "{}", simulation.crowded());
    assert!(overlaps(&simulation, &scene) <= simulation.crowded());
    for pose in isometries(&simulation) {
        assert!(pose.translation.vector.amax() <= 1.0 + 1e-12);
    }
}

#[test]
fn given_objects_are_kept_clear_of() {
    let mut scene = Scene::new("room");
    scene.cage = Some(CageBox::cube(8.0));
    let below = Placement::at([0.0, 0.0, -2.0]);
    scene.objects.push(Object::standing("block", "shape:box?x=8&y=8&z=4", vec![below]));
    let balls =
        Object::flying("ball", "shape:sphere?faces=50&radius=0.5", 30, Speed::Units(0.1), 1.0);
    scene.objects.push(balls);
    let simulation = Simulation::new(&scene).unwrap();
    assert_eq!(simulation.crowded(), 0);
    for pose in &isometries(&simulation)[1..] {
        assert!(pose.translation.z >= 0.5, "{pose}");
    }
}

#[test]
fn random_places_are_within_the_region_and_upright_where_asked() {
    let text = "name = 'room'\n[[objects]]\nmesh = 'shape:octahedron'\nscale = 0.1\ncount = 20\n\
                placement = 'random'\nwithin = [[1, 2, 3], [4, 3, 5]]\n";
    for upright in [false, true] {
        let scene = Scene::from_toml(&format!("{text}upright = {upright}\n"), "room.toml").unwrap();
        for pose in isometries(&Simulation::new(&scene).unwrap()) {
            let at = pose.translation.vector;
            for k in 0..3 {
                let (low, high) = ([1.0, 2.0, 3.0][k], [4.0, 3.0, 5.0][k]);
                assert!((low..=high).contains(&at[k]), "{at}");
            }
            assert_eq!(pose.rotation.angle() < 1e-12, upright);
        }
    }
}

#[test]
fn a_density_leaves_out_static_objects_and_takes_open_ones_as_their_spheres() {
    let mut scene = Scene::new("dense");
    scene.cage = Some(CageBox::of_density(0.5));
    scene.objects.push(Object::standing("wall", "shape:box", vec![Placement::IDENTITY]));
    scene.objects.push(Object::new("box", "shape:box?x=2&y=2&z=2"));
    scene.objects.push(Object::new("sheet", "shape:sheet"));
    let simulation = Simulation::new(&scene).unwrap();
    let radius = simulation.instances()[2].radius;
    let volume = 8.0 + 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let [min, max] = simulation.cage().unwrap();
    assert_eq!(min.map(|value| -value), max);
    for k in 0..3 {
        let room = (max[k] - min[k]).powi(3);
        assert!((0.5 * room - volume).abs() < 1e-9 * volume, "{room} {volume}");
    }
}

#[test]
fn bodies_stay_in_the_cage_over_10_000_frames() {
    // Fast ones too, that cross it in a few frames.
    let names = ["cage", "city?blocks=5&objects=10", "icollide?objects=30&density=5&velocity=300"];
    for name in names {
        let mut simulation = begin(name);
        let scene = scene(name);
        let margins: Vec<f64> = simulation
            .instances()
            .iter()
            .map(|instance| match scene.cage.unwrap().keep {
                xcollide_scenes::Keep::Body => instance.radius,
                xcollide_scenes::Keep::Origin => 0.0,
            })
            .collect();
        let [min, max] = simulation.cage().unwrap();
        let moving: Vec<usize> =
            (0..margins.len()).filter(|&index| !simulation.instances()[index].is_static).collect();
        assert!(!moving.is_empty());
        let mut turned = 0;
        let mut before: Vec<[f64; 3]> = moving.iter().map(|&i| simulation.velocity(i)).collect();
        for frame in 0..10_000 {
            simulation.respond(&[(moving[frame % moving.len()], moving[0])]);
            simulation.advance();
            for (&index, before) in moving.iter().zip(&mut before) {
                let at = isometries(&simulation)[index].translation;
                for k in 0..3 {
                    let (low, high) = (min[k] + margins[index], max[k] - margins[index]);
                    assert!((low..=high).contains(&at.vector[k]), "{name}, frame {frame}");
                }
                turned += usize::from(*before != simulation.velocity(index));
                *before = simulation.velocity(index);
                let length = isometries(&simulation)[index].rotation.norm();
                assert!((length - 1.0).abs() < 1e-14);
            }
        }
        assert!(turned > 100, "{name}: {turned} turns only");
    }
}

#[test]
fn a_cage_without_end_and_meshes_without_end_are_refused() {
    let mut scene = Scene::new("endless");
    scene.cage = Some(CageBox::of_density(1e-300));
    let mut ball = Object::flying("ball", "shape:octahedron", 1, Speed::Units(0.1), 1.0);
    ball.scale = 1e100;
    scene.objects.push(ball);
    let message = |scene: &Scene| Simulation::new(scene).unwrap_err().to_string();
    assert_eq!(
        message(&scene),
        "key `cage.density`: found 1e-300, which makes a cage of side inf, expected one that \
         makes a cage of at most 2e100"
    );
    let spec = "shape:octahedron?radius=2";
    scene.objects[0].mesh = xcollide_scenes::MeshSource::from(spec);
    assert_eq!(
        message(&scene),
        "key `objects[0].mesh`: found a mesh that reaches 2e100 from its origin, expected at \
         most 1e100"
    );
}

#[test]
fn a_cage_too_small_for_what_it_must_keep_is_refused() {
    let mut scene = Scene::new("tight");
    scene.cage = Some(CageBox::cube(1.0));
    scene.objects.push(Object::flying("ball", "shape:sphere?faces=50", 1, Speed::Units(0.1), 1.0));
    let error = Simulation::new(&scene).unwrap_err().to_string();
    assert!(error.starts_with("key `cage`: found [-0.5, -0.5, -0.5] to [0.5, 0.5, 0.5], expected room for objects[0], which reaches 1 "), "{error}");
    // Zachmann 1994, 3.4.1, has objects of size 2 in a cage of size 1.
    scene.cage.as_mut().unwrap().keep = xcollide_scenes::Keep::Origin;
    assert!(Simulation::new(&scene).is_ok());
}
