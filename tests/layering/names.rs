//! The names that a file defines, imports and uses.

use std::collections::BTreeSet;

use crate::lexer::Token;

/// One name brought in by `use`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The path as it is written, without a final `*`.
    pub(crate) path: Vec<String>,
    /// The name in the file that imports it; `*` stands for all names of the path.
    pub(crate) alias: String,
}

/// Returns the names of the items that the file defines at its top level. `mod x;` defines nothing, `mod x { .. }` does.
pub(crate) fn definitions(tokens: &[Token]) -> BTreeSet<String> {
    const KEYWORDS: [&str; 9] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod"];
    let (mut names, mut depth) = (BTreeSet::new(), 0);
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    for at in 0..tokens.len() {
        match text(at) {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            "macro_rules" if depth == 0 => {
                names.insert(text(at + 2).to_string());
            }
            "mod" if text(at + 2) == ";" => {}
            // `const fn` is a function.
            "const" if KEYWORDS.contains(&text(at + 1)) => {}
            word if depth == 0 && KEYWORDS.contains(&word) => {
                names.insert(text(at + 1 + usize::from(text(at + 1) == "mut")).to_string());
            }
            _ => {}
        }
    }
    names
}

/// Returns what the `use` declarations of the file bring in, those within functions included.
pub(crate) fn imports(tokens: &[Token]) -> Vec<Import> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if is_use(tokens, at) {
            use_tree(tokens, at + 1, &[], &mut found);
        }
    }
    found
}

/// Reports whether a `use` declaration starts at `at`; `use<..>` in a bound is none.
fn is_use(tokens: &[Token], at: usize) -> bool {
    tokens[at].text == "use" && tokens.get(at + 1).is_some_and(|next| next.text != "<")
}

/// Reads the tree of a `use` declaration from `at` and returns the place behind it.
fn use_tree(tokens: &[Token], mut at: usize, prefix: &[String], found: &mut Vec<Import>) -> usize {
    let mut path = prefix.to_vec();
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token.text.as_str() {
            "::" => {}
            "{" => {
                while tokens.get(at).is_some_and(|token| token.text != "}") {
                    at = use_tree(tokens, at, &path, found);
                    at += usize::from(tokens.get(at).is_some_and(|token| token.text == ","));
                }
                return at + 1;
            }
            "*" => {
                found.push(Import { path, alias: "*".to_string() });
                return at;
            }
            "as" => {
                found.push(Import { path, alias: tokens[at].text.clone() });
                return at + 1;
            }
            // `a::{self}` is `a`.
            "self" if !path.is_empty() => {}
            _ if token.is_word() => path.push(token.text.clone()),
            _ => {
                at -= 1;
                break;
            }
        }
        let ends = tokens.get(at).is_none_or(|next| next.text != "::" && next.text != "as");
        if ends && token.is_word() {
            break;
        }
    }
    found.extend(path.last().cloned().map(|alias| Import { path, alias }));
    at
}

/// Returns the paths of two words and more in the code of the file, outside of `use` declarations and visibilities.
pub(crate) fn paths(tokens: &[Token]) -> Vec<Vec<String>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    while at < tokens.len() {
        if is_use(tokens, at) {
            at = use_tree(tokens, at + 1, &[], &mut Vec::new()).max(at + 1);
            continue;
        }
        let (start, before) = (at, if at == 0 { "" } else { text(at - 1) });
        at += 1;
        if !tokens[start].is_word() || before == "::" || before == "." {
            continue;
        }
        while text(at) == "::" && tokens.get(at + 1).is_some_and(Token::is_word) {
            at += 2;
        }
        let visibility = before == "in" && start >= 3 && text(start - 2) == "(" && text(start - 3) == "pub";
        let variable = before == "$" && text(start) != "crate";
        if at > start + 1 && !visibility && !variable {
            found.push((start..at).step_by(2).map(|word| text(word).to_string()).collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{definitions, imports, paths};
    use crate::lexer::tokens;

    #[test]
    fn definitions_stand_at_the_top_level() {
        let code = "pub struct A { b: C } impl A { fn d() {} const E: u8 = 0; } pub const fn f() {} static mut G: u8 = 1;
            mod h; mod i { fn j() {} } macro_rules! k { () => { struct L; } } type M<N> = O<N>; const P: [u8; 3] = [0; 3];";
        let names: Vec<String> = definitions(&tokens(code)).into_iter().collect();
        assert_eq!(names, ["A", "G", "M", "P", "f", "i", "k"]);
    }

    #[test]
    fn imports_are_read_from_nested_lists() {
        let code = "use a::b; pub use c::{self, d as e, f::{g, h::*},}; fn i() -> impl J + use<K> { use super::l::M; }
            pub(crate) use n;";
        let read: Vec<String> = imports(&tokens(code))
            .iter()
            .map(|import| format!("{}={}", import.alias, import.path.join("::")))
            .collect();
        assert_eq!(read, ["b=a::b", "c=c", "e=c::d", "g=c::f::g", "*=c::f::h", "M=super::l::M", "n=n"]);
    }

    #[test]
    fn paths_are_read_outside_of_imports() {
        let code =
            "use a::b; pub(in crate::c) fn d(e: crate::f::G<h::I>) { j.k::<l::M>(); N::o(); $p::q; $crate::r; s }
            // crate::no
            \"crate::no\"";
        let read: Vec<String> = paths(&tokens(code)).iter().map(|path| path.join("::")).collect();
        assert_eq!(read, ["crate::f::G", "h::I", "l::M", "N::o", "crate::r"]);
    }
}
