//! Reads a URDF file with the `urdf-rs` crate, and the lines of its elements.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::RobotError;
use super::error::FileErrors;
use crate::error::excerpt;

/// Greatest depth of elements: deeper ones would overflow the stack of readers.
const DEEPEST: usize = 64;

/// A robot with the lines of its links and joints.
#[derive(Debug)]
pub(super) struct UrdfFile<'a> {
    pub(super) robot: urdf_rs::Robot,
    pub(super) errors: FileErrors<'a>,
    lines: BTreeMap<(String, String), usize>,
}

pub(super) fn read_urdf<'a>(text: &str, file: &'a str) -> Result<UrdfFile<'a>, RobotError> {
    let errors = FileErrors::of(file);
    let document = parse(text, errors)?;
    let line = |node: &Node<'_, '_>| document.text_pos_at(node.range().start).row as usize;
    let root = document.root_element();
    let mut lines = BTreeMap::new();
    for node in
        root.children().filter(|node| node.has_tag_name("link") || node.has_tag_name("joint"))
    {
        let kind = node.tag_name().name();
        let Some(name) = node.attribute("name").filter(|name| !name.is_empty()) else {
            return Err(errors.element(
                Some(line(&node)),
                kind,
                "no name",
                "`name` of some letters",
            ));
        };
        let before = lines.insert((kind.to_owned(), name.to_owned()), line(&node));
        if let Some(before) = before {
            let element = format!("{kind} `{}`", excerpt(name));
            let found = format!("its name again, first in line {before}");
            return Err(errors.element(Some(line(&node)), element, found, "another name"));
        }
    }
    let robot = urdf_rs::read_from_string(text)
        .map_err(|error| errors.syntax(None, &format!("found no robot, expected URDF: {error}")))?;
    Ok(UrdfFile { robot, errors, lines })
}

impl UrdfFile<'_> {
    pub(super) fn line(&self, kind: &str, name: &str) -> Option<usize> {
        self.lines.get(&(kind.to_owned(), name.to_owned())).copied()
    }

    /// The error that an element of this kind and name is invalid.
    pub(super) fn wrong(
        &self,
        [kind, name]: [&str; 2],
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> RobotError {
        let element = format!("{kind} `{}`", excerpt(name));
        self.errors.element(self.line(kind, name), element, found, expected)
    }
}

/// The XML of a file whose root is a robot.
pub(super) fn parse<'t>(text: &'t str, errors: FileErrors<'_>) -> Result<Document<'t>, RobotError> {
    let document = Document::parse(text).map_err(|error| {
        let message = error.to_string();
        // Without the position, which is reported separately.
        let message = message.rsplit_once(" at ").map_or(message.as_str(), |(message, _)| message);
        errors.syntax(Some(error.pos().row as usize), &format!("found {message}, expected XML"))
    })?;
    let root = document.root_element();
    if !root.has_tag_name("robot") {
        let found = format!("the root `{}`", excerpt(root.tag_name().name()));
        let line = document.text_pos_at(root.range().start).row as usize;
        return Err(errors.element(
            Some(line),
            "XML",
            found,
            "`robot`; a xacro file must be expanded",
        ));
    }
    // Parents come before their children.
    let mut depths = vec![0_usize; document.descendants().count()];
    for node in document.descendants().filter(Node::is_element) {
        let depth = node.parent().map_or(0, |parent| depths[parent.id().get_usize()] + 1);
        if depth > DEEPEST {
            let line = document.text_pos_at(node.range().start).row as usize;
            let found = format!("elements {depth} deep");
            return Err(errors.element(Some(line), "XML", found, format!("at most {DEEPEST}")));
        }
        depths[node.id().get_usize()] = depth;
    }
    Ok(document)
}
