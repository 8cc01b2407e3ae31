//! Reads the elements of a URDF file. Numbers must be finite; [`joints`](super::joints) and
//! [`geometry`](super::geometry) check everything else.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::RobotError;
use super::error::FileErrors;
use crate::error::excerpt;

/// Maximum depth of elements: deeper ones would overflow the stack of readers.
const DEEPEST: usize = 64;

/// The links and joints of a URDF file, in its order.
#[derive(Debug)]
pub(super) struct UrdfFile<'a> {
    pub(super) links: Vec<Link>,
    pub(super) joints: Vec<JointElement>,
    errors: FileErrors<'a>,
}

#[derive(Debug)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) collisions: Vec<Collision>,
    /// Red, green and blue of the first visual geometry.
    pub(super) color: Option<[f64; 3]>,
}

/// A collision geometry and its pose in the frame of the link.
#[derive(Debug)]
pub(super) struct Collision {
    pub(super) origin: Origin,
    pub(super) geometry: Geometry,
}

#[derive(Debug)]
pub(super) enum Geometry {
    Box { size: [f64; 3] },
    Sphere { radius: f64 },
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
    Mesh { filename: String, scale: [f64; 3] },
}

/// A translation, and angles about the axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) xyz: [f64; 3],
    pub(super) rpy: [f64; 3],
}

#[derive(Debug)]
pub(super) struct JointElement {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) kind: JointType,
    pub(super) origin: Origin,
    pub(super) parent: String,
    pub(super) child: String,
    pub(super) axis: [f64; 3],
    pub(super) limits: [f64; 2],
    /// The joint that it follows, the factor and the offset.
    pub(super) mimic: Option<(String, f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointType {
    Revolute,
    Continuous,
    Prismatic,
    /// Floating, planar and spherical joints count as fixed too.
    Fixed,
}

impl JointType {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Revolute, "revolute"),
        (Self::Continuous, "continuous"),
        (Self::Prismatic, "prismatic"),
        (Self::Fixed, "fixed"),
        (Self::Fixed, "floating"),
        (Self::Fixed, "planar"),
        (Self::Fixed, "spherical"),
    ];
}

pub(super) fn read_urdf<'a>(text: &str, file: &'a str) -> Result<UrdfFile<'a>, RobotError> {
    let errors = FileErrors::of(file);
    let document = parse(text, errors)?;
    let reader = Reader { document: &document, errors };
    let root = document.root_element();
    let colors = reader.colors(root)?;
    let mut names = BTreeMap::new();
    let (mut links, mut joints) = (Vec::new(), Vec::new());
    for node in root.children().filter(Node::is_element) {
        let kind = node.tag_name().name();
        if !["link", "joint"].contains(&kind) {
            continue;
        }
        let line = reader.line(node);
        let Some(name) = node.attribute("name").filter(|name| !name.is_empty()) else {
            return Err(errors.element(Some(line), kind, "no name", "`name` of some letters"));
        };
        if let Some(before) = names.insert((kind, name), line) {
            let element = format!("{kind} `{}`", excerpt(name));
            let found = format!("its name again, first in line {before}");
            return Err(errors.element(Some(line), element, found, "another name"));
        }
        let name = name.to_owned();
        if kind == "link" {
            links.push(reader.link(node, name, line, &colors)?);
        } else {
            joints.push(reader.joint(node, name, line)?);
        }
    }
    Ok(UrdfFile { links, joints, errors })
}

