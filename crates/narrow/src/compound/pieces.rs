//! The convex pieces of a model and a hierarchy of boxes over them.

use std::sync::Arc;

use xcollide_bounds::{Aabb, Obb};
use xcollide_brep::{MeshError, PolygonMesh};
use xcollide_bvh::binary::{Builder, Bvh};
use xcollide_convex::{Body, Polytope};

use super::concavity::{self, Concavity};
use super::decomposition::{self, DecompositionOptions};
use super::point_distance::PointDistance;
use crate::convex::prepare::polytope_of;
use crate::{Model, PreparedData};

/// A convex piece of a model, and its hull.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    model: Model,
    pub(crate) polytope: Arc<Polytope>,
}

impl Piece {
    pub(crate) fn new(
        hull: PolygonMesh,
        polytope: impl FnOnce(&Model) -> Arc<Polytope>,
    ) -> Result<Self, MeshError> {
        let model = Model::from_mesh(hull)?;
        Ok(Self { polytope: polytope(&model), model })
    }

    /// Bytes of the model and the polytope.
    fn bytes(&self) -> usize {
        let (brep, triangulation) = (self.model.brep(), self.model.triangulation());
        brep.mesh().heap_bytes()
            + brep.dcel().heap_bytes()
            + triangulation.heap_bytes()
            + self.polytope.bytes()
    }
}

/// Convex pieces that contain the surface of a model, in a hierarchy of boxes.
#[derive(Clone, Debug)]
pub struct Pieces {
    pieces: Vec<Piece>,
    tree: Option<Bvh<Obb>>,
    /// How far the surface may be outside the pieces, due to rounded cuts.
    cut_error: f64,
}

impl PreparedData for Pieces {
    /// Of the pieces and their hierarchy, without spare capacity.
    fn bytes(&self) -> usize {
        let pieces: usize = self.pieces.iter().map(Piece::bytes).sum();
        pieces + size_of_val(&*self.pieces) + self.tree.as_ref().map_or(0, Bvh::bytes)
    }
}

/// Why a union of pieces cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PiecesError {
    /// A piece has no volume.
    #[error("piece {piece} of a union has dimension {dimension}, expected a body")]
    Flat {
        /// Its index.
        piece: usize,
        /// The dimension of its hull.
        dimension: usize,
    },
    /// There are no pieces.
    #[error("a union of no pieces")]
    Empty,
    /// The pieces have too many elements for one mesh.
    #[error("the pieces do not fit into one mesh: {0}")]
    Mesh(#[from] MeshError),
}

/// The distance of a point of a cut from its edge in units of u · reach, at most: 11 along each axis, from
/// two differences, a quotient, a product and a sum.
const CUT: f64 = 32.0;

/// u = 2⁻⁵³, the relative error of one rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

impl Pieces {
    /// The pieces of a model: those it was [made of](Self::union) or [given](Self::keep), else those of a
    /// [decomposition](Self::decompose) with default options, made on the first call.
    #[must_use]
    pub fn of(model: &Model) -> Arc<Self> {
        let make = || Self::decompose(model, &DecompositionOptions::default()).keep(model);
        model.already_prepared().unwrap_or_else(make)
    }

    /// The exact union of the convex hulls of some models, which may touch and overlap. Its mesh consists
    /// of all their faces; by winding numbers a point is inside if it is inside one of them.
    ///
    /// # Errors
    /// No pieces, or one that has no volume.
    pub fn union(pieces: &[Model]) -> Result<Model, PiecesError> {
        let (mut whole, mut parts) = (PolygonMesh::new(), Vec::with_capacity(pieces.len()));
        for (number, piece) in pieces.iter().enumerate() {
            let polytope = polytope_of(piece);
            let dimension = polytope.dimension();
            if dimension < 3 {
                return Err(PiecesError::Flat { piece: number, dimension });
            }
            let facets = polytope.facets().map(<[u32]>::to_vec);
            let hull = PolygonMesh::from_polygons(polytope.positions().to_vec(), facets)?;
            let offset = whole.vertex_count() as u32;
            for &position in hull.positions() {
                whole.push_vertex(position)?;
            }
            for face in hull.faces() {
                let corners: Vec<u32> = face.outer().iter().map(|v| v.0 + offset).collect();
                whole.push_face(&corners)?;
            }
            parts.push(Piece::new(hull, polytope_of)?);
        }
        if parts.is_empty() {
            return Err(PiecesError::Empty);
        }
        let model = Model::from_mesh(whole)?;
        let _ = Self::new(parts, 0.0).keep(&model);
        Ok(model)
    }

