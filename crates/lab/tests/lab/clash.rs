//! `xcollide clash`.

#![allow(clippy::unwrap_used)]

use crate::program;

mod bcf;

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use program::{Ran, keys, xcollide_at, xcollide_with};
use roxmltree::{Document, Node};
use serde_json::{Value, json};
use tempfile::TempDir;

const HEADER: &str = "id,model,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23,group,floor";

/// A duct through a grating of three bars, a pipe near the duct, and a body inside a tank.
const ROWS: &str = "\
duct,shape:box?x=8&y=3&z=1,1,0,0,0,0,1,0,0,0,0,1,0,ducts,1
bar-1,shape:box?x=1&y=0.5&z=4,1,0,0,0,0,1,0,-1,0,0,1,0,steel,1
bar-2,shape:box?x=1&y=0.5&z=4,1,0,0,0,0,1,0,0,0,0,1,0,steel,1
bar-3,shape:box?x=1&y=0.5&z=4,1,0,0,0,0,1,0,1,0,0,1,0,steel,1
pipe,shape:box?x=8&y=1&z=1,1,0,0,0,0,1,0,2.25,0,0,1,0,pipes,2
tank,shape:box?x=4&y=4&z=4,0,-1,0,20,1,0,0,0,0,0,1,0,vessels,2
probe,shape:box,1,0,0,20,0,1,0,0,0,0,1,0,vessels,2
";

fn place(files: &[(&str, &str)]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("plant.csv"), format!("{HEADER}\n{ROWS}")).unwrap();
    for (name, text) in files {
        std::fs::write(place.path().join(name), text).unwrap();
    }
    place
}

fn clash(at: &TempDir, arguments: &str) -> Ran {
    let arguments = ["clash"].into_iter().chain(arguments.split_whitespace());
    let fixed = [("SOURCE_DATE_EPOCH", "1772377499")];
    xcollide_with(&fixed, at.path(), &arguments.collect::<Vec<_>>(), "")
}

fn pairs(objects: &[Value]) -> Vec<String> {
    let shown = objects.iter().filter(|object| object.get("a").is_some());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    shown.map(|o| format!("{} {} {}", text(&o["a"]), text(&o["b"]), text(&o["kind"]))).collect()
}

#[test]
fn clashes_are_told_in_the_order_of_ids() {
    let place = place(&[]);
    let ran = clash(&place, "plant.csv --json --tolerance 0.3 --depth");
    let objects = ran.json();
    assert_eq!(
        pairs(&objects),
        [
            "bar-1 duct overlapping",
            "bar-2 duct overlapping",
            "bar-3 duct overlapping",
            "duct pipe apart",
            "probe tank enclosed"
        ]
    );
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(keys(lines[0]), ["a", "b", "kind", "distance", "point", "depth", "groups"]);
    assert_eq!(keys(lines[3]), ["a", "b", "kind", "distance", "point", "groups"]);
    assert_eq!(
        (&objects[3]["distance"], &objects[3]["groups"]),
        (&json!(0.25), &json!(["ducts", "pipes"]))
    );
    assert_eq!((&objects[4]["enclosed"], &objects[0]["distance"]), (&json!("probe"), &json!(0.0)));
    let depth = &objects[0]["depth"];
    let [low, high] = ["at_least", "at_most"].map(|key| depth[key].as_f64().unwrap());
    assert!(low <= 0.75 && 0.75 <= high && high - low < 1e-6, "{depth}");
    assert_eq!(
        objects[5],
        json!({"summary": {"instances": 7, "candidates": 5, "clashes": 5, "errors": 0}})
    );
    for threads in [1, 2, 3] {
        let options = format!("plant.csv --json --tolerance 0.3 --depth --threads {threads}");
        assert_eq!(clash(&place, &options).out, ran.out);
    }
}

