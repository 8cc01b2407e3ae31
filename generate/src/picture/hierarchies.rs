//! The picture of the hierarchies: levels of axis-aligned and of oriented boxes side by side.

use std::error::Error;
use std::fmt::Write as _;

use xcollide_bounds::{Aabb, Obb, Wireframe};
use xcollide_bvh::binary::Bvh;
use xcollide_bvh::levels::{Level, Levels};
use xcollide_narrow::Model;
use xcollide_narrow::mesh::BinaryTrees;

use super::{VIEW, newell};

/// Size of the picture and of the caption, in pixels.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 520.0;
const HEAD: f64 = 30.0;

/// The volumes of a level of a model's hierarchy.
type VolumesOf = fn(&Model, usize) -> Option<Vec<OutlinedVolume>>;

const ROWS: [(VolumesOf, &str); 2] = [
    (|model, level| Some(outlines(BinaryTrees::<Aabb>::tree(model)?, level)), "axis-aligned boxes"),
    (|model, level| Some(outlines(BinaryTrees::<Obb>::tree(model)?, level)), "oriented boxes"),
];
const LEVELS: [usize; 3] = [1, 3, 5];

/// Colours of volumes, in turn; distinct for the colour-blind too (Okabe and Ito).
const COLORS: [[u8; 3]; 6] =
    [[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0]];

/// The picture as SVG text; the same bytes on every platform.
pub(super) fn svg() -> Result<String, Box<dyn Error>> {
    let model = Model::from_mesh(xcollide_scenes::shape("shape:knot?faces=432")?)?;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"15\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\"/>\n"
    );
    let (wide, high) = (WIDTH / LEVELS.len() as f64, (HEIGHT - HEAD) / ROWS.len() as f64);
    for (row, (outlines, boxes)) in ROWS.into_iter().enumerate() {
        for (column, level) in LEVELS.into_iter().enumerate() {
            let volumes = outlines(&model, level).ok_or("the model is too large")?;
            let (left, top) = (column as f64 * wide, HEAD / 2.0 + row as f64 * high);
            panel(
                &mut svg,
                &model,
                &volumes,
                [left + 0.5 * wide, top + 0.54 * high],
                0.115 * wide * 2.0,
            );
            let (x, y) = (left + 14.0, top + 8.0);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.0}\" y=\"{y:.0}\">level {level}: {} {boxes}</text>",
                volumes.len()
            );
        }
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// A volume as lines, and the triangles in it.
struct OutlinedVolume {
    lines: Vec<[[f64; 3]; 2]>,
    triangles: Vec<u32>,
}

fn outlines<V: Wireframe>(tree: &Bvh<V>, level: usize) -> Vec<OutlinedVolume>
where
    Bvh<V>: Levels<Volume = V>,
{
    let volumes = tree.volumes(Level::At(level));
    let drawn = volumes
        .map(|one| OutlinedVolume { lines: one.volume.wireframe(), triangles: one.primitives });
    drawn.collect()
}

/// A model and volumes at a place, `scale` pixels a unit. Edges behind the center of their volume
/// are drawn below the model, the others over it.
fn panel(
    svg: &mut String,
    model: &Model,
    volumes: &[OutlinedVolume],
    [x, y]: [f64; 2],
    scale: f64,
) {
    let seen = |p: [f64; 3]| VIEW.map(|axis| axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2]);
    let place = |p: &[f64; 3]| format!("{:.1},{:.1}", x + scale * p[0], y - scale * p[1]);
    let mut colors = vec![0; model.triangulation().len()];
    let mut lines: [String; 2] = Default::default();
    for (number, volume) in volumes.iter().enumerate() {
        for &triangle in &volume.triangles {
            colors[triangle as usize] = number;
        }
        let [r, g, b] = COLORS[number % COLORS.len()];
        let depth = |ends: &[[f64; 3]; 2]| 0.5 * (seen(ends[0])[2] + seen(ends[1])[2]);
        let middle = volume.lines.iter().map(depth).sum::<f64>() / volume.lines.len().max(1) as f64;
        for (side, lines) in lines.iter_mut().enumerate() {
            let ways: Vec<String> = volume
                .lines
                .iter()
                .filter(|ends| usize::from(depth(ends) > middle) == side)
                .map(|ends| format!("M{}L{}", place(&seen(ends[0])), place(&seen(ends[1]))))
                .collect();
            let _ = writeln!(
                lines,
                "<path d=\"{}\" stroke=\"#{r:02x}{g:02x}{b:02x}\"/>",
                ways.concat()
            );
        }
    }
    let mut patches: Vec<(f64, String)> = Vec::new();
    for face in model.mesh().faces() {
        let corners: Vec<[f64; 3]> =
            face.outer().iter().map(|&vertex| seen(model.mesh().position(vertex))).collect();
        let normal = newell(&corners);
        let length = normal.iter().map(|part| part * part).sum::<f64>().sqrt();
        let triangles = model.triangulation().triangles_of(face.id());
        if length == 0.0 || normal[2] <= 0.0 || triangles.is_empty() {
            continue; // seen from behind
        }
        let light = (-0.35 * normal[0] + 0.55 * normal[1] + 0.76 * normal[2]).max(0.0) / length;
        let shade = 0.6 + 0.4 * light;
        let color = COLORS[colors[triangles.start] % COLORS.len()]
            .map(|part| (shade * (0.6 * f64::from(part) + 0.4 * 230.0)) as u8);
        let depth = corners.iter().map(|p| p[2]).sum::<f64>() / corners.len() as f64;
        let points: Vec<String> = corners.iter().map(place).collect();
        let [r, g, b] = color;
        let points = points.join(" ");
        patches
            .push((depth, format!("<path d=\"M{points}z\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>\n")));
    }
    patches.sort_by(|s, t| s.0.total_cmp(&t.0));
    let [behind, before] = lines;
    let _ = write!(svg, "<g fill=\"none\" stroke-opacity=\"0.6\">\n{behind}</g>\n<g>\n");
    svg.extend(patches.into_iter().map(|patch| patch.1));
    let _ = write!(svg, "</g>\n<g fill=\"none\">\n{before}</g>\n");
}
