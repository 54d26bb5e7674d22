//! Excerpts of a program's standard error: the line that names the cause, the last lines.

use crate::text::{printable, read_range};
use std::fs::File;

/// How many bytes of a program's standard error are shown.
const SHOWN: u64 = 600;

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
    const NEAR: u64 = 16 << 10;
    let length = stderr.metadata().map_or(0, |metadata| metadata.len());
    let part = |from| printable(&read_range(stderr, from, NEAR).unwrap_or_default());
    match length <= NEAR {
        true => part(0),
        false => format!("{}\n{}", part(0), part(length - NEAR)),
    }
}

/// The last lines of a program's standard error, if any.
pub fn tail(stderr: &File) -> Option<String> {
    let length = stderr.metadata().ok()?.len();
    let from = length.saturating_sub(SHOWN);
    let text = printable(&read_range(stderr, from, SHOWN).ok()?);
    let cut = if from > 0 { "[...] " } else { "" };
    (!text.is_empty()).then(|| format!("{cut}{text}"))
}
