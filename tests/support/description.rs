//! The whole interface as data, from the text of the header.
//!
//! cbindgen writes a narrow subset of C, one thing to a line. What is not of that subset is no guess but a panic with
//! the line: nothing can be declared in the header that the description leaves out.

use std::collections::BTreeMap;

use serde::Serialize;

/// What bindings are made of, and checked against: `bindings/drystone.json`.
#[derive(Default, Serialize)]
pub(crate) struct Description {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The major version: libraries of another one are not the same interface.
    pub(crate) abi: u32,
    /// The first page of the header.
    pub(crate) doc: String,
    pub(crate) constants: Vec<Constant>,
    pub(crate) enums: Vec<Enumeration>,
    pub(crate) handles: Vec<Handle>,
    pub(crate) opaque: Vec<Opaque>,
    pub(crate) callbacks: Vec<Function>,
    pub(crate) structs: Vec<Structure>,
    pub(crate) functions: Vec<Function>,
}

/// A bit: all constants are `uint32_t`.
#[derive(Serialize)]
pub(crate) struct Constant {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) value: u64,
    pub(crate) doc: String,
}

/// An `enum` of C, as large as an `int`.
#[derive(Serialize)]
pub(crate) struct Enumeration {
    pub(crate) name: String,
    pub(crate) size: usize,
    pub(crate) doc: String,
    pub(crate) values: Vec<Value>,
}

#[derive(Serialize)]
pub(crate) struct Value {
    pub(crate) name: String,
    pub(crate) value: i64,
    pub(crate) doc: String,
}

/// A number that names an object of a world.
#[derive(Serialize)]
pub(crate) struct Handle {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) doc: String,
}

/// A type that exists behind a pointer alone.
#[derive(Serialize)]
pub(crate) struct Opaque {
    pub(crate) name: String,
    pub(crate) doc: String,
}

/// A type as it stands before and after a name: `const double *x` is double, 1, true.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Type {
    #[serde(rename = "type")]
    pub(crate) name: String,
    /// How many `*`; an argument `x[3]` is a pointer too.
    pub(crate) pointer: usize,
    /// Whether what is pointed to is read alone.
    #[serde(rename = "const")]
    pub(crate) constant: bool,
    /// Elements of an array: of a field, or those that an argument points to.
    pub(crate) length: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct Structure {
    pub(crate) name: String,
    /// In bytes, where pointers and `size_t` have 8.
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// Begins with `struct_size`, and grows at its end.
    pub(crate) sized: bool,
    pub(crate) doc: String,
    pub(crate) fields: Vec<Field>,
}

#[derive(Serialize)]
pub(crate) struct Field {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) of: Type,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) doc: String,
}

/// A function, or the type of a pointer to one.
#[derive(Serialize)]
pub(crate) struct Function {
    pub(crate) name: String,
    #[serde(rename = "return")]
    pub(crate) answer: Type,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) doc: String,
}

#[derive(Serialize)]
pub(crate) struct Argument {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) of: Type,
    /// What the function's text says of it under its name; empty where it says nothing.
    pub(crate) doc: String,
}

/// Lines of the frame, which declare nothing.
const FRAME: &[&str] = &[
    "#ifndef DRYSTONE_H",
    "#define DRYSTONE_H",
    "#include <stddef.h>",
    "#include <stdint.h>",
    "#ifdef __cplusplus",
    "extern \"C\" {",
    "} /* extern \"C\" */",
    "#endif",
    "#endif /* DRYSTONE_H */",
];

/// Reads a header.
pub(crate) fn described(header: &str) -> Description {
    let version = env!("CARGO_PKG_VERSION").to_string();
    let abi = env!("CARGO_PKG_VERSION_MAJOR").parse().expect("a number");
    let mut description =
        Description { name: env!("CARGO_PKG_NAME").to_string(), version, abi, ..Description::default() };
    let mut lines = Lines { lines: header.lines().collect(), at: 0 };
    description.doc = lines.comment("/*");
    let mut doc = None;
    while let Some(line) = lines.peek() {
        if line.starts_with("/**") {
            assert!(doc.is_none(), "two comments: {line}");
            doc = Some(lines.comment("/**"));
            continue;
        }
        lines.at += 1;
        if line.is_empty() || FRAME.contains(&line) || (line.starts_with("/* ") && line.ends_with("- */")) {
            assert!(doc.is_none(), "a comment on nothing before line {}", lines.at);
            continue;
        }
        let doc = doc.take().unwrap_or_else(|| panic!("nothing is said of {line:?}"));
        description.item(line, doc, &mut lines);
    }
    description
}

struct Lines<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    fn next(&mut self) -> &'a str {
        let line = self.peek().expect("the header ends within something");
        self.at += 1;
        line
    }

    /// The text of a comment on lines of its own.
    fn comment(&mut self, open: &str) -> String {
        let first = self.next().trim();
        if let Some(text) = first.strip_suffix("*/") {
            return text.strip_prefix(open).expect("a comment").trim().to_string();
        }
        assert_eq!(first, open);
        let mut text = Vec::new();
        loop {
            match self.next().trim() {
                "*/" => return text.join("\n"),
                "*" => text.push(""),
                line => text.push(line.strip_prefix("* ").unwrap_or_else(|| panic!("in a comment: {line:?}"))),
            }
        }
    }

    /// The declaration that begins with `line`, up to its semicolon, on one line.
    fn declaration(&mut self, line: &str) -> String {
        let mut text = line.to_string();
        while !text.ends_with(';') {
            text = format!("{} {}", text, self.next().trim());
        }
        text.trim_end_matches(';').to_string()
    }

    /// What stands between braces: each line with its comment.
    fn members(&mut self, name: &str) -> Vec<(&'a str, String)> {
        let mut members = Vec::new();
        loop {
            let line = self.peek().expect("the header ends within braces").trim();
            if line.starts_with("/**") {
                let doc = self.comment("/**");
                members.push((self.next().trim(), doc));
            } else {
                assert_eq!(line, format!("}} {name};"), "a member nothing is said of");
                self.at += 1;
                return members;
            }
        }
    }
}

