//! The preprocessor directives of a C++ source: its lines without comments, and its include guard.

/// A line of a source; a directive includes the lines that continue it, also inside a comment.
pub struct Line<'t> {
    pub text: &'t str,
    /// The end of a comment from the line before, at the start of a directive's line.
    pub comment: &'t str,
    pub directive: Directive,
    /// Whether it has anything but blanks and comments.
    pub is_code: bool,
}

#[derive(PartialEq, Eq, Debug)]
pub enum Directive {
    /// Code, or any other directive.
    Other,
    /// `#include`, or `#import`, which includes a file once.
    Include {
        what: String,
        is_once: bool,
    },
    PragmaOnce,
    /// The start of a condition.
    If(Condition),
    /// `#elif`, also `#elifdef` and `#elifndef`.
    Elif(Condition),
    Else,
    EndIf,
    /// A macro: its name, and its value unless it has parameters.
    Define(String, Option<String>),
    Undef(String),
}

#[derive(PartialEq, Eq, Debug)]
pub enum Condition {
    Defined(String),
    NotDefined(String),
    Expression(String),
}

impl Condition {
    /// The macro of `#ifndef MACRO` and of `#if !defined(MACRO)`.
    fn of_guard(&self) -> Option<&str> {
        match self {
            Condition::NotDefined(name) => Some(name),
            Condition::Defined(_) => None,
            Condition::Expression(text) => {
                let rest = text
                    .strip_prefix('!')?
                    .trim_start()
                    .strip_prefix("defined")?;
                let name = rest
                    .trim()
                    .trim_start_matches('(')
                    .trim_end_matches(')')
                    .trim();
                name.chars().all(is_word).then_some(name)
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether an include guard is around the whole file.
pub fn has_guard(lines: &[Line<'_>]) -> bool {
    let mut code = lines.iter().filter(|line| line.is_code);
    let mut first = || {
        let line = code.find(|line| line.directive != Directive::PragmaOnce);
        line.map(|line| &line.directive)
    };
    let (Some(Directive::If(condition)), Some(Directive::Define(name, _))) = (first(), first())
    else {
        return false;
    };
    if condition.of_guard() != Some(name) {
        return false;
    }
    let mut depth = 1;
    for line in code.by_ref() {
        match line.directive {
            Directive::If(_) => depth += 1,
            Directive::EndIf => depth -= 1,
            // Such a file is not empty when it is included again.
            Directive::Elif(_) | Directive::Else if depth == 1 => return false,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    depth == 0 && code.next().is_none()
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
    /// A comment that began with `//` and that the line before continues.
    LineComment,
}

/// Splits a source into lines and recognises the directives among them.
pub fn scan(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut inside = Inside::Code;
    let mut rest = text;
    while !rest.is_empty() {
        let begins_in_code = inside == Inside::Code;
        let mut length = line_length(rest);
        let (mut code, mut next) = without_comments(&rest[..length], &inside);
        let is_directive =
            after_mark(&code).is_some() && (begins_in_code || inside == Inside::Comment);
        while is_directive && length < rest.len() && next != Inside::Code {
            // A macro may contain a raw string of several lines.
            if let Inside::Raw(_) = next {
                break;
            }
            // Inside the directive, a line that continues it is more of the same.
            let state = match next {
                Inside::Continued => {
                    let end = code.trim_end().trim_end_matches('\\').len();
                    code.truncate(end);
                    Inside::Code
                }
                state => state,
            };
            let start = length;
            length += line_length(&rest[start..]);
            let (more, after) = without_comments(&rest[start..length], &state);
            code.push_str(&more);
            next = after;
        }
        let line = rest[..length].trim_end_matches('\n').trim_end_matches('\r');
        let is_in_comment = is_directive && !begins_in_code;
        let comment = line.find("*/").filter(|_| is_in_comment);
        lines.push(Line {
            text: line,
            comment: comment.map_or("", |at| &line[..at + 2]),
            is_code: !code.trim().is_empty(),
            directive: match is_directive {
                true => directive(code.trim()),
                false if code.trim() == "_Pragma(\"once\")" => Directive::PragmaOnce,
                false => Directive::Other,
            },
        });
        inside = next;
        rest = &rest[length..];
    }
    lines
}

/// The length of the first line, with its end.
fn line_length(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |at| at + 1)
}

/// The line without its comments and without the content of raw strings, and what the next line
/// begins in.
fn without_comments(text: &str, inside: &Inside) -> (String, Inside) {
    let mut code = String::new();
    let text = text.trim_end_matches(['\n', '\r']);
    let is_continued = text.trim_end().ends_with('\\');
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
        Inside::LineComment if is_continued => return (code, Inside::LineComment),
        Inside::LineComment => return (code, Inside::Code),
        Inside::Code => {}
    }
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            return match is_continued {
                true => (code, Inside::LineComment),
                false => (code, Inside::Code),
            };
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
    let next = match is_continued {
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

/// The text after the mark of a directive, which may be a digraph.
fn after_mark(code: &str) -> Option<&str> {
    let code = code.trim_start();
    code.strip_prefix('#').or_else(|| code.strip_prefix("%:"))
}

/// The directive of a line without comments.
fn directive(code: &str) -> Directive {
    let Some(rest) = after_mark(code) else {
        return Directive::Other;
    };
    let rest = rest.trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let (name, rest) = (&rest[..end], rest[end..].trim());
    let word = |text: &str| {
        text.split(|c| !is_word(c))
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let expression = || Condition::Expression(rest.to_owned());
    match name {
        "include" | "import" => Directive::Include {
            what: rest.to_owned(),
            is_once: name == "import",
        },
        "pragma" if rest == "once" => Directive::PragmaOnce,
        "if" => Directive::If(expression()),
        "ifdef" => Directive::If(Condition::Defined(word(rest))),
        "ifndef" => Directive::If(Condition::NotDefined(word(rest))),
        "elif" => Directive::Elif(expression()),
        "elifdef" => Directive::Elif(Condition::Defined(word(rest))),
        "elifndef" => Directive::Elif(Condition::NotDefined(word(rest))),
        "else" => Directive::Else,
        "endif" => Directive::EndIf,
        "define" => {
            let name = word(rest);
            let value = &rest[name.len()..];
            let is_function = value.starts_with('(');
            Directive::Define(name, (!is_function).then(|| value.trim().to_owned()))
        }
        "undef" => Directive::Undef(word(rest)),
        _ => Directive::Other,
    }
}
