//! Validation of scenes.

use std::collections::{BTreeMap, BTreeSet};

use super::error::number;
use super::{
    CageSize, Import, ImportFrom, JointMotion, Motion, Object, Recording, Scene, SceneError, Speed,
    Start, Way,
};
use crate::Placement;
use crate::error::excerpt;

/// Most instances of a scene.
pub(crate) const MAX_INSTANCES: usize = 10_000_000;

/// Most frames of a run.
pub(crate) const MAX_FRAMES: usize = 1_000_000_000;

/// Most frames of a random joint motion between configurations.
const MAX_STEPS: usize = 1000;

/// Most groups of a scene.
const MAX_GROUPS: usize = 256;

impl Scene {
    /// Checks this scene, without making shapes or reading files ([`Simulation`](crate::Simulation) does),
    /// and without resolving names of algorithms.
    ///
    /// # Errors
    /// The first of: a number is not finite or out of range (lengths end at 1e100); poses do not match the
    /// instances or are no rotations within 1e-6; a parent, group or cage is missing; two properties exclude
    /// each other, such as moving and static.
    pub fn check(&self) -> Result<(), SceneError> {
        range("frames", self.frames, 1, MAX_FRAMES)?;
        if let Some(cage) = &self.cage {
            check_cage(cage.size)?;
        }
        let names = self.objects_by_name();
        let mut groups = BTreeSet::new();
        for (index, object) in self.objects.iter().enumerate() {
            let key = format!("objects[{index}]");
            At { scene: self, names: &names, object, key: key.clone() }.check(index)?;
            groups.insert(object.group.as_str());
            if groups.len() > MAX_GROUPS {
                let expected = format!("at most {MAX_GROUPS} groups in a scene");
                let found = format!("one more, `{}`", excerpt(&object.group));
                return Err(SceneError::bad(format!("{key}.group"), found, expected));
            }
        }
        if self.instance_count() > MAX_INSTANCES {
            let expected = format!("at most {MAX_INSTANCES} instances altogether");
            return Err(SceneError::bad("objects", self.instance_count(), expected));
        }
        for (index, import) in self.imports.iter().enumerate() {
            check_import(&format!("imports[{index}]"), import)?;
        }
        // Groups of imports are not known yet.
        if self.imports.is_empty() { self.check_interest(&groups) } else { Ok(()) }
    }

    /// The named objects; the first of each name.
    pub(crate) fn objects_by_name(&self) -> BTreeMap<&str, usize> {
        let named = self.objects.iter().enumerate().rev();
        let named = named.filter(|(_, object)| !object.name.is_empty());
        named.map(|(index, object)| (object.name.as_str(), index)).collect()
    }

    fn check_interest(&self, groups: &BTreeSet<&str>) -> Result<(), SceneError> {
        for (index, rule) in self.interest.iter().enumerate() {
            for (end, group) in rule.groups.iter().enumerate() {
                if group != "*" && !groups.contains(group.as_str()) {
                    return Err(SceneError::UnknownName {
                        key: format!("interest[{index}].groups[{end}]"),
                        found: group.clone(),
                        expected: "group of an object, or `*`",
                    });
                }
            }
        }
        Ok(())
    }
}

fn check_cage(size: CageSize) -> Result<(), SceneError> {
    match size {
        CageSize::Box { min, max } => {
            lengths("cage.min", min)?;
            lengths("cage.max", max)?;
            match (0..3).find(|&k| min[k] >= max[k]) {
                Some(k) => {
                    Err(SceneError::bad(format!("cage.max[{k}]"), number(max[k]), above(min[k])))
                }
                None => Ok(()),
            }
        }
        CageSize::Density(density) if density > 0.0 && density <= 1.0 => Ok(()),
        CageSize::Density(density) => {
            Err(SceneError::bad("cage.density", number(density), "a number above 0, at most 1"))
        }
    }
}

/// An object and its context.
struct At<'a> {
    scene: &'a Scene,
    names: &'a BTreeMap<&'a str, usize>,
    object: &'a Object,
    key: String,
}

