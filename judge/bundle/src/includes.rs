//! A C++ program and its own headers as one file: replaces every `#include` of such a header by the
//! header.
//!
//! A header with an include guard or `#pragma once` is inserted once. If its first inclusion is
//! inside `#if`, it may be skipped there, so it is inserted again where it is included next; a guard
//! then keeps it from being compiled twice. A header without either is inserted at each inclusion,
//! as the preprocessor does. Where a condition certainly does not hold, nothing is inserted.

use super::conditions::{Macros, Nesting};
use super::directives::{Condition, Directive, Line, has_guard, scan};
use super::error::BundleError;
use super::settings::TargetSettings;
use super::{Bundle, Target, header};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The operator that tests whether a header exists.
const HAS_INCLUDE: &str = "__has_include";
/// Macros that replace one another in an `#include`.
const MAX_REPLACED: u32 = 8;

#[derive(Clone, Default, Debug)]
pub struct CppOptions {
    /// Macros that the judge's compiler is given: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Macros that are not defined.
    pub undefine: Vec<String>,
    /// The user's directories of headers, in order.
    pub include: Vec<PathBuf>,
}

/// A file to submit of a C++ program and its own headers.
pub fn bundle(program: &Path, options: &CppOptions) -> Result<Bundle, BundleError> {
    let name = program.file_name().unwrap_or(program.as_os_str());
    let text = inline(program, options)?;
    let source = format!("// {} {}`\n{text}", header::COMMIT, name.display());
    let settings = TargetSettings {
        language: Some("C++".to_owned()),
        ..TargetSettings::default()
    };
    Ok(Bundle::new(Target::Cpp, source, settings))
}

/// The program with the headers that it includes with quotes, found relative to the including file, and
/// those in the user's directories. Another name (`"bits/stdc++.h"`) remains.
/// Fails if a file cannot be read, or includes itself without an end.
pub fn inline(program: &Path, options: &CppOptions) -> Result<String, BundleError> {
    let mut work = Inliner {
        directories: &options.include,
        macros: Macros::new(&options.define, &options.undefine),
        nesting: Nesting::default(),
        out: String::new(),
        done: BTreeSet::new(),
        once: BTreeSet::new(),
        guarded: Vec::new(),
        open: Vec::new(),
    };
    let path = program.canonicalize().map_err(|e| {
        let what = format!("failed to read: {e}");
        BundleError::file(program, what, "name a C++ program")
    })?;
    work.put(&path)?;
    Ok(work.out)
}

struct Inliner<'o> {
    directories: &'o [PathBuf],
    macros: Macros,
    nesting: Nesting,
    out: String,
    /// Protected headers that the text so far contains outside any `#if`.
    done: BTreeSet<PathBuf>,
    /// Headers of an `#import`.
    once: BTreeSet<PathBuf>,
    /// Headers with `#pragma once` that have a number for a guard of ours.
    guarded: Vec<PathBuf>,
    /// The files that are being inserted, the innermost last.
    open: Vec<PathBuf>,
}

