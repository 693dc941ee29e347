//! Tests mirror sources. Every test file is named after a source. Every source with functions has a test file of its name, or a line in
//! `tested_elsewhere.txt`.
//!
//! The name of a source is the end of its path, joined by `_`: `a/tests/d.rs` and `a/tests/c_d.rs` both test `a/b/c/d.rs`. A test file may
//! also be named after a folder, and words may follow the name: `c.rs`, `d_more.rs`. Only `d.rs` and `c_d.rs` count as tests of the source.
//! The files in `tests/d/` are parts of `tests/d.rs` and may have any names.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{File, root, sources};

/// Test files that are not named after a source. Each has its module, its name and what it is.
const OTHERS: [(&str, &str, &str); 15] = [
    ("collide", "boxes", "random boxes and their pairs by brute force"),
    ("collide/narrow", "scene", "poses and checks of contact points"),
    ("query", "sample", "a contact"),
    ("shape/nurbs", "grains", "curves that tests have in common"),
    ("vtk", "read_back", "a reader of data sets"),
    ("solver", "associated_polish", "Newton steps from the answer of another conic solver"),
    ("solver", "batches", "batches of contacts, visited one by one"),
    ("solver", "cases", "reduced problems with solutions by hand"),
    ("solver", "double", "arithmetic with twice the digits"),
    ("solver", "random", "random numbers and problems"),
    ("solver", "small", "reduced problems that each method must solve"),
    ("world", "digest", "recorded results of whole steps"),
    ("world", "non_defaults", "values of all settings and members that differ from the defaults"),
    ("world", "saved_scenes", "worlds with all kinds of content"),
    ("world", "scene", "small scenes"),
];

/// A path below the folder of a module, without `.rs` and `/mod.rs`.
struct Place<'a> {
    module: &'a str,
    parts: Vec<&'a str>,
}

impl<'a> Place<'a> {
    fn new(module: &'a str, path: &'a str) -> Self {
        let path = path.trim_end_matches(".rs");
        Self { module, parts: path.strip_suffix("/mod").unwrap_or(path).split('/').collect() }
    }

    /// Returns the names that end with the file: `b` and `a_b` for `a/b.rs`.
    fn names(&self) -> BTreeSet<String> {
        (0..self.parts.len()).map(|start| self.parts[start..].join("_")).collect()
    }

    /// Returns the names of the file and of the folders that hold it.
    fn names_with_folders(&self) -> BTreeSet<String> {
        let of = |end: usize| Place { module: self.module, parts: self.parts[..end].to_vec() }.names();
        (1..=self.parts.len()).flat_map(of).collect()
    }
}

/// A test file and the module that it tests.
struct Test<'a> {
    path: &'a str,
    place: Place<'a>,
    /// Whether the file or a file in its folder has a `#[test]`.
    has_tests: bool,
    /// Whether [`OTHERS`] lists it.
    is_other: bool,
}

/// The sources and the test files of the crate.
struct Mirror<'a> {
    /// All files outside of tests.
    all: Vec<&'a str>,
    /// Those of `all` that have functions.
    sources: Vec<&'a str>,
    tests: Vec<Test<'a>>,
}

