//! Finds the files that a robot names by package.
//!
//! ROS finds packages by an index. Here the folders above the robot's file are searched, as the file is
//! usually inside its package, then the folders of `ROS_PACKAGE_PATH`. A package is a folder with a
//! `package.xml` of its name, or without one of that file name.

use std::env;
use std::path::{Path, PathBuf};

/// Where packages are: named folders first, then folders to search.
///
/// ```
/// use std::path::Path;
/// use xcollide::robot::Packages;
///
/// let packages = Packages::new().with("arm_description", "/robots/arm");
/// let missing = packages.find("package://arm_description/hand.stl", Path::new("arm.urdf"));
/// assert!(missing.is_err_and(|problem| problem.starts_with("is not at /robots/arm/hand.stl")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Packages {
    named: Vec<(String, PathBuf)>,
    searched: Vec<PathBuf>,
}

impl Packages {
    /// Only searches the folders above the robot.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also searches the folders of the variable `ROS_PACKAGE_PATH`, each a package or full of packages.
    #[must_use]
    pub fn from_environment() -> Self {
        let listed = env::var_os("ROS_PACKAGE_PATH").unwrap_or_default();
        let folders = env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty());
        Self { named: Vec::new(), searched: folders.collect() }
    }

    /// Adds the folder of a package. The package is not searched elsewhere.
    #[must_use]
    pub fn with(mut self, name: &str, folder: impl Into<PathBuf>) -> Self {
        self.named.push((name.to_owned(), folder.into()));
        self
    }

    /// The file that the robot of this path names: by a path relative to its folder, or by `package://`,
    /// `model://` or `file://`. Reads folders and `package.xml` files.
    ///
    /// # Errors
    /// A message that continues "the file", says where it was sought and what to do.
    pub fn find(&self, name: &str, robot: &Path) -> Result<PathBuf, String> {
        let folder = robot.parent().unwrap_or(Path::new(""));
        let (candidates, advice) = match name.split_once("://") {
            None => (vec![folder.join(name)], "it must be there".to_owned()),
            Some(("file", rest)) => (vec![PathBuf::from(rest)], "it must be there".to_owned()),
            Some(("package" | "model", rest)) => {
                let (package, inner) = rest.split_once('/').unwrap_or((rest, ""));
                let advice = format!(
                    "put the package `{package}` into a folder above the robot, name its folder (`xcollide \
                     robot --package {package}=DIR`), or the folder that it is in by ROS_PACKAGE_PATH"
                );
                let folders = self.folders_of(package, folder);
                (folders.into_iter().map(|folder| folder.join(inner)).collect(), advice)
            }
            Some((scheme, _)) => {
                return Err(format!("is sought by `{scheme}://`, which nobody here knows"));
            }
        };
        let found = candidates.iter().find(|path| path.is_file());
        found.cloned().ok_or_else(|| match &candidates[..] {
            [one] => format!("is not at {}; {advice}", one.display()),
            [one, ..] => {
                let more = candidates.len() - 1;
                format!("is neither at {} nor in {more} more places; {advice}", one.display())
            }
            [] => format!("is nowhere; {advice}"),
        })
    }

    /// Folders that may be the package, the likeliest first.
    fn folders_of(&self, package: &str, robot: &Path) -> Vec<PathBuf> {
        let named: Vec<PathBuf> = self
            .named
            .iter()
            .filter(|(name, _)| name == package)
            .map(|(_, folder)| folder.clone())
            .collect();
        if !named.is_empty() {
            return named;
        }
        let absolute = std::path::absolute(robot).unwrap_or_else(|_| robot.to_owned());
        let mut folders = Vec::new();
        let mut below_is_package = false;
        for place in absolute.ancestors() {
            // Packages lie beside each other.
            add_candidates(package, place, below_is_package, &mut folders);
            below_is_package = place.join(MANIFEST).is_file();
        }
        for place in &self.searched {
            add_candidates(package, place, true, &mut folders);
        }
        folders
    }
}

const MANIFEST: &str = "package.xml";

