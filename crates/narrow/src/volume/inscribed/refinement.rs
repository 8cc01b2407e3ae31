//! Patches are divided until it is known which caps are in another body.

use xcollide_bounds::Aabb;

use super::Inscribed;
use super::cap::Cap;
use super::patch::{Patch, Tube};
use super::share::Other;

/// The caps of one body, in another body or not.
#[derive(Clone, Copy, Debug)]
pub(in crate::volume) struct Caps {
    /// The volume that is in the other body at least.
    pub(in crate::volume) inside: f64,
    /// The volume about which this is not known.
    pub(in crate::volume) unknown: f64,
    /// No point of those that are not outside is farther from the surface.
    pub(in crate::volume) height: f64,
    /// Contains those that are not outside.
    pub(in crate::volume) bounds: Aabb,
}

impl Inscribed {
    /// More patches take too long.
    const MOST: usize = 1 << 18;

    /// Whether no patch will be divided any more.
    pub(in crate::volume) fn is_full(&self) -> bool {
        self.patches.len() > Self::MOST
    }

    /// Divides all patches whose caps may be partly in the other body until they are at most `size` wide, and also those that are all
    /// in it until they are at most `height` high.
    pub(in crate::volume) fn refine(
        &mut self,
        other: &mut Other<'_>,
        [size, height]: [f64; 2],
    ) -> Caps {
        let mut caps = Caps::new();
        let mut waiting = std::mem::take(&mut self.patches);
        while let Some(patch) = waiting.pop() {
            let mut own = Caps::new();
            let is_wide = match patch {
                Patch::Triangle { sphere, ways, .. } => {
                    let cap = self.spheres[sphere as usize].cap(&ways);
                    own.add(&cap, other.share(&cap, cap.size <= size));
                    own.unknown > 0.0 && cap.size > size
                }
                Patch::Strip { tube, ways, angle, .. } => {
                    let tube = &self.tubes[tube as usize];
                    along(tube, &ways, angle, other, size, &mut own);
                    own.unknown > 0.0 && tube.width(&ways) > size
                }
            };
            let is_full = self.is_full() || self.patches.len() + waiting.len() > Self::MOST;
            if (is_wide || own.height > height) && !is_full {
                waiting.extend(self.divided(patch));
                continue;
            }
            self.patches.push(patch);
            caps.inside += own.inside;
            caps.unknown += own.unknown;
            caps.height = caps.height.max(own.height);
            caps.bounds = caps.bounds.merged(&own.bounds);
        }
        caps
    }
}

/// The parts of a strip's cap, along the strip: where it is not known, each at most `size` long, or as long as the strip is wide.
fn along(
    tube: &Tube,
    ways: &[[f64; 3]; 2],
    angle: f64,
    other: &mut Other<'_>,
    size: f64,
    caps: &mut Caps,
) {
    let width = tube.width(ways);
    let mut waiting = vec![[0.0, 1.0]];
    while let Some([from, to]) = waiting.pop() {
        let cap = tube.cap(ways, angle, [from, to]);
        let is_long = cap.size > size.max(width);
        let share @ [at_least, at_most] = other.share(&cap, width <= size && !is_long);
        if at_least < at_most && is_long {
            let middle = 0.5 * (from + to);
            waiting.extend([[from, middle], [middle, to]]);
        } else {
            caps.add(&cap, share);
        }
    }
}

impl Caps {
    pub(in crate::volume) fn new() -> Self {
        Self { inside: 0.0, unknown: 0.0, height: 0.0, bounds: Aabb::EMPTY }
    }

    fn add(&mut self, cap: &Cap, [at_least, at_most]: [f64; 2]) {
        if at_most > 0.0 {
            self.inside += at_least;
            self.unknown += at_most - at_least;
            self.height = self.height.max(cap.height);
            let bounds = Aabb::from_points(cap.points().iter().copied());
            self.bounds = self.bounds.merged(&bounds);
        }
    }
}
