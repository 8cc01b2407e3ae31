//! The topic of an issue: `markup.bcf`.

use super::{
    AUTHOR, BcfVersion, Issue, SNAPSHOT, TOPIC_STATUS, TOPIC_TYPE, Xml, document, legal, text,
    within,
};
use crate::clash::record::{ClashRecord, kind_in_words, pair_of_groups};

/// Clashes that a description lists.
const MOST_LISTED: usize = 50;

pub(super) fn markup(issue: &Issue<'_>) -> std::io::Result<Vec<u8>> {
    let guid = issue.guid.to_string();
    document(|xml| {
        within(xml, "Markup", |xml| {
            let topic = xml.create_element("Topic").with_attributes([
                ("Guid", guid.as_str()),
                ("TopicType", TOPIC_TYPE),
                ("TopicStatus", TOPIC_STATUS),
            ]);
            topic.write_inner_content(|xml| {
                text(xml, "Title", &title(issue))?;
                text(xml, "Index", &(issue.number + 1).to_string())?;
                text(xml, "CreationDate", issue.date)?;
                text(xml, "CreationAuthor", AUTHOR)?;
                text(xml, "Description", &description(issue))?;
                match issue.version {
                    BcfVersion::V2_1 => Ok(()),
                    BcfVersion::V3_0 => {
                        within(xml, "Viewpoints", |xml| viewpoint(xml, "ViewPoint", issue))
                    }
                }
            })?;
            match issue.version {
                BcfVersion::V2_1 => viewpoint(xml, "Viewpoints", issue),
                BcfVersion::V3_0 => Ok(()),
            }
        })
    })
}

/// The reference to the viewpoint and its picture.
fn viewpoint(xml: &mut Xml, name: &str, issue: &Issue<'_>) -> std::io::Result<()> {
    let guid = issue.viewpoint.to_string();
    xml.create_element(name)
        .with_attribute(("Guid", guid.as_str()))
        .write_inner_content(|xml| {
            text(xml, "Viewpoint", "viewpoint.bcfv")?;
            if issue.has_picture() { text(xml, "Snapshot", SNAPSHOT) } else { Ok(()) }
        })
        .map(drop)
}

/// "P-1 – W-3: overlapping, 0.25 deep", "pipes – walls: 5 clashes, first P-1 – W-3".
fn title(issue: &Issue<'_>) -> String {
    let Some(first) = issue.clashes.first() else { return String::new() };
    let [a, b] = first.pair.map(|id| issue.set.instance(id));
    match issue.clashes.len() {
        1 => format!("{} – {}: {}", a.id, b.id, kind_in_words(first)),
        count => {
            let groups = pair_of_groups([&a.group, &b.group]);
            format!("{groups}: {count} clashes, first {} – {}", a.id, b.id)
        }
    }
}

/// A line for each clash.
fn description(issue: &Issue<'_>) -> String {
    let listed = issue.clashes.iter().take(MOST_LISTED);
    let mut lines: Vec<String> =
        listed.map(|clash| ClashRecord::new(clash, issue.set, false).in_words()).collect();
    let more = issue.clashes.len().saturating_sub(MOST_LISTED);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    legal(&lines.join("\n"))
}
