//! Reads scenes from TOML.

use toml::de::DeTable;

use super::error::counted;
use super::read_import::read_import;
use super::table::{Field, Table, line_at, line_of};
use super::{
    CageBox, CageSize, Clay, Cloth, Ending, Flexible, HeightField, Heights, Import, Keep,
    MeshSource, Motion, MotionPromise, Object, Phases, Recording, Response, Rule, Scene,
    SceneError, SceneFileError, Speed, Start, TestSchedule, Way,
};
use crate::{Placement, PlacementError};

impl Scene {
    /// Reads a scene; `docs/scenes.md` describes the format. `file` is only for messages.
    ///
    /// ```
    /// let text = "name = 'ball'\n[[objects]]\nmesh = 'shape:sphere'\nmass = 0\n";
    /// let error = xcollide_scenes::Scene::from_toml(text, "ball.toml").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "ball.toml: line 4: key `objects[0].mass`: found 0, expected a number from 1e-100 to 1e100"
    /// );
    /// ```
    ///
    /// # Errors
    /// The text is not TOML; a key is unknown, missing, of another type or beside one that it excludes; or
    /// [`check`](Self::check) fails.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, SceneFileError> {
        let at = |line, error| {
            let error = Box::new(error);
            SceneFileError { file: file.to_owned(), line, error }
        };
        let root = DeTable::parse(text).map_err(|error| {
            let line = line_at(text, error.span().map_or(0, |span| span.start));
            // Some messages have several lines.
            let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            at(line, SceneError::Syntax { message })
        })?;
        let root = root.get_ref();
        let scene = read_scene(root).and_then(|scene| scene.check().map(|()| scene));
        scene.map_err(|error| at(line_of(text, root, error.key().unwrap_or_default()), error))
    }
}

fn read_scene(root: &DeTable<'_>) -> Result<Scene, SceneError> {
    let keys =
        "name about seed frames response continuous cage phases schedule interest objects imports";
    let table = Table::new(root, String::new(), keys)?;
    let mut scene = Scene::new(&table.need("name", "what the scene is called")?.text()?);
    scene.about = table.read("about", Field::text)?.unwrap_or_default();
    scene.seed = table.read("seed", Field::whole)?.unwrap_or(scene.seed);
    let frames = table.read("frames", Field::count)?;
    scene.frames = frames.unwrap_or(scene.frames);
    scene.response =
        table.read("response", |field| field.word(&Response::ALL))?.unwrap_or_default();
    scene.continuous = table.read("continuous", Field::flag)?.unwrap_or_default();
    scene.cage = table.read("cage", read_cage)?;
    scene.phases = table.read("phases", read_phases)?.unwrap_or_default();
    scene.schedule = table.read("schedule", read_schedule)?;
    if let Some(field) = table.get("interest") {
        let items = field.items("tables")?;
        scene.interest = items.iter().map(read_rule).collect::<Result<_, _>>()?;
    }
    if let Some(field) = table.get("imports") {
        let items = field.items("tables")?;
        scene.imports = items.iter().map(read_import).collect::<Result<_, _>>()?;
        scene.frames_from_table = frames.is_none() && scene.imports.iter().any(Import::has_table);
    }
    if scene.imports.is_empty() || table.get("objects").is_some() {
        let objects = table.need("objects", "at least one object, or `imports`")?;
        let objects = objects.items("tables")?;
        scene.objects = objects.iter().map(read_object).collect::<Result<_, _>>()?;
    }
    Ok(scene)
}

fn read_cage(field: &Field<'_>) -> Result<CageBox, SceneError> {
    let table = field.table("min max density keep")?;
    table.at_most_one(&["min", "density"])?;
    table.at_most_one(&["max", "density"])?;
    let size = match table.read("density", Field::number)? {
        Some(density) => CageSize::Density(density),
        None => CageSize::Box {
            min: table.need("min", "the least corner, or `density`")?.numbers()?,
            max: table.need("max", "the greatest corner")?.numbers()?,
        },
    };
    let words = [(Keep::Body, "body"), (Keep::Origin, "origin")];
    let keep = table.read("keep", |field| field.word(&words))?.unwrap_or_default();
    Ok(CageBox { size, keep })
}

fn read_phases(field: &Field<'_>) -> Result<Phases, SceneError> {
    let table = field.table("broad narrow bounds execution build degrade degrade_to")?;
    Ok(Phases {
        broad: table.read("broad", Field::text)?,
        narrow: table.read("narrow", Field::text)?,
        bounds: table.read("bounds", Field::text)?,
        execution: table.read("execution", Field::text)?,
        build: table.read("build", Field::text)?,
        degrade_to: table.read("degrade_to", Field::text)?,
        degrade: table.read("degrade", Field::text)?,
    })
}

