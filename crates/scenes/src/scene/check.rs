//! Validation of scenes.

use std::collections::{BTreeMap, BTreeSet};

use super::error::counted;
use super::{
    CageSize, Flexible, HeightField, Heights, Import, ImportFrom, JointMotion, MeshSource, Motion,
    Object, Recording, Scene, SceneError, Speed, Start, Way,
};
use crate::Placement;
use crate::error::excerpt;
use crate::message_number::number;

const MAX_INSTANCES: usize = 10_000_000;
const MAX_FRAMES: usize = 1_000_000_000;
const MAX_STEPS: usize = 1000;
const MAX_GROUPS: usize = 256;

impl Scene {
    /// Validates this scene, without making shapes or reading files ([`Simulation`](crate::Simulation) does) and
    /// without resolving names of algorithms.
    ///
    /// # Errors
    /// The first of: a number is not finite or out of range (lengths end at 1e100); poses do not match the
    /// instances or are not rotations within 1e-6; a parent, group or cage is missing; two properties exclude
    /// each other, such as moving and static.
    pub fn check(&self) -> Result<(), SceneError> {
        range("frames", self.frames, 1, MAX_FRAMES)?;
        if let Some(cage) = &self.cage {
            check_cage(cage.size)?;
        }
        if let Some(schedule) = &self.schedule {
            range("schedule.tests", schedule.tests, 1, MAX_FRAMES)?;
            lengths("schedule.viewer", schedule.viewer.unwrap_or_default())?;
            let speed = schedule.speed;
            let is_weight = (0.0..=1e100).contains(&speed);
            valid(is_weight, "schedule.speed", speed, "a number from 0 to 1e100")?;
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
                    let key = format!("interest[{index}].groups[{end}]");
                    let expected = "the group of an object, or `*`";
                    return Err(SceneError::bad(key, format!("`{group}`"), expected));
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
            let above = |k: usize| format!("a number above {}", number(min[k]));
            (0..3).try_for_each(|k| {
                valid(min[k] < max[k], format!("cage.max[{k}]"), max[k], above(k))
            })
        }
        CageSize::Density(density) => valid(
            density > 0.0 && density <= 1.0,
            "cage.density",
            density,
            "a number above 0, at most 1",
        ),
    }
}

