//! Animations: keys and their interpolation (glTF 2.0, appendix C).

use ::gltf::json::accessor::Type;
use ::gltf::json::animation::{Interpolation, Property};
use ::gltf::json::validation::Checked;

use super::elements::{Source, get};
use super::parts::PartOptions;
use super::placing::{Placement, diagonal, unit};
use crate::error::{Position, Problem, ReadError};
use crate::report::RemarkKind;

const MAX_FRAMES: f64 = 1e6;

/// The channels of an animation that move nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Animation {
    channels: Vec<Channel>,
    rate: f64,
    pub(super) frames: usize,
}

/// Animation of one property of a node.
#[derive(Clone, Debug)]
struct Channel {
    node: usize,
    path: Path,
    interpolation: Interpolation,
    times: Vec<f64>,
    /// The values at the times; for cubic splines, each value is between its two tangents.
    values: Vec<[f64; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    Translation,
    Rotation,
    Scale,
}

impl Animation {
    pub(super) fn read(source: &mut Source<'_>, options: &PartOptions) -> Result<Self, ReadError> {
        if !(1e-3..=1e6).contains(&options.rate) {
            let found = format!("{} frames a second", options.rate);
            return Err(Problem::unexpected(found, "0.001 to 1000000").at(Position::File));
        }
        let mut animation = Self { channels: Vec::new(), rate: options.rate, frames: 1 };
        let root = source.root;
        if options.animation == 0 && root.animations.is_empty() {
            return Ok(animation);
        }
        let described = get("animation", &root.animations, options.animation)
            .map_err(|problem| problem.at(Position::File))?;
        for (number, channel) in described.channels.iter().enumerate() {
            let name = format!("animation {}, channel", options.animation);
            let at = || Position::element(name.clone(), number);
            let path = match channel.target.path {
                Checked::Valid(Property::Translation) => Path::Translation,
                Checked::Valid(Property::Rotation) => Path::Rotation,
                Checked::Valid(Property::Scale) => Path::Scale,
                // Morph targets have their default weights.
                Checked::Valid(Property::MorphTargetWeights) => {
                    source.report.add(RemarkKind::Pose, "animated morph target", "", 1, at());
                    continue;
                }
                Checked::Invalid => {
                    let expected = "translation, rotation, scale or weights";
                    return Err(Problem::unexpected("an unknown path", expected).at(at()));
                }
            };
            let node = channel.target.node.value();
            get("node", &root.nodes, node).map_err(|problem| problem.at(at()))?;
            let sampler = get("sampler", &described.samplers, channel.sampler.value())
                .map_err(|problem| problem.at(at()))?;
            let Checked::Valid(interpolation) = sampler.interpolation else {
                let expected = "LINEAR, STEP or CUBICSPLINE";
                return Err(Problem::unexpected("an unknown interpolation", expected).at(at()));
            };
            let times = source.vectors::<1>(sampler.input, Type::Scalar, "times")?;
            let times: Vec<f64> = times.into_iter().map(|[time]| time).collect();
            let values = match path {
                Path::Rotation => source.vectors::<4>(sampler.output, Type::Vec4, "rotations")?,
                Path::Translation | Path::Scale => {
                    let values = source.vectors::<3>(sampler.output, Type::Vec3, "vectors")?;
                    values.into_iter().map(|[x, y, z]| [x, y, z, 0.0]).collect()
                }
            };
            let channel = Channel { node, path, interpolation, times, values };
            channel.check().map_err(|problem| problem.at(at()))?;
            animation.channels.push(channel);
        }
        animation.channels.sort_by_key(|channel| channel.node);
        let ends = animation.channels.iter().filter_map(|channel| channel.times.last());
        let frames = ends.fold(0.0, |last: f64, &end| last.max(end)) * options.rate;
        if frames > MAX_FRAMES {
            let found = format!("an animation of {frames:.0} frames");
            return Err(Problem::unexpected(found, "at most 1000000").at(Position::File));
        }
        // Times are f32, so a key slightly before a frame belongs to it.
        animation.frames = 1 + (frames * (1.0 + 1e-6)).floor() as usize;
        Ok(animation)
    }

    pub(super) fn moves(&self, node: usize) -> bool {
        !self.of_node(node).is_empty()
    }

    /// Whether a node's rotation or translation is animated.
    pub(super) fn carries(&self, node: usize) -> bool {
        self.of_node(node).iter().any(|channel| channel.path != Path::Scale)
    }

