//! Crowds of moving boxes for the tables of broad phases.

use xcollide_bounds::Aabb;
use xcollide_broad::{Bounds, Mobility};
use xcollide_scenes::Random;

/// How the boxes of a crowd move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// On straight lines, turned round at the walls.
    Straight,
    /// The same, while the bodies turn in their boxes, by one to ten degrees a frame.
    Tumbling,
    /// Every frame in another direction.
    Jitter,
    /// Every frame to another place.
    Jump,
}

/// A kind of crowd, in a cube unless it is flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowd {
    /// What tables call it.
    pub name: &'static str,
    /// Sum of the boxes' volumes relative to that of the space.
    pub density: f64,
    /// Sizes are spread evenly, by their logarithm, over so many octaves from 1/4 on; 0 for sides
    /// from 1/2 to 3/2.
    pub octaves: f64,
    /// Share of the boxes that stand still.
    pub still: f64,
    /// How the others move.
    pub course: Course,
    /// By how much they move, a frame, in lengths.
    pub speeds: (f64, f64),
    /// Whether all are in a layer that is four high.
    pub flat: bool,
    /// Whether most of them are in a tenth of the room on each axis.
    pub clustered: bool,
}

impl Crowd {
    /// Every box moves by 1 to 10 % of its size a frame; the boxes fill 10 % of space.
    pub const MOVING: Self = Self {
        name: "Moving",
        density: 0.1,
        octaves: 0.0,
        still: 0.0,
        course: Course::Straight,
        speeds: (0.01, 0.1),
        flat: false,
        clustered: false,
    };
    /// The same, but nine of ten stand still.
    pub const MOSTLY_STATIC: Self = Self { name: "MostlyStatic", still: 0.9, ..Self::MOVING };
    /// Sizes from 1 to 64; they fill 50 % of space.
    pub const SIZES: Self = Self { name: "Sizes", octaves: 6.0, density: 0.5, ..Self::MOVING };
    /// Every frame in another direction.
    pub const JITTER: Self = Self { name: "Jitter", course: Course::Jitter, ..Self::MOVING };
    /// Every frame somewhere else.
    pub const JUMP: Self = Self { name: "Jump", course: Course::Jump, ..Self::MOVING };

    /// The bodies turn, so that sides and centers of their boxes go to and fro.
    pub const TUMBLING: Self = Self { name: "Tumbling", course: Course::Tumbling, ..Self::MOVING };
    /// The same, a tenth as dense.
    pub const THIN_TUMBLING: Self = Self { name: "ThinTumbling", density: 0.01, ..Self::TUMBLING };

    /// The columns of the tables.
    pub const ALL: [Self; 7] = [
        Self::MOVING,
        Self::MOSTLY_STATIC,
        Self::SIZES,
        Self::JITTER,
        Self::JUMP,
        Self::TUMBLING,
        Self::THIN_TUMBLING,
    ];

    /// What the table of winners is about: one thing at a time is different from [`Self::MOVING`].
    pub const KINDS: [Self; 12] = [
        Self::MOVING,
        Self { name: "slow, 0.1 to 1 %", speeds: (0.001, 0.01), ..Self::MOVING },
        Self { name: "fast, 10 to 50 %", speeds: (0.1, 0.5), ..Self::MOVING },
        Self::JITTER,
        Self::JUMP,
        Self::MOSTLY_STATIC,
        Self { name: "thin, 1 % filled", density: 0.01, ..Self::MOVING },
        Self { name: "dense, 100 % filled", density: 1.0, ..Self::MOVING },
        Self { name: "flat, 4 high", flat: true, ..Self::MOVING },
        Self { name: "clustered", density: 0.002, clustered: true, ..Self::MOVING },
        Self { name: "sizes 1 to 8", octaves: 3.0, ..Self::MOVING },
        Self::SIZES,
    ];
}

/// The boxes of a crowd.
#[derive(Clone, Debug)]
pub struct World {
    /// Where they are.
    pub boxes: Vec<Aabb>,
    velocities: Vec<[f64; 3]>,
    is_static: Vec<bool>,
    /// Of bodies that turn.
    bodies: Vec<Body>,
    room: [f64; 3],
    course: Course,
    random: Random,
}

