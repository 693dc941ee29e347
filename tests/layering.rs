//! The house: which room may import which, and the measures of files and code. The table here, the one in
//! ARCHITECTURE.md and the code say the same.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const LONGEST_FILE: usize = 600;

/// Floor, room, and what the room may import. Everybody may import `error`.
const ROOMS: &[(u32, &str, &[&str])] = &[
    (6, "ffi", &["world", "query", "law", "collide", "solver", "contact", "body", "shape", "math", "id", "tasks"]),
    (5, "world", &["query", "law", "collide", "solver", "contact", "body", "shape", "math", "id", "tasks"]),
    (4, "query", &["shape", "body", "contact", "collide", "math", "id"]),
    (3, "law", &["contact", "math"]),
    (3, "collide", &["shape", "contact", "math", "id", "tasks"]),
    (2, "solver", &["math", "tasks"]),
    (2, "contact", &["math", "id", "tasks"]),
    (2, "body", &["math", "id", "tasks"]),
    (2, "shape", &["math"]),
    (1, "math", &[]),
    (1, "id", &[]),
    (1, "error", &[]),
    (1, "tasks", &[]),
];

/// A source file, its comments and texts blanked out.
struct File {
    /// From `src`, with `/`.
    path: String,
    lines: usize,
    code: String,
}

impl File {
    /// The folder of `src` it lies in; none for `lib.rs`.
    fn room(&self) -> Option<&str> {
        self.path.split_once('/').map(|(room, _)| room)
    }

    fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<File> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    collect(&root().join("src"), &mut found);
    found.sort();
    let file = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source of text");
        let path = path.strip_prefix(root().join("src")).expect("below src").to_string_lossy().replace('\\', "/");
        File { path, lines: text.lines().count(), code: blanked(&text) }
    };
    found.into_iter().map(file).collect()
}

/// The text with comments, and what stands between quotes, taken out; lines stay where they are.
fn blanked(text: &str) -> String {
    let (mut code, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if next == '"' {
            quoted(rest)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else {
            code.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        code.extend(rest[..skipped].chars().filter(|character| *character == '\n'));
        rest = &rest[skipped..];
    }
    code
}

/// The bytes of the text in quotes that `rest` begins with.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The names that follow `crate::` anywhere in the code, in braces too.
fn imports(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        match after.strip_prefix('{') {
            None => {
                names.insert(first_name(after));
            }
            Some(list) => names.extend(outermost(list).iter().map(|item| first_name(item))),
        }
    }
    names
}

fn first_name(text: &str) -> String {
    text.trim_start().chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// The items of a list up to its closing brace, lists within them left whole.
fn outermost(list: &str) -> Vec<String> {
    let (mut items, mut depth) = (vec![String::new()], 0);
    for character in list.chars() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(String::new()),
            _ => {}
        }
        if let (true, Some(last)) = (depth == 0 && character != ',', items.last_mut()) {
            last.push(character);
        }
    }
    items.retain(|item| !item.trim().is_empty());
    items
}

#[test]
fn the_reader_of_imports_reads() {
    let code = blanked(
        "use crate::math::{Vec3, frame};\nuse crate::{id, shape::{a, b}};\n// crate::no\nlet x = crate::body::f(\"crate::no \\\" crate::no\");",
    );
    assert_eq!(imports(&code).into_iter().collect::<Vec<_>>(), ["body", "id", "math", "shape"]);
    assert_eq!(code.lines().count(), 4);
}

