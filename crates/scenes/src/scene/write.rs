//! Writes scenes as TOML.

use std::fmt::{self, Write as _};

use super::{
    CageBox, CageSize, Clay, Cloth, Ending, Flexible, HeightField, Heights, Import, ImportFrom,
    JointMotion, Keep, MeshSource, Motion, Object, Recording, Response, Scene, SceneFile, Speed,
    Start, Way,
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
        write_text(out, "name", Some(&self.name))?;
        unless(out, "about", Quoted(&self.about), Quoted(""))?;
        writeln!(out, "seed = {}", self.seed)?;
        if !self.frames_from_table {
            writeln!(out, "frames = {}", self.frames)?;
        }
        let response = Response::ALL.iter().find(|(response, _)| *response == self.response);
        if let Some((_, word)) = response.filter(|_| self.response != Response::None) {
            writeln!(out, "response = \"{word}\"")?;
        }
        unless(out, "continuous", self.continuous, false)?;
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
            ("degrade_to", &phases.degrade_to),
            ("degrade", &phases.degrade),
        ];
        if phases.iter().any(|(_, name)| name.is_some()) {
            writeln!(out, "\n[phases]")?;
        }
        for (key, name) in phases {
            write_text(out, key, name.as_deref())?;
        }
        if let Some(schedule) = &self.schedule {
            writeln!(out, "\n[schedule]\ntests = {}", schedule.tests)?;
            write_text(out, "order", schedule.order.as_deref())?;
            if let Some(viewer) = schedule.viewer {
                writeln!(out, "viewer = {viewer:?}")?;
            }
            unless(out, "speed", schedule.speed, 0.0)?;
            unless(out, "assume_contact", schedule.assume_contact, false)?;
        }
        for rule in &self.interest {
            let [a, b] = &rule.groups;
            writeln!(out, "\n[[interest]]\ngroups = {:?}", [Quoted(a), Quoted(b)])?;
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
                JointMotion::Random { steps } => {
                    unless(out, "steps", *steps, JointMotion::STEPS)?;
                }
                JointMotion::File { path, ending } => {
                    write_text(out, "joints", Some(path))?;
                    write_ending(out, *ending)?;
                }
            }
            unless(out, "adjacent", robot.adjacent, false)?;
        }
        ImportFrom::File(file) => {
            write_text(out, "file", Some(&file.path))?;
            unless(out, "animation", file.animation, 0)?;
            unless(out, "rate", file.rate, SceneFile::RATE)?;
            write_ending(out, file.ending)?;
        }
    }
    unless(out, "name", Quoted(&import.name), Quoted(""))?;
    write_pose(out, &import.pose)
}

fn write_object(out: &mut String, object: &Object) -> fmt::Result {
    writeln!(out, "\n[[objects]]")?;
    unless(out, "name", Quoted(&object.name), Quoted(""))?;
    if let MeshSource::Shape(text) | MeshSource::File(text) = &object.mesh {
        write_text(out, "mesh", Some(text))?;
    }
    unless(out, "scale", object.scale, 1.0)?;
    unless(out, "stretch", object.stretch, [1.0; 3])?;
    unless(out, "centered", object.centered, false)?;
    if let Some(color) = object.color {
        writeln!(out, "color = {color:?}")?;
    }
    unless(out, "count", object.count, 1)?;
    unless(out, "variants", object.variants, 0)?;
    write_start(out, object)?;
    unless(out, "static", object.is_static, false)?;
    unless(out, "group", Quoted(&object.group), Quoted(""))?;
    write_text(out, "parent", object.parent.as_deref())?;
    unless(out, "jointed", object.jointed, false)?;
    if let Some(mass) = object.mass {
        writeln!(out, "mass = {mass:?}")?;
    }
    if let MeshSource::HeightField(ground) = &object.mesh {
        write_height_field(out, ground)?;
    }
    write_motion(out, &object.motion)?;
    if let Some(flexible) = &object.flexible {
        write_flexible(out, flexible)?;
    }
    let Some(promise) = &object.promise else { return Ok(()) };
    writeln!(out, "\n[objects.promise]\nacceleration = {:?}", promise.acceleration)?;
    unless(out, "never_towards", promise.never_towards, [0.0; 3])
}