/// Of an open body the volume is not known, and that is told; the result is the same otherwise.
#[test]
fn volumes_are_told_of_closed_bodies() {
    let open = "OFF\n4 3 0\n0 0 0\n9 0 0\n0 9 0\n0 0 9\n3 0 2 1\n3 0 1 3\n3 1 2 3\n";
    let row = "open,open.off,1,0,0,0,0,1,0,-1.25,0,0,1,0,,";
    let place = place(&[("open.off", open), ("more.csv", &format!("{HEADER}\n{ROWS}{row}\n"))]);
    let ran = clash(&place, "plant.csv --json --volume --depth");
    let lines: Vec<&str> = ran.out.lines().collect();
    let all = ["a", "b", "kind", "distance", "point", "depth", "volume", "groups"];
    assert_eq!(keys(lines[0]), all);
    let objects = ran.json();
    for (object, exact) in objects.iter().zip([0.5, 0.5, 0.5, 8.0]) {
        let [low, high] =
            ["at_least", "at_most"].map(|key| object["volume"][key].as_f64().unwrap());
        assert!(low <= exact && exact <= high && high - low < 1e-8, "{object}");
    }
    let ran = clash(&place, "more.csv --json --volume --out more.csv.csv --report more.html");
    assert_eq!(ran.status, 0);
    let warning = "xcollide: more.csv: 5 clashes have no volume in common that is known; bar-1 – open: the second model is open: ";
    assert!(ran.err.starts_with(warning), "{}", ran.err);
    let objects = ran.objects();
    let without =
        objects.iter().filter(|object| object.get("a").is_some() && object.get("volume").is_none());
    assert!(without.map(|object| &object["b"]).all(|b| b == "open" || b == "pipe"));
    let table = std::fs::read_to_string(place.path().join("more.csv.csv")).unwrap();
    let line = table.lines().find(|line| line.starts_with("bar-1,duct,")).unwrap();
    let cells: Vec<&str> = line.split(',').collect();
    let [low, high] = [12, 13].map(|k| cells[k].parse::<f64>().unwrap());
    assert!(cells.len() == 14 && low <= 0.5 && 0.5 <= high, "{line}");
    assert!(table.lines().any(|line| line.starts_with("bar-1,open,") && line.ends_with(",,,,")));
    let html = std::fs::read_to_string(place.path().join("more.html")).unwrap();
    assert!(html.contains("volume in common"));
    let quiet = clash(&place, "more.csv --json --volume --quiet");
    assert_eq!(&*quiet.err, "");
}

#[test]
fn people_read_a_screenful() {
    let place = place(&[]);
    insta::assert_snapshot!(
        "clashes",
        clash(&place, "plant.csv --tolerance 0.3 --merge 2.5").text()
    );
    assert_eq!(clash(&place, "plant.csv --rules none.toml").status, 2);
    insta::assert_snapshot!("help_clash", clash(&place, "--help").text());
}

#[test]
fn rules_and_options_choose_the_pairs() {
    let rules = "tolerance = 0.1\nmerge = 1.2\n[[test]]\ngroups = ['ducts', '*']\ntolerance = 0.25\n\
                 [[ignore]]\nids = ['bar-2', 'duct']\n";
    let place =
        place(&[("rules.toml", rules), ("wrong.toml", "tolerance = 1\n[[test]]\ngroup = 'a'\n")]);
    let objects = clash(&place, "plant.csv --json --rules rules.toml").json();
    assert_eq!(
        pairs(&objects),
        ["bar-1 duct overlapping", "bar-3 duct overlapping", "duct pipe apart"]
    );
    let issues: Vec<&Value> = objects[..3].iter().map(|object| &object["issue"]).collect();
    assert_eq!(issues, [&json!(0), &json!(1), &json!(2)], "the bars are two lengths apart");
    let objects = clash(&place, "plant.csv --json --rules rules.toml --merge 3.5").json();
    assert_eq!(objects[3]["summary"]["issues"], 2);
    let message = clash(&place, "plant.csv --rules wrong.toml").error(2).to_owned();
    assert!(
        message.starts_with("wrong.toml: line 3, column 1: unknown field `group`"),
        "{message}"
    );
    assert_eq!(clash(&place, "plant.csv --exit-code").status, 10);
    let message = clash(&place, "plant.csv --partitions 3").error(2).to_owned();
    assert!(message.starts_with("found --partitions with the engine memory"), "{message}");
}

/// Options come before what the file says for all pairs, but not before what it says for the groups of a pair.
#[test]
fn options_come_before_the_rules_for_all_pairs() {
    let own = "tolerance = 0.1\n[[test]]\ngroups = ['ducts', 'pipes']\ntolerance = 0.2\n";
    let place = place(&[("all.toml", "tolerance = 0.1\n"), ("own.toml", own)]);
    let found =
        |options: &str| pairs(&clash(&place, &format!("plant.csv --json {options}")).json());
    let gap = "duct pipe apart".to_owned();
    assert!(!found("--rules all.toml").contains(&gap), "they are 0.25 apart");
    assert!(found("--rules all.toml --tolerance 0.3").contains(&gap));
    assert!(!found("--rules own.toml --tolerance 0.3").contains(&gap));
}

