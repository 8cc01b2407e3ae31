//! Converts the links of a robot to objects of a scene.

use super::parts::Parts;
use crate::{
    Ending, Import, JointMotion, MeshSource, Motion, Object, Placement, Recording, Robot, Start,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Links<'a> {
    pub(super) parts: &'a Parts,
    pub(super) import: &'a Import,
    pub(super) robot: &'a Robot,
    pub(super) values: &'a [Vec<f64>],
}

impl Links<'_> {
    /// One object for each collision geometry, in the order of the file.
    pub(super) fn objects(&self) -> Vec<Object> {
        let mut objects = Vec::new();
        for (link, solids) in self.parts.solids.iter().enumerate() {
            for number in 0..solids.len() {
                objects.push(self.object(link, number));
            }
        }
        objects
    }

    /// The object name of a link's geometry; that of the first geometry is also the link's group.
    pub(super) fn name(&self, link: usize, number: usize) -> String {
        let mut name = self.parts.tree.links[link].clone();
        if !self.import.name.is_empty() {
            name = format!("{}/{name}", self.import.name);
        }
        if number > 0 { format!("{name}#{}", number + 1) } else { name }
    }

    fn object(&self, link: usize, number: usize) -> Object {
        let solid = &self.parts.solids[link][number];
        let mut object = Object::new(&self.name(link, number), "");
        match solid.formula {
            Some(formula) => object.mesh = MeshSource::Shape(formula.to_string()),
            None => {
                object.mesh = MeshSource::from(solid.mesh.as_str());
                object.stretch = solid.stretch;
            }
        }
        object.color = solid.color;
        object.group = self.name(link, 0);
        if number > 0 {
            // Rigidly attached to the first geometry.
            object.parent = Some(self.name(link, 0));
            let at = self.parts.solids[link][0].origin.inverse().after(&solid.origin);
            object.start = Start::At(vec![at]);
            object.is_static = !self.parts.tree.moves(link, None);
            return object;
        }
        let carrier = self.parts.carrier(link);
        let moves = self.parts.tree.moves(link, carrier);
        object.parent = carrier.map(|carrier| self.name(carrier, 0));
        object.jointed = moves && carrier.is_some();
        object.is_static = !self.parts.tree.moves(link, None);
        let outer = match carrier {
            Some(carrier) => self.parts.solids[carrier][0].origin.inverse(),
            None => self.import.pose,
        };
        let place = |values: &Vec<f64>| -> Placement {
            outer.after(&self.parts.tree.placement(link, carrier, values)).after(&solid.origin)
        };
        if moves {
            let poses = Recording::Listed(self.values.iter().map(place).collect());
            let ending = match self.robot.joints {
                JointMotion::File { ending, .. } => ending,
                JointMotion::Random { .. } => Ending::Repeat,
            };
            object.motion = Motion::Recorded { poses, ending };
        } else {
            object.start = Start::At(self.values.iter().take(1).map(place).collect());
        }
        object
    }
}
