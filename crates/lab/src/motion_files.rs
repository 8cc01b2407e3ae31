//! The files that `check` and `robot` write: a report with who met and the scene in motion, and the scene alone.

use std::path::Path;

use xcollide::narrow::Pose;

use crate::exit::Failure;
use crate::meetings::{MeetingLog, PairContact};
use crate::model_motion::ModelMotion;
use crate::moving_scene::view_section;
use crate::options::SceneFiles;
use crate::output_file::OutputFile;
use crate::report::{Page, Section};
use crate::run::MOST_POSES;

/// Files that are written at the end, and the motion so far.
pub(crate) struct MotionFiles {
    report: Option<OutputFile>,
    export: Option<OutputFile>,
    pub(crate) motion: ModelMotion,
    is_too_long: bool,
}

impl MotionFiles {
    /// Opens the files; `None` without any.
    pub(crate) fn create(options: &SceneFiles) -> Result<Option<Self>, Failure> {
        let open = |path: Option<&Path>| path.map(OutputFile::open).transpose();
        let [report, export] = [open(options.report.as_deref())?, open(options.export.as_deref())?];
        let motion = ModelMotion::new(options.layers());
        let files = Self { report, export, motion, is_too_long: false };
        Ok((files.report.is_some() || files.export.is_some()).then_some(files))
    }

    /// Adds an instant: the poses of all models, and what collides.
    pub(crate) fn add<'a>(
        &mut self,
        poses: impl IntoIterator<Item = &'a Pose>,
        contacts: &[PairContact],
    ) -> Result<(), Failure> {
        if self.is_too_long || self.motion.add(poses, contacts) {
            return Ok(());
        }
        self.is_too_long = true;
        if self.export.is_some() {
            return Err(Failure::bad_input(format!("--export: {}", self.too_long())));
        }
        Ok(())
    }

    fn too_long(&self) -> String {
        let instants = self.motion.instants();
        format!(
            "found more than {instants} of them, expected at most {MOST_POSES} poses of models in all"
        )
    }

    /// Writes the files. The page begins with the meetings and the view; `rest` follows.
    pub(crate) fn finish(
        self,
        page: Page,
        meetings: &MeetingLog,
        rest: impl IntoIterator<Item = Section>,
    ) -> Result<(), Failure> {
        let glb = match self.is_too_long {
            true => Err(self.too_long()),
            false => self.motion.glb().map_err(|error| error.to_string()),
        };
        if let Some(to) = self.export {
            let failed = |error| Failure::Failed(format!("--export: {error}"));
            to.write(glb.as_ref().map_err(failed)?)?;
        }
        let Some(to) = self.report else { return Ok(()) };
        let view = view_section(glb, self.motion.instants() as u64, meetings.unit());
        let sections = meetings.sections().into_iter().chain([view]).chain(rest);
        to.write(sections.fold(page, Page::section).to_html().as_bytes())
    }
}