/// Adds the folder if it may be the package, and those in it: the one of its name, and if all are `searched`
/// any with its manifest.
fn add_candidates(package: &str, place: &Path, searched: bool, folders: &mut Vec<PathBuf>) {
    let is_package = |folder: &Path| name_of(folder).as_deref() == Some(package);
    if is_package(place) || place.file_name().is_some_and(|name| name == package) {
        folders.push(place.to_owned());
    }
    folders.push(place.join(package));
    if searched {
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        let mut inner: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        inner.retain(|folder| is_package(folder));
        // The order of a folder is the system's.
        inner.sort();
        folders.append(&mut inner);
    }
}

/// The name in the manifest of a package: the first element `name` outside comments.
fn name_of(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(MANIFEST)).ok()?;
    let outside = text.split("<!--").enumerate().map(|(number, part)| match number {
        0 => part,
        _ => part.split_once("-->").map_or("", |(_, after)| after),
    });
    let outside: String = outside.collect();
    let (_, rest) = outside.split_once("<name>")?;
    let (name, _) = rest.split_once("</name>")?;
    Some(name.trim().to_owned())
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
        let find = |name: &str| Packages::new().find(name, &robot);
        let found = |name: &str| find(name).map(|path| path.canonicalize().ok());
        let hand = Ok(place.path().join("arm_description/hand.stl").canonicalize().ok());
        assert_eq!(found("../hand.stl"), hand);
        assert_eq!(found("package://arm_description/hand.stl"), hand);
        assert_eq!(found("model://arm_description/hand.stl"), hand);
        let finger = inner.join("finger.stl");
        assert_eq!(found("finger.stl"), Ok(finger.canonicalize().ok()));
        assert_eq!(found(&format!("file://{}", finger.display())), Ok(finger.canonicalize().ok()));
        let nowhere = find("package://leg_description/foot.stl").err().unwrap_or_default();
        assert!(nowhere.starts_with("is neither at "), "{nowhere}");
        assert!(nowhere.contains("ROS_PACKAGE_PATH"), "{nowhere}");
        let nowhere = find("toe.stl").err().unwrap_or_default();
        assert!(nowhere.starts_with("is not at ") && nowhere.contains("toe.stl"), "{nowhere}");
        let nowhere = find("http://a/toe.stl").err().unwrap_or_default();
        assert_eq!(nowhere, "is sought by `http://`, which nobody here knows");
        Ok(())
    }

    /// The folder of a package may have another name: the manifest counts, its comments do not.
    #[test]
    fn packages_have_the_name_of_their_manifest() -> std::io::Result<()> {
        let place = tempfile::tempdir()?;
        let manifests = [
            ("arm-1.2", "<package><name>arm</name></package>"),
            ("grip", "<package><!-- <name>arm</name> --><name> hand </name></package>"),
            ("elsewhere/leg-master", "<package><name>leg</name></package>"),
        ];
        for (folder, manifest) in manifests {
            let folder = place.path().join(folder);
            std::fs::create_dir_all(folder.join("meshes"))?;
            std::fs::write(folder.join("package.xml"), manifest)?;
            std::fs::write(folder.join("meshes/a.stl"), "")?;
        }
        let robot = place.path().join("arm-1.2/urdf/arm.urdf");
        let found = |packages: &Packages, package: &str| {
            let path = packages.find(&format!("package://{package}/meshes/a.stl"), &robot).ok()?;
            path.strip_prefix(place.path()).ok().map(Path::to_owned)
        };
        let packages = Packages::new();
        assert_eq!(found(&packages, "arm"), Some("arm-1.2/meshes/a.stl".into()));
        assert_eq!(found(&packages, "hand"), Some("grip/meshes/a.stl".into()), "beside it");
        assert_eq!(found(&packages, "leg"), None);
        let searched = vec![place.path().join("elsewhere")];
        let packages = Packages { searched, ..Packages::new() };
        assert_eq!(found(&packages, "leg"), Some("elsewhere/leg-master/meshes/a.stl".into()));
        let packages = packages.with("leg", place.path().join("grip"));
        assert_eq!(found(&packages, "leg"), Some("grip/meshes/a.stl".into()), "the named one");
        Ok(())
    }
}
