//! The graph of imports between source files. An import counts for the file that defines the name.

use std::collections::{BTreeMap, BTreeSet};

use crate::names::{Import, definitions, imports, paths};
use crate::sources::File;

/// Chains of re-exports longer than this are taken for circles of names.
const LONGEST_CHAIN: usize = 24;

/// The files of the crate, tests left out, and which imports names of which.
pub(crate) struct Graph {
    pub(crate) files: Vec<Node>,
    /// The names that the first file imports from the second one, by the numbers of the files.
    pub(crate) edges: BTreeMap<(usize, usize), BTreeSet<String>>,
}

/// A file in the graph.
pub(crate) struct Node {
    pub(crate) path: String,
    pub(crate) module: Vec<String>,
    definitions: BTreeSet<String>,
    imports: Vec<Import>,
    paths: Vec<Vec<String>>,
}

/// Where a path leads.
enum Target {
    /// A name, and the file that defines it.
    Name(usize, String),
    /// A module as a whole.
    Module(usize),
    /// Something outside of the crate.
    Outside,
}

impl Graph {
    pub(crate) fn new(sources: &[File]) -> Self {
        let node = |file: &File| Node {
            path: file.path.clone(),
            module: file.module.clone(),
            definitions: definitions(&file.tokens),
            imports: imports(&file.tokens),
            paths: paths(&file.tokens),
        };
        let files: Vec<Node> = sources.iter().filter(|file| !file.is_test()).map(node).collect();
        let modules = files.iter().enumerate().map(|(number, file)| (file.module.clone(), number)).collect();
        let edges = Resolver { files: &files, modules }.edges();
        Self { files, edges }
    }

    /// Reports whether `parent` is a module that holds the module of `child`, directly or not.
    pub(crate) fn is_parent(&self, parent: usize, child: usize) -> bool {
        let (parent, child) = (&self.files[parent].module, &self.files[child].module);
        parent.len() < child.len() && child.starts_with(parent)
    }

    /// Returns the text `a.rs -> b.rs (Name, name)` of an edge.
    pub(crate) fn describe(&self, from: usize, to: usize) -> String {
        let names: Vec<&str> = self.edges[&(from, to)].iter().map(String::as_str).collect();
        format!("{} -> {} ({})", self.files[from].path, self.files[to].path, names.join(", "))
    }
}

/// Finds the file that defines a name.
struct Resolver<'a> {
    files: &'a [Node],
    modules: BTreeMap<Vec<String>, usize>,
}

