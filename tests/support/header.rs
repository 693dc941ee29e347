//! Makes the header from `src/ffi`: cbindgen for each chapter, `cbindgen.toml` for the frame around them.
//!
//! cbindgen puts all types before all functions. One run per chapter keeps what belongs together together.

use super::{project, read};

/// A group of modules in `src/ffi/mod.rs` under its title.
struct Chapter {
    title: String,
    files: Vec<String>,
}

/// The header as the sources of today make it.
pub(crate) fn generated() -> String {
    let config = cbindgen::Config::from_file(project("cbindgen.toml")).expect("cbindgen.toml");
    let frame = |part: &Option<String>| part.clone().expect("a part of the frame in cbindgen.toml");
    let (map, guard, includes) = (frame(&config.header), frame(&config.include_guard), frame(&config.after_includes));
    let open = "#ifdef __cplusplus\nextern \"C\" {\n#endif";
    let close = "#ifdef __cplusplus\n} /* extern \"C\" */\n#endif";
    let mut header = format!("{}\n\n#ifndef {guard}\n#define {guard}\n\n{}\n\n{open}\n", map.trim(), includes.trim());
    for chapter in chapters() {
        header += &format!("\n/* {:-<108} */\n\n", format!("{} ", chapter.title));
        header += page(&config, &chapter).trim();
        header.push('\n');
    }
    header + &format!("\n{close}\n\n#endif /* {guard} */\n")
}

/// The folders of `tests/abi`, oldest first.
pub(crate) fn records() -> Vec<u32> {
    let entries = std::fs::read_dir(project("tests/abi")).expect("tests/abi");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse().ok();
    let mut records: Vec<u32> = entries.filter_map(name).collect();
    records.sort_unstable();
    records
}

/// The chapters: a comment line for the title, then `pub mod` lines.
fn chapters() -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut title = None;
    for line in read("src/ffi/mod.rs").lines() {
        if let Some(text) = line.strip_prefix("// ") {
            title = Some(text.to_string());
        } else if let Some(name) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) {
            if let Some(title) = title.take() {
                chapters.push(Chapter { title, files: Vec::new() });
            }
            let chapter = chapters.last_mut().expect("a title above the first `pub mod`");
            chapter.files.push(format!("src/ffi/{name}.rs"));
        }
    }
    chapters
}

/// What cbindgen makes of one chapter, without a frame.
fn page(config: &cbindgen::Config, chapter: &Chapter) -> String {
    let mut config = config.clone();
    (config.header, config.include_guard, config.after_includes) = (None, None, None);
    config.cpp_compat = false;
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = chapter.files.iter().fold(builder, |builder, file| builder.with_src(project(file)));
    let mut bytes = Vec::new();
    builder.generate().unwrap_or_else(|error| panic!("{}: {error}", chapter.title)).write(&mut bytes);
    let page = String::from_utf8(bytes).expect("the header is text");
    folded(&page)
}

/// The same page with every comment of one line on one line, and types by their plain names.
fn folded(page: &str) -> String {
    let lines: Vec<&str> = page.lines().collect();
    let (mut folded, mut at) = (String::new(), 0);
    while let Some(line) = lines.get(at) {
        let text = lines.get(at + 1).and_then(|text| text.trim_start().strip_prefix("* "));
        match (line.trim_start(), text, lines.get(at + 2).map(|end| end.trim_start())) {
            ("/**", Some(text), Some("*/")) if line.len() + text.len() + 4 <= 120 => {
                folded += &format!("{line} {text} */");
                at += 3;
            }
            _ => {
                // Every tag has a typedef of its name.
                let tagged = line.starts_with("typedef ");
                let plain = || line.replace("enum dry_", "dry_").replace("struct dry_", "dry_");
                folded += &if tagged { line.to_string() } else { plain() };
                at += 1;
            }
        }
        folded.push('\n');
    }
    folded
}

/// The structures in a header with their members, in order.
pub(crate) fn structures(header: &str) -> Vec<(String, Vec<String>)> {
    let mut structures: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in code(header).lines() {
        if let Some(name) = line.strip_prefix("typedef struct ").and_then(|rest| rest.strip_suffix(" {")) {
            structures.push((name.to_string(), Vec::new()));
            inside = true;
        } else if line.starts_with('}') {
            inside = false;
        } else if let (true, Some((_, members)), Some(declaration)) =
            (inside, structures.last_mut(), line.trim().strip_suffix(';'))
        {
            let name = declaration.rsplit([' ', '*']).next().unwrap_or_default();
            members.push(name.split('[').next().unwrap_or_default().to_string());
        }
    }
    structures
}

/// The functions that a header declares.
pub(crate) fn functions(header: &str) -> Vec<String> {
    let declaration = |line: &str| {
        let before = line.split_once('(')?.0;
        let name = before.rsplit([' ', '*']).next()?;
        (name.starts_with("dry_") && !line.starts_with(' ')).then(|| name.to_string())
    };
    code(header).lines().filter_map(declaration).collect()
}

/// A header without its comments.
pub(crate) fn code(header: &str) -> String {
    let mut parts = header.split("/*");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |code, part| code + part.split_once("*/").map_or("", |(_, rest)| rest))
}
