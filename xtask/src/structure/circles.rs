//! Imports between the files of a crate, and their circles.

use std::collections::{BTreeMap, BTreeSet};

use super::resolve::Target;
use super::source::{Visible, Workspace};

/// Which file uses which, and by what names.
pub(super) type Imports = BTreeMap<(usize, usize), BTreeSet<String>>;

/// The imports between files of the same crate.
///
/// Each leads to the file that defines what is used. A re-export is no use, and naming a module
/// is none of its items.
pub(super) fn imports(workspace: &Workspace) -> Imports {
    let mut found = Imports::new();
    for (number, module) in workspace.modules.iter().enumerate() {
        let private = module.imports.iter().filter(|import| import.visible == Visible::Private);
        let named = private.filter(|import| import.alias.is_some());
        let imported = named.map(|import| (&import.path, true));
        for (path, import) in imported.chain(module.paths.iter().map(|path| (path, false))) {
            let targets = workspace.resolve(number, path);
            let is_module = |target: &Target| matches!(target, Target::Module(_));
            if import && targets.iter().any(is_module) {
                // If a function has the module's name, its calls are found below.
                continue;
            }
            for file in targets.iter().filter_map(|target| workspace.file_of(target)) {
                let same_crate = workspace.files[file].root == module.root;
                if file != module.file && same_crate {
                    found.entry((module.file, file)).or_default().insert(item_name(path));
                }
            }
        }
    }
    found
}

/// The item in a path that may go on to a variant or a function of it.
fn item_name(path: &[String]) -> String {
    let item = path.iter().find(|name| name.starts_with(char::is_uppercase)).or(path.last());
    item.cloned().unwrap_or_default()
}

/// The circles of a graph: its strongly connected components of two nodes and more, sorted.
///
/// Tarjan, *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1, 1972.
pub(super) fn circles(
    nodes: usize,
    edges: impl Iterator<Item = (usize, usize)>,
) -> Vec<Vec<usize>> {
    let mut search = Tarjan {
        next: vec![Vec::new(); nodes],
        index: vec![None; nodes],
        low: vec![0; nodes],
        on_stack: vec![false; nodes],
        stack: Vec::new(),
        count: 0,
        found: Vec::new(),
    };
    for (from, to) in edges {
        search.next[from].push(to);
    }
    for node in 0..nodes {
        if search.index[node].is_none() {
            search.visit(node);
        }
    }
    search.found.sort();
    search.found
}

struct Tarjan {
    next: Vec<Vec<usize>>,
    /// When a node was first visited.
    index: Vec<Option<usize>>,
    /// The earliest node on the stack that it reaches.
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    count: usize,
    found: Vec<Vec<usize>>,
}

impl Tarjan {
    fn visit(&mut self, node: usize) {
        let own = self.count;
        self.count += 1;
        self.index[node] = Some(own);
        self.low[node] = own;
        self.on_stack[node] = true;
        self.stack.push(node);
        for to in self.next[node].clone() {
            match self.index[to] {
                None => {
                    self.visit(to);
                    self.low[node] = self.low[node].min(self.low[to]);
                }
                Some(index) if self.on_stack[to] => self.low[node] = self.low[node].min(index),
                Some(_) => {}
            }
        }
        if self.low[node] == own {
            let start = self.stack.iter().rposition(|&other| other == node).unwrap_or(0);
            let mut component = self.stack.split_off(start);
            for &member in &component {
                self.on_stack[member] = false;
            }
            if component.len() > 1 {
                component.sort_unstable();
                self.found.push(component);
            }
        }
    }
}

/// Whether no folder holds all of these files.
///
/// The file of a module, `x.rs` or `x/mod.rs`, lies in the folder `x` with its children as well
/// as beside `x`.
pub(super) fn across_folders(files: &[&str]) -> bool {
    let folders = |file: &str| {
        let stem = file.trim_end_matches(".rs").trim_end_matches("/mod");
        let stem = if stem == "lib" { "" } else { stem };
        let outer = stem.rsplit_once('/').map_or("", |(outer, _)| outer);
        [outer.to_owned(), stem.to_owned()]
    };
    let Some(first) = files.first() else { return false };
    !folders(first).iter().any(|folder| files.iter().all(|file| folders(file).contains(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::tests::workspace;

    fn edges(files: &[(&str, &str)]) -> Vec<String> {
        let workspace = workspace(&[("a", files)]);
        let name = |file: usize| workspace.files[file].path.clone();
        let edges = imports(&workspace);
        edges.keys().map(|&(from, to)| format!("{} -> {}", name(from), name(to))).collect()
    }

    #[test]
    fn an_import_leads_to_the_file_that_defines_the_item() {
        let found = edges(&[
            ("lib.rs", "mod a; mod b; pub use b::deep::Deep; pub use a::A; pub fn b() {}"),
            ("a.rs", "use crate::{Deep, b}; pub struct A(Deep); fn f() { b::go() }"),
            ("b.rs", "pub mod deep; pub(crate) use deep::go; use super::b::deep;"),
            ("b/deep.rs", "pub struct Deep; pub fn go() { crate::a::A::new(); }"),
        ]);
        assert_eq!(found, ["a.rs -> b/deep.rs", "b/deep.rs -> a.rs"]);
    }

    #[test]
    fn tests_and_documentation_import_nothing_and_macros_do() {
        let found = edges(&[
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            (
                "a.rs",
                "/// See [`crate::b::B`].\npub struct A; #[cfg(test)] mod tests { use crate::b::B; }",
            ),
            ("b.rs", "pub struct B; impl B { #[cfg(test)] fn f() -> crate::a::A {} }"),
            ("c.rs", "fn f() { assert!(crate::a::A == 1); }"),
            ("d.rs", "use super::b::*; fn f(b: &B) {}"),
        ]);
        assert_eq!(found, ["c.rs -> a.rs", "d.rs -> b.rs"]);
    }

    #[test]
    fn circles_are_strongly_connected_components() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 4), (6, 6)];
        assert_eq!(circles(7, edges.into_iter()), [vec![0, 1, 2], vec![4, 5]]);
    }

    #[test]
    fn a_module_file_lies_in_its_own_folder_and_beside_it() {
        assert!(!across_folders(&["x.rs", "x/a.rs", "x/b.rs"]));
        assert!(!across_folders(&["x/mod.rs", "x/a.rs", "x/b/mod.rs"]));
        assert!(!across_folders(&["x.rs", "y.rs", "lib.rs"]));
        assert!(!across_folders(&["x.rs", "x/b.rs"]));
        assert!(across_folders(&["x/a.rs", "y.rs"]));
        assert!(across_folders(&["x.rs", "x/b/c.rs"]));
        assert!(across_folders(&["lib.rs", "x/a.rs"]));
    }
}
