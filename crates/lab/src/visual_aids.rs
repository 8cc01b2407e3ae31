//! Lines in an exported scene that show what was found, as the visual aids of I-COLLIDE (Cohen, Lin, Manocha, Ponamgi
//! 1995) do: contact points, the features that meet or are nearest, nearest points, separating planes, bounding boxes.
//!
//! Each kind is a layer with a material of its name. A mark is one shape, moved and scaled from frame to frame.

use std::collections::BTreeMap;

use xcollide::bounds::{Aabb, Wireframe};
use xcollide::brep::{FaceId, PolygonMesh};
use xcollide::convex::Plane;
use xcollide::math::vector::{add, cross, dot, length, scale, sub};
use xcollide::narrow::Feature;
use xcollide_io::glb::{GlbError, GlbScene, Material, MaterialId, Node, NodeId, ShapeId};

use crate::meetings::PairContact;
use crate::moving_scene::{FRAMES_PER_SECOND, Placing};

/// Pairs or bodies that have marks in a layer, the first ones.
const MOST_MARKED: usize = 300;
/// Marks in all frames, 88 bytes each.
const MOST_MARKS: usize = 1_000_000;

/// A kind of mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aid {
    Contacts,
    Features,
    Nearest,
    Planes,
    Boxes,
}

impl Aid {
    pub(crate) const ALL: [Self; 5] =
        [Self::Contacts, Self::Features, Self::Nearest, Self::Planes, Self::Boxes];

    /// What options call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Contacts => "contacts",
            Self::Features => "features",
            Self::Nearest => "nearest",
            Self::Planes => "planes",
            Self::Boxes => "boxes",
        }
    }

    fn material(self) -> Material {
        let (name, color) = match self {
            Self::Contacts => ("contact points", [0.0, 0.42, 0.78]),
            Self::Features => ("features", [0.85, 0.6, 0.0]),
            Self::Nearest => ("nearest points", [0.0, 0.5, 0.35]),
            Self::Planes => ("separating planes", [0.5, 0.25, 0.75]),
            Self::Boxes => ("bounding boxes", [0.42, 0.42, 0.48]),
        };
        Material::new(name, color).glow(1.0)
    }

    /// The lines of a mark that is neither moved nor scaled.
    fn lines(self) -> Vec<[[f64; 3]; 2]> {
        match self {
            Self::Contacts | Self::Features => {
                let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                axes.map(|axis| [-1.0, 1.0].map(|side| scale(axis, side))).to_vec()
            }
            Self::Nearest => vec![[[0.0; 3], [1.0, 0.0, 0.0]]],
            // A grid across x, and the normal.
            Self::Planes => {
                let places = (-2..=2).map(|k| 0.5 * f64::from(k));
                let grid = places.flat_map(|at| {
                    [[[0.0, at, -1.0], [0.0, at, 1.0]], [[0.0, -1.0, at], [0.0, 1.0, at]]]
                });
                grid.chain([[[0.0; 3], [0.4, 0.0, 0.0]]]).collect()
            }
            Self::Boxes => Aabb::new([-0.5; 3], [0.5; 3]).wireframe(),
        }
    }
}

/// Where a mark is in a frame.
#[derive(Clone, Copy)]
struct Mark {
    at: Placing,
    size: [f64; 3],
}

/// Marks by frame, ascending.
type MarkPath = Vec<(u32, Mark)>;

/// A feature that can be the key of a map: the ends of an edge, a vertex twice, or a face and `None`.
type FeatureKey = (u32, Option<u32>);

/// The marks of all frames so far.
#[derive(Default)]
pub(crate) struct VisualAids {
    wanted: Vec<Aid>,
    frame: u32,
    /// By kind and pair; of a box by its body twice.
    marks: BTreeMap<(Aid, [u32; 2]), MarkPath>,
    /// The frames in which a body's feature is shown.
    features: BTreeMap<(u32, FeatureKey), Vec<u32>>,
    count: usize,
}

impl VisualAids {
    /// No marks yet, of these kinds.
    pub(crate) fn new(wanted: &[Aid]) -> Self {
        Self { wanted: wanted.to_vec(), ..Self::default() }
    }

    pub(crate) fn wants(&self, aid: Aid) -> bool {
        self.wanted.contains(&aid)
    }

    /// The frame of the marks that are added next. Frames ascend.
    pub(crate) fn set_frame(&mut self, frame: usize) {
        self.frame = frame as u32;
    }

    /// Adds where bodies collide, and the features that meet there. `size`: half the length of a cross.
    pub(crate) fn add_contacts(&mut self, contacts: &[PairContact], size: f64) {
        for contact in contacts {
            self.mark(Aid::Contacts, contact.pair, (contact.point, STRAIGHT), [size; 3]);
            if let Some(features) = contact.features {
                self.add_features(contact.pair, features);
            }
        }
    }