    pub(super) fn apply(&self, node: usize, frame: usize, local: &mut Placement) {
        for channel in self.of_node(node) {
            let value @ [x, y, z, _] = channel.at(frame as f64 / self.rate);
            match channel.path {
                Path::Translation => local.pose = local.pose.with_translation([x, y, z]),
                Path::Rotation => local.turn(value),
                Path::Scale => local.shape = diagonal([x, y, z]),
            }
        }
    }

    fn of_node(&self, node: usize) -> &[Channel] {
        let first = self.channels.partition_point(|channel| channel.node < node);
        let end = self.channels.partition_point(|channel| channel.node <= node);
        &self.channels[first..end]
    }
}

impl Channel {
    fn check(&self) -> Result<(), Problem> {
        let is_ordered = self.times.is_sorted_by(|a, b| a < b);
        if !is_ordered || self.times.first().is_none_or(|&first| !(0.0..=1e9).contains(&first)) {
            return Err(Problem::unexpected("times out of order", "times from 0 that increase"));
        }
        let each = if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if self.values.len() != each * self.times.len() {
            let found = format!("{} values", self.values.len());
            return Err(Problem::unexpected(found, format!("{}", each * self.times.len())));
        }
        if let Some(value) = self.values.iter().flatten().find(|value| !value.is_finite()) {
            return Err(Problem::not_finite(value));
        }
        let keys = self.values.iter().skip(each / 2).step_by(each);
        if self.path == Path::Rotation && keys.into_iter().any(|value| unit(*value).is_none()) {
            return Err(Problem::unexpected("a rotation of length 0", "unit quaternions"));
        }
        Ok(())
    }

    /// The value at a time; constant before the first key and after the last one.
    fn at(&self, time: f64) -> [f64; 4] {
        let next = self.times.partition_point(|&key| key <= time);
        let value = if next == 0 || next == self.times.len() {
            self.key(next.saturating_sub(1))
        } else {
            let width = self.times[next] - self.times[next - 1];
            self.between(next - 1, (time - self.times[next - 1]) / width, width)
        };
        match self.path {
            // Opposite keys may cancel; then the first one is used.
            Path::Rotation => unit(value)
                .or_else(|| unit(self.key(next.saturating_sub(1))))
                .unwrap_or([0.0, 0.0, 0.0, 1.0]),
            Path::Translation | Path::Scale => value,
        }
    }

    fn key(&self, index: usize) -> [f64; 4] {
        match self.interpolation {
            Interpolation::CubicSpline => self.values[3 * index + 1],
            Interpolation::Linear | Interpolation::Step => self.values[index],
        }
    }

    /// The interpolated value at a fraction of the way from a key to the next.
    fn between(&self, index: usize, part: f64, width: f64) -> [f64; 4] {
        let [from, to] = [self.key(index), self.key(index + 1)];
        match self.interpolation {
            Interpolation::Step => from,
            Interpolation::Linear if self.path == Path::Rotation => slerp(from, to, part),
            Interpolation::Linear => [0, 1, 2, 3].map(|k| from[k] + part * (to[k] - from[k])),
            Interpolation::CubicSpline => {
                let [leaving, arriving] = [self.values[3 * index + 2], self.values[3 * index + 3]];
                let (t, t2, t3) = (part, part * part, part * part * part);
                [0, 1, 2, 3].map(|k| {
                    (2.0 * t3 - 3.0 * t2 + 1.0) * from[k]
                        + width * (t3 - 2.0 * t2 + t) * leaving[k]
                        + (3.0 * t2 - 2.0 * t3) * to[k]
                        + width * (t3 - t2) * arriving[k]
                })
            }
        }
    }
}

/// Spherical linear interpolation the shorter way (Shoemake, "Animating rotation with quaternion curves",
/// 1985).
fn slerp(from: [f64; 4], to: [f64; 4], part: f64) -> [f64; 4] {
    let (Some(from), Some(to)) = (unit(from), unit(to)) else { return from };
    let cosine: f64 = (0..4).map(|k| from[k] * to[k]).sum();
    let (cosine, to) = if cosine < 0.0 { (-cosine, to.map(|value| -value)) } else { (cosine, to) };
    let [a, b] = if cosine > 1.0 - 1e-9 {
        // Nearly equal keys are interpolated linearly.
        [1.0 - part, part]
    } else {
        let angle = libm::acos(cosine);
        let sine = libm::sin(angle);
        [libm::sin((1.0 - part) * angle) / sine, libm::sin(part * angle) / sine]
    };
    [0, 1, 2, 3].map(|k| a * from[k] + b * to[k])
}
