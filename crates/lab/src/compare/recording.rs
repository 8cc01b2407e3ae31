//! Files of a recorded motion: a scene for viewers, and boxes for `xcollide pairs`. Both equal
//! those that `xcollide run` writes, byte for byte.

use std::path::Path;

use xcollide::World;
use xcollide::bounding::Bounding;

use super::{Algorithm, Motion};
use crate::exit::Failure;
use crate::run::{BoxTrace, MotionExport, add_objects, models};

/// The files to write, opened before recording.
#[derive(Default)]
pub(super) struct Recording {
    export: Option<MotionExport>,
    trace: Option<BoxTrace>,
}

impl Recording {
    /// Opens the requested files. Fails if the motion is too long for one.
    pub(super) fn create(
        export: Option<&Path>,
        trace: Option<&Path>,
        scene: &xcollide_scenes::Scene,
    ) -> Result<Self, Failure> {
        let export = export.map(|path| MotionExport::create(path, scene, &[])).transpose()?;
        Ok(Self { export, trace: trace.map(BoxTrace::create).transpose()? })
    }

    /// Writes the files, with boxes by this strategy.
    pub(super) fn write(
        self,
        motion: &Motion,
        bounding: &Algorithm<dyn Bounding>,
    ) -> Result<(), Failure> {
        if let Some(mut export) = self.export {
            let simulation = motion.simulation();
            let mut poses = simulation.placements().to_vec();
            for frame in 0..motion.frames() {
                for (&index, pose) in motion.moving().iter().zip(motion.poses(frame)) {
                    poses[index] = *pose;
                }
                export.record.add(simulation, &poses, motion.colliding(frame).iter().copied());
            }
            export.finish(motion.scene(), simulation)?;
        }
        let Some(mut trace) = self.trace else { return Ok(()) };
        let failed = |problem: String| Failure::Failed(format!("--trace: {problem}"));
        let mut world = World::builder().boxed_bounding(bounding.make(false)).build();
        let simulation = motion.simulation();
        let models = models(simulation).map_err(failed)?;
        let ids = add_objects(&mut world, simulation, &models).map_err(failed)?;
        // Only boxes are needed.
        world.interest_mut().set_default(false);
        for frame in 0..motion.frames() {
            for (&index, pose) in motion.moving().iter().zip(motion.poses(frame)) {
                let moved = world.set_pose(ids[index], &pose.pose());
                moved.map_err(|error| failed(format!("object {index}: {error}")))?;
            }
            let _ = world.check();
            trace.write(frame, &world)?;
        }
        trace.finish()
    }
}
