//! Sources with keywords, strings, comments and numbers in elements of their own, whose classes the style sheet colours.
//!
//! A lexer of one pass for all languages. Grammars of editors (the crate `syntect` with `fancy-regex`) took 0.3 s for 25 kB
//! of C++ and 5 s for a line of 90 kB that a contestant can write, and made the page twenty times as large.

mod syntax;

use maud::{Render, html};
use std::collections::HashSet;
use syntax::{Syntax, syntax_of};

/// Larger texts are shown without elements: a browser needs memory for each.
const MAX_BYTES: usize = 256 << 10;
/// Maximum bytes of a text that is coloured while it is edited: the script sends the whole text after each pause.
pub(crate) const MAX_EDITED: usize = 64 << 10;
/// Maximum bytes of a character literal such as `'\u{10FFFF}'`.
const MAX_CHARACTER: usize = 12;

/// A part of a text that is shown in an element of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Keyword,
    String,
    Comment,
    Number,
}

impl Kind {
    /// The class in the style sheet.
    fn class(self) -> &'static str {
        match self {
            Kind::Keyword => "keyword",
            Kind::String => "string",
            Kind::Comment => "comment",
            Kind::Number => "literal",
        }
    }
}

/// A source as HTML; without elements if its language is not known or it is large.
pub(crate) struct Highlighted<'t> {
    text: &'t str,
    syntax: Option<&'static Syntax>,
}

impl<'t> Highlighted<'t> {
    /// The text of a file with this name.
    pub(crate) fn new(name: &str, text: &'t str) -> Self {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let extension = extension.filter(|_| text.len() <= MAX_BYTES);
        Highlighted {
            text,
            syntax: extension.and_then(syntax_of),
        }
    }
}

impl Render for Highlighted<'_> {
    fn render_to(&self, buffer: &mut String) {
        let Some(syntax) = self.syntax else {
            return self.text.render_to(buffer);
        };
        for (kind, part) in Lexer::new(syntax, self.text) {
            match kind {
                None => part.render_to(buffer),
                Some(kind) => html! { span class=(kind.class()) { (part) } }.render_to(buffer),
            }
        }
    }
}

/// Divides a text into parts; `None`: a part without an element.
struct Lexer<'t> {
    syntax: &'static Syntax,
    keywords: HashSet<&'static str>,
    text: &'t str,
    /// Where the next part begins.
    start: usize,
}

impl<'t> Lexer<'t> {
    fn new(syntax: &'static Syntax, text: &'t str) -> Self {
        Lexer {
            syntax,
            keywords: syntax.keywords.split_whitespace().collect(),
            text,
            start: 0,
        }
    }

    /// Kind and length of what begins at this byte.
    fn token(&self, at: usize) -> (Option<Kind>, usize) {
        let rest = &self.text[at..];
        if let Some(length) = self.comment(at) {
            return (Some(Kind::Comment), length);
        }
        if let Some(length) = self.string(rest) {
            return (Some(Kind::String), length);
        }
        let mut characters = rest.chars();
        match characters.next() {
            Some(first) if first.is_ascii_digit() => (Some(Kind::Number), self.number(rest)),
            Some('#') if self.syntax.has_directives => {
                let length = 1 + self.name(characters.as_str());
                (Some(Kind::Keyword).filter(|_| length > 1), length)
            }
            Some(first) if first.is_alphabetic() || first == '_' => {
                let length = self.name(rest);
                (self.keyword(&rest[..length]), length)
            }
            first => (None, first.map_or(0, char::len_utf8)),
        }
    }

    fn comment(&self, at: usize) -> Option<usize> {
        let (before, rest) = self.text.split_at(at);
        for (open, close) in self.syntax.blocks {
            if let Some(inner) = rest.strip_prefix(open) {
                let end = inner.find(close).map(|end| open.len() + end + close.len());
                return Some(end.unwrap_or(rest.len()));
            }
        }
        let is_free = before.chars().next_back().is_none_or(char::is_whitespace);
        let mut comments = self.syntax.comments.iter();
        let begins = comments.any(|open| rest.starts_with(open) && (is_free || *open != "#"));
        begins.then(|| rest.find('\n').unwrap_or(rest.len()))
    }

    fn string(&self, rest: &str) -> Option<usize> {
        if self.syntax.has_characters && rest.starts_with('\'') {
            return character(rest);
        }
        let mut strings = self.syntax.strings.iter();
        let (open, close) = strings.find(|(open, _)| rest.starts_with(open))?;
        let inner = &rest[open.len()..];
        let length = match *close {
            "\"" | "'" => end_within_line(inner, close.as_bytes()[0]),
            _ => inner
                .find(close)
                .map_or(inner.len(), |end| end + close.len()),
        };
        Some(open.len() + length)
    }

    /// Bytes of a number: letters are digits, exponents, suffixes.
    fn number(&self, rest: &str) -> usize {
        let bytes = rest.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
        let joins = |at: usize| match bytes.get(at) {
            Some(b'_') => true,
            Some(b'.') => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
            Some(b'\'') => self.syntax.has_characters && is_digit(at + 1),
            _ => is_digit(at),
        };
        (0..).find(|at| !joins(*at)).unwrap_or(rest.len())
    }

