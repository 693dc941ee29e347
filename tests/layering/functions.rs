//! The lengths and the parameters of functions.

use crate::lexer::Token;

/// A function with a body, or a declaration of one.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// Lines with code from the signature to the closing brace. Comments and blank lines do not count.
    pub(crate) lines: usize,
    /// Parameters, `self` included; a tuple counts as its elements.
    pub(crate) parameters: usize,
    /// The signature is part of the C interface.
    pub(crate) is_extern: bool,
}

/// Returns the functions of a file. Those that a macro names are left out.
pub(crate) fn functions(tokens: &[Token]) -> Vec<Function> {
    (0..tokens.len()).filter_map(|at| function(tokens, at)).collect()
}

fn function(tokens: &[Token], at: usize) -> Option<Function> {
    let name = tokens.get(at + 1).filter(|name| tokens[at].text == "fn" && name.is_word())?;
    let mut open = at + 2;
    if tokens.get(open)?.text == "<" {
        open = closing(tokens, open)? + 1;
    }
    let close = (tokens.get(open)?.text == "(").then(|| closing(tokens, open))??;
    let end = end_of_body(tokens, close + 1)?;
    let mut lines: Vec<usize> = tokens[at..=end].iter().map(|token| token.line).collect();
    lines.dedup();
    let before: Vec<&str> = tokens[at.saturating_sub(2)..at].iter().map(|token| token.text.as_str()).collect();
    let parameters = split(&tokens[open + 1..close]).into_iter().map(parameter).sum();
    let is_extern = before == ["extern", "\""];
    Some(Function { name: name.text.clone(), line: tokens[at].line, lines: lines.len(), parameters, is_extern })
}

/// Returns the place of the bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += step(token, true);
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns 1 for an opening bracket, -1 for a closing one and 0 for anything else.
fn step(token: &Token, angles: bool) -> i32 {
    match token.text.as_str() {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        "<" if angles => 1,
        ">" if angles => -1,
        _ => 0,
    }
}

/// Returns the place of the brace or semicolon that ends the function whose parameters end before `after`.
fn end_of_body(tokens: &[Token], after: usize) -> Option<usize> {
    let (mut depth, mut in_body) = (0, false);
    for (at, token) in tokens.iter().enumerate().skip(after) {
        in_body |= depth == 0 && token.text == "{";
        depth += step(token, false);
        if depth == 0 && (token.text == ";" || in_body) {
            return Some(at);
        }
    }
    None
}

/// Returns the parts of a list between its outermost commas.
fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0;
    let parts = tokens.split(|token| {
        depth += step(token, true);
        depth == 0 && token.text == ","
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// Returns the number of values that one parameter brings: the elements of a tuple, by its pattern or its type.
fn parameter(tokens: &[Token]) -> usize {
    let mut depth = 0;
    let colon = tokens.iter().position(|token| {
        depth += step(token, true);
        depth == 0 && token.text == ":"
    });
    let (pattern, kind) = tokens.split_at(colon.unwrap_or(tokens.len()));
    elements(pattern).max(elements(kind))
}

/// Returns the elements of the tuple, or of the reference to one, that `tokens` are; 1 if they are something else.
fn elements(tokens: &[Token]) -> usize {
    let start = tokens.iter().position(|token| !matches!(token.text.as_str(), ":" | "&" | "mut")).unwrap_or(0);
    let tokens = &tokens[start..];
    let [open, inner @ .., _] = tokens else { return 1 };
    if open.text != "(" || closing(tokens, 0) != Some(tokens.len() - 1) {
        return 1;
    }
    split(inner).into_iter().map(elements).sum::<usize>().max(1)
}

/// Returns the length that 95 of 100 functions do not exceed.
pub(crate) fn percentile_95(lengths: &mut [usize]) -> usize {
    lengths.sort_unstable();
    (lengths.len() * 95).div_ceil(100).checked_sub(1).map_or(0, |at| lengths[at])
}

#[cfg(test)]
mod tests {
    use super::{functions, percentile_95};
    use crate::lexer::tokens;

    fn parameters(signature: &str) -> usize {
        functions(&tokens(signature))[0].parameters
    }

    #[test]
    fn lines_of_code_are_counted() {
        let code = "fn a() {}\npub fn b<T: Fn(u8) -> u8>(\n    t: T,\n) -> [u8; 3] {\n    // no\n\n    if x { y }\n}\ntrait C { fn d(); }";
        let read: Vec<(String, usize, usize)> = functions(&tokens(code))
            .into_iter()
            .map(|function| (function.name, function.line, function.lines))
            .collect();
        assert_eq!(read, [("a".into(), 1, 1), ("b".into(), 2, 5), ("d".into(), 9, 1)]);
    }

    #[test]
    fn tuples_count_as_their_elements() {
        assert_eq!(parameters("fn f();"), 0);
        assert_eq!(parameters("fn f(&mut self, a: A<B, C>, b: [f64; 3],);"), 3);
        assert_eq!(parameters("fn f((a, b): (A, B), c: C);"), 3);
        assert_eq!(parameters("fn f(a: (A, (B, C)), b: &mut (A, B), [c, d]: [C; 2]);"), 6);
        assert_eq!(parameters("fn f(a: impl Fn(A, B) -> (C, D), b: Option<(A, B)>, c: &[(A, B)]);"), 3);
        assert_eq!(parameters("fn f(pair: Pair);"), 1);
    }

    #[test]
    fn the_c_interface_is_recognised() {
        let read = functions(&tokens("pub unsafe extern \"C\" fn a(b: u8) {} fn c() {}"));
        assert!(read[0].is_extern && !read[1].is_extern);
    }

    #[test]
    fn the_percentile_is_of_the_sorted_lengths() {
        assert_eq!(percentile_95(&mut []), 0);
        assert_eq!(percentile_95(&mut (1..=100).rev().collect::<Vec<usize>>()), 95);
    }
}