impl Inliner<'_> {
    fn put(&mut self, path: &Path) -> Result<(), BundleError> {
        let is_conditional = self.nesting.is_conditional();
        let text = std::fs::read_to_string(path).map_err(|e| {
            let what = format!("failed to read: {e}");
            BundleError::file(path, what, "save it as UTF-8 text")
        })?;
        // A byte order mark is one only at the start of a file, and the bundle starts otherwise.
        let lines = scan(text.strip_prefix('\u{feff}').unwrap_or(&text));
        let has_guard = has_guard(&lines);
        let has_pragma = self.once.contains(path)
            || lines
                .iter()
                .any(|line| line.directive == Directive::PragmaOnce);
        let is_header = !self.open.is_empty();
        let is_protected = is_header && (has_guard || has_pragma);
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
        let own_guard = (is_protected && !has_guard && (is_conditional || was_guarded.is_some()))
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
        let mut is_guard = has_guard;
        for line in &lines {
            match &line.directive {
                Directive::PragmaOnce if is_header => continue,
                Directive::If(condition) => {
                    let (holds, text) = self.decide(path, line.text, condition);
                    self.nesting.begin(holds, is_guard);
                    // The first condition of a file with a guard is the guard.
                    is_guard = false;
                    self.line(&text);
                }
                _ => self.put_line(path, line)?,
            }
        }
        self.open.pop();
        // The end of a file ends a line that goes on.
        if lines.last().is_some_and(|line| line.text.ends_with('\\')) {
            self.line("");
        }
        if own_guard.is_some() {
            self.line("#endif");
        }
        Ok(())
    }

    /// Appends a line that begins no condition.
    fn put_line(&mut self, path: &Path, line: &Line<'_>) -> Result<(), BundleError> {
        let kept = self.nesting.is_kept();
        match &line.directive {
            Directive::Include { what, is_once } if kept != Some(false) => {
                if let Some(header) = self.header(path, what) {
                    if *is_once {
                        self.once.insert(header.clone());
                    }
                    if !line.comment.is_empty() {
                        self.line(line.comment);
                    }
                    return self.put(&header);
                }
            }
            Directive::Elif(condition) => {
                let (holds, text) = self.decide(path, line.text, condition);
                self.nesting.next(holds);
                self.line(&text);
                return Ok(());
            }
            Directive::Else => self.nesting.next(Some(true)),
            Directive::EndIf => self.nesting.end(),
            Directive::Define(name, value) if kept != Some(false) => {
                let value = value.as_deref();
                self.macros.define(name, value, kept == Some(true));
            }
            Directive::Undef(name) if kept != Some(false) => {
                self.macros.undefine(name, kept == Some(true));
            }
            _ => {}
        }
        self.line(line.text);
        Ok(())
    }

    /// The user's header that an `#include` in the file `from` names, itself or by a macro.
    fn header(&self, from: &Path, what: &str) -> Option<PathBuf> {
        let mut what = what;
        for _ in 0..MAX_REPLACED {
            match what.chars().next()? {
                '"' => return self.find(Some(from), what[1..].split('"').next()?),
                '<' => return self.find(None, what[1..].split('>').next()?),
                _ => what = self.macros.value(what)?,
            }
        }
        None
    }

    /// The header with this name: beside the file that includes it with quotes, or in the user's
    /// directories.
    fn find(&self, from: Option<&Path>, name: &str) -> Option<PathBuf> {
        let beside = from.map(|from| from.with_file_name(name)).into_iter();
        let mut places = beside.chain(self.directories.iter().map(|dir| dir.join(name)));
        let found = places.find(|path| path.is_file())?;
        found.canonicalize().ok()
    }

    /// Whether a condition holds, if that is certain, and its text. The bundle has no headers beside it,
    /// so `__has_include` of one becomes 1.
    fn decide(&self, from: &Path, text: &str, condition: &Condition) -> (Option<bool>, String) {
        let Condition::Expression(expression) = condition else {
            return (self.macros.holds(condition), text.to_owned());
        };
        let mut decided = String::new();
        let mut shown = text.to_owned();
        let mut rest = expression.as_str();
        while let Some(at) = rest.find(HAS_INCLUDE) {
            let (before, call) = rest.split_at(at);
            decided.push_str(before);
            let Some(end) = call.find(')') else { break };
            let argument = call[HAS_INCLUDE.len()..end].trim_start();
            let argument = argument.strip_prefix('(').unwrap_or(argument).trim();
            if self.header(from, argument).is_some() {
                decided.push('1');
                shown = shown.replace(&call[..=end], "1");
            } else {
                // Not known, like any name.
                decided.push_str(HAS_INCLUDE);
            }
            rest = &call[end + 1..];
        }
        decided.push_str(rest);
        (self.macros.holds(&Condition::Expression(decided)), shown)
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

    /// The macro of judges, and the directory `inc`.
    fn options(dir: &Path) -> CppOptions {
        CppOptions {
            define: vec!["ONLINE_JUDGE".to_owned()],
            undefine: Vec::new(),
            include: vec![dir.join("inc")],
        }
    }

    /// Writes the files, inlines `main.cpp`, compiles the result alone and returns what it prints.
    fn run(files: &[(&str, &str)]) -> (String, String) {
        let dir = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        let bundle =
            inline(&dir.path().join("main.cpp"), &options(dir.path())).expect("it is inlined");
        let alone = tempfile::tempdir().expect("a directory");
        let (source, program) = (alone.path().join("a.cpp"), alone.path().join("a"));
        std::fs::write(&source, &bundle).expect("a file");
        let compiled = Command::new("c++")
            .args(["-DONLINE_JUDGE", "-o"])
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
    fn comments_and_continuations_belong_to_the_line_of_an_include() {
        for include in [
            "#include \"x.h\" /* the header,\n   of x */",
            "#include \"x.h\" // the header \\\n goes on here",
            "#include \\\n  \"x.h\"",
            "#inc\\\nlude /* a */ \"x.h\" /* b */",
            "/* a\n b */ #include \"x.h\"",
            "#define HEADER \"x.h\"\n#include HEADER",
            "#define X <y.h>\n#define HEADER X\n#include HEADER",
            "#import \"x.h\"\n#import \"x.h\"",
            "#if __has_include(\"x.h\") && __has_include(<y.h>)\n#include \"x.h\"\n#endif",
            "#if 0\n#elif __has_include( \"none.h\" )\n#else\n#include <y.h>\n#endif",
        ] {
            let main =
                format!("#include <cstdio>\n{include}\nint main() {{ printf(\"%d\\n\", x); }}\n");
            let header = "int x = 7;\n";
            let (_, output) = run(&[("main.cpp", &main), ("x.h", header), ("inc/y.h", header)]);
            assert_eq!(output, "7\n", "{include}");
        }
    }

    #[test]
    fn other_spellings_of_directives_and_an_unfinished_last_line_are_understood() {
        let (_, printed) = run(&[
            (
                "main.cpp",
                "%:include <cstdio>\n%: include \"a.h\"\n#include \"b.h\"\nint main() <% printf(\"%d\", a()); %>\n",
            ),
            (
                "a.h",
                "_Pragma(\"once\")\n#include \"b.h\"\ninline int a() { return B; }\n#define END \\",
            ),
            ("b.h", "#pragma once\nconst int B = 5; // the end \\"),
        ]);
        assert_eq!(printed, "5");
    }

    #[test]
    fn headers_that_only_the_author_has_are_not_inserted() {
        for condition in [
            "#ifndef ONLINE_JUDGE",
            "#if !defined(ONLINE_JUDGE)",
            "#if defined(ONLINE_JUDGE)\n#else",
            "#ifdef ONLINE_JUDGE\n#elif 1",
            "#undef LOCAL\n#if ONLINE_JUDGE == 0 || defined LOCAL",
        ] {
            let main = format!(
                "#include <cstdio>\n{condition}\n#include \"debug.h\"\n#include \"none.h\"\n#endif\n\
                 int main() {{ printf(\"7\\n\"); }}\n"
            );
            let files = [
                ("main.cpp", main.as_str()),
                ("debug.h", "#include \"debug.h\"\n"),
            ];
            let (bundle, output) = run(&files);
            assert_eq!(output, "7\n");
            assert!(bundle.contains("#include \"debug.h\""), "{bundle}");
        }
    }

    #[test]
    fn a_file_that_includes_itself_is_an_error() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("main.cpp");
        std::fs::write(&path, "#include \"main.cpp\"\n").expect("a file");
        let error = inline(&path, &CppOptions::default())
            .expect_err("it has no end")
            .to_string();
        assert!(error.contains("includes itself"), "{error}");
        assert!(inline(&dir.path().join("none.cpp"), &CppOptions::default()).is_err());
    }
}
