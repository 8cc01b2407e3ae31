//! Two narrow phases as one, by name: `chain:A+B` and `race:A+B`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Accepts, Entry, Kind, Make, of_kind};
use crate::brep::Topology;
use crate::narrow::combine::Chain;
#[cfg(feature = "parallel")]
use crate::narrow::combine::Race;
use crate::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, PairQuery, Placed, PrepareError, Query, Verdict,
};

/// How two narrow phases work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Together {
    /// [`Chain`]: the second where the first is undecided.
    Chain,
    /// [`Race`]: both at once.
    #[cfg(feature = "parallel")]
    Race,
}

impl Together {
    /// All, each with the word before the two names, and the source.
    const ALL: &[(Self, &'static str, &'static str)] = &[
        (Self::Chain, "chain", "the second where the first is undecided; Zachmann 1994, 3.4.2"),
        #[cfg(feature = "parallel")]
        (Self::Race, "race", "both at once; Zachmann 1994, 6.5"),
    ];

    /// The algorithm; `None` if one of the two is no narrow phase.
    pub(super) fn narrow_phase(
        self,
        name: &'static str,
        parts: [&Entry; 2],
    ) -> Option<Box<dyn NarrowPhase>> {
        let (first, second) = (parts[0].narrow_phase()?, parts[1].narrow_phase()?);
        Some(match self {
            Self::Chain => Box::new(Named { name, algorithm: Chain(first, second) }),
            #[cfg(feature = "parallel")]
            Self::Race => Box::new(Named { name, algorithm: Race(first, second) }),
        })
    }

    /// The models that both together accept, by the rules of [`Chain`] and [`Race`].
    fn accepts(self, [first, second]: [&Entry; 2]) -> Accepts {
        let is_exact = [first, second].map(|entry| entry.guarantee == Guarantee::Exact);
        let either = self != Self::Chain && first.accepts == Accepts::Any;
        match is_exact {
            [true, false] => first.accepts,
            [false, true] => second.accepts,
            _ if either => first.accepts,
            _ => second.accepts,
        }
    }
}

/// The names of combinations, for messages; such as `chain:A+B, race:A+B`.
pub(super) fn forms() -> impl Iterator<Item = String> {
    Together::ALL.iter().map(|(_, word, _)| format!("{word}:A+B"))
}

/// The combination of this name, if both parts are in the table.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    /// All combinations. Entries have names that last, so each is made once.
    static TABLE: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
        let of_two = |&(together, word, source): &(Together, &str, &'static str)| {
            let pairs = of_kind(Kind::Narrow)
                .flat_map(|first| of_kind(Kind::Narrow).map(move |second| [first, second]));
            let word = word.to_owned();
            pairs.map(move |parts| {
                let [first, second] = parts.map(|entry| entry.name);
                let name: &'static str = format!("{word}:{first}+{second}").leak();
                let is_exact = parts.iter().any(|entry| entry.guarantee == Guarantee::Exact);
                let guarantee = if is_exact { Guarantee::Exact } else { parts[1].guarantee };
                let (accepts, make) = (together.accepts(parts), Make::Together(together, parts));
                let (kind, default) = (Kind::Narrow, false);
                (name, Entry { name, kind, accepts, guarantee, default, source, make })
            })
        };
        Together::ALL.iter().flat_map(of_two).collect()
    });
    // Names without a colon are the most, and need no table.
    name.contains(':').then(|| TABLE.get(name)).flatten()
}

/// A narrow phase under its full name.
pub(super) struct Named<N> {
    pub(super) name: &'static str,
    pub(super) algorithm: N,
}

impl<N: NarrowPhase> NarrowPhase for Named<N> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        self.algorithm.accepts(a, b)
    }

    fn accepts_formulas(&self) -> bool {
        self.algorithm.accepts_formulas()
    }

    fn guarantee(&self) -> Guarantee {
        self.algorithm.guarantee()
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        self.algorithm.prepare(model)
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        self.algorithm.prepared_bytes(model)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        self.algorithm.test(a, b, query, cache)
    }

    fn test_many(&self, pairs: &mut [PairQuery<'_>], query: &Query, verdicts: &mut Vec<Verdict>) {
        self.algorithm.test_many(pairs, query, verdicts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::{Formula, Pose};
    use crate::registry;

    fn model(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
        Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
    }

    /// A combination answers about bodies by formulas if one of its parts does, and says so.
    #[test]
    fn combinations_take_formulas_where_a_part_does() -> Result<(), Box<dyn std::error::Error>> {
        let ball = crate::convex::shape::Ball::new(1.0)?;
        let ball = Model::from_formula(Formula::Ball(ball));
        let apart = Pose::from_translation([3.0, 0.0, 0.0]);
        let (a, b) = (Placed::new(&ball, &Pose::IDENTITY)?, Placed::new(&ball, &apart)?);
        for (name, expected) in [
            ("auto", true),
            ("obb-tree", false),
            ("chain:auto+obb-tree", true),
            ("chain:obb-tree+auto", true),
            ("chain:obb-tree+brute-force", false),
        ] {
            let algorithm = registry::narrow_phase(name).ok_or("no algorithm")?;
            assert_eq!(algorithm.accepts_formulas(), expected, "{name}");
            assert_eq!(Box::new(algorithm).accepts_formulas(), expected, "{name}, boxed again");
            let algorithm = registry::narrow_phase(name).ok_or("no algorithm")?;
            let verdict = algorithm.test(a, b, &Query::new(), &mut PairCache::new());
            assert_eq!(verdict.is_apart(), expected, "{name}: {verdict:?}");
        }
        Ok(())
    }

    /// A row says of every combination what the algorithm says, which prepares what it accepts.
    #[test]
    fn the_rows_say_what_the_algorithms_say_of_themselves() -> Result<(), Box<dyn std::error::Error>>
    {
        let models =
            ["shape:tetrahedron", "shape:mobius?faces=12", "shape:torus?faces=24"].map(model);
        let models: Vec<Model> = models.into_iter().collect::<Result<_, _>>()?;
        let mut refused = 0;
        for (_, word, _) in Together::ALL {
            for first in of_kind(Kind::Narrow) {
                for second in of_kind(Kind::Narrow) {
                    let name = format!("{word}:{}+{}", first.name, second.name);
                    let entry = find(&name).ok_or("no entry")?;
                    let algorithm = registry::narrow_phase(&name).ok_or("no algorithm")?;
                    assert_eq!(algorithm.name(), name);
                    assert_eq!(algorithm.guarantee(), entry.guarantee, "{name}");
                    for model in &models {
                        let kind = model.topology();
                        let expected = entry.accepts.holds_for(kind);
                        assert_eq!(algorithm.accepts(kind, kind), expected, "{name}");
                        assert_eq!(algorithm.prepare(model).is_ok(), expected, "{name}");
                        refused += u32::from(!expected);
                    }
                }
            }
        }
        assert!(refused > 0);
        for unknown in ["race:", "race:auto", "race:auto+guesswork", "chain:a+b", "relay:auto+auto"]
        {
            assert!(find(unknown).is_none(), "{unknown}");
        }
        Ok(())
    }
}
