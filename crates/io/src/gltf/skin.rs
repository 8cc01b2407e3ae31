//! Skins at rest: each vertex is moved by the weighted sum of its joints' matrices (glTF 2.0, 3.7.3.3).

use ::gltf::json::accessor::{Accessor, Type};
use ::gltf::json::mesh::{Primitive, Semantic};
use ::gltf::json::validation::Checked;
use ::gltf::json::{Index, Root};

use super::elements::{Source, get};
use super::scene::Visited;
use super::transform::Transform;
use crate::error::{Position, Problem, ReadError};

/// The matrices of a skin's joints: from the mesh to the scene, in the pose of the nodes.
#[derive(Debug)]
pub(super) struct Skin {
    joints: Vec<Transform>,
    /// Whether it reverses orientation. Joints do so together, or tear the mesh.
    pub(super) mirrors: bool,
}

/// For each vertex, four joints and their weights.
pub(super) type Influences = Vec<(Vec<[f64; 4]>, Vec<[f64; 4]>)>;

impl Skin {
    pub(super) fn read(
        source: &mut Source<'_>,
        index: usize,
        frames: &mut NodeFrames,
    ) -> Result<Self, ReadError> {
        let root = source.root;
        let skin = get("skin", &root.skins, index).map_err(|p| p.at(Position::File))?;
        let wrong = |problem: Problem| problem.at(Position::element("skin", index));
        source.spend(skin.joints.len() as u64).map_err(wrong)?;
        let inverses = match skin.inverse_bind_matrices {
            Some(matrices) => {
                source.vectors::<16>(matrices, Type::Mat4, "inverse bind matrices")?
            }
            None => Vec::new(),
        };
        let mut joints = Vec::with_capacity(skin.joints.len());
        for (number, joint) in skin.joints.iter().enumerate() {
            let to_scene = frames.of(root, joint.value()).map_err(wrong)?;
            joints.push(match inverses.get(number) {
                None if skin.inverse_bind_matrices.is_none() => to_scene,
                None => {
                    let found = format!("{} inverse bind matrices", inverses.len());
                    let expected = format!("one for each of {} joints", skin.joints.len());
                    return Err(wrong(Problem::unexpected(found, expected)));
                }
                Some(columns) => {
                    to_scene.after(&Transform::of_rounded_matrix(columns).map_err(wrong)?)
                }
            });
        }
        let mirrors = joints.first().is_some_and(|joint| joint.mirrors);
        Ok(Self { joints, mirrors })
    }

    /// Moves the vertices of a primitive to the scene.
    pub(super) fn apply(
        &self,
        positions: &mut [[f64; 3]],
        influences: &Influences,
    ) -> Result<(), Problem> {
        for (vertex, position) in positions.iter_mut().enumerate() {
            let (mut moved, mut total) = ([0.0; 3], 0.0);
            for (joints, weights) in influences {
                let pairs = joints.get(vertex).zip(weights.get(vertex));
                let Some((joints, weights)) = pairs else {
                    let found = format!("no joints of vertex {vertex}");
                    return Err(Problem::unexpected(found, "joints and weights of every vertex"));
                };
                for (&joint, &weight) in joints.iter().zip(weights) {
                    if weight == 0.0 {
                        continue;
                    }
                    let to_scene = get("joint", &self.joints, joint as usize)?;
                    let place = to_scene.apply(*position);
                    moved = [0, 1, 2].map(|k| moved[k] + weight * place[k]);
                    total += weight;
                }
            }
            // Weights should add up to 1; their rounding would move distant vertices.
            *position = match self.joints.first() {
                _ if total != 0.0 => moved.map(|value| value / total),
                Some(root) => root.apply(*position),
                None => *position,
            };
        }
        Ok(())
    }
}

/// The accessors of joints and weights of a primitive, four a vertex each.
pub(super) fn influence_accessors(
    primitive: &Primitive,
) -> impl Iterator<Item = [Index<Accessor>; 2]> {
    let of = |semantic| primitive.attributes.get(&Checked::Valid(semantic)).copied();
    (0..).map_while(move |set| Some([of(Semantic::Joints(set))?, of(Semantic::Weights(set))?]))
}

/// The transforms of nodes to the scene, computed when needed.
#[derive(Debug)]
pub(super) struct NodeFrames {
    parents: Vec<Option<usize>>,
    known: Vec<Option<Transform>>,
}

impl NodeFrames {
    /// `visited`: the nodes of the scene, whose parents are those on the way to them.
    pub(super) fn new(root: &Root, visited: &[Visited]) -> Self {
        let mut parents = vec![None; root.nodes.len()];
        for (parent, node) in root.nodes.iter().enumerate() {
            for child in node.children.iter().flatten() {
                if let Some(above) = parents.get_mut(child.value()) {
                    *above = Some(parent);
                }
            }
        }
        for Visited { node, above } in visited {
            parents[*node] = above.map(|above| visited[above].node);
        }
        Self { known: vec![None; parents.len()], parents }
    }

    /// The transform of a node. Each is computed once.
    pub(super) fn of(&mut self, root: &Root, node: usize) -> Result<Transform, Problem> {
        get("node", &root.nodes, node)?;
        let mut path = Vec::new();
        let mut above = Some(node);
        while let Some(here) = above
            && self.known[here].is_none()
        {
            if path.len() == self.parents.len() {
                return Err(Problem::unexpected("nodes in a circle", "a tree of nodes"));
            }
            path.push(here);
            above = self.parents[here];
        }
        let mut frame = above.and_then(|above| self.known[above]).unwrap_or(Transform::IDENTITY);
        for here in path.into_iter().rev() {
            frame = frame.after(&Transform::of(&root.nodes[here])?);
            self.known[here] = Some(frame);
        }
        Ok(frame)
    }
}
