//! `xcollide clash`.

#![allow(clippy::unwrap_used)]

use crate::glb::Glb;
use crate::program;

mod bcf;
#[cfg(unix)]
mod engine;
#[cfg(feature = "parquet")]
mod parquet_tables;
mod scenes;

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
    let root = Glb::of(&glb).json;
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
