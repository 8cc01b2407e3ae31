//! The viewpoint of an issue: `viewpoint.bcfv`. A camera that looks at the clashes from above, and the instances selected
//! and coloured.

use std::collections::BTreeSet;

use xcollide_clash::{Instance, InstanceId};

use super::camera::{ASPECT_RATIO, Camera, FIELD_OF_VIEW};
use super::{BcfVersion, COLORS, Issue, Xml, document, legal, text, within};

/// The attribute that has the GUID of an IFC element, if the id is not one.
const IFC_GUID: &str = "ifc_guid";

pub(super) fn viewpoint(issue: &Issue<'_>) -> std::io::Result<Vec<u8>> {
    let sides = issue.sides();
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
                    for ([r, g, b], side) in COLORS.into_iter().zip([&sides[0], &second]) {
                        if !side.is_empty() {
                            let color = format!("FF{r:02X}{g:02X}{b:02X}");
                            colored(xml, &color, side, issue)?;
                        }
                    }
                    Ok(())
                })
            })?;
            camera(xml, &issue.camera(), issue.version)
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

fn camera(xml: &mut Xml, camera: &Camera, version: BcfVersion) -> std::io::Result<()> {
    within(xml, "PerspectiveCamera", |xml| {
        vector(xml, "CameraViewPoint", camera.at)?;
        vector(xml, "CameraDirection", camera.forward)?;
        vector(xml, "CameraUpVector", camera.up)?;
        text(xml, "FieldOfView", &format!("{FIELD_OF_VIEW:?}"))?;
        match version {
            BcfVersion::V2_1 => Ok(()),
            BcfVersion::V3_0 => text(xml, "AspectRatio", &format!("{ASPECT_RATIO:?}")),
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