impl World {
    /// `count` boxes, the same ones for the same arguments.
    #[must_use]
    pub fn new(count: usize, crowd: &Crowd) -> Self {
        let mut random = Random::new(count as u64 + 17);
        let mut sizes: Vec<[f64; 3]> =
            (0..count).map(|_| [(); 3].map(|()| random.between(0.5, 1.5))).collect();
        if crowd.octaves > 0.0 {
            for size in &mut sizes {
                let octaves = random.between(0.0, crowd.octaves);
                let factor = 0.25 * f64::from(1 << octaves as u32) * (1.0 + octaves.fract());
                *size = size.map(|side| side * factor);
            }
        }
        let volume: f64 = sizes.iter().map(|[x, y, z]| x * y * z).sum();
        let room = if crowd.flat {
            let side = (volume / crowd.density / 4.0).sqrt();
            [side, side, 4.0]
        } else {
            [(volume / crowd.density).cbrt(); 3]
        };
        let boxes = sizes.iter().map(|size| {
            let crowded = crowd.clustered && random.between(0.0, 1.0) < 0.8;
            let share = if crowded { 0.1 } else { 1.0 };
            let low =
                [0, 1, 2].map(|axis| random.between(0.0, share * room[axis]) - 0.5 * size[axis]);
            Aabb::new(low, [0, 1, 2].map(|axis| low[axis] + size[axis]))
        });
        let boxes: Vec<Aabb> = boxes.collect();
        let (slowest, fastest) = crowd.speeds;
        let velocities = (0..count).map(|_| {
            let way = [(); 3].map(|()| random.between(-1.0, 1.0));
            let length = way.iter().map(|x| x * x).sum::<f64>().sqrt().max(0.1);
            let speed = random.between(slowest, fastest) / length;
            way.map(|x| x * speed)
        });
        let velocities = velocities.collect();
        let is_static = (0..count).map(|_| random.between(0.0, 1.0) < crowd.still).collect();
        let tumbles = crowd.course == Course::Tumbling;
        let turning = sizes.iter().filter(|_| tumbles).map(|size| Body::new(size, &mut random));
        let bodies = turning.collect();
        let course = crowd.course;
        Self { boxes, velocities, is_static, bodies, room, course, random }
    }

    /// Moves what moves, and turns it round at the walls.
    pub fn step(&mut self) {
        let Self { boxes, velocities, is_static, bodies, room, course, random } = self;
        for (index, (aabb, velocity)) in boxes.iter_mut().zip(velocities).enumerate() {
            if is_static[index] {
                continue;
            }
            if let Some(body) = bodies.get_mut(index) {
                body.turn(aabb);
            }
            for axis in 0..3 {
                let middle = 0.5 * (aabb.min[axis] + aabb.max[axis]);
                if middle < 0.0 {
                    velocity[axis] = velocity[axis].abs();
                } else if middle > room[axis] {
                    velocity[axis] = -velocity[axis].abs();
                }
                let by = match course {
                    Course::Straight | Course::Tumbling => velocity[axis],
                    Course::Jitter => random.between(-1.0, 1.0) * velocity[axis],
                    Course::Jump => random.between(0.0, room[axis]) - middle,
                };
                aabb.min[axis] += by;
                aabb.max[axis] += by;
            }
        }
    }

    /// The boxes that may have moved.
    pub fn moved(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.boxes.len()).filter(|&index| !self.is_static[index])
    }

    /// What a broad phase is told of a box that is new.
    #[must_use]
    pub fn bounds(&self, index: usize) -> Bounds {
        let still = self.is_static[index];
        let mobility = if still { Mobility::Static } else { Mobility::Moving };
        Bounds::new(self.boxes[index]).mobility(mobility)
    }
}

/// A body that turns around an axis through its place.
#[derive(Clone, Debug)]
struct Body {
    corners: [[f64; 3]; 8],
    /// Unit.
    axis: [f64; 3],
    /// Sine and cosine of the angle a frame.
    turn: [f64; 2],
    /// Where its box begins, seen from its place.
    low: [f64; 3],
}

impl Body {
    /// A body in a box of this size; its place is the middle of the box.
    fn new(size: &[f64; 3], random: &mut Random) -> Self {
        let mut unit = || {
            let vector = [(); 3].map(|()| random.between(-1.0, 1.0));
            let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt().max(0.1);
            vector.map(|x| x / length)
        };
        let axis = unit();
        let corners = [(); 8].map(|()| {
            let unit = unit();
            [0, 1, 2].map(|k| 0.5 * size[k] * unit[k])
        });
        let turn = random.between(1.0, 10.0).to_radians();
        Self { corners, axis, turn: [turn.sin(), turn.cos()], low: size.map(|side| -0.5 * side) }
    }

    /// Turns the body in its place. `aabb` was its box, and becomes it.
    fn turn(&mut self, aabb: &mut Aabb) {
        let Self { corners, axis, turn: [sin, cos], low } = self;
        let place = [0, 1, 2].map(|k| aabb.min[k] - low[k]);
        // Rodrigues' formula.
        for corner in &mut *corners {
            let along = (0..3).map(|k| axis[k] * corner[k]).sum::<f64>() * (1.0 - *cos);
            *corner = [0, 1, 2].map(|k| {
                let [l, m] = [(k + 1) % 3, (k + 2) % 3];
                let across = axis[l] * corner[m] - axis[m] * corner[l];
                *cos * corner[k] + *sin * across + along * axis[k]
            });
        }
        let turned = Aabb::from_points(corners.iter().copied());
        *low = turned.min;
        *aabb = Aabb {
            min: [0, 1, 2].map(|k| place[k] + turned.min[k]),
            max: [0, 1, 2].map(|k| place[k] + turned.max[k]),
        };
    }
}
