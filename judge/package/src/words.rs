//! Words of a command line, the constants of a package, and invisible characters.

use regex::Regex;
use std::sync::LazyLock;

/// Whether a character is invisible or changes how others are shown: control characters, Unicode's
/// format characters (direction marks, joiners, spaces without width, tags), separators of lines, and
/// the letters and selectors that are blank. Text of programs and packages must not contain them
/// where people read it.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    static FORMAT: LazyLock<Regex> = LazyLock::new(|| {
        let class = r"\A[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\x{34f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}\x{3164}\x{ffa0}\x{e0100}-\x{e01ef}]";
        Regex::new(class).expect("a constant pattern")
    });
    match c {
        ' '..='~' => false,
        c => FORMAT.is_match(c.encode_utf8(&mut [0; 4])),
    }
}

/// Splits a line into words like a shell: single and double quotes, backslashes, no expansions.
/// Unlike in a shell (and in the crate `shell-words`), `#` starts no comment and `\r` separates
/// words: other judges split the same lines with Python's `shlex.split` or `str.split`.
///
/// # Errors
///
/// The incomplete construct at the end of the line.
pub fn split_words(line: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => {
                let next = chars.next().ok_or("the line ends with a backslash")?;
                let word = word.get_or_insert_default();
                if quote.is_some() && !"$`\"\\".contains(next) {
                    word.push('\\'); // literal between double quotes
                }
                word.push(next);
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(_) => Err("a quote is not closed"),
        None => Ok(words),
    }
}

/// Replaces each `{{name}}` by its value in `constants`. Values are not searched again: constants
/// that refer to each other would expand without end.
pub fn substitute(text: &str, constants: &[(String, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 2..];
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let end = tail.find(|c| !fits(c)).unwrap_or(tail.len());
        let known = constants.iter().find(|(name, _)| *name == tail[..end]);
        match known {
            Some((_, value)) if tail[end..].starts_with("}}") => {
                out.push_str(value);
                rest = &tail[end + 2..];
            }
            _ => {
                out.push('{');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The same for a statement in TeX, where a constant is also called `\constant{name}`.
pub fn substitute_tex(text: &str, constants: &[(String, String)]) -> String {
    const COMMAND: &str = "\\constant{";
    let text = substitute(text, constants);
    let mut parts = text.split(COMMAND);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or_default();
        match constants.iter().find(|(known, _)| known == name.trim()) {
            Some((_, value)) => out.extend([value, rest]),
            None => out.extend([COMMAND, part]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{split_words, substitute, substitute_tex};

    #[test]
    fn constants_are_substituted_once() {
        let constants = [("a", "{{b}}{{b}}"), ("b", "x"), ("b.c", "y")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        for (text, expected) in [
            ("{{a}} {{b}} {{b.c}}", "{{b}}{{b}} x y"),
            (
                "{{{b}}} {{ b }} {{d}} {{b} {b}}",
                "{x} {{ b }} {{d}} {{b} {b}}",
            ),
            ("{{", "{{"),
            ("{{b", "{{b"),
            ("é{{b}}é", "éxé"),
        ] {
            assert_eq!(substitute(text, &constants), expected);
        }
    }

    #[test]
    fn constants_are_commands_in_tex() {
        let constants = [("k", "99"), ("k.tex", "9{,}9")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        for (text, expected) in [
            (r"$n \le \constant{k.tex}$", r"$n \le 9{,}9$"),
            (r"\constant{k}\constant{ k }{{k}}", "999999"),
            (r"\constant{l} \constant{k", r"\constant{l} \constant{k"),
            (r"\constants{k}", r"\constants{k}"),
        ] {
            assert_eq!(substitute_tex(text, &constants), expected);
        }
    }

    #[test]
    fn words_are_split_like_in_a_shell() {
        for (line, words) in [
            ("", &[][..]),
            ("  a  b ", &["a", "b"]),
            ("a 'b c' d\"e f\"", &["a", "b c", "de f"]),
            ("'' \"\"", &["", ""]),
            (r"a\ b \\", &["a b", r"\"]),
            (r#""\d+" '\d' \d"#, &[r"\d+", r"\d", "d"]),
            (r#""\$\`\"\\" 'd "e'"#, &[r#"$`"\"#, "d \"e"]),
            (
                "a #1\r\nfloat_tolerance 1e-6\r\n",
                &["a", "#1", "float_tolerance", "1e-6"],
            ),
        ] {
            let found = split_words(line).expect(line);
            assert_eq!(found, words, "{line:?}");
        }
        for line in ["a 'b", r#""a\"#, r"a\"] {
            assert!(split_words(line).is_err(), "{line:?}");
        }
    }
}
