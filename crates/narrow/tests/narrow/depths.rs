//! The depth of unions of integer boxes, against the cells that their differences leave free.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Random, cuboid, joined};
use xcollide_fixtures::long_run;
use xcollide_narrow::{
    Model, Placed, Pose, QueryError, intersects, penetration, penetration_limited,
};

type Box3 = [[i64; 3]; 2];

fn random_boxes(random: &mut Random) -> Vec<Box3> {
    let count = 1 + random.below(3);
    let mut boxes = Vec::new();
    for _ in 0..count {
        let low = [(); 3].map(|()| random.integer(0, 4));
        boxes.push([low, low.map(|x| x + random.integer(1, 3))]);
    }
    boxes
}

fn model(boxes: &[Box3]) -> Model {
    let mesh = |[low, high]: &Box3| cuboid(low.map(|x| x as f64), high.map(|x| x as f64));
    Model::from_mesh(joined(&boxes.iter().map(mesh).collect::<Vec<_>>())).unwrap()
}

/// The square of the depth: A moved by t meets B iff t is in one of the boxes b − a. So it is the least distance of the
/// origin from a unit cell that none of them contains.
fn depth_squared(a: &[Box3], b: &[Box3]) -> Option<i64> {
    let difference = |s: &Box3, t: &Box3| {
        [[0, 1, 2].map(|k| t[0][k] - s[1][k]), [0, 1, 2].map(|k| t[1][k] - s[0][k])]
    };
    let boxes: Vec<Box3> = a.iter().flat_map(|s| b.iter().map(move |t| difference(s, t))).collect();
    if !boxes.iter().any(|[low, high]| (0..3).all(|k| low[k] <= 0 && 0 <= high[k])) {
        return None;
    }
    let reach = 9;
    let range = -reach..reach;
    let mut least = i64::MAX;
    for x in range.clone() {
        for y in range.clone() {
            for z in range.clone() {
                let cell = [x, y, z];
                let is_in =
                    |[low, high]: &Box3| (0..3).all(|k| low[k] <= cell[k] && cell[k] < high[k]);
                if !boxes.iter().any(is_in) {
                    // From the origin to the nearest corner or side.
                    let apart = cell.map(|c| if c >= 0 { c } else { (-c - 1).max(0) });
                    least = least.min(apart.iter().map(|d| d * d).sum());
                }
            }
        }
    }
    Some(least)
}

/// The interval contains the exact depth, and its upper end is the way out that it says.
#[test]
fn depths_of_integer_solids_are_in_their_intervals_soak() {
    let run = long_run(120, 100_000);
    let mut random = Random::new(run.seed.wrapping_add(7));
    let (mut met, mut close, mut deep) = (0, 0, 0);
    for case in 0..run.cases {
        let (a, b) = (random_boxes(&mut random), random_boxes(&mut random));
        let (model_a, model_b) = (model(&a), model(&b));
        let pose = Pose::IDENTITY;
        let placed_a = Placed::new(&model_a, &pose).unwrap();
        let placed_b = Placed::new(&model_b, &pose).unwrap();
        let found = penetration(placed_a, placed_b).unwrap();
        let expected = depth_squared(&a, &b);
        assert_eq!(found.is_some(), expected.is_some(), "{a:?} {b:?}");
        let (Some(found), Some(square)) = (found, expected) else { continue };
        let exact = (square as f64).sqrt();
        let context = format!("case {case}: {a:?} {b:?}: {found:?}, exactly {exact}");
        assert!(found.at_least <= exact && exact <= found.at_most, "{context}");
        for probes in [0, 50, 2000] {
            let limited = penetration_limited(placed_a, placed_b, probes).unwrap().unwrap();
            assert!(
                limited.at_least <= exact && exact <= limited.at_most,
                "{context}: {limited:?}"
            );
            let way = [0, 1, 2].map(|k| limited.direction[k] * limited.at_most);
            let out = Pose::from_translation(way);
            assert!(!intersects((&model_a, &out), placed_b).unwrap(), "{context}: {limited:?}");
        }
        let whole = penetration_limited(placed_a, placed_b, u64::MAX).unwrap();
        assert_eq!(whole, Some(found), "{context}");
        let way = [0, 1, 2].map(|k| found.direction[k] * found.at_most);
        let out = Pose::from_translation(way);
        assert!(!intersects((&model_a, &out), placed_b).unwrap(), "{context}");
        met += 1;
        close += usize::from(found.at_most <= exact * 1.01 + 1e-9);
        deep += usize::from(found.at_least > 0.25 * exact);
    }
    assert!(met * 3 > run.cases as usize, "{met}");
    assert!(close * 10 > met * 6 && deep * 10 > met * 3, "{close} {deep} of {met}");
}

/// An open surface has no depth; a polygon, which fills its hull, has one.
#[test]
fn open_models_have_no_depth() {
    let cube = model(&[[[0; 3], [2; 3]]]);
    let corners = vec![[1.0; 3], [3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 3.0]];
    let fan = support::model(corners.clone(), &[vec![0, 1, 2], vec![0, 2, 3]]);
    let sheet = support::model(corners, &[vec![0, 1, 2]]);
    let depth = |other: &Model| penetration((&cube, &Pose::IDENTITY), (other, &Pose::IDENTITY));
    assert_eq!(depth(&fan), Err(QueryError::NoBody { side: "second" }));
    assert!(depth(&sheet).unwrap().is_some());
}
