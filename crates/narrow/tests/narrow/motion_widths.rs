//! A search for the time of contact ends early if the caller asks for a coarse width.

#![allow(clippy::unwrap_used)]

use xcollide_math::Motion;
use xcollide_narrow::continuous::{MotionVerdict, Moving, time_of_contact};
use xcollide_narrow::{Pose, Query, Semantics};

use crate::support::{Random, shape};

/// The steps that the search took, and the interval that it found.
fn searched(a: Moving<'_>, b: Moving<'_>, width: f64) -> Option<(usize, [f64; 2])> {
    let verdict = time_of_contact(a, b, width, &Query::new()).unwrap();
    verdict.verify(a, b, Semantics::Solid).unwrap();
    match &verdict {
        MotionVerdict::Collides { at_most, apart: Some(apart), .. } => {
            Some((apart.steps(), [apart.until(), *at_most]))
        }
        MotionVerdict::Apart(_) => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn coarse_widths_take_fewer_steps_and_hold_the_same_contact() {
    let models = [shape("shape:torus?faces=10000"), shape("shape:knot?faces=10000")];
    let mut random = Random::new(7);
    let widths = [1e-6, 1e-3, 1e-2];
    let (mut contacts, mut steps) = (0, [0; 3]);
    for _ in 0..12 {
        let mut way = || random.point(1.0);
        let spin = way();
        let start = Pose::from_translation([-5.0, 0.0, 0.0].map(|x| x + 0.3 * way()[0]));
        let motion = Motion::spinning([0.0; 3], start, [10.0, 0.0, 0.0], spin).unwrap();
        let pair = (Moving::new(&models[0], &Pose::IDENTITY), Moving::new(&models[1], &motion));
        let found = widths.map(|width| searched(pair.0, pair.1, width));
        let Some((_, [earliest, latest])) = found[0] else {
            assert!(found.iter().all(Option::is_none));
            continue;
        };
        contacts += 1;
        for (k, found) in found.iter().enumerate() {
            let (taken, [lo, hi]) = found.unwrap();
            assert!(hi - lo <= widths[k], "{lo} {hi}");
            assert!(lo <= latest && earliest <= hi, "{lo} {hi} {earliest} {latest}");
            steps[k] += taken;
        }
    }
    assert!(contacts > 4, "{contacts}");
    assert!(4 * steps[1] < 3 * steps[0] && 3 * steps[2] < steps[0], "{steps:?}");
}
