//! The content of a snapshot: plain tables of numbers.
//!
//! Separate types, so that the types of the world can change while snapshots stay readable. A change here
//! needs a new [`VERSION`].

use std::time::Duration;

use crate::narrow::{Certificate, Grain, Semantics};

/// The version of the layout below.
pub(crate) const VERSION: u32 = 3;

macro_rules! records {
    ($($(#[$meta:meta])* $kind:ident $name:ident $body:tt)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub(crate) $kind $name $body
    )*};
}

/// A number that is stored bit for bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exact(pub(crate) f64);

pub(crate) type Point = [Exact; 3];

records! {
    struct State {
        pub(crate) checks: u64,
        pub(crate) application: u64,
        pub(crate) settled: bool,
        /// Tests of earlier checks are out of date.
        pub(crate) since: u64,
        pub(crate) query: QueryRecord,
        pub(crate) models: Vec<MeshRecord>,
        pub(crate) slots: Vec<SlotRecord>,
        /// Reusable indices, the next one last.
        pub(crate) free: Vec<u32>,
        /// Child and parent, by depth, the children of one parent in order.
        pub(crate) attached: Vec<[u32; 2]>,
        pub(crate) interest: InterestRecord,
        /// Ordered by pair.
        pub(crate) pairs: Vec<PairRecord>,
    }

    struct QueryRecord {
        pub(crate) semantics: SemanticsRecord,
        pub(crate) certificate: CertificateRecord,
        pub(crate) stats: bool,
        pub(crate) budget: Option<Duration>,
        pub(crate) grain: GrainRecord,
    }

    struct MeshRecord {
        pub(crate) positions: Vec<Point>,
        /// Vertex numbers, contour after contour.
        pub(crate) corners: Vec<u32>,
        /// Number of corners of each contour.
        pub(crate) contours: Vec<u32>,
        /// Number of contours of each face; empty if every face has one.
        pub(crate) faces: Vec<u32>,
    }

    /// An object index.
    struct SlotRecord {
        /// The latest generation.
        pub(crate) generation: u32,
        pub(crate) object: Option<ObjectRecord>,
    }

    struct ObjectRecord {
        pub(crate) model: u32,
        /// Rows of the matrix, then the translation, as it was set.
        pub(crate) pose: [Exact; 12],
        /// The same in the world, as of the last check; absent if it is that.
        pub(crate) placed: Option<[Exact; 12]>,
        /// The check before which the object last moved.
        pub(crate) changed: u64,
        pub(crate) data: u64,
        pub(crate) is_static: bool,
        /// Flags of changes since the last check.
        pub(crate) listed: bool,
        pub(crate) moved: bool,
    }

    struct InterestRecord {
        pub(crate) default: bool,
        pub(crate) members: Vec<MemberRecord>,
        /// Of row g the bits 0 to g; trailing empty rows are left out.
        pub(crate) decided: Vec<u64>,
        pub(crate) wanted: Vec<u64>,
        pub(crate) asks: Vec<AskRecord>,
        pub(crate) group_asks: Vec<u32>,
        /// Two indices and the rule.
        pub(crate) rules: Vec<(u32, u32, u32)>,
    }

    struct MemberRecord {
        pub(crate) generation: u32,
        pub(crate) group: u8,
        pub(crate) off: bool,
    }

    enum AskRecord {
        Touch,
        Contacts { limit: u64 },
        Within { tolerance: Exact },
        Distance { up_to: Exact },
        Kind,
        Depth,
        Manifold,
    }

    struct PairRecord {
        /// Index and generation.
        pub(crate) a: [u32; 2],
        pub(crate) b: [u32; 2],
        /// For how many checks the boxes have been apart.
        pub(crate) absent: u8,
        pub(crate) colliding: bool,
        pub(crate) late: bool,
        pub(crate) waited: u32,
        /// The last check that tested it, from 1.
        pub(crate) tested: u64,
        pub(crate) ask: AskRecord,
        pub(crate) outcome: OutcomeRecord,
        /// Triangles in contact; `restore` recomputes the points.
        pub(crate) contacts: Vec<[u64; 2]>,
        pub(crate) distance: Option<DistanceRecord>,
    }

    enum OutcomeRecord {
        Apart,
        Witness { a: FeatureRecord, b: FeatureRecord, point: Point },
        Near { points: [Point; 2], faces: Option<[u32; 2]> },
        /// Undecided or failed: tested again in any case.
        Unknown,
    }

    enum FeatureRecord {
        Face(u32),
        Edge { face: u32, ends: [u32; 2] },
        Vertex(u32),
        Body,
    }

    struct DistanceRecord {
        pub(crate) value: Exact,
        pub(crate) points: [Point; 2],
        pub(crate) faces: Option<[u32; 2]>,
    }
}

/// Enums without fields and their conversions; variants added after this layout are stored as `$other`.
macro_rules! mirrors {
    ($($record:ident = $original:ident { $($name:ident),+ } else $other:ident;)*) => {$(
        records! { enum $record { $($name),+ } }

        impl From<$original> for $record {
            fn from(original: $original) -> Self {
                #[allow(unreachable_patterns, reason = "some originals are exhaustive")]
                match original {
                    $($original::$name => Self::$name,)+
                    _ => Self::$other,
                }
            }
        }

        impl From<$record> for $original {
            fn from(record: $record) -> Self {
                match record {
                    $($record::$name => Self::$name,)+
                }
            }
        }
    )*};
}

mirrors! {
    SemanticsRecord = Semantics { Solid, Surface } else Solid;
    CertificateRecord = Certificate { Free, Plane, Full } else Full;
    GrainRecord = Grain { Coarse, Medium, Fine } else Coarse;
}

pub(crate) fn exact<const N: usize>(numbers: [f64; N]) -> [Exact; N] {
    numbers.map(Exact)
}

pub(crate) fn numbers<const N: usize>(stored: &[Exact; N]) -> [f64; N] {
    stored.map(|number| number.0)
}
