//! Clashes as a CSV table.

use xcollide_clash::{Clashes, InstanceSet, Interference};

use crate::exit::Failure;

const COLUMNS: [&str; 14] = [
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
    "volume_at_least",
    "volume_at_most",
];

/// The table with a header, a row a clash, ordered by ids. Numbers have all their digits; depths and volumes that are
/// not known are empty.
pub(crate) fn csv(clashes: &Clashes, set: &InstanceSet) -> Result<Vec<u8>, Failure> {
    let failed = |error: csv::Error| Failure::Failed(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(failed)?;
    for clash in &clashes.clashes {
        let [a, b] = clash.pair.map(|id| set.instance(id));
        let found = &clash.interference;
        let number = |value: f64| format!("{value:?}");
        let [x, y, z] = found.point.map(number);
        let optional = |value: Option<f64>| value.map(number).unwrap_or_default();
        let [depth, volume] = bounds(found);
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
            optional(depth[0]),
            optional(depth[1]),
            optional(volume[0]),
            optional(volume[1]),
        ];
        writer.write_record(row).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| Failure::Failed(error.to_string()))
}

/// The bounds of the depth and of the volume in common, where they are known.
pub(super) fn bounds(found: &Interference) -> [[Option<f64>; 2]; 2] {
    let volume = found.volume.and_then(Result::ok);
    [
        [found.depth.map(|depth| depth.at_least), found.depth.map(|depth| depth.at_most)],
        [volume.map(|volume| volume.at_least), volume.map(|volume| volume.at_most)],
    ]
}
