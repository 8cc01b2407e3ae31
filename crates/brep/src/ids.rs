//! Typed 32-bit numbers of vertices, faces, half-edges and edges. A mesh holds at most 2³² − 2 of each.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a slice.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the element at `index`, which must be below 2³².
            #[inline]
            #[must_use]
            pub const fn from_index(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                Self(index as u32)
            }
        }

        impl From<u32> for $name {
            #[inline]
            fn from(number: u32) -> Self {
                Self(number)
            }
        }

        impl From<$name> for u32 {
            #[inline]
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id! {
    /// Number of a vertex of a [`PolygonMesh`](crate::PolygonMesh).
    VertexId
}
id! {
    /// Number of a face, from 0.
    FaceId
}
id! {
    /// Number of a half-edge of a [`Dcel`](crate::Dcel): one side of an edge, with a direction.
    HalfEdgeId
}
id! {
    /// Number of an undirected edge of a [`Dcel`](crate::Dcel).
    EdgeId
}
