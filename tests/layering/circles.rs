//! Circles in the graph of imports.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::graph::Graph;

/// Files each of which imports, over others, all others; numbers of files in the graph.
pub(crate) struct Circle {
    pub(crate) files: BTreeSet<usize>,
    /// One of the shortest ways from a file back to itself, the first file at both ends.
    pub(crate) shortest: Vec<usize>,
}

/// Returns the groups of files that import each other.
pub(crate) fn circles(graph: &Graph) -> Vec<Circle> {
    let reached: Vec<BTreeSet<usize>> =
        (0..graph.files.len()).map(|from| ways(graph, from).into_keys().collect()).collect();
    let (mut found, mut seen): (Vec<Circle>, BTreeSet<usize>) = Default::default();
    for file in 0..graph.files.len() {
        if reached[file].contains(&file) && !seen.contains(&file) {
            let files: BTreeSet<usize> =
                reached[file].iter().copied().filter(|other| reached[*other].contains(&file)).collect();
            seen.extend(&files);
            let shortest = files.iter().map(|start| way_back(graph, *start)).min_by_key(Vec::len).unwrap_or_default();
            found.push(Circle { files, shortest });
        }
    }
    found
}

/// Returns, for each file that `start` reaches by imports, the file before it on the shortest way.
fn ways(graph: &Graph, start: usize) -> BTreeMap<usize, usize> {
    let (mut before, mut waiting) = (BTreeMap::new(), VecDeque::from([start]));
    while let Some(file) = waiting.pop_front() {
        for &(_, next) in graph.edges.range((file, 0)..(file + 1, 0)).map(|(edge, _)| edge) {
            if let std::collections::btree_map::Entry::Vacant(entry) = before.entry(next) {
                entry.insert(file);
                waiting.push_back(next);
            }
        }
    }
    before
}

/// Returns the shortest way from `start` back to itself.
fn way_back(graph: &Graph, start: usize) -> Vec<usize> {
    let (before, mut way) = (ways(graph, start), vec![start]);
    while let Some(&previous) = way.last().and_then(|file| before.get(file)) {
        way.push(previous);
        if previous == start {
            break;
        }
    }
    way.reverse();
    way
}

/// Describes each circle: one of its shortest ways, then all imports between its files.
pub(crate) fn describe(graph: &Graph) -> Vec<String> {
    let text = |circle: &Circle| {
        let way: Vec<&str> = circle.shortest.iter().map(|file| graph.files[*file].path.as_str()).collect();
        let within = |edge: &&(usize, usize)| circle.files.contains(&edge.0) && circle.files.contains(&edge.1);
        let imports: Vec<String> =
            graph.edges.keys().filter(within).map(|(from, to)| format!("    {}", graph.describe(*from, *to))).collect();
        format!("circle of {} files: {}\n{}", circle.files.len(), way.join(" -> "), imports.join("\n"))
    };
    circles(graph).iter().map(text).collect()
}

/// Describes each import of a name that is defined in the file of a parent module.
pub(crate) fn parent_imports(graph: &Graph) -> Vec<String> {
    let upward = graph.edges.keys().filter(|(from, to)| graph.is_parent(*to, *from));
    upward.map(|(from, to)| graph.describe(*from, *to)).collect()
}

#[cfg(test)]
mod tests {
    use super::{describe, parent_imports};
    use crate::graph::Graph;
    use crate::sources::File;

    fn graph(texts: &[(&str, &str)]) -> Graph {
        Graph::new(&texts.iter().map(|(path, text)| File::new(path, text)).collect::<Vec<File>>())
    }

    #[test]
    fn a_circle_is_found_with_its_shortest_way() {
        let graph = graph(&[
            ("a/mod.rs", "mod b; mod c; mod d; mod e;"),
            ("a/b.rs", "use super::c::C; pub struct B;"),
            ("a/c.rs", "use super::d::D; pub struct C;"),
            ("a/d.rs", "use super::b::B; use super::c::C; pub struct D;"),
            ("a/e.rs", "use super::d::D;"),
        ]);
        let found = describe(&graph);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("circle of 3 files: a/c.rs -> a/d.rs -> a/c.rs\n"), "{}", found[0]);
        assert!(found[0].contains("a/b.rs -> a/c.rs (C)"));
        assert!(!found[0].contains("a/e.rs"));
    }

    #[test]
    fn files_without_circles_have_none() {
        let graph = graph(&[
            ("a/mod.rs", "mod b; mod c; pub use c::C;"),
            ("a/b.rs", "use super::C; pub struct B;"),
            ("a/c.rs", "pub struct C;"),
        ]);
        assert!(describe(&graph).is_empty());
        assert!(parent_imports(&graph).is_empty());
    }

    #[test]
    fn a_name_defined_in_the_parent_is_not_for_its_children() {
        let graph = graph(&[
            ("a/mod.rs", "mod b; mod d; pub struct A;"),
            ("a/b.rs", "mod c; pub struct B;"),
            ("a/b/c.rs", "use super::B; use super::super::A; use super::super::d::D;"),
            ("a/d.rs", "pub struct D;"),
        ]);
        assert_eq!(parent_imports(&graph), ["a/b/c.rs -> a/mod.rs (A)", "a/b/c.rs -> a/b.rs (B)"]);
    }
}
