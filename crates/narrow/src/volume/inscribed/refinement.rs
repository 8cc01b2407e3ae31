//! Patches are divided until it is known which caps are in another body.

use xcollide_bounds::Aabb;

use super::Inscribed;
use super::cap::Cap;
use super::patch::Patch;
use super::share::{Other, Share};

/// The caps of one body, in another body or not.
#[derive(Clone, Copy, Debug)]
pub(in crate::volume) struct Caps {
    /// The volume that is in the other body at least.
    pub(in crate::volume) inside: f64,
    /// The volume about which this is not known.
    pub(in crate::volume) unknown: f64,
    /// No point of those that are not outside, and near the other's caps, is farther from the surface.
    pub(in crate::volume) height: f64,
    /// The greatest width of those that may be partly inside.
    width: f64,
    /// Contains those that are not outside.
    pub(in crate::volume) bounds: Aabb,
}

impl Inscribed {
    /// More patches take too long.
    const MOST: usize = 1 << 18;
    /// More tests of caps in one pass take too long: where strips coincide with the other surface along all of their length.
    const MOST_TESTS: usize = 1 << 20;

    /// Whether no patch will be divided any more.
    pub(in crate::volume) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Divides all patches whose caps may be partly in the other body until they are at most `size` wide, and also those that are all
    /// in it, and in a box where the other's caps are, until they are at most `height` high.
    pub(in crate::volume) fn refine(
        &mut self,
        other: &mut Other<'_>,
        size: f64,
        (height, reached): (f64, &Aabb),
    ) -> Caps {
        let mut caps = Caps::new();
        let mut tests = 0;
        let mut waiting = std::mem::take(&mut self.patches);
        self.are_outside.clear();
        while let Some(patch) = waiting.pop() {
            let mut own = Caps::new();
            self.is_full |=
                self.patches.len() + waiting.len() > Self::MOST || tests > Self::MOST_TESTS;
            match patch {
                Patch::Triangle { sphere, corners, ways } => {
                    let corners = corners.map(|corner| self.corners[corner as usize]);
                    let cap = self.spheres[sphere as usize].cap(&ways, corners);
                    own.add(&cap, &other.share(&cap, cap.size <= size));
                    tests += 1;
                }
                Patch::Strip { tube, ends, ways, angle } => {
                    let tube = &self.tubes[tube as usize];
                    let corners = ends.map(|end| end.map(|corner| self.corners[corner as usize]));
                    let cap = |places| tube.cap(&ways, &corners, angle, places);
                    let left =
                        if self.is_full { 0 } else { Self::MOST_TESTS.saturating_sub(tests) };
                    tests += along(cap, tube.is_cylinder(), other, (size, left), &mut own);
                }
            }
            if !own.bounds.overlaps(reached) {
                own.height = 0.0;
            }
            if (own.width > size || own.height > height) && !self.is_full {
                waiting.extend(self.divided(patch));
                continue;
            }
            self.patches.push(patch);
            self.are_outside.push(own.bounds.is_empty());
            caps.inside += own.inside;
            caps.unknown += own.unknown;
            caps.height = caps.height.max(own.height);
            caps.bounds = caps.bounds.merged(&own.bounds);
        }
        caps
    }
}

/// The parts of a strip's cap, along the strip: where it is not known, each at most `size` long, or as long as the strip is wide, or
/// longer once the tests are used up. A part of a cylinder is not divided where the other surface is as straight along it as the part is
/// low: that tells little more. Returns the number of tests.
fn along(
    cap: impl Fn([f64; 2]) -> Cap,
    is_cylinder: bool,
    other: &mut Other<'_>,
    (size, most): (f64, usize),
    caps: &mut Caps,
) -> usize {
    let mut tests = 0;
    let mut waiting = vec![[0.0, 1.0]];
    while let Some([from, to]) = waiting.pop() {
        let cap = cap([from, to]);
        let is_narrow = cap.width <= size;
        let share = other.share(&cap, is_narrow);
        tests += 1;
        let is_straight = is_cylinder && share.drop <= 4.0 * cap.height;
        let is_long = !is_straight && cap.size > size.max(cap.width) && tests < most;
        let is_known = share.bounds[0] >= share.bounds[1];
        if is_long && !is_known {
            let middle = 0.5 * (from + to);
            waiting.extend([[from, middle], [middle, to]]);
            continue;
        }
        caps.add(&cap, &share);
        if !is_known && !is_narrow && tests < most {
            // The strip will be divided.
            break;
        }
    }
    tests
}

impl Caps {
    pub(in crate::volume) fn new() -> Self {
        Self { inside: 0.0, unknown: 0.0, height: 0.0, width: 0.0, bounds: Aabb::EMPTY }
    }

    fn add(&mut self, cap: &Cap, share: &Share) {
        let [at_least, at_most] = share.bounds;
        if at_most > 0.0 {
            self.inside += at_least;
            self.unknown += at_most - at_least;
            if at_least < at_most {
                self.width = self.width.max(cap.width);
            }
            self.height = self.height.max(cap.height);
            let bounds = match share.below {
                // Of a long part of a strip most may be above.
                Some((normal, level)) if cap.size > 4.0 * cap.width => {
                    cap.bounds_below(normal, level)
                }
                _ => Aabb::from_points(cap.points().iter().copied()),
            };
            self.bounds = self.bounds.merged(&bounds);
        }
    }
}
