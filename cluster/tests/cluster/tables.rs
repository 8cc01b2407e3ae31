//! Tables of boxes at integer coordinates, and what an engine finds in them as text.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use xcollide_lab::clash_engine::FoundClashes;

use crate::random::Random;

const HEADER: &str = "id,model,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23,group,floor\n";

/// A table of boxes of sizes from 2 to 2^`sizes`, many of which touch; `crowd` of them are in one small place.
pub(crate) fn boxes(seed: u64, count: u64, crowd: u64, sizes: u64) -> String {
    let mut random = Random(seed);
    let mut text = HEADER.to_owned();
    for number in 0..count {
        let mut size = || (2 << random.below(sizes)).max(2);
        let [x, y, z] = [(); 3].map(|()| size());
        let reach = if number < crowd { 4 } else { 120 };
        let mut place = || random.below(reach) as i64 - 60;
        let at = [(); 3].map(|()| place());
        let group = ["pipes", "steel", "walls", ""][random.below(4) as usize];
        let floor = ["", "1", "2"][random.below(3) as usize];
        let matrix = match random.below(3) {
            0 => format!("0,-1,0,{},1,0,0,{},0,0,1,{}", at[0], at[1], at[2]),
            _ => format!("1,0,0,{},0,1,0,{},0,0,1,{}", at[0], at[1], at[2]),
        };
        // Ids in another order than rows.
        let id = (number * 7919) % count;
        let _ = writeln!(text, "e{id},shape:box?x={x}&y={y}&z={z},{matrix},{group},{floor}");
    }
    text
}

/// Rows that cannot be used, for the end of a table.
pub(crate) const WRONG_ROWS: &str = "e1,shape:box,1,0,0,0,0,1,0,0,0,0,1,0,,
bad-matrix,shape:box,1,1,0,0,0,1,0,0,0,0,1,0,,
bad-number,shape:box,1,0,0,x,0,1,0,0,0,0,1,0,,
missing,no-such-file.off,1,0,0,0,0,1,0,0,0,0,1,0,,
missing-too,no-such-file.off,1,0,0,0,0,1,0,0,0,0,1,0,,
broken,broken.off,1,0,0,0,0,1,0,0,0,0,1,0,,
no-faces,no-faces.off,1,0,0,0,0,1,0,0,0,0,1,0,,
bad-shape,shape:nothing,1,0,0,0,0,1,0,0,0,0,1,0,,
";

/// Writes a table, and the models of [`WRONG_ROWS`] beside it.
pub(crate) fn write(folder: &Path, text: &str) -> std::io::Result<PathBuf> {
    std::fs::write(folder.join("broken.off"), "OFF\n3 1 0\n0 0 0\n1 0 x\n")?;
    std::fs::write(folder.join("no-faces.off"), "OFF\n1 0 0\n0 0 0\n")?;
    let table = folder.join("table.csv");
    std::fs::write(&table, text)?;
    Ok(table)
}

/// All that is found, with each bit of its numbers.
pub(crate) fn told(found: &FoundClashes) -> String {
    let FoundClashes { set, clashes, failures, rows } = found;
    let mut text =
        format!("{rows} rows, {} candidates, {} issues\n", clashes.candidates, clashes.issues);
    for failure in failures {
        let _ = writeln!(text, "{failure:?}");
    }
    for clash in &clashes.clashes {
        let [a, b] = clash.pair.map(|id| set.instance(id));
        let _ = writeln!(text, "{a:?} {b:?} {:?} {:?}", clash.interference, clash.issue);
    }
    for failure in &clashes.failures {
        let ids = failure.pair.map(|id| &set.instance(id).id);
        let _ = writeln!(text, "{ids:?} {:?}", failure.error);
    }
    text
}