impl<'a> Mirror<'a> {
    fn new(files: &'a [File], others: &[(&str, &str, &str)]) -> Self {
        let test = |file: &'a File| {
            let (module, path) = file.path.split_once("/tests/")?;
            let place = Place::new(module, path);
            let is_other = others.iter().any(|(of, name, _)| *of == module && place.parts.last() == Some(name));
            let folder = format!("{}/", file.path.trim_end_matches(".rs"));
            let mut own = files.iter().filter(|other| other.path == file.path || other.path.starts_with(&folder));
            let has_tests = own.any(|file| has(file, &["#", "[", "test", "]"]));
            Some(Test { path: &file.path, place, has_tests, is_other })
        };
        let sources = || files.iter().filter(|file| !file.is_test());
        Self {
            all: sources().map(|file| file.path.as_str()).collect(),
            sources: sources().filter(|file| has(file, &["fn"])).map(|file| file.path.as_str()).collect(),
            tests: files.iter().filter_map(test).collect(),
        }
    }

    /// Returns the place of a source within `module`; none for a source of another module.
    fn within(module: &'a str, source: &'a str) -> Option<Place<'a>> {
        Some(Place::new(module, source.strip_prefix(module)?.strip_prefix('/')?))
    }

    /// Reports whether `test` has the name of `source`.
    fn mirrors(test: &Test, source: &str) -> bool {
        let place = Mirror::within(test.place.module, source);
        place.is_some_and(|place| !place.names().is_disjoint(&test.place.names()))
    }

    /// Reports whether a test file has the name of `source`.
    fn is_mirrored(&self, source: &str) -> bool {
        self.tests.iter().any(|test| test.has_tests && !test.is_other && Mirror::mirrors(test, source))
    }

    /// Reports whether `test` is in the folder of another test file, which has the name of a source or is listed.
    fn is_part(&self, test: &Test) -> bool {
        let holds = |other: &&Test| {
            let (outer, inner) = (&other.place.parts, &test.place.parts);
            other.place.module == test.place.module && outer.len() < inner.len() && inner.starts_with(outer)
        };
        let is_known = |other: &Test| other.is_other || self.all.iter().any(|source| Mirror::mirrors(other, source));
        self.tests.iter().filter(holds).any(is_known)
    }

    /// Reports whether `test` has tests and a name of a source or folder, perhaps with further words.
    fn is_well_named(&self, test: &Test, names: &BTreeMap<&str, BTreeSet<String>>) -> bool {
        let known = |name: &str| names[test.place.module].contains(name);
        let stem = test.place.parts.last().copied().unwrap_or_default();
        let begins = stem.match_indices('_').any(|(end, _)| known(&stem[..end]));
        test.has_tests && (begins || test.place.names().iter().any(|name| known(name)))
    }

    /// Returns what is wrong with the names of the test files and with the list `others`.
    fn misnamed(&self, others: &[(&str, &str, &str)]) -> Vec<String> {
        let mut names: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for test in &self.tests {
            let module = test.place.module;
            let of = || self.all.iter().filter_map(|source| Mirror::within(module, source));
            names.entry(module).or_insert_with(|| of().flat_map(|place| place.names_with_folders()).collect());
        }
        let mut wrong = Vec::new();
        for test in self.tests.iter().filter(|test| !test.path.ends_with("/mod.rs") && !self.is_part(test)) {
            match (self.is_well_named(test, &names), test.is_other) {
                (false, false) => wrong.push(format!("src/{}: no source has this name, or it has no tests", test.path)),
                (true, true) => wrong.push(format!("src/{}: it is listed but named after a source", test.path)),
                _ => {}
            }
        }
        let is_gone = |(module, name, _): &&(&str, &str, &str)| {
            !self.tests.iter().any(|test| test.place.module == *module && test.place.parts.last() == Some(name))
        };
        wrong.extend(
            others.iter().filter(is_gone).map(|(module, name, _)| format!("{module}, {name}: no such test file")),
        );
        wrong
    }

    /// Returns what is wrong with `table`, and the sources that are neither mirrored nor listed in it.
    fn untested(&self, table: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
        let (mut wrong, mut listed) = (Vec::new(), BTreeSet::new());
        for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let Some((source, test)) = line.split_once('|').map(|(source, test)| (source.trim(), test.trim())) else {
                wrong.push(format!("{line}: it is not `source | test`"));
                continue;
            };
            let meant = self.meant(source);
            let (mirrored, others): (Vec<&str>, Vec<&str>) = meant.iter().partition(|path| self.is_mirrored(path));
            if meant.is_empty() {
                wrong.push(format!("{line}: no source with functions has this path"));
            } else if others.is_empty() || (!source.ends_with('/') && !mirrored.is_empty()) {
                wrong.push(format!("{line}: a test file has the name of this source"));
            }
            let is_host = test.starts_with("tests/") && exists(test);
            if !self.is_test(test) && !is_host {
                wrong.push(format!("{line}: no such test file"));
            }
            let twice = others.into_iter().filter(|path| !listed.insert(*path));
            wrong.extend(twice.map(|path| format!("{line}: src/{path} is listed twice")));
        }
        let missing = self.sources.iter().filter(|path| !self.is_mirrored(path) && !listed.contains(*path));
        wrong.extend(
            missing.map(|path| format!("src/{path}: no test file has its name, and the table has no line for it")),
        );
        wrong
    }

    /// Returns the sources that the path `given` stands for. A complete path stands for its file alone.
    fn meant(&self, given: &str) -> Vec<&'a str> {
        let is_complete = self.sources.contains(&given);
        let is_it = |path: &&str| if is_complete { *path == given } else { is_meant(given, path) };
        self.sources.iter().copied().filter(is_it).collect()
    }

    /// Reports whether a test file with tests has the path `path`; folders behind `tests` may be omitted.
    fn is_test(&self, path: &str) -> bool {
        let Some((module, end)) = path.split_once("/tests/") else { return false };
        let is_it = |test: &Test| {
            test.place.module == module
                && is_meant(&format!("tests/{end}"), &format!("tests/{}", &test.path[module.len() + 7..]))
        };
        self.tests.iter().any(|test| test.has_tests && is_it(test))
    }
}

