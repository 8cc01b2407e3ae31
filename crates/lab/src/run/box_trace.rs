//! Writes the boxes of a run as a trace for `xcollide pairs`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use xcollide::World;
use xcollide::bounds::Aabb;

use crate::exit::Failure;

pub(crate) struct BoxTrace {
    path: PathBuf,
    to: BufWriter<File>,
    last: Vec<Option<Aabb>>,
}

impl BoxTrace {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let failed = |error| Failure::unwritable(path, &error);
        let mut to = BufWriter::new(File::create(path).map_err(failed)?);
        writeln!(to, "frame,id,min_x,min_y,min_z,max_x,max_y,max_z").map_err(failed)?;
        Ok(Self { path: path.to_owned(), to, last: Vec::new() })
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
            .map_err(|error| Failure::unwritable(&self.path, &error))
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.to.flush().map_err(|error| Failure::unwritable(&self.path, &error))
    }
}
