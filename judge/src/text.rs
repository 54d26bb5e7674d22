//! Text of unknown origin, made fit to print.

/// Text fit for a terminal or a report: lines kept, other control characters escaped, colours of
/// compilers dropped, ends trimmed.
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
            c if c.is_control() => clean.extend(c.escape_default()),
            c => clean.push(c),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_do_not_pass() {
        assert_eq!(
            printable(b"  a\r\n\tb\0\x07\xff\n"),
            "a\n\tb\\u{0}\\u{7}\u{fffd}"
        );
        assert_eq!(printable(b"\x1b[01;31m\x1b[Kerror\x1b[m"), "error");
        assert_eq!(printable(b"\x1b["), "");
    }
}
