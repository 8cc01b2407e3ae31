//! A contact of two bodies at an instant.

use xcollide::brep::Topology;
use xcollide::narrow::proximity::Nearness;
use xcollide::narrow::relation::{self, Kind};
use xcollide::narrow::{Feature, Placed, Semantics, Witness, penetration};
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
    /// So they lie to each other.
    Related(Kind),
}

impl ContactKind {
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Surfaces => "surfaces meet",
            Self::VertexInside => "a vertex is inside",
            Self::Bodies => "bodies share a point",
            Self::Near => "within the tolerance",
            Self::OnTheWay => "on the way",
            Self::Related(kind) => kind.name(),
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

/// Measures how the bodies of contacts lie to each other, and how deep they are in each other, for as many contacts as take
/// some seconds at most, the first ones.
pub(crate) struct Measurements {
    semantics: Semantics,
    /// The contacts that are left.
    contacts: usize,
    /// The triangles that are left of bodies that are not convex, whose depths are searched for.
    triangles: usize,
}

impl Measurements {
    /// A kind, and a depth of convex bodies, take some microseconds.
    const MOST: usize = 20_000;
    /// A depth of others takes some microseconds a triangle.
    const MOST_TRIANGLES: usize = 500_000;

    pub(crate) fn new(semantics: Semantics) -> Self {
        Self { semantics, contacts: Self::MOST, triangles: Self::MOST_TRIANGLES }
    }

    /// The contact of two bodies, with their kind of relation and their depth at least where these are measured.
    pub(crate) fn of(&mut self, contact: PairContact, a: Placed<'_>, b: Placed<'_>) -> PairContact {
        let meets = matches!(
            contact.kind,
            ContactKind::Surfaces | ContactKind::VertexInside | ContactKind::Bodies
        );
        if !meets || self.contacts == 0 {
            return contact;
        }
        self.contacts -= 1;
        let kind = match relation::kind(a, b, self.semantics) {
            None | Some(Kind::Apart) => contact.kind,
            Some(kind) => ContactKind::Related(kind),
        };
        PairContact { kind, depth: self.depth(a, b), ..contact }
    }

    /// How far one of two bodies must move at least to part them; `None` if one is a surface, or it was not measured.
    fn depth(&mut self, a: Placed<'_>, b: Placed<'_>) -> Option<f64> {
        if self.semantics == Semantics::Surface {
            return None;
        }
        let models = [a, b].map(|placed| placed.model());
        let is_convex = models.iter().all(|model| model.topology().contains(Topology::CONVEX));
        if !is_convex {
            let triangles =
                models.iter().map(|model| model.triangulation().triangles().len()).sum();
            self.triangles = self.triangles.checked_sub(triangles)?;
        }
        let depth = penetration(a, b).ok()??.at_least;
        // Of others a bound of 0 says nothing.
        (is_convex || depth > 0.0).then_some(depth)
    }
}

#[cfg(test)]
mod tests {
    use xcollide::Pose;
    use xcollide::narrow::Model;

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn model(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
        Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
    }

    #[test]
    fn bodies_have_their_kind_and_their_depth() -> Outcome {
        let mut measurements = Measurements::new(Semantics::Solid);
        let (cube, torus) = (model("shape:box")?, model("shape:torus?faces=400")?);
        let mut of =
            |a: &Model, b: &Model, way: [f64; 3]| -> Result<_, Box<dyn std::error::Error>> {
                let pose = Pose::from_translation(way);
                let (a, b) = (Placed::new(a, &Pose::IDENTITY)?, Placed::new(b, &pose)?);
                let contact = measurements.of(PairContact::at([0, 1], [0.0; 3]), a, b);
                Ok((contact.kind, contact.depth))
            };
        let bounds = cube.local_box();
        let side = bounds.max[0] - bounds.min[0];
        let touching = of(&cube, &cube, [side, 0.0, 0.0])?;
        assert_eq!(touching, (ContactKind::Related(Kind::Touching), Some(0.0)));
        let (kind, depth) = of(&cube, &cube, [0.75 * side, 0.0, 0.0])?;
        assert_eq!(kind, ContactKind::Related(Kind::Overlapping));
        assert!(depth.is_some_and(|depth| (0.24..=0.25).contains(&(depth / side))), "{depth:?}");
        // Neither is convex; upwards they are parted after their height.
        let height = torus.local_box().max[2] - torus.local_box().min[2];
        let (kind, depth) = of(&torus, &torus, [0.3, 0.0, 0.0])?;
        assert_eq!(kind, ContactKind::Related(Kind::Overlapping));
        assert!(depth.is_some_and(|depth| depth > 0.0 && depth <= height), "{depth:?}");
        // What is apart at an instant was met on the way, or is near.
        assert_eq!(of(&cube, &cube, [3.0 * side, 0.0, 0.0])?.0, ContactKind::Surfaces);
        Ok(())
    }

    #[test]
    fn later_contacts_are_not_measured() -> Outcome {
        let all = Measurements::new(Semantics::Solid);
        assert_eq!((all.contacts, all.triangles), (20_000, 500_000));
        let (cube, torus) = (model("shape:box")?, model("shape:torus?faces=400")?);
        let triangles = torus.triangulation().triangles().len();
        let semantics = Semantics::Solid;
        let mut few = Measurements { semantics, contacts: 4, triangles: 3 * triangles };
        let mut of = |model: &Model| -> Result<_, Box<dyn std::error::Error>> {
            let pose = Pose::from_translation([0.3, 0.0, 0.0]);
            let (a, b) = (Placed::new(model, &Pose::IDENTITY)?, Placed::new(model, &pose)?);
            let contact = few.of(PairContact::at([0, 1], [0.0; 3]), a, b);
            Ok((contact.kind != ContactKind::Surfaces, contact.depth.is_some()))
        };
        assert_eq!(of(&torus)?, (true, true));
        assert_eq!(of(&torus)?, (true, false), "its triangles are more than are left");
        assert_eq!(of(&cube)?, (true, true));
        assert_eq!(of(&cube)?, (true, true));
        assert_eq!(of(&cube)?, (false, false), "no contact is left");
        Ok(())
    }
}
