//! Excerpts of a program's standard error: the line that names the cause, the last lines.

use crate::language::Program;
use crate::text::{constant_regex, printable, read_range};
use regex::Regex;
use std::fs::File;
use std::sync::LazyLock;

/// How many bytes of a program's standard error are shown.
const SHOWN: usize = 600;
/// How many bytes at its beginning and its end are read.
const NEAR: u64 = 16 << 10;

/// The line of standard error that names the cause: of a sanitizer, a panic, an assertion or an
/// uncaught exception.
pub fn cause(stderr: &str) -> Option<String> {
    const WORDS: [&str; 19] = [
        "has overflowed its stack",
        "ERROR: AddressSanitizer",
        "WARNING: ThreadSanitizer",
        "WARNING: MemorySanitizer",
        ": runtime error: ",
        " panicked at ",
        "terminate called after",
        "Assertion `",
        "Exception in thread ",
        "stack smashing detected",
        // Go, C# and Pascal.
        "panic: ",
        "fatal error: ",
        // `Unhandled exception` and `An unhandled exception`.
        "nhandled exception",
        "Unhandled Exception:",
        "Runtime error ",
        // PHP, OCaml, Fortran and Ada.
        "Uncaught ",
        "Fatal error: exception ",
        "Fortran runtime error: ",
        " raised ",
    ];
    /// `ReferenceError: x is not defined` of JavaScript, `a.rb:1:in 'f': boo (RuntimeError)` of Ruby.
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        constant_regex(r"^(?:\w+\.)*\w*(?:Error|Exception)(?:@\S+)?: |\(\w*(?:Error|Exception)\)$")
    });
    const MAX_CHARS: usize = 200;
    let mut lines = stderr.lines().map(str::trim);
    let python = stderr.contains("Traceback (most recent call last)");
    let says = |line: &str| {
        WORDS.iter().any(|word| line.contains(word)) || !python && NAMED.is_match(line)
    };
    let mut line = lines.find(|line| says(line));
    let mut next = lines.next();
    if line.is_none() && python {
        // Python names the exception in the last line.
        line = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
        next = None;
    }
    let line = line?;
    // The message of a panic or exception is on the next line.
    let is_continued = line.ends_with(':') || line.starts_with("terminate called after");
    let text = match next.filter(|next| is_continued && !next.is_empty()) {
        Some(next) => format!("{line} {next}"),
        None => line.to_owned(),
    };
    Some(text.chars().take(MAX_CHARS).collect())
}

/// Whether a program wrote `words` to standard error, near the beginning or the end.
pub fn has_said(stderr: &File, words: &str) -> bool {
    ends_of(stderr).contains(words)
}

/// The beginning and the end of standard error.
pub fn ends_of(stderr: &File) -> String {
    let length = stderr.metadata().map_or(0, |metadata| metadata.len());
    let part = |from| printable(&read_range(stderr, from, NEAR).unwrap_or_default());
    match length <= NEAR {
        true => part(0),
        false => format!("{}\n{}", part(0), part(length - NEAR)),
    }
}

/// The last lines of what a program wrote to a file, if anything, with the names of its files as their author
/// knows them. The names are replaced first: a path that is cut off would not be recognised.
pub fn tail(written: &File, program: &Program) -> Option<String> {
    let length = written.metadata().ok()?.len();
    let from = length.saturating_sub(NEAR);
    let text = program.with_own_names(printable(&read_range(written, from, NEAR).ok()?));
    let mut start = text.len().saturating_sub(SHOWN);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    if (from, start) == (0, 0) {
        return (!text.is_empty()).then_some(text);
    }
    // The last bytes of a line that is longer than the excerpt are better than nothing.
    let line = match text[start..].split_once('\n') {
        Some((_, lines)) if !text[..start].ends_with('\n') => lines,
        _ => &text[start..],
    };
    Some(format!("[...]\n{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_sandbox::Mount;
    use std::io::Write;

    #[test]
    fn the_line_that_names_the_cause_is_found() {
        let found = [
            (
                "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\n",
                "panic: assignment to entry in nil map",
            ),
            (
                "fatal error: all goroutines are asleep - deadlock!\n",
                "fatal error: all goroutines are asleep - deadlock!",
            ),
            (
                "\nUnhandled Exception:\nSystem.IO.FileNotFoundException: no in.txt\n  at P.Main ()\n",
                "Unhandled Exception: System.IO.FileNotFoundException: no in.txt",
            ),
            (
                "a.js:1\nf(x)\n^\n\nReferenceError: f is not defined\n    at a.js:1:1\n",
                "ReferenceError: f is not defined",
            ),
            (
                "a.rb:1:in `<main>': boo (RuntimeError)\n",
                "a.rb:1:in `<main>': boo (RuntimeError)",
            ),
            (
                "An unhandled exception occurred at $0401:\nException: boo\n",
                "An unhandled exception occurred at $0401: Exception: boo",
            ),
            (
                "core.exception.ArrayIndexError@a.d(2): index [3] is out of bounds\n",
                "core.exception.ArrayIndexError@a.d(2): index [3] is out of bounds",
            ),
            (
                "At line 3 of file a.f90\nFortran runtime error: End of file\n",
                "Fortran runtime error: End of file",
            ),
            (
                "Traceback (most recent call last):\nValueError: x\n\nTraceback (most recent call last):\nKeyError: 1\n",
                "KeyError: 1",
            ),
        ];
        for (stderr, expected) in found {
            assert_eq!(cause(stderr).as_deref(), Some(expected));
        }
        assert_eq!(cause("Error in my estimate is (3)\ndone\n"), None);
    }

    #[test]
    fn names_are_replaced_before_the_text_is_cut_at_a_line() {
        let dir = "/home/somebody/.cache/judge/programs/0123456789abcdef/program";
        let mut program = Program::executable("/usr/bin/python3");
        program.mounts = vec![Mount {
            host: dir.into(),
            ..program.mounts.swap_remove(0)
        }];
        let tail_of = |text: &str| {
            let mut file = judge_sandbox::scratch_file().expect("temporary file");
            file.write_all(text.as_bytes()).expect("it is written");
            tail(&file, &program)
        };
        let line = format!("  File \"{dir}/deep.py\", line 1, in f\n");
        for count in 1..1000 {
            let text = tail_of(&line.repeat(count)).expect("some text");
            let mut lines = text.lines().skip_while(|line| *line == "[...]");
            assert!(
                lines.all(|line| line.trim() == "File \"deep.py\", line 1, in f"),
                "{text}"
            );
            assert!(
                text.len() < SHOWN + 10 && (text.len() > 500 || count < 20),
                "{text}"
            );
        }
        assert_eq!(tail_of(""), None);
        assert_eq!(tail_of("short\n").as_deref(), Some("short"));
        let long = tail_of(&"x".repeat(20_000)).expect("some text");
        assert_eq!(long, format!("[...]\n{}", "x".repeat(SHOWN)));
    }
}
