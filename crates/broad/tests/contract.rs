//! What every broad phase does with ids and odd input.

use xcollide_bounds::Aabb;
use xcollide_broad::{Bounds, Everything, Pair, Pairs, ProxyError, ProxyId, ProxyIds, catalogue};

fn cube(at: f64) -> Bounds {
    Bounds::new(Aabb::new([at; 3], [at + 1.0; 3]))
}

#[test]
fn wrong_ids_and_nan_are_errors_that_change_nothing() -> Result<(), ProxyError> {
    for entry in catalogue() {
        let mut broad = entry.make();
        let mut ids = ProxyIds::new();
        let (a, b) = (ids.issue(), ids.issue());
        broad.insert(a, &cube(0.0))?;
        assert_eq!(broad.insert(a, &cube(9.0)), Err(ProxyError::Occupied { id: a, holder: a }));
        assert_eq!(broad.update(b, &cube(9.0)), Err(ProxyError::Stale { id: b }));
        assert_eq!(broad.remove(b), Err(ProxyError::Stale { id: b }));
        broad.insert(b, &cube(0.5))?;

        let nan = Bounds::new(Aabb::new([0.0, f64::NAN, 0.0], [1.0; 3]));
        assert_eq!(broad.update(b, &nan), Err(ProxyError::NotANumber { id: b }));
        let too_large = ProxyId::new(ProxyId::MAX_INDEX + 1, 0);
        let refused = broad.insert(too_large, &cube(0.0));
        assert_eq!(refused, Err(ProxyError::IndexTooLarge { id: too_large }));

        let mut pairs = Pairs::new();
        broad.pairs(&Everything, &mut pairs);
        assert_eq!(pairs.overlapping, [Pair::new(a, b)], "{}", entry.name);

        broad.remove(a)?;
        ids.retire(a);
        let reborn = ids.issue();
        assert_eq!(reborn.index(), a.index());
        broad.insert(reborn, &cube(0.2))?;
        assert_eq!(broad.update(a, &cube(0.0)), Err(ProxyError::Stale { id: a }));
        broad.pairs(&Everything, &mut pairs);
        // The same place and index, but another box.
        assert_eq!(pairs.appeared, [Pair::new(reborn, b)], "{}", entry.name);
        assert_eq!(pairs.vanished, [Pair::new(a, b)], "{}", entry.name);
        assert_eq!(broad.name(), entry.name);
    }
    Ok(())
}

#[test]
fn errors_say_what_to_do() {
    let (id, holder) = (ProxyId::new(7, 1), ProxyId::new(7, 0));
    let messages = [
        (ProxyError::Stale { id }, "no box 7#1 here: it was removed or never inserted"),
        (
            ProxyError::Occupied { id, holder },
            "cannot insert box 7#1: index 7 belongs to box 7; remove that first",
        ),
    ];
    for (error, message) in messages {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = catalogue().iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), catalogue().len());
}
