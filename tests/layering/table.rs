//! The table of modules: the one here, the one in ARCHITECTURE.md and the code agree.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::Graph;
use crate::names::{imports, paths};
use crate::sources::{File, root, sources};

/// A folder of `src` and the modules that it may import. Every module may import `error`.
struct Module {
    layer: u32,
    name: &'static str,
    may_import: &'static [&'static str],
}

const fn module(layer: u32, name: &'static str, may_import: &'static [&'static str]) -> Module {
    Module { layer, name, may_import }
}

const MODULES: &[Module] = &[
    module(6, "ffi", &["world", "query", "solver", "contact", "joint", "body", "shape", "math", "id", "tasks"]),
    module(
        5,
        "world",
        &[
            "query", "law", "collide", "solver", "contact", "joint", "body", "shape", "math", "id", "tasks", "visit",
            "vtk",
        ],
    ),
    module(4, "query", &["body", "contact", "math", "id", "tasks"]),
    module(3, "law", &["math"]),
    module(3, "collide", &["shape", "math"]),
    module(2, "solver", &["math", "tasks"]),
    module(2, "contact", &["math", "id", "tasks", "visit"]),
    module(2, "joint", &["math", "id"]),
    module(2, "body", &["math", "id", "tasks", "visit"]),
    module(2, "shape", &["math", "visit"]),
    module(1, "math", &[]),
    module(1, "id", &["visit"]),
    module(1, "error", &[]),
    module(1, "tasks", &[]),
    module(1, "vtk", &[]),
    module(0, "visit", &[]),
];

fn may_import(from: &str, to: &str) -> bool {
    let listed =
        MODULES.iter().find(|module| module.name == from).is_some_and(|module| module.may_import.contains(&to));
    from == to || to == "error" || listed
}

/// Returns the modules that the paths of a file name, written with `crate::`.
fn named_modules(file: &File) -> BTreeSet<String> {
    let imported = imports(&file.tokens).into_iter().map(|import| import.path);
    let all = imported.chain(paths(&file.tokens)).filter(|path| path[0] == "crate");
    all.filter_map(|path| path.get(1).cloned()).collect()
}

#[test]
fn a_module_imports_only_what_the_table_allows() {
    let mut wrong = Vec::new();
    for file in sources() {
        let Some(from) = file.top_module() else { continue };
        if MODULES.iter().all(|module| module.name != from) {
            wrong.push(format!("src/{}: the table has no module {from}", file.path));
        }
        let named = named_modules(&file);
        wrong.extend(named.iter().filter(|to| !may_import(from, to)).map(|to| format!("src/{}: {to}", file.path)));
    }
    assert!(wrong.is_empty(), "imports that the table does not allow: {wrong:#?}");
}

#[test]
fn a_name_comes_from_a_module_that_the_table_allows() {
    let graph = Graph::new(&sources());
    let wrong: Vec<String> = graph
        .edges
        .keys()
        .filter(|(from, to)| match (graph.files[*from].module.first(), graph.files[*to].module.first()) {
            (Some(from), Some(to)) => !may_import(from, to),
            _ => false,
        })
        .map(|(from, to)| graph.describe(*from, *to))
        .collect();
    assert!(wrong.is_empty(), "imports that the table does not allow: {wrong:#?}");
}

#[test]
fn every_module_of_the_table_exists() {
    let missing: Vec<&str> =
        MODULES.iter().map(|module| module.name).filter(|name| !root().join("src").join(name).is_dir()).collect();
    assert!(missing.is_empty(), "modules of the table without a folder in src: {missing:?}");
}

#[test]
fn a_module_imports_only_lower_layers() {
    let layers: BTreeMap<&str, u32> = MODULES.iter().map(|module| (module.name, module.layer)).collect();
    for Module { layer, name, may_import } in MODULES {
        for below in *may_import {
            assert!(layers[below] < *layer, "{name} in layer {layer} may import {below} in layer {}", layers[below]);
        }
    }
}

/// ARCHITECTURE.md has the table `| layer | module | may import | owns |`; a row may name several modules.
#[test]
fn the_architecture_has_the_same_table() {
    let document = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let documented = documented(&document);
    assert!(!documented.is_empty(), "ARCHITECTURE.md has no table | layer | module | may import | owns |");
    let row = |module: &Module| (module.layer, module.may_import.iter().map(ToString::to_string).collect());
    let expected: BTreeMap<String, (u32, BTreeSet<String>)> =
        MODULES.iter().map(|module| (module.name.to_string(), row(module))).collect();
    assert_eq!(documented, expected);
}

/// Returns the layer and the allowed imports of each module in the table of `document`.
fn documented(document: &str) -> BTreeMap<String, (u32, BTreeSet<String>)> {
    let mut rows = BTreeMap::new();
    let table = document.lines().skip_while(|line| !line.starts_with("| layer | module | may import |"));
    for line in table.take_while(|line| line.starts_with('|')) {
        let cells: Vec<String> = line.split('|').map(|cell| cell.replace('`', "").trim().to_string()).collect();
        let [_, layer, modules, imports, ..] = cells.as_slice() else { continue };
        let Ok(layer) = layer.parse::<u32>() else { continue };
        for module in modules.split(',').map(str::trim) {
            rows.insert(module.to_string(), (layer, allowed(module, layer, imports)));
        }
    }
    rows
}

/// Returns the modules that a cell of the table allows: a list, "nothing", "all below" or "all below but ...".
fn allowed(module: &str, layer: u32, cell: &str) -> BTreeSet<String> {
    let names = |list: &str| -> BTreeSet<String> {
        list.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).collect()
    };
    if let Some(exceptions) = cell.strip_prefix("all below") {
        let exceptions = names(exceptions.trim_start().trim_start_matches("but"));
        let below = MODULES.iter().filter(|other| other.layer < layer && other.name != module && other.name != "error");
        return below.map(|other| other.name.to_string()).filter(|name| !exceptions.contains(name)).collect();
    }
    if cell == "nothing" { BTreeSet::new() } else { names(cell) }
}

#[test]
fn the_table_is_read() {
    let text = "| 1 | no |\n\n| layer | module | may import | owns |\n|---:|---|---|---|\n| 2 | `a`, `b` | math, id | x |\n\n| 3 | no |";
    let rows = documented(text);
    assert_eq!(rows.keys().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(rows["a"], (2, BTreeSet::from(["id".to_string(), "math".to_string()])));
    assert!(documented("| floor | room | may import |\n| 1 | a | nothing |").is_empty());
}
