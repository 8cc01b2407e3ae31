//! Issues as BCF, the BIM Collaboration Format of buildingSMART, versions 2.1 and 3.0: a ZIP archive with a folder for each
//! issue, in it its topic (`markup.bcf`), a viewpoint (`viewpoint.bcfv`) and a picture (`snapshot.png`).
//!
//! The same clashes give the same bytes: GUIDs are derived from the ids of the instances (UUID version 5), so that a viewer
//! knows an issue again, and the date is a parameter. Coordinates are written as they are; BCF reads them as metres.
//!
//! Source: buildingSMART, <https://github.com/buildingSMART/BCF-XML>, schemas of `release_2_1` and `release_3_0`.

mod camera;
mod png;
mod snapshot;
mod topic;
mod viewpoint;

use std::collections::BTreeSet;
use std::io::{Cursor, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use uuid::Uuid;
use xcollide_clash::{Clash, Clashes, InstanceId, InstanceSet};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::focus::Focus;
use crate::exit::Failure;
use camera::Camera;

/// The version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BcfVersion {
    V2_1,
    V3_0,
}

impl BcfVersion {
    fn name(self) -> &'static str {
        match self {
            Self::V2_1 => "2.1",
            Self::V3_0 => "3.0",
        }
    }
}

/// The name of a picture beside its topic.
const SNAPSHOT: &str = "snapshot.png";
/// The namespace of the GUIDs.
const NAMESPACE: Uuid = Uuid::from_u128(0x3d7c_2f5e_94b1_5d0a_8e66_c0a1_1de0_2026);
/// The author of the issues in the file.
const AUTHOR: &str = "xcollide";
const TOPIC_TYPE: &str = "Clash";
const TOPIC_STATUS: &str = "Open";
/// Colours of the first and the second of a pair: red, green and blue.
const COLORS: [[u8; 3]; 2] = [[0xE0, 0x30, 0x1E], [0x1E, 0x6E, 0xE0]];
/// Issues with a picture, the first ones: one takes some milliseconds.
const MOST_PICTURES: usize = 2000;

/// An issue with what its files need.
struct Issue<'s> {
    guid: Uuid,
    viewpoint: Uuid,
    number: usize,
    clashes: Vec<&'s Clash>,
    set: &'s InstanceSet,
    version: BcfVersion,
    /// When the issue was found: `2026-03-01T15:04:00Z`.
    date: &'s str,
}

impl Issue<'_> {
    /// The instances of each side of its pairs.
    fn sides(&self) -> [BTreeSet<InstanceId>; 2] {
        [0, 1].map(|side| self.clashes.iter().map(|clash| clash.pair[side]).collect())
    }

    fn camera(&self) -> Camera {
        Camera::of(&Focus::of(&self.clashes, self.set))
    }

    fn has_picture(&self) -> bool {
        self.number < MOST_PICTURES
    }
}

/// The archive. The threads of rayon's current pool draw the pictures.
pub(crate) fn archive(
    clashes: &Clashes,
    set: &InstanceSet,
    version: BcfVersion,
    date: &str,
) -> Result<Vec<u8>, Failure> {
    let failed = |error: zip::result::ZipError| Failure::Failed(error.to_string());
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut add = |name: &str, content: std::io::Result<Vec<u8>>| -> Result<(), Failure> {
        zip.start_file(name, options).map_err(failed)?;
        Ok(zip.write_all(&content?)?)
    };
    add("bcf.version", version_file(version))?;
    if version == BcfVersion::V3_0 {
        add("extensions.xml", extensions())?;
    }
    let issues = clashes.by_issue().into_iter().enumerate().map(|(number, clashes)| {
        let guid = guid(&clashes, set);
        let viewpoint = Uuid::new_v5(&guid, b"viewpoint");
        Issue { guid, viewpoint, number, clashes, set, version, date }
    });
    let issues: Vec<Issue<'_>> = issues.collect();
    // As many at once as need little memory.
    for issues in issues.chunks(256) {
        let draw = |issue: &Issue<'_>| issue.has_picture().then(|| snapshot::snapshot(issue));
        let pictures: Vec<Option<std::io::Result<Vec<u8>>>> = issues.par_iter().map(draw).collect();
        for (issue, picture) in issues.iter().zip(pictures) {
            let guid = issue.guid;
            add(&format!("{guid}/markup.bcf"), topic::markup(issue))?;
            add(&format!("{guid}/viewpoint.bcfv"), viewpoint::viewpoint(issue))?;
            if let Some(picture) = picture {
                add(&format!("{guid}/{SNAPSHOT}"), picture)?;
            }
        }
    }
    Ok(zip.finish().map_err(failed)?.into_inner())
}

/// The GUID of an issue: from the ids of its pairs.
fn guid(clashes: &[&Clash], set: &InstanceSet) -> Uuid {
    let mut name = Vec::new();
    for id in clashes.iter().flat_map(|clash| clash.pair) {
        let id = set.instance(id).id.as_bytes();
        // The length keeps apart what would be the same text.
        name.extend((id.len() as u64).to_be_bytes());
        name.extend(id);
    }
    Uuid::new_v5(&NAMESPACE, &name)
}

fn version_file(version: BcfVersion) -> std::io::Result<Vec<u8>> {
    document(|xml| {
        let element = xml.create_element("Version").with_attribute(("VersionId", version.name()));
        match version {
            BcfVersion::V2_1 => element
                .write_inner_content(|xml| text(xml, "DetailedVersion", version.name()))
                .map(drop),
            BcfVersion::V3_0 => element.write_empty().map(drop),
        }
    })
}

/// The words that topics use, which version 3.0 asks for.
fn extensions() -> std::io::Result<Vec<u8>> {
    document(|xml| {
        within(xml, "Extensions", |xml| {
            within(xml, "TopicTypes", |xml| text(xml, "TopicType", TOPIC_TYPE))?;
            within(xml, "TopicStatuses", |xml| text(xml, "TopicStatus", TOPIC_STATUS))?;
            for list in ["Priorities", "TopicLabels"] {
                xml.create_element(list).write_empty()?;
            }
            within(xml, "Users", |xml| text(xml, "User", AUTHOR))?;
            for list in ["SnippetTypes", "Stages"] {
                xml.create_element(list).write_empty()?;
            }
            Ok(())
        })
    })
}

type Xml = Writer<Vec<u8>>;

/// A file with its declaration.
fn document(content: impl FnOnce(&mut Xml) -> std::io::Result<()>) -> std::io::Result<Vec<u8>> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    content(&mut xml)?;
    let mut bytes = xml.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

/// An element with text.
fn text(xml: &mut Xml, name: &str, value: &str) -> std::io::Result<()> {
    xml.create_element(name).write_text_content(BytesText::new(&legal(value))).map(drop)
}

/// An element with elements.
fn within(
    xml: &mut Xml,
    name: &str,
    content: impl FnOnce(&mut Xml) -> std::io::Result<()>,
) -> std::io::Result<()> {
    xml.create_element(name).write_inner_content(content).map(drop)
}

/// The text without characters that XML 1.0 does not have.
fn legal(text: &str) -> String {
    let is_legal = |c: char| {
        matches!(c, '\t' | '\n' | '\r') || c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    text.chars().map(|c| if is_legal(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}
