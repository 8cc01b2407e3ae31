//! The car game (Daneu 2002, 4.3): four cars in a round arena, and who hits others most often in 30 seconds wins.
//!
//! The first car is steered by a person: each letter of the argument holds a key for a quarter of a second, `w` and `s` the
//! pedals, `a` and `d` the wheel (capitals: with the pedal held), `.` none. The others chase the car that is nearest. As in the source,
//!
//! - a grid of 3 × 3 cells says which pairs of cars are tested: those in the same or in neighbouring cells;
//! - all tests of a frame share 30 ms. What a car does not need is left to the next one; a test whose time is over counts as
//!   a collision, in the middle of the common part of the boxes;
//! - a car that is hit goes off from the point of contact with the other's momentum;
//! - cars are not tested against the arena: they are kept in it.
//!
//! A second argument names a file for the game as a scene of recorded motions, for `xcollide run game.toml --report game.html`
//! and its 3-D view.
//!
//! `cargo run -p xcollide --example car_game -- wwwwaWWd game.toml`
#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;
use std::time::Duration;

use xcollide::math::vector::{add, dot, length, scale, sub, unit};
use xcollide::narrow::Semantics;
use xcollide::narrow::classic::PatchTrees;
use xcollide::prelude::*;
use xcollide_scenes::{Ending, Motion, Object, Placement, Recording, Scene};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const FRAMES_PER_SECOND: u32 = 30;
const FRAMES: u32 = 30 * FRAMES_PER_SECOND;
/// Time for all tests of a frame.
const TOTAL: Duration = Duration::from_millis(30);
/// Of the arena, for the middle of a car; a car is 4 long.
const RADIUS: f64 = 10.0;
/// Larger than a car, so that cars at least two cells apart do not meet.
const CELL: f64 = 2.0 * RADIUS / 3.0;
/// Names and masses; the source does not tell its masses.
const CARS: [(&str, f64); 4] = [("you", 1.0), ("red", 1.25), ("blue", 1.5), ("green", 2.0)];

/// Keys of the person, each for a quarter of a second, from the beginning again when they end.
const DRIVE: &str = "WWWWAAWWDWWWWDDWWsSAAWWWW";

/// Pedal and wheel from −1 to 1, positive forward and to the left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Controls {
    pedal: f64,
    wheel: f64,
}

impl Controls {
    fn of_key(key: char) -> Outcome<Self> {
        let [pedal, wheel] = match key {
            'w' | 'W' => [1.0, 0.0],
            's' | 'S' => [-1.0, 0.0],
            'a' => [0.0, 1.0],
            'A' => [1.0, 1.0],
            'd' => [0.0, -1.0],
            'D' => [1.0, -1.0],
            '.' => [0.0, 0.0],
            _ => return Err(format!("found the key {key}, expected w, a, s, d, A, D or .").into()),
        };
        Ok(Self { pedal, wheel })
    }
}

struct Car {
    at: [f64; 3],
    /// Where the bonnet points, of length 1.
    ahead: [f64; 3],
    velocity: [f64; 3],
    mass: f64,
    hits: u32,
}

impl Car {
    /// Drives for a frame.
    fn drive(&mut self, controls: Controls) {
        const SECONDS: f64 = 1.0 / FRAMES_PER_SECOND as f64;
        const PULL: f64 = 9.0;
        /// Half the tangent by which the car turns in a second, a unit of speed.
        const WHEEL: f64 = 0.1;
        let [x, y, _] = self.ahead;
        let speed = dot(self.velocity, self.ahead);
        // The half-angle formulas keep the length without sines.
        let half = 0.5 * WHEEL * controls.wheel * speed * SECONDS;
        let [cosine, sine] =
            [(1.0 - half * half) / (1.0 + half * half), 2.0 * half / (1.0 + half * half)];
        let turned = [cosine * x - sine * y, sine * x + cosine * y, 0.0];
        self.ahead = unit(turned).unwrap_or(self.ahead);
        // Wheels roll with little loss, and slip to the side with much.
        let along = scale(self.ahead, 0.99 * dot(self.velocity, self.ahead));
        let across =
            scale(sub(self.velocity, scale(self.ahead, dot(self.velocity, self.ahead))), 0.9);
        self.velocity = add(add(along, across), scale(self.ahead, PULL * controls.pedal * SECONDS));
        self.at = add(self.at, scale(self.velocity, SECONDS));
        // The border of the arena stops what goes outwards.
        if let Some(outwards) = unit(self.at)
            && length(self.at) > RADIUS
        {
            self.at = scale(outwards, RADIUS);
            let away = dot(self.velocity, outwards).max(0.0);
            self.velocity = sub(self.velocity, scale(outwards, away));
        }
    }