impl Resolver<'_> {
    fn edges(&self) -> BTreeMap<(usize, usize), BTreeSet<String>> {
        let mut edges: BTreeMap<(usize, usize), BTreeSet<String>> = BTreeMap::new();
        let mut add = |from: usize, to: usize, name: String| {
            if from != to {
                edges.entry((from, to)).or_default().insert(name);
            }
        };
        for (from, file) in self.files.iter().enumerate() {
            for import in &file.imports {
                match self.resolve(from, &import.path, 0) {
                    Target::Name(to, name) => add(from, to, name),
                    Target::Module(to) if import.alias == "*" => add(from, to, "*".to_string()),
                    _ => {}
                }
            }
            for path in &file.paths {
                if let Target::Name(to, name) = self.resolve(from, path, 0) {
                    add(from, to, name);
                }
            }
        }
        edges
    }

    /// Returns where `path`, written in the file `from`, leads.
    fn resolve(&self, from: usize, path: &[String], chain: usize) -> Target {
        let module = &self.files[from].module;
        let ups = path.iter().take_while(|word| *word == "super").count();
        let (start, taken) = match path.first().map(String::as_str) {
            Some("crate") => (Vec::new(), 1),
            Some("self") => (module.clone(), 1),
            Some("super") => (module[..module.len().saturating_sub(ups)].to_vec(), ups),
            _ => return self.find(from, path, chain).unwrap_or(Target::Outside),
        };
        let Some(&start) = self.modules.get(&start) else { return Target::Outside };
        self.find_within(start, &path[taken..], chain)
    }

    /// Returns where `path` leads from the module of the file `from`. A name that is not found counts for that file:
    /// a macro may define it.
    fn find_within(&self, from: usize, path: &[String], chain: usize) -> Target {
        let Some(first) = path.first() else { return Target::Module(from) };
        self.find(from, path, chain).unwrap_or_else(|| Target::Name(from, first.clone()))
    }

    fn find(&self, from: usize, path: &[String], chain: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let file = &self.files[from];
        let child = self.modules.get(&[file.module.as_slice(), &path[..1]].concat()).copied();
        // A module and a function may have the same name. The function is meant where nothing follows.
        if let (Some(child), false) = (child, rest.is_empty()) {
            return Some(self.find_within(child, rest, chain));
        }
        if file.definitions.contains(first) {
            return Some(Target::Name(from, first.clone()));
        }
        self.find_import(from, path, chain).or(child.map(Target::Module))
    }

    /// Follows the import in the file `from` that brings in the first word of `path`.
    fn find_import(&self, from: usize, path: &[String], chain: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        if chain > LONGEST_CHAIN {
            return None;
        }
        let imports = &self.files[from].imports;
        // `use a;` leads nowhere else. Of several imports of the same name, in several functions, one within the crate counts.
        let named = imports.iter().filter(|import| import.alias == *first && import.path != path[..1]);
        let targets = named.map(|import| self.resolve(from, &[import.path.as_slice(), rest].concat(), chain + 1));
        if let Some(target) = targets.reduce(|one, other| if matches!(one, Target::Outside) { other } else { one }) {
            return Some(target);
        }
        for import in imports.iter().filter(|import| import.alias == "*") {
            if let Target::Module(module) = self.resolve(from, &import.path, chain + 1)
                && module != from
                && let Some(target) = self.find(module, path, chain + 1)
            {
                return Some(target);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use crate::sources::File;

    /// Returns the edges between small files, as text.
    fn edges(texts: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = texts.iter().map(|(path, text)| File::new(path, text)).collect();
        let graph = Graph::new(&files);
        graph.edges.keys().map(|(from, to)| graph.describe(*from, *to)).collect()
    }

    #[test]
    fn an_import_counts_for_the_file_that_defines_the_name() {
        let found = edges(&[
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod c; mod d; pub use c::C; pub use d::{D as E, *}; pub struct A;"),
            ("a/c.rs", "pub struct C;"),
            ("a/d.rs", "pub struct D; pub fn f() {}"),
            ("b/mod.rs", "use crate::a::{A, C}; use crate::a::{E, f}; use std::fmt;"),
        ]);
        assert_eq!(
            found,
            [
                "a/mod.rs -> a/c.rs (C)",
                "a/mod.rs -> a/d.rs (*, D)",
                "b/mod.rs -> a/mod.rs (A)",
                "b/mod.rs -> a/c.rs (C)",
                "b/mod.rs -> a/d.rs (D, f)",
            ]
        );
    }

    #[test]
    fn paths_in_the_code_count_and_tests_do_not() {
        let found = edges(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a/mod.rs", "use crate::b; fn f() { b::g(); super::c::h(); } #[cfg(test)] mod tests;"),
            ("a/tests/mod.rs", "use crate::c::h;"),
            ("b/mod.rs", "pub fn g() -> self::Local {} struct Local; #[cfg(test)] use crate::a::f;"),
            ("c/mod.rs", "made_by_macro!{ h }"),
        ]);
        assert_eq!(found, ["a/mod.rs -> b/mod.rs (g)", "a/mod.rs -> c/mod.rs (h)"]);
    }

    #[test]
    fn a_function_with_the_name_of_its_module_is_found() {
        let found = edges(&[
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod near; mod far; pub use near::near;"),
            ("a/near.rs", "pub fn near() {}"),
            ("a/far.rs", "use super::near; use crate::a::near::near;"),
        ]);
        assert_eq!(found, ["a/mod.rs -> a/near.rs (near)", "a/far.rs -> a/near.rs (near)"]);
    }
}