impl At<'_> {
    fn check(&self, index: usize) -> Result<(), SceneError> {
        let object = self.object;
        if self.names.get(object.name.as_str()).is_some_and(|&first| first != index) {
            let (key, name) = (self.at("name"), object.name.clone());
            return Err(SceneError::Repeated { key, name });
        }
        if object.mesh.text().is_empty() {
            return Err(SceneError::bad(self.at("mesh"), "``", "a shape or the path of a file"));
        }
        positive(&self.at("scale"), object.scale)?;
        for (k, value) in object.stretch.into_iter().enumerate() {
            if !(1e-100..=1e100).contains(&value.abs()) {
                let expected = "a number from 1e-100 to 1e100, or the negative of one";
                return Err(SceneError::bad(
                    self.at(&format!("stretch[{k}]")),
                    number(value),
                    expected,
                ));
            }
        }
        if let Some(mass) = object.mass {
            positive(&self.at("mass"), mass)?;
        }
        if let Some(color) = object.color
            && let Some(k) = (0..3).find(|&k| !(0.0..=1.0).contains(&color[k]))
        {
            let key = self.at(&format!("color[{k}]"));
            return Err(SceneError::bad(key, number(color[k]), "a number from 0 to 1"));
        }
        range(&self.at("count"), object.count, 1, MAX_INSTANCES)?;
        self.check_start()?;
        self.check_motion()?;
        self.check_parent(index)
    }

    fn check_start(&self) -> Result<(), SceneError> {
        match &self.object.start {
            Start::At(places) => {
                let key = self.at(if places.len() == 1 { "pose" } else { "poses" });
                if places.len() != self.object.count {
                    let expected = format!("{}, one for each of `count`", self.object.count);
                    return Err(SceneError::bad(key, poses(places.len()), expected));
                }
                check_poses(&key, places)
            }
            Start::Random { .. } if self.object.parent.is_some() => {
                Err(SceneError::bad(self.at("placement"), "`random` beside a parent", "`pose`"))
            }
            Start::Random { within: Some([min, max]), .. } => {
                lengths(&self.at("within[0]"), *min)?;
                lengths(&self.at("within[1]"), *max)?;
                match (0..3).find(|&k| min[k] > max[k]) {
                    Some(k) => {
                        let key = self.at(&format!("within[1][{k}]"));
                        Err(SceneError::bad(
                            key,
                            number(max[k]),
                            format!("at least {}", number(min[k])),
                        ))
                    }
                    None => Ok(()),
                }
            }
            Start::Random { within: None, .. } if self.scene.cage.is_none() => {
                let expected = "a cage, or `within` to say where".to_owned();
                Err(SceneError::MissingKey { key: self.at("within"), expected })
            }
            Start::Random { within: None, .. } => Ok(()),
        }
    }

    fn check_motion(&self) -> Result<(), SceneError> {
        let object = self.object;
        if object.is_static && object.motion != Motion::Fixed {
            let found = "true for an object that moves";
            return Err(SceneError::bad(self.at("static"), found, "false"));
        }
        match &object.motion {
            Motion::Fixed => Ok(()),
            Motion::Free { way, axis, degrees } => {
                if object.parent.is_some() {
                    let expected = "`fixed`, `orbit` or `recorded`";
                    let found = "`free` beside a parent";
                    return Err(SceneError::bad(self.at("motion.kind"), found, expected));
                }
                match *way {
                    Way::Along(velocity) => lengths(&self.at("motion.velocity"), velocity)?,
                    Way::Random(Speed::Units(speed)) => {
                        at_least_zero(&self.at("motion.speed"), speed)?;
                    }
                    Way::Random(Speed::Radii(speed)) => {
                        at_least_zero(&self.at("motion.speed_in_radii"), speed)?;
                    }
                }
                axis.map_or(Ok(()), |axis| self.check_axis(axis))?;
                self.check_degrees(*degrees)
            }
            Motion::Orbit { center, axis, degrees } => {
                lengths(&self.at("motion.center"), *center)?;
                self.check_axis(*axis)?;
                self.check_degrees(*degrees)
            }
            Motion::Recorded { .. } if object.count != 1 => {
                Err(SceneError::bad(self.at("count"), object.count, "1 for a recorded motion"))
            }
            Motion::Recorded { poses: Recording::File(_), .. } => Ok(()),
            Motion::Recorded { poses: Recording::Listed(poses), .. } => {
                let key = self.at("motion.poses");
                if poses.is_empty() {
                    return Err(SceneError::bad(key, "no poses", "at least one"));
                }
                check_poses(&key, poses)
            }
        }
    }

    fn check_axis(&self, axis: [f64; 3]) -> Result<(), SceneError> {
        let key = self.at("motion.axis");
        lengths(&key, axis)?;
        let longest = axis.iter().fold(0.0, |longest: f64, value| longest.max(value.abs()));
        // Its square must be finite and positive.
        if (1e-100..=1e100).contains(&longest) {
            return Ok(());
        }
        let expected = "a vector from 1e-100 to 1e100 long";
        Err(SceneError::bad(key, format!("{axis:?}"), expected))
    }

    fn check_degrees(&self, degrees: f64) -> Result<(), SceneError> {
        if degrees.is_finite() && degrees.abs() <= 1e9 {
            return Ok(());
        }
        let expected = "a number of degrees from -1e9 to 1e9";
        Err(SceneError::bad(self.at("motion.degrees"), number(degrees), expected))
    }

    fn check_parent(&self, index: usize) -> Result<(), SceneError> {
        let Some(name) = &self.object.parent else {
            if self.object.jointed {
                let found = "true for an object without a parent";
                return Err(SceneError::bad(self.at("jointed"), found, "false"));
            }
            return Ok(());
        };
        let key = self.at("parent");
        let Some(&parent) = self.names.get(name.as_str()) else {
            // Objects of imports are not known yet.
            if !self.scene.imports.is_empty() {
                return Ok(());
            }
            let (found, expected) = (name.clone(), "name of an object");
            return Err(SceneError::UnknownName { key, found, expected });
        };
        let objects = &self.scene.objects;
        let (count, parents) = (self.object.count, objects[parent].count);
        if parents != 1 && parents != count {
            let found = format!("`{name}`, which has {parents} instances");
            return Err(SceneError::bad(key, found, format!("1 instance, or {count} as here")));
        }
        if self.object.is_static && !objects[parent].is_static {
            let found = "true beside a parent that is not";
            return Err(SceneError::bad(self.at("static"), found, "false"));
        }
        // Along the parents: more steps than objects mean a cycle.
        let mut at = Some(parent);
        for _ in 0..objects.len() {
            let Some(next) = at else { return Ok(()) };
            if next == index {
                let found = format!("`{name}`, which hangs on this object itself");
                return Err(SceneError::bad(key, found, "an object that does not"));
            }
            at = objects[next]
                .parent
                .as_ref()
                .and_then(|name| self.names.get(name.as_str()))
                .copied();
        }
        Ok(())
    }

    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.key)
    }
}

