//! Clashes as a CSV table.

use xcollide_clash::{Clashes, InstanceSet};

use crate::exit::Failure;

const COLUMNS: [&str; 12] = [
    "a",
    "b",
    "kind",
    "distance",
    "x",
    "y",
    "z",
    "group_a",
    "group_b",
    "issue",
    "depth_at_least",
    "depth_at_most",
];

/// The table with a header, a row a clash, ordered by ids. Numbers have all their digits; depths that are not known are
/// empty.
pub(crate) fn csv(clashes: &Clashes, set: &InstanceSet) -> Result<Vec<u8>, Failure> {
    let failed = |error: csv::Error| Failure::Failed(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(failed)?;
    for clash in &clashes.clashes {
        let [a, b] = clash.pair.map(|id| set.instance(id));
        let found = &clash.interference;
        let number = |value: f64| format!("{value:?}");
        let [x, y, z] = found.point.map(number);
        let depth = |of: fn(&xcollide::convex::Penetration) -> f64| {
            found.depth.as_ref().map(|depth| number(of(depth))).unwrap_or_default()
        };
        let row = [
            a.id.clone(),
            b.id.clone(),
            found.kind.name().to_owned(),
            number(found.distance),
            x,
            y,
            z,
            a.group.clone(),
            b.group.clone(),
            clash.issue.index().to_string(),
            depth(|depth| depth.at_least),
            depth(|depth| depth.at_most),
        ];
        writer.write_record(row).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| Failure::Failed(error.to_string()))
}
