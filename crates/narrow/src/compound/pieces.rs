//! The convex pieces of a model, with bounds over them.

use std::sync::Arc;

use xcollide_bounds::{Aabb, Obb};
use xcollide_brep::{MeshError, PolygonMesh};
use xcollide_bvh::binary::{Builder, Bvh};
use xcollide_convex::{Body, Polytope};

use super::concavity::{self, Concavity};
use super::decomposition::{self, DecompositionOptions};
use super::point_distance::PointDistance;
use crate::Model;
use crate::convex::prepare::{polytope_of, polytope_of_part};
/// A convex piece of a model.
#[derive(Clone, Debug)]
pub struct Piece {
    model: Model,
    polytope: Arc<Polytope>,
}

impl Piece {
    /// A piece of a union, by its hull.
    fn whole(hull: PolygonMesh) -> Result<Self, MeshError> {
        let model = Model::from_mesh(hull)?;
        let polytope = polytope_of(&model);
        Ok(Self { model, polytope })
    }

    /// The hull of a part of a model.
    pub(crate) fn part(hull: PolygonMesh, whole: &Model) -> Result<Self, MeshError> {
        let model = Model::from_mesh(hull)?;
        let polytope = Arc::new(polytope_of_part(&model, whole));
        Ok(Self { model, polytope })
    }

    /// The piece as a model in the frame of the whole: closed and convex, or flat.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Whether the piece is part of the body but for its outermost layer, so that what comes deep
    /// enough into the piece is in the body: pieces of unions are, and those of decompositions that
    /// fit closely.
    #[must_use]
    pub fn is_part_of_body(&self) -> bool {
        self.polytope.solidity().is_some()
    }

    pub(crate) fn polytope(&self) -> &Polytope {
        &self.polytope
    }

    /// Memory of the piece: its model and the polytope.
    fn bytes(&self) -> usize {
        let (brep, triangulation) = (self.model.brep(), self.model.triangulation());
        brep.mesh().heap_bytes()
            + brep.dcel().heap_bytes()
            + triangulation.heap_bytes()
            + self.polytope.bytes()
    }
}

/// Convex pieces that hold the surface of a model, in a hierarchy of boxes.
#[derive(Clone, Debug)]
pub struct Pieces {
    pieces: Vec<Piece>,
    tree: Option<Bvh<Obb>>,
    /// How far the surface may be outside of the pieces, which were cut with rounding.
    cut_error: f64,
}

/// Why there are no pieces.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PiecesError {
    /// A piece has no volume.
    #[error("piece {piece} of a union has dimension {dimension}, expected a body")]
    Flat {
        /// Its place in the list.
        piece: usize,
        /// The dimension of its hull.
        dimension: usize,
    },
    /// There are none.
    #[error("a union of no pieces")]
    Empty,
    /// Together they are too many.
    #[error("the pieces do not fit into one mesh: {0}")]
    Mesh(#[from] MeshError),
}

/// How far a point of a cut may be from its edge, in units of u · reach: 11 along each axis, from two
/// differences, a quotient, a product and a sum.
const CUT: f64 = 32.0;

/// u = 2⁻⁵³, the relative error of one rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

impl Pieces {
    /// The pieces of a model: those it was [made of](Self::union) or [given](Self::keep), else those
    /// of a [decomposition](Self::decompose) with the usual options, made on the first call.
    #[must_use]
    pub fn of(model: &Model) -> Arc<Self> {
        let known = model.already_prepared();
        // Not while others wait for the model: it is asked for more than its mesh.
        known
            .unwrap_or_else(|| Self::decompose(model, &DecompositionOptions::default()).keep(model))
    }

    /// A body that is the union of convex pieces, exactly: of the hulls of some models, which may
    /// touch and overlap. Its mesh is theirs, side by side; by winding numbers a point is inside if
    /// it is in one of them.
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
            parts.push(Piece::whole(hull)?);
        }
        if parts.is_empty() {
            return Err(PiecesError::Empty);
        }
        let model = Model::from_mesh(whole)?;
        let _ = Self::new(parts, 0.0).keep(&model);
        Ok(model)
    }

    /// Cuts any model into parts by planes until their hulls are near to it; see
    /// [`DecompositionOptions`]. Each piece is the hull of a part of the surface, so the pieces hold
    /// all of it. A convex model is its only piece.
    ///
    /// The same model and options give the same pieces everywhere. Takes some milliseconds a piece
    /// and, for all 32 pieces of the usual options together, 10 to 20 microseconds a triangle: a third
    /// of a second for 20 000 triangles, less than two for 100 000.
    ///
    /// The model is [prepared](crate::NarrowPhase::prepare) for [`mesh::Wide`](crate::mesh::Wide).
    #[must_use]
    pub fn decompose(model: &Model, options: &DecompositionOptions) -> Self {
        decomposition::decompose(model, options)
    }

    /// Keeps these as the pieces of a model, if it has none yet; returns those that it has.
    ///
    /// They must be of that model: pieces that do not hold its surface make answers wrong.
    #[must_use]
    pub fn keep(self, model: &Model) -> Arc<Self> {
        model.prepared(|_| self)
    }

    /// The hierarchy over pieces. `cuts` is how many times a point may have been rounded in cutting.
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

    /// The pieces.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Memory of the pieces and their hierarchy, in bytes. Spare capacity is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let pieces: usize = self.pieces.iter().map(Piece::bytes).sum();
        pieces + size_of_val(&*self.pieces) + self.tree.as_ref().map_or(0, Bvh::bytes)
    }

    /// How far the pieces reach beyond the model, each for itself: between two bounds.
    ///
    /// A bound on the error that is made where pieces are taken for the model; [`Compound`] does not.
    /// Takes up to some thousand distances of points from the model a piece.
    ///
    /// [`Compound`]: super::Compound
    #[must_use]
    pub fn concavities(&self, model: &Model) -> Vec<Concavity> {
        let distance = PointDistance::new(model);
        self.pieces.iter().map(|piece| concavity::measure(&distance, piece.polytope())).collect()
    }

    /// The hierarchy; `None` where there is no bound on the pieces.
    pub(crate) fn tree(&self) -> Option<&Bvh<Obb>> {
        self.tree.as_ref()
    }

    /// How far beyond a placed piece, with its rounded vertices, the rounded surface of its part may
    /// be. 0 where the vertices are the same.
    pub(crate) fn beyond(&self, body: &Body<'_>) -> f64 {
        if self.cut_error == 0.0 { 0.0 } else { 2.0 * (self.cut_error + body.noise()) }
    }
}
