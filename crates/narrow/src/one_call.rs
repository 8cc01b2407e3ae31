//! Functions for single queries about two placed models, with the default algorithm and no cache.
//!
//! A pair of references, `(&model, &pose)`, converts to a [`Placed`]. The functions use [`Auto`] and solid
//! semantics, and keep nothing about the pair; models keep what the algorithm prepares, so the first call
//! with a model takes longer. For a cache, a time limit, surface semantics, counters or another algorithm,
//! use the [`NarrowPhase`] trait.

use xcollide_convex::Penetration;

use crate::combine::Auto;
use crate::depth::{self, Effort};
use crate::formula::{self, any_formula, need_meshes};
use crate::point_in_polyhedron::{Location, locate};
use crate::proximity::{self, Distance};
use crate::relation::{self, Kind};
use crate::{
    Certificate, Contact, Model, NarrowPhase, PairCache, PairQuery, Placed, Pose, Query,
    QueryError, Reason, Semantics, Verdict,
};

/// Whether two placed models have a point in common. Touching models do. Exact.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Pose, contains_point, distance, intersects};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// let model = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let (here, there) = (Pose::IDENTITY, Pose::from_translation([3.0, 0.0, 0.0]));
/// assert!(!intersects((&model, &here), (&model, &there))?);
/// assert_eq!(distance((&model, &here), (&model, &there))?, 2.0);
/// assert!(contains_point((&model, &there), [3.25, 0.25, 0.25])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A pose cannot place its model.
pub fn intersects<'a, 'b, A, B>(a: A, b: B) -> Result<bool, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    let (a, b) = (a.try_into()?, b.try_into()?);
    decided(&Auto::new().test(a, b, &Query::new(), &mut PairCache::new()))
}

/// For each pose of a model, whether the placed model has a point in common with another. Exact.
///
/// Convex pairs are tested several at a time, which is faster than a call for each pose.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Pose, intersects_many};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// let model = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let poses = [0.5, 1.0, 1.5].map(|x| Pose::from_translation([x, 0.0, 0.0]));
/// assert_eq!(intersects_many(&model, &poses, (&model, &Pose::IDENTITY))?, [true, true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A pose cannot place its model.
pub fn intersects_many<'b, B>(model: &Model, poses: &[Pose], b: B) -> Result<Vec<bool>, QueryError>
where
    B: TryInto<Placed<'b>>,
    QueryError: From<B::Error>,
{
    /// Pairs per call of the narrow phase.
    const TOGETHER: usize = 256;
    let b = b.try_into()?;
    let mut caches: Vec<PairCache> = Vec::new();
    let mut verdicts = Vec::new();
    let mut answers = Vec::with_capacity(poses.len());
    for (chunk, poses) in poses.chunks(TOGETHER).enumerate() {
        caches.clear();
        caches.resize_with(poses.len(), PairCache::new);
        let place = |(number, pose)| {
            let index = chunk * TOGETHER + number;
            Placed::new(model, pose).map_err(|error| QueryError::PoseOfMany { index, error })
        };
        let placed = poses.iter().enumerate().map(place).collect::<Result<Vec<_>, _>>()?;
        let pairs = placed.into_iter().zip(&mut caches);
        let mut pairs: Vec<_> = pairs.map(|(a, cache)| PairQuery::new(a, b, cache)).collect();
        Auto::new().test_many(&mut pairs, &Query::new(), &mut verdicts);
        for verdict in &verdicts {
            answers.push(decided(verdict)?);
        }
    }
    Ok(answers)
}

/// Whether two placed models have a point in common, with a proof that can be verified without
/// repeating the search: a witness, a separating plane, or a front of separated parts. Exact.
///
/// If no plane separates the models, the proof can take longer than [`intersects`].
///
/// # Errors
/// A pose cannot place its model.
pub fn check<'a, 'b, A, B>(a: A, b: B) -> Result<Verdict, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    let query = Query::new().certificate(Certificate::Full);
    Ok(Auto::new().test(a.try_into()?, b.try_into()?, &query, &mut PairCache::new()))
}

/// How two placed models lie to each other: apart, touching, overlapping, piercing, one enclosed by the other, or equal.
/// Exact; see [`relation::kind`].
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Kind, Model, Pose, kind};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let at = |x| Pose::from_translation([x, 0.0, 0.0]);
/// assert_eq!(kind((&cube, &at(0.0)), (&cube, &at(1.0)))?, Kind::Touching);
/// assert_eq!(kind((&cube, &at(0.0)), (&cube, &at(0.75)))?, Kind::Overlapping);
/// assert_eq!(kind((&cube, &at(0.0)), (&cube, &at(0.0)))?, Kind::Equal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A pose cannot place its model. [`QueryError::Undecided`]: a model is given by a formula, and the kind is one of those that
/// [`relation::kind`] does not know.
pub fn kind<'a, 'b, A, B>(a: A, b: B) -> Result<Kind, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    let (a, b) = (a.try_into()?, b.try_into()?);
    relation::kind(a, b, Semantics::Solid).ok_or(QueryError::Undecided(Reason::TooClose))
}

