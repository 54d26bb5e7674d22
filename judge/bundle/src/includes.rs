//! A C++ program and its own headers as one file: replaces every `#include "..."` by the file.
//!
//! A header with an include guard or `#pragma once` is inserted once. If its first inclusion is
//! inside `#if`, it may be skipped there, so it is inserted again where it is included next; a guard
//! then keeps it from being compiled twice. A header without either is inserted at each inclusion,
//! as the preprocessor does.

use super::directives::{Directive, guard_of, scan};
use super::error::BundleError;
use super::settings::TargetSettings;
use super::{Bundle, Target, header};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file to submit of a C++ program and its own headers.
///
/// # Errors
///
/// The errors of [`inline`].
pub fn bundle(program: &Path) -> Result<Bundle, BundleError> {
    let name = program.file_name().unwrap_or(program.as_os_str());
    let text = inline(program)?;
    let source = format!("// {} {}`\n{text}", header::COMMIT, name.display());
    let settings = TargetSettings {
        language: Some("C++".to_owned()),
        ..TargetSettings::default()
    };
    Ok(Bundle::new(Target::Cpp, source, settings))
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
        let what = format!("failed to read: {e}");
        BundleError::file(program, what, "name a C++ program")
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
            let what = format!("failed to read: {e}");
            BundleError::file(path, what, "save it as UTF-8 text")
        })?;
        // A byte order mark is one only at the start of a file, and the bundle starts otherwise.
        let lines = scan(text.strip_prefix('\u{feff}').unwrap_or(&text));
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
