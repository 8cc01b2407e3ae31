//! The wide hierarchies of two moving bodies from a time on: until when their boxes are certainly apart.

use xcollide_bvh::NodePair;
use xcollide_bvh::wide::{Entry, MovingTrees, PairsBelow, RelativeMotion, WideTree};
use xcollide_math::vector::{cross, largest, scale, scaled_length, sub};
use xcollide_math::{Pose, Speed};

use super::body_in_motion::{Bodies, Body};

type Vector = [f64; 3];

/// The hierarchies at the poses of a time, with the motion from there to another time.
pub(super) struct TreesInMotion<'a> {
    moving: MovingTrees<'a>,
    pub(super) from: f64,
    to: f64,
}

impl<'a> TreesInMotion<'a> {
    /// `None` if a model has no triangles.
    pub(super) fn new(
        bodies: &Bodies<'a>,
        trees: [&'a WideTree; 2],
        from: f64,
        to: f64,
    ) -> Option<Self> {
        let [a, b] = bodies.0.map(|body| Beginning::new(&body, from, to));
        let motion = relative(&a, &b, to - from);
        let moving = MovingTrees::new((trees[0], &a.pose), (trees[1], &b.pose), &motion)?;
        Some(Self { moving, from, to })
    }

    /// The time after a part of the motion, rounded down; the end if the part is above 1.
    fn until(&self, entry: Entry) -> Until {
        Until { time: self.time(entry.part), is_loose: entry.is_loose }
    }

    /// As [`until`](Self::until).
    #[inline]
    fn time(&self, part: f64) -> f64 {
        let Self { from, to, .. } = *self;
        let time = from + part * (to - from) * (1.0 - 4.0 * f64::EPSILON);
        // The number below, as times are not negative.
        let before = f64::from_bits(time.to_bits().saturating_sub(1));
        let time = if part > 1.0 { to } else { before };
        let time = if time > from { time } else { from };
        if time < to { time } else { to }
    }

    /// The end of the interval, until when all pairs are apart that [`below`](Self::below) leaves out.
    pub(super) fn end(&self) -> Until {
        Until { time: self.to, is_loose: true }
    }

    /// The whole bodies.
    pub(super) fn root(&self) -> NodePair {
        self.moving.root()
    }

    /// Until when a pair of nodes is apart.
    pub(super) fn look(&self, pair: NodePair) -> Until {
        self.until(self.moving.look(pair))
    }

    /// What is below a pair of nodes, but for what is apart until the end.
    pub(super) fn below(&self, pair: NodePair) -> Siblings {
        let mut pairs = self.moving.below(pair);
        for part in &mut pairs.parts {
            *part = if *part < f64::INFINITY { self.time(*part) } else { f64::INFINITY };
        }
        Siblings { until: pairs }
    }

    /// The triangles of a pair of leaves.
    pub(super) fn triangles(&self, pair: NodePair) -> Option<[&'a [u32]; 2]> {
        self.moving.triangles(pair)
    }
}

/// Until when a pair of nodes is certainly apart.
#[derive(Clone, Copy)]
pub(super) struct Until {
    pub(super) time: f64,
    /// Whether it pays to look again then.
    pub(super) is_loose: bool,
}

impl Until {
    /// The later of two.
    pub(super) fn or(self, other: Self) -> Self {
        if other.time > self.time { other } else { self }
    }
}

/// As many pairs are below one at most.
pub(super) const WIDTH: usize = 8;

/// Pairs of nodes below one, with the times until which each is certainly apart in place of parts of the motion.
#[derive(Clone, Copy)]
pub(super) struct Siblings {
    until: PairsBelow,
}

impl Siblings {
    /// The least time, and its lane: of equal times the last one.
    #[inline]
    pub(super) fn first(&self) -> Option<(usize, f64)> {
        let until = &self.until.parts;
        let least = until.iter().fold(f64::INFINITY, |least, &x| if x < least { x } else { least });
        let equal = |lane: usize| u32::from(until[lane] == least) << lane;
        let lanes = (0..WIDTH).fold(0, |lanes, lane| lanes | equal(lane));
        (least < f64::INFINITY).then(|| (lanes.ilog2() as usize, least))
    }

