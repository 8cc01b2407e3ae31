//! Approximate narrow phases with a level of accuracy, by name: `wide-obb-coarse:N` and `sphere-levels:N`.

use std::sync::LazyLock;

use super::combination::Named;
use super::{Entry, Kind, Make, of_kind};
use crate::narrow::NarrowPhase;
use crate::narrow::classic::{PreChecks, SphereLevels};

/// An algorithm with a level.
type AtLevel = fn(u8) -> Box<dyn NarrowPhase>;

/// Each by its name with the default level.
const ALL: [(&str, AtLevel); 2] = [
    ("wide-obb-coarse", |halvings| Box::new(PreChecks::Coarse { halvings })),
    ("sphere-levels", |levels| Box::new(SphereLevels { levels: usize::from(levels) })),
];

/// The highest level: of a model of two thousand kilometres these boxes are as wide as a millimetre.
const MOST: u8 = 31;

/// The forms of the names, for messages.
pub(super) fn forms() -> impl Iterator<Item = String> {
    ALL.iter().map(|(name, _)| format!("{name}:N"))
}

/// The algorithm of this name, if its level is one.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    /// All levels. Entries have names that last, so each is made once.
    static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let levels = |&(base, make): &(&'static str, AtLevel)| {
            let entry = of_kind(Kind::Narrow).find(move |entry| entry.name == base);
            entry.into_iter().flat_map(move |entry| {
                (0..=MOST).map(move |level| {
                    let name: &'static str = format!("{base}:{level}").leak();
                    Entry { name, make: Make::AtLevel(make, level), ..*entry }
                })
            })
        };
        ALL.iter().flat_map(levels).collect()
    });
    let is_one = ALL.iter().any(|(base, _)| name.starts_with(base) && name.contains(':'));
    is_one.then(|| TABLE.iter().find(|entry| entry.name == name)).flatten()
}

/// The algorithm under its full name.
pub(super) fn named(name: &'static str, make: AtLevel, level: u8) -> Box<dyn NarrowPhase> {
    Box::new(Named { name, algorithm: make(level) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    /// Each level has its name, and is what the name without one is but for the level.
    #[test]
    fn levels_go_by_their_names() -> Result<(), Box<dyn std::error::Error>> {
        for (base, _) in ALL {
            let entry = registry::find(Kind::Narrow, base).ok_or("no entry")?;
            for level in [0, 3, MOST] {
                let name = format!("{base}:{level}");
                let found = registry::find(Kind::Narrow, &name).ok_or("no level")?;
                assert_eq!(found.guarantee, entry.guarantee);
                let algorithm = found.narrow_phase().ok_or("no algorithm")?;
                assert_eq!((algorithm.name(), algorithm.guarantee()), (&*name, entry.guarantee));
            }
        }
        for unknown in ["sphere-levels:", "sphere-levels:32", "wide-obb-coarse:x", "obb-tree:3"] {
            assert!(registry::find(Kind::Narrow, unknown).is_none(), "{unknown}");
        }
        assert!(registry::names(Kind::Narrow).contains("sphere-levels:N"));
        Ok(())
    }
}
