//! Reads imports from TOML.

use super::read::read_pose;
use super::table::{Field, Table};
use super::{Ending, Import, JointMotion, Robot, SceneError, SceneFile};

const FILE: &str = "name pose file animation rate then";
const ROBOT: &str = "name pose robot srdf joints then steps adjacent";

pub(super) fn read_import(field: &Field<'_>) -> Result<Import, SceneError> {
    // The kind of import determines the valid keys.
    let (table, mut import) = if field.entry("file", "").is_ok() {
        let table = field.table(FILE)?;
        let import = read_file(&table)?;
        (table, import)
    } else {
        let table = field.table(ROBOT)?;
        let import = read_robot(&table)?;
        (table, import)
    };
    import.name = table.read("name", Field::text)?.unwrap_or_default();
    import.pose = table.read("pose", read_pose)?.unwrap_or(import.pose);
    Ok(import)
}

fn read_file(table: &Table<'_>) -> Result<Import, SceneError> {
    let mut file = SceneFile::new(&table.need("file", "the path of a glTF file")?.text()?);
    file.animation = table.read("animation", Field::count)?.unwrap_or_default();
    file.rate = table.read("rate", Field::number)?.unwrap_or(file.rate);
    file.ending = table.read("then", |field| field.word(&Ending::ALL))?.unwrap_or_default();
    Ok(Import::from(file))
}

fn read_robot(table: &Table<'_>) -> Result<Import, SceneError> {
    table.at_most_one(&["joints", "steps"])?;
    let expected = "the path of a URDF file, or `file`";
    let mut robot = Robot::new(&table.need("robot", expected)?.text()?);
    robot.srdf = table.read("srdf", Field::text)?;
    robot.adjacent = table.read("adjacent", Field::flag)?.unwrap_or_default();
    if let Some(steps) = table.read("steps", Field::count)? {
        robot.joints = JointMotion::Random { steps };
    }
    if let Some(path) = table.read("joints", Field::text)? {
        let ending = table.read("then", |field| field.word(&Ending::ALL))?.unwrap_or_default();
        robot.joints = JointMotion::File { path, ending };
    } else if let Some(field) = table.get("then") {
        let expected = format!("the path of a table beside `{}`", field.key);
        return Err(SceneError::bad(table.key("joints"), "nothing", expected));
    }
    Ok(Import::from(robot))
}
