//! One algorithm after the other.

use xcollide_brep::Topology;

use super::shared_out::shared_out;
use crate::{
    Guarantee, Model, NarrowPhase, PairCache, PairQuery, Placed, PrepareError, Query, Reason,
    Verdict,
};

/// Runs the second algorithm if the first is undecided or does not accept the models; the first alone if the second does
/// not.
///
/// A fast biased algorithm before an exact one is exact, as decided answers are right. A budget of the
/// query applies to each algorithm.
///
/// ```
/// use xcollide_narrow::combine::Chain;
/// use xcollide_narrow::classic::Arbitrary;
/// use xcollide_narrow::mesh::Wide;
/// use xcollide_narrow::{Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let chain = Chain(Arbitrary::relaxed(), Wide::new());
/// assert_eq!(chain.guarantee(), Guarantee::Exact);
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let pose_b = Pose::from_translation([0.6, 0.6, 0.6]);
/// let b = Placed::new(&model, &pose_b)?;
/// // The relaxed algorithm is undecided here.
/// assert!(chain.test(a, b, &Query::new(), &mut PairCache::new()).is_apart());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Chain<A, B>(pub A, pub B);

impl<A: NarrowPhase, B: NarrowPhase> NarrowPhase for Chain<A, B> {
    fn name(&self) -> &'static str {
        "chain"
    }

    /// The models that the second accepts, or the first if that alone is exact.
    fn accepts(&self, a: Topology, b: Topology) -> bool {
        if self.first_is_exact_alone() { self.0.accepts(a, b) } else { self.1.accepts(a, b) }
    }

    /// If one of the two does.
    fn accepts_formulas(&self) -> bool {
        self.0.accepts_formulas() || self.1.accepts_formulas()
    }

    /// Exact if one of the two is; else the guarantee of the second.
    fn guarantee(&self) -> Guarantee {
        if self.0.guarantee() == Guarantee::Exact { Guarantee::Exact } else { self.1.guarantee() }
    }

    /// Prepares for those that accept the model.
    ///
    /// # Errors
    /// The chain does not accept the model.
    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let kind = model.topology();
        let [first, second] = [self.0.accepts(kind, kind), self.1.accepts(kind, kind)];
        if first || self.first_is_exact_alone() {
            self.0.prepare(model)?;
        }
        if second || !self.first_is_exact_alone() { self.1.prepare(model) } else { Ok(()) }
    }

    /// The sum of those that accept the model. Shared data counts twice.
    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        let kind = model.topology();
        let first = if self.0.accepts(kind, kind) { self.0.prepared_bytes(model)? } else { 0 };
        let second = if self.1.accepts(kind, kind) { self.1.prepared_bytes(model)? } else { 0 };
        Some(first + second)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        if self.0.accepts(a.model().topology(), b.model().topology()) {
            let verdict = self.0.test(a, b, query, cache);
            if !self.passes_on(&a, &b, &verdict) {
                return verdict;
            }
        }
        self.1.test(a, b, query, cache)
    }

    /// Passes all pairs that the first accepts to it in one call, then all undecided ones to the second.
    fn test_many(&self, pairs: &mut [PairQuery<'_>], query: &Query, verdicts: &mut Vec<Verdict>) {
        verdicts.clear();
        shared_out(
            |pairs, verdicts| {
                let mut answers = Vec::with_capacity(pairs.len());
                self.0.test_many(pairs, query, &mut answers);
                verdicts.append(&mut answers);
            },
            |pair| self.0.accepts(pair.a.model().topology(), pair.b.model().topology()),
            |_| Verdict::Undecided(Reason::NotAccepted),
            pairs,
            verdicts,
        );
        let all = pairs.iter_mut().zip(&mut *verdicts);
        let left = all.filter(|(pair, verdict)| self.passes_on(&pair.a, &pair.b, verdict));
        let (mut left, places): (Vec<_>, Vec<_>) =
            left.map(|(pair, verdict)| (pair.lent(), verdict)).unzip();
        if !left.is_empty() {
            let mut answers = Vec::with_capacity(left.len());
            self.1.test_many(&mut left, query, &mut answers);
            places.into_iter().zip(answers).for_each(|(place, answer)| *place = answer);
        }
    }
}

impl<A: NarrowPhase, B: NarrowPhase> Chain<A, B> {
    fn first_is_exact_alone(&self) -> bool {
        self.0.guarantee() == Guarantee::Exact && self.1.guarantee() != Guarantee::Exact
    }

    /// Whether the second algorithm runs after this verdict of the first.
    fn passes_on(&self, a: &Placed<'_>, b: &Placed<'_>, verdict: &Verdict) -> bool {
        let (of_a, of_b) = (a.model().topology(), b.model().topology());
        let only_first = self.0.accepts(of_a, of_b) && !self.1.accepts(of_a, of_b);
        verdict.decided().is_none() && !only_first
    }
}
