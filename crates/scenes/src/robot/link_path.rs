//! Links of a robot on the way between two configurations, as paths with bounds on how fast they are.

use xcollide_math::vector::{add, cross, length, scale};
use xcollide_math::{Path, Pose, Speed};

use super::RobotDescription;
use super::description::ConfigurationError;
use super::joints::{Joint, Kind, Tree};
use crate::Placement;

/// A robot all of whose joints go evenly from one configuration, at time 0, to another, at time 1: a straight edge in the
/// space of configurations. Joints that turn go the way of their numbers, any number of turns.
#[derive(Clone, Debug)]
pub struct JointPath<'r> {
    tree: &'r Tree,
    /// The joints of a configuration.
    free: &'r [usize],
    /// The values of all joints; only those of the free ones count.
    from: Vec<f64>,
    to: Vec<f64>,
}

impl RobotDescription {
    /// The robot between two configurations.
    ///
    /// ```
    /// use xcollide_math::Path;
    /// use xcollide_scenes::{NoFiles, Placement, SceneFiles};
    /// use xcollide_scenes::robot::RobotDescription;
    /// # struct Texts;
    /// # impl SceneFiles for Texts {
    /// #     fn mesh(&mut self, path: &str) -> Result<xcollide_brep::PolygonMesh, String> {
    /// #         NoFiles.mesh(path)
    /// #     }
    /// #     fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String> {
    /// #         NoFiles.poses(path)
    /// #     }
    /// #     fn text(&mut self, _: &str) -> Result<String, String> {
    /// #         Ok("<robot><link name='base'/>
    /// #             <link name='arm'><collision><geometry><box size='1 1 1'/></geometry></collision></link>
    /// #             <joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/>
    /// #             <axis xyz='0 0 1'/></joint></robot>".to_owned())
    /// #     }
    /// # }
    /// # let mut files = Texts;
    /// let robot = RobotDescription::read("arm.urdf", None, &mut files)?;
    /// let path = robot.joint_path(&[0.0], &[2.0])?;
    /// let arm = path.link(1, &Placement::at([1.0, 0.0, 0.0]), [0.0; 3]);
    /// assert_eq!(arm.at(0.5).apply([0.0; 3]), [1.0_f64.cos(), 1.0_f64.sin(), 0.0]);
    /// assert!((arm.speed(0.0, 1.0).spin[2] - 2.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// One of the two has another number of values than the robot [`joints`](Self::joints), or one beyond ±10⁹.
    pub fn joint_path(
        &self,
        from: &[f64],
        to: &[f64],
    ) -> Result<JointPath<'_>, ConfigurationError> {
        let (from, to) = (self.joint_values(from)?, self.joint_values(to)?);
        Ok(JointPath { tree: self.tree(), free: self.free_joints(), from, to })
    }
}

impl<'r> JointPath<'r> {
    /// The configuration at a time from 0 to 1: at both ends as it was given, bit for bit.
    #[must_use]
    pub fn configuration(&self, time: f64) -> Vec<f64> {
        self.free.iter().map(|&joint| between(self.from[joint], self.to[joint], time)).collect()
    }

    /// The path of a body at a pose in the frame of a link. Its poses are those of
    /// [`place_links`](RobotDescription::place_links) at the [`configuration`](Self::configuration) of the time, bit for
    /// bit. `center` is the point of the body, in its own frame, to which bounds on its speed refer: that in the middle makes
    /// them narrowest.
    #[must_use]
    pub fn link(&self, link: usize, origin: &Placement, center: [f64; 3]) -> LinkPath<'r> {
        let mut joints: Vec<JointInMotion<'r>> =
            self.tree.joints_above(link).map(|joint| self.joint(joint)).collect();
        joints.reverse();
        let bounds = Bounds::of(&joints, origin, center);
        LinkPath { joints, origin: *origin, center, bounds }
    }

    fn joint(&self, number: usize) -> JointInMotion<'r> {
        let (leader, factor, offset) = self.tree.leader(number);
        let [from, to] = [self.from[leader], self.to[leader]];
        let joint = &self.tree.joints[number];
        let follows = (leader != number).then_some([factor, offset]);
        let [factor, offset] = follows.unwrap_or([1.0, 0.0]);
        let (rate, most) = match joint.kind {
            Kind::Fixed => (0.0, 0.0),
            _ => (factor * (to - from), factor.abs() * from.abs().max(to.abs()) + offset.abs()),
        };
        JointInMotion { joint, from, to, follows, rate, most }
    }
}

/// A value on the way between two.
fn between(from: f64, to: f64, time: f64) -> f64 {
    if from == to { from } else { (1.0 - time) * from + time * to }
}

/// A joint whose value changes evenly.
#[derive(Clone, Copy, Debug)]
struct JointInMotion<'p> {
    joint: &'p Joint,
    /// The values at both ends, of the joint or of the one that it follows.
    from: f64,
    to: f64,
    /// A factor and an offset, if it follows another.
    follows: Option<[f64; 2]>,
    /// The change of its value per unit of time.
    rate: f64,
    /// No value on the way has a larger magnitude.
    most: f64,
}

