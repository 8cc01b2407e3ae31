//! The command `compare`: reads options, writes tables, records and files.

use std::ffi::{OsStr, OsString};
use std::path::{Path, absolute};

use super::document::document;
use super::record::SceneRecord;
use super::recording::Recording;
use super::scaling::Growth;
use super::selection::comparison;
use super::{CompareError, CompareOptions, Disagreement, Figures, Motion, Outcome, table};
use crate::exit::{Failure, Status};
use crate::output::{Object, Session, count};
use crate::output_file::OutputFile;
use crate::report::invoked_command;
use crate::run::Source;

/// A scene with its name in the output and the value of the varied parameter.
pub(super) struct Subject {
    pub(super) label: String,
    pub(super) source: Source,
    pub(super) value: Option<f64>,
}

pub(crate) fn run(options: &CompareOptions, session: &mut Session) -> Result<Status, Failure> {
    if let Some(name) = &options.paper {
        return crate::paper::run(name, options, session);
    }
    let report = options.report.as_deref().map(OutputFile::open).transpose()?;
    let mut found = Vec::new();
    let subjects = subjects(options)?;
    let mut recording = recording(options, &subjects)?;
    for subject in subjects {
        let outcome = compare(options, session, &subject, std::mem::take(&mut recording))?;
        print(options, session, &subject, &outcome)?;
        found.push((subject, outcome));
    }
    let growths = growths(options, &found);
    for growth in growths.iter().flatten() {
        session.output.result(&Object(vec![("scaling", growth)]), || {
            let Growth { parameter, names, exponent } = growth;
            format!("{}: time grows as {parameter}^{exponent:.2}", names.join(" + "))
        })?;
    }
    if let Some(file) = report {
        let scale = options.scale.as_ref();
        let parameter = scale.map(|scale| (scale.parameter.as_str(), scale.values.len()));
        let page = document(&found, parameter, &growths, &invoked_command());
        file.write(page.to_html().as_bytes())?;
    }
    Ok(Status::Done)
}

fn recording(options: &CompareOptions, subjects: &[Subject]) -> Result<Recording, Failure> {
    let [export, trace] = [&options.export, &options.trace].map(Option::as_deref);
    let option = if export.is_some() { "--export" } else { "--trace" };
    let count = subjects.len();
    match subjects {
        _ if export.is_none() && trace.is_none() => Ok(Recording::default()),
        [subject] => Recording::create(export, trace, &subject.source.scene),
        _ => Err(Failure::bad_input(format!("{option}: found {count} scenes, expected one"))),
    }
}

/// The growth of the time with the parameter, scene by scene; each scene has all values.
fn growths(options: &CompareOptions, found: &[(Subject, Outcome)]) -> Vec<Vec<Growth>> {
    let Some(scale) = &options.scale else { return Vec::new() };
    let of_scene = |found: &[(Subject, Outcome)]| {
        let values: Vec<f64> = found.iter().filter_map(|(subject, _)| subject.value).collect();
        let by_value: Vec<&[Figures]> =
            found.iter().map(|(_, outcome)| outcome.figures.as_slice()).collect();
        Growth::of(&scale.parameter, &values, &by_value)
    };
    found.chunks(scale.values.len()).map(of_scene).collect()
}

fn subjects(options: &CompareOptions) -> Result<Vec<Subject>, Failure> {
    let default = [OsString::from(xcollide_scenes::DEFAULT_SCENE)];
    let names = if options.scenes.is_empty() { &default[..] } else { &options.scenes };
    let mut subjects = Vec::new();
    for scene in names {
        let Some(scale) = &options.scale else {
            subjects.push(subject(options, scene, None)?);
            continue;
        };
        let Some(name) = scene.to_str().filter(|name| Source::is_embedded(name)) else {
            let what = "expected an embedded scene, whose parameters --scale can vary";
            let found = scene.to_string_lossy();
            return Err(Failure::bad_input(format!("--scale: found `{found}`, {what}")));
        };
        for value in &scale.values {
            let scene = OsString::from(scale.scene(name, value));
            subjects.push(subject(options, &scene, value.parse().ok())?);
        }
    }
    Ok(subjects)
}

fn subject(options: &CompareOptions, name: &OsStr, value: Option<f64>) -> Result<Subject, Failure> {
    let mut source = Source::open(Some(name))?;
    source.resolve(options.frames, options.seed)?;
    let label = match name.to_str() {
        Some(text) if Source::is_embedded(text) => text.to_owned(),
        _ => source.scene.name.clone(),
    };
    Ok(Subject { label, source, value })
}