    fn pose(&self) -> Outcome<Pose> {
        let [x, y, _] = self.ahead;
        Ok(Pose::from_matrix([[x, -y, 0.0], [y, x, 0.0], [0.0, 0.0, 1.0]], self.at)?)
    }

    /// Column and row of the middle.
    fn cell(&self) -> [i32; 2] {
        [0, 1].map(|axis| ((self.at[axis] + RADIUS) / CELL).floor().clamp(0.0, 2.0) as i32)
    }
}

/// How much time a test has (4.3.2): `tests` are needed, after `earlier` of the six possible ones were up and `skipped` of these
/// were not needed.
fn time_for_each(total: Duration, tests: u32, earlier: u32, skipped: u32) -> Duration {
    // The car's own three, two or one; all that may still follow count, too.
    let parts = match earlier {
        0 => 3 + tests,
        3 => 4 - skipped + tests,
        _ => 6 - skipped,
    };
    total / parts
}

/// What the computer does with a car: it drives to the nearest other one.
fn chase(cars: &[Car], own: usize) -> Controls {
    let car = &cars[own];
    let others = cars.iter().enumerate().filter(|(index, _)| *index != own);
    let ways = others.map(|(_, other)| sub(other.at, car.at));
    let nearest = ways.min_by(|v, w| length(*v).total_cmp(&length(*w)));
    let [x, y, _] = nearest.unwrap_or([1.0, 0.0, 0.0]);
    let left = car.ahead[0] * y - car.ahead[1] * x;
    let in_front = dot(car.ahead, [x, y, 0.0]);
    // What is behind is reached by reversing with the wheel the other way round.
    let pedal = if in_front > -0.5 * left.abs() { 1.0 } else { -0.6 };
    Controls { pedal, wheel: f64::signum(left) * pedal.signum() }
}

/// Counts of a game.
#[derive(Debug, Default)]
struct Score {
    hits: [u32; 4],
    collisions: u32,
    tests: u32,
    /// Of these, tests whose time was over.
    late: u32,
    /// Where the cars were in each frame, and which collided.
    frames: Vec<(Vec<Pose>, BTreeSet<[usize; 2]>)>,
}

/// The model of all cars.
const SHAPE: &str = "shape:car?faces=900";

/// A collision: the point, and whether only the boxes tell.
struct Contact {
    point: [f64; 3],
    is_late: bool,
}