fn check_import(key: &str, import: &Import) -> Result<(), SceneError> {
    check_poses(&format!("{key}.pose"), std::slice::from_ref(&import.pose))?;
    match &import.from {
        ImportFrom::Robot(robot) => match robot.joints {
            JointMotion::Random { steps } => range(&format!("{key}.steps"), steps, 1, MAX_STEPS),
            JointMotion::File { .. } => Ok(()),
        },
        ImportFrom::File(file) if (1e-3..=1e6).contains(&file.rate) => Ok(()),
        ImportFrom::File(file) => {
            let expected = "a number of frames a second from 0.001 to 1000000";
            Err(SceneError::bad(format!("{key}.rate"), number(file.rate), expected))
        }
    }
}

/// Checks that all numbers are lengths and all rotations are rotations.
pub(crate) fn check_poses(key: &str, poses: &[Placement]) -> Result<(), SceneError> {
    for (index, pose) in poses.iter().enumerate() {
        let key = || if poses.len() == 1 { key.to_owned() } else { format!("{key}[{index}]") };
        if let Some(&found) = pose.numbers().iter().find(|value| !is_length(**value)) {
            return Err(SceneError::bad(key(), number(found), LENGTHS));
        }
        pose.check().map_err(|error| SceneError::Pose { key: key(), error })?;
    }
    Ok(())
}

fn poses(count: usize) -> String {
    if count == 1 { "1 pose".to_owned() } else { format!("{count} poses") }
}

fn range(key: &str, found: usize, min: usize, max: usize) -> Result<(), SceneError> {
    if (min..=max).contains(&found) {
        return Ok(());
    }
    Err(SceneError::bad(key, found, format!("a whole number from {min} to {max}")))
}

/// Far enough from the limits of f64 that sums of squares are finite.
const LENGTHS: &str = "a number from -1e100 to 1e100";

fn is_length(value: f64) -> bool {
    value.abs() <= 1e100
}

fn lengths(key: &str, vector: [f64; 3]) -> Result<(), SceneError> {
    match (0..3).find(|&k| !is_length(vector[k])) {
        Some(k) => Err(SceneError::bad(format!("{key}[{k}]"), number(vector[k]), LENGTHS)),
        None => Ok(()),
    }
}

fn positive(key: &str, found: f64) -> Result<(), SceneError> {
    if (1e-100..=1e100).contains(&found) {
        return Ok(());
    }
    Err(SceneError::bad(key, number(found), "a number from 1e-100 to 1e100"))
}

fn at_least_zero(key: &str, found: f64) -> Result<(), SceneError> {
    if (0.0..=1e100).contains(&found) {
        return Ok(());
    }
    Err(SceneError::bad(key, number(found), "a number from 0 to 1e100"))
}

fn above(min: f64) -> String {
    format!("a number above {}", number(min))
}