/// All pairs of faces that have a point in common, with their common points, in the order of the
/// faces. Empty if the models are apart, or if one body contains the other.
///
/// Which faces meet is exact; see [`Contact`] for the points.
///
/// # Errors
/// A pose cannot place its model.
/// [`QueryError::NoMesh`]: a model is given by a formula, which has no faces. Where it meets the other one, ask for a
/// [`Manifold`](crate::Manifold) or for [`near_regions`](crate::proximity::near_regions).
pub fn contacts<'a, 'b, A, B>(a: A, b: B) -> Result<Vec<Contact>, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    let (a, b, mut contacts) = (a.try_into()?, b.try_into()?, Vec::new());
    need_meshes(a, b)?;
    let mut cache = PairCache::new();
    let listing =
        Auto::new().contact_overlaps(a, b, &Query::new(), usize::MAX, &mut cache, &mut contacts);
    decided(&listing.verdict)?;
    Ok(contacts)
}

/// The distance of two placed models, in units of length; 0 if they collide. Rounded.
///
/// Of a model given by a formula, the value is the upper bound of [`formula::distance`], which has both.
///
/// # Errors
/// A pose cannot place its model, or a model has no faces.
pub fn distance<'a, 'b, A, B>(a: A, b: B) -> Result<f64, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    Ok(closest_points(a, b)?.value)
}

/// The nearest points of two placed models, in world coordinates, and the faces they lie on.
/// Rounded.
///
/// Of a model given by a formula, the value is the upper bound of [`formula::distance`], which has both.
///
/// # Errors
/// A pose cannot place its model, or a model has no faces.
pub fn closest_points<'a, 'b, A, B>(a: A, b: B) -> Result<Distance, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    let (a, b) = (a.try_into()?, b.try_into()?);
    if any_formula(a, b) {
        return Ok(formula::distance(a, b, Semantics::Solid)?.into());
    }
    let is_empty = |placed: Placed<'_>| placed.model().triangulation().is_empty();
    let side = if is_empty(a) { "first" } else { "second" };
    proximity::distance(a, b, Semantics::Solid).ok_or(QueryError::NoFaces { side })
}

/// The penetration depth of two placed models, with bounds; `None` if they are apart.
///
/// Both bounds are proved for any models: moved by `at_most` along the direction the models are apart, and moved by less
/// than `at_least` anywhere they collide. For convex bodies they mostly agree up to 1e-13 of the size; see
/// [`Hybrid::penetration`](crate::convex::Hybrid::penetration). For other bodies they are what a search finds: the lower
/// one by points that are deep in both bodies, the upper one by translations.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Pose, penetration};
///
/// // Two bars that are 1 thick, joined to a corner, and a cube in its arm.
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let cuboid = |size: [f64; 3]| corners.map(|p| [p[0] * size[0], p[1] * size[1], p[2] * size[2]]);
/// # let [along, up] = [cuboid([4.0, 1.0, 1.0]), cuboid([1.0, 4.0, 1.0])];
/// # let all = faces.iter().copied().chain(faces.iter().map(|face| face.map(|v| v + 8)));
/// # let corner = PolygonMesh::from_polygons([along, up].concat(), all.collect::<Vec<_>>())?;
/// # let corner = Model::from_mesh(corner)?;
/// # let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let pose = Pose::from_translation([2.0, 0.75, 0.0]);
/// let found = penetration((&cube, &pose), (&corner, &Pose::IDENTITY))?.ok_or("apart")?;
/// assert!(found.at_least > 0.24 && found.at_least <= 0.25);
/// assert!(found.at_most >= 0.25 && found.at_most < 0.25 + 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A pose cannot place its model; a model is open, and no convex polygon, segment or point; or the models are so large or
/// small that rounding has no bound. [`QueryError::Unbounded`]: both are half spaces that no translation parts.
pub fn penetration<'a, 'b, A, B>(a: A, b: B) -> Result<Option<Penetration>, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    let (a, b) = (a.try_into()?, b.try_into()?);
    depth::penetration(a, b, &mut PairCache::new(), Effort::UNLIMITED)
}

/// As [`penetration`], with a limited search: for two models of which one does not fill its hull, at most `probes` points and
/// directions are tried, where a direction counts as 32. Both bounds are proved all the same.
///
/// Work is counted, so the result is the same on any machine. With 0 probes the upper bound is that of the hulls.
///
/// # Errors
/// As [`penetration`].
pub fn penetration_limited<'a, 'b, A, B>(
    a: A,
    b: B,
    probes: u64,
) -> Result<Option<Penetration>, QueryError>
where
    A: TryInto<Placed<'a>>,
    B: TryInto<Placed<'b>>,
    QueryError: From<A::Error> + From<B::Error>,
{
    let (a, b) = (a.try_into()?, b.try_into()?);
    depth::penetration(a, b, &mut PairCache::new(), Effort::probes(probes))
}

/// Whether a point in the world is in the body of a placed model, if it bounds one, or on its surface.
/// Exact.
///
/// # Errors
/// The pose cannot place the model, or the point has a coordinate that is not finite.
pub fn contains_point<'a, A>(a: A, point: [f64; 3]) -> Result<bool, QueryError>
where
    A: TryInto<Placed<'a>>,
    QueryError: From<A::Error>,
{
    if point.iter().any(|value| !value.is_finite()) {
        return Err(QueryError::NoRay { what: "point", value: point });
    }
    Ok(locate(a.try_into()?, point) != Location::Outside)
}

/// The answer of a verdict as a bool.
fn decided(verdict: &Verdict) -> Result<bool, QueryError> {
    match verdict {
        Verdict::Collides(_) => Ok(true),
        Verdict::Apart(_) => Ok(false),
        Verdict::Undecided(reason) => Err(QueryError::Undecided(*reason)),
    }
}
