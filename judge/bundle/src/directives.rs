//! The preprocessor directives of a C++ source: its lines without comments, and its include guard.

/// A line of a source.
pub struct Line<'t> {
    pub text: &'t str,
    pub directive: Directive,
    /// Whether it has anything but blanks and comments.
    pub is_code: bool,
}

#[derive(PartialEq, Eq, Debug)]
pub enum Directive {
    /// Code, or any other directive.
    Other,
    /// `#include "NAME"`.
    Include(String),
    PragmaOnce,
    /// The start of a condition; the macro of `#ifndef MACRO`.
    If(Option<String>),
    Define(String),
    EndIf,
}

/// The number of the `#endif` of an include guard around the whole file.
pub fn guard_of(lines: &[Line<'_>]) -> Option<usize> {
    let mut code = lines.iter().enumerate().filter(|(_, line)| line.is_code);
    let mut code = code
        .by_ref()
        .filter(|(_, line)| line.directive != Directive::PragmaOnce);
    let Directive::If(Some(name)) = &code.next()?.1.directive else {
        return None;
    };
    if code.next()?.1.directive != Directive::Define(name.clone()) {
        return None;
    }
    let mut depth = 1;
    for (number, line) in code {
        match line.directive {
            Directive::If(_) => depth += 1,
            Directive::EndIf => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let rest = &lines[number + 1..];
            return (!rest.iter().any(|line| line.is_code)).then_some(number);
        }
    }
    None
}

/// The state at the beginning of a line.
#[derive(Clone, PartialEq, Eq)]
enum Inside {
    Code,
    Comment,
    /// A raw string that ends with this text.
    Raw(String),
    /// A line that the one before continues.
    Continued,
}

/// Splits a source into lines and recognises the directives among them.
pub fn scan(text: &str) -> Vec<Line<'_>> {
    let mut inside = Inside::Code;
    text.lines()
        .map(|text| {
            let begins_in_code = inside == Inside::Code;
            let (code, next) = without_comments(text, &inside);
            inside = next;
            Line {
                text,
                is_code: !code.trim().is_empty(),
                directive: match begins_in_code || code.trim_start().starts_with('#') {
                    true => directive(code.trim()),
                    false => Directive::Other,
                },
            }
        })
        .collect()
}

/// The line without its comments and without the content of raw strings, and what the next line
/// begins in.
fn without_comments(text: &str, inside: &Inside) -> (String, Inside) {
    let mut code = String::new();
    let mut rest = text;
    match inside {
        Inside::Comment => match rest.find("*/") {
            Some(at) => rest = &rest[at + 2..],
            None => return (code, Inside::Comment),
        },
        Inside::Raw(end) => match rest.find(end.as_str()) {
            Some(at) => {
                code.push('"');
                rest = &rest[at + end.len()..];
            }
            None => return ("\"".to_owned(), inside.clone()),
        },
        // Part of a comment or of a directive, so no directive of its own.
        Inside::Continued => code.push(';'),
        Inside::Code => {}
    }
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            break;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            code.push(' ');
            match comment.find("*/") {
                Some(at) => rest = &comment[at + 2..],
                None => return (code, Inside::Comment),
            }
            continue;
        }
        let quote = c == '"' || c == '\'' && !before.is_ascii_alphanumeric();
        if c == '"' && before == 'R' {
            let name = &rest[1..rest.find('(').unwrap_or(1)];
            let end = format!("){name}\"");
            match rest.find(&end) {
                Some(at) => rest = &rest[at + end.len()..],
                None => return (code + "\"", Inside::Raw(end)),
            }
            code.push('"');
        } else if quote {
            let length = literal(rest, c);
            code.push_str(&rest[..length]);
            rest = &rest[length..];
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        }
        before = c;
    }
    let next = match text.trim_end().ends_with('\\') {
        true => Inside::Continued,
        false => Inside::Code,
    };
    (code, next)
}

/// The length of the literal that `text` begins with, quotes included.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The directive of a line without comments.
fn directive(code: &str) -> Directive {
    let Some(rest) = code.strip_prefix('#') else {
        return Directive::Other;
    };
    let rest = rest.trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let (name, rest) = (&rest[..end], rest[end..].trim());
    let word = |text: &str| {
        text.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    match name {
        "include" => match rest
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
        {
            Some(name) => Directive::Include(name.to_owned()),
            None => Directive::Other,
        },
        "pragma" if rest == "once" => Directive::PragmaOnce,
        "ifndef" => Directive::If(Some(word(rest))),
        "if" => {
            let defined = rest.strip_prefix("!defined").map(|rest| {
                rest.trim()
                    .trim_start_matches('(')
                    .trim_end_matches(')')
                    .trim()
                    .to_owned()
            });
            let is_name = |name: &String| name.chars().all(|c| c.is_alphanumeric() || c == '_');
            Directive::If(defined.filter(is_name))
        }
        "ifdef" => Directive::If(None),
        "define" => Directive::Define(word(rest)),
        "endif" => Directive::EndIf,
        _ => Directive::Other,
    }
}