impl UrdfFile<'_> {
    pub(super) fn wrong_link(
        &self,
        link: &Link,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> RobotError {
        let element = format!("link `{}`", excerpt(&link.name));
        self.errors.element(Some(link.line), element, found, expected)
    }

    pub(super) fn wrong_joint(
        &self,
        joint: &JointElement,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> RobotError {
        let element = format!("joint `{}`", excerpt(&joint.name));
        self.errors.element(Some(joint.line), element, found, expected)
    }
}

/// Reads elements; its errors name their lines.
struct Reader<'d, 'e> {
    document: &'d Document<'d>,
    errors: FileErrors<'e>,
}

impl<'d> Reader<'d, '_> {
    fn line(&self, node: Node<'_, '_>) -> usize {
        self.document.text_pos_at(node.range().start).row as usize
    }

    fn wrong(
        &self,
        node: Node<'_, '_>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> RobotError {
        self.errors.element(Some(self.line(node)), node.tag_name().name(), found, expected)
    }

    fn link(
        &self,
        node: Node<'d, 'd>,
        name: String,
        line: usize,
        colors: &BTreeMap<&str, [f64; 3]>,
    ) -> Result<Link, RobotError> {
        let collisions = node.children().filter(|node| node.has_tag_name("collision"));
        let collisions = collisions.map(|node| {
            let geometry = self.geometry(self.child(node, "geometry")?)?;
            Ok(Collision { origin: self.origin(node)?, geometry })
        });
        let material = child(node, "visual").and_then(|visual| child(visual, "material"));
        let color = match material {
            Some(material) => self
                .color(material)?
                .or_else(|| colors.get(material.attribute("name").unwrap_or_default()).copied()),
            None => None,
        };
        Ok(Link { name, line, collisions: collisions.collect::<Result<_, _>>()?, color })
    }

    fn joint(
        &self,
        node: Node<'d, 'd>,
        name: String,
        line: usize,
    ) -> Result<JointElement, RobotError> {
        let kind = self.attribute(node, "type")?;
        let Some(&(kind, _)) = JointType::ALL.iter().find(|(_, word)| *word == kind) else {
            let words = JointType::ALL.map(|(_, word)| word).join(", ");
            let found = format!("the type `{}`", excerpt(kind));
            return Err(self.wrong(node, found, format!("one of {words}")));
        };
        let link = |end: &str| {
            let end = self.child(node, end)?;
            Ok(self.attribute(end, "link")?.to_owned())
        };
        let axis = self.numbers_or(child(node, "axis"), "xyz", [1.0, 0.0, 0.0])?;
        let limit = child(node, "limit");
        let [lower] = self.numbers_or(limit, "lower", [0.0])?;
        let [upper] = self.numbers_or(limit, "upper", [0.0])?;
        let mut mimic = None;
        if let Some(node) = child(node, "mimic") {
            let leader = self.attribute(node, "joint")?.to_owned();
            let [factor] = self.numbers_or(Some(node), "multiplier", [1.0])?;
            let [offset] = self.numbers_or(Some(node), "offset", [0.0])?;
            mimic = Some((leader, factor, offset));
        }
        let (parent, child) = (link("parent")?, link("child")?);
        let origin = self.origin(node)?;
        let limits = [lower, upper];
        Ok(JointElement { name, line, kind, origin, parent, child, axis, limits, mimic })
    }

    fn origin(&self, node: Node<'d, 'd>) -> Result<Origin, RobotError> {
        let origin = child(node, "origin");
        let xyz = self.numbers_or(origin, "xyz", [0.0; 3])?;
        Ok(Origin { xyz, rpy: self.numbers_or(origin, "rpy", [0.0; 3])? })
    }

    fn geometry(&self, node: Node<'d, 'd>) -> Result<Geometry, RobotError> {
        const EXPECTED: &str = "a box, sphere, cylinder, capsule or mesh";
        let Some(shape) = node.children().find(Node::is_element) else {
            return Err(self.wrong(node, "no geometry", EXPECTED));
        };
        let need = |name: &str| {
            self.attribute(shape, name)?;
            self.numbers_or(Some(shape), name, [0.0]).map(|[number]| number)
        };
        Ok(match shape.tag_name().name() {
            "box" => {
                self.attribute(shape, "size")?;
                Geometry::Box { size: self.numbers_or(Some(shape), "size", [0.0; 3])? }
            }
            "sphere" => Geometry::Sphere { radius: need("radius")? },
            "cylinder" => Geometry::Cylinder { radius: need("radius")?, length: need("length")? },
            "capsule" => Geometry::Capsule { radius: need("radius")?, length: need("length")? },
            "mesh" => Geometry::Mesh {
                filename: self.attribute(shape, "filename")?.to_owned(),
                scale: self.numbers_or(Some(shape), "scale", [1.0; 3])?,
            },
            other => return Err(self.wrong(node, format!("`{}`", excerpt(other)), EXPECTED)),
        })
    }

    /// The colours of the robot's named materials.
    fn colors(&self, root: Node<'d, 'd>) -> Result<BTreeMap<&'d str, [f64; 3]>, RobotError> {
        let mut colors = BTreeMap::new();
        for node in root.children().filter(|node| node.has_tag_name("material")) {
            if let (Some(name), Some(color)) = (node.attribute("name"), self.color(node)?) {
                colors.entry(name).or_insert(color);
            }
        }
        Ok(colors)
    }

    /// The colour of a material; `None` if it has none or its components are not from 0 to 1.
    fn color(&self, material: Node<'d, 'd>) -> Result<Option<[f64; 3]>, RobotError> {
        let Some(color) = child(material, "color") else { return Ok(None) };
        let rgba = self.numbers::<4>(color, "rgba")?;
        Ok(rgba.and_then(|[red, green, blue, _]| {
            let color = [red, green, blue];
            color.iter().all(|part| (0.0..=1.0).contains(part)).then_some(color)
        }))
    }

    fn child(&self, node: Node<'d, 'd>, name: &str) -> Result<Node<'d, 'd>, RobotError> {
        let missing = || self.wrong(node, "nothing", format!("the element `{name}`"));
        child(node, name).ok_or_else(missing)
    }

    fn attribute(&self, node: Node<'d, 'd>, name: &str) -> Result<&'d str, RobotError> {
        let missing = || self.wrong(node, "nothing", format!("the attribute `{name}`"));
        node.attribute(name).ok_or_else(missing)
    }

    /// The numbers of an attribute, or the default if there is no element or attribute.
    fn numbers_or<const N: usize>(
        &self,
        node: Option<Node<'_, '_>>,
        name: &str,
        default: [f64; N],
    ) -> Result<[f64; N], RobotError> {
        let numbers = node.map(|node| self.numbers(node, name)).transpose()?;
        Ok(numbers.flatten().unwrap_or(default))
    }

    /// The numbers of an attribute, if there is one.
    fn numbers<const N: usize>(
        &self,
        node: Node<'_, '_>,
        name: &str,
    ) -> Result<Option<[f64; N]>, RobotError> {
        let Some(text) = node.attribute(name) else { return Ok(None) };
        let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
        match numbers.ok().and_then(|numbers| <[f64; N]>::try_from(numbers).ok()) {
            Some(numbers) => Ok(Some(numbers)),
            None => {
                let found = format!("the {name} `{}`", excerpt(text));
                let expected = if N == 1 { "a number".to_owned() } else { format!("{N} numbers") };
                Err(self.wrong(node, found, expected))
            }
        }
    }
}

fn child<'d>(node: Node<'d, 'd>, name: &str) -> Option<Node<'d, 'd>> {
    node.children().find(|node| node.has_tag_name(name))
}

pub(super) fn parse<'t>(text: &'t str, errors: FileErrors<'_>) -> Result<Document<'t>, RobotError> {
    let document = Document::parse(text).map_err(|error| {
        let message = error.to_string();
        // Removes the position, which is reported separately.
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
    // Parents precede their children.
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
