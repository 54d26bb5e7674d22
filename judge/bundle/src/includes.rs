//! A C++ program and its own headers as one file: replaces every `#include "..."` by the file.
//!
//! A header with an include guard or `#pragma once` is inserted once. If its first inclusion is
//! inside `#if`, it may be skipped there, so it is inserted again where it is included next; a guard
//! then keeps it from being compiled twice. A header without either is inserted at each inclusion,
//! as the preprocessor does.

use super::error::BundleError;
use super::settings::TargetSettings;
use super::{Bundle, Target, header};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file to submit of a C++ program and its own headers.
///
/// # Errors
///
/// Those of [`inline`].
pub fn bundle(program: &Path) -> Result<Bundle, BundleError> {
    let name = program.file_name().unwrap_or(program.as_os_str());
    let text = inline(program)?;
    let source = format!("// {} {}`\n{text}", header::COMMIT, name.display());
    Ok(Bundle {
        target: Target::Cpp,
        judged: source.clone(),
        source,
        settings: TargetSettings {
            language: Some("C++".to_owned()),
            ..TargetSettings::default()
        },
        notes: Vec::new(),
        can_be_minified: false,
    })
}

/// The program with the headers that it includes with quotes, found relative to the including file.
/// A name that is no such file (`"bits/stdc++.h"`) remains, as do includes with angle brackets.
///
/// # Errors
///
/// If a file cannot be read, or includes itself without an end.
pub fn inline(program: &Path) -> Result<String, BundleError> {
    let mut work = Inliner::default();
    let path = program.canonicalize().map_err(|e| {
        BundleError::file(
            program,
            format!("failed to read: {e}"),
            "name a C++ program",
        )
    })?;
    work.put(&path, false)?;
    Ok(work.out)
}

#[derive(Default)]
struct Inliner {
    out: String,
    /// Protected headers that the text so far contains outside any `#if`.
    done: BTreeSet<PathBuf>,
    /// Headers with `#pragma once` that have a number for a guard of ours.
    guarded: Vec<PathBuf>,
    /// The files that are being inserted, the innermost last.
    open: Vec<PathBuf>,
}

impl Inliner {
    fn put(&mut self, path: &Path, is_conditional: bool) -> Result<(), BundleError> {
        let text = std::fs::read_to_string(path).map_err(|e| {
            BundleError::file(
                path,
                format!("failed to read: {e}"),
                "save it as UTF-8 text",
            )
        })?;
        let lines = scan(&text);
        let guard = guard_of(&lines);
        let has_pragma = lines
            .iter()
            .any(|line| line.directive == Directive::PragmaOnce);
        let is_header = !self.open.is_empty();
        let is_protected = is_header && (guard.is_some() || has_pragma);
        if is_protected && self.done.contains(path) {
            return Ok(());
        }
        if self.open.iter().any(|open| open == path) {
            // The preprocessor skips a protected header here.
            return match is_protected {
                true => Ok(()),
                false => Err(BundleError::file(
                    path,
                    "includes itself".to_owned(),
                    "add `#pragma once` to it",
                )),
            };
        }
        let was_guarded = self.guarded.iter().position(|known| known == path);
        let own_guard = (is_protected
            && guard.is_none()
            && (is_conditional || was_guarded.is_some()))
        .then(|| {
            was_guarded.unwrap_or_else(|| {
                self.guarded.push(path.to_owned());
                self.guarded.len() - 1
            })
        });
        if let Some(number) = own_guard {
            let name = format!("BUNDLED_HEADER_{number}");
            self.line(&format!("#ifndef {name}"));
            self.line(&format!("#define {name}"));
        }
        if is_protected && !is_conditional {
            self.done.insert(path.to_owned());
        }
        self.open.push(path.to_owned());
        let mut depth = 0;
        for (number, line) in lines.iter().enumerate() {
            match &line.directive {
                Directive::If(_) => depth += 1,
                Directive::EndIf => depth -= 1,
                Directive::PragmaOnce if is_header => continue,
                Directive::Include(name) => {
                    let found = path.with_file_name(name).canonicalize();
                    if let Some(header) = found.ok().filter(|header| header.is_file()) {
                        let inner = depth - i32::from(guard.is_some_and(|end| number < end));
                        self.put(&header, is_conditional || inner > 0)?;
                        continue;
                    }
                }
                _ => {}
            }
            self.line(line.text);
        }
        self.open.pop();
        if own_guard.is_some() {
            self.line("#endif");
        }
        Ok(())
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }
}

