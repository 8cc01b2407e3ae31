//! Writes scenes as TOML.

use std::fmt::{self, Write as _};

use super::{
    CageBox, CageSize, Ending, Import, ImportFrom, JointMotion, Keep, Motion, Object, Recording,
    Response, Scene, SceneFile, Speed, Start, Way,
};
use crate::Placement;

impl Scene {
    /// The scene as TOML, without defaults. Reading it gives the same scene, bit for bit.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_toml(&mut text);
        text
    }

    fn write_toml(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "name = {}", Quoted(&self.name))?;
        if !self.about.is_empty() {
            writeln!(out, "about = {}", Quoted(&self.about))?;
        }
        writeln!(out, "seed = {}\nframes = {}", self.seed, self.frames)?;
        let response = Response::ALL.iter().find(|(response, _)| *response == self.response);
        if let Some((_, word)) = response.filter(|_| self.response != Response::None) {
            writeln!(out, "response = \"{word}\"")?;
        }
        if self.objects.is_empty() && self.imports.is_empty() {
            writeln!(out, "objects = []")?;
        }
        if let Some(cage) = &self.cage {
            write_cage(out, cage)?;
        }
        let phases = &self.phases;
        let phases = [
            ("broad", &phases.broad),
            ("narrow", &phases.narrow),
            ("bounds", &phases.bounds),
            ("execution", &phases.execution),
            ("build", &phases.build),
        ];
        if phases.iter().any(|(_, name)| name.is_some()) {
            writeln!(out, "\n[phases]")?;
        }
        for (key, name) in phases {
            write_text(out, key, name.as_deref())?;
        }
        for rule in &self.interest {
            let [a, b] = &rule.groups;
            writeln!(out, "\n[[interest]]\ngroups = [{}, {}]", Quoted(a), Quoted(b))?;
            writeln!(out, "on = {}", rule.on)?;
        }
        self.imports.iter().try_for_each(|import| write_import(out, import))?;
        self.objects.iter().try_for_each(|object| write_object(out, object))
    }
}

fn write_cage(out: &mut String, cage: &CageBox) -> fmt::Result {
    writeln!(out, "\n[cage]")?;
    match cage.size {
        CageSize::Box { min, max } => writeln!(out, "min = {min:?}\nmax = {max:?}")?,
        CageSize::Density(density) => writeln!(out, "density = {density:?}")?,
    }
    if cage.keep == Keep::Origin {
        writeln!(out, "keep = \"origin\"")?;
    }
    Ok(())
}

fn write_import(out: &mut String, import: &Import) -> fmt::Result {
    writeln!(out, "\n[[imports]]")?;
    match &import.from {
        ImportFrom::Robot(robot) => {
            write_text(out, "robot", Some(&robot.urdf))?;
            write_text(out, "srdf", robot.srdf.as_deref())?;
            match &robot.joints {
                JointMotion::Random { steps: JointMotion::STEPS } => {}
                JointMotion::Random { steps } => writeln!(out, "steps = {steps}")?,
                JointMotion::File { path, ending } => {
                    write_text(out, "joints", Some(path))?;
                    write_text(out, "then", (*ending == Ending::Repeat).then_some("repeat"))?;
                }
            }
            if robot.adjacent {
                writeln!(out, "adjacent = true")?;
            }
        }
        ImportFrom::File(file) => {
            write_text(out, "file", Some(&file.path))?;
            if file.animation != 0 {
                writeln!(out, "animation = {}", file.animation)?;
            }
            if file.rate != SceneFile::RATE {
                writeln!(out, "rate = {:?}", file.rate)?;
            }
            write_text(out, "then", (file.ending == Ending::Repeat).then_some("repeat"))?;
        }
    }
    write_text(out, "name", Some(import.name.as_str()).filter(|name| !name.is_empty()))?;
    if bits(&import.pose) != bits(&Placement::IDENTITY) {
        writeln!(out, "pose = {}", Numbers(&import.pose))?;
    }
    Ok(())
}

