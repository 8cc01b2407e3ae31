//! The names that a crate shows: public items that a path from outside reaches.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::resolve::Target;
use super::source::{Visible, Workspace};

/// A name with its shortest path, what it is, and the crate it comes from if that is another.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) path: String,
    pub(super) kind: &'static str,
    pub(super) from: Option<String>,
}

/// All names of the crate with this root, each once, sorted.
///
/// Modules and whole other crates are no names.
pub(super) fn names(workspace: &Workspace, root: usize) -> Vec<Name> {
    let mut shown: BTreeMap<Target, String> = BTreeMap::new();
    let mut visited = BTreeSet::from([root]);
    let mut queue = VecDeque::from([(root, String::new())]);
    while let Some((module, prefix)) = queue.pop_front() {
        let here = &workspace.modules[module];
        let own = here.items.iter().flat_map(|(name, items)| {
            items.iter().map(move |&item| (name.clone(), Target::Item(item)))
        });
        let children = here.children.iter().map(|(name, &at)| (name.clone(), Target::Module(at)));
        let public = here.imports.iter().filter(|import| import.visible == Visible::Public);
        let imported = public.flat_map(|import| {
            let targets = workspace.resolve(module, &import.path);
            targets.into_iter().map(|target| (import.alias.clone().unwrap_or_default(), target))
        });
        for (name, target) in own.chain(children).chain(imported) {
            match &target {
                Target::Module(inner) => {
                    let glob = name.is_empty();
                    let whole = workspace.modules[*inner].parent.is_none();
                    let open = glob || (workspace.modules[*inner].public && !whole);
                    if open && visited.insert(*inner) {
                        let below = if glob { String::new() } else { format!("{name}::") };
                        queue.push_back((*inner, format!("{prefix}{below}")));
                    }
                    continue;
                }
                Target::Item(item) if !workspace.items[*item].public => continue,
                Target::External(path) if path.len() < 2 => continue,
                _ => {}
            }
            shown.entry(target).or_insert_with(|| format!("{prefix}{name}"));
        }
    }
    let mut names: Vec<Name> = shown
        .into_iter()
        .map(|(target, path)| {
            let (kind, from) = describe(workspace, root, &target);
            Name { path, kind, from }
        })
        .collect();
    names.sort();
    names
}

fn describe(workspace: &Workspace, root: usize, target: &Target) -> (&'static str, Option<String>) {
    let other = |module: usize| {
        let from = workspace.modules[module].root;
        let (name, _) = workspace.roots.iter().find(|&(_, &root)| root == from)?;
        (from != root).then(|| name.clone())
    };
    match target {
        Target::Item(item) => {
            let item = &workspace.items[*item];
            (item.kind, other(item.module))
        }
        Target::Made(module, _) | Target::Module(module) => ("made by a macro", other(*module)),
        Target::External(path) => ("external", path.first().cloned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::tests::workspace;

    fn shown(crates: &[(&str, &[(&str, &str)])], root: &str) -> Vec<String> {
        let workspace = workspace(crates);
        let names = names(&workspace, workspace.roots[root]);
        let text = |name: &Name| match &name.from {
            Some(from) => format!("{} {} of {from}", name.kind, name.path),
            None => format!("{} {}", name.kind, name.path),
        };
        names.iter().map(text).collect()
    }

    #[test]
    fn what_is_public_and_reachable_is_a_name_and_counts_once() {
        let lib = "mod hidden; pub mod open; pub(crate) mod inside;
            pub use hidden::{Thing, helper as help}; pub use open::Thing as Again;
            pub const SIZE: usize = 1; pub(crate) fn secret() {} mod cone; pub use cone::cone;";
        let files = [
            ("lib.rs", lib),
            ("hidden.rs", "pub struct Thing; pub struct Unseen; pub fn helper() {}"),
            ("open.rs", "pub use crate::hidden::Thing; pub mod deep { pub trait Deep {} }"),
            ("inside.rs", "pub struct Inside;"),
            ("cone.rs", "pub fn cone() {}"),
        ];
        let found = shown(&[("a", &files)], "a");
        assert_eq!(
            found,
            ["const SIZE", "struct Thing", "fn cone", "fn help", "trait open::deep::Deep"]
        );
    }

    #[test]
    fn globs_and_names_of_other_crates_count_and_whole_crates_do_not() {
        let upper = "pub use lower; pub use lower as base; pub use lower::Low; pub use outside;
            pub use outside::Far; mod list; pub use list::*; id!(Made); pub use self::Made as Id;";
        let crates: [(&str, &[(&str, &str)]); 2] = [
            ("lower", &[("lib.rs", "pub struct Low; pub struct Lower;")]),
            ("upper", &[("lib.rs", upper), ("list.rs", "pub enum Kind {} enum Own {}")]),
        ];
        assert_eq!(
            shown(&crates, "upper"),
            ["external Far of outside", "made by a macro Id", "enum Kind", "struct Low of lower"]
        );
    }
}
