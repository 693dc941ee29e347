//! `bindings/drystone.json`, from which bindings in other languages are made or checked, is the header as data: nothing
//! more, nothing less, and laid out as the C compiler does it.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod support;

use std::path::Path;

use support::description::{Argument, Description, Function, Type, described};
use support::header::{functions, generated, structures};
use support::host::c_standard;
use support::{project, read};

const FILE: &str = "bindings/drystone.json";

#[test]
fn the_description_is_generated() {
    let description = serde_json::to_string_pretty(&described(&generated())).expect("JSON") + "\n";
    if std::env::var_os("DRYSTONE_WRITE_HEADER").is_some() {
        std::fs::write(project(FILE), &description).expect(FILE);
    }
    let committed = read(FILE);
    let differs = description.lines().zip(committed.lines()).position(|(new, old)| new != old);
    assert!(
        description == committed,
        "{FILE} is not what src/ffi says (line {:?}); make header",
        differs.map(|line| line + 1)
    );
}

/// By another way of reading the header: every structure with its members, every function.
#[test]
fn nothing_is_left_out() {
    let header = read("include/drystone.h");
    let description = described(&header);
    let names = |structure: &support::description::Structure| {
        (structure.name.clone(), structure.fields.iter().map(|field| field.name.clone()).collect())
    };
    assert_eq!(description.structs.iter().map(names).collect::<Vec<(String, Vec<String>)>>(), structures(&header));
    let declared: Vec<&str> = description.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(declared, functions(&header));
}

/// A C program in which the compiler compares sizes, offsets, types and numbers of the description with the header.
#[test]
fn the_compiler_agrees() {
    let description = described(&read("include/drystone.h"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("description.c");
    std::fs::write(&path, program(&description)).expect("a place for the program");
    c_standard("c11", &[path.to_str().expect("a path of text")]).run("description");
}

fn program(description: &Description) -> String {
    let mut lines = vec!["#include <drystone.h>".to_string()];
    let mut equal = |left: String, right: String| {
        lines.push(format!("_Static_assert({left} == {right}, \"{}\");", left.replace('"', "")));
    };
    for constant in &description.constants {
        equal(constant.name.clone(), constant.value.to_string());
    }
    for enumeration in &description.enums {
        equal(format!("sizeof({})", enumeration.name), enumeration.size.to_string());
        for value in &enumeration.values {
            equal(value.name.clone(), value.value.to_string());
        }
    }
    for handle in &description.handles {
        equal(format!("_Generic(({})0, {}: 1)", handle.name, handle.kind), "1".into());
    }
    for structure in &description.structs {
        let name = &structure.name;
        equal(format!("sizeof({name})"), structure.size.to_string());
        equal(format!("_Alignof({name})"), structure.align.to_string());
        for field in &structure.fields {
            let (member, of) = (format!("(({name} *)0)->{}", field.name), &field.of);
            equal(format!("offsetof({name}, {})", field.name), field.offset.to_string());
            equal(format!("sizeof({member})"), field.size.to_string());
            let pointer = format!("{} *", spelled(of));
            let length = of.length.map(|length| format!("[{length}]")).unwrap_or_default();
            let whole = if length.is_empty() { pointer } else { format!("{} (*){length}", spelled(of)) };
            equal(format!("_Generic(&{member}, {whole}: 1)"), "1".into());
        }
    }
    let pointers = description.callbacks.iter().map(|callback| pointer(callback, "callback_", "0"));
    let functions = description.functions.iter().map(|function| pointer(function, "function_", &function.name));
    lines.extend(pointers.chain(functions));
    lines.push("int main(void) {".into());
    lines.extend(description.functions.iter().map(|function| format!("    (void)function_{};", function.name)));
    // one type may be assigned to the other only if they are the same
    for callback in &description.callbacks {
        lines.push(format!("    {{ {0} same = callback_{0}; (void)same; }}", callback.name));
    }
    lines.push("    return 0;\n}\n".into());
    lines.join("\n")
}

/// A pointer of the described type, set to `value`.
fn pointer(function: &Function, prefix: &str, value: &str) -> String {
    let argument = |argument: &Argument| spelled(&argument.of);
    let list: Vec<String> = function.arguments.iter().map(argument).collect();
    let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
    format!("static {} (*const {prefix}{})({list}) = {value};", spelled(&function.answer), function.name)
}

fn spelled(of: &Type) -> String {
    format!("{}{}{}", if of.constant { "const " } else { "" }, of.name, " *".repeat(of.pointer))
}
