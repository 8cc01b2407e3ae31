//! The pictures of README and docs: two shapes in contact, levels of hierarchies, two box-trees in
//! a query.
//!
//! The painter's algorithm draws them from the program's own answers.

mod box_trees;
mod hierarchies;

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use xcollide_brep::FaceId;
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};

/// Size of the picture in pixels.
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 470.0;

/// Creates a picture as text.
type Draw = fn() -> Result<String, Box<dyn Error>>;

/// The pictures' paths below the root, and their functions.
const PICTURES: [(&str, Draw); 3] = [
    ("docs/contact.svg", contact_svg),
    ("docs/hierarchies.svg", hierarchies::svg),
    ("docs/box-tree.svg", box_trees::svg),
];

/// Draws the pictures.
///
/// # Errors
/// A file cannot be written.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    PICTURES.into_iter().try_for_each(|(place, draw)| {
        let svg = draw().map_err(|error| format!("picture: {place}: {error}"))?;
        fs::write(root.join(place), svg).map_err(|error| format!("picture: {place}: {error}"))
    })
}

/// The picture as SVG text; the same bytes on every platform.
fn contact_svg() -> Result<String, Box<dyn Error>> {
    let torus = Model::from_mesh(xcollide_scenes::shape("shape:torus?faces=900")?)?;
    let flake = Model::from_mesh(xcollide_scenes::shape("shape:tetraflake?depth=3")?)?;
    let at = |model: &Model, x: f64| {
        let width = model.local_box().size()[0].max(model.local_box().size()[1]);
        (Pose::from_translation([x, 0.0, 0.0]), width)
    };
    let (pose_torus, width_torus) = at(&torus, 0.0);
    let reach = 0.5 * width_torus + 0.34 * at(&flake, 0.0).1;
    let pose_flake = tilted([1.0, 2.0, 1.0, 4.0], [reach, 0.0, 0.1 * reach])?;
    let a = Placed::new(&torus, &pose_torus)?;
    let b = Placed::new(&flake, &pose_flake)?;
    let mut contacts = Vec::new();
    let verdict = Arbitrary::default().contacts(
        a,
        b,
        &Query::new(),
        usize::MAX,
        &mut PairCache::new(),
        &mut contacts,
    );
    if !verdict.is_collision() {
        return Err("the two shapes of the picture do not touch".into());
    }
    let marked_a: BTreeSet<FaceId> = contacts.iter().map(|pair| pair.0).collect();
    let marked_b: BTreeSet<FaceId> = contacts.iter().map(|pair| pair.1).collect();
    let mut patches = Vec::new();
    patches.extend(project(a, [120, 160, 205], &marked_a));
    patches.extend(project(b, [215, 190, 130], &marked_b));
    patches.sort_by(|s, t| s.depth.total_cmp(&t.depth));
    Ok(draw(&patches, contacts.len()))
}

/// A face on the screen.
struct Patch {
    /// Larger is nearer.
    depth: f64,
    corners: Vec<[f64; 2]>,
    color: [u8; 3],
}

/// Axes of the view: right, up, towards the viewer (orthonormal up to rounding).
const VIEW: [[f64; 3]; 3] = [[0.96, 0.28, 0.0], [-0.168, 0.576, 0.8], [0.224, -0.768, 0.6]];

fn project(placed: Placed<'_>, color: [u8; 3], marked: &BTreeSet<FaceId>) -> Vec<Patch> {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let mesh = placed.model().mesh();
    mesh.faces()
        .filter_map(|face| {
            let points: Vec<[f64; 3]> =
                face.outer().iter().map(|&vertex| placed.position(vertex)).collect();
            let seen: Vec<[f64; 3]> =
                points.iter().map(|&point| VIEW.map(|axis| dot(axis, point))).collect();
            let normal = newell(&seen);
            let length = dot(normal, normal).sqrt();
            if length == 0.0 || normal[2] <= 0.0 {
                return None; // seen from behind
            }
            let light = dot(normal, [-0.35, 0.55, 0.76]).max(0.0) / length;
            let base = if marked.contains(&face.id()) { [225, 45, 40] } else { color };
            let shade = 0.45 + 0.55 * light;
            Some(Patch {
                depth: seen.iter().map(|p| p[2]).sum::<f64>() / seen.len() as f64,
                corners: seen.iter().map(|p| [p[0], p[1]]).collect(),
                color: base.map(|channel| (f64::from(channel) * shade) as u8),
            })
        })
        .collect()
}

/// Twice the area vector of a polygon.
fn newell(points: &[[f64; 3]]) -> [f64; 3] {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).fold([0.0; 3], |sum, (p, q)| {
        [
            sum[0] + (p[1] - q[1]) * (p[2] + q[2]),
            sum[1] + (p[2] - q[2]) * (p[0] + q[0]),
            sum[2] + (p[0] - q[0]) * (p[1] + q[1]),
        ]
    })
}

fn draw(patches: &[Patch], contacts: usize) -> String {
    let all = || patches.iter().flat_map(|patch| &patch.corners);
    let range = |axis: usize| {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        all().fold(start, |(low, high), p| (low.min(p[axis]), high.max(p[axis])))
    };
    let ((left, right), (bottom, top)) = (range(0), range(1));
    let scale = ((WIDTH - 40.0) / (right - left)).min((HEIGHT - 80.0) / (top - bottom));
    let (center_x, center_y) = (0.5 * (left + right), 0.5 * (bottom + top));
    let screen = |p: &[f64; 2]| {
        let x = WIDTH / 2.0 + scale * (p[0] - center_x);
        let y = (HEIGHT - 30.0) / 2.0 - scale * (p[1] - center_y);
        format!("{x:.1},{y:.1}")
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\"/>\n\
         <g stroke=\"#000\" stroke-opacity=\"0.25\" stroke-width=\"0.5\" \
         stroke-linejoin=\"round\">\n"
    );
    for patch in patches {
        let points: Vec<String> = patch.corners.iter().map(&screen).collect();
        let [r, g, b] = patch.color;
        let _ = writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>",
            points.join(" ")
        );
    }
    let _ = write!(
        svg,
        "</g>\n<text x=\"20\" y=\"{:.0}\" font-size=\"16\" fill=\"#333\">xcollide check --contacts: \
         {contacts} pairs of faces in contact (red)</text>\n</svg>\n",
        HEIGHT - 16.0
    );
    svg
}

/// The pose with the rotation of a quaternion (x, y, z, w) of any length but 0.
fn tilted(quaternion: [f64; 4], translation: [f64; 3]) -> Result<Pose, xcollide_math::PoseError> {
    let length = quaternion.iter().map(|value| value * value).sum::<f64>().sqrt();
    Pose::from_quaternion(quaternion.map(|value| value / length), translation)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cargo xtask picture` draws them anew.
    #[test]
    fn the_pictures_are_up_to_date() -> Result<(), Box<dyn Error>> {
        for (place, draw) in PICTURES {
            assert!(fs::read_to_string(crate::root().join(place))? == draw()?, "{place} differs");
        }
        Ok(())
    }
}
