//! A gear wheel, whose planar faces are not all convex.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridBuilder;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const TEETH: Parameter = Parameter::count("teeth", "how many teeth", [12, 3, 1_000_000]);
const RADIUS: Parameter = Parameter::length("radius", "to the tips of the teeth", 1.0);
const THICKNESS: Parameter = Parameter::length("thickness", "from face to face", 0.4);

pub(crate) const SHAPE: Shape = Shape {
    name: "gear",
    about: "gear wheel: two planar non-convex polygons and 4·teeth rectangles",
    parameters: &[TEETH, RADIUS, THICKNESS],
    build,
};

/// A gear wheel about the z-axis: closed, oriented outward, with exactly planar faces. Its two sides are
/// polygons that are reflex at the foot of each tooth. Teeth are as deep as wide, but at most half the radius.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (teeth, [radius, thickness]) = (given.count(&TEETH), given.numbers([&RADIUS, &THICKNESS]));
    let depth = (core::f64::consts::PI / teeth as f64).min(0.5);
    let outline = |z: f64| {
        (0..4 * teeth).map(move |corner| {
            // Two corners at the tip, two at the foot, a quarter of a tooth apart.
            let out = if corner % 4 < 2 { radius } else { radius * (1.0 - depth) };
            let [x, y] = turn(corner, 4 * teeth);
            [out * x, out * y, z]
        })
    };
    let mut builder = GridBuilder::new(0, 4 * teeth);
    let rows = [builder.row(outline(-0.5 * thickness))?, builder.row(outline(0.5 * thickness))?];
    Ok(builder.capped(&rows)?)
}