/// Reports whether the path `given` stands for the file `path`. Folders behind the first one may be omitted, so that a file can be moved
/// within its module. A `given` with a final `/` stands for all files in that folder.
fn is_meant(given: &str, path: &str) -> bool {
    let (Some((module, end)), Some((top, rest))) = (given.split_once('/'), path.split_once('/')) else { return false };
    let rest = format!("/{rest}");
    module == top
        && if end.ends_with('/') { rest.contains(&format!("/{end}")) } else { rest.ends_with(&format!("/{end}")) }
}

/// Reports whether the tokens `wanted` stand in `file`, one after the other.
fn has(file: &File, wanted: &[&str]) -> bool {
    file.tokens
        .windows(wanted.len())
        .any(|part| part.iter().map(|token| token.text.as_str()).eq(wanted.iter().copied()))
}

#[test]
fn every_test_file_is_named_after_a_source() {
    let sources = sources();
    let wrong = Mirror::new(&sources, &OTHERS).misnamed(&OTHERS);
    assert!(wrong.is_empty(), "test files: {wrong:#?}");
}

#[test]
fn every_source_is_tested_under_its_name_or_listed() {
    let table = root().join("tests/layering/tested_elsewhere.txt");
    let table = std::fs::read_to_string(table).expect("tests/layering/tested_elsewhere.txt");
    let sources = sources();
    let wrong = Mirror::new(&sources, &OTHERS).untested(&table, |path| root().join(path).is_file());
    assert!(wrong.is_empty(), "sources without tests and wrong lines of tested_elsewhere.txt: {wrong:#?}");
}

#[cfg(test)]
mod tests {
    use super::Mirror;
    use crate::sources::File;

    const TEST: &str = "#[test] fn f() {}";

    /// Returns sources with a function, and test files with a test, at `paths`.
    fn files(paths: &[&str]) -> Vec<File> {
        paths.iter().map(|path| File::new(path, TEST)).collect()
    }

    fn misnamed(files: &[File], others: &[(&str, &str, &str)]) -> Vec<String> {
        Mirror::new(files, others).misnamed(others)
    }

    fn untested(paths: &[&str], table: &str) -> Vec<String> {
        Mirror::new(&files(paths), &[]).untested(table, |path| path == "tests/c/x.c")
    }

    #[test]
    fn a_test_file_has_a_name_of_a_source_or_folder() {
        let sources = ["a/mod.rs", "a/b/c/d.rs", "e/f.rs"];
        for good in ["mod", "d", "c_d", "b_c_d", "c", "b", "b_c", "d_more", "c_d_in_detail"] {
            let test = format!("a/tests/{good}.rs");
            assert!(misnamed(&files(&[&sources[..], &[&test]].concat()), &[]).is_empty(), "{good}");
        }
        for bad in ["dd", "f", "more_d", "x"] {
            let test = format!("a/tests/{bad}.rs");
            assert_eq!(misnamed(&files(&[&sources[..], &[&test]].concat()), &[]).len(), 1, "{bad}");
        }
    }