fn compare(
    options: &CompareOptions,
    Session { common, progress, .. }: &Session,
    subject: &Subject,
    recording: Recording,
) -> Result<Outcome, Failure> {
    let Subject { label, source, .. } = subject;
    let scene = &source.scene;
    let comparison = comparison(options, common, scene)?;
    let mut files = source.files.clone();
    let bar = progress.frames(scene.frames as u64, common.json);
    bar.message(|| format!("{label}: recording"));
    let motion = Motion::record_as(options.semantics, scene, &mut files, |frame| {
        bar.at(frame as u64 + 1);
    })
    .map_err(Failure::bad_input)?;
    drop(bar);
    progress.during("writing what was recorded", || {
        recording.write(&motion, &comparison.first_bounds())
    })?;
    let combinations = comparison.combinations().len();
    let all = combinations * motion.frames() * (options.rounds.get() + 1);
    let bar = progress.frames(all as u64, common.json);
    bar.message(|| format!("{label}: {}", count(combinations, "combination", "combinations")));
    let outcome = comparison.run(&motion, |done| bar.at(done as u64));
    drop(bar);
    let outcome = outcome.map_err(|error| match error {
        CompareError::Disagreement(found) => Failure::Failed(save(&options.save, *found, source)),
        other => Failure::Failed(other.to_string()),
    })?;
    match outcome.left_out.first() {
        Some(first) if outcome.figures.is_empty() => {
            Err(Failure::bad_input(format!("{label}: nothing is left to compare: {first}")))
        }
        _ => Ok(outcome),
    }
}

fn print(
    options: &CompareOptions,
    Session { output, progress, .. }: &mut Session,
    subject: &Subject,
    outcome: &Outcome,
) -> Result<(), Failure> {
    output.remark(format_args!("{}", heading(subject)))?;
    if !output.is_json() {
        return output.remark(format_args!("{}\n", table(outcome)));
    }
    let Subject { label: scene, value, .. } = subject;
    let parameter = value.and(options.scale.as_ref()).map(|scale| &*scale.parameter);
    for result in &outcome.figures {
        let record = SceneRecord { scene, result, parameter, value: *value };
        output.result(&record, String::new)?;
    }
    for result in &outcome.left_out {
        progress.message(&format!("{scene}: {result}"));
        let record = SceneRecord { scene, result, parameter: None, value: None };
        output.result(&record, String::new)?;
    }
    Ok(())
}

fn heading(subject: &Subject) -> String {
    let scene = &subject.source.scene;
    let objects = count(scene.instance_count(), "object", "objects");
    let label = &subject.label;
    match &*scene.about {
        "" => format!("{label}: {objects}, seed {}", scene.seed),
        about => format!("{label}: {about}; {objects}, seed {}", scene.seed),
    }
}

/// Saves the scene that shows a disagreement. Returns a message with its path.
fn save(to: &Path, mut found: Disagreement, source: &Source) -> String {
    for object in &mut found.reduced.objects {
        // Absolute paths, so that the scene can be saved anywhere.
        if let Some(path) = object.mesh.file()
            && let Ok(path) = absolute(source.files.path(path))
        {
            object.mesh = object.mesh.clone().with_file(&path.to_string_lossy());
        }
    }
    let saved = OutputFile::open(to).and_then(|to| to.write(found.reduced.to_toml().as_bytes()));
    match saved {
        Ok(()) => format!("{found}; the scene is saved in {}", to.display()),
        Err(failure) => format!("{found}; {failure}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Algorithm, Comparison};
    use xcollide::brep::Topology;
    use xcollide::narrow::{
        Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Separation, Verdict,
    };

    /// Says of all pairs that they are apart.
    struct Optimist;

    impl NarrowPhase for Optimist {
        fn name(&self) -> &'static str {
            "optimist"
        }

        fn accepts(&self, _: Topology, _: Topology) -> bool {
            true
        }

        fn guarantee(&self) -> Guarantee {
            Guarantee::Exact
        }

        fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
            Ok(())
        }

        fn test(&self, _: Placed<'_>, _: Placed<'_>, _: &Query, _: &mut PairCache) -> Verdict {
            Verdict::Apart(Separation::Pairwise)
        }
    }

    /// What is saved can be run from anywhere: its meshes are found, its objects collide as they did.
    #[test]
    fn a_saved_scene_finds_its_meshes() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let tetrahedron = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n\
                           3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
        std::fs::write(folder.path().join("body.off"), tetrahedron)?;
        let scene = "name = 'two'\nframes = 4\n[[objects]]\nmesh = 'body.off'\nstatic = true\n\
                     [[objects]]\nmesh = 'body.off'\npose = [2, 0, 0]\n[objects.motion]\n\
                     kind = 'free'\nvelocity = [-0.5, 0, 0]\ndegrees = 0\naxis = [0, 0, 1]\n";
        let path = folder.path().join("two.toml");
        std::fs::write(&path, scene)?;
        let source = Source::open(Some(path.as_os_str())).map_err(|error| error.to_string())?;
        let motion = Motion::record(&source.scene, &mut source.files.clone(), |_| ())?;
        let comparison = Comparison::new()
            .narrow(Algorithm::own_narrow_phase("optimist", || Optimist))
            .rounds(1);
        let Err(CompareError::Disagreement(found)) = comparison.run(&motion, |_| ()) else {
            return Err("nobody noticed".into());
        };
        assert_eq!(found.frame, 2);
        let elsewhere = tempfile::tempdir()?;
        let to = elsewhere.path().join("wrong.toml");
        let told = save(&to, *found, &source);
        assert!(told.ends_with(&format!("the scene is saved in {}", to.display())), "{told}");

        let saved = Source::open(Some(to.as_os_str())).map_err(|error| error.to_string())?;
        let again = Motion::record(&saved.scene, &mut saved.files.clone(), |_| ())?;
        assert_eq!(again.colliding(again.frames() - 1), [[0, 1]]);
        Ok(())
    }
}