    /// Takes the pair of a lane out.
    pub(super) fn take(&mut self, lane: usize) -> (NodePair, Until) {
        let until = self.of(lane);
        self.until.parts[lane] = f64::INFINITY;
        (self.until.pair(lane), until)
    }

    fn of(&self, lane: usize) -> Until {
        Until { time: self.until.parts[lane], is_loose: self.until.loose >> lane & 1 == 1 }
    }

    /// No time is earlier than this one.
    pub(super) fn not_before(&mut self, time: f64) {
        for until in &mut self.until.parts {
            *until = if *until > time { *until } else { time };
        }
    }

    /// The later times of two looks at the same pairs, of which the other was up to a time: what it leaves out is apart until
    /// then.
    pub(super) fn or(&mut self, nearer: &Self, end: Until) {
        for lane in 0..WIDTH {
            let known = self.of(lane);
            if known.time == f64::INFINITY {
                continue;
            }
            let later = nearer.of(lane);
            let later = if later.time == f64::INFINITY { end } else { later };
            let Until { time, is_loose } = known.or(later);
            self.until.parts[lane] = time;
            self.until.loose = self.until.loose & !(1 << lane) | u8::from(is_loose) << lane;
        }
    }
}

/// One body at the beginning of a motion.
struct Beginning {
    pose: Pose,
    /// The center of the path, in the world.
    center: Vector,
    speed: Speed,
    /// No point is farther from that center.
    arm: f64,
    /// How far points may be off for rounding at any time, and for how far it is from the origin.
    rounding: f64,
    size: f64,
}

impl Beginning {
    fn new(body: &Body<'_>, from: f64, to: f64) -> Self {
        let pose = body.pose(from);
        Self {
            center: pose.apply(body.center),
            speed: body.speed(from, to),
            arm: 1.002 * body.arm,
            rounding: body.rounding,
            size: body.reach + 1.8 * largest(pose.translation()) + scaled_length(body.center),
            pose,
        }
    }

    /// The velocity of the body at the origin of the world.
    fn at_origin(&self) -> Vector {
        sub(self.speed.velocity, cross(self.speed.spin, self.center))
    }

    /// No point is faster.
    fn fastest(&self) -> f64 {
        let Speed { velocity, velocity_error, spin, spin_error } = self.speed;
        scaled_length(velocity) + velocity_error + (scaled_length(spin) + spin_error) * self.arm
    }

    /// How a point may leave the way on which its velocity at the beginning would bring it: at most by these factors of the
    /// time and of its square.
    ///
    /// Proof: as for [`Speed::deviation`], `velocity + ω × r`, for the spin without error, changes at a rate of at most
    /// `|ω| (|ω| + spin_error) |r|`, and the rest of the velocity is at most the errors.
    fn deviation(&self) -> [f64; 2] {
        let Speed { velocity, velocity_error, spin, spin_error } = self.speed;
        let spin = scaled_length(spin);
        let size = scaled_length(velocity) + spin * (self.arm + scaled_length(self.center));
        let errors = velocity_error + spin_error * self.arm + 32.0 * f64::EPSILON * size;
        [errors, 0.501 * spin * (spin + spin_error) * self.arm]
    }
}

/// How the second body moves relative to the first for some time.
///
/// Proof: let points p and q be in one place at the time τ. With the velocities u and w at the beginning,
/// `q + τ w(q) − p − τ u(p)` is at most the deviations. Velocities are `v + ω × q`, so that is `q + τ (w − u)(q) − p` and
/// τ `ω × (q − p)`, with the ω of the first. No point is faster than its body is, so |q − p| is at most τ times the sum of
/// both speeds.
fn relative(a: &Beginning, b: &Beginning, time: f64) -> RelativeMotion {
    let ([drift_a, bend_a], [drift_b, bend_b]) = (a.deviation(), b.deviation());
    let fastest = a.fastest() + b.fastest();
    let turned = scaled_length(a.speed.spin) * fastest;
    let sizes = a.size + b.size + time * fastest;
    RelativeMotion {
        shift: scale(sub(b.at_origin(), a.at_origin()), time),
        turn: scale(sub(b.speed.spin, a.speed.spin), time),
        distance: 4.0 * (a.rounding + b.rounding) + 32.0 * f64::EPSILON * sizes,
        drift: 1.001 * time * (drift_a + drift_b),
        bend: 1.001 * time * time * (bend_a + bend_b + turned),
    }
}
