//! Many configurations of a world, each checked in a copy.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::arrays::{Floats, wrong_shape};
use crate::batch::Batch;
use crate::errors;
use crate::errors::class::WorldError;
use crate::object_numbers::objects_of;
use crate::world::World;

/// Why there is no count for a configuration.
enum Refused {
    NoCopy,
    Pose(usize, crate::poses::Defect),
    World(xcollide::WorldError),
    Undecided,
}

impl World {
    /// See `check_many`.
    pub(crate) fn counts_of_many<'py>(
        &self,
        py: Python<'py>,
        [objects, configurations]: [&Bound<'py, PyAny>; 2],
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let objects = objects_of(objects)?;
        let floats = Floats::read(configurations, "configurations")?;
        let many = match *floats.shape() {
            [many, count, 4, 4] if count == objects.len() => many,
            _ => {
                let expected = format!("(n, {}, 4, 4)", objects.len());
                return Err(wrong_shape("configurations", floats.shape(), &expected));
            }
        };
        let matrices = floats.numbers().as_chunks::<16>().0;
        let batch = Batch::new(many, threads)?;
        let snapshot = self.try_with(py, |world| {
            for &object in &objects {
                world.pose(object)?;
            }
            Ok(world.snapshot())
        })?;
        // Fails here, not in a thread.
        let _ = xcollide::World::restore(&snapshot, self.layers.builder()?)
            .map_err(|error| errors::restore(&error))?;
        let start = || {
            let builder = self.layers.builder().unwrap_or_default();
            (xcollide::World::restore(&snapshot, builder).ok(), xcollide::Frame::new())
        };
        let counts = py.detach(|| {
            batch.run(0_u64, start, |(world, frame), number| {
                let Some(world) = world else { return Err(Refused::NoCopy) };
                for (place, &object) in objects.iter().enumerate() {
                    let pose = crate::poses::from_matrix(&matrices[number * objects.len() + place])
                        .map_err(|defect| Refused::Pose(place, defect))?;
                    world.set_pose(object, &pose).map_err(Refused::World)?;
                }
                world.check_into(frame);
                if !frame.undecided.is_empty() || !frame.failures.is_empty() {
                    return Err(Refused::Undecided);
                }
                Ok((frame.began.len() + frame.persisting.len()) as u64)
            })
        });
        let counts = counts.map_err(|(number, refused)| match refused {
            Refused::Pose(place, defect) => {
                defect.of(&format!("configurations[{number}]"), Some(place))
            }
            Refused::World(error) => errors::world(&error),
            Refused::Undecided => errors::class::UndecidedError::new_err(format!(
                "configurations[{number}]: a pair is undecided"
            )),
            Refused::NoCopy => WorldError::new_err("the world cannot be copied"),
        })?;
        Ok(counts.into_pyarray(py))
    }
}