fn read_schedule(field: &Field<'_>) -> Result<TestSchedule, SceneError> {
    let table = field.table("tests order viewer speed assume_contact")?;
    let tests = table.need("tests", "the most tests in a frame, from 1")?.count()?;
    let mut schedule = TestSchedule::new(tests);
    schedule.order = table.read("order", Field::text)?;
    schedule.viewer = table.read("viewer", Field::numbers)?;
    schedule.speed = table.read("speed", Field::number)?.unwrap_or_default();
    schedule.assume_contact = table.read("assume_contact", Field::flag)?.unwrap_or_default();
    Ok(schedule)
}

fn read_rule(field: &Field<'_>) -> Result<Rule, SceneError> {
    let table = field.table("groups on")?;
    let expected = "two names of groups";
    let [a, b] = table.need("groups", expected)?.pair(expected)?;
    let on = table.need("on", "true or false")?.flag()?;
    Ok(Rule { groups: [a.text()?, b.text()?], on })
}

fn read_object(field: &Field<'_>) -> Result<Object, SceneError> {
    let table = field.table(
        "name mesh height_field scale stretch centered color count variants pose poses placement within upright \
         motion static group parent jointed mass flexible promise",
    )?;
    table.at_most_one(&["mesh", "height_field"])?;
    let mut object = Object::new("", "");
    object.mesh = match table.read("height_field", read_height_field)? {
        Some(ground) => MeshSource::HeightField(ground),
        None => {
            let expected = "a shape or the path of a file, or `height_field`";
            MeshSource::from(table.need("mesh", expected)?.text()?.as_str())
        }
    };
    object.name = table.read("name", Field::text)?.unwrap_or_default();
    object.scale = table.read("scale", Field::number)?.unwrap_or(object.scale);
    object.stretch = table.read("stretch", Field::numbers)?.unwrap_or(object.stretch);
    object.centered = table.read("centered", Field::flag)?.unwrap_or_default();
    object.color = table.read("color", Field::numbers)?;
    object.variants = table.read("variants", Field::count)?.unwrap_or_default();
    object.motion = table.read("motion", read_motion)?.unwrap_or(Motion::Fixed);
    object.is_static = table.read("static", Field::flag)?.unwrap_or_default();
    object.group = table.read("group", Field::text)?.unwrap_or_default();
    object.parent = table.read("parent", Field::text)?;
    object.jointed = table.read("jointed", Field::flag)?.unwrap_or_default();
    object.mass = table.read("mass", Field::number)?;
    object.flexible = table.read("flexible", read_flexible)?;
    object.promise = table.read("promise", read_promise)?;
    object.start = read_start(&table)?;
    let given = match &object.start {
        Start::At(poses) => poses.len(),
        Start::Random { .. } => 1,
    };
    object.count = table.read("count", Field::count)?.unwrap_or(given);
    Ok(object)
}

fn read_height_field(field: &Field<'_>) -> Result<HeightField, SceneError> {
    let table = field.table("heights file cell floor")?;
    table.at_most_one(&["heights", "file"])?;
    let heights = match table.read("file", Field::text)? {
        Some(file) => Heights::File(file),
        None => {
            let rows = table.need("heights", "rows of numbers, or `file`")?;
            let row = |row: &Field<'_>| {
                row.items("numbers in brackets")?.iter().map(Field::number).collect()
            };
            let rows = rows.items("rows of numbers in brackets")?;
            Heights::Listed(rows.iter().map(row).collect::<Result<_, _>>()?)
        }
    };
    let cell = table.read("cell", Field::numbers)?.unwrap_or([1.0; 2]);
    let floor = table.need("floor", "a number below all heights")?.number()?;
    Ok(HeightField { heights, cell, floor })
}

fn read_start(table: &Table<'_>) -> Result<Start, SceneError> {
    table.at_most_one(&["pose", "poses", "placement"])?;
    if let Some(pose) = table.read("pose", read_pose)? {
        return Ok(Start::At(vec![pose]));
    }
    if let Some(poses) = table.read("poses", read_poses)? {
        return Ok(Start::At(poses));
    }
    let random = table.read("placement", |field| field.word(&[((), "random")]))?.is_some();
    if !random {
        return match ["within", "upright"].into_iter().find_map(|key| table.get(key)) {
            Some(field) => {
                let expected = format!("`placement = \"random\"` beside `{}`", field.key);
                Err(SceneError::bad(table.key("placement"), "nothing", expected))
            }
            None => Ok(Start::At(vec![Placement::IDENTITY])),
        };
    }
    let corners = |field: &Field<'_>| {
        let [min, max] = field.pair("two corners")?;
        Ok([min.numbers()?, max.numbers()?])
    };
    let within = table.read("within", corners)?;
    let turned = !table.read("upright", Field::flag)?.unwrap_or_default();
    Ok(Start::Random { within, turned })
}

