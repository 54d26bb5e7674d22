//! Excerpts of a program's standard error: the line that names the cause, the last lines.

use crate::language::Program;
use crate::text::{printable, read_range};
use std::fs::File;

/// How many bytes of a program's standard error are shown.
const SHOWN: usize = 600;
/// How many bytes at its beginning and its end are read.
const NEAR: u64 = 16 << 10;

/// The line of standard error that names the cause: of a sanitizer, a panic, an assertion or an
/// uncaught exception.
pub fn cause(stderr: &str) -> Option<String> {
    const WORDS: [&str; 10] = [
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
    ];
    const MAX_CHARS: usize = 200;
    let mut lines = stderr.lines().map(str::trim);
    let mut line = lines.find(|line| WORDS.iter().any(|word| line.contains(word)));
    let mut next = lines.next();
    if line.is_none() && stderr.contains("Traceback (most recent call last)") {
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
