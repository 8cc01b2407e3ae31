//! Finds the meshes of a robot, beside its file or in packages.
//!
//! ROS finds packages by an index. Here the folders above the robot's file are searched, as the
//! file is usually inside its package, then the folders of `ROS_PACKAGE_PATH`.

use std::env;
use std::path::{Path, PathBuf};

/// The path of a resource given by a relative path, `package://`, `model://` or `file://`.
pub(super) fn find(name: &str, robot: &Path) -> Result<String, String> {
    let folder = robot.parent().unwrap_or(Path::new(""));
    let (candidates, advice) = match name.split_once("://") {
        None => (vec![folder.join(name)], "it must be there".to_owned()),
        Some(("file", rest)) => (vec![PathBuf::from(rest)], "it must be there".to_owned()),
        Some(("package" | "model", rest)) => {
            let package = rest.split('/').next().unwrap_or_default();
            let advice = format!(
                "put the package `{package}` into a folder above the robot, or name the folder \
                 that it is in by ROS_PACKAGE_PATH"
            );
            (in_packages(rest, folder), advice)
        }
        Some((scheme, _)) => {
            return Err(format!("is sought by `{scheme}://`, which nobody here knows"));
        }
    };
    let found = candidates.iter().find(|path| path.is_file());
    found.map(|path| path.to_string_lossy().into_owned()).ok_or_else(|| match &candidates[..] {
        [one] => format!("is not at {}; {advice}", one.display()),
        [one, ..] => {
            format!(
                "is neither at {} nor in {} more places; {advice}",
                one.display(),
                candidates.len() - 1
            )
        }
        [] => format!("is nowhere; {advice}"),
    })
}

/// Candidates for `NAME/path`: in folders that contain the package or are it.
fn in_packages(rest: &str, folder: &Path) -> Vec<PathBuf> {
    let (package, inner) = rest.split_once('/').unwrap_or((rest, ""));
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let above = absolute.ancestors().map(Path::to_owned);
    let listed = env::var_os("ROS_PACKAGE_PATH").unwrap_or_default();
    let listed: Vec<PathBuf> =
        env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty()).collect();
    let mut candidates = Vec::new();
    for place in above.chain(listed) {
        if place.file_name().is_some_and(|name| name == package) {
            candidates.push(place.join(inner));
        }
        candidates.push(place.join(package).join(inner));
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_are_found_beside_the_robot_and_in_the_packages_above_it() -> std::io::Result<()> {
        let place = tempfile::tempdir()?;
        let inner = place.path().join("arm_description/urdf");
        std::fs::create_dir_all(&inner)?;
        std::fs::write(place.path().join("arm_description/hand.stl"), "")?;
        std::fs::write(inner.join("finger.stl"), "")?;
        let robot = inner.join("arm.urdf");
        let found =
            |name: &str| find(name, &robot).map(|path| Path::new(&path).canonicalize().ok());
        let hand = Ok(place.path().join("arm_description/hand.stl").canonicalize().ok());
        assert_eq!(found("../hand.stl"), hand);
        assert_eq!(found("package://arm_description/hand.stl"), hand);
        assert_eq!(found("model://arm_description/hand.stl"), hand);
        let finger = inner.join("finger.stl");
        assert_eq!(found("finger.stl"), Ok(finger.canonicalize().ok()));
        assert_eq!(found(&format!("file://{}", finger.display())), Ok(finger.canonicalize().ok()));
        let nowhere = find("package://leg_description/foot.stl", &robot).err().unwrap_or_default();
        assert!(nowhere.starts_with("is neither at "), "{nowhere}");
        assert!(nowhere.contains("ROS_PACKAGE_PATH"), "{nowhere}");
        let nowhere = find("toe.stl", &robot).err().unwrap_or_default();
        assert!(nowhere.starts_with("is not at ") && nowhere.contains("toe.stl"), "{nowhere}");
        let nowhere = find("http://a/toe.stl", &robot).err().unwrap_or_default();
        assert_eq!(nowhere, "is sought by `http://`, which nobody here knows");
        Ok(())
    }
}
