//! Names that people give: of users, teams, organizations, groups, persons, contests, problems, labels, tokens.

use std::fmt;

/// Maximum number of characters of a name.
pub const MAX_NAME: usize = 200;
/// Maximum number of characters of a short name: of a label, a colour or a user to sign in as.
pub const MAX_SHORT_NAME: usize = 64;

/// The text cannot be a name; says why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidName(String);

impl fmt::Display for InvalidName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidName {}

/// Checks that a text fits into a line of a page: at least one visible character, at most `most`, and none that
/// controls the display of others.
pub fn check_name(text: &str, most: usize) -> Result<(), InvalidName> {
    let shown: String = text.chars().take(30).collect();
    let length = text.chars().count();
    let why = if text.trim().is_empty() {
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

/// Control characters, line and paragraph separators, and those that change the direction of text.
fn controls_display(c: char) -> bool {
    let changes_direction = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || changes_direction || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
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
            &long,
        ] {
            assert!(check_name(name, MAX_NAME).is_err(), "{name:?}");
        }
    }
}
