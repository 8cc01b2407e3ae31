//! The pairs of links that an SRDF file disables or enables.

use roxmltree::Node;

use super::error::FileErrors;
use super::joints::Tree;
use super::{RobotError, urdf};
use crate::error::excerpt;

/// Two links, and whether they are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) links: [usize; 2],
    pub(super) on: bool,
}

/// Reads `disable_default_collisions`, `enable_collisions` and `disable_collisions`, in ascending precedence.
pub(super) fn read(text: &str, file: &str, tree: &Tree) -> Result<Vec<Pair>, RobotError> {
    let errors = FileErrors::of(file);
    let document = urdf::parse(text, errors)?;
    let root = document.root_element();
    let link = |node: &Node<'_, '_>, attribute: &str| {
        let line = Some(document.text_pos_at(node.range().start).row as usize);
        let element = node.tag_name().name();
        let Some(name) = node.attribute(attribute) else {
            let expected = format!("the attribute `{attribute}`");
            return Err(errors.element(line, element, "nothing", expected));
        };
        tree.link(name).ok_or_else(|| {
            let found = format!("`{}`", excerpt(name));
            errors.element(line, element, found, "the name of a link of the robot")
        })
    };
    let elements = |name: &'static str| root.children().filter(move |node| node.has_tag_name(name));
    let mut pairs = Vec::new();
    for node in elements("disable_default_collisions") {
        let one = link(&node, "link")?;
        let others = (0..tree.links.len()).filter(|&other| other != one);
        pairs.extend(others.map(|other| Pair { links: [one, other], on: false }));
    }
    for (name, on) in [("enable_collisions", true), ("disable_collisions", false)] {
        for node in elements(name) {
            pairs.push(Pair { links: [link(&node, "link1")?, link(&node, "link2")?], on });
        }
    }
    Ok(pairs)
}
