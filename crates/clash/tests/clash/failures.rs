//! Instances that cannot be tested.

use std::sync::atomic::{AtomicUsize, Ordering};

use xcollide_brep::PolygonMesh;
use xcollide_clash::{ClashDetector, Instance, InstanceSet, Rules};
use xcollide_narrow::Model;

use crate::boxes::{cuboid, cuboid_at};

#[test]
fn each_row_that_cannot_be_used_is_told_and_the_rest_is_tested() {
    let cube = |id: &str| cuboid_at(id, "", [1; 3], [0; 3], 0);
    let with_model = |id: &str, model: &str| Instance { model: model.to_owned(), ..cube(id) };
    let mut turned = cube("turned");
    turned.pose[0] = 2.0;
    let mut endless = cube("endless");
    endless.pose[3] = f64::INFINITY;
    let mut far = with_model("far", "huge");
    far.pose[3] = 1.7e308;
    let rows = vec![
        cube("b"),
        turned,
        with_model("m2", "missing"),
        cube("a"),
        with_model("m1", "missing"),
        endless,
        with_model("nothing", "empty"),
        far,
        Instance { group: "second".to_owned(), ..cube("b") },
    ];
    let calls = AtomicUsize::new(0);
    let set = InstanceSet::load(rows, |reference| {
        calls.fetch_add(1, Ordering::Relaxed);
        match reference {
            "missing" => Err("cannot be read".to_owned()),
            "empty" => Model::from_mesh(PolygonMesh::new()).map_err(|error| error.to_string()),
            "huge" => cuboid("1e308 1 1").map_err(|error| error.to_string()),
            other => cuboid(other).map_err(|error| error.to_string()),
        }
    });
    assert_eq!(calls.into_inner(), 4, "each model is loaded once");
    let told: Vec<(&str, String)> = set
        .failures()
        .iter()
        .map(|failure| (failure.id.as_str(), failure.error.to_string()))
        .collect();
    let ids: Vec<&str> = told.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, ["b", "endless", "far", "m1", "m2", "nothing", "turned"]);
    assert_eq!(told[0].1, "found the id a second time, expected each id once");
    assert_eq!(told[3].1, "the model `missing`: cannot be read");
    assert_eq!(told[5].1, "the model `empty`: found no faces, expected at least one");
    assert!(told[6].1.starts_with("the matrix is no rotation: "), "{}", told[6].1);
    let found = ClashDetector::new(Rules::new()).detect(&set);
    let pairs: Vec<_> =
        found.clashes.iter().map(|c| c.pair.map(|id| &*set.instance(id).id)).collect();
    assert_eq!((set.len(), pairs), (2, vec![["a", "b"]]));
    assert_eq!(set.instance(found.clashes[0].pair[1]).group, "", "the first of two rows stays");
}

#[test]
fn an_empty_set_has_no_clashes() {
    let set = InstanceSet::load(Vec::new(), cuboid);
    let found = ClashDetector::new(Rules::new().merge(1.0)).detect(&set);
    assert!(set.is_empty() && found.clashes.is_empty() && found.candidates == 0);
}