impl JointInMotion<'_> {
    fn value(&self, time: f64) -> f64 {
        let value = between(self.from, self.to, time);
        self.follows.map_or(value, |[factor, offset]| factor * value + offset)
    }

    fn turns(&self) -> bool {
        matches!(self.joint.kind, Kind::Turning(_))
    }
}

/// The path of a body that a link of a robot carries, while all joints go evenly.
#[derive(Clone, Debug)]
pub struct LinkPath<'p> {
    /// From the base to the link.
    joints: Vec<JointInMotion<'p>>,
    origin: Placement,
    center: [f64; 3],
    bounds: Bounds,
}

/// What holds at all times.
#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    /// Of the angular velocity.
    spin: f64,
    /// Of its change per unit of time.
    spin_change: f64,
    /// Of the velocities of sliding joints, added up.
    sliding: f64,
    /// Of the acceleration of the center.
    acceleration: f64,
    /// The length of the chain from the base to the origin of the body, at most.
    chain: f64,
    /// From there to the center.
    arm: f64,
    /// By how much rounding turns the body, at most, in radians.
    turned: f64,
}

impl Bounds {
    /// The position of the center is a sum of vectors, each at rest or sliding in a frame that turns: R l. With the angular
    /// velocity ω of the frame its second derivative is `(ω' × + ω × ω ×) R l + 2 ω × R l'`. A turning joint with the rate q'
    /// adds q' a to the angular velocity, where the axis a turns with the frame before: `a' = ω × a`.
    fn of(joints: &[JointInMotion<'_>], origin: &Placement, center: [f64; 3]) -> Self {
        let mut bounds = Self::default();
        let mut angles = 0.0;
        for joint in joints {
            bounds.goes_on(length(joint.joint.origin().translation));
            let rate = joint.rate.abs();
            match joint.joint.kind {
                Kind::Fixed => {}
                Kind::Turning(_) => {
                    bounds.spin_change += rate * bounds.spin;
                    bounds.spin += rate;
                    angles += joint.most;
                }
                Kind::Sliding(_) => {
                    bounds.goes_on(joint.most);
                    bounds.acceleration += 2.0 * bounds.spin * rate;
                    bounds.sliding += rate;
                }
            }
        }
        bounds.goes_on(length(origin.translation));
        let chain = bounds.chain;
        bounds.goes_on(1.001 * length(center));
        (bounds.chain, bounds.arm) = (chain, bounds.chain - chain);
        // Of a joint the angle is off by 2⁻⁵⁰ of itself at most, and its product with the frame before by some dozen 2⁻⁵³.
        bounds.turned = f64::EPSILON * (64.0 * (joints.len() + 4) as f64 + 8.0 * angles);
        bounds
    }

    /// The sum goes on by a vector of a length.
    fn goes_on(&mut self, length: f64) {
        self.chain += length;
        self.acceleration += (self.spin * self.spin + self.spin_change) * length;
    }
}

impl Path for LinkPath<'_> {
    fn at(&self, time: f64) -> Pose {
        let base = Placement::IDENTITY;
        let link = self
            .joints
            .iter()
            .fold(base, |frame, joint| frame.after(&joint.joint.placement(joint.value(time))));
        link.after(&self.origin).pose()
    }

    fn center(&self) -> [f64; 3] {
        self.center
    }

    /// The velocities of the moment in the middle, and by how much they can change until the ends.
    fn speed(&self, from: f64, to: f64) -> Speed {
        let middle = from + 0.5 * (to - from);
        let (mut frame, mut velocity, mut spin) = (Placement::IDENTITY, [0.0; 3], [0.0; 3]);
        // The frame goes on by an inner one, which is at rest in it.
        let goes_on = |frame: &mut Placement, velocity: &mut [f64; 3], spin, inner: &Placement| {
            *velocity = add(*velocity, cross(spin, frame.rotation.rotate(inner.translation)));
            *frame = frame.after(inner);
        };
        for joint in &self.joints {
            goes_on(&mut frame, &mut velocity, spin, joint.joint.origin());
            if joint.joint.kind == Kind::Fixed {
                continue;
            }
            let along = scale(frame.rotation.rotate(joint.joint.axis()), joint.rate);
            if joint.turns() {
                spin = add(spin, along);
            } else {
                velocity = add(velocity, along);
            }
            let moved = joint.joint.moved(joint.value(middle));
            goes_on(&mut frame, &mut velocity, spin, &moved);
        }
        goes_on(&mut frame, &mut velocity, spin, &self.origin);
        velocity = add(velocity, cross(spin, frame.rotation.rotate(self.center)));
        let Bounds { spin: most, spin_change, sliding, acceleration, chain, arm, turned } =
            self.bounds;
        let half = 0.5 * (to - from) * (1.0 + 8.0 * f64::EPSILON);
        let rounding = 4.0 * turned;
        Speed {
            velocity,
            velocity_error: acceleration * half + rounding * (most * (chain + arm) + sliding),
            spin,
            spin_error: spin_change * half + rounding * most,
        }
    }

    fn rounding(&self, reach: f64) -> f64 {
        self.bounds.turned * (self.bounds.chain + reach) + f64::MIN_POSITIVE
    }

    /// Whether no joint turns: those that slide do so evenly, and all rotations are computed from the same numbers.
    fn is_translation(&self) -> bool {
        self.bounds.spin == 0.0
    }
}
