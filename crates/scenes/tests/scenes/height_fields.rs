//! Height fields of scene files: from rows in the scene and from a file, and what is wrong with them.

use xcollide_brep::PolygonMesh;
use xcollide_scenes::{
    HeightField, Heights, MeshSource, NoFiles, Placement, Scene, SceneFiles, Simulation,
    height_field,
};

const INLINE: &str = "name = 'ground'\n[[objects]]\nstatic = true\n[objects.height_field]\n\
                      heights = [[0, 0.5, 1], [0.25, 0, -0.5]]\ncell = [2, 0.5]\nfloor = -1\n";

/// A text under every path.
struct Text(&'static str);

impl SceneFiles for Text {
    fn mesh(&mut self, _: &str) -> Result<PolygonMesh, String> {
        Err("is not asked for".to_owned())
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        Err("is not asked for".to_owned())
    }

    fn text(&mut self, path: &str) -> Result<String, String> {
        assert_eq!(path, "ground.csv");
        Ok(self.0.to_owned())
    }
}

/// The scene of [`INLINE`] with its heights in a file.
fn with_file() -> String {
    INLINE.replace("heights = [[0, 0.5, 1], [0.25, 0, -0.5]]", "file = 'ground.csv'")
}

#[test]
fn heights_of_a_scene_are_those_of_a_file() {
    let ground = height_field(&[0.0, 0.5, 1.0, 0.25, 0.0, -0.5], 3, [2.0, 0.5], -1.0).unwrap();
    let expected = [ground];
    let scene = Scene::from_toml(INLINE, "ground.toml").unwrap();
    let simulation = Simulation::new(&scene).unwrap();
    assert_eq!(simulation.meshes(), expected);
    // A case that is cut out of the scene has the same ground.
    let still = Simulation::new(&simulation.still(&scene, &[0])).unwrap();
    assert_eq!(still.meshes(), expected);
    let scene = Scene::from_toml(&with_file(), "ground.toml").unwrap();
    assert_eq!(Scene::from_toml(&scene.to_toml(), "again.toml").unwrap(), scene);
    for text in [
        "0,0.5,1\n0.25,0,-0.5\n",
        "\u{feff}# rows\n 0 5e-1\t1\n\n0.25 0 -0.5",
        "0; 0.5; 1\n.25;0;-.5",
    ] {
        let simulation = Simulation::with_files(&scene, &mut Text(text)).unwrap();
        assert_eq!(simulation.meshes(), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_with_heights_is_told_with_key_and_line() {
    let of_scene = |old: &str, new: &str| {
        let text = INLINE.replace(old, new);
        assert_ne!(text, INLINE);
        let scene = Scene::from_toml(&text, "g.toml").map_err(|error| error.to_string());
        scene.and_then(|s| Simulation::new(&s).map(drop).map_err(|e| e.to_string())).unwrap_err()
    };
    let cases = [
        (
            "0.5, 1]",
            "0.5, 'high']",
            "g.toml: line 5: key `objects[0].height_field.heights[0][2]`: found the text `high`, expected a number",
        ),
        (
            "0.5, 1]",
            "0.5]",
            "g.toml: line 5: key `objects[0].height_field.heights[1]`: found 3 numbers, expected 2, as in the first row",
        ),
        (
            "-0.5]",
            "-1]",
            "key `objects[0].height_field`: parameter `heights`: found -1.0, expected finite, above the floor -1.0",
        ),
        (
            "cell = [2, 0.5]",
            "cell = [2, 0]",
            "g.toml: line 6: key `objects[0].height_field.cell[1]`: found 0, expected a number from 1e-100 to 1e100",
        ),
        (
            "floor = -1",
            "",
            "g.toml: line 4: key `objects[0].height_field.floor`: found nothing, expected a number below all heights",
        ),
        (
            "static = true",
            "mesh = 'shape:box'",
            "g.toml: line 4: key `objects[0].height_field`: found beside `mesh`, expected one of the two",
        ),
        (
            "cell = [2, 0.5]",
            "file = 'a.csv'",
            "g.toml: line 6: key `objects[0].height_field.file`: found beside `heights`, expected one of the two",
        ),
        (
            "cell =",
            "cells =",
            "g.toml: line 6: key `objects[0].height_field.cells` is unknown, expected one of: heights, file, cell, floor",
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(of_scene(old, new), expected);
    }
    let scene = Scene::from_toml(&with_file(), "ground.toml").unwrap();
    let of_file = |text| {
        let wrong = Simulation::with_files(&scene, &mut Text(text)).unwrap_err().to_string();
        wrong.strip_prefix("key `objects[0].height_field").unwrap_or(&wrong).to_owned()
    };
    let cases = [
        (
            "0,1\n# two\n0,x\n",
            ".file`: found `ground.csv`, which is wrong in line 3: found `x`, expected a finite number",
        ),
        (
            "0,1\n0,,1\n",
            ".file`: found `ground.csv`, which is wrong in line 2: found 3 numbers, expected 2, as in the first row",
        ),
        (
            "0,1\n0,inf\n",
            ".file`: found `ground.csv`, which is wrong in line 2: found `inf`, expected a finite number",
        ),
        (
            "# empty\n",
            ".file`: found `ground.csv`, which has no row of numbers, expected at least two",
        ),
        (
            "0,1\n",
            "`: parameter `heights`: found 2 heights in rows of 2, expected two or more whole rows of two or more",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(of_file(text), expected);
    }
    let refused = Simulation::with_files(&scene, &mut NoFiles).unwrap_err().to_string();
    assert_eq!(
        refused,
        "key `objects[0].height_field.file`: found `ground.csv`, which is a file, and there are none here"
    );
}

#[test]
fn a_path_is_replaced_where_there_is_one() {
    let heights = Heights::File("ground.csv".to_owned());
    let source = MeshSource::HeightField(HeightField { heights, cell: [1.0; 2], floor: 0.0 });
    assert_eq!((source.text(), source.file()), ("ground.csv", Some("ground.csv")));
    assert_eq!(source.with_file("/all/ground.csv").file(), Some("/all/ground.csv"));
    assert_eq!(MeshSource::from("a.obj").with_file("b.obj"), MeshSource::from("b.obj"));
    let shape = MeshSource::from("shape:box");
    assert_eq!((shape.clone().with_file("b.obj"), shape.file()), (shape.clone(), None));
}
