//! Issues as BCF.

use std::collections::BTreeSet;
use std::io::Read;

use super::*;

fn all_files(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
    (0..zip.len())
        .map(|number| {
            let mut file = zip.by_index(number).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

/// The files of XML.
fn files(archive: &[u8]) -> Vec<(String, String)> {
    let files = all_files(archive).into_iter().filter(|(name, _)| !name.ends_with(".png"));
    files.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect()
}

/// The pixels of a picture, rows from the top, after its checksums and sizes have been found right.
fn pixels(png: &[u8]) -> Vec<Vec<[u8; 3]>> {
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let number = |at: usize| u32::from_be_bytes(rest[at..at + 4].try_into().unwrap());
        let length = number(0) as usize;
        let mut sum = flate2::Crc::new();
        sum.update(&rest[4..8 + length]);
        assert_eq!(sum.sum(), number(8 + length));
        chunks.push((&rest[4..8], &rest[8..8 + length]));
        rest = &rest[12 + length..];
    }
    let names: Vec<&[u8]> = chunks.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, [b"IHDR", b"IDAT", b"IEND"]);
    assert_eq!(chunks[0].1, [0, 0, 1, 44, 0, 0, 0, 200, 8, 2, 0, 0, 0], "300 by 200, colours");
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(chunks[1].1).read_to_end(&mut bytes).unwrap();
    let rows = bytes.chunks(1 + 3 * 300).map(|row| {
        assert_eq!(row[0], 0, "no filter");
        row[1..].as_chunks::<3>().0.to_vec()
    });
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), 200);
    rows
}

/// Both bodies of a clash are in its picture, also one within the other, with a spot where they meet, in the middle.
#[test]
fn bcf_has_a_picture_of_each_issue() {
    let place = place(&[]);
    for version in ["2.1", "3.0"] {
        let options =
            format!("plant.csv --quiet --tolerance 0.3 --bcf-version {version} --out out.bcf");
        assert_eq!(clash(&place, &options).status, 0);
        let files = all_files(&std::fs::read(place.path().join("out.bcf")).unwrap());
        let pictures: Vec<_> =
            files.iter().filter(|(name, _)| name.ends_with("/snapshot.png")).collect();
        assert_eq!(pictures.len(), 5);
        for (name, png) in pictures {
            let rows = pixels(png);
            let count =
                |is: &dyn Fn([u8; 3]) -> bool| rows.iter().flatten().filter(|&&p| is(p)).count();
            let red = count(&|[r, g, _]| r > g);
            let blue = count(&|[r, _, b]| b > r && b != 248);
            let empty = count(&|pixel| pixel == [246, 246, 248]);
            assert!(red > 300 && blue > 300 && empty > 300, "{name}: {red} {blue} {empty}");
            assert_eq!(rows[100][150], [242, 190, 20], "{name}: the spot");
            let folder = name.strip_suffix("snapshot.png").unwrap();
            let (_, markup) =
                files.iter().find(|(name, _)| *name == format!("{folder}markup.bcf")).unwrap();
            let markup = String::from_utf8(markup.clone()).unwrap();
            let document = Document::parse(&markup).unwrap();
            let reference =
                find(&document, if version == "3.0" { "ViewPoint" } else { "Viewpoints" });
            assert_eq!(children(reference), ["Viewpoint", "Snapshot"]);
            assert_eq!(find(&document, "Snapshot").text(), Some("snapshot.png"));
        }
    }
}

/// The names of the elements below a node, in order.
fn children(node: Node<'_, '_>) -> Vec<String> {
    node.children().filter(Node::is_element).map(|one| one.tag_name().name().to_owned()).collect()
}

fn find<'a>(document: &'a Document<'_>, name: &str) -> Node<'a, 'a> {
    document.descendants().find(|node| node.has_tag_name(name)).unwrap()
}

