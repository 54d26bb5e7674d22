//! Escapes untrusted text for terminals and reports; small text helpers.

use judge_package::words::is_hidden;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::sync::LazyLock;

/// Escapes hidden characters and commands to CI runners for a terminal or a report. Keeps line breaks
/// and tabs, drops colour sequences, trims both ends.
pub fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.trim().chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => clean.push(c),
            '\r' => {}
            '\x1b' if chars.peek() == Some(&'[') => {
                chars.next();
                while chars.next_if(|c| c.is_ascii_digit() || *c == ';').is_some() {}
                chars.next();
            }
            c if is_hidden(c) => clean.extend(c.escape_unicode()),
            c => clean.push(c),
        }
    }
    match without_commands(&clean) {
        Cow::Borrowed(_) => clean,
        Cow::Owned(changed) => changed,
    }
}

/// The same for a name: escapes every control character, also line breaks, and does not trim.
pub fn printable_name(name: &str) -> Cow<'_, str> {
    if !name.contains(is_hidden) {
        return without_commands(name);
    }
    let mut clean = String::new();
    for c in name.chars() {
        match is_hidden(c) {
            true => clean.extend(c.escape_unicode()),
            false => clean.push(c),
        }
    }
    Cow::Owned(without_commands(&clean).into_owned())
}

/// Escapes the first character of what a CI runner takes for a command in the output of a job: `::` at
/// the start of a line, behind any blanks, and `##[`, `##vso[` or `##teamcity[` anywhere.
fn without_commands(text: &str) -> Cow<'_, str> {
    static COMMAND: LazyLock<Regex> =
        LazyLock::new(|| constant_regex(r"(?m)^(\s*):(:)|#(#(?:vso|teamcity)?\[)"));
    if !text.contains("::") && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    COMMAND.replace_all(text, |found: &Captures<'_>| match found.get(3) {
        Some(rest) => format!(r"\u{{23}}{}", rest.as_str()),
        None => format!(r"{}\u{{3a}}{}", &found[1], &found[2]),
    })
}

/// Shows bytes as one line of text: control characters and invalid UTF-8 are escaped, nothing is
/// trimmed.
pub fn visible(bytes: &[u8]) -> String {
    escaped(bytes, |c| (c == '\0').then(|| "\\0".to_owned()))
}

/// The same; `special` escapes further characters.
pub fn escaped(bytes: &[u8], special: impl Fn(char) -> Option<String>) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match (c, special(c)) {
                (_, Some(special)) => text.push_str(&special),
                ('\n' | '\r' | '\t', None) => text.extend(c.escape_default()),
                _ if c.is_ascii_control() => text.push_str(&format!("\\x{:02x}", c as u32)),
                _ if is_hidden(c) => text.extend(c.escape_unicode()),
                _ => text.push(c),
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// Reads at most `most` bytes of a regular file, from the offset `from`; its position stays.
pub fn read_range(file: &File, from: u64, most: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len().saturating_sub(from).min(most);
    let mut bytes = vec![0; length as usize];
    judge_os::read_exact_at(file, &mut bytes, from)?;
    Ok(bytes)
}

/// A word of a shell command, quoted if necessary.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let plain = if cfg!(windows) {
        "-_./:=,@+\\"
    } else {
        "-_./:=,@%+"
    };
    let is_plain = |c: char| c.is_alphanumeric() || plain.contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => Cow::Borrowed(word),
        // Windows has two kinds of shells, and no file whose name has this quotation mark.
        false if cfg!(windows) => Cow::Owned(format!("\"{word}\"")),
        false => Cow::Owned(format!("'{}'", word.replace('\'', "'\\''"))),
    }
}

/// The option that selects the case with this name, as words of a shell command.
pub fn case_option(name: &str) -> String {
    // Behind a blank, a name that begins with a dash would be an option.
    let between = if name.starts_with('-') { '=' } else { ' ' };
    format!("--case{between}{}", shell_word(name))
}

/// Two hexadecimal digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Formats an input or output for the terminal: shortened and escaped.
pub fn shown(bytes: &[u8]) -> String {
    const LINES: usize = 30;
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::new();
    for line in text.lines().take(LINES) {
        let line = printable_name(line);
        let cut: String = line.chars().take(120).collect();
        out.push_str("  ");
        out.push_str(&cut);
        if cut.len() < line.len() {
            out.push_str(" ...");
        }
        out.push('\n');
    }
    if text.lines().count() > LINES {
        out.push_str("  ...\n");
    }
    out
}

/// Compiles a pattern of the judge's own source.
pub fn constant_regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

/// Whether a text begins with the byte order mark of UTF-16, as Windows' programs write it.
pub fn is_wide(text: &[u8]) -> bool {
    text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff")
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_name};

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(
            printable(b"  a\r\n\tb\0\x07\xff\n"),
            "a\n\tb\\u{0}\\u{7}\u{fffd}"
        );
        assert_eq!(
            printable("a\u{202e}b\u{9b}2J".as_bytes()),
            r"a\u{202e}b\u{9b}2J"
        );
        assert_eq!(printable("\u{feff}3".as_bytes()), r"\u{feff}3");
        assert_eq!(printable_name(" a\u{1b}[1m\nb "), r" a\u{1b}[1m\u{a}b ");
        assert_eq!(printable(b"\x1b[01;31m\x1b[Kerror\x1b[m"), "error");
        assert_eq!(printable(b"\x1b["), "");
    }

    #[test]
    fn invisible_characters_are_escaped() {
        let hidden = "\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\
                      \u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2064}\u{2066}\u{2069}\u{206f}\u{3164}\
                      \u{feff}\u{ffa0}\u{fff9}\u{fffb}\u{1d173}\u{e0001}\u{e0041}\u{e01ef}";
        for c in hidden.chars() {
            let escaped = c.escape_unicode().to_string();
            for clean in [
                printable(format!("a{c}b").as_bytes()),
                printable_name(&format!("a{c}b")).into_owned(),
                super::visible(format!("a{c}b").as_bytes()),
            ] {
                assert_eq!(clean, format!("a{escaped}b"));
            }
        }
        let plain = "a \u{e9}\u{4e2d}\u{5d0}\u{1f600}\u{a0}\u{fe0f}";
        assert_eq!(printable_name(plain), plain);
    }

    #[test]
    fn no_line_is_a_command_to_a_runner() {
        for (text, expected) in [
            ("::error::x", r"\u{3a}:error::x"),
            ("a\n \t::set-env::x\nb", "a\n \t\\u{3a}:set-env::x\nb"),
            ("a##[error]b", r"a\u{23}#[error]b"),
            (
                "##vso[task]##teamcity[x]",
                r"\u{23}#vso[task]\u{23}#teamcity[x]",
            ),
            ("std::sort ## x", "std::sort ## x"),
        ] {
            assert_eq!(printable(text.as_bytes()), expected);
        }
        assert_eq!(printable_name("  ::x::"), r"  \u{3a}:x::");
    }
}
