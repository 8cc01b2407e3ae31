//! A check's report and exported scene: two models, query by query.

use xcollide::narrow::{Model, Separation, Verdict};

use super::placements::Placement;
use super::trial::Answer;
use crate::exit::Failure;
use crate::meetings::{Measurements, MeetingLog, PairContact};
use crate::motion_files::MotionFiles;
use crate::options::CheckOptions;
use crate::report::{Column, Page, Section, Table, how_to_repeat, invoked_command};

/// Queries whose answers are listed.
const MOST_ANSWERS: usize = 500;

/// The files of a check.
pub(super) struct CheckReport {
    files: MotionFiles,
    answers: Table,
    queries: usize,
    measurements: Measurements,
}

impl CheckReport {
    /// Opens the files; `None` without any.
    pub(super) fn create(
        options: &CheckOptions,
        names: &[String],
        models: [&Model; 2],
    ) -> Result<Option<Self>, Failure> {
        let Some(mut files) = MotionFiles::create(&options.files)? else { return Ok(None) };
        for (number, (name, model)) in names.iter().zip(models).enumerate() {
            files.motion.body(name, number as u32, [model.clone()]);
        }
        let columns = [Column::number("query"), Column::text("answer")];
        let measurements = Measurements::new(options.semantics);
        Ok(Some(Self { files, answers: Table::new("", columns), queries: 0, measurements }))
    }

    /// Adds a query and its answers. Returns where the two collide, and how.
    pub(super) fn add(
        &mut self,
        placement: &Placement,
        answers: &[Answer],
        models: [&Model; 2],
    ) -> Result<Option<PairContact>, Failure> {
        let poses = [&placement.poses.a, &placement.poses.b];
        let placed = [0, 1].map(|side| xcollide::narrow::Placed::new(models[side], poses[side]));
        let [Ok(a), Ok(b)] = placed else { return Ok(None) };
        let contact = answers.iter().find_map(Answer::contact);
        let contact = contact.map(|contact| self.measurements.of(contact, a, b));
        self.files.add(poses, contact.as_slice())?;
        let boxes = [a.world_box(), b.world_box()];
        let aids = self.files.motion.aids();
        for (number, bounds) in (0..).zip(&boxes) {
            aids.add_box(number, bounds);
        }
        let near = |bounds: &xcollide::bounds::Aabb| {
            [0, 1, 2].map(|k| 0.5 * bounds.min[k] + 0.5 * bounds.max[k])
        };
        for answer in answers {
            if let Some(nearest) = answer.distance.filter(|distance| distance.value > 0.0) {
                aids.add_nearest([0, 1], nearest.points, nearest.faces);
            }
            if let Verdict::Apart(Separation::Plane(plane)) = &answer.verdict {
                let [p, q] = boxes.each_ref().map(near);
                let middle = [0, 1, 2].map(|k| 0.5 * p[k] + 0.5 * q[k]);
                let middle = answer.distance.map_or(middle, |found| {
                    let [p, q] = found.points;
                    [0, 1, 2].map(|k| 0.5 * p[k] + 0.5 * q[k])
                });
                let half = |bounds: &xcollide::bounds::Aabb| {
                    (0..3).map(|k| 0.5 * (bounds.max[k] - bounds.min[k])).fold(0.0, f64::max)
                };
                aids.add_plane([0, 1], plane, middle, half(&boxes[0]).min(half(&boxes[1])));
            }
            if self.queries < MOST_ANSWERS {
                let cells = [placement.query.to_string(), answer.in_words(None)];
                self.answers = std::mem::replace(&mut self.answers, Table::of_values()).row(cells);
            }
        }
        self.queries += 1;
        Ok(contact)
    }

    pub(super) fn finish(
        self,
        options: &CheckOptions,
        meetings: &MeetingLog,
        models: [&Model; 2],
    ) -> Result<(), Failure> {
        let Self { files, answers, queries, .. } = self;
        let columns = ["", "A", "B"].map(Column::text);
        let faces = models.map(|model| model.mesh().face_count().to_string());
        let table = Table::new("", columns)
            .row(["mesh", &options.a.to_string(), &options.b.to_string()])
            .row(["faces", &faces[0], &faces[1]]);
        let settings = Table::of_values()
            .row(["queries", &queries.to_string()])
            .row(["units", "lengths as in the meshes"])
            .row(["algorithm", &options.algorithm])
            .row(["program", &format!("xcollide {}", env!("CARGO_PKG_VERSION"))]);
        let lead = match queries {
            1 => "Whether two meshes meet, and where.",
            _ => "Whether two meshes meet, and where, query by query.",
        };
        let page = Page::new(&meetings.names([0, 1])).lead(lead);
        let mut section = Section::new("Answers");
        if queries > MOST_ANSWERS {
            section = section.prose(&format!("The first {MOST_ANSWERS} of {queries} queries."));
        }
        let rest = [
            section.table(answers),
            Section::new("What was run").table(table).table(settings),
            how_to_repeat(&invoked_command()),
        ];
        files.finish(page, meetings, rest)
    }
}