/// The structure is that of the schemas of buildingSMART, whose sequences are in order.
#[test]
fn bcf_has_a_topic_and_a_viewpoint_for_each_issue() {
    let place = place(&[]);
    let guid = |text: &str| {
        let parts: Vec<usize> = text.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12], "{text}");
        assert!(text.bytes().all(|byte| b"0123456789abcdef-".contains(&byte)), "{text}");
    };
    for version in ["2.1", "3.0"] {
        let run = |threads: usize, out: &str| {
            let options = format!(
                "plant.csv --quiet --tolerance 0.3 --merge 2.5 --bcf-version {version} --threads {threads} --out {out}"
            );
            assert_eq!(clash(&place, &options).status, 0);
            std::fs::read(place.path().join(out)).unwrap()
        };
        let archive = run(1, "one.bcf");
        assert_eq!(run(2, "two.bcfzip"), archive, "same bytes at any number of threads");
        let files = files(&archive);
        let is_new = version == "3.0";
        assert_eq!(files.len(), 1 + usize::from(is_new) + 2 * 3, "three issues");
        let parsed = Document::parse(&files[0].1).unwrap();
        assert_eq!(files[0].0, "bcf.version");
        assert_eq!(parsed.root_element().attribute("VersionId"), Some(version));
        if is_new {
            let parsed = Document::parse(&files[1].1).unwrap();
            let lists = [
                "TopicTypes",
                "TopicStatuses",
                "Priorities",
                "TopicLabels",
                "Users",
                "SnippetTypes",
                "Stages",
            ];
            assert_eq!(
                (&*files[1].0, children(parsed.root_element())),
                ("extensions.xml", lists.map(str::to_owned).to_vec())
            );
        }
        let topics: Vec<_> =
            files.iter().filter(|(name, _)| name.ends_with("/markup.bcf")).collect();
        for (number, (name, text)) in topics.iter().enumerate() {
            let document = Document::parse(text).unwrap();
            let topic = find(&document, "Topic");
            let folder = topic.attribute("Guid").unwrap();
            guid(folder);
            assert_eq!(*name, format!("{folder}/markup.bcf"));
            assert_eq!(find(&document, "Index").text(), Some(&*(number + 1).to_string()));
            let mut inside =
                vec!["Title", "Index", "CreationDate", "CreationAuthor", "Description"];
            let mut outside = vec!["Topic"];
            if is_new {
                inside.push("Viewpoints");
            } else {
                outside.push("Viewpoints");
            }
            assert_eq!(children(topic), inside);
            assert_eq!(children(document.root_element()), outside);
            assert_eq!(find(&document, "CreationDate").text(), Some("2026-03-01T15:04:59Z"));
            let reference = find(&document, if is_new { "ViewPoint" } else { "Viewpoints" });
            guid(reference.attribute("Guid").unwrap());
            let viewpoint = format!("{folder}/viewpoint.bcfv");
            let (_, text) = files.iter().find(|(name, _)| *name == viewpoint).unwrap();
            let document = Document::parse(text).unwrap();
            let root = document.root_element();
            assert_eq!(root.attribute("Guid"), reference.attribute("Guid"));
            assert_eq!(children(root), ["Components", "PerspectiveCamera"]);
            assert_eq!(
                children(find(&document, "Components")),
                ["Selection", "Visibility", "Coloring"]
            );
            let camera = find(&document, "PerspectiveCamera");
            let mut parts =
                vec!["CameraViewPoint", "CameraDirection", "CameraUpVector", "FieldOfView"];
            parts.extend(is_new.then_some("AspectRatio"));
            assert_eq!(children(camera), parts);
            let numbers = camera
                .descendants()
                .filter(|node| node.is_text() && !node.text().unwrap().trim().is_empty());
            assert!(
                numbers
                    .map(|node| node.text().unwrap().parse::<f64>().unwrap())
                    .all(f64::is_finite)
            );
        }
        let grating = Document::parse(&topics[0].1).unwrap();
        assert_eq!(
            find(&grating, "Title").text(),
            Some("steel – ducts: 3 clashes, first bar-1 – duct")
        );
        let view = files.iter().find(|(name, _)| name.ends_with("viewpoint.bcfv")).unwrap();
        let view = Document::parse(&view.1).unwrap();
        let ids: Vec<_> = view
            .descendants()
            .filter(|node| node.has_tag_name("AuthoringToolId"))
            .map(|node| node.text().unwrap())
            .collect();
        assert_eq!(ids[..4], ["bar-1", "bar-2", "bar-3", "duct"]);
    }
}

/// The camera looks down; the first instance is red, the second blue, and both are selected.
#[test]
fn viewpoints_look_from_above_at_what_is_red_and_blue() {
    let place = place(&[]);
    for version in ["2.1", "3.0"] {
        let options = format!("plant.csv --quiet --bcf-version {version} --out out.bcf");
        assert_eq!(clash(&place, &options).status, 0);
        let files = files(&std::fs::read(place.path().join("out.bcf")).unwrap());
        let views: Vec<&String> = files
            .iter()
            .filter(|(name, _)| name.ends_with("viewpoint.bcfv"))
            .map(|(_, text)| text)
            .collect();
        let expected = [["bar-1", "duct"], ["bar-2", "duct"], ["bar-3", "duct"], ["probe", "tank"]];
        assert_eq!(views.len(), expected.len());
        for (text, pair) in views.into_iter().zip(expected) {
            let view = Document::parse(text).unwrap();
            let direction = find(&view, "CameraDirection");
            let down = direction.children().find(|part| part.has_tag_name("Z")).unwrap();
            assert!(down.text().unwrap().parse::<f64>().unwrap() < -0.1, "{text}");
            let ids = |node: Node<'_, '_>| -> Vec<String> {
                let ids = node.descendants().filter(|one| one.has_tag_name("AuthoringToolId"));
                ids.map(|id| id.text().unwrap().to_owned()).collect()
            };
            assert_eq!(ids(find(&view, "Selection")), pair);
            let colors = view.descendants().filter(|node| node.has_tag_name("Color"));
            let colored: Vec<_> =
                colors.map(|node| (node.attribute("Color").unwrap(), ids(node))).collect();
            let [first, second] = pair.map(|id| vec![id.to_owned()]);
            assert_eq!(colored, [("FFE0301E", first), ("FF1E6EE0", second)]);
        }
    }
}

