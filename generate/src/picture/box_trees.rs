//! The picture of box-trees in a query (Zachmann 1994, figure 3.31): the leaves that a descent of
//! two of them reaches, and which of those overlap.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;

use xcollide_bounds::{Aabb, Wireframe};
use xcollide_brep::FaceId;
use xcollide_bvh::classic::box_tree::BoxTree;
use xcollide_bvh::levels::{Level, Levels, ReachedLeaf, reached_leaves};
use xcollide_narrow::mesh::BvhPair;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};

use super::{Patch, VIEW, project};

/// Size of the picture in pixels, and of the caption below.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 430.0;
const FOOT: f64 = 40.0;

/// Overlapping leaves: vermilion, with wider lines (Okabe and Ito).
const OVERLAPPING: &str = "stroke=\"#d55e00\" stroke-width=\"1.6\"";
/// Leaves where the descent ended.
const PARTED: &str = "stroke=\"#444\" stroke-width=\"0.6\" stroke-opacity=\"0.7\"";

/// The picture as SVG text; the same bytes on every platform.
pub(super) fn svg() -> Result<String, Box<dyn Error>> {
    let torus = Model::from_mesh(xcollide_scenes::shape("shape:torus?faces=2400")?)?;
    // Upright, slightly turned, behind the other and just into its rim.
    let reach = 0.95 * torus.local_box().size()[0];
    let poses = [
        Pose::IDENTITY,
        super::tilted([2.0, 0.9, -0.4, 3.0], [0.966 * reach, 0.259 * reach, 0.0])?,
    ];
    let [a, b] = [Placed::new(&torus, &poses[0])?, Placed::new(&torus, &poses[1])?];
    let mut contacts = Vec::new();
    let (query, mut cache) = (Query::new(), PairCache::new());
    let verdict =
        BvhPair::<BoxTree>::new().contacts(a, b, &query, usize::MAX, &mut cache, &mut contacts);
    if !verdict.is_collision() {
        return Err("the two shapes of the picture do not touch".into());
    }
    let marked: [BTreeSet<FaceId>; 2] = [
        contacts.iter().map(|pair| pair.0).collect(),
        contacts.iter().map(|pair| pair.1).collect(),
    ];
    let mut patches = project(a, [190, 205, 225], &marked[0]);
    patches.extend(project(b, [232, 220, 190], &marked[1]));
    patches.sort_by(|s, t| s.depth.total_cmp(&t.depth));
    let tree = BvhPair::<BoxTree>::tree(&torus).ok_or("the torus is too large")?;
    let reached = reached_leaves((tree, a.pose()), (tree, b.pose()));

    let view = View::of(&patches);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"15\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\"/>\n\
         <g stroke=\"#000\" stroke-opacity=\"0.15\" stroke-width=\"0.4\">\n"
    );
    for Patch { corners, color: [r, g, b], .. } in &patches {
        let points: Vec<String> = corners.iter().map(|p| view.place(*p)).collect();
        let points = points.join(" ");
        let _ = writeln!(svg, "<polygon points=\"{points}\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>");
    }
    let _ = write!(svg, "</g>\n<g fill=\"none\" stroke-linejoin=\"round\">\n");
    for (overlaps, style) in [(false, PARTED), (true, OVERLAPPING)] {
        for (leaves, pose) in reached.iter().zip(&poses) {
            for leaf in leaves.iter().filter(|leaf| leaf.overlaps == overlaps) {
                let _ = writeln!(svg, "<path d=\"{}\" {style}/>", view.lines(leaf, pose));
            }
        }
    }
    svg.push_str("</g>\n");
    let all = 2 * tree.volumes(Level::Leaves).count();
    let looked_at = reached.iter().flatten().count();
    let overlapping = reached.iter().flatten().filter(|leaf| leaf.overlaps).count();
    let _ = write!(
        svg,
        "<text x=\"20\" y=\"{:.0}\">box-trees: the descent comes to {looked_at} of {all} leaves, \
         {overlapping} overlap (wide lines), {} pairs of faces meet (red)</text>\n\
         </svg>\n",
        HEIGHT - 15.0,
        contacts.len(),
    );
    Ok(svg)
}

/// The map to the picture.
struct View {
    /// The center of the view.
    center: [f64; 2],
    /// Pixels to a unit.
    scale: f64,
}

impl View {
    /// As large as fits the patches and their boxes.
    fn of(patches: &[Patch]) -> Self {
        let range = |axis: usize| {
            let values = patches.iter().flat_map(|patch| &patch.corners).map(|p| p[axis]);
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let (x, y) = (range(0), range(1));
        let fits = |(low, high): (f64, f64), room: f64| 0.72 * room / (high - low);
        Self {
            center: [0.5 * (x.0 + x.1), 0.5 * (y.0 + y.1)],
            scale: fits(x, WIDTH).min(fits(y, HEIGHT - FOOT)),
        }
    }

    fn place(&self, [x, y]: [f64; 2]) -> String {
        let across = WIDTH / 2.0 + self.scale * (x - self.center[0]);
        let down = (HEIGHT - FOOT) / 2.0 - self.scale * (y - self.center[1]);
        format!("{across:.1},{down:.1}")
    }

    /// The edges of a leaf of a model at a pose.
    fn lines(&self, leaf: &ReachedLeaf<Aabb>, pose: &Pose) -> String {
        let place = |end: [f64; 3]| {
            let world = pose.apply(end);
            let [right, up, _] = VIEW.map(|axis| xcollide_math::vector::dot(axis, world));
            self.place([right, up])
        };
        let ways = leaf.leaf.volume.wireframe().into_iter();
        ways.map(|ends| format!("M{}L{}", place(ends[0]), place(ends[1]))).collect()
    }
}
