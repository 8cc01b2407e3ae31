//! Rules as TOML.

use xcollide_clash::{ClashDetector, Instance, InstanceSet, Rules};

use crate::boxes::{cuboid, cuboid_at};

/// A row of cubes that touch their neighbours; every second one is a wall.
fn row() -> Vec<Instance> {
    let group = |number: i64| if number % 2 == 0 { "walls" } else { "pipes" };
    let one = |number: i64| {
        let mut instance =
            cuboid_at(&format!("C-{number}"), group(number), [1; 3], [number, 0, 0], 0);
        instance.attributes = vec![("floor".to_owned(), (number / 3).to_string())];
        instance
    };
    (0..9).map(one).collect()
}

fn clashes(rules: &str) -> Result<Vec<[String; 2]>, xcollide_clash::RulesError> {
    let set = InstanceSet::load(row(), cuboid);
    let found = ClashDetector::new(Rules::from_toml(rules)?).detect(&set);
    let id = |id| set.instance(id).id.clone();
    Ok(found.clashes.iter().map(|clash| clash.pair.map(id)).collect())
}

#[test]
fn rules_choose_the_pairs() -> Result<(), xcollide_clash::RulesError> {
    for (rules, count) in [
        ("", 8),
        ("touching = false", 0),
        ("tolerance = 1", 15),
        ("[[test]]\ngroups = ['walls', 'walls']", 0),
        ("tolerance = 1\n[[test]]\ngroups = ['walls', 'walls']", 4),
        ("[[test]]\ngroups = ['w*', '*s']\n", 8),
        // The first rule that names the groups counts.
        (
            "[[test]]\ngroups = ['pipes', 'walls']\ntouching = false\n[[test]]\ngroups = ['*', '*']",
            0,
        ),
        (
            "[[test]]\ngroups = ['*', '*']\n[[test]]\ngroups = ['pipes', 'walls']\ntouching = false",
            8,
        ),
        ("[[ignore]]\ngroups = ['walls', 'pipes']", 0),
        ("[[ignore]]\ngroups = ['walls', 'beams']", 8),
        ("[[ignore]]\nids = ['C-4', 'C-3']\n[[ignore]]\nids = ['C-0', 'nobody']", 7),
        ("[[ignore]]\nids = ['C-4', '*']", 6),
        // Three floors of three cubes: the two pairs between them are left.
        ("[[ignore]]\nsame = 'floor'", 2),
        ("[[ignore]]\nsame = 'storey'", 8),
    ] {
        assert_eq!(clashes(rules)?.len(), count, "{rules}");
    }
    assert_eq!(
        clashes("[[ignore]]\nsame = 'floor'")?,
        [["C-2", "C-3"], ["C-5", "C-6"]].map(|pair| pair.map(str::to_owned))
    );
    Ok(())
}

#[test]
fn errors_have_line_and_column() {
    let told = |text: &str| {
        Rules::from_toml(text).map_or_else(|error| error.to_string(), |_| "read".into())
    };
    for (text, expected) in [
        ("tolerance = -1", "line 1, column 13: found -1.0, expected a finite number of at least 0"),
        ("merge = nan", "line 1, column 9: found NaN, expected a finite number of at least 0"),
        (
            "[[test]]\ngroups = ['a', 'b']\n  tolerance = inf",
            "line 3, column 15: found inf, expected a finite number of at least 0",
        ),
        (
            "\n[[ignore]]\nids = ['a*b*', 'c']",
            "line 2, column 1: found the name `a*b*`, expected one `*` at most",
        ),
    ] {
        assert_eq!(told(text), expected);
    }
    for (text, start) in [
        ("tolerance = ", "line 1, column "),
        ("tolerances = 1", "line 1, column 1: unknown field `tolerances`"),
        ("\n[[test]]\ngroup = ['a', 'b']", "line 3, column 1: unknown field `group`"),
        ("[[test]]\ngroups = ['a']", "line 2, column 10: "),
        ("[[test]]\ntolerance = 1", "line 1, column 1: missing field `groups`"),
        ("[[ignore]]\n", "line 1, column "),
        ("touching = 'yes'", "line 1, column 12: invalid type: string"),
    ] {
        assert!(told(text).starts_with(start), "{text}: {}", told(text));
    }
}