/// GUIDs of issues are derived from the ids: bodies that were moved and others that came keep them.
#[test]
fn issues_keep_their_guids_in_the_next_check() {
    let moved = ROWS.replace("bar-1,shape:box?x=1", "bar-1,shape:box?x=1.25");
    let more = "bar-4,shape:box?x=1&y=0.5&z=4,1,0,0,0,0,1,0,0.5,0,0,1,0,steel,1\n";
    let place = place(&[("next.csv", &format!("{HEADER}\n{more}{moved}"))]);
    let guids = |table: &str| -> Vec<(String, String)> {
        let options = format!("{table} --quiet --tolerance 0.3 --out out.bcf");
        assert_eq!(clash(&place, &options).status, 0);
        let files = files(&std::fs::read(place.path().join("out.bcf")).unwrap());
        let topics = files.iter().filter(|(name, _)| name.ends_with("/markup.bcf"));
        let guids = topics.map(|(_, text)| {
            let document = Document::parse(text).unwrap();
            let title = find(&document, "Title").text().unwrap();
            let guid = find(&document, "Topic").attribute("Guid").unwrap();
            (title.to_owned(), guid.to_owned())
        });
        guids.collect()
    };
    let (before, after) = (guids("plant.csv"), guids("next.csv"));
    assert_eq!(before.len(), 5);
    assert!(after.len() > 5 && before.iter().all(|issue| after.contains(issue)), "{after:?}");
    let all: BTreeSet<&String> = after.iter().map(|(_, guid)| guid).collect();
    assert_eq!(all.len(), after.len(), "each has its own");
}

/// A column `ifc_guid` names the element, if it has a GUID of IFC.
#[test]
fn the_attribute_ifc_guid_names_the_element() {
    let (unmoved, guid) = ("1,0,0,0,0,1,0,0,0,0,1,0", "2O2Fr$t4X7Zf8NOew3FNr2");
    let header = HEADER.replace("floor", "ifc_guid");
    let rows = format!("a,shape:box,{unmoved},,{guid}\nb,shape:box,{unmoved},,none\n");
    let place = place(&[("ifc.csv", &format!("{header}\n{rows}"))]);
    assert_eq!(clash(&place, "ifc.csv --quiet --out ifc.bcf").status, 0);
    let files = files(&std::fs::read(place.path().join("ifc.bcf")).unwrap());
    let (_, view) = files.iter().find(|(name, _)| name.ends_with("viewpoint.bcfv")).unwrap();
    let view = Document::parse(view).unwrap();
    let components = view.descendants().filter(|node| node.has_tag_name("Component"));
    let named: BTreeSet<_> = components
        .map(|node| {
            let id = node.children().find(|child| child.has_tag_name("AuthoringToolId")).unwrap();
            (id.text().unwrap(), node.attribute("IfcGuid"))
        })
        .collect();
    assert_eq!(named, BTreeSet::from([("a", Some(guid)), ("b", None)]));
}

/// Ids are text of strangers: they may be markup, hold no legal XML, or be GUIDs of IFC.
#[test]
fn any_id_gives_well_formed_xml() {
    let unmoved = "1,0,0,0,0,1,0,0,0,0,1,0";
    let guid = "2O2Fr$t4X7Zf8NOew3FNr2";
    let ids = ["<a & 'b'>", "\u{1}\u{b}", "\"\"x\"\"", guid, "ünï"];
    let rows: String = ids.map(|id| format!("\"{id}\",shape:box,{unmoved},,\n")).concat();
    let place = place(&[("odd.csv", &format!("{HEADER}\n{rows}"))]);
    let ran = clash(&place, "odd.csv --quiet --out odd.bcf --report odd.html");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let files = files(&std::fs::read(place.path().join("odd.bcf")).unwrap());
    assert_eq!(files.len(), 1 + 2 * 10);
    for (name, text) in &files {
        assert!(Document::parse(text).is_ok(), "{name}: {text}");
    }
    let text: String = files.into_iter().map(|(_, text)| text).collect();
    assert!(
        text.contains(&format!("<Component IfcGuid=\"{guid}\">")) && text.contains("&lt;a &amp; ")
    );
}