fn game(keys: &str, total: Duration, frames: u32) -> Outcome<Score> {
    let keys: Vec<Controls> = keys.chars().map(Controls::of_key).collect::<Outcome<_>>()?;
    let model = Model::from_mesh(xcollide_scenes::shape(SHAPE)?)?;
    let algorithm = PatchTrees::new();
    algorithm.prepare(&model)?;
    let mut cars = Vec::new();
    for (number, (_, mass)) in CARS.iter().enumerate() {
        let [x, y] = [[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]][number];
        let (at, ahead) = ([0.8 * RADIUS * x, 0.8 * RADIUS * y, 0.0], [-x, -y, 0.0]);
        cars.push(Car { at, ahead, velocity: [0.0; 3], mass: *mass, hits: 0 });
    }
    let mut caches: Vec<PairCache> = (0..16).map(|_| PairCache::new()).collect();
    let (mut score, mut touching) = (Score::default(), BTreeSet::new());
    for frame in 0..frames {
        for number in 0..cars.len() {
            let key = frame as usize * 4 / FRAMES_PER_SECOND as usize % keys.len().max(1);
            let held = keys.get(key).copied().unwrap_or_default();
            let controls = if number == 0 { held } else { chase(&cars, number) };
            cars[number].drive(controls);
        }
        let poses = cars.iter().map(Car::pose).collect::<Outcome<Vec<_>>>()?;
        let mut now = BTreeSet::new();
        let (mut earlier, mut skipped) = (0, 0);
        for a in 0..cars.len() {
            let [column, row] = cars[a].cell();
            let is_near = |b: &usize| {
                let [c, r] = cars[*b].cell();
                (c - column).abs() <= 1 && (r - row).abs() <= 1
            };
            let near: Vec<usize> = (a + 1..cars.len()).filter(is_near).collect();
            if near.is_empty() && a + 1 == cars.len() {
                break;
            }
            let time = time_for_each(total, near.len() as u32, earlier, skipped);
            let possible = (cars.len() - 1 - a) as u32;
            earlier += possible;
            skipped += possible - near.len() as u32;
            for b in near {
                let placed = [Placed::new(&model, &poses[a])?, Placed::new(&model, &poses[b])?];
                score.tests += 1;
                let Some(contact) = test(&algorithm, placed, time, &mut caches[4 * a + b]) else {
                    continue;
                };
                score.late += u32::from(contact.is_late);
                now.insert([a, b]);
                if !touching.contains(&[a, b]) {
                    collide(&mut cars, [a, b], contact.point, &mut score);
                }
            }
        }
        touching.clone_from(&now);
        score.frames.push((poses, now));
    }
    score.hits = [0, 1, 2, 3].map(|number| cars[number].hits);
    Ok(score)
}