    /// Cuts any model into parts by planes until their hulls are close to it; see
    /// [`DecompositionOptions`]. Each piece is the hull of a part of the surface, so the pieces contain all
    /// of it. A convex model is its only piece.
    ///
    /// Deterministic on all platforms. Takes some milliseconds a piece: for the 32 pieces of the default
    /// options a third of a second for 20 000 triangles, less than two for 100 000. Also
    /// [prepares](crate::NarrowPhase::prepare) the model for [`mesh::Wide`](crate::mesh::Wide).
    #[must_use]
    pub fn decompose(model: &Model, options: &DecompositionOptions) -> Self {
        decomposition::decompose(model, options)
    }

    /// Keeps these as the pieces of a model, if it has none yet; returns those that it has. Pieces that do
    /// not contain the model's surface make answers wrong.
    #[must_use]
    pub fn keep(self, model: &Model) -> Arc<Self> {
        model.prepared(|_| self)
    }

    /// Builds the hierarchy over pieces. `cuts`: how often cutting may have rounded a point.
    pub(crate) fn new(pieces: Vec<Piece>, cuts: f64) -> Self {
        let reach = pieces.iter().map(|piece| piece.polytope.reach()).fold(0.0, f64::max);
        let cut_error = CUT * cuts * UNIT * reach;
        let boxes: Vec<[[f64; 3]; 8]> = pieces
            .iter()
            .map(|piece| {
                let Aabb { min, max } = piece.model.local_box().expanded(2.0 * cut_error);
                [0, 1, 2, 3, 4, 5, 6, 7].map(|corner| {
                    [0, 1, 2].map(|k| if corner >> k & 1 == 0 { min[k] } else { max[k] })
                })
            })
            .collect();
        let tree = Builder::default().leaf_size(1).build(&boxes).ok();
        Self { pieces, tree, cut_error }
    }

    /// The pieces as models in the frame of the whole: closed and convex, or flat.
    #[must_use]
    pub fn models(&self) -> impl ExactSizeIterator<Item = &Model> {
        self.pieces.iter().map(|piece| &piece.model)
    }

    /// How many pieces prove contacts because they are, except for their outermost layer, part of the body:
    /// all pieces of unions, and those of decompositions that fit closely.
    #[must_use]
    pub fn solid_count(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.polytope.solidity().is_some()).count()
    }

    /// A piece by its number in the hierarchy.
    pub(crate) fn piece(&self, number: u32) -> &Piece {
        &self.pieces[number as usize]
    }

    /// Bounds on how far each piece reaches beyond the model: the error of using the pieces instead of the
    /// model. Takes up to some thousand point distances a piece.
    #[must_use]
    pub fn concavities(&self, model: &Model) -> Vec<Concavity> {
        let distance = PointDistance::new(model);
        self.pieces.iter().map(|piece| concavity::measure(&distance, &piece.polytope)).collect()
    }

    /// The hierarchy; `None` if a piece has no bounds.
    pub(crate) fn tree(&self) -> Option<&Bvh<Obb>> {
        self.tree.as_ref()
    }

    /// How far the rounded surface of a part may be outside its placed piece, whose vertices are rounded
    /// too. 0 if the vertices are the same.
    pub(crate) fn beyond(&self, body: &Body<'_>) -> f64 {
        if self.cut_error == 0.0 { 0.0 } else { 2.0 * (self.cut_error + body.noise()) }
    }
}
