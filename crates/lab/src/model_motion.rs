//! Named bodies of models that are placed instant by instant, as an exported scene: the two of a check, those of a robot.

use xcollide::brep::PolygonMesh;
use xcollide::narrow::{Model, Placed, Pose};
use xcollide_io::glb::{GlbError, Node, NodeId};

use crate::drawing::drawing;
use crate::meetings::PairContact;
use crate::moving_scene::{COLORS, MovingBody, MovingScene, Placing};
use crate::run::MOST_POSES;
use crate::visual_aids::{Aid, VisualAids};

/// The motion so far; instants are frames of the scene.
pub(crate) struct ModelMotion {
    bodies: Vec<Body>,
    /// Of all bodies, one after the other.
    parts: Vec<Part>,
    instants: usize,
    aids: VisualAids,
}

struct Body {
    name: String,
    number: u32,
    parts: std::ops::Range<usize>,
    /// The instants at which it collides.
    marked: Vec<u32>,
}

struct Part {
    model: Model,
    path: Vec<Placing>,
    radius: f64,
}

impl ModelMotion {
    /// A motion without bodies.
    pub(crate) fn new(aids: &[Aid]) -> Self {
        let (bodies, parts) = (Vec::new(), Vec::new());
        Self { bodies, parts, instants: 0, aids: VisualAids::new(aids) }
    }

    /// Adds a body with its models. `number` is that of contacts.
    pub(crate) fn body(
        &mut self,
        name: &str,
        number: u32,
        models: impl IntoIterator<Item = Model>,
    ) {
        let first = self.parts.len();
        self.parts.extend(models.into_iter().map(|model| {
            let model = drawing(&model);
            let squared = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>();
            let radius = model.mesh().positions().iter().map(squared).fold(0.0, f64::max).sqrt();
            Part { model, path: Vec::new(), radius }
        }));
        let (name, parts) = (name.to_owned(), first..self.parts.len());
        self.bodies.push(Body { name, number, parts, marked: Vec::new() });
    }

    /// Adds an instant: the poses of all models in the order of the bodies, and what collides. Says whether there is room.
    pub(crate) fn add<'a>(
        &mut self,
        poses: impl IntoIterator<Item = &'a Pose>,
        contacts: &[PairContact],
    ) -> bool {
        if (self.instants + 1).saturating_mul(self.parts.len()) > MOST_POSES {
            return false;
        }
        for (part, pose) in self.parts.iter_mut().zip(poses) {
            part.path.push((pose.translation(), pose.to_quaternion()));
        }
        let instant = self.instants as u32;
        for body in &mut self.bodies {
            if contacts.iter().any(|contact| contact.pair.contains(&body.number)) {
                body.marked.push(instant);
            }
        }
        self.aids.set_frame(self.instants);
        self.aids.add_contacts(contacts, self.mark_size());
        self.instants += 1;
        true
    }

    /// The visual aids of the last instant.
    pub(crate) fn aids(&mut self) -> &mut VisualAids {
        &mut self.aids
    }

    pub(crate) fn instants(&self) -> usize {
        self.instants
    }

    /// A third of the smallest radius.
    fn mark_size(&self) -> f64 {
        let radii = self.parts.iter().map(|part| part.radius).filter(|radius| *radius > 0.0);
        let least = radii.fold(f64::INFINITY, f64::min);
        if least.is_finite() { least / 3.0 } else { 1.0 }
    }

    /// The GLB file.
    pub(crate) fn glb(&self) -> Result<Vec<u8>, GlbError> {
        let mut scene = MovingScene::new(self.instants);
        let around = self.around();
        let mut nodes: Vec<(u32, &PolygonMesh, NodeId)> = Vec::new();
        for (place, body) in self.bodies.iter().enumerate() {
            let look = scene.look(&body.name, COLORS[place % COLORS.len()]);
            let is_single = body.parts.len() == 1;
            let parent = (!is_single).then(|| scene.glb.node(Node::new(&body.name)));
            for part in &self.parts[body.parts.clone()] {
                let stands = part.path.windows(2).all(|two| two[0] == two[1]);
                let end = if stands { part.path.len().min(1) } else { part.path.len() };
                let node = scene.body_of_mesh(part.model.mesh(), |shape| MovingBody {
                    name: if is_single { &body.name } else { "shape" },
                    shape,
                    look,
                    is_clear: around[place],
                    parent,
                    path: &part.path[..end],
                    marked: &body.marked,
                    radius: part.radius,
                })?;
                if is_single {
                    nodes.push((body.number, part.model.mesh(), node));
                }
            }
        }
        let name = |number: u32| {
            let body = self.bodies.iter().find(|body| body.number == number);
            body.map_or_else(String::new, |body| body.name.clone())
        };
        let body = |number: u32| {
            let found = nodes.iter().find(|(other, ..)| *other == number);
            found.map(|&(_, mesh, node)| (mesh, node))
        };
        self.aids.draw(&mut scene.glb, self.instants, name, body, self.mark_size())?;
        scene.into_bytes()
    }

    /// Which bodies have the box of another in theirs, at the first instant.
    fn around(&self) -> Vec<bool> {
        let bounds = |body: &Body| {
            let parts = self.parts[body.parts.clone()].iter();
            let boxes = parts.filter_map(|part| {
                let &(at, turned) = part.path.first()?;
                let pose = Pose::from_quaternion(turned, at).ok()?;
                Some(Placed::new(&part.model, &pose).ok()?.world_box())
            });
            boxes.reduce(|all, one| all.merged(&one))
        };
        let boxes: Vec<_> = self.bodies.iter().map(bounds).collect();
        let holds = |outer: usize, inner: usize| match (&boxes[outer], &boxes[inner]) {
            (Some(outer), Some(inner)) => {
                (0..3).all(|k| outer.min[k] < inner.min[k] && inner.max[k] < outer.max[k])
            }
            _ => false,
        };
        let all = 0..boxes.len();
        all.clone().map(|outer| all.clone().any(|inner| holds(outer, inner))).collect()
    }
}
