//! The source code of the workspace as modules, items, imports and paths. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, Token, UseTree, Visibility, punctuated::Punctuated};

/// A crate's name as code writes it, and its files by their path below `src`.
pub(super) struct CrateSource {
    pub(super) name: String,
    pub(super) files: BTreeMap<String, String>,
}

/// All modules, items and files; they refer to each other by index.
#[derive(Default)]
pub(super) struct Workspace {
    pub(super) modules: Vec<Module>,
    pub(super) items: Vec<Definition>,
    pub(super) files: Vec<SourceFile>,
    /// The root module of each crate, by the crate's name.
    pub(super) roots: BTreeMap<String, usize>,
}

pub(super) struct SourceFile {
    pub(super) root: usize,
    /// Below `src`.
    pub(super) path: String,
}

/// A named item: a type, trait, function, constant or macro.
pub(super) struct Definition {
    pub(super) kind: &'static str,
    pub(super) module: usize,
    pub(super) public: bool,
}

pub(super) struct Module {
    pub(super) root: usize,
    pub(super) parent: Option<usize>,
    pub(super) file: usize,
    pub(super) public: bool,
    pub(super) items: BTreeMap<String, Vec<usize>>,
    pub(super) children: BTreeMap<String, usize>,
    pub(super) imports: Vec<Import>,
    /// The paths that its code names, imports aside.
    pub(super) paths: BTreeSet<Vec<String>>,
    /// Macros are called where items stand, so it may define names that are not seen here.
    pub(super) calls_macros: bool,
}

/// One name of a `use`, or a glob.
pub(super) struct Import {
    pub(super) path: Vec<String>,
    /// None for a glob.
    pub(super) alias: Option<String>,
    pub(super) visible: Visible,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    Private,
    /// `pub(crate)` and the like.
    Inside,
    Public,
}

/// Reads all crates. A crate without `lib.rs` is left out.
pub(super) fn load(crates: &[CrateSource]) -> Result<Workspace, String> {
    let mut workspace = Workspace::default();
    for source in crates.iter().filter(|source| source.files.contains_key("lib.rs")) {
        let root = workspace.modules.len();
        workspace.roots.insert(source.name.clone(), root);
        let at = Place { source, root, parent: None, public: true };
        workspace.read_file(&at, "lib.rs", "")?;
    }
    Ok(workspace)
}

/// Where a module hangs.
struct Place<'a> {
    source: &'a CrateSource,
    root: usize,
    parent: Option<usize>,
    public: bool,
}

impl Workspace {
    fn read_file(&mut self, at: &Place<'_>, path: &str, folder: &str) -> Result<usize, String> {
        let text = &at.source.files[path];
        let parsed = syn::parse_file(text)
            .map_err(|error| format!("{}: {path}: {error}", at.source.name))?;
        self.files.push(SourceFile { root: at.root, path: path.to_owned() });
        self.add_module(at, self.files.len() - 1, folder, &parsed.items)
    }

    fn add_module(
        &mut self,
        at: &Place<'_>,
        file: usize,
        folder: &str,
        items: &[Item],
    ) -> Result<usize, String> {
        let module = self.modules.len();
        self.modules.push(Module {
            root: at.root,
            parent: at.parent,
            file,
            public: at.public,
            items: BTreeMap::new(),
            children: BTreeMap::new(),
            imports: Vec::new(),
            paths: BTreeSet::new(),
            calls_macros: false,
        });
        for item in items.iter().filter(|item| !is_test(attributes(item))) {
            if let Item::Mod(declared) = item {
                let name = declared.ident.to_string();
                let public = visible(&declared.vis) == Visible::Public;
                let below = Place { parent: Some(module), public, ..*at };
                let inner = format!("{folder}{name}/");
                let child = match &declared.content {
                    Some((_, items)) => self.add_module(&below, file, &inner, items)?,
                    None => {
                        let candidates = [format!("{folder}{name}.rs"), format!("{inner}mod.rs")];
                        let found =
                            candidates.iter().find(|path| at.source.files.contains_key(*path));
                        let path = found.ok_or_else(|| {
                            format!("{}: the module {folder}{name} has no file", at.source.name)
                        })?;
                        self.read_file(&below, path, &inner)?
                    }
                };
                self.modules[module].children.insert(name, child);
            } else {
                self.define(module, item);
                Collector { module: &mut self.modules[module] }.visit_item(item);
            }
        }
        Ok(module)
    }

    fn define(&mut self, module: usize, item: &Item) {
        let (vis, ident, kind) = match item {
            Item::Const(item) => (&item.vis, &item.ident, "const"),
            Item::Enum(item) => (&item.vis, &item.ident, "enum"),
            Item::Fn(item) => (&item.vis, &item.sig.ident, "fn"),
            Item::Static(item) => (&item.vis, &item.ident, "static"),
            Item::Struct(item) => (&item.vis, &item.ident, "struct"),
            Item::Trait(item) => (&item.vis, &item.ident, "trait"),
            Item::Type(item) => (&item.vis, &item.ident, "type"),
            Item::Union(item) => (&item.vis, &item.ident, "union"),
            Item::Macro(item) => {
                match &item.ident {
                    Some(ident) => {
                        // An exported macro lies in the root.
                        let exported = item
                            .attrs
                            .iter()
                            .any(|attribute| attribute.path().is_ident("macro_export"));
                        let home = if exported { self.modules[module].root } else { module };
                        self.insert(home, ident.to_string(), "macro", exported);
                    }
                    None => {
                        self.modules[module].calls_macros = true;
                        for (name, kind) in types_in(&item.mac.tokens.to_string()) {
                            self.insert(module, name, kind, true);
                        }
                    }
                }
                return;
            }
            _ => return,
        };
        if ident != "_" {
            self.insert(module, ident.to_string(), kind, visible(vis) == Visible::Public);
        }
    }