#[test]
fn a_row_that_cannot_be_used_is_an_error_and_the_rest_goes_on() {
    let unmoved = "1,0,0,0,0,1,0,0,0,0,1,0";
    let rows = format!(
        "lost,nowhere.off,{unmoved},,\nbroken,broken.off,{unmoved},,\nmirror,shape:box,-1,0,0,0,0,1,0,0,0,0,1,0,,\n\
         duct,shape:box,{unmoved},,\nshort,shape:box,1\n,shape:box,{unmoved},,\n"
    );
    let place = place(&[
        ("more.csv", &format!("{HEADER}\n{ROWS}{rows}")),
        ("broken.off", "OFF\n3 1 0\n0 0 0\n"),
        ("head.csv", "id,model,m00\n"),
    ]);
    let ran = clash(&place, "more.csv --json");
    assert_eq!((ran.status, &*ran.err), (1, ""));
    let objects = ran.objects();
    let errors: Vec<String> = objects
        .iter()
        .filter_map(|object| object.get("error"))
        .map(|error| {
            format!("{}: {}", error["id"].as_str().unwrap(), error["message"].as_str().unwrap())
        })
        .collect();
    insta::assert_snapshot!("errors", errors.join("\n"));
    assert_eq!(pairs(&objects).len(), 4);
    assert_eq!(
        objects.last().unwrap()["summary"],
        json!({"instances": 13, "candidates": 4, "clashes": 4, "errors": 6})
    );
    let text = clash(&place, "more.csv");
    assert_eq!((text.status, text.err.lines().count()), (1, 6));
    let message = clash(&place, "head.csv").error(2).to_owned();
    assert!(message.starts_with("head.csv: line 1: found no column `m01`, expected"), "{message}");
    assert!(clash(&place, "none.csv").error(2).starts_with("none.csv: cannot be read"));
}