impl Description {
    /// One declaration, which begins with `line`.
    fn item(&mut self, line: &str, doc: String, lines: &mut Lines<'_>) {
        let words: Vec<&str> = line.trim_end_matches(';').split(' ').collect();
        match words[..] {
            ["#define", name, value] => {
                let value = value.strip_suffix('u').and_then(|value| value.parse().ok());
                let value = value.unwrap_or_else(|| panic!("no unsigned number: {line}"));
                self.constants.push(Constant { name: name.into(), kind: "uint32_t".into(), value, doc });
            }
            ["typedef", "struct", name, "{"] => {
                let structure = self.structure(name, doc, &lines.members(name));
                self.structs.push(structure);
            }
            ["typedef", "enum", name, "{"] => {
                let values = lines.members(name).into_iter().map(value).collect();
                self.enums.push(Enumeration { name: name.into(), size: 4, doc, values });
            }
            ["typedef", "struct", tag, name] if tag == name => self.opaque.push(Opaque { name: name.into(), doc }),
            ["typedef", "uint64_t", name] => {
                self.handles.push(Handle { name: name.into(), kind: "uint64_t".into(), doc })
            }
            ["typedef", ..] => {
                let text = lines.declaration(line).replacen("typedef ", "", 1).replacen("(*", "", 1);
                self.callbacks.push(function(&text.replacen(")(", "(", 1), doc));
            }
            _ => self.functions.push(function(&lines.declaration(line), doc)),
        }
    }

    /// A structure as C lays it out: every member at a multiple of its own alignment, the whole one of the largest.
    fn structure(&self, name: &str, doc: String, members: &[(&str, String)]) -> Structure {
        let (mut size, mut align, mut fields) = (0_usize, 1, Vec::new());
        for (line, doc) in members {
            let text = line.strip_suffix(';').unwrap_or_else(|| panic!("no member: {line}"));
            let (name, of) = declared(text);
            let unit = if of.pointer > 0 { 8 } else { self.size_of(&of.name) };
            let offset = size.next_multiple_of(unit);
            let bytes = unit * of.length.unwrap_or(1);
            (size, align) = (offset + bytes, align.max(unit));
            fields.push(Field { name, of, offset, size: bytes, doc: doc.clone() });
        }
        let sized = fields.first().is_some_and(|first| first.name == "struct_size");
        Structure { name: name.into(), size: size.next_multiple_of(align), align, sized, doc, fields }
    }

    fn size_of(&self, name: &str) -> usize {
        match name {
            "uint8_t" | "char" => 1,
            "uint32_t" | "int32_t" => 4,
            "uint64_t" | "double" | "size_t" => 8,
            _ if self.enums.iter().any(|known| known.name == name) => 4,
            _ if self.handles.iter().any(|known| known.name == name) => 8,
            _ if self.callbacks.iter().any(|known| known.name == name) => 8,
            _ => panic!("a member of unknown type {name}"),
        }
    }
}

/// `NAME = 1,` of an enumeration.
fn value((line, doc): (&str, String)) -> Value {
    let (name, value) = line.trim_end_matches(',').split_once(" = ").unwrap_or_else(|| panic!("no value: {line}"));
    Value { name: name.into(), value: value.parse().unwrap_or_else(|_| panic!("no number: {line}")), doc }
}

/// `dry_status dry_name(const double x[3], size_t *y)`.
fn function(text: &str, doc: String) -> Function {
    let (head, list) = text.strip_suffix(')').and_then(|text| text.split_once('(')).expect("a function");
    let (name, answer) = declared(head);
    let mut said = said(&doc);
    let mut argument = |text: &str| {
        let (name, mut of) = declared(text);
        of.pointer += usize::from(of.length.is_some());
        Argument { doc: said.remove(&name).unwrap_or_default(), name, of }
    };
    let arguments: Vec<Argument> = if list == "void" { vec![] } else { list.split(", ").map(&mut argument).collect() };
    Function { name, answer, arguments, doc }
}

/// `const double *name[3]`: the name and its type.
fn declared(text: &str) -> (String, Type) {
    let stars = text.matches('*').count();
    let plain = text.replace('*', " ");
    let mut words: Vec<&str> = plain.split_whitespace().collect();
    let constant = words.first() == Some(&"const");
    words.drain(..usize::from(constant));
    let [kind, name] = words[..] else { panic!("not a type and a name: {text:?}") };
    let (name, length) = match name.split_once('[') {
        Some((name, length)) => (name, Some(length.trim_end_matches(']').parse().expect("a length"))),
        None => (name, None),
    };
    let word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    assert!(word(kind) && word(name), "not a type and a name: {text:?}");
    (name.into(), Type { name: kind.into(), pointer: stars, constant, length })
}

/// What a function's text says under the names of arguments: `point: where it acts`, `lower, upper: corners`.
fn said(doc: &str) -> BTreeMap<String, String> {
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    for line in doc.lines() {
        let name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        let opens = line.split_once(": ").filter(|(head, _)| head.split(", ").all(name));
        match opens {
            Some((head, text)) => {
                names = head.split(", ").map(str::to_string).collect();
                said.extend(names.iter().map(|name| (name.clone(), text.to_string())));
            }
            None if line.is_empty() => names.clear(),
            None => {
                for name in &names {
                    said.entry(name.clone()).and_modify(|text| *text = format!("{text} {line}"));
                }
            }
        }
    }
    said
}