#[test]
fn a_room_imports_only_what_the_table_allows() {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().map(|(_, room, allowed)| (*room, *allowed)).collect();
    let mut wrong = Vec::new();
    for file in sources() {
        let Some(room) = file.room() else { continue };
        let Some(allowed) = allowed.get(room) else {
            wrong.push(format!("src/{}: the table has no room {room}", file.path));
            continue;
        };
        for name in imports(&file.code) {
            if name != room && name != "error" && !allowed.contains(&name.as_str()) {
                wrong.push(format!("src/{}: {room} imports {name}", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A table of rooms that are not there helps nobody.
#[test]
fn every_room_of_the_table_is_there() {
    let missing: Vec<&str> =
        ROOMS.iter().map(|(_, room, _)| *room).filter(|room| !root().join("src").join(room).is_dir()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A room imports only rooms of lower floors.
#[test]
fn the_table_has_no_arrow_upward() {
    let floors: BTreeMap<&str, u32> = ROOMS.iter().map(|(floor, room, _)| (*room, *floor)).collect();
    for (floor, room, allowed) in ROOMS {
        for below in *allowed {
            assert!(floors[below] < *floor, "{room} on floor {floor} may import {below} on floor {}", floors[below]);
        }
    }
}

/// ARCHITECTURE.md has the table `| floor | room | may import | owns |`; a row may name several rooms.
#[test]
fn the_architecture_has_the_same_table() {
    let path = root().join("ARCHITECTURE.md");
    if !path.exists() {
        return;
    }
    let document = std::fs::read_to_string(path).expect("ARCHITECTURE.md");
    let mut documented = BTreeMap::new();
    for line in document.lines() {
        let cells: Vec<String> = line.split('|').map(|cell| cell.replace('`', "").trim().to_string()).collect();
        let [_, floor, rooms, imports, ..] = cells.as_slice() else { continue };
        let Ok(floor) = floor.parse::<u32>() else { continue };
        for room in rooms.split(',').map(str::trim) {
            documented.insert(room.to_string(), (floor, told(room, floor, imports)));
        }
    }
    let expected: BTreeMap<String, (u32, BTreeSet<String>)> = ROOMS
        .iter()
        .map(|(floor, room, allowed)| (room.to_string(), (*floor, allowed.iter().map(ToString::to_string).collect())))
        .collect();
    assert_eq!(documented, expected);
}

/// What a cell of the table allows: a list, "nothing", "all below" or "all below but ...".
fn told(room: &str, floor: u32, cell: &str) -> BTreeSet<String> {
    let names = |list: &str| -> BTreeSet<String> {
        list.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).collect()
    };
    if let Some(exceptions) = cell.strip_prefix("all below") {
        let exceptions = names(exceptions.trim_start().trim_start_matches("but"));
        let below = ROOMS.iter().filter(|(other, name, _)| *other < floor && *name != room && *name != "error");
        return below.map(|(_, name, _)| name.to_string()).filter(|name| !exceptions.contains(name)).collect();
    }
    if cell == "nothing" { BTreeSet::new() } else { names(cell) }
}

/// What must not stand in the code of a file, and which files are excepted.
fn forbids(word: &str, excepted: impl Fn(&File) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for file in sources().iter().filter(|file| !excepted(file)) {
        for (number, line) in file.code.lines().enumerate() {
            let starts = line.match_indices(word).map(|(at, _)| at);
            let whole = |at: usize| {
                let name = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
                let opens = word.starts_with(char::is_alphabetic) && name(line[..at].chars().next_back());
                let goes_on = word.ends_with(char::is_alphabetic) && name(line[at + word.len()..].chars().next());
                !opens && !goes_on
            };
            if starts.into_iter().any(whole) {
                found.push(format!("src/{}:{}: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    found
}

/// Files outside `ffi` with unsafe code: one cuts slices for several threads, one has the lines of bodies that several
/// threads share, one prefetches, and the others have the instructions of the machine.
const UNSAFE_FILES: [&str; 7] = [
    "tasks/pieces.rs",
    "math/lanes/lines.rs",
    "math/lanes/prefetch.rs",
    "math/lanes/machine.rs",
    "math/lanes/machine/avx2.rs",
    "math/lanes/machine/avx512.rs",
    "math/lanes/machine/registers.rs",
];

#[test]
fn unsafe_code_lives_in_ffi_and_few_files() {
    let found = forbids("unsafe", |file| file.room() == Some("ffi") || UNSAFE_FILES.contains(&file.path.as_str()));
    assert!(found.is_empty(), "{found:#?}");
}

/// An import list is the map of a file, and a child never imports its parent's room.
#[test]
fn no_child_imports_all_of_its_parent() {
    let found = forbids("use super::*", File::is_test);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn nothing_panics_outside_tests() {
    for word in [".unwrap()", ".expect(", "panic!", "todo!", "unimplemented!", "unreachable!"] {
        let found = forbids(word, File::is_test);
        assert!(found.is_empty(), "{word}: {found:#?}");
    }
}

#[test]
fn nothing_prints_outside_tests() {
    for word in ["println!", "eprintln!", "print!", "eprint!", "dbg!"] {
        let found = forbids(word, File::is_test);
        assert!(found.is_empty(), "{word}: {found:#?}");
    }
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|file| file.lines > LONGEST_FILE)
        .map(|file| format!("src/{} has {} lines", file.path, file.lines))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}