fn write_height_field(out: &mut String, ground: &HeightField) -> fmt::Result {
    writeln!(out, "\n[objects.height_field]")?;
    match &ground.heights {
        Heights::File(path) => write_text(out, "file", Some(path))?,
        Heights::Listed(rows) => {
            writeln!(out, "heights = [")?;
            rows.iter().try_for_each(|row| writeln!(out, "    {row:?},"))?;
            writeln!(out, "]")?;
        }
    }
    unless(out, "cell", ground.cell, [1.0; 2])?;
    writeln!(out, "floor = {:?}", ground.floor)
}

fn write_start(out: &mut String, object: &Object) -> fmt::Result {
    match &object.start {
        Start::At(poses) if object.count == 1 && poses.len() == 1 => write_pose(out, &poses[0]),
        Start::At(poses) => write_poses(out, poses),
        Start::Random { within, turned } => {
            writeln!(out, "placement = \"random\"")?;
            if let Some([min, max]) = within {
                writeln!(out, "within = [{min:?}, {max:?}]")?;
            }
            unless(out, "upright", !turned, false)
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
            write_ending(out, *ending)?;
            match poses {
                Recording::Listed(poses) => write_poses(out, poses),
                Recording::File(path) => write_text(out, "file", Some(path)),
            }
        }
    }
}

fn write_flexible(out: &mut String, flexible: &Flexible) -> fmt::Result {
    writeln!(out, "\n[objects.flexible]")?;
    match flexible {
        Flexible::Cloth(cloth) => {
            let default = Cloth::default();
            writeln!(out, "kind = \"cloth\"")?;
            unless(out, "thickness", cloth.thickness, default.thickness)?;
            unless(out, "gravity", cloth.gravity, default.gravity)?;
            unless(out, "bending", cloth.bending, default.bending)?;
            unless(out, "friction", cloth.friction, default.friction)?;
            unless(out, "fixed", &cloth.fixed, &default.fixed)
        }
        Flexible::Clay(clay) => {
            let default = Clay::default();
            writeln!(out, "kind = \"clay\"")?;
            unless(out, "depth", clay.depth, default.depth)?;
            unless(out, "angles", clay.angles, default.angles)?;
            unless(out, "scans", clay.scans, default.scans)
        }
    }
}

fn write_poses(out: &mut String, poses: &[Placement]) -> fmt::Result {
    writeln!(out, "poses = [")?;
    poses.iter().try_for_each(|pose| writeln!(out, "    {},", Numbers(pose)))?;
    writeln!(out, "]")
}

fn write_pose(out: &mut String, pose: &Placement) -> fmt::Result {
    if bits(pose) == bits(&Placement::IDENTITY) {
        return Ok(());
    }
    writeln!(out, "pose = {}", Numbers(pose))
}

fn write_ending(out: &mut String, ending: Ending) -> fmt::Result {
    write_text(out, "then", (ending == Ending::Repeat).then_some("repeat"))
}

fn unless<T: PartialEq + fmt::Debug>(
    out: &mut String,
    key: &str,
    value: T,
    default: T,
) -> fmt::Result {
    if value == default { Ok(()) } else { writeln!(out, "{key} = {value:?}") }
}

fn write_text(out: &mut String, key: &str, text: Option<&str>) -> fmt::Result {
    text.map_or(Ok(()), |text| writeln!(out, "{key} = {:?}", Quoted(text)))
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

#[derive(PartialEq)]
struct Quoted<'a>(&'a str);

impl fmt::Debug for Quoted<'_> {
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
