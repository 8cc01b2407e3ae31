//! The viewpoint of an issue: `viewpoint.bcfv`. A camera that looks at the clashes from above, and the instances selected
//! and coloured.

use std::collections::BTreeSet;

use xcollide::math::vector::{add, cross, scale, unit};
use xcollide_clash::{Instance, InstanceId};

use super::{BcfVersion, Issue, Xml, document, legal, text, within};
use crate::clash::focus::Focus;

/// The full angle of view in degrees; version 2.1 allows 45 to 60.
const FIELD_OF_VIEW: f64 = 60.0;
/// From where the camera looks, not of length 1; z is up.
const FROM: [f64; 3] = [1.0, -1.0, 0.8];
/// Colours of the first and the second of a pair, opaque: ARGB.
const COLORS: [&str; 2] = ["FFE0301E", "FF1E6EE0"];
/// The attribute that has the GUID of an IFC element, if the id is not one.
const IFC_GUID: &str = "ifc_guid";

pub(super) fn viewpoint(issue: &Issue<'_>) -> std::io::Result<Vec<u8>> {
    let sides = [0, 1].map(|side| -> BTreeSet<InstanceId> {
        issue.clashes.iter().map(|clash| clash.pair[side]).collect()
    });
    let guid = issue.viewpoint.to_string();
    document(|xml| {
        let info = xml.create_element("VisualizationInfo").with_attribute(("Guid", guid.as_str()));
        info.write_inner_content(|xml| {
            within(xml, "Components", |xml| {
                within(xml, "Selection", |xml| {
                    let all = sides[0].union(&sides[1]);
                    all.into_iter().try_for_each(|&id| component(xml, issue.set.instance(id)))
                })?;
                let visibility = xml.create_element("Visibility");
                visibility.with_attribute(("DefaultVisibility", "true")).write_empty()?;
                within(xml, "Coloring", |xml| {
                    // Each component has one colour: that of its first side.
                    let second: BTreeSet<InstanceId> = &sides[1] - &sides[0];
                    for (color, side) in COLORS.into_iter().zip([&sides[0], &second]) {
                        if !side.is_empty() {
                            colored(xml, color, side, issue)?;
                        }
                    }
                    Ok(())
                })
            })?;
            camera(xml, &Focus::of(&issue.clashes, issue.set), issue.version)
        })
        .map(drop)
    })
}

fn colored(
    xml: &mut Xml,
    color: &str,
    ids: &BTreeSet<InstanceId>,
    issue: &Issue<'_>,
) -> std::io::Result<()> {
    let all = |xml: &mut Xml| ids.iter().try_for_each(|&id| component(xml, issue.set.instance(id)));
    let element = xml.create_element("Color").with_attribute(("Color", color));
    let content = |xml: &mut Xml| match issue.version {
        BcfVersion::V2_1 => all(xml),
        BcfVersion::V3_0 => within(xml, "Components", all),
    };
    element.write_inner_content(content).map(drop)
}

/// An instance, by its IFC GUID if it has one, and by its id.
fn component(xml: &mut Xml, instance: &Instance) -> std::io::Result<()> {
    let named = instance.attribute(IFC_GUID).filter(|guid| is_ifc_guid(guid));
    let guid = named.or_else(|| is_ifc_guid(&instance.id).then_some(&instance.id));
    let element = xml.create_element("Component");
    let element = match guid {
        Some(guid) => element.with_attribute(("IfcGuid", guid)),
        None => element,
    };
    let content = |xml: &mut Xml| text(xml, "AuthoringToolId", &legal(&instance.id));
    element.write_inner_content(content).map(drop)
}

/// 128 bits in base 64 with the digits of IFC; the first has two bits.
fn is_ifc_guid(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    text.len() == 22 && text.bytes().all(is_digit) && matches!(text.as_bytes()[0], b'0'..=b'3')
}

fn camera(xml: &mut Xml, focus: &Focus, version: BcfVersion) -> std::io::Result<()> {
    let from = unit(FROM).unwrap_or(FROM);
    // The ball fills two thirds of the picture.
    let distance = 1.5 * focus.radius / libm::sin(FIELD_OF_VIEW.to_radians() / 2.0);
    let direction = scale(from, -1.0);
    let right = unit(cross(direction, [0.0, 0.0, 1.0])).unwrap_or([1.0, 0.0, 0.0]);
    within(xml, "PerspectiveCamera", |xml| {
        vector(xml, "CameraViewPoint", add(focus.center, scale(from, distance)))?;
        vector(xml, "CameraDirection", direction)?;
        vector(xml, "CameraUpVector", cross(right, direction))?;
        text(xml, "FieldOfView", &format!("{FIELD_OF_VIEW:?}"))?;
        match version {
            BcfVersion::V2_1 => Ok(()),
            BcfVersion::V3_0 => text(xml, "AspectRatio", "1.5"),
        }
    })
}

fn vector(xml: &mut Xml, name: &str, value: [f64; 3]) -> std::io::Result<()> {
    within(xml, name, |xml| {
        let mut parts = ["X", "Y", "Z"].into_iter().zip(value);
        parts.try_for_each(|(axis, part)| text(xml, axis, &double(part)))
    })
}

/// A number as XML has it; what is not finite becomes 0.
fn double(value: f64) -> String {
    format!("{:?}", if value.is_finite() { value } else { 0.0 })
}
