//! Names that people give: of users, teams, organizations, groups, persons, contests, problems, labels, tokens.

use judge_package::words::is_hidden;

/// Maximum number of characters of a name.
pub const MAX_NAME: usize = 200;
/// The zero-width joiner and non-joiner.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];
/// Maximum number of characters of a short name: of a label, a colour or a user to sign in as.
pub const MAX_SHORT_NAME: usize = 64;

/// The text cannot be a name; says why.
#[derive(Clone, PartialEq, Eq, thiserror::Error, Debug)]
#[error("{0}")]
pub struct InvalidName(String);

/// Checks that a text fits into a line of a page: at least one visible character, at most `most`, and none that
/// controls the display of others.
pub fn check_name(text: &str, most: usize) -> Result<(), InvalidName> {
    let shown: String = text.chars().take(30).collect();
    let length = text.chars().count();
    let is_blank = |c: char| c.is_whitespace() || JOINERS.contains(&c);
    let why = if text.chars().all(is_blank) {
        format!("the name {shown:?} is empty")
    } else if length > most {
        format!("the name {shown:?}... has {length} characters; at most {most} are allowed")
    } else if let Some(found) = text.chars().find(|&c| controls_display(c)) {
        let code = u32::from(found);
        format!("the name {shown:?} has the control character U+{code:04X}; remove it")
    } else {
        return Ok(());
    };
    Err(InvalidName(why))
}

/// Checks that a text of several lines has no character that controls the display of others.
pub fn check_text(text: &str) -> Result<(), InvalidName> {
    let is_blank = |c: &char| matches!(c, '\n' | '\r' | '\t');
    let mut chars = text.chars().filter(|c| !is_blank(c));
    match chars.find(|&c| controls_display(c)) {
        Some(found) => {
            let code = u32::from(found);
            let why = format!("the text has the control character U+{code:04X}; remove it");
            Err(InvalidName(why))
        }
        None => Ok(()),
    }
}

/// Control characters, invisible ones, and those that change the direction of text. The joiners are allowed: the spelling of
/// some languages needs them.
fn controls_display(c: char) -> bool {
    is_hidden(c) && !JOINERS.contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bounded_lines_of_text() {
        for name in [
            "a",
            "Équipe d'or 🎈",
            "<b>",
            "日本 ١٢",
            "می\u{200c}خواهم",
            "👩\u{200d}💻",
            &"x".repeat(MAX_NAME),
        ] {
            assert_eq!(check_name(name, MAX_NAME), Ok(()), "{name:?}");
        }
        let long = "é".repeat(MAX_NAME + 1);
        for name in [
            "",
            " ",
            "a\0b",
            "a\nb",
            "a\tb",
            "\u{1b}[1m",
            "\u{85}",
            "a\u{202e}b",
            "\u{2028}",
            "\u{feff}",
            "a\u{200b}b",
            "a\u{ad}b",
            "a\u{e0041}b",
            "\u{3164}",
            "\u{200d}",
            &long,
        ] {
            assert!(check_name(name, MAX_NAME).is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_text_has_lines_and_no_control_characters() {
        for text in ["", "a\n\tb\r\nc", "می\u{200c}خواهم"] {
            assert_eq!(check_text(text), Ok(()), "{text:?}");
        }
        for text in ["a\0b", "\u{1b}[2J", "a\u{9b}2J", "a\u{202e}b", "a\u{2066}b"] {
            assert!(check_text(text).is_err(), "{text:?}");
        }
    }
}
