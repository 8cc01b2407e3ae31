//! `xcollide view`: a mesh, two meshes, a scene or a robot in the browser, as a page in a temporary file.
//!
//! It serves nothing and installs nothing: the page is the report of `check`, `run` or `robot`.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command as Process, Stdio};

use clap::Parser;
use tempfile::TempPath;
use xcollide::brep::Topology;
use xcollide::narrow::{Model, Pose};

use crate::cli::{Cli, Command};
use crate::drawing::drawing;
use crate::exit::{Failure, Status};
use crate::mesh_source::MeshSource;
use crate::model_motion::ModelMotion;
use crate::moving_scene::view_section;
use crate::options::ViewOptions;
use crate::output::{Object, Session};
use crate::output_file::OutputFile;
use crate::report::{Page, Section, Table, how_to_repeat, invoked_command};
use crate::run::Source;
use crate::{check, robot};

pub(crate) fn run(options: &ViewOptions, session: &mut Session) -> Result<Status, Failure> {
    let page = temporary()?;
    let path = page.to_path_buf();
    match subject(options) {
        Subject::Mesh => {
            let source = MeshSource::from(options.a.clone());
            let model = session.progress.during(&format!("reading {source}"), || source.model())?;
            write_mesh_page(&path, &source.to_string(), &model)?;
        }
        subject => report(subject, options, &path, session)?,
    }
    page.keep().map_err(|error| Failure::unwritable(&path, &error.error))?;
    let shown = path.display().to_string();
    let record = Object(vec![("file", &shown)]);
    session.output.result(&record, || shown.clone())?;
    if !options.no_open {
        open(&path)?;
    }
    Ok(Status::Done)
}

/// What is viewed.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    Mesh,
    TwoMeshes,
    Scene,
    Robot,
}

fn subject(options: &ViewOptions) -> Subject {
    let ending = Path::new(&options.a).extension().unwrap_or_default().to_ascii_lowercase();
    let is_embedded = options.a.to_str().is_some_and(Source::is_embedded);
    match ending.to_str() {
        _ if options.b.is_some() => Subject::TwoMeshes,
        _ if is_embedded => Subject::Scene,
        Some("urdf") => Subject::Robot,
        Some("toml" | "gltf" | "glb") => Subject::Scene,
        // A name that is none of a file may be one of a scene, mistyped.
        Some("") if is_name(options) => Subject::Scene,
        _ => Subject::Mesh,
    }
}

fn is_name(options: &ViewOptions) -> bool {
    let text = options.a.to_string_lossy();
    !Path::new(&options.a).exists() && text != "-" && !text.contains([':', '/'])
}

/// Has another command write its report.
fn report(
    subject: Subject,
    options: &ViewOptions,
    path: &Path,
    session: &mut Session,
) -> Result<(), Failure> {
    let arguments = options.arguments(match subject {
        Subject::TwoMeshes => "check",
        Subject::Robot => "robot",
        Subject::Mesh | Subject::Scene => "run",
    });
    let report = [OsString::from("--report"), path.into()];
    let program = OsString::from("xcollide");
    let cli = Cli::try_parse_from([program].into_iter().chain(arguments).chain(report));
    let cli = cli.map_err(|error| {
        let text = error.to_string();
        Failure::bad_input(text.lines().next().unwrap_or_default().trim_start_matches("error: "))
    })?;
    let common = session.common;
    session.common.json = false;
    session.output.set_muted(true);
    let done = match &cli.command {
        Command::Check(options) => check::run(options, session),
        Command::Robot(options) => robot::run(options, session),
        Command::Run(options) => crate::run::run(options, session),
        _ => Ok(Status::Done),
    };
    session.output.set_muted(false);
    session.common = common;
    done.map(|_| ())
}

/// The page of one mesh.
fn write_mesh_page(path: &Path, name: &str, model: &Model) -> Result<(), Failure> {
    let mut motion = ModelMotion::new(&[]);
    motion.body(name, 0, [model.clone()]);
    motion.add([&Pose::IDENTITY], &[]);
    let glb = motion.glb().map_err(|error| error.to_string());
    let drawn = drawing(model);
    let mesh = drawn.mesh();
    let kind = |flag| if drawn.topology().contains(flag) { "yes" } else { "no" };
    let table = Table::of_values()
        .row(["vertices", &mesh.vertex_count().to_string()])
        .row(["faces", &mesh.face_count().to_string()])
        .row(["closed", kind(Topology::CLOSED)])
        .row(["manifold", kind(Topology::MANIFOLD)])
        .row(["convex", kind(Topology::CONVEX)]);
    let page = Page::new(name)
        .lead(match model.formula() {
            Some(_) => "A body by a formula, and a mesh that is drawn in its place.",
            None => "A mesh. xcollide classify tells more of it.",
        })
        .section(view_section(glb, 1, "instant"))
        .section(Section::new("What it is").table(table))
        .section(how_to_repeat(&invoked_command()));
    OutputFile::open(path)?.write(page.to_html().as_bytes())
}

/// A new file, which is removed unless it is kept.
fn temporary() -> Result<TempPath, Failure> {
    let file = tempfile::Builder::new().prefix("xcollide-").suffix(".html").tempfile();
    let file = file.map_err(|error| Failure::unwritable(&std::env::temp_dir(), &error))?;
    Ok(file.into_temp_path())
}

/// Opens a page in the user's browser, and does not wait for it.
fn open(path: &Path) -> Result<(), Failure> {
    let (program, options): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut process = Process::new(program);
    process
        .args(options)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    process.spawn().map(|_| ()).map_err(|error| {
        let path = path.display();
        Failure::Failed(format!("{program}: cannot open {path}: {error}; --no-open only writes it"))
    })
}