fn read_motion(field: &Field<'_>) -> Result<Motion, SceneError> {
    const KINDS: [(&str, &str); 4] = [
        ("fixed", "kind"),
        ("free", "kind velocity speed speed_in_radii axis degrees"),
        ("orbit", "kind center axis degrees"),
        ("recorded", "kind poses file then"),
    ];
    let words = KINDS.map(|kind| (kind, kind.0));
    // The kind determines the valid keys.
    let kind = field.entry("kind", "one of fixed, free, orbit, recorded")?.word(&words)?;
    let table = field.table(kind.1)?;
    match kind.0 {
        "free" => read_free(&table),
        "orbit" => Ok(Motion::Orbit {
            center: table.read("center", Field::numbers)?.unwrap_or_default(),
            axis: table.need("axis", "3 numbers in brackets")?.numbers()?,
            degrees: table.need("degrees", "a number")?.number()?,
        }),
        "recorded" => read_recorded(&table),
        _ => Ok(Motion::Fixed),
    }
}

fn read_free(table: &Table<'_>) -> Result<Motion, SceneError> {
    table.at_most_one(&["velocity", "speed", "speed_in_radii"])?;
    let along = table.read("velocity", Field::numbers)?.map(Way::Along);
    let units = table.read("speed", Field::number)?.map(Speed::Units);
    let radii = table.read("speed_in_radii", Field::number)?.map(Speed::Radii);
    let way = along.or(units.or(radii).map(Way::Random));
    Ok(Motion::Free {
        way: way.unwrap_or(Way::Along([0.0; 3])),
        axis: table.read("axis", Field::numbers)?,
        degrees: table.read("degrees", Field::number)?.unwrap_or_default(),
    })
}

fn read_recorded(table: &Table<'_>) -> Result<Motion, SceneError> {
    table.at_most_one(&["poses", "file"])?;
    let file = table.read("file", Field::text)?.map(Recording::File);
    let poses = match file {
        Some(file) => file,
        None => Recording::Listed(read_poses(&table.need("poses", "poses, or `file`")?)?),
    };
    let ending = table.read("then", |field| field.word(&Ending::ALL))?.unwrap_or_default();
    Ok(Motion::Recorded { poses, ending })
}

fn read_flexible(field: &Field<'_>) -> Result<Flexible, SceneError> {
    let expected = format!("one of {}", Flexible::KINDS.join(", "));
    let words = Flexible::KINDS.map(|kind| (kind, kind));
    match field.entry("kind", &expected)?.word(&words)? {
        "cloth" => {
            let table = field.table("kind thickness gravity bending friction fixed")?;
            let mut cloth = Cloth::default();
            cloth.thickness = table.read("thickness", Field::number)?.unwrap_or(cloth.thickness);
            cloth.gravity = table.read("gravity", Field::numbers)?.unwrap_or(cloth.gravity);
            cloth.bending = table.read("bending", Field::number)?.unwrap_or(cloth.bending);
            cloth.friction = table.read("friction", Field::number)?.unwrap_or(cloth.friction);
            cloth.fixed = table.read("fixed", read_vertices)?.unwrap_or_default();
            Ok(Flexible::Cloth(cloth))
        }
        _ => {
            let table = field.table("kind depth angles scans")?;
            let mut clay = Clay::default();
            clay.depth = table.read("depth", Field::number)?.unwrap_or(clay.depth);
            clay.angles = table.read("angles", Field::numbers)?.unwrap_or(clay.angles);
            clay.scans = table.read("scans", Field::count)?.unwrap_or(clay.scans);
            Ok(Flexible::Clay(clay))
        }
    }
}

fn read_promise(field: &Field<'_>) -> Result<MotionPromise, SceneError> {
    let table = field.table("acceleration never_towards")?;
    Ok(MotionPromise {
        acceleration: table.need("acceleration", "a number from 0")?.number()?,
        never_towards: table.read("never_towards", Field::numbers)?.unwrap_or_default(),
    })
}

fn read_vertices(field: &Field<'_>) -> Result<Vec<u32>, SceneError> {
    let vertex = |item: &Field<'_>| {
        let found = item.whole()?;
        u32::try_from(found)
            .map_err(|_| SceneError::bad(&item.key, found, "the number of a vertex"))
    };
    field.items("numbers of vertices")?.iter().map(vertex).collect()
}

fn read_poses(field: &Field<'_>) -> Result<Vec<Placement>, SceneError> {
    field.items("poses in brackets")?.iter().map(read_pose).collect()
}

pub(super) fn read_pose(field: &Field<'_>) -> Result<Placement, SceneError> {
    let expected = || format!("{} in brackets", Placement::NUMBERS);
    let items = field.items(&expected())?;
    let numbers = items.iter().map(Field::number).collect::<Result<Vec<_>, _>>()?;
    Placement::from_numbers(&numbers).map_err(|error| match error {
        PlacementError::Count { found } => {
            SceneError::bad(&field.key, counted(found, "value"), expected())
        }
        error => SceneError::Pose { key: field.key.clone(), error },
    })
}
