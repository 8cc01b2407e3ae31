//! Converts the links of a robot to objects of a scene.

use std::collections::BTreeMap;

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
        // By root of a rigid piece that moves: the first link that is on no other of the piece.
        let mut first: BTreeMap<usize, usize> = BTreeMap::new();
        for (link, solids) in self.parts.solids.iter().enumerate() {
            let root = self.parts.tree.rigid_root(link);
            let carrier = self.parts.carrier(link);
            let is_first = !solids.is_empty()
                && self.parts.tree.moves(link, None)
                && carrier.is_none_or(|carrier| self.parts.tree.rigid_root(carrier) != root);
            let beside = is_first.then(|| *first.entry(root).or_insert(link));
            for number in 0..solids.len() {
                objects.push(match beside {
                    Some(other) if other != link && number == 0 => self.beside(other, link),
                    _ => self.object(link, number),
                });
            }
        }
        objects
    }

    /// The first geometry of a link that never moves relative to another one, attached to that one: a link without
    /// geometry carries both.
    fn beside(&self, other: usize, link: usize) -> Object {
        let Parts { tree, solids, .. } = self.parts;
        let root = Some(tree.rigid_root(link));
        // Between them no joint moves, so the values of any frame are right.
        let relative = |values: &Vec<f64>| {
            let place =
                |link: usize| tree.placement(link, root, values).after(&solids[link][0].origin);
            place(other).inverse().after(&place(link))
        };
        let mut object = self.geometry(link, 0);
        object.parent = Some(self.name(other, 0));
        object.start = Start::At(self.values.iter().take(1).map(relative).collect());
        object
    }

    /// The object name of a link's geometry; that of the first geometry is also the link's group.
    pub(super) fn name(&self, link: usize, number: usize) -> String {
        let mut name = self.parts.tree.links[link].clone();
        if !self.import.name.is_empty() {
            name = format!("{}/{name}", self.import.name);
        }
        if number > 0 { format!("{name}#{}", number + 1) } else { name }
    }

    /// A geometry, wherever it is.
    fn geometry(&self, link: usize, number: usize) -> Object {
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
        object.is_static = !self.parts.tree.moves(link, None);
        object
    }

    fn object(&self, link: usize, number: usize) -> Object {
        let solid = &self.parts.solids[link][number];
        let mut object = self.geometry(link, number);
        if number > 0 {
            // Rigidly attached to the first geometry.
            object.parent = Some(self.name(link, 0));
            let at = self.parts.solids[link][0].origin.inverse().after(&solid.origin);
            object.start = Start::At(vec![at]);
            return object;
        }
        let carrier = self.parts.carrier(link);
        let moves = self.parts.tree.moves(link, carrier);
        object.parent = carrier.map(|carrier| self.name(carrier, 0));
        object.jointed = moves && carrier.is_some();
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
