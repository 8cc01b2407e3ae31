//! A cloth and the bodies around it on their way over a frame, and which vertices and faces, edges and edges of them come
//! together.

use std::ops::ControlFlow;

use xcollide::math::Pose;
use xcollide::narrow::Model;
use xcollide::narrow::continuous::{MovingMesh, PrimitivePairs, Primitives};
use xcollide::predicates::moving::{
    MotionContact, MovingPoint, edge_edge_contact, vertex_face_contact,
};

/// A vertex and the corners of a face, or the ends of two edges, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    VertexFace([u32; 4]),
    EdgeEdge([u32; 4]),
}

impl Meeting {
    pub(super) fn points(self) -> [u32; 4] {
        match self {
            Self::VertexFace(points) | Self::EdgeEdge(points) => points,
        }
    }
}

pub(super) struct Surroundings {
    /// The vertices of the cloth, then those of the bodies.
    pub(super) points: Vec<MovingPoint>,
    pub(super) bodies: Vec<Body>,
}

/// A body beside the cloth.
pub(super) struct Body {
    pub(super) instance: usize,
    /// The number of its first point.
    pub(super) first: usize,
    model: Model,
    /// Its poses at the start and at the end of the frame.
    poses: [Pose; 2],
}

impl Body {
    /// The poses, if it moves.
    pub(super) fn way(&self) -> Option<[Pose; 2]> {
        let [from, to] = self.poses;
        (from != to).then_some(self.poses)
    }
}

/// The meshes of a cloth and of the bodies around it in one frame. It keeps a handle of the cloth's model, which is changed in
/// place only after it is gone.
pub(super) struct MovingMeshes {
    cloth: MovingMesh,
    bodies: Vec<MovingMesh>,
}

impl Surroundings {
    /// A cloth with this number of vertices, and the bodies around it: the number of the instance and its model.
    pub(super) fn new(vertices: usize, models: impl Iterator<Item = (usize, Model)>) -> Self {
        let mut first = vertices;
        let bodies = models.map(|(instance, model)| {
            let body = Body { instance, first, model, poses: [Pose::IDENTITY; 2] };
            first += body.model.mesh().vertex_count();
            body
        });
        let bodies = bodies.collect();
        Self { points: vec![MovingPoint::resting([0.0; 3]); first], bodies }
    }

    /// Begins a frame: the bodies go from their poses to others.
    pub(super) fn move_bodies(&mut self, [from, to]: [&[Pose]; 2]) {
        for body in &mut self.bodies {
            let [from, to] = [from[body.instance], to[body.instance]];
            body.poses = [from, to];
            let vertices = body.model.mesh().positions();
            for (point, &vertex) in self.points[body.first..].iter_mut().zip(vertices) {
                *point = MovingPoint::new(from.apply(vertex), to.apply(vertex));
            }
        }
    }

    /// The meshes of a frame that has begun; `cloth` is the model at its start, in world coordinates.
    pub(super) fn moving_meshes(&self, cloth: &Model) -> Result<MovingMeshes, String> {
        let error = |error: &dyn std::fmt::Display| error.to_string();
        let between = |body: &Body| {
            let [from, to] = &body.poses;
            MovingMesh::between(&body.model, from, to).map_err(|found| error(&found))
        };
        let bodies = self.bodies.iter().map(between).collect::<Result<_, String>>()?;
        let ends = self.ends(cloth);
        let cloth = MovingMesh::deforming(cloth, &Pose::IDENTITY, &ends);
        Ok(MovingMeshes { cloth: cloth.map_err(|found| error(&found))?, bodies })
    }

    /// Where the vertices of the cloth go.
    fn ends(&self, cloth: &Model) -> Vec<[f64; 3]> {
        self.points[..cloth.mesh().vertex_count()].iter().map(|point| point.end).collect()
    }

    /// Calls `found` with all pairs of a vertex and a face, and of two edges, that may come within a distance of each other;
    /// not those with a common vertex, nor of bodies alone. The order is always the same.
    pub(super) fn meetings(
        &self,
        meshes: &mut MovingMeshes,
        distance: f64,
        mut found: impl FnMut(Meeting),
    ) -> Result<(), String> {
        let MovingMeshes { cloth: moving, bodies } = meshes;
        let ends = self.ends(moving.model());
        moving.set_end(&ends).map_err(|error| error.to_string())?;
        let moving = &*moving;
        let cloth = moving.model();
        let corners = |model: &Model, first: usize, number: u32| {
            model.triangulation().triangles()[number as usize].map(|v| v.0 + first as u32)
        };
        let of_cloth = |number| corners(cloth, 0, number);
        let mut show = |pairs: PrimitivePairs<'_>, body: Option<&Body>| {
            let first = body.map_or(0, |body| body.first);
            let of_other = |number| match body {
                Some(body) => corners(&body.model, first, number),
                None => of_cloth(number),
            };
            let shown = pairs.candidates(distance, |primitives| {
                found(match primitives {
                    Primitives::VertexFace(vertex, number) => {
                        let [a, b, c] = of_other(number);
                        Meeting::VertexFace([vertex.0, a, b, c])
                    }
                    Primitives::FaceVertex(number, vertex) => {
                        let [a, b, c] = of_cloth(number);
                        Meeting::VertexFace([vertex.0 + first as u32, a, b, c])
                    }
                    Primitives::EdgeEdge([a, b], other) => {
                        let [c, d] = other.map(|vertex| vertex.0 + first as u32);
                        Meeting::EdgeEdge([a.0, b.0, c, d])
                    }
                });
                ControlFlow::Continue(())
            });
            shown.map(drop).ok_or("expected models of fewer triangles")
        };
        show(PrimitivePairs::within(moving), None)?;
        for (body, around) in self.bodies.iter().zip(bodies) {
            show(PrimitivePairs::between(moving, around), Some(body))?;
        }
        Ok(())
    }

    /// All contacts on the way, exactly; with `active` only those of at least one such point.
    pub(super) fn contacts(
        &self,
        meshes: &mut MovingMeshes,
        active: Option<&[bool]>,
    ) -> Result<Vec<(Meeting, MotionContact)>, String> {
        /// Of the interval of time: how far vertices stop before a contact needs no more.
        const WIDTH: f64 = 1e-3;
        let mut contacts = Vec::new();
        self.meetings(meshes, 0.0, |meeting| {
            let is_active = |point: u32| active.is_none_or(|active| active[point as usize]);
            if !meeting.points().into_iter().any(is_active) {
                return;
            }
            let [p, a, b, c] = meeting.points().map(|point| self.points[point as usize]);
            let contact = match meeting {
                Meeting::VertexFace(_) => vertex_face_contact(&p, &[a, b, c], WIDTH),
                Meeting::EdgeEdge(_) => edge_edge_contact(&[p, a], &[b, c], WIDTH),
            };
            contacts.extend(contact.map(|contact| (meeting, contact)));
        })?;
        Ok(contacts)
    }
}