    /// Bytes of a name.
    fn name(&self, rest: &str) -> usize {
        let has_primes = self.syntax.has_primes;
        let belongs = |c: char| c.is_alphanumeric() || c == '_' || (c == '\'' && has_primes);
        rest.find(|c| !belongs(c)).unwrap_or(rest.len())
    }

    fn keyword(&self, name: &str) -> Option<Kind> {
        let is_known = match self.syntax.ignores_case {
            true => self.keywords.contains(name.to_ascii_lowercase().as_str()),
            false => self.keywords.contains(name),
        };
        is_known.then_some(Kind::Keyword)
    }
}

impl<'t> Iterator for Lexer<'t> {
    type Item = (Option<Kind>, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let (start, text) = (self.start, self.text);
        let mut at = start;
        while at < text.len() {
            let (kind, length) = self.token(at);
            if kind.is_some() {
                if start < at {
                    break;
                }
                self.start = at + length;
                return Some((kind, &text[start..self.start]));
            }
            at += length;
        }
        self.start = at;
        (start < at).then(|| (None, &text[start..at]))
    }
}

/// Bytes of a literal such as `'a'` or `'\n'`; `None`: the quote is something else, as in `'static`.
fn character(rest: &str) -> Option<usize> {
    let mut characters = rest.char_indices().skip(1);
    let (_, first) = characters.next()?;
    let mut more = characters.take_while(|(at, c)| *at < MAX_CHARACTER && *c != '\n');
    let (end, _) = match first {
        '\n' => return None,
        // What follows the backslash may be a quote.
        '\\' => more.skip(1).find(|(_, c)| *c == '\'')?,
        _ => more.next().filter(|(_, c)| *c == '\'')?,
    };
    Some(end + 1)
}

/// Bytes of a string up to its end or that of its line.
fn end_within_line(inner: &str, close: u8) -> usize {
    let mut is_escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'\n' if !is_escaped => return at,
            _ if byte == close && !is_escaped => return at + 1,
            _ => is_escaped = byte == b'\\' && !is_escaped,
        }
    }
    inner.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts with an element as `kind(text)`, the others as they are.
    fn marked(name: &str, text: &str) -> String {
        let syntax = Highlighted::new(name, text).syntax.expect("a language");
        let part = |(kind, part): (Option<Kind>, &str)| match kind {
            None => part.to_owned(),
            Some(kind) => format!("{}({part})", kind.class()),
        };
        Lexer::new(syntax, text).map(part).collect()
    }

    #[test]
    fn parts_are_those_of_the_language() {
        for (name, text, expected) in [
            (
                "a.c",
                "#include <a.h> // x",
                "keyword(#include) <a.h> comment(// x)",
            ),
            (
                "a.cpp",
                r"x = 1'000.5e3 + 'a' + '\'';",
                r"x = literal(1'000.5e3) + string('a') + string('\'');",
            ),
            ("a.cpp", r#"R"(a"b)" if"#, r#"string(R"(a"b)") keyword(if)"#),
            ("a.cpp", r#""a\"b" iffy"#, r#"string("a\"b") iffy"#),
            (
                "a.rs",
                "fn f<'a>(x: &'a str) 0..9",
                "keyword(fn) f<'a>(x: &'a keyword(str)) literal(0)..literal(9)",
            ),
            (
                "a.py",
                "s = '''a\nb''' # c",
                "s = string('''a\nb''') comment(# c)",
            ),
            ("a.py", "s = 'a\nif x", "s = string('a)\nkeyword(if) x"),
            ("a.sh", "echo $# # c", "keyword(echo) $# comment(# c)"),
            (
                "a.hs",
                "foldl' f {- c -} 'x'",
                "foldl' f comment({- c -}) string('x')",
            ),
            (
                "a.pas",
                "BEGIN { c } write('a')",
                "keyword(BEGIN) comment({ c }) write(string('a'))",
            ),
            ("a.js", "`a\n${b}` /* c", "string(`a\n${b}`) comment(/* c)"),
            (
                "a.lua",
                "--[[ a\nb ]] local x -- c",
                "comment(--[[ a\nb ]]) keyword(local) x comment(-- c)",
            ),
        ] {
            assert_eq!(marked(name, text), expected, "{name}: {text}");
        }
    }

    #[test]
    fn the_text_is_kept_and_escaped() {
        let text = "\"<script>\" /* <b> */ <i> '\\u{1f600}' \u{202e}ä' \\\n\"</pre>";
        for extension in ["c", "cpp", "rs", "py", "hs", "pas", "lua", "m"] {
            let name = format!("a.{extension}");
            let mut shown = html! { (Highlighted::new(&name, text)) }.into_string();
            assert!(shown.contains("<span class="), "{extension}");
            for kind in [Kind::Keyword, Kind::String, Kind::Comment, Kind::Number] {
                shown = shown.replace(&format!("<span class=\"{}\">", kind.class()), "");
            }
            let escaped = html! { (text) }.into_string();
            assert_eq!(shown.replace("</span>", ""), escaped, "{extension}");
        }
    }

    #[test]
    fn large_texts_and_unknown_languages_have_no_elements() {
        let large = "if ".repeat(MAX_BYTES / 3 + 1);
        for (name, text) in [
            ("a.cpp", &*large),
            ("a.txt", "if"),
            ("cpp", "if"),
            ("", "if"),
        ] {
            let shown = html! { (Highlighted::new(name, text)) }.into_string();
            assert_eq!(shown, text, "{name}");
        }
    }
}
