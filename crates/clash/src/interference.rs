//! How two placed models interfere.

use xcollide_convex::Penetration;
use xcollide_math::vector::{add, scale};
use xcollide_narrow::combine::Auto;
use xcollide_narrow::relation::{Kind, kind};
use xcollide_narrow::{
    NarrowPhase, OverlapVolume, PairCache, Placed, Query, QueryError, Reason, Semantics, Verdict,
    penetration_limited, proximity,
};

/// What counts as an interference of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRule {
    /// The clearance up to which they interfere, in the units of the models.
    pub tolerance: f64,
    /// Whether they interfere if they only touch.
    pub touching: bool,
}

/// How two placed models interfere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interference {
    /// How the first lies to the second; exact. [`Kind::Apart`]: they are within the tolerance, which is exact, too.
    pub kind: Kind,
    /// Their distance; 0 if they have a point in common. Rounded, and at most the tolerance.
    pub distance: f64,
    /// A point of both, or, of two that are apart, the middle between nearest points. Rounded.
    pub point: [f64; 3],
    /// The penetration depth, where it was asked for and their interiors meet, unless coordinates are so large or small that
    /// rounding has no bound.
    pub depth: Option<Penetration>,
    /// The volume of what both have in common, where it was asked for and their interiors meet; or why it is not known:
    /// a model is open, or its surface intersects itself.
    pub volume: Option<Result<OverlapVolume, QueryError>>,
}

/// The work that [`examine`] spends on the depth of a pair by default.
const DEPTH_PROBES: u64 = 2000;

/// Why it is not known whether a pair interferes.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PairError {
    /// The test did not decide.
    #[error("undecided: {0:?}")]
    Undecided(Reason),
    /// A query has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Examines a pair of placed models; `None` if they do not interfere.
///
/// Whether they do is exact, as are the kind and whether the clearance is within the tolerance. `depth`: whether to bound
/// the penetration depth of two whose interiors meet. For bodies that are not convex it is a search of limited work
/// ([`penetration_limited`]), so its bounds are proved, but may be far from each other.
///
/// The result depends on the two models and poses alone.
///
/// # Errors
/// The narrow phase does not decide.
pub fn examine(
    a: Placed<'_>,
    b: Placed<'_>,
    rule: PairRule,
    depth: bool,
) -> Result<Option<Interference>, PairError> {
    match Auto::new().test(a, b, &Query::new(), &mut PairCache::new()) {
        Verdict::Collides(witness) => {
            let Some(kind) = kind(a, b, Semantics::Solid) else {
                return Err(PairError::Undecided(Reason::NotAccepted));
            };
            if kind == Kind::Touching && !rule.touching {
                return Ok(None);
            }
            let is_deep = depth && kind != Kind::Touching;
            let search = || penetration_limited(a, b, DEPTH_PROBES).ok().flatten();
            let depth = is_deep.then(search).flatten();
            let point = witness.point;
            Ok(Some(Interference { kind, distance: 0.0, point, depth, volume: None }))
        }
        Verdict::Apart(_) if rule.tolerance > 0.0 => Ok(clearance(a, b, rule.tolerance)),
        Verdict::Apart(_) => Ok(None),
        Verdict::Undecided(reason) => Err(PairError::Undecided(reason)),
    }
}

impl Interference {
    /// Whether the interiors of bodies meet, so that they have a depth and a volume in common.
    #[must_use]
    pub fn interiors_meet(&self) -> bool {
        !matches!(self.kind, Kind::Apart | Kind::Touching)
    }
}

/// The interference of two that are apart, if they are within the tolerance.
fn clearance(a: Placed<'_>, b: Placed<'_>, tolerance: f64) -> Option<Interference> {
    // Neither is inside the other, so their distance is that of their surfaces.
    let nearest = proximity::distance_within(a, b, tolerance, Semantics::Surface)?;
    let [p, q] = nearest.points;
    Some(Interference {
        kind: Kind::Apart,
        distance: nearest.value.min(tolerance),
        point: add(scale(p, 0.5), scale(q, 0.5)),
        depth: None,
        volume: None,
    })
}
