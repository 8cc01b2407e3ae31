//! Proofs that moving models are apart: those of other motions and broken ones are refused.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use xcollide_fixtures::assert_comes_back;
use xcollide_math::Motion;
use xcollide_narrow::continuous::{MotionVerdict, Moving, time_of_contact};
use xcollide_narrow::{Model, Pose, Query, Semantics};

use crate::support::{cuboid, shape};

const WIDTH: f64 = 1e-9;

fn unit_box() -> Model {
    Model::from_mesh(cuboid([-0.5; 3], [0.5; 3])).unwrap()
}

fn moves(from: [f64; 3], to: [f64; 3]) -> Motion {
    Motion::linear(Pose::from_translation(from), Pose::from_translation(to)).unwrap()
}

#[test]
fn proofs_of_other_motions_are_refused() {
    let cube = unit_box();
    let (slow, fast) =
        (moves([-3.0, 0.0, 0.0], [-2.0, 0.0, 0.0]), moves([-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]));
    let rests = Moving::new(&cube, &Pose::IDENTITY);
    for certify in [false, true] {
        let query = Query::new().certify(certify);
        let verdict = time_of_contact(Moving::new(&cube, &slow), rests, WIDTH, &query).unwrap();
        verdict.verify(Moving::new(&cube, &slow), rests, Semantics::Solid).unwrap();
        assert!(verdict.verify(Moving::new(&cube, &fast), rests, Semantics::Solid).is_err());
        let contact = time_of_contact(Moving::new(&cube, &fast), rests, WIDTH, &query).unwrap();
        assert!(contact.verify(Moving::new(&cube, &slow), rests, Semantics::Solid).is_err());
        let _ = (assert_comes_back(&verdict), assert_comes_back(&contact));
    }
}

/// A cube that goes around a bar: no direction parts them all the time, so that the proof has directions in turn.
#[test]
fn broken_proofs_are_refused() {
    let (cube, bar) =
        (unit_box(), Model::from_mesh(cuboid([-0.5, -0.5, -3.0], [0.5, 0.5, 3.0])).unwrap());
    let knot = shape("shape:knot?faces=300");
    let start = Pose::from_translation([8.0, 0.0, 0.0]);
    let around = Motion::spinning([-8.0, 0.0, 0.0], start, [0.0; 3], [0.0, 0.0, 6.0]).unwrap();
    for model in [&cube, &knot] {
        let (a, b) = (Moving::new(model, &around), Moving::new(&bar, &Pose::IDENTITY));
        let verdict = time_of_contact(a, b, WIDTH, &Query::new().certify(true)).unwrap();
        assert!(matches!(verdict, MotionVerdict::Apart(_)));
        verdict.verify(a, b, Semantics::Solid).unwrap();
        let proof = serde_json::to_value(&verdict).unwrap();
        let cuts = proof["Apart"]["front"]["cuts"].as_array().unwrap().clone();
        let is_refused = |cuts: Vec<Value>| {
            let mut broken = proof.clone();
            broken["Apart"]["front"]["cuts"] = Value::Array(cuts);
            let broken: MotionVerdict = serde_json::from_value(broken).unwrap();
            broken.verify(a, b, Semantics::Solid).is_err()
        };
        assert!(!is_refused(cuts.clone()));
        let with = |number: usize, cut: Value| {
            let mut cuts = cuts.clone();
            cuts[number] = cut;
            cuts
        };
        let mut links = 0;
        for (number, cut) in cuts.iter().enumerate() {
            let Some(link) = cut.get("Until") else { continue };
            let (direction, time) = (&link[0], link[1].as_f64().unwrap());
            let back = direction.as_array().unwrap().iter().map(|x| -x.as_f64().unwrap());
            let back: Vec<f64> = back.collect();
            for until in [0.0, -time, 1.0, 2.0] {
                assert!(
                    is_refused(with(number, json!({ "Until": [direction, until] }))),
                    "{until}"
                );
            }
            // A pair that meets the end too early, by the same direction.
            assert!(is_refused(with(number, json!({ "Apart": { "Along": direction } }))));
            for wrong in [json!(back), json!([0.0, 0.0, 0.0]), json!([0.0, 0.0, 2.0])] {
                assert!(is_refused(with(number, json!({ "Until": [wrong, time] }))), "{wrong}");
            }
            links += 1;
        }
        assert!(links > 2, "{links}");
        // Pairs that are missing, and too many.
        assert!(is_refused(cuts[..cuts.len() - 1].to_vec()));
        assert!(is_refused(cuts.iter().chain(cuts.last()).cloned().collect()));
        // Without any times.
        let timeless = cuts.iter().filter(|cut| cut.get("Until").is_none());
        assert!(is_refused(timeless.cloned().collect()));
        // Until later than the proof goes, and no time at all.
        for until in [json!(1.5), json!(-1.0)] {
            let mut broken = proof.clone();
            broken["Apart"]["until"] = until;
            let broken: MotionVerdict = serde_json::from_value(broken).unwrap();
            assert!(broken.verify(a, b, Semantics::Solid).is_err());
        }
    }
}