/// A line of a source.
struct Line<'t> {
    text: &'t str,
    directive: Directive,
    /// Whether it has anything but blanks and comments.
    is_code: bool,
}

#[derive(PartialEq, Eq, Debug)]
enum Directive {
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
fn guard_of(lines: &[Line<'_>]) -> Option<usize> {
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

/// What a line begins in.
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
fn scan(text: &str) -> Vec<Line<'_>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Writes the files, inlines `main.cpp`, compiles the result alone and returns what it prints.
    fn run(files: &[(&str, &str)]) -> (String, String) {
        let dir = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        let bundle = inline(&dir.path().join("main.cpp")).expect("it is inlined");
        let alone = tempfile::tempdir().expect("a directory");
        let (source, program) = (alone.path().join("a.cpp"), alone.path().join("a"));
        std::fs::write(&source, &bundle).expect("a file");
        let compiled = Command::new("c++")
            .arg("-o")
            .args([&program, &source])
            .output();
        let compiled = compiled.expect("a compiler");
        let errors = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{errors}\n{bundle}");
        let output = Command::new(&program).output().expect("it runs");
        (bundle, String::from_utf8_lossy(&output.stdout).into_owned())
    }

    #[test]
    fn headers_are_inserted_once() {
        let (bundle, output) = run(&[
            (
                "main.cpp",
                "#include <cstdio>\n#include \"lib/a.h\"\n  #  include \"lib/b.h\" // again\n\
                 int main() { printf(\"%d\\n\", a() + b()); }\n",
            ),
            (
                "lib/a.h",
                "#pragma once\n#include \"b.h\"\ninline int a() { return b() + 1; }\n",
            ),
            (
                "lib/b.h",
                "/* the guard */\n#ifndef B_H\n#define B_H\n#include \"a.h\"\ninline int b() { return 20; }\n#endif\n",
            ),
        ]);
        assert_eq!(output, "41\n");
        assert_eq!(bundle.matches("return 20").count(), 1, "{bundle}");
        assert!(
            !bundle.contains("#include \"") && !bundle.contains("pragma once"),
            "{bundle}"
        );
        assert!(bundle.contains("#include <cstdio>"));
    }

    #[test]
    fn a_header_that_a_condition_skips_is_inserted_again() {
        for header in [
            "#pragma once\nint x = 7;\n",
            "#ifndef X\n#define X\nint x = 7;\n#endif\n",
            "#if !defined(X)\n#define X\nint x = 7;\n#endif // X\n",
        ] {
            for define in ["", "#define LOCAL\n"] {
                let main = format!(
                    "{define}#include <cstdio>\n#ifdef LOCAL\n#include \"x.h\"\n#endif\n#include \"x.h\"\n\
                     #include \"x.h\"\nint main() {{ printf(\"%d\\n\", x); }}\n"
                );
                let (bundle, output) = run(&[("main.cpp", &main), ("x.h", header)]);
                assert_eq!(output, "7\n");
                assert_eq!(bundle.matches("x = 7").count(), 2, "{bundle}");
            }
        }
    }

    #[test]
    fn text_that_only_looks_like_an_include_remains() {
        let main = "#include <cstdio>\n#include \"cstdio\"\n/*\n#include \"x.h\"\n*/\n\
                    const char *raw = R\"(\n#include \"x.h\"\n)\";\n// comment \\\n#include \"x.h\"\n\
                    const char *s = \"/*\"; int n = 1'000; char q = '\"';\n\
                    int main() { printf(\"%s%d\\n\", raw, n); }\n#include \"y.inc\"\n#include \"y.inc\"\n";
        let (bundle, output) = run(&[
            ("main.cpp", main),
            ("x.h", "#error not to be included\n"),
            ("y.inc", "static_assert(true, \"\");\n"),
        ]);
        assert_eq!(output, "\n#include \"x.h\"\n1000\n");
        // Without a guard it is inserted each time.
        assert_eq!(bundle.matches("static_assert").count(), 2);
    }

    #[test]
    fn a_file_that_includes_itself_is_an_error() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("main.cpp");
        std::fs::write(&path, "#include \"main.cpp\"\n").expect("a file");
        let error = inline(&path).expect_err("it has no end").to_string();
        assert!(error.contains("includes itself"), "{error}");
        assert!(inline(&dir.path().join("none.cpp")).is_err());
    }
}
