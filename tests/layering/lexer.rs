//! Splits Rust source into tokens, without comments, lifetimes and the contents of strings.

/// One word or sign of the source and the line on which it stands, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Token {
    /// Reports whether the token is an identifier, a keyword or a number.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(is_word_character)
    }
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns the tokens of `text`. A string becomes the single token `"`.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let (mut found, mut rest, mut line) = (Vec::new(), text, 1);
    while let Some(next) = rest.chars().next() {
        let (length, token) = first_token(rest, next);
        found.extend(token.map(|text| Token { text: text.to_string(), line }));
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// Returns the bytes taken by the token at the start of `rest`, and its text if it is kept.
fn first_token(rest: &str, next: char) -> (usize, Option<&str>) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), None);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), None);
    }
    if let Some(length) = string(rest) {
        return (length, Some("\""));
    }
    if next == '\'' {
        return character_or_lifetime(rest);
    }
    if is_word_character(next) {
        let length = rest.find(|character| !is_word_character(character)).unwrap_or(rest.len());
        return (length, Some(&rest[..length]));
    }
    let length = if ["::", "->", "=>"].iter().any(|sign| rest.starts_with(sign)) { 2 } else { next.len_utf8() };
    (length, (!next.is_whitespace()).then(|| &rest[..length]))
}

/// Returns the bytes of the block comment at the start of `rest`. Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let step = if rest[at..].starts_with("/*") {
            depth += 1;
            2
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            2
        } else {
            rest[at..].chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the bytes of the string at the start of `rest`, plain, raw, of bytes or of C, if there is one.
fn string(rest: &str) -> Option<usize> {
    let prefix = rest.find(|character: char| !matches!(character, 'b' | 'c' | 'r')).unwrap_or(rest.len());
    let after = &rest[prefix..];
    let hashes = after.find(|character| character != '#').unwrap_or(after.len());
    if prefix > 2 || !after[hashes..].starts_with('"') {
        return None;
    }
    if rest[..prefix].ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()));
    }
    (hashes == 0).then(|| prefix + quoted(after, '"'))
}

/// Returns the bytes up to and with the closing `quote` of the text that `rest` begins with.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Returns the bytes of the character or lifetime at the start of `rest`. A lifetime is dropped.
fn character_or_lifetime(rest: &str) -> (usize, Option<&'static str>) {
    let name = rest[1..].find(|character| !is_word_character(character)).unwrap_or(rest.len() - 1);
    if name > 0 && !rest[1 + name..].starts_with('\'') {
        return (1 + name, None);
    }
    (quoted(rest, '\''), Some("\""))
}

/// Returns `tokens` without the items, fields and statements that stand below `#[cfg(test)]`.
pub(crate) fn without_tests(tokens: &[Token]) -> Vec<Token> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut at) = (Vec::with_capacity(tokens.len()), 0);
    while at < tokens.len() {
        let marked = tokens.len() - at >= MARK.len() && (0..MARK.len()).all(|i| tokens[at + i].text == MARK[i]);
        if marked {
            at += item_length(&tokens[at..]);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// Returns the number of tokens of the item at the start of `tokens`, with its attributes.
fn item_length(tokens: &[Token]) -> usize {
    let (mut depth, mut angles) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            "<" => angles += 1,
            ">" => angles -= 1,
            "}" if depth == 1 => return at + 1,
            // The end of what surrounds the item.
            ")" | "]" | "}" if depth == 0 => return at,
            ")" | "]" | "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            "," if depth == 0 && angles == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

#[test]
fn comments_and_contents_of_strings_are_dropped() {
    let text = "a/* b /* c */ d */e // f\n\"g \\\" h\" r#\"i \" j\"# b'k' '\\'' '\"' &'l m";
    let read: Vec<(String, usize)> = tokens(text).into_iter().map(|token| (token.text, token.line)).collect();
    let expected =
        [("a", 1), ("e", 1), ("\"", 2), ("\"", 2), ("b", 2), ("\"", 2), ("\"", 2), ("\"", 2), ("&", 2), ("m", 2)];
    assert_eq!(read, expected.map(|(text, line)| (text.to_string(), line)));
}

#[test]
fn signs_of_two_characters_are_one_token() {
    let read: Vec<String> = tokens("a::b->c=>d").into_iter().map(|token| token.text).collect();
    assert_eq!(read, ["a", "::", "b", "->", "c", "=>", "d"]);
}

#[test]
fn items_below_the_mark_of_tests_are_dropped() {
    let text =
        "a #[cfg(test)] fn f<A, B>(a: A, b: B) -> C<A, B> { x } b #[cfg(test)] use c::d; e { f, #[cfg(test)] g: h }";
    let read: Vec<String> = without_tests(&tokens(text)).into_iter().map(|token| token.text).collect();
    assert_eq!(read.concat(), "abe{f,}");
}
