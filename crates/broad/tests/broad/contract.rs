//! What every broad phase does with ids and odd input.

use std::array::from_fn;

use xcollide_bounds::Aabb;
use xcollide_broad::{Bounds, Everything, Pair, Pairs, ProxyError, ProxyId, ProxyIds, catalogue};
use xcollide_fixtures::Random;

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

/// A crowd of boxes, so that every structure is in use, with some that reach to infinity or nearly.
/// (The cell of a side beyond all numbers once overflowed.)
#[test]
fn unbounded_boxes_meet_every_box_of_a_crowd() -> Result<(), ProxyError> {
    let all = f64::INFINITY;
    let vast = [
        Aabb::new([-all; 3], [all; 3]),
        Aabb::new([-f64::MAX; 3], [f64::MAX; 3]),
        Aabb::new([-all, -9.0, -9.0], [0.0, 999.0, 999.0]),
        Aabb::new([-1e30, -1e30, 0.0], [1e30, 1e30, 0.5]),
    ];
    for entry in catalogue() {
        let mut broad = entry.make();
        let mut ids = ProxyIds::new();
        for k in 0..300 {
            let corner = [k % 7, k / 7 % 7, k / 49].map(|c| 2.0 * f64::from(c));
            broad.insert(ids.issue(), &Aabb::new(corner, corner.map(|c| c + 1.0)).into())?;
        }
        for aabb in vast {
            broad.insert(ids.issue(), &aabb.into())?;
        }
        let mut pairs = Pairs::new();
        broad.pairs(&Everything, &mut pairs);
        // Two meet all, one those of a wall, one those of a floor; and all of them each other.
        let expected = 300 + 300 + 43 + 49 + 6;
        assert_eq!(pairs.overlapping.len(), expected, "{}", entry.name);
    }
    Ok(())
}

/// Cells with dozens of boxes, in which some pairs meet, most or all.
#[test]
fn crowded_cells_have_the_pairs_of_the_referee() -> Result<(), ProxyError> {
    let mut random = Random::new(11);
    for (room, flat) in [(6.0, 1.0), (3.0, 1.0), (0.5, 1.0), (6.0, 0.01)] {
        let boxes: Vec<Aabb> = (0..400)
            .map(|_| {
                let corner = [(); 3].map(|()| room * random.unit());
                let side = [1.0, 1.0, flat].map(|side| side * (0.5 + 0.5 * random.unit()));
                Aabb::new(corner, from_fn(|axis| corner[axis] + side[axis]))
            })
            .collect();
        let expected: Vec<[u32; 2]> = (0..400_u32)
            .flat_map(|b| (0..b).map(move |a| [a, b]))
            .filter(|pair| {
                let [a, b] = pair.map(|at| &boxes[at as usize]);
                a.overlaps(b)
            })
            .collect();
        for entry in catalogue() {
            let (mut broad, mut ids) = (entry.make(), ProxyIds::new());
            for aabb in &boxes {
                broad.insert(ids.issue(), &(*aabb).into())?;
            }
            let mut pairs = Pairs::new();
            broad.pairs(&Everything, &mut pairs);
            let mut found: Vec<_> =
                pairs.overlapping.iter().map(|pair| [pair.a.index(), pair.b.index()]).collect();
            found.sort_unstable_by_key(|&[a, b]| (b, a));
            assert_eq!(found, expected, "{}, room {room}", entry.name);
        }
    }
    Ok(())
}

/// Boxes whose ends pass each other on an axis cost exchanges; those that keep their order cost none.
#[cfg(feature = "classic")]
#[test]
fn sweep_and_prune_counts_exchanges() -> Result<(), ProxyError> {
    let mut broad: Box<dyn xcollide_broad::BroadPhase> =
        Box::new(xcollide_broad::classic::SweepAndPrune::new());
    let mut ids = ProxyIds::new();
    let (rests, moves) = (ids.issue(), ids.issue());
    let at = |x: f64| Bounds::new(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]));
    broad.insert(rests, &at(0.0))?;
    broad.insert(moves, &at(9.0))?;
    let mut pairs = Pairs::new();
    broad.pairs(&Everything, &mut pairs);
    for (x, exchanges, overlapping) in [(9.0, 0, 0), (5.0, 0, 0), (0.5, 1, 1), (0.75, 0, 1)] {
        broad.update(moves, &at(x))?;
        broad.pairs(&Everything, &mut pairs);
        assert_eq!((broad.stats().exchanges, pairs.overlapping.len()), (exchanges, overlapping));
    }
    Ok(())
}
