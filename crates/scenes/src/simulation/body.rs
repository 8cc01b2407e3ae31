//! Motion of a body from frame to frame.

use super::{Instance, SceneFiles};
use crate::placement::unit;
use crate::scene::check_poses;
use crate::{
    Ending, Motion, Placement, Random, Recording, Rotation, Scene, SceneError, Speed, Start, Way,
};

/// A moving body, in the frame of its parent or of the world.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) start: Placement,
    pub(super) now: Placement,
    /// Translation per frame of a free body.
    pub(super) velocity: [f64; 3],
    /// Rotation per frame of a free body.
    spin: [f64; 4],
    course: Course,
}

#[derive(Clone, Debug)]
enum Course {
    Fixed,
    Free,
    Orbit { center: [f64; 3], axis: [f64; 3], angle: f64 },
    Recorded { poses: Vec<Placement>, ending: Ending },
}

impl Body {
    pub(super) fn is_free(&self) -> bool {
        matches!(self.course, Course::Free)
    }

    pub(super) fn place(&mut self, at: Placement) {
        (self.start, self.now) = (at, at);
    }

    pub(super) fn advance(&mut self, frame: usize) {
        match &self.course {
            Course::Fixed => {}
            Course::Free => {
                self.now.rotation.turn(self.spin);
                for (at, velocity) in self.now.translation.iter_mut().zip(self.velocity) {
                    *at += velocity;
                }
            }
            // Computed from the frame number, so that errors do not accumulate.
            &Course::Orbit { center, axis, angle } => {
                let turn = Rotation::Quaternion(turn_about(axis, angle * frame as f64));
                let arm = [0, 1, 2].map(|k| self.start.translation[k] - center[k]);
                let arm = turn.rotate(arm);
                self.now = Placement {
                    rotation: turn.after(&self.start.rotation),
                    translation: [0, 1, 2].map(|k| center[k] + arm[k]),
                };
            }
            Course::Recorded { poses, ending } => {
                let at = match ending {
                    Ending::Stay => frame.min(poses.len() - 1),
                    Ending::Repeat => frame % poses.len(),
                };
                self.now = poses[at];
            }
        }
    }

    pub(super) fn sine_of_half_spin(&self) -> f64 {
        let [x, y, z, _] = self.spin;
        (x * x + y * y + z * z).sqrt()
    }

    pub(super) fn reverse(&mut self) {
        self.velocity = self.velocity.map(|value| -value);
        for value in &mut self.spin[..3] {
            *value = -*value;
        }
    }
}

/// The bodies of all instances. Those with random positions are not placed yet. Each object has its own stream
/// of random numbers, independent of the counts of others.
pub(super) fn make(
    scene: &Scene,
    instances: &[Instance],
    files: &mut dyn SceneFiles,
) -> Result<Vec<Body>, SceneError> {
    let mut bodies: Vec<Body> = Vec::with_capacity(instances.len());
    for (index, of_object) in instances.chunk_by(|a, b| a.object == b.object).enumerate() {
        let mut random = random_of(scene.seed, index, 0);
        for instance in of_object {
            bodies.push(begin(scene, instance, &mut random, files)?);
        }
    }
    Ok(bodies)
}

/// The stream of random numbers for one purpose of an object.
pub(crate) fn random_of(seed: u64, object: usize, purpose: u64) -> Random {
    // Any odd factor separates the objects of a seed; that of the golden ratio spreads them.
    let stream = (2 * object as u64 + purpose + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Random::new(seed ^ stream)
}

fn begin(
    scene: &Scene,
    instance: &Instance,
    random: &mut Random,
    files: &mut dyn SceneFiles,
) -> Result<Body, SceneError> {
    let object = &scene.objects[instance.object];
    let start = match &object.start {
        Start::At(places) => places[instance.number].normalized(),
        Start::Random { turned: true, .. } => Placement::turned(random.rotation(), [0.0; 3]),
        Start::Random { turned: false, .. } => Placement::IDENTITY,
    };
    let spin = [0.0, 0.0, 0.0, 1.0];
    let mut body = Body { start, now: start, velocity: [0.0; 3], spin, course: Course::Fixed };
    match &object.motion {
        Motion::Fixed => {}
        Motion::Free { way, axis, degrees } => {
            body.course = Course::Free;
            // Drawn even if not used, so that later instances get the same numbers.
            let (to, about) = (random.direction(), random.direction());
            body.velocity = match *way {
                Way::Along(velocity) => velocity,
                Way::Random(Speed::Units(speed)) => to.map(|value| speed * value),
                Way::Random(Speed::Radii(speed)) => to.map(|value| speed * instance.radius * value),
            };
            body.spin = turn_about(axis.map_or(about, normalized), degrees.to_radians());
        }
        &Motion::Orbit { center, axis, degrees } => {
            body.course =
                Course::Orbit { center, axis: normalized(axis), angle: degrees.to_radians() };
        }
        Motion::Recorded { poses, ending } => {
            let poses = recorded(instance.object, poses, files)?;
            body.place(poses[0]);
            body.course = Course::Recorded { poses, ending: *ending };
        }
    }
    Ok(body)
}

fn recorded(
    object: usize,
    recording: &Recording,
    files: &mut dyn SceneFiles,
) -> Result<Vec<Placement>, SceneError> {
    let poses = match recording {
        Recording::Listed(poses) => poses.clone(),
        Recording::File(path) => {
            let key = format!("objects[{object}].motion.file");
            let refuse =
                |problem| SceneError::File { key: key.clone(), path: path.clone(), problem };
            let poses = files.poses(path).map_err(refuse)?;
            if poses.is_empty() {
                return Err(refuse("has no poses, expected at least one".to_owned()));
            }
            check_poses(&key, &poses)?;
            poses
        }
    };
    Ok(poses.iter().map(|pose| pose.normalized()).collect())
}

fn turn_about(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let (sine, cosine) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
    unit([sine * axis[0], sine * axis[1], sine * axis[2], cosine])
}

fn normalized(v: [f64; 3]) -> [f64; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|value| value / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let turned =
            Rotation::Quaternion(turn_about([0.0, 0.0, 1.0], core::f64::consts::FRAC_PI_2))
                .rotate([2., 0., 5.]);
        let expected = [0.0, 2.0, 5.0];
        assert!((0..3).all(|k| (turned[k] - expected[k]).abs() < 1e-15), "{turned:?}");
    }
}
