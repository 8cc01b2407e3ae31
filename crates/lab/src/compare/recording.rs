//! Files of a recorded motion: a scene for viewers, and boxes for `xcollide pairs`. Both equal
//! those that `xcollide run` writes, byte for byte.

use std::path::Path;

use xcollide::World;
use xcollide::bounding::Bounding;

use super::{Algorithm, Motion};
use crate::exit::Failure;
use crate::run::{BoxTrace, MotionExport};

/// The files to write, opened before recording.
#[derive(Default)]
pub(super) struct Recording {
    export: Option<MotionExport>,
    trace: Option<BoxTrace>,
}

impl Recording {
    /// Opens the requested files.
    ///
    /// # Errors
    /// A file cannot be written, or the motion is too long for it.
    pub(super) fn create(
        export: Option<&Path>,
        trace: Option<&Path>,
        scene: &xcollide_scenes::Scene,
    ) -> Result<Self, Failure> {
        let export = export.map(|path| MotionExport::create(path, scene)).transpose()?;
        Ok(Self { export, trace: trace.map(BoxTrace::create).transpose()? })
    }

    /// Writes the files, with boxes by this strategy.
    ///
    /// # Errors
    /// A file cannot be written or cannot hold the scene.
    pub(super) fn write(
        self,
        motion: &Motion,
        bounding: &Algorithm<dyn Bounding>,
    ) -> Result<(), Failure> {
        if let Some(mut export) = self.export {
            let simulation = motion.simulation();
            let mut poses = simulation.placements().to_vec();
            for frame in 0..motion.frames() {
                for (index, pose) in motion.poses(frame) {
                    poses[index] = *pose;
                }
                export.add(simulation, &poses, motion.colliding(frame).iter().copied());
            }
            export.finish(motion.scene(), simulation)?;
        }
        let Some(mut trace) = self.trace else { return Ok(()) };
        let failed = |problem: String| Failure::Failed(format!("--trace: {problem}"));
        let mut world = World::builder().boxed_bounding(bounding.make(false)).build();
        let ids = motion.models().and_then(|models| motion.enter(&mut world, &models));
        let ids = ids.map_err(failed)?;
        // Only boxes are needed.
        world.interest_mut().set_default(false);
        for frame in 0..motion.frames() {
            for (index, pose) in motion.poses(frame) {
                let moved = world.set_pose(ids[index], &pose.pose());
                moved.map_err(|error| failed(format!("object {index}: {error}")))?;
            }
            let _ = world.check();
            trace.write(frame, &world)?;
        }
        trace.finish()
    }
}
