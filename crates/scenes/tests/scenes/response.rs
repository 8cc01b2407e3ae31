//! What responses conserve.

use proptest::prelude::*;
use xcollide_scenes::{Object, Placement, Random, Response, Scene, Simulation, Start, Way};

use super::{begin, isometries, overlapping};

/// Bodies of several masses anywhere, on their way anywhere; the last stands still.
fn crowd(seed: u64, response: Response) -> Scene {
    let mut random = Random::new(seed);
    let mut scene = Scene::new("crowd");
    scene.response = response;
    for index in 0..9 {
        let mut object = Object::new(&index.to_string(), "shape:octahedron");
        let translation = random.in_ball().map(|value| 2.0 * value);
        object.start = Start::At(vec![Placement::turned(random.rotation(), translation)]);
        object.mass = Some(random.between(0.1, 10.0));
        if index < 8 {
            let way = Way::Along(random.in_ball());
            object.motion = xcollide_scenes::Motion::Free { way, axis: None, degrees: 4.0 };
        }
        scene.objects.push(object);
    }
    scene
}

fn momentum(simulation: &Simulation) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (index, instance) in simulation.instances().iter().enumerate() {
        for k in 0..3 {
            sum[k] += instance.mass * simulation.velocity(index)[k];
        }
    }
    sum
}

fn energy(simulation: &Simulation) -> f64 {
    let one = |index: usize| {
        let [x, y, z] = simulation.velocity(index);
        simulation.instances()[index].mass * (x * x + y * y + z * z)
    };
    (0..simulation.instances().len()).map(one).sum()
}

fn pairs() -> impl Strategy<Value = Vec<(usize, usize)>> {
    // Repeated pairs, a body with itself and bodies that are not there must not matter.
    prop::collection::vec((0..11usize, 0..11usize), 0..20)
}

proptest! {
    #[test]
    fn impulses_conserve_momentum_and_energy(seed in any::<u64>(), pairs in pairs()) {
        let mut simulation = Simulation::new(&crowd(seed, Response::Impulse)).unwrap();
        let moving: Vec<_> = pairs.iter().copied().filter(|&(a, b)| a != 8 && b != 8).collect();
        let (before, heat) = (momentum(&simulation), energy(&simulation));
        simulation.respond(&moving);
        let after = momentum(&simulation);
        for k in 0..3 {
            prop_assert!((before[k] - after[k]).abs() < 1e-11, "{before:?} {after:?}");
        }
        prop_assert!((energy(&simulation) - heat).abs() < 1e-11 * heat);
        // What stands takes momentum, but no energy.
        simulation.respond(&pairs);
        prop_assert!((energy(&simulation) - heat).abs() < 1e-11 * heat);
        prop_assert_eq!(simulation.velocity(8), [0.0; 3]);
    }

    #[test]
    fn a_single_pair_parts_after_its_response(seed in any::<u64>()) {
        for response in [Response::Exchange, Response::Impulse, Response::Deflect] {
            let mut simulation = Simulation::new(&crowd(seed, response)).unwrap();
            simulation.respond(&[(1, 0)]);
            let [p, q] = [0, 1].map(|index| isometries(&simulation)[index].translation.vector);
            let [v, w] = [0, 1].map(|index| nalgebra::Vector3::from(simulation.velocity(index)));
            let approach = (v - w).dot(&(q - p).normalize());
            prop_assert!(approach <= 1e-12, "{response:?}: {approach}");
        }
    }

    #[test]
    fn exchanged_velocities_are_the_same_ones(seed in any::<u64>(), pairs in pairs()) {
        let mut simulation = Simulation::new(&crowd(seed, Response::Exchange)).unwrap();
        let moving: Vec<_> = pairs.into_iter().filter(|&(a, b)| a != 8 && b != 8).collect();
        let velocities = |simulation: &Simulation| {
            let mut bits: Vec<_> = (0..9).map(|i| simulation.velocity(i).map(f64::to_bits)).collect();
            bits.sort_unstable();
            bits
        };
        let before = velocities(&simulation);
        simulation.respond(&moving);
        prop_assert_eq!(velocities(&simulation), before);
    }

    #[test]
    fn deflected_bodies_exchange_their_amounts_of_momentum(seed in any::<u64>()) {
        let mut simulation = Simulation::new(&crowd(seed, Response::Deflect)).unwrap();
        let amounts = |simulation: &Simulation| [2, 5].map(|index: usize| {
            simulation.instances()[index].mass
                * nalgebra::Vector3::from(simulation.velocity(index)).norm()
        });
        let [a, b] = amounts(&simulation);
        simulation.respond(&[(2, 5)]);
        let [c, d] = amounts(&simulation);
        prop_assert!((a - d).abs() < 1e-12 * (1.0 + a) && (b - c).abs() < 1e-12 * (1.0 + b));
    }

    #[test]
    fn the_order_of_pairs_and_of_their_ends_does_not_matter(
        seed in any::<u64>(), pairs in pairs(), which in 0..5usize,
    ) {
        let scene = crowd(seed, Response::ALL[which].0);
        let [mut one, mut other] = [&scene, &scene].map(|scene| Simulation::new(scene).unwrap());
        let turned: Vec<_> = pairs.iter().rev().map(|&(a, b)| (b, a)).collect();
        for _ in 0..3 {
            one.respond(&pairs);
            other.respond(&turned);
            one.advance();
            other.advance();
            prop_assert_eq!(super::bits(&one), super::bits(&other));
        }
    }
}

