//! Paths followed to the items they name, through imports and re-exports of all crates.

use super::source::Workspace;

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    Module(usize),
    Item(usize),
    /// A name that a macro called in this module defines.
    Made(usize, String),
    /// Something of a crate outside of the workspace.
    External(Vec<String>),
}

/// The imports being followed: one that leads back to itself names nothing.
type Pending = Vec<(usize, usize)>;

impl Workspace {
    /// What a path in `module` names: nothing, or one target for each kind of item.
    pub(super) fn resolve(&self, module: usize, path: &[String]) -> Vec<Target> {
        self.follow(module, path, &mut Vec::new())
    }

    /// The file that defines a target of the workspace.
    pub(super) fn file_of(&self, target: &Target) -> Option<usize> {
        match *target {
            Target::Item(item) => Some(self.modules[self.items[item].module].file),
            Target::Made(module, _) => Some(self.modules[module].file),
            Target::Module(_) | Target::External(_) => None,
        }
    }

    fn follow(&self, module: usize, path: &[String], pending: &mut Pending) -> Vec<Target> {
        let Some((first, mut rest)) = path.split_first() else { return Vec::new() };
        let mut found = match first.as_str() {
            "crate" => vec![Target::Module(self.modules[module].root)],
            "self" => vec![Target::Module(module)],
            "super" => {
                let mut above = self.modules[module].parent;
                while rest.first().is_some_and(|name| name == "super") {
                    rest = &rest[1..];
                    above = above.and_then(|above| self.modules[above].parent);
                }
                above.map(Target::Module).into_iter().collect()
            }
            name => {
                let local = self.find(module, name, pending);
                match self.roots.get(name) {
                    _ if !local.is_empty() => local,
                    Some(&root) => vec![Target::Module(root)],
                    None => return vec![Target::External(path.to_vec())],
                }
            }
        };
        for name in rest {
            let modules = found.iter().filter_map(|target| match *target {
                Target::Module(module) => Some(module),
                _ => None,
            });
            let mut next = Vec::new();
            for module in modules {
                let inside = self.find(module, name, pending);
                let made = inside.is_empty() && self.modules[module].calls_macros;
                next.extend(inside);
                next.extend(made.then(|| Target::Made(module, name.clone())));
            }
            // What is left names a part of an item: a variant, or an associated function.
            found.retain(|target| !matches!(target, Target::Module(_)));
            for target in &mut found {
                if let Target::External(path) = target {
                    path.push(name.clone());
                }
            }
            found = if next.is_empty() { found } else { next };
        }
        found.sort();
        found.dedup();
        found
    }

    fn find(&self, module: usize, name: &str, pending: &mut Pending) -> Vec<Target> {
        let here = &self.modules[module];
        let mut found: Vec<Target> =
            here.children.get(name).map(|&child| Target::Module(child)).into_iter().collect();
        found.extend(here.items.get(name).into_iter().flatten().map(|&item| Target::Item(item)));
        let named = |(_, import): &(usize, &super::source::Import)| {
            import.alias.as_ref().is_some_and(|alias| alias == name)
        };
        for (number, import) in here.imports.iter().enumerate().filter(named) {
            if !pending.contains(&(module, number)) {
                pending.push((module, number));
                found.extend(self.follow(module, &import.path, pending));
                pending.pop();
            }
        }
        if !found.is_empty() {
            return found;
        }
        for (number, import) in here.imports.iter().enumerate() {
            if import.alias.is_some() || pending.contains(&(module, number)) {
                continue;
            }
            pending.push((module, number));
            for target in self.follow(module, &import.path, pending) {
                if let Target::Module(from) = target {
                    found.extend(self.find(from, name, pending));
                }
            }
            pending.pop();
        }
        found
    }
}
