//! The yes-or-no properties of a polyhedron that algorithms ask for.
//!
//! Source: Zachmann 1994, 4.2 (closed, manifold, oriented; planar, convex), with manifoldness
//! split: the thesis scans edges only, but two surfaces may also meet in a single vertex.

bitflags::bitflags! {
    /// What kind of polyhedron a mesh is.
    ///
    /// The counts and the elements that stand against each property are in the
    /// [`Classification`](crate::Classification). The flags are exact facts, but that
    /// [`PLANAR_FACES`](Self::PLANAR_FACES) allows a stated tolerance for faces whose corners were
    /// rounded, and on such faces [`CONVEX_FACES`](Self::CONVEX_FACES) and
    /// [`CONVEX`](Self::CONVEX) are judged with it. The classification says where it was used.
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
    pub struct Topology: u16 {
        /// No edge has more than two sides.
        const MANIFOLD_EDGES = 1;
        /// The faces at each used vertex form one fan or one ring.
        const MANIFOLD_VERTICES = 1 << 1;
        /// There are faces, and no edge has exactly one side.
        const CLOSED = 1 << 2;
        /// Neighbouring faces run their common edge in opposite directions: no edge with two
        /// sides is run twice the same way, and at one with more the directions differ in number
        /// by at most one.
        const ORIENTED = 1 << 3;
        /// The corners of each face lie in a plane, within
        /// [`PLANARITY_TOLERANCE`](crate::PLANARITY_TOLERANCE) of the size of the face.
        const PLANAR_FACES = 1 << 4;
        /// Each face is a convex polygon with an inside: no holes, no overlap with itself, no
        /// corner that turns back. Corners of 180° are allowed.
        const CONVEX_FACES = 1 << 5;
        /// The mesh is the surface of a convex body, oriented outwards or inwards.
        ///
        /// A hull whose corners were rounded or thinned out later has edges that bend inwards a
        /// little, and is then not convex; the classification lists them as
        /// [`reflex_edges`](crate::Classification::reflex_edges).
        const CONVEX = 1 << 6;
        /// All faces hang together, by edges or by vertices, and there is at least one.
        const CONNECTED = 1 << 7;

        /// Both: the surface is locally a disc, or half a disc at boundaries.
        const MANIFOLD = Self::MANIFOLD_EDGES.bits() | Self::MANIFOLD_VERTICES.bits();
    }
}
