//! Two narrow phases as one, `race:A+B` and `chain:A+B`, wherever one has a name.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{xcollide, xcollide_at};
use serde_json::Value;

/// Planes between hulls exclude contact, edges and faces find it, and each answer has its proof.
#[test]
fn check_asks_two_of_models_that_are_not_convex() {
    for name in ["race:separating-plane+arbitrary", "chain:separating-plane+obb-tree"] {
        for (x, expected) in [(0.5, "collides"), (9.0, "apart")] {
            let torus = "shape:torus?faces=100";
            let pose = format!("{x} 0 0 0 0 0 1");
            let arguments = [
                "check",
                torus,
                torus,
                "--algorithm",
                name,
                "--verify",
                "--json",
                "--pose-b",
                &pose,
            ];
            let found = xcollide_at(".".as_ref(), &arguments, "").json();
            assert_eq!(
                (&found[0]["algorithm"], &found[0]["verdict"]),
                (&name.into(), &expected.into())
            );
        }
    }
    let wrong = xcollide("check shape:box shape:box --algorithm race:separating-plane+guesswork");
    assert!(wrong.error(2).contains("race:separating-plane+guesswork"));
}

/// Frames are those of the default, and a report of a comparison has the full name.
#[test]
fn scenes_and_comparisons_name_two() {
    let place = tempfile::tempdir().unwrap();
    let scene = |narrow: &str| {
        let text = format!(
            "name = 'two'\nframes = 40\nresponse = 'impulse'\n[cage]\nmin = [-2, -2, -2]\nmax = [2, 2, 2]\n\
             [phases]\nnarrow = '{narrow}'\n[[objects]]\nmesh = 'shape:torus?faces=60'\ncount = 4\n\
             placement = 'random'\n[objects.motion]\nkind = 'free'\nspeed = 0.1\ndegrees = 3\n"
        );
        std::fs::write(place.path().join("two.toml"), text).unwrap();
        xcollide_at(place.path(), &["run", "two.toml", "--json"], "")
    };
    let lists = |lines: Vec<Value>| -> Vec<Value> {
        lines[..40].iter().map(|line| line["began"].clone()).collect()
    };
    let auto = lists(scene("auto").json());
    assert!(auto.iter().any(|began| !began.as_array().unwrap().is_empty()), "nobody met");
    for name in ["race:separating-plane+wide-obb", "chain:separating-plane+wide-obb"] {
        assert_eq!(lists(scene(name).json()), auto, "{name}");
    }
    let told = scene("chain:separating-plane").error(2).to_owned();
    assert!(told.contains("key `phases.narrow`: found `chain:separating-plane`"), "{told}");
    assert!(told.ends_with("chain:A+B, race:A+B"), "{told}");

    let name = "chain:separating-plane+arbitrary";
    let compared = xcollide(&format!(
        "compare cage?objects=4&faces=40&frames=10 --narrow {name},arbitrary --rounds 1 --json"
    ));
    let names: Vec<Value> = compared.json().iter().map(|one| one["narrow"].clone()).collect();
    assert_eq!(names, [name, "arbitrary"]);
}
