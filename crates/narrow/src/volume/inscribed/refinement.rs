//! Which caps are in another body.

use xcollide_bvh::wide::Traversal;
use xcollide_convex::shape::{Core, Shape};
use xcollide_math::vector::{add, dot, largest, length, scale, sub, unit};
use xcollide_predicates::Point;

use super::Inscribed;
use super::patch::{Cap, Patch, Tube};
use crate::formula::pair::{Body, Side};
use crate::model::formula::HalfSpace;
use crate::point_distance::{on_surface, signed};
use crate::{Formula, Placed};

/// The caps of one body, in another body or not.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::volume) struct Caps {
    /// The volume of those that are in the other body.
    pub(in crate::volume) inside: f64,
    /// The volume of those about which this is not known.
    pub(in crate::volume) unknown: f64,
    /// No point of those that are not outside is farther from the surface.
    pub(in crate::volume) height: f64,
}

/// How a cap lies to another body, as far as it is proved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Inside,
    Outside,
    Unknown,
}

/// The other body, and how deep in it a cap must be to count as inside.
pub(in crate::volume) struct Other<'a> {
    placed: Placed<'a>,
    side: Side<'a>,
    margin: f64,
    scratch: Traversal,
}

impl<'a> Other<'a> {
    pub(in crate::volume) fn new(placed: Placed<'a>, margin: f64) -> Self {
        Self { placed, side: Side::of(placed), margin, scratch: Traversal::new() }
    }

    fn place(&mut self, points: &[Point]) -> Place {
        let sum = points.iter().fold([0.0; 3], |sum, &p| add(sum, p));
        let center = scale(sum, 1.0 / points.len() as f64);
        match &self.side {
            Side::Shape(_, shape) => in_shape(shape, self.placed, self.margin, points, center),
            Side::HalfSpace(ground) => below(ground, self.margin, points),
            Side::Mesh(mesh) => {
                let Ok(found) = signed(*mesh, center, &mut self.scratch) else {
                    return Place::Unknown;
                };
                let reach = points.iter().map(|&p| length(sub(p, center))).fold(0.0, f64::max);
                let rounding = 64.0 * f64::EPSILON * (reach + largest(center));
                let room = found.distance.abs() - reach - rounding;
                match found.distance > 0.0 {
                    true if room > 0.0 => Place::Outside,
                    false if room > self.margin => Place::Inside,
                    _ => Place::Unknown,
                }
            }
        }
    }
}

/// How the hull of some points lies to a convex body: a plane above the body is below all of them, or all are in it.
fn in_shape(
    shape: &Body<'_>,
    placed: Placed<'_>,
    margin: f64,
    points: &[Point],
    center: Point,
) -> Place {
    let is_outside = |normal: [f64; 3]| {
        let (height, error) = shape.height(normal);
        let lowest = points.iter().map(|&p| dot(normal, p)).fold(f64::INFINITY, f64::min);
        lowest > height + error + 16.0 * f64::EPSILON * (largest(center) + height.abs())
    };
    let formula = placed.model().formula();
    let core = formula.and_then(Formula::shape).map(Shape::core);
    let normal = match core {
        // Near the surface this gradient has about the direction of the nearest point, which takes longer.
        Some(Core::Ellipsoid { half }) => {
            let [local, _] = placed.pose().to_local(center, [0.0; 3]);
            unit(placed.pose().rotate([0, 1, 2].map(|k| local[k] / half[k] / half[k])))
        }
        _ => on_surface(placed, center).map(|surface| surface.normal),
    };
    if normal.is_some_and(is_outside) {
        return Place::Outside;
    }
    // In a rounded polytope a search costs some microseconds, so it is made once.
    let is_inside = if core == Some(Core::Other) {
        let reach = points.iter().map(|&p| length(sub(p, center))).fold(0.0, f64::max);
        shape.depth_at(center) > margin + reach * (1.0 + 1e-12)
    } else {
        points.iter().all(|&p| shape.depth_at(p) > margin)
    };
    if is_inside { Place::Inside } else { Place::Unknown }
}

fn below(ground: &HalfSpace, margin: f64, points: &[Point]) -> Place {
    let heights = points.iter().map(|&p| ground.height(p));
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (height, error) in heights {
        lowest = lowest.min(height - error);
        highest = highest.max(height + error);
    }
    if lowest > 0.0 {
        Place::Outside
    } else if highest < -margin {
        Place::Inside
    } else {
        Place::Unknown
    }
}

/// How high a cap may be in the other body, in parts of how wide others may be: what is so near to the other surface is not known.
const HEIGHT: f64 = 1.0 / 4.0;

impl Inscribed {
    /// More patches take too long.
    const MOST: usize = 1 << 18;

    /// Whether no patch will be divided any more.
    pub(in crate::volume) fn is_full(&self) -> bool {
        self.patches.len() > Self::MOST
    }

    /// Divides all patches whose caps may be partly in the other body until they are at most `size` wide, and those that are in it
    /// until they are at most so high.
    pub(in crate::volume) fn refine(&mut self, other: &mut Other<'_>, size: f64) -> Caps {
        let mut caps = Caps::default();
        let mut waiting = std::mem::take(&mut self.patches);
        while let Some(patch) = waiting.pop() {
            let mut own = Caps::default();
            let is_wide = match patch {
                Patch::Triangle { sphere, ways, .. } => {
                    let cap = self.spheres[sphere as usize].cap(&ways);
                    own.add(&cap, other.place(cap.points()));
                    own.unknown > 0.0 && cap.size > size
                }
                Patch::Strip { tube, ways, angle, .. } => {
                    let tube = &self.tubes[tube as usize];
                    along(tube, &ways, angle, other, size, &mut own);
                    own.unknown > 0.0 && tube.width(&ways) > size
                }
            };
            let is_full = self.is_full() || self.patches.len() + waiting.len() > Self::MOST;
            if (is_wide || own.height > size * HEIGHT) && !is_full {
                waiting.extend(self.divided(patch));
                continue;
            }
            self.patches.push(patch);
            caps.inside += own.inside;
            caps.unknown += own.unknown;
            caps.height = caps.height.max(own.height);
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
    let longest = size.max(tube.width(ways));
    let mut waiting = vec![[0.0, 1.0]];
    while let Some([from, to]) = waiting.pop() {
        let cap = tube.cap(ways, angle, [from, to]);
        let place = other.place(cap.points());
        if place == Place::Unknown && cap.size > longest {
            let middle = 0.5 * (from + to);
            waiting.extend([[from, middle], [middle, to]]);
        } else {
            caps.add(&cap, place);
        }
    }
}

impl Caps {
    fn add(&mut self, cap: &Cap, place: Place) {
        match place {
            Place::Inside => self.inside += cap.volume,
            Place::Unknown => self.unknown += cap.volume,
            Place::Outside => return,
        }
        self.height = self.height.max(cap.height);
    }
}