/// Whether two cars collide, within a time.
fn test(
    algorithm: &PatchTrees,
    [a, b]: [Placed<'_>; 2],
    time: Duration,
    cache: &mut PairCache,
) -> Option<Contact> {
    let query = Query::new().semantics(Semantics::Surface).budget(time);
    match algorithm.test(a, b, &query, cache) {
        Verdict::Collides(witness) => Some(Contact { point: witness.point, is_late: false }),
        Verdict::Undecided(reason) if reason.is_out_of_time() => {
            let common = a.world_box().intersection(&b.world_box());
            (!common.is_empty()).then(|| Contact { point: common.center(), is_late: true })
        }
        Verdict::Apart(_) | Verdict::Undecided(_) => None,
    }
}

/// The response (4.3.3), and a point for each car that drove towards the other.
fn collide(cars: &mut [Car], [a, b]: [usize; 2], point: [f64; 3], score: &mut Score) {
    score.collisions += 1;
    let way = sub(cars[b].at, cars[a].at);
    let momenta = [a, b].map(|number| length(cars[number].velocity) * cars[number].mass);
    for (number, way, momentum) in [(a, way, momenta[1]), (b, scale(way, -1.0), momenta[0])] {
        let car = &mut cars[number];
        car.hits += u32::from(dot(car.velocity, way) > 0.0);
        let [x, y, _] = sub(car.at, point);
        let away = unit([x, y, 0.0]).unwrap_or([0.0; 3]);
        car.velocity = scale(away, momentum / car.mass);
    }
}

pub(crate) fn main() -> Outcome<()> {
    // The test harness has arguments of its own.
    let keys = std::env::args().nth(1);
    let keys = keys.filter(|keys| keys.chars().all(|key| Controls::of_key(key).is_ok()));
    let keys = keys.as_deref().unwrap_or(DRIVE);
    let score = game(keys, TOTAL, FRAMES)?;
    for ((name, _), hits) in CARS.iter().zip(score.hits) {
        println!("{name:>6}: {hits} hits");
    }
    let most = score.hits.iter().max().copied().unwrap_or(0);
    let best: Vec<&str> = CARS
        .iter()
        .zip(score.hits)
        .filter(|(_, hits)| *hits == most)
        .map(|((name, _), _)| *name)
        .collect();
    println!(
        "{} won; {} collisions, {} tests of {}, {} of them out of time",
        best.join(" and "),
        score.collisions,
        score.tests,
        6 * FRAMES,
        score.late
    );
    if let Some(path) = std::env::args().nth(2).filter(|path| path.ends_with(".toml")) {
        std::fs::write(path, scene(&score).to_toml())?;
    }
    check_itself(&score)
}

/// The game as a scene: each car on its recorded way.
fn scene(score: &Score) -> Scene {
    let mut scene = Scene::new("car game");
    scene.frames = score.frames.len();
    for (number, (name, _)) in CARS.iter().enumerate() {
        let mut car = Object::new(name, SHAPE);
        let way = score.frames.iter().map(|(poses, _)| Placement::from(poses[number]));
        let poses = Recording::Listed(way.collect());
        car.motion = Motion::Recorded { poses, ending: Ending::Stay };
        scene.objects.push(car);
    }
    scene
}

/// A world with default layers finds in each frame what the game found: the grid loses no pair.
fn compare_with_a_world(score: &Score) -> Outcome<()> {
    let model = Model::from_mesh(xcollide_scenes::shape(SHAPE)?)?;
    let mut world = World::builder().query(Query::new().semantics(Semantics::Surface)).build();
    let cars =
        CARS.iter().map(|_| world.add(&model, &Pose::IDENTITY)).collect::<Result<Vec<_>, _>>()?;
    for (number, (poses, found)) in score.frames.iter().enumerate() {
        world.set_poses(&cars, |car| poses[car])?;
        let frame = world.check();
        let index = |id| cars.iter().position(|car| *car == id).unwrap_or_default();
        let exact: BTreeSet<[usize; 2]> = frame
            .colliding()
            .map(|now| [now.pair.a, now.pair.b].map(index))
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        // A test without time may have been taken for a collision.
        assert!(exact.is_subset(found) && (score.late > 0 || exact == *found), "frame {number}");
    }
    Ok(())
}

/// What holds of every game.
fn check_itself(score: &Score) -> Outcome<()> {
    assert!(score.collisions > 0 && score.tests < 6 * FRAMES, "{} tests", score.tests);
    assert!(score.hits.iter().sum::<u32>() >= score.collisions, "{:?}", score.hits);
    compare_with_a_world(score)?;
    // The shares of the source's text: a third to a sixth, all to a sixth, all to a sixth.
    let share = |tests, earlier, skipped| {
        TOTAL.as_micros() / time_for_each(TOTAL, tests, earlier, skipped).as_micros()
    };
    assert_eq!([share(0, 0, 0), share(3, 0, 0)], [3, 6]);
    assert_eq!([share(0, 3, 3), share(2, 3, 0)], [1, 6]);
    assert_eq!([share(1, 5, 5), share(1, 5, 0)], [1, 6]);
    // Without any time each test of overlapping boxes is a collision by its boxes.
    let hurried = game(DRIVE, Duration::ZERO, FRAMES)?;
    assert!(hurried.late > 0 && hurried.collisions > 0, "{} late", hurried.late);
    // The scene of the game can be run.
    let played = Scene::from_toml(&scene(score).to_toml(), "game.toml")?;
    assert_eq!((played.frames, played.instance_count()), (FRAMES as usize, CARS.len()));
    // Steering matters: who does not drive hits less.
    let parked = game(".", TOTAL, FRAMES)?;
    assert!(parked.hits[0] < parked.hits.iter().copied().max().unwrap_or(0), "{:?}", parked.hits);
    Ok(())
}