    /// Items that stand twice under different conditions are one.
    fn insert(&mut self, module: usize, name: String, kind: &'static str, public: bool) {
        let known = self.modules[module].items.entry(name).or_default();
        if !known.iter().any(|&item| self.items[item].kind == kind) {
            known.push(self.items.len());
            self.items.push(Definition { kind, module, public });
        }
    }
}

/// The public types that the arguments of a macro spell out, as those of `bitflags!` do.
fn types_in(tokens: &str) -> Vec<(String, &'static str)> {
    let words: Vec<&str> = tokens.split_whitespace().collect();
    let kinds = ["struct", "enum", "trait"];
    let named = words.windows(3).filter(|three| three[0] == "pub");
    named
        .filter_map(|three| {
            let kind = kinds.into_iter().find(|&kind| kind == three[1])?;
            let name = three[2].trim_end_matches(':');
            name.chars().all(char::is_alphanumeric).then(|| (name.to_owned(), kind))
        })
        .collect()
}

/// Collects the imports and paths of an item.
struct Collector<'m> {
    module: &'m mut Module,
}

impl Collector<'_> {
    /// A name without a path is of interest only if it can be an item's: a type, or what is called.
    fn path(&mut self, path: &syn::Path, called: bool) {
        let names: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        let absolute = path.leading_colon.is_some();
        if !absolute && (names.len() > 1 || called || upper(&names[0])) {
            self.module.paths.insert(names);
        }
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Const(item) => &item.attrs,
            syn::ImplItem::Fn(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !is_test(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            flatten(&item.tree, &mut Vec::new(), visible(&item.vis), &mut self.module.imports);
        }
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.path(path, false);
        visit::visit_path(self, path);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(function) = &*call.func {
            self.path(&function.path, true);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.path(&called.path, true);
        self.module.paths.extend(paths_in(&called.tokens.to_string()));
    }
}

/// The paths in the tokens of a macro, as they are printed: `a :: b`, outside of strings.
fn paths_in(tokens: &str) -> Vec<Vec<String>> {
    let mut paths: Vec<Vec<String>> = Vec::new();
    let mut joined = false;
    let mut rest = tokens;
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c: char| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        match (word, &mut paths[..]) {
            ("::", _) => joined = true,
            (word, _) if word.trim().is_empty() => {}
            (word, [.., last]) if joined && word.starts_with(is_name) => {
                last.push(word.to_owned());
                joined = false;
            }
            (word, _) => {
                joined = false;
                // What is no name ends a path that it follows: `a :: < b`.
                paths.push(if word.starts_with(is_name) {
                    vec![word.to_owned()]
                } else {
                    Vec::new()
                });
            }
        }
    }
    paths.retain(|path| path.len() > 1 || path.first().is_some_and(|name| upper(name)));
    paths
}

fn is_name(first: char) -> bool {
    first.is_alphabetic() || first == '_'
}

fn upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, visible: Visible, into: &mut Vec<Import>) {
    let mut add = |path: Vec<String>, alias| into.push(Import { path, alias, visible });
    match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            flatten(&tree.tree, path, visible, into);
            path.pop();
        }
        UseTree::Group(tree) => {
            for tree in &tree.items {
                flatten(tree, path, visible, into);
            }
        }
        UseTree::Glob(_) => add(path.clone(), None),
        UseTree::Name(tree) if tree.ident == "self" => add(path.clone(), path.last().cloned()),
        UseTree::Name(tree) => {
            let name = tree.ident.to_string();
            add([&path[..], std::slice::from_ref(&name)].concat(), Some(name));
        }
        UseTree::Rename(tree) => {
            let name = tree.ident.to_string();
            let path = if name == "self" { path.clone() } else { [&path[..], &[name]].concat() };
            add(path, Some(tree.rename.to_string()));
        }
    }
}

fn visible(vis: &Visibility) -> Visible {
    match vis {
        Visibility::Public(_) => Visible::Public,
        Visibility::Restricted(_) => Visible::Inside,
        Visibility::Inherited => Visible::Private,
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether only tests (and examples in the documentation) compile what has these attributes.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<Meta>().is_ok_and(|condition| needs_test(&condition))
    })
}

fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => ["test", "doctest"].iter().any(|name| path.is_ident(name)),
        Meta::List(list) => {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            let Ok(parts) = parts else { return false };
            if list.path.is_ident("all") {
                parts.iter().any(needs_test)
            } else {
                list.path.is_ident("any") && parts.iter().all(needs_test)
            }
        }
        Meta::NameValue(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_macros_are_found_and_strings_are_not() {
        let text = r#"x , "crate :: no \" a::b" , $crate :: a :: b (c . d , E) , f :: < G > :: h"#;
        let found: Vec<String> = paths_in(text).iter().map(|path| path.join("::")).collect();
        assert_eq!(found, ["crate::a::b", "E", "G"]);
    }

    #[test]
    fn conditions_that_need_a_test_are_told_from_others() {
        let test =
            |text| needs_test(&syn::parse_str(text).unwrap_or_else(|error| panic!("{error}")));
        assert!(test("test"));
        assert!(test("all(test, feature = \"parallel\")"));
        assert!(!test("any(test, not(target_arch = \"x86_64\"))"));
        assert!(!test("not(test)"));
    }

    #[test]
    fn types_that_a_macro_defines_are_seen() {
        let tokens = "# [derive (Clone)] pub struct Topology : u16 { const CLOSED = 1 ; }";
        assert_eq!(types_in(tokens), [("Topology".to_owned(), "struct")]);
    }
}