    /// Adds the nearest points of two bodies that are apart, and the faces that they are on.
    pub(crate) fn add_nearest(
        &mut self,
        pair: [u32; 2],
        [p, q]: [[f64; 3]; 2],
        faces: Option<[FaceId; 2]>,
    ) {
        let way = sub(q, p);
        self.mark(Aid::Nearest, pair, (p, turn_to(way)), [length(way), 1.0, 1.0]);
        if let Some(faces) = faces {
            self.add_features(pair, faces.map(Feature::Face));
        }
    }

    /// Adds a plane between two bodies, as a patch near a point. `size`: half the length of its sides.
    pub(crate) fn add_plane(&mut self, pair: [u32; 2], plane: &Plane, near: [f64; 3], size: f64) {
        let Plane { normal, offset } = *plane;
        let above = (dot(normal, near) - offset) / dot(normal, normal);
        let center = sub(near, scale(normal, above));
        self.mark(Aid::Planes, pair, (center, turn_to(normal)), [size; 3]);
    }

    /// Adds the bounding box of a body.
    pub(crate) fn add_box(&mut self, body: u32, bounds: &Aabb) {
        let center = scale(add(bounds.min, bounds.max), 0.5);
        self.mark(Aid::Boxes, [body; 2], (center, STRAIGHT), sub(bounds.max, bounds.min));
    }

    fn mark(&mut self, aid: Aid, pair: [u32; 2], at: Placing, size: [f64; 3]) {
        let numbers = at.0.iter().chain(&at.1).chain(&size);
        let is_shown = self.wants(aid) && numbers.into_iter().all(|number| number.is_finite());
        let of_aid = || self.marks.range((aid, [0; 2])..=(aid, [u32::MAX; 2])).count();
        if !is_shown || self.count >= MOST_MARKS {
            return;
        }
        if !self.marks.contains_key(&(aid, pair)) && of_aid() >= MOST_MARKED {
            return;
        }
        self.count += 1;
        self.marks.entry((aid, pair)).or_default().push((self.frame, Mark { at, size }));
    }

    fn add_features(&mut self, pair: [u32; 2], features: [Feature; 2]) {
        if !self.wants(Aid::Features) {
            return;
        }
        for (body, feature) in pair.into_iter().zip(features) {
            let key: FeatureKey = match feature {
                Feature::Face(face) => (face.0, None),
                Feature::Edge { ends: [v, w], .. } => (v.0, Some(w.0)),
                Feature::Vertex(v) => (v.0, Some(v.0)),
                _ => continue,
            };
            let is_known = self.features.contains_key(&(body, key));
            if (is_known || self.features.len() < MOST_MARKED) && self.count < MOST_MARKS {
                self.count += 1;
                let frames = self.features.entry((body, key)).or_default();
                if frames.last() != Some(&self.frame) {
                    frames.push(self.frame);
                }
            }
        }
    }

    /// Adds the layers to a scene of so many frames. `name` is that of a body, `body` its mesh and node; `size` is half the
    /// length of a vertex's cross.
    pub(crate) fn draw<'a>(
        &self,
        glb: &mut GlbScene,
        frames: usize,
        name: impl Fn(u32) -> String,
        body: impl Fn(u32) -> Option<(&'a PolygonMesh, NodeId)>,
        size: f64,
    ) -> Result<(), GlbError> {
        let mut made: BTreeMap<Aid, (ShapeId, MaterialId)> = BTreeMap::new();
        for (&(aid, [a, b]), found) in &self.marks {
            let (shape, look) = match made.get(&aid) {
                Some(&known) => known,
                None => {
                    let new = (glb.lines(&aid.lines())?, glb.material(&aid.material()));
                    *made.entry(aid).or_insert(new)
                }
            };
            let name = if a == b { name(a) } else { format!("{} – {}", name(a), name(b)) };
            let marks: Vec<Mark> = held(found, frames).collect();
            let Some(first) = marks.first() else { continue };
            let node = Node::new(&name).at(first.at.0, first.at.1).scale(first.size);
            let node = glb.node(node.shape(shape, look));
            if frames > 1 {
                let path: Vec<Placing> = marks.iter().map(|mark| mark.at).collect();
                glb.animate(node, &path, FRAMES_PER_SECOND, 1e-2 * size);
                let mut sizes = vec![[0.0; 3]; frames];
                found.iter().for_each(|(frame, mark)| sizes[*frame as usize] = mark.size);
                glb.animate_scale(node, sizes, FRAMES_PER_SECOND);
            }
        }
        let look = glb.material(&Aid::Features.material());
        for ((number, key), shown_in) in &self.features {
            let Some((mesh, node)) = body(*number) else { continue };
            let lines = outline(mesh, *key, size);
            if lines.is_empty() {
                continue;
            }
            let shape = glb.lines(&lines)?;
            let node = glb.node(Node::new("feature").shape(shape, look).below(node));
            let mut shown = vec![false; frames];
            shown_in.iter().for_each(|&frame| shown[frame as usize] = true);
            glb.show_when(node, shown, FRAMES_PER_SECOND);
        }
        Ok(())
    }
}

const STRAIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// The lines of a feature in its mesh; those of a vertex are a cross.
fn outline(mesh: &PolygonMesh, key: FeatureKey, size: f64) -> Vec<[[f64; 3]; 2]> {
    let position = |vertex: u32| mesh.positions().get(vertex as usize).copied();
    match key {
        (face, None) if (face as usize) < mesh.face_count() => {
            let corners = mesh.face(FaceId(face)).outer();
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(&v, &w)| [mesh.position(v), mesh.position(w)]).collect()
        }
        (v, Some(w)) => match (position(v), position(w)) {
            (Some(at), Some(_)) if v == w => {
                let cross = Aid::Features.lines();
                cross.into_iter().map(|ends| ends.map(|end| add(at, scale(end, size)))).collect()
            }
            (Some(from), Some(to)) => vec![[from, to]],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The quaternion of a rotation that takes the x axis to this direction.
fn turn_to(direction: [f64; 3]) -> [f64; 4] {
    let size = length(direction);
    if size == 0.0 || !size.is_finite() {
        return STRAIGHT;
    }
    let to = scale(direction, 1.0 / size);
    // Half the angle: between the axis and the middle of axis and direction.
    if to[0] < -1.0 + 1e-12 {
        return [0.0, 0.0, 1.0, 0.0];
    }
    let [x, y, z] = cross([1.0, 0.0, 0.0], to);
    let w = 1.0 + to[0];
    let norm = (x * x + y * y + z * z + w * w).sqrt();
    [x / norm, y / norm, z / norm, w / norm]
}

/// A mark for each frame: the last one, before the first the first.
fn held(found: &[(u32, Mark)], frames: usize) -> impl Iterator<Item = Mark> {
    let mut rest = found.iter().peekable();
    let mut last = found.first().map(|&(_, mark)| mark);
    (0..frames as u32).filter_map(move |frame| {
        while let Some(&(_, mark)) = rest.next_if(|(known, _)| *known <= frame) {
            last = Some(mark);
        }
        last
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_held_until_the_next() {
        let mark = |x: f64| Mark { at: ([x, 0.0, 0.0], STRAIGHT), size: [1.0; 3] };
        let found = [(1, mark(1.0)), (3, mark(2.0))];
        let path: Vec<f64> = held(&found, 5).map(|mark| mark.at.0[0]).collect();
        assert_eq!(path, [1.0, 1.0, 1.0, 2.0, 2.0]);
    }

    #[test]
    fn turns_take_the_x_axis_to_the_direction() {
        for direction in [[2.0, 0.0, 0.0], [-3.0, 0.0, 0.0], [0.0, 0.5, 0.0], [1.0, -2.0, 3.0]] {
            let [x, y, z, w] = turn_to(direction);
            // The first column of the rotation's matrix.
            let turned =
                [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)];
            let away = sub(turned, scale(direction, 1.0 / length(direction)));
            assert!(length(away) < 1e-12, "{direction:?}: {turned:?}");
        }
    }

    #[test]
    fn only_what_is_wanted_and_finite_is_kept() {
        let mut aids = VisualAids::new(&[Aid::Nearest]);
        aids.add_contacts(&[PairContact::at([0, 1], [0.0; 3])], 1.0);
        aids.add_nearest([0, 1], [[0.0; 3], [f64::INFINITY; 3]], None);
        assert!(aids.marks.is_empty());
        aids.add_nearest([0, 1], [[0.0; 3], [1.0; 3]], Some([FaceId(0); 2]));
        assert_eq!((aids.marks.len(), aids.features.len()), (1, 0));
    }

    #[test]
    fn the_first_300_pairs_have_marks_in_a_layer() {
        let mut aids = VisualAids::new(&Aid::ALL);
        let contacts: Vec<PairContact> =
            (1..=301).map(|body| PairContact::at([0, body], [0.0; 3])).collect();
        aids.add_contacts(&contacts, 1.0);
        // Pairs that have marks get more of them, and other layers have room.
        aids.set_frame(1);
        aids.add_contacts(&contacts, 1.0);
        aids.add_nearest([0, 301], [[0.0; 3], [1.0; 3]], None);
        let of = |aid: Aid, body: u32| aids.marks.get(&(aid, [0, body])).map(Vec::len);
        assert!((1..=300).all(|body| of(Aid::Contacts, body) == Some(2)));
        assert_eq!((of(Aid::Contacts, 301), of(Aid::Nearest, 301)), (None, Some(1)));
    }
}
