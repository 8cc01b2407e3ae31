//! Boolean properties of polyhedra. Source: Zachmann 1994, 4.2 (closed, manifold, oriented; planar,
//! convex). The thesis tests whether edges are manifold; here vertices are tested too.

bitflags::bitflags! {
    /// The kind of polyhedron of a mesh, as flags.
    ///
    /// [`Classification`](crate::Classification) lists the elements that violate each property. The
    /// flags are exact, except that [`PLANAR_FACES`](Self::PLANAR_FACES),
    /// [`CONVEX_FACES`](Self::CONVEX_FACES) and [`CONVEX`](Self::CONVEX) allow a tolerance on faces with
    /// rounded corners, which the classification lists.
    ///
    /// ```
    /// use xcollide_brep::Topology;
    ///
    /// let needed = Topology::CLOSED | Topology::ORIENTED;
    /// let found = Topology::MANIFOLD | Topology::CLOSED;
    /// assert!(!found.contains(needed));
    /// assert_eq!(needed - found, Topology::ORIENTED);
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
    pub struct Topology: u16 {
        /// No edge has more than two sides.
        const MANIFOLD_EDGES = 1;
        /// The faces at each used vertex form one fan or one ring.
        const MANIFOLD_VERTICES = 1 << 1;
        /// There are faces, and no edge has exactly one side.
        const CLOSED = 1 << 2;
        /// Neighbouring faces traverse their common edge in opposite directions. At an edge with more
        /// than two sides, the numbers of sides in the two directions differ by at most one.
        const ORIENTED = 1 << 3;
        /// The corners of each face lie in a plane, within
        /// [`PLANARITY_TOLERANCE`](crate::PLANARITY_TOLERANCE) of the size of the face.
        const PLANAR_FACES = 1 << 4;
        /// Each face is a convex polygon with an inside: no holes, no overlap with itself, no
        /// corner that turns back. Corners of 180° are allowed.
        const CONVEX_FACES = 1 << 5;
        /// The mesh is the surface of a convex body, oriented outwards or inwards.
        ///
        /// A hull with rounded corners may not be convex:
        /// [`reflex_edges`](crate::Classification::reflex_edges) lists the edges that bend inwards.
        const CONVEX = 1 << 6;
        /// There are faces, and all are connected by edges or vertices.
        const CONNECTED = 1 << 7;

        /// The surface is locally a disc, or half a disc at boundaries.
        const MANIFOLD = Self::MANIFOLD_EDGES.bits() | Self::MANIFOLD_VERTICES.bits();
    }
}