fn write_object(out: &mut String, object: &Object) -> fmt::Result {
    writeln!(out, "\n[[objects]]")?;
    write_text(out, "name", Some(object.name.as_str()).filter(|name| !name.is_empty()))?;
    write_text(out, "mesh", Some(object.mesh.text()))?;
    if object.scale != 1.0 {
        writeln!(out, "scale = {:?}", object.scale)?;
    }
    if object.stretch != [1.0; 3] {
        writeln!(out, "stretch = {:?}", object.stretch)?;
    }
    if object.centered {
        writeln!(out, "centered = true")?;
    }
    if let Some(color) = object.color {
        writeln!(out, "color = {color:?}")?;
    }
    if object.count != 1 {
        writeln!(out, "count = {}", object.count)?;
    }
    if object.variants != 0 {
        writeln!(out, "variants = {}", object.variants)?;
    }
    write_start(out, object)?;
    if object.is_static {
        writeln!(out, "static = true")?;
    }
    write_text(out, "group", Some(object.group.as_str()).filter(|group| !group.is_empty()))?;
    write_text(out, "parent", object.parent.as_deref())?;
    if object.jointed {
        writeln!(out, "jointed = true")?;
    }
    if let Some(mass) = object.mass {
        writeln!(out, "mass = {mass:?}")?;
    }
    write_motion(out, &object.motion)
}

fn write_start(out: &mut String, object: &Object) -> fmt::Result {
    match &object.start {
        Start::At(poses) if object.count == 1 && poses.len() == 1 => {
            if bits(&poses[0]) == bits(&Placement::IDENTITY) {
                return Ok(());
            }
            writeln!(out, "pose = {}", Numbers(&poses[0]))
        }
        Start::At(poses) => write_poses(out, poses),
        Start::Random { within, turned } => {
            writeln!(out, "placement = \"random\"")?;
            if let Some([min, max]) = within {
                writeln!(out, "within = [{min:?}, {max:?}]")?;
            }
            if !turned {
                writeln!(out, "upright = true")?;
            }
            Ok(())
        }
    }
}

fn write_motion(out: &mut String, motion: &Motion) -> fmt::Result {
    if *motion == Motion::Fixed {
        return Ok(());
    }
    writeln!(out, "\n[objects.motion]")?;
    match motion {
        Motion::Fixed => Ok(()),
        Motion::Free { way, axis, degrees } => {
            writeln!(out, "kind = \"free\"")?;
            match way {
                Way::Along(velocity) => writeln!(out, "velocity = {velocity:?}")?,
                Way::Random(Speed::Units(speed)) => writeln!(out, "speed = {speed:?}")?,
                Way::Random(Speed::Radii(speed)) => writeln!(out, "speed_in_radii = {speed:?}")?,
            }
            if let Some(axis) = axis {
                writeln!(out, "axis = {axis:?}")?;
            }
            writeln!(out, "degrees = {degrees:?}")
        }
        Motion::Orbit { center, axis, degrees } => {
            writeln!(out, "kind = \"orbit\"\ncenter = {center:?}\naxis = {axis:?}")?;
            writeln!(out, "degrees = {degrees:?}")
        }
        Motion::Recorded { poses, ending } => {
            writeln!(out, "kind = \"recorded\"")?;
            if *ending == Ending::Repeat {
                writeln!(out, "then = \"repeat\"")?;
            }
            match poses {
                Recording::Listed(poses) => write_poses(out, poses),
                Recording::File(path) => write_text(out, "file", Some(path)),
            }
        }
    }
}

fn write_poses(out: &mut String, poses: &[Placement]) -> fmt::Result {
    writeln!(out, "poses = [")?;
    poses.iter().try_for_each(|pose| writeln!(out, "    {},", Numbers(pose)))?;
    writeln!(out, "]")
}

fn write_text(out: &mut String, key: &str, text: Option<&str>) -> fmt::Result {
    text.map_or(Ok(()), |text| writeln!(out, "{key} = {}", Quoted(text)))
}

fn bits(pose: &Placement) -> Vec<u64> {
    pose.numbers().into_iter().map(f64::to_bits).collect()
}

/// A pose in brackets, without the quaternion if it is the identity.
struct Numbers<'a>(&'a Placement);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = bits(self.0);
        if numbers[3..] == bits(&Placement::IDENTITY)[3..] {
            return write!(f, "{:?}", self.0.translation);
        }
        write!(f, "{:?}", self.0.numbers())
    }
}

struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for letter in self.0.chars() {
            match letter {
                '"' | '\\' => write!(f, "\\{letter}")?,
                '\0'..='\u{1f}' | '\u{7f}' => write!(f, "\\u{:04X}", u32::from(letter))?,
                _ => f.write_char(letter)?,
            }
        }
        f.write_char('"')
    }
}