    #[test]
    fn parts_of_a_test_file_have_any_names() {
        assert!(misnamed(&files(&["a/b.rs", "a/tests/b.rs", "a/tests/b/x.rs"]), &[]).is_empty());
        assert!(misnamed(&files(&["a/b/c.rs", "a/tests/b/mod.rs", "a/tests/b/c.rs"]), &[]).is_empty());
        let digest = files(&["a/b.rs", "a/tests/d.rs", "a/tests/d/x.rs"]);
        assert!(misnamed(&digest, &[("a", "d", "")]).is_empty());
        // A folder of several sources has no name for its tests.
        assert_eq!(misnamed(&files(&["a/b/c.rs", "a/tests/b.rs", "a/tests/b/x.rs"]), &[]).len(), 1);
        let found = misnamed(&files(&["a/b.rs", "a/tests/y/x.rs"]), &[]);
        assert_eq!(found, ["src/a/tests/y/x.rs: no source has this name, or it has no tests"]);
    }

    #[test]
    fn other_test_files_are_listed() {
        let helper = |path: &str| {
            let mut files = files(&["a/b.rs", "a/tests/b.rs"]);
            files.push(File::new(path, "fn helper() {}"));
            files
        };
        assert_eq!(misnamed(&helper("a/tests/x.rs"), &[]).len(), 1);
        assert!(misnamed(&helper("a/tests/x.rs"), &[("a", "x", "")]).is_empty());
        assert_eq!(misnamed(&helper("a/tests/x.rs"), &[("a", "x", ""), ("a", "y", "")]), ["a, y: no such test file"]);
        let found = misnamed(&helper("a/tests/x.rs"), &[("a", "x", ""), ("a", "b", "")]);
        assert_eq!(found, ["src/a/tests/b.rs: it is listed but named after a source"]);
    }

    #[test]
    fn a_source_is_mirrored_within_its_module() {
        let missing = |path: &str| format!("src/{path}: no test file has its name, and the table has no line for it");
        assert!(untested(&["a/b/c.rs", "a/tests/b_c.rs"], "").is_empty());
        assert!(untested(&["a/b/c.rs", "a/b/tests/c.rs"], "").is_empty());
        assert!(untested(&["a/b/mod.rs", "a/tests/b.rs"], "").is_empty());
        assert!(untested(&["a/mod.rs", "a/tests/mod.rs"], "").is_empty());
        assert_eq!(untested(&["a/b/c.rs", "a/tests/b.rs", "d/tests/c.rs"], ""), [missing("a/b/c.rs")]);
        let files = [
            File::new("a/b.rs", "struct S; #[cfg(test)] fn f() {}"),
            File::new("a/c.rs", TEST),
            File::new("a/tests/c.rs", "fn helper() {}"),
        ];
        let found = Mirror::new(&files, &[]).untested("", |_| false);
        assert_eq!(
            found,
            [missing("a/c.rs")],
            "a file without functions needs no test, and a file without tests is none"
        );
    }

    #[test]
    fn lines_of_the_table_are_checked() {
        let paths = ["a/b.rs", "a/c/d.rs", "a/c/e.rs", "a/tests/b.rs", "a/tests/y/z.rs"];
        for good in ["a/c/ | a/tests/b.rs", "# comment\n\na/d.rs | tests/c/x.c\na/c/e.rs | a/tests/z.rs"] {
            assert!(untested(&paths, good).is_empty(), "{good}");
        }
        let stale = [
            ("a/x.rs | a/tests/b.rs", "no source with functions has this path"),
            ("x/d.rs | a/tests/b.rs", "no source with functions has this path"),
            ("a/b.rs | a/tests/b.rs", "a test file has the name of this source"),
            ("a/d.rs | a/tests/b.rs", "src/a/c/d.rs is listed twice"),
            ("a/d.rs", "it is not `source | test`"),
        ];
        for (line, message) in stale {
            assert_eq!(untested(&paths, &format!("a/c/ | a/tests/b.rs\n{line}")), [format!("{line}: {message}")]);
        }
        for test in ["a/tests/x.rs", "b/tests/b.rs", "tests/c/y.c", "a/b.rs", ""] {
            assert_eq!(untested(&paths, &format!("a/c/ | {test}")), [format!("a/c/ | {test}: no such test file")]);
        }
    }
}
