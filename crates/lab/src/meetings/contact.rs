//! A contact of two bodies at an instant.

use xcollide::brep::Topology;
use xcollide::narrow::convex::Hybrid;
use xcollide::narrow::proximity::Nearness;
use xcollide::narrow::{Feature, PairCache, Placed, Witness};
use xcollide::{Collision, Proof};

/// How two bodies meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContactKind {
    /// Their surfaces share a point.
    Surfaces,
    /// A vertex of one is inside the other.
    VertexInside,
    /// The bodies share a point; nothing is said of their surfaces.
    Bodies,
    /// They are apart, within the tolerance.
    Near,
    /// They touch on their way to the instant.
    OnTheWay,
}

impl ContactKind {
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Surfaces => "surfaces meet",
            Self::VertexInside => "a vertex is inside",
            Self::Bodies => "bodies share a point",
            Self::Near => "within the tolerance",
            Self::OnTheWay => "on the way",
        }
    }
}

/// Two bodies that collide at an instant, the smaller number first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairContact {
    pub(crate) pair: [u32; 2],
    pub(crate) kind: ContactKind,
    pub(crate) point: [f64; 3],
    /// What meets there.
    pub(crate) features: Option<[Feature; 2]>,
    /// If they were tested on their way from the last instant: the part of it after which they touch.
    pub(crate) time: Option<f64>,
    /// How far one must at least move to part the two, where that is known.
    pub(crate) depth: Option<f64>,
    /// Their distance at most, if they are near.
    pub(crate) clearance: Option<f64>,
}

impl PairContact {
    /// A contact of surfaces at a point.
    pub(crate) fn at(pair: [u32; 2], point: [f64; 3]) -> Self {
        let kind = ContactKind::Surfaces;
        Self { pair, kind, point, features: None, time: None, depth: None, clearance: None }
    }

    pub(crate) fn of_witness(pair: [u32; 2], witness: &Witness) -> Self {
        let features = [witness.a, witness.b];
        let kind = match features {
            [Feature::Body, Feature::Body] => ContactKind::Bodies,
            [Feature::Body, _] | [_, Feature::Body] => ContactKind::VertexInside,
            _ => ContactKind::Surfaces,
        };
        Self { kind, features: Some(features), ..Self::at(pair, witness.point) }
    }

    pub(crate) fn of_nearness(pair: [u32; 2], nearness: &Nearness) -> Self {
        let [p, q] = nearness.points;
        let squared: f64 = (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum();
        Self {
            kind: ContactKind::Near,
            features: nearness.faces.map(|faces| faces.map(Feature::Face)),
            clearance: Some(squared.sqrt()),
            ..Self::at(pair, [0, 1, 2].map(|k| 0.5 * p[k] + 0.5 * q[k]))
        }
    }

    /// The contact of two bodies that collide for this reason.
    pub(crate) fn of_proof(pair: [u32; 2], proof: &Proof) -> Self {
        match proof {
            Proof::Witness(witness) => Self::of_witness(pair, witness),
            Proof::Near(nearness) => Self::of_nearness(pair, nearness),
            Proof::InMotion { witness, .. } => {
                Self { kind: ContactKind::OnTheWay, ..Self::of_witness(pair, witness) }
            }
            Proof::NearInMotion { nearness, .. } => Self::of_nearness(pair, nearness),
            _ => Self::at(pair, proof.point()),
        }
    }

    /// The contact of a world's collision.
    pub(crate) fn of_collision(pair: [u32; 2], collision: &Collision) -> Self {
        let contact = Self::of_proof(pair, &collision.proof);
        Self { time: collision.time().map(|time| time.lo), ..contact }
    }
}

/// The penetration depth of two convex bodies at least; `None` for others, whose depth is not known, and if they are apart.
pub(crate) fn measured_depth(a: Placed<'_>, b: Placed<'_>) -> Option<f64> {
    if ![a, b].iter().all(|placed| placed.model().topology().contains(Topology::CONVEX)) {
        return None;
    }
    Some(Hybrid::penetration(a, b, &mut PairCache::new()).ok()??.at_least)
}
