//! Writes the boxes of a run as a trace for `xcollide pairs`.

use std::path::Path;

use xcollide::World;
use xcollide::bounds::Aabb;

use crate::exit::Failure;
use crate::output_file::{OutputFile, OutputWriter};

pub(crate) struct BoxTrace {
    to: OutputWriter,
    last: Vec<Option<Aabb>>,
}

impl BoxTrace {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let mut to = OutputFile::open(path)?.writer()?;
        writeln!(to, "frame,id,min_x,min_y,min_z,max_x,max_y,max_z")?;
        Ok(Self { to, last: Vec::new() })
    }

    /// Writes the boxes that changed; at least one, so that every frame is named.
    pub(crate) fn write(&mut self, frame: usize, world: &World) -> Result<(), Failure> {
        let mut named = false;
        let mut spare = None;
        for id in world.objects() {
            let Ok(bounds) = world.bounds(id) else { continue };
            let (number, now) = (id.index() as usize, bounds.aabb);
            if self.last.len() <= number {
                self.last.resize(number + 1, None);
            }
            if self.last[number] != Some(now) {
                self.last[number] = Some(now);
                named = true;
                self.line(frame, number, &now)?;
            }
            spare = spare.or(Some((number, now)));
        }
        match spare {
            Some((number, aabb)) if !named => self.line(frame, number, &aabb),
            _ => Ok(()),
        }
    }

    fn line(&mut self, frame: usize, number: usize, aabb: &Aabb) -> Result<(), Failure> {
        let ([a, b, c], [d, e, f]) = (aabb.min, aabb.max);
        writeln!(self.to, "{frame},{number},{a},{b},{c},{d},{e},{f}")
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.to.finish()
    }
}
