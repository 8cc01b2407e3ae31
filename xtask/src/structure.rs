//! The workspace measured: product lines, names that each crate shows, circles of imports.

mod circles;
mod lines;
mod names;
mod resolve;
mod source;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cargo_metadata::{Metadata, MetadataCommand};

use source::{CrateSource, Workspace};

/// Prints the table of crates and the circles, or the names of the crate `listed`.
///
/// # Errors
///
/// Files that cannot be read or parsed; with `check`, circles across folders.
pub(crate) fn run(root: &Path, check: bool, listed: Option<&str>) -> Result<(), String> {
    let crates = read_crates(root)?;
    let workspace = source::load(&crates)?;
    if let Some(listed) = listed {
        return print_names(&workspace, listed);
    }
    print_table(&crates, &workspace);
    let (across, within) = all_circles(&workspace);
    println!("\ncircles of imports: {} across folders, {within} inside one folder", across.len());
    for circle in &across {
        println!("\n{circle}");
    }
    if check && !across.is_empty() {
        return Err(format!("structure: {} circles of imports across folders", across.len()));
    }
    Ok(())
}

fn read_crates(root: &Path) -> Result<Vec<CrateSource>, String> {
    let metadata: Metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| format!("structure: cargo metadata: {error}"))?;
    let below = metadata.workspace_root.join("crates");
    let mut crates = Vec::new();
    for package in metadata.workspace_packages() {
        if let Some(folder) = package.manifest_path.parent().filter(|path| path.starts_with(&below))
        {
            let mut files = BTreeMap::new();
            read_folder(folder.join("src").as_std_path(), "", &mut files)
                .map_err(|error| format!("structure: {folder}: {error}"))?;
            crates.push(CrateSource { name: package.name.replace('-', "_"), files });
        }
    }
    crates.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(crates)
}

fn read_folder(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, String>,
) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            read_folder(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else if name.ends_with(".rs") {
            files.insert(format!("{prefix}{name}"), fs::read_to_string(entry.path())?);
        }
    }
    Ok(())
}

fn print_table(crates: &[CrateSource], workspace: &Workspace) {
    println!("| crate | files | product lines | names |\n|---|---:|---:|---:|");
    let mut total = [0, 0];
    for source in crates {
        let lines = lines::product_lines(&source.files);
        let sum = lines.values().sum::<usize>();
        total = [total[0] + lines.len(), total[1] + sum];
        let root = workspace.roots.get(&source.name);
        let names = root.map_or(0, |&root| names::names(workspace, root).len());
        println!("| {} | {} | {sum} | {names} |", source.name, lines.len());
    }
    println!("| all | {} | {} | |", total[0], total[1]);
}

fn print_names(workspace: &Workspace, listed: &str) -> Result<(), String> {
    let name = listed.replace('-', "_");
    let known = [name.clone(), format!("xcollide_{name}")];
    let root = known.iter().find_map(|name| workspace.roots.get(name));
    let root = root.ok_or_else(|| format!("structure: there is no crate {listed}"))?;
    for name in names::names(workspace, *root) {
        let from = name.from.map(|from| format!(" of {from}")).unwrap_or_default();
        println!("{} ({}{from})", name.path, name.kind);
    }
    Ok(())
}

/// The circles across folders as text, and the number of the others.
fn all_circles(workspace: &Workspace) -> (Vec<String>, usize) {
    let imports = circles::imports(workspace);
    let found = circles::circles(workspace.files.len(), imports.keys().copied());
    let path = |file: usize| workspace.files[file].path.as_str();
    let is_across = |circle: &Vec<usize>| {
        circles::across_folders(&circle.iter().map(|&file| path(file)).collect::<Vec<_>>())
    };
    let (across, within): (Vec<_>, Vec<_>) = found.into_iter().partition(is_across);
    let text = |circle: &Vec<usize>| {
        let root = workspace.files[circle[0]].root;
        let owner = workspace.roots.iter().find(|&(_, &at)| at == root);
        let owner = owner.map_or("", |(name, _)| name.as_str());
        let mut text = format!("{owner}: a circle of {} files", circle.len());
        for ((from, to), names) in &imports {
            if circle.contains(from) && circle.contains(to) {
                let names = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                text += &format!("\n    {} -> {}: {names}", path(*from), path(*to));
            }
        }
        text
    };
    (across.iter().map(text).collect(), within.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Crates by name, each with its files and their text.
    pub(super) fn workspace(crates: &[(&str, &[(&str, &str)])]) -> Workspace {
        let file = |&(path, text): &(&str, &str)| (path.to_owned(), text.to_owned());
        let read = |&(name, files): &(&str, &[(&str, &str)])| CrateSource {
            name: name.to_owned(),
            files: files.iter().map(file).collect(),
        };
        let crates: Vec<CrateSource> = crates.iter().map(read).collect();
        source::load(&crates).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_circle_is_told_with_the_names_that_make_it() {
        let workspace = workspace(&[(
            "a",
            &[
                ("lib.rs", "mod x; mod y;"),
                ("x.rs", "mod inner; pub(crate) use inner::X;"),
                ("x/inner.rs", "use crate::y::Y; pub struct X;"),
                ("y.rs", "use crate::x::X; pub struct Y;"),
            ],
        )]);
        let circle = "a: a circle of 2 files\n    x/inner.rs -> y.rs: Y\n    \
            y.rs -> x/inner.rs: X";
        assert_eq!(all_circles(&workspace), (vec![circle.to_owned()], 0));
    }

    #[test]
    fn this_workspace_is_seen() {
        assert_eq!(run(&crate::root(), false, Some("narrow")), Ok(()));
        assert!(run(&crate::root(), false, Some("none")).is_err());
    }
}
