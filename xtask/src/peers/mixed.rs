//! Cases of hulls whose poses are of one category: each program answers them in their order, as in a crowd.
//!
//! In passes over one category branches are predicted better than there, and all pairs of a batch take alike.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where a file of poses has the number of its categories.
const CATEGORIES: std::ops::Range<usize> = 16..24;

/// Copies the cases of a kind to a temporary folder, which is returned; their poses are of one category there.
///
/// # Errors
/// A file cannot be read or written, or is no file of poses.
pub(super) fn copy_of(cases: &[PathBuf]) -> Result<PathBuf, String> {
    let all = env::temp_dir().join(format!("xcollide-peers-mixed-{}", std::process::id()));
    for case in cases {
        let [kind, name] = [case.parent(), Some(case.as_path())]
            .map(|path| path.and_then(Path::file_name).unwrap_or_default());
        let folder = all.join(kind).join(name);
        let problem = |error| format!("peers: {}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(problem)?;
        for file in ["a.mesh", "b.mesh"] {
            fs::copy(case.join(file), folder.join(file)).map_err(problem)?;
        }
        let mut poses = fs::read(case.join("poses.pose")).map_err(problem)?;
        let number = poses.get_mut(CATEGORIES);
        let number = number.ok_or_else(|| format!("peers: {}: no poses", case.display()))?;
        number.copy_from_slice(&1_u64.to_le_bytes());
        fs::write(folder.join("poses.pose"), poses).map_err(problem)?;
    }
    Ok(all)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn mixed_poses_are_the_same_numbers_in_one_category() {
        let folder = env::temp_dir().join(format!("xcollide-mixed-test-{}", std::process::id()));
        let case = folder.join("convex/n8");
        fs::create_dir_all(&case).unwrap();
        for file in ["a.mesh", "b.mesh"] {
            fs::write(case.join(file), file).unwrap();
        }
        let poses = [*b"PPOS0001", 6_u64.to_le_bytes(), 3_u64.to_le_bytes(), 0.5_f64.to_le_bytes()];
        fs::write(case.join("poses.pose"), poses.as_flattened()).unwrap();
        let mixed = copy_of(std::slice::from_ref(&case)).unwrap();
        let read = |file: &str| fs::read(mixed.join("convex/n8").join(file)).unwrap();
        let expected = [poses[0], poses[1], 1_u64.to_le_bytes(), poses[3]];
        assert_eq!(read("poses.pose"), expected.as_flattened());
        assert_eq!(read("b.mesh"), b"b.mesh");
        fs::write(case.join("poses.pose"), b"PPOS0001").unwrap();
        assert!(copy_of(&[case]).unwrap_err().ends_with("no poses"));
        fs::remove_dir_all(mixed).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }
}