#[test]
fn reversed_bodies_go_back_where_they_came_from() {
    let mut simulation = Simulation::new(&crowd(3, Response::Reverse)).unwrap();
    let start = isometries(&simulation).to_vec();
    (0..10).for_each(|_| simulation.advance());
    // Some in two pairs: that is once only.
    simulation.respond(&[(0, 1), (1, 2), (3, 4), (5, 6), (6, 7), (8, 0)]);
    assert_ne!(isometries(&simulation)[5], start[5]);
    (0..10).for_each(|_| simulation.advance());
    for (now, start) in isometries(&simulation).iter().zip(&start) {
        assert!((now.translation.vector - start.translation.vector).norm() < 1e-12);
        assert!(now.rotation.angle_to(&start.rotation) < 1e-6);
    }
}

#[test]
fn without_a_response_nothing_changes() {
    let mut simulation = Simulation::new(&crowd(3, Response::None)).unwrap();
    let before: Vec<_> = (0..9).map(|index| simulation.velocity(index)).collect();
    simulation.respond(&[(0, 1), (3, 8)]);
    assert_eq!((0..9).map(|index| simulation.velocity(index)).collect::<Vec<_>>(), before);
}

/// A free body of mass 1 on the x-axis that moves along it.
fn on_axis(name: &str, x: f64, speed: f64) -> Object {
    let mut object = Object::new(name, "shape:octahedron");
    object.start = Start::At(vec![Placement::at([x, 0.0, 0.0])]);
    object.mass = Some(1.0);
    let way = Way::Along([speed, 0.0, 0.0]);
    object.motion = xcollide_scenes::Motion::Free { way, axis: None, degrees: 0.0 };
    object
}

/// These objects with a response, begun.
fn begun(response: Response, objects: Vec<Object>) -> Simulation {
    let mut scene = Scene::new("axis");
    scene.response = response;
    scene.objects = objects;
    Simulation::new(&scene).unwrap()
}

#[test]
fn what_is_not_free_is_a_wall() {
    for response in [Response::Reverse, Response::Exchange, Response::Impulse, Response::Deflect] {
        let mut wall = Object::new("wall", "shape:octahedron");
        wall.start = Start::At(vec![Placement::at([2.0, 0.0, 0.0])]);
        let mut simulation = begun(response, vec![on_axis("body", 0.0, 1.0), wall]);
        simulation.respond(&[(0, 1)]);
        assert_eq!(simulation.velocity(0), [-1.0, 0.0, 0.0], "{response:?}");
        assert_eq!(simulation.velocity(1), [0.0; 3], "{response:?}");
    }
}

#[test]
fn exchange_and_impulse_leave_what_parts_alone() {
    for response in [Response::Exchange, Response::Impulse] {
        let objects = vec![on_axis("left", -1.0, -2.0), on_axis("right", 1.0, 1.0)];
        let mut simulation = begun(response, objects);
        simulation.respond(&[(0, 1)]);
        let speeds = [0, 1].map(|index| simulation.velocity(index)[0]);
        assert_eq!(speeds, [-2.0, 1.0], "{response:?}");
    }
}

#[test]
fn the_root_of_an_assembly_responds() {
    let mut hand = Object::new("hand", "shape:octahedron");
    hand.parent = Some("root".to_owned());
    hand.start = Start::At(vec![Placement::at([2.0, 0.0, 0.0])]);
    let objects = vec![on_axis("root", 0.0, 1.0), hand, on_axis("other", 4.0, -1.0)];
    let mut simulation = begun(Response::Impulse, objects);
    simulation.respond(&[(1, 2)]);
    let speeds = [0, 1, 2].map(|index| simulation.velocity(index)[0]);
    assert_eq!(speeds, [-1.0, 0.0, 1.0]);
}

#[test]
fn a_pair_that_persists_responds_only_if_it_approaches() {
    let mut third = Object::new("third", "shape:octahedron");
    third.start = Start::At(vec![Placement::at([-3.0, 0.0, 0.0])]);
    let objects = vec![on_axis("left", -1.0, 2.0), on_axis("right", 1.0, -1.0), third];
    let mut simulation = begun(Response::Reverse, objects);
    let mut respond = |pairs: &[(usize, usize)]| {
        simulation.respond(pairs);
        [0, 1].map(|index| simulation.velocity(index)[0])
    };
    assert_eq!(respond(&[(0, 1)]), [-2.0, 1.0]);
    assert_eq!(respond(&[(0, 1)]), [-2.0, 1.0], "they part");
    assert_eq!(respond(&[(0, 1), (0, 2)]), [2.0, 1.0], "only the third turns one back");
    assert_eq!(respond(&[(0, 1)]), [-2.0, -1.0], "they approach again");
}

#[test]
fn nobody_is_caught_in_an_embrace() {
    // Spheres collide sooner than bodies do, so pairs are many; none may last.
    for name in ["icollide?objects=60&density=5", "qcollide?objects=60", "cage?objects=12&side=8"] {
        let mut simulation = begin(name);
        let mut ages = std::collections::BTreeMap::new();
        let mut oldest = 0;
        for _ in 0..2000 {
            let pairs: Vec<(usize, usize)> = overlapping(&simulation)
                .into_iter()
                .filter(|&(a, b)| {
                    !simulation.instances()[a].is_static && !simulation.instances()[b].is_static
                })
                .collect();
            ages.retain(|pair, _| pairs.contains(pair));
            for &pair in &pairs {
                let age = ages.entry(pair).or_insert(0);
                *age += 1;
                oldest = oldest.max(*age);
            }
            simulation.respond(&pairs);
            simulation.advance();
        }
        assert!(oldest > 0 && oldest < 300, "{name}: {oldest}");
    }
}