/// An object and the context of its check.
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
            let found = format!("`{}` again", object.name);
            let expected = "a name that no other object has";
            return Err(SceneError::bad(self.at("name"), found, expected));
        }
        match &object.mesh {
            MeshSource::HeightField(ground) => self.check_height_field(ground)?,
            MeshSource::Shape(text) | MeshSource::File(text) if text.is_empty() => {
                return Err(SceneError::bad(
                    self.at("mesh"),
                    "``",
                    "a shape or the path of a file",
                ));
            }
            MeshSource::Shape(_) | MeshSource::File(_) => {}
        }
        positive(&self.at("scale"), object.scale)?;
        for (k, value) in object.stretch.into_iter().enumerate() {
            let expected = "a number from 1e-100 to 1e100, or the negative of one";
            let key = self.at(&format!("stretch[{k}]"));
            valid((1e-100..=1e100).contains(&value.abs()), key, value, expected)?;
        }
        if let Some(mass) = object.mass {
            positive(&self.at("mass"), mass)?;
        }
        for (k, part) in object.color.iter().flatten().enumerate() {
            let key = self.at(&format!("color[{k}]"));
            valid((0.0..=1.0).contains(part), key, *part, "a number from 0 to 1")?;
        }
        range(&self.at("count"), object.count, 1, MAX_INSTANCES)?;
        self.check_start()?;
        self.check_motion()?;
        self.check_flexible()?;
        self.check_promise()?;
        self.check_parent(index)
    }

    fn check_start(&self) -> Result<(), SceneError> {
        match &self.object.start {
            Start::At(places) => {
                let key = self.at(if places.len() == 1 { "pose" } else { "poses" });
                if places.len() != self.object.count {
                    let expected = format!("{}, one for each of `count`", self.object.count);
                    return Err(SceneError::bad(key, counted(places.len(), "pose"), expected));
                }
                check_poses(&key, places)
            }
            Start::Random { .. } if self.object.parent.is_some() => {
                Err(SceneError::bad(self.at("placement"), "`random` beside a parent", "`pose`"))
            }
            Start::Random { within: Some([min, max]), .. } => {
                lengths(&self.at("within[0]"), *min)?;
                lengths(&self.at("within[1]"), *max)?;
                (0..3).try_for_each(|k| {
                    let key = self.at(&format!("within[1][{k}]"));
                    valid(min[k] <= max[k], key, max[k], format!("at least {}", number(min[k])))
                })
            }
            Start::Random { within: None, .. } if self.scene.cage.is_none() => {
                let expected = "a cage, or `within` to say where";
                Err(SceneError::bad(self.at("within"), "nothing", expected))
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
                    Way::Random(Speed::Units(speed)) => self.check_speed("speed", speed)?,
                    Way::Random(Speed::Radii(speed)) => {
                        self.check_speed("speed_in_radii", speed)?;
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

    fn check_promise(&self) -> Result<(), SceneError> {
        let Some(promise) = &self.object.promise else { return Ok(()) };
        if self.object.parent.is_some() || self.object.motion == Motion::Fixed {
            let found = "a promise beside a parent, or without a motion";
            return Err(SceneError::bad(
                self.at("promise"),
                found,
                "an object that moves by itself",
            ));
        }
        let key = self.at("promise.acceleration");
        let is_valid = (0.0..=1e100).contains(&promise.acceleration);
        valid(is_valid, key, promise.acceleration, "a number from 0 to 1e100")?;
        lengths(&self.at("promise.never_towards"), promise.never_towards)
    }

    fn check_height_field(&self, ground: &HeightField) -> Result<(), SceneError> {
        let key = |key: &str| self.at(&format!("height_field.{key}"));
        for (k, side) in ground.cell.into_iter().enumerate() {
            positive(&key(&format!("cell[{k}]")), side)?;
        }
        valid(is_length(ground.floor), key("floor"), ground.floor, LENGTHS)?;
        let Heights::Listed(rows) = &ground.heights else { return Ok(()) };
        for (number, row) in rows.iter().enumerate() {
            if row.len() != rows[0].len() {
                let found = counted(row.len(), "number");
                let expected = format!("{}, as in the first row", rows[0].len());
                return Err(SceneError::bad(key(&format!("heights[{number}]")), found, expected));
            }
        }
        Ok(())
    }

    fn check_flexible(&self) -> Result<(), SceneError> {
        let object = self.object;
        let Some(flexible) = &object.flexible else { return Ok(()) };
        if object.count != 1 {
            let expected = "1 for an object that changes its shape";
            return Err(SceneError::bad(self.at("count"), object.count, expected));
        }
        let key = |key: &str| self.at(&format!("flexible.{key}"));
        match flexible {
            Flexible::Cloth(cloth) => {
                if object.motion != Motion::Fixed || object.is_static || object.parent.is_some() {
                    let found = "`cloth` beside a motion, `static` or a parent";
                    return Err(SceneError::bad(
                        key("kind"),
                        found,
                        "cloth alone, as it moves itself",
                    ));
                }
                positive(&key("thickness"), cloth.thickness)?;
                lengths(&key("gravity"), cloth.gravity)?;
                let part = "a number from 0 to 1";
                valid((0.0..=1.0).contains(&cloth.bending), key("bending"), cloth.bending, part)?;
                let is_valid = (0.0..=1e3).contains(&cloth.friction);
                valid(is_valid, key("friction"), cloth.friction, "a number from 0 to 1000")
            }
            Flexible::Clay(clay) => {
                positive(&key("depth"), clay.depth)?;
                let [low, high] = clay.angles;
                let expected = "a number of degrees from 0 to 180";
                valid((0.0..=180.0).contains(&low), key("angles[0]"), low, expected)?;
                let expected = "a number of degrees from 180 to 360";
                valid((180.0..=360.0).contains(&high), key("angles[1]"), high, expected)?;
                range(&key("scans"), clay.scans, 0, 1000)
            }
        }
    }

    fn check_speed(&self, key: &str, speed: f64) -> Result<(), SceneError> {
        let key = self.at(&format!("motion.{key}"));
        valid((0.0..=1e100).contains(&speed), key, speed, "a number from 0 to 1e100")
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
        let expected = "a number of degrees from -1e9 to 1e9";
        valid(degrees.abs() <= 1e9, self.at("motion.degrees"), degrees, expected)
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
            return Err(SceneError::bad(key, format!("`{name}`"), "the name of an object"));
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
        // Follows the parents: more steps than objects mean a cycle.
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
        ImportFrom::File(file) => {
            let expected = "a number of frames a second from 0.001 to 1000000";
            let is_valid = (1e-3..=1e6).contains(&file.rate);
            valid(is_valid, format!("{key}.rate"), file.rate, expected)
        }
    }
}

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
    (0..3).try_for_each(|k| valid(is_length(vector[k]), format!("{key}[{k}]"), vector[k], LENGTHS))
}

fn positive(key: &str, found: f64) -> Result<(), SceneError> {
    valid((1e-100..=1e100).contains(&found), key, found, "a number from 1e-100 to 1e100")
}

fn valid(
    is_valid: bool,
    key: impl Into<String>,
    found: f64,
    expected: impl ToString,
) -> Result<(), SceneError> {
    if is_valid { Ok(()) } else { Err(SceneError::bad(key, number(found), expected)) }
}
