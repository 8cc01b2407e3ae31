//! Errors of verifiers.

use xcollide_brep::{FaceId, VertexId};

use super::{Feature, Primitives};

/// Why a [`Witness`](crate::Witness), a [`Contact`](crate::Contact), a [`Separation`](crate::Separation), a
/// [`SelfVerdict`](crate::self_intersection::SelfVerdict), a list of
/// [`PrimitiveContacts`](crate::continuous::PrimitiveContacts) or a
/// [`MinkowskiSimplex`](crate::convex::MinkowskiSimplex) is no proof.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The proof names a face, edge or vertex that the model's surface does not have.
    #[error("the proof names {element}, which the model's surface does not have")]
    UnknownElement {
        /// Such as `"vertex 12"`.
        element: String,
    },
    /// The two features have no point in common.
    #[error("the two features of the witness have no point in common")]
    FeaturesDisjoint,
    /// The point is farther from one of the two features than rounding explains.
    #[error("the witness's point {point:?} does not lie on both features")]
    PointOff {
        /// The point.
        point: [f64; 3],
    },
    /// Two features are farther apart than claimed.
    #[error("{a:?} of the first and {b:?} of the second model are more than {tolerance:?} apart")]
    TooFar {
        /// Feature of the first model.
        a: Feature,
        /// Feature of the second model.
        b: Feature,
        /// The distance claimed.
        tolerance: f64,
    },
    /// The differences of the vertices do not enclose the origin, so they prove no contact.
    #[error("the differences of the vertices named do not enclose the origin")]
    OriginOutside,
    /// A contact does not cover all common points of its triangles.
    #[error("the contact leaves out the common point {point:?}")]
    Incomplete {
        /// The point.
        point: [f64; 3],
    },
    /// The vertex is not inside the body.
    #[error("vertex {vertex} is not inside the other model's body")]
    NotInside {
        /// The vertex.
        vertex: VertexId,
    },
    /// A witness of containment cannot prove a collision of surfaces.
    #[error("a point inside a body proves nothing under surface semantics")]
    NoBody,
    /// A body given by a formula is not strictly on its side of the plane.
    #[error("the {side} body is not strictly on its side of the plane")]
    BodyBeyond {
        /// `"first"` or `"second"`.
        side: &'static str,
    },
    /// Two bodies that should be apart are not proved to be, where one is given by a formula.
    #[error("the two bodies are not proved to be apart")]
    BodiesMeet,
    /// A face that should be apart from a body given by a formula is not proved to be.
    #[error("face {face} is not proved to be apart from the {side} body")]
    FaceMeetsBody {
        /// `"first"` or `"second"`.
        side: &'static str,
        /// The face of the other model.
        face: FaceId,
    },
    /// A vertex is on the wrong side of a plane.
    #[error("vertex {vertex} of the {side} model is on the wrong side of the plane")]
    WrongSide {
        /// `"first"` or `"second"`.
        side: &'static str,
        /// The vertex.
        vertex: VertexId,
    },
    /// Both models touch the plane.
    #[error("both models touch the plane (vertices {a} and {b}), so it does not part them")]
    BothTouch {
        /// A vertex of the first model on the plane.
        a: VertexId,
        /// A vertex of the second model on the plane.
        b: VertexId,
    },
    /// Two faces that should be apart have a point in common.
    #[error("face {a} of the first and face {b} of the second model have a point in common")]
    FacesMeet {
        /// Face of the first model.
        a: FaceId,
        /// Face of the second model.
        b: FaceId,
    },
    /// Primitives that should touch within some time do not.
    #[error("{primitives:?} do not touch first within the time that is told")]
    NoSuchContact {
        /// The primitives.
        primitives: Primitives,
    },
    /// A list of contacts that should be complete is not.
    #[error("{primitives:?} touch, which the list leaves out")]
    ContactLeftOut {
        /// The primitives.
        primitives: Primitives,
    },
    /// Two faces that should meet in more than the vertices and edges that both have meet only there.
    #[error("faces {a} and {b} meet only in the vertices and edges that both have")]
    OnlyShared {
        /// The first face.
        a: FaceId,
        /// The second face.
        b: FaceId,
    },
    /// Two faces that should meet only in the vertices and edges that both have meet elsewhere.
    #[error("faces {a} and {b} meet in more than the vertices and edges that both have")]
    MoreThanShared {
        /// The first face.
        a: FaceId,
        /// The second face.
        b: FaceId,
    },
    /// The front does not cover all pairs of triangles.
    #[error("the front does not cover all pairs of triangles: {what}")]
    BrokenFront {
        /// The defect.
        what: &'static str,
    },
    /// The surfaces are apart, but one model is inside the other's body.
    #[error("vertex {vertex} of the {side} model is inside the other model's body")]
    Nested {
        /// `"first"` or `"second"`.
        side: &'static str,
        /// The vertex.
        vertex: VertexId,
    },
}
