//! Bodies in motion as a GLB file, for reports and for any viewer.
//!
//! Bodies are red in exactly the frames in which they collide.

use xcollide::bounds::{Aabb, Wireframe};
use xcollide::brep::PolygonMesh;
use xcollide_io::glb::{GlbError, GlbScene, Material, MaterialId, Node, NodeId, ShapeId};

use crate::report::{Section, View};

pub(crate) const FRAMES_PER_SECOND: f64 = 30.0;
/// The largest error of a shown position, relative to the body's radius.
pub(crate) const TOLERANCE: f64 = 1e-3;
const SIGNAL: [f64; 3] = [1.0, 0.06, 0.03];
/// Colours of bodies without their own, in turn.
pub(crate) const COLORS: [[f64; 3]; 6] = [
    [0.36, 0.56, 0.78],
    [0.80, 0.70, 0.42],
    [0.45, 0.68, 0.50],
    [0.62, 0.52, 0.75],
    [0.42, 0.68, 0.72],
    [0.72, 0.58, 0.50],
];

/// A translation and a unit quaternion (x, y, z, w).
pub(crate) type Placing = ([f64; 3], [f64; 4]);

/// A body of a [`MovingScene`].
pub(crate) struct MovingBody<'a> {
    pub(crate) name: &'a str,
    pub(crate) shape: ShapeId,
    /// Its material, [opaque and transparent](MovingScene::look).
    pub(crate) look: [MaterialId; 2],
    /// Whether others are inside it, so that it must be transparent.
    pub(crate) is_clear: bool,
    /// The node that it is part of, if any.
    pub(crate) parent: Option<NodeId>,
    /// Where it is: in each frame, or once if it stands; nothing if it is where its vertices are.
    pub(crate) path: &'a [Placing],
    /// The frames in which it collides, ascending.
    pub(crate) marked: &'a [u32],
    /// Its size.
    pub(crate) radius: f64,
}

/// Builds the file, body by body.
pub(crate) struct MovingScene {
    pub(crate) glb: GlbScene,
    frames: usize,
    signals: [MaterialId; 2],
}

impl MovingScene {
    /// An empty scene of so many frames.
    pub(crate) fn new(frames: usize) -> Self {
        let mut glb = GlbScene::new();
        let signal = Material::new("collides", SIGNAL).glow(0.55);
        let clear = Material::new("collides, clear", SIGNAL).glow(0.3).opacity(0.3);
        let signals = [signal, clear].map(|material| glb.material(&material));
        Self { glb, frames, signals }
    }

    /// The materials of bodies of a colour: opaque and transparent.
    pub(crate) fn look(&mut self, name: &str, color: [f64; 3]) -> [MaterialId; 2] {
        let faded = color.map(|part| 0.6 * part + 0.4 * 0.7);
        let solid = Material::new(name, faded);
        let clear = Material::new(&format!("{name}, clear"), faded).opacity(0.16);
        [solid, clear].map(|material| self.glb.material(&material))
    }

    /// Adds a body.
    pub(crate) fn body(&mut self, body: &MovingBody<'_>) -> NodeId {
        let MovingBody { name, shape, look, is_clear, parent, path, marked, radius } = *body;
        let clear = usize::from(is_clear);
        let (plain, signal) = (look[clear], self.signals[clear]);
        // Viewers without animation show the end.
        let at = path
            .last()
            .map_or_else(|| Node::new(name), |&(at, turned)| Node::new(name).at(at, turned));
        let at = parent.into_iter().fold(at, Node::below);
        let node = match marked.len() {
            0 => self.glb.node(at.shape(shape, plain)),
            all if all == self.frames => self.glb.node(at.shape(shape, signal)),
            _ => {
                let node = self.glb.node(at);
                self.mark(node, shape, [plain, signal], marked);
                node
            }
        };
        if path.len() > 1 {
            self.glb.animate(node, path, FRAMES_PER_SECOND, TOLERANCE * radius);
        }
        node
    }

    /// Adds a body of this mesh.
    pub(crate) fn body_of_mesh<'a>(
        &mut self,
        mesh: &PolygonMesh,
        body: impl FnOnce(ShapeId) -> MovingBody<'a>,
    ) -> Result<NodeId, GlbError> {
        let shape = self.glb.mesh(mesh)?;
        Ok(self.body(&body(shape)))
    }

    /// Adds two nodes at one place. One is visible at a time.
    fn mark(&mut self, body: NodeId, shape: ShapeId, looks: [MaterialId; 2], marked: &[u32]) {
        let mut collides = vec![false; self.frames];
        for &frame in marked {
            collides[frame as usize] = true;
        }
        for (name, look, when) in [("apart", looks[0], false), ("collides", looks[1], true)] {
            let node = self.glb.node(Node::new(name).shape(shape, look).below(body));
            let shown = collides.iter().map(|&collides| collides == when);
            self.glb.show_when(node, shown, FRAMES_PER_SECOND);
        }
    }

    /// Adds a box of lines that stands.
    pub(crate) fn cage(&mut self, [min, max]: [[f64; 3]; 2]) -> Result<(), GlbError> {
        let lines = self.glb.lines(&Aabb::new(min, max).wireframe())?;
        let gray = self.glb.material(&Material::new("cage", [0.45, 0.45, 0.5]).glow(1.0));
        self.glb.node(Node::new("cage").shape(lines, gray));
        Ok(())
    }

    pub(crate) fn into_bytes(self) -> Result<Vec<u8>, GlbError> {
        self.glb.to_bytes()
    }
}

/// A report's section with the view of a GLB file, or why there is none.
pub(crate) fn view_section(glb: Result<Vec<u8>, String>, instants: u64, unit: &str) -> Section {
    let section = Section::new(if instants > 1 { "The scene in motion" } else { "The scene" });
    let view = glb.and_then(|glb| {
        let too_large = || "its file would be too large for a page; --export writes it".to_owned();
        View::new(glb, instants, FRAMES_PER_SECOND, unit).ok_or_else(too_large)
    });
    match view {
        Ok(view) => section
            .prose(
                "What collides is red, and blue crosses are contact points. Drag to turn, with the right button or shift \
                 to move, scroll to zoom; a click tells a body's name.",
            )
            .view(view),
        Err(why) => section.prose(&format!("There is no view: {why}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Page;

    #[test]
    fn a_file_that_is_too_large_has_no_view_and_the_page_says_why() {
        let most = 256 << 20;
        assert!(View::new(vec![0; most], 1, FRAMES_PER_SECOND, "frame").is_some());
        for (glb, why) in [
            (Ok(vec![0; most + 1]), "its file would be too large for a page"),
            (Err("too many poses".to_owned()), "too many poses"),
        ] {
            let html = Page::new("a").section(view_section(glb, 1, "frame")).to_html();
            assert!(html.contains(&format!("There is no view: {why}")), "{why}");
            assert!(!html.contains("<div class=\"view\""), "{why}");
        }
    }
}
