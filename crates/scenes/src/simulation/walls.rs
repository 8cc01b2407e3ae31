//! The cage, whose walls free bodies bounce off.

use super::Instance;
use super::body::Body;
use crate::message_number::number;
use crate::{CageSize, Keep, Scene, SceneError};

#[derive(Clone, Debug)]
pub(super) struct Walls {
    pub(super) min: [f64; 3],
    pub(super) max: [f64; 3],
    keep: Keep,
}

impl Walls {
    pub(super) fn of(scene: &Scene, instances: &[Instance]) -> Result<Option<Self>, SceneError> {
        let Some(cage) = &scene.cage else { return Ok(None) };
        let (min, max) = match cage.size {
            CageSize::Box { min, max } => (min, max),
            CageSize::Density(density) => {
                let moving = instances.iter().filter(|instance| !instance.is_static);
                let volume: f64 = moving.map(|instance| instance.volume).sum();
                let half = 0.5 * libm::cbrt(volume.max(f64::MIN_POSITIVE) / density);
                // Very large bodies at a tiny density.
                if half > 1e100 {
                    let found = format!(
                        "{}, which makes a cage of side {}",
                        number(density),
                        number(2.0 * half)
                    );
                    let expected = "one that makes a cage of at most 2e100";
                    return Err(SceneError::bad("cage.density", found, expected));
                }
                ([-half; 3], [half; 3])
            }
        };
        Ok(Some(Self { min, max, keep: cage.keep }))
    }

    /// The permitted range on each axis for the origin of a body with this radius; `None` if it does not fit.
    pub(super) fn room(&self, reach: f64) -> Option<[[f64; 3]; 2]> {
        let margin = match self.keep {
            Keep::Body => reach,
            Keep::Origin => 0.0,
        };
        let room = [self.min.map(|min| min + margin), self.max.map(|max| max - margin)];
        (0..3).all(|k| room[0][k] <= room[1][k]).then_some(room)
    }

    pub(super) fn check(&self, instance: &Instance, reach: f64) -> Result<(), SceneError> {
        match self.room(reach) {
            Some(_) => Ok(()),
            None => Err(SceneError::bad(
                "cage",
                format!("{:?} to {:?}", self.min, self.max),
                format!(
                    "room for objects[{}], which reaches {} from its origin, or \
                     `keep = \"origin\"`",
                    instance.object,
                    number(reach)
                ),
            )),
        }
    }

    pub(super) fn turn_back(&self, body: &mut Body, reach: f64) {
        // The body fits: this was checked at the start.
        let Some([low, high]) = self.room(reach) else { return };
        for k in 0..3 {
            let (at, velocity) = (&mut body.now.translation[k], &mut body.velocity[k]);
            if *at < low[k] {
                (*at, *velocity) = (low[k] + (low[k] - *at), velocity.abs());
            } else if *at > high[k] {
                (*at, *velocity) = (high[k] - (*at - high[k]), -velocity.abs());
            }
            // The step was longer than the cage.
            *at = at.clamp(low[k], high[k]);
        }
    }
}