/// Nodes of one mesh, one of them turned, below nodes that are their groups.
const SCENE: &str = r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}], "scene": 0,
        "nodes": [{"name": "pipes", "children": [2, 3]}, {"name": "walls", "translation": [0, 0, 0.25], "children": [4]},
          {"name": "P", "mesh": 0}, {"name": "P", "mesh": 0, "translation": [3, 0, 0]},
          {"name": "W", "mesh": 0, "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
            "min": [0, 0, 0], "max": [1, 1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;

#[test]
fn the_nodes_of_a_scene_are_instances() {
    let at = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let place = place(&[("scene.gltf", SCENE)]);
    let objects = clash(&place, "scene.gltf --json --tolerance 0.25").json();
    assert_eq!(pairs(&objects), ["P#2 W apart"]);
    assert_eq!(
        (&objects[0]["groups"], &objects[0]["distance"]),
        (&json!(["pipes", "walls"]), &json!(0.25))
    );
    assert_eq!(objects[1]["summary"]["instances"], 3);
    // One in motion is tested as it is at its beginning.
    let clock = xcollide_at(&at, &["clash", "clock.gltf", "--json"], "").json();
    assert!(clock.last().unwrap()["summary"]["instances"].as_u64() > Some(1));
}

/// A scale belongs to the mesh: thrice as wide, one of the nodes reaches the other.
#[test]
fn scales_of_nodes_are_applied_to_their_meshes() {
    let wide = r#"{"name": "P", "mesh": 0, "scale": [3, 1, 1]}"#;
    let scaled = SCENE.replace(r#"{"name": "P", "mesh": 0}"#, wide);
    assert_ne!(scaled, SCENE);
    let place = place(&[("scene.gltf", SCENE), ("scaled.gltf", &scaled)]);
    assert!(pairs(&clash(&place, "scene.gltf --json").json()).is_empty());
    assert_eq!(pairs(&clash(&place, "scaled.gltf --json").json()), ["P#2 P#3 touching"]);
}

/// A node that moves from another place than that of the file is where its animation begins: there it touches another.
#[test]
fn a_scene_in_motion_is_tested_as_it_begins() {
    let animation = r#"{"channels": [{"sampler": 0, "target": {"node": 3, "path": "translation"}}],
        "samplers": [{"input": 1, "output": 2}]}"#;
    let accessors = r#"{"bufferView": 1, "componentType": 5126, "type": "SCALAR", "count": 2, "min": [0], "max": [1]},
        {"bufferView": 1, "byteOffset": 8, "componentType": 5126, "type": "VEC3", "count": 2}"#;
    // From (1, 0, 0) to (9, 0, 0) within a second.
    let uri = "data:application/octet-stream;base64,AAAAAAAAgD8AAIA/AAAAAAAAAAAAABBBAAAAAAAAAAA=";
    let moving = SCENE
        .replace(r#""meshes": ["#, &format!(r#""animations": [{animation}], "meshes": ["#))
        .replace(r#""max": [1, 1, 0]}]"#, &format!(r#""max": [1, 1, 0]}}, {accessors}]"#))
        .replace(
            r#"{"buffer": 0, "byteLength": 36}"#,
            r#"{"buffer": 0, "byteLength": 36}, {"buffer": 1, "byteLength": 32}"#,
        )
        .replace(r#"AAAAA"}]}"#, &format!(r#"AAAAA"}}, {{"byteLength": 32, "uri": "{uri}"}}]}}"#));
    let place = place(&[("scene.gltf", SCENE), ("moving.gltf", &moving)]);
    assert!(pairs(&clash(&place, "scene.gltf --json").json()).is_empty());
    assert_eq!(pairs(&clash(&place, "moving.gltf --json").json()), ["P#2 P#3 touching"]);
}

#[test]
fn a_broken_node_is_an_error_and_the_others_are_tested() {
    let place = place(&[]);
    // A mesh that does not exist, and a rotation that is none, above another node.
    let broken = SCENE
        .replace(r#""mesh": 0, "translation": [3, 0, 0]"#, r#""mesh": 7"#)
        .replace(r#""nodes": [0, 1]"#, r#""nodes": [0, 1, 5]"#)
        .replace(
            "0.7071067811865476]}",
            r#"0.7071067811865476]},
          {"name": "lost", "mesh": 0, "rotation": [0, 0, 0, 0], "children": [6]}, {"mesh": 0}"#,
        );
    std::fs::write(place.path().join("scene.gltf"), broken).unwrap();
    let ran = clash(&place, "scene.gltf --json --tolerance 0.25");
    assert_eq!((ran.status, &*ran.err), (1, ""));
    let objects = ran.objects();
    let error = |id: &str, message: &str| json!({"error": {"id": id, "message": message}});
    let turned = "node 5: the rotation [0.0, 0.0, 0.0, 0.0], expected a unit quaternion";
    let missing = "node 3: mesh 7, which does not exist, expected a number below 1";
    assert_eq!(
        objects[..3],
        [error("P#3", missing), error("lost", turned), error("node 6", turned)]
    );
    assert_eq!(pairs(&objects), ["P#2 W apart"]);
    let summary = json!({"instances": 5, "candidates": 1, "clashes": 1, "errors": 3});
    assert_eq!(objects[4]["summary"], summary);
    let text = clash(&place, "scene.gltf --tolerance 0.25");
    assert!(text.status == 1 && text.err.contains(&format!("lost: {turned}")), "{}", text.err);
    // What concerns the whole file is bad input.
    let no_tree = SCENE.replace(r#""nodes": [0, 1]"#, r#""nodes": [0, 0]"#);
    std::fs::write(place.path().join("scene.gltf"), no_tree).unwrap();
    assert!(clash(&place, "scene.gltf").error(2).contains("node 0: a node that is reached twice"));
    let no_buffer = SCENE.replace("data:application/octet-stream;base64,", "missing.bin?");
    for text in [&*no_buffer, "no glTF"] {
        std::fs::write(place.path().join("scene.gltf"), text).unwrap();
        assert!(clash(&place, "scene.gltf").error(2).starts_with("scene.gltf: "));
    }
}

#[test]
fn a_table_of_clashes_has_all_digits() {
    let place = place(&[]);
    let ran = clash(&place, "plant.csv --quiet --tolerance 0.3 --depth --out clashes.csv");
    assert_eq!(ran.status, 0);
    let text = std::fs::read_to_string(place.path().join("clashes.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "a,b,kind,distance,x,y,z,group_a,group_b,issue,depth_at_least,depth_at_most,volume_at_least,volume_at_most"
    );
    assert_eq!(lines.len(), 6);
    assert!(
        lines[4].starts_with("duct,pipe,apart,0.25,") && lines[4].ends_with(",ducts,pipes,3,,,,"),
        "{text}"
    );
}

#[test]
fn a_report_begins_with_who_clashes_and_shows_each() {
    let place = place(&[]);
    let ran = clash(&place, "plant.csv --quiet --tolerance 0.3 --depth --report out.html");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let html = std::fs::read_to_string(place.path().join("out.html")).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = Document::parse_with_options(&html, options).unwrap();
    let named = |name: &'static str| {
        document.descendants().filter(move |node| node.tag_name().name() == name)
    };
    let headings: Vec<_> = named("h2").filter_map(|node| node.text()).collect();
    assert_eq!(headings[..3], ["Who clashes", "Each clash in 3-D", "Between which groups"]);
    let table = named("table").next().unwrap();
    let rows: Vec<Vec<String>> = table
        .descendants()
        .filter(|node| node.tag_name().name() == "tr")
        .map(|row| {
            let cells = row.children().filter(Node::is_element);
            cells
                .map(|cell| {
                    cell.descendants()
                        .filter_map(|node| node.text().filter(|_| node.is_text()))
                        .collect()
                })
                .collect()
        })
        .collect();
    assert_eq!(rows[0], ["clash", "who", "kind", "depth or gap", "where", "groups", "issue"]);
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[1][..3], ["0", "probe – tank", "enclosed: probe"]);
    assert_eq!(rows[5][1..4], ["duct – pipe", "within the tolerance", "0.25 apart"]);
    let view = named("div").find(|node| node.attribute("class") == Some("view")).unwrap();
    assert_eq!(view.attribute("data-instants"), Some("5"));
    let focus: Vec<[f64; 4]> = serde_json::from_str(view.attribute("data-focus").unwrap()).unwrap();
    assert_eq!(focus.len(), 5);
    let links: Vec<_> = table.descendants().filter_map(|node| node.attribute("href")).collect();
    assert_eq!(links, ["#moment=0", "#moment=1", "#moment=2", "#moment=3", "#moment=4"]);
}

/// A table and rules from standard input are those of files, and the times are those of two stages.
#[test]
fn a_table_may_come_from_standard_input_and_has_times() {
    let place = place(&[]);
    let table = format!("{HEADER}\n{ROWS}");
    let read = xcollide_at(place.path(), &["clash", "-", "--json"], &table);
    assert_eq!(read.json().len(), 5);
    assert_eq!(read.out, clash(&place, "plant.csv --json").out);
    let rules = "[[ignore]]\nids = ['bar-*', 'duct']\n";
    let ruled = ["clash", "plant.csv", "--json", "--rules", "-"];
    let ruled = xcollide_at(place.path(), &ruled, rules).json();
    assert_eq!(pairs(&ruled), ["probe tank enclosed"]);
    let timed = clash(&place, "plant.csv --json --stats").json();
    let times = timed.last().unwrap()["summary"]["ns"].as_object().unwrap();
    assert_eq!(times.keys().collect::<Vec<_>>(), ["detect", "read"]);
    assert!(times.values().all(|value| value.as_u64() > Some(0)));
}

/// At the first moment one of the two is red, the other blue, and all others are fainter.
#[test]
fn the_two_of_a_clash_are_red_and_blue_among_fainter_ones() {
    let place = place(&[]);
    let ran = clash(&place, "plant.csv --quiet --tolerance 0.3 --depth --report out.html");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let html = std::fs::read_to_string(place.path().join("out.html")).unwrap();
    let (_, data) = html.split_once("<script type=\"application/octet-stream\">").unwrap();
    let glb = STANDARD.decode(data.split('<').next().unwrap()).unwrap();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let root: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let nodes = root["nodes"].as_array().unwrap();
    let mut shown = BTreeMap::new();
    for node in nodes {
        for child in node["children"].as_array().into_iter().flatten() {
            let child = &nodes[child.as_u64().unwrap() as usize];
            let is_part = ["first", "second", "other"].iter().any(|part| child["name"] == *part);
            if !is_part || child["scale"] == json!([0.0, 0.0, 0.0]) {
                continue;
            }
            let mesh = &root["meshes"][child["mesh"].as_u64().unwrap() as usize];
            let material = mesh["primitives"][0]["material"].as_u64().unwrap() as usize;
            let look = &root["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"];
            let color: [f64; 4] = serde_json::from_value(look.clone()).unwrap();
            shown.insert(node["name"].as_str().unwrap().to_owned(), color);
        }
    }
    assert_eq!(shown.len(), 7, "each instance once: {shown:?}");
    let mut two = ["probe", "tank"].map(|name| shown.remove(name).unwrap());
    two.sort_by(|a, b| b[0].total_cmp(&a[0]));
    let [red, blue] = two;
    assert!(red[0] > red[1].max(red[2]) && blue[2] > blue[0].max(blue[1]), "{red:?} {blue:?}");
    assert!(shown.values().all(|[.., opacity]| *opacity < 0.5 * red[3].min(blue[3])), "{shown:?}");
}

/// What is written as Parquet can be read as a table by others; here by the same crate.
#[cfg(feature = "parquet")]
mod parquet_tables {
    use std::sync::Arc;

    use bytes::Bytes;
    use parquet::basic::{Compression, GzipLevel};
    use parquet::column::writer::ColumnWriter;
    use parquet::data_type::ByteArray;
    use parquet::file::properties::WriterProperties;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::record::RowAccessor;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    #[test]
    fn clashes_are_those_of_the_csv_table() {
        let place = place(&[]);
        for out in ["clashes.csv", "clashes.parquet", "again.parquet"] {
            let options = format!("plant.csv --quiet --tolerance 0.3 --depth --volume --out {out}");
            assert_eq!(clash(&place, &options).status, 0);
        }
        let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
        assert_eq!(read("clashes.parquet"), read("again.parquet"));
        let csv = String::from_utf8(read("clashes.csv")).unwrap();
        let reader = SerializedFileReader::new(Bytes::from(read("clashes.parquet"))).unwrap();
        let mut lines = csv.lines();
        let names: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let fields = reader.metadata().file_metadata().schema().get_fields();
        assert_eq!(fields.iter().map(|field| field.name().to_owned()).collect::<Vec<_>>(), names);
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 5);
        for (row, line) in rows.iter().zip(lines) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(
                [0, 1, 2, 7].map(|k| row.get_string(k).unwrap().as_str()),
                [0, 1, 2, 7].map(|k| cells[k])
            );
            assert_eq!(row.get_double(4).unwrap(), cells[4].parse::<f64>().unwrap());
            for k in 10..14 {
                assert_eq!(row.get_double(k).ok(), cells[k].parse::<f64>().ok());
            }
        }
    }

    /// A table of cubes with x = 0, 0.75, … and their meshes in lists; the last one has a vertex too many.
    fn meshes(last: f64) -> Vec<u8> {
        let numbers: String =
            ["m00", "m01", "m02", "m03", "m10", "m11", "m12", "m13", "m20", "m21", "m22", "m23"]
                .map(|name| format!("REQUIRED DOUBLE {name};"))
                .concat();
        let list = |name: &str, kind: &str| {
            format!(
                "REQUIRED GROUP {name} (LIST) {{ REPEATED GROUP list {{ REQUIRED {kind} element; }} }}"
            )
        };
        let schema = format!(
            "message table {{ REQUIRED INT64 id; {numbers} {} {} }}",
            list("vertices", "DOUBLE"),
            list("triangles", "INT32")
        );
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].concat();
        let triangles = vec![0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
        let schema = Arc::new(parse_message_type(&schema).unwrap());
        let mut bytes = Vec::new();
        let mut writer =
            SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::default()))
                .unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut place = 0;
        let rows = 3;
        while let Some(mut column) = group.next_column().unwrap() {
            let levels = |length: usize| {
                let repeated: Vec<i16> =
                    (0..rows * length).map(|k| i16::from(k % length != 0)).collect();
                (vec![1; rows * length], repeated)
            };
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(to) => {
                    to.write_batch(&[9_007_199_254_740_993, 9_007_199_254_740_992, 3], None, None)
                        .unwrap();
                }
                ColumnWriter::Int32ColumnWriter(to) => {
                    let (defined, repeated) = levels(12);
                    to.write_batch(&triangles.repeat(rows), Some(&defined), Some(&repeated))
                        .unwrap();
                }
                ColumnWriter::DoubleColumnWriter(to) if place == 13 => {
                    let (defined, repeated) = levels(12);
                    to.write_batch(&corners.repeat(rows), Some(&defined), Some(&repeated)).unwrap();
                }
                ColumnWriter::DoubleColumnWriter(to) => {
                    let one = f64::from(u8::from([1, 6, 11].contains(&place)));
                    let values = if place == 4 { [0.0, 0.5, last] } else { [one; 3] };
                    to.write_batch(&values, None, None).unwrap();
                }
                _ => unreachable!(),
            }
            column.close().unwrap();
            place += 1;
        }
        group.close().unwrap();
        writer.close().unwrap();
        bytes
    }

    /// Three boxes at x = 0, 0.75 and 5.
    #[test]
    fn columns_may_have_any_type_and_be_compressed() {
        let names =
            ["m00", "m01", "m02", "m03", "m10", "m11", "m12", "m13", "m20", "m21", "m22", "m23"];
        let kinds = ["DOUBLE", "INT32", "INT64", "FLOAT", "BYTE_ARRAY"].into_iter().cycle();
        let column = |(name, kind): (&str, &str)| {
            let text = if kind == "BYTE_ARRAY" { "(UTF8)" } else { "" };
            format!("REQUIRED {kind} {name} {text};")
        };
        let numbers: String = names.into_iter().zip(kinds).map(column).collect();
        let schema = format!(
            "message table {{ REQUIRED BYTE_ARRAY id (UTF8); REQUIRED BYTE_ARRAY model (UTF8); {numbers} }}"
        );
        let folder = place(&[]);
        let gzip = Compression::GZIP(GzipLevel::default());
        for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, gzip] {
            let schema = Arc::new(parse_message_type(&schema).unwrap());
            let properties = WriterProperties::builder().set_compression(compression).build();
            let mut bytes = Vec::new();
            let mut writer =
                SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
            let mut group = writer.next_row_group().unwrap();
            let mut at = 0;
            while let Some(mut column) = group.next_column().unwrap() {
                let numbers: [f64; 3] = match at {
                    5 => [0.0, 0.75, 5.0],
                    2 | 7 | 12 => [1.0; 3],
                    _ => [0.0; 3],
                };
                match column.untyped() {
                    ColumnWriter::ByteArrayColumnWriter(to) => {
                        let texts = match at {
                            0 => ["a", "b", "c"].map(str::to_owned),
                            1 => ["shape:box"; 3].map(str::to_owned),
                            _ => numbers.map(|number| number.to_string()),
                        };
                        let texts = texts.map(|text| ByteArray::from(text.as_str()));
                        to.write_batch(&texts, None, None).unwrap();
                    }
                    ColumnWriter::DoubleColumnWriter(to) => {
                        to.write_batch(&numbers, None, None).unwrap();
                    }
                    ColumnWriter::FloatColumnWriter(to) => {
                        to.write_batch(&numbers.map(|number| number as f32), None, None).unwrap();
                    }
                    ColumnWriter::Int32ColumnWriter(to) => {
                        to.write_batch(&numbers.map(|number| number as i32), None, None).unwrap();
                    }
                    ColumnWriter::Int64ColumnWriter(to) => {
                        to.write_batch(&numbers.map(|number| number as i64), None, None).unwrap();
                    }
                    _ => unreachable!(),
                }
                column.close().unwrap();
                at += 1;
            }
            group.close().unwrap();
            writer.close().unwrap();
            std::fs::write(folder.path().join("any.parquet"), &bytes).unwrap();
            let ran = clash(&folder, "any.parquet --json");
            assert_eq!(pairs(&ran.json()), ["a b overlapping"], "{compression:?}");
        }
    }

    #[test]
    fn meshes_may_be_lists() {
        let place = place(&[]);
        let write =
            |name: &str, bytes: &[u8]| std::fs::write(place.path().join(name), bytes).unwrap();
        write("good.parquet", &meshes(5.0));
        let ran = clash(&place, "good.parquet --json");
        // Whole numbers keep all their digits.
        assert_eq!(pairs(&ran.json()), ["9007199254740992 9007199254740993 overlapping"]);
        write("wrong.parquet", &meshes(f64::NAN));
        let objects = clash(&place, "wrong.parquet --json").objects();
        let message = objects[0]["error"]["message"].as_str().unwrap();
        assert_eq!(message, "row 3, column 5, m03: found `NaN`, expected a finite number");
        let good = meshes(5.0);
        write("short.parquet", &good[..good.len() / 2]);
        let message = clash(&place, "short.parquet").error(2).to_owned();
        assert!(message.starts_with("short.parquet: cannot be read: "), "{message}");
    }
}
