//! What is wrong with the files of a robot.

use super::*;

/// The message for a robot whose file is changed in one place.
fn message(change: impl Fn(&str) -> String) -> String {
    let changed = change(URDF);
    assert_ne!(changed, URDF);
    refused("arm.urdf", &changed)
}

/// The message for the arm with another text in one of its files.
fn refused(path: &'static str, text: &str) -> String {
    let scene = Scene::from_toml(SCENE, "arm.toml").unwrap();
    match scene.resolved(&mut Texts::new().with(path, text)) {
        Ok(_) => panic!("{text} should be refused"),
        Err(error) => {
            assert!(
                matches!(error, SceneError::Robot { .. } | SceneError::BadValue { .. }),
                "{error:?}"
            );
            error.to_string()
        }
    }
}

#[test]
fn what_is_wrong_with_a_robot_is_told_with_file_line_and_element() {
    let replaced = |from: &'static str, to: &'static str| {
        assert!(URDF.contains(from), "{from}");
        message(move |text| text.replacen(from, to, 1))
    };
    let mut messages = vec![
        replaced("</robot>", ""),
        replaced("<robot name=\"arm\">", "<model>"),
        replaced("<link name=\"upper\">", "<link>"),
        replaced("<link name=\"upper\">", "<link name=\"base\">"),
        replaced("<parent link=\"upper\"/>", "<parent link=\"uper\"/>"),
        replaced("<child link=\"hand\"/>", "<child link=\"lower\"/>"),
        replaced("<parent link=\"world\"/>", "<parent link=\"hand\"/>"),
        replaced("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 0 0\"/>"),
        replaced("lower=\"-1.2\" upper=\"1.55\"", "lower=\"1.2\" upper=\"-1.55\""),
        replaced("xyz=\"0 0 0.5\"", "xyz=\"0 0 inf\""),
        replaced("xyz=\"0 0 0.5\"", "xyz=\"0 0\""),
        replaced("size=\"0.2 0.2 0.9\"", "size=\"0.2 0 0.9\""),
        replaced("radius=\"0.15\"", "radius=\"-0.15\""),
        replaced("<sphere radius=\"0.15\"/>", "<ball/>"),
        replaced("scale=\"0.1 -0.2 0.05\"", "scale=\"0.1 0 0.05\""),
        replaced("cube.off", "cube.dae"),
        replaced("mimic joint=\"finger\"", "mimic joint=\"thumb\""),
        replaced("mimic joint=\"finger\"", "mimic joint=\"other-finger\""),
        message(|text| text.replace("collision>", "nothing>")),
        message(|_| "<robot name='empty'/>".to_owned()),
        message(|_| format!("<robot>{}{}</robot>", "<a>".repeat(100), "</a>".repeat(100))),
        refused("arm.srdf", "<robot><disable_collisions link1='base'/></robot>"),
        refused("arm.srdf", "<robot>\n<disable_collisions link1='base' link2='knee'/></robot>"),
        refused("arm.csv", ""),
        refused("arm.csv", "shoulder, elbow\n"),
        refused("arm.csv", "shoulder; knee\n1; 2\n"),
        refused("arm.csv", "shoulder shoulder\n1 2\n"),
        refused("arm.csv", "foot\n1\n"),
        refused("arm.csv", "other-finger\n1\n"),
        refused("arm.csv", "# two\n\nshoulder,elbow\n1,2\n1\n"),
        refused("arm.csv", "shoulder,elbow\n1,two\n"),
        refused("arm.csv", "shoulder,elbow\n1,nan\n"),
    ];
    for message in &messages {
        assert!(!message.contains('\n') && message.contains("expected"), "{message}");
    }
    messages.push(String::new());
    insta::assert_snapshot!("robots", messages.join("\n"));
}

#[test]
fn missing_files_are_told_with_the_key() {
    for (key, path) in [("robot", "arm.urdf"), ("srdf", "arm.srdf"), ("joints", "arm.csv")] {
        let scene = Scene::from_toml(SCENE, "arm.toml").unwrap();
        let mut files = Texts::new();
        files.0.remove(path);
        let error = scene.resolved(&mut files).unwrap_err().to_string();
        let expected = "cannot be read: no such file";
        assert_eq!(error, format!("key `imports[0].{key}`: found `{path}`, which {expected}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A piece is cut out, doubled or overwritten.
    #[test]
    fn whatever_became_of_the_files_is_read_or_refused_in_a_line(
        which in 0..3usize, at in 0..4000usize, length in 0..60usize,
        piece in "[ -~]{0,8}|<a>|\\PC{0,3}|-?[0-9]{1,400}|nan|1e999",
    ) {
        let (path, text) = [("arm.urdf", URDF), ("arm.srdf", SRDF), ("arm.csv", TABLE)][which];
        let at = at % text.len();
        let end = (at + length).min(text.len());
        let changed = format!("{}{piece}{}", &text[..at], &text[end..]);
        let scene = Scene::from_toml(SCENE, "arm.toml").unwrap();
        let mut files = Texts::new().with(path, &changed);
        if let Err(error) = scene.resolved(&mut files) {
            prop_assert!(!error.to_string().contains('\n'), "{}", error);
        }
    }
}
