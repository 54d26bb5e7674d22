//! A text on numbered pages, each with a header. A form feed ends a page.

/// Characters in a line, without its number.
const WIDTH: usize = 84;
/// Lines on a page, without its header.
const LINES: usize = 60;
/// Columns between tab stops.
const TAB: usize = 4;

pub(crate) fn pages(text: &str) -> usize {
    lines(text).len().div_ceil(LINES).max(1)
}

pub(super) fn document(head: &str, text: &str) -> String {
    let head = plain(head);
    let lines = lines(text);
    let pages: Vec<&[String]> = lines.chunks(LINES).collect();
    let count = pages.len();
    let page = |(lines, number): (&&[String], usize)| {
        format!(
            "{head} | page {number} of {count}\n\n{}\n",
            lines.join("\n")
        )
    };
    let pages: Vec<String> = pages.iter().zip(1..).map(page).collect();
    pages.join("\x0c")
}

/// The lines with their numbers; long ones go on in the next line, without a number.
fn lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let characters: Vec<char> = plain(line).chars().collect();
        let mut parts = characters.chunks(WIDTH);
        let first: String = parts.next().unwrap_or_default().iter().collect();
        lines.push(format!("{number:>4} {first}").trim_end().to_owned());
        lines.extend(parts.map(|part| format!("     {}", part.iter().collect::<String>())));
    }
    lines
}

/// A line with tabs as blanks. Other control characters could be commands of a printer, and become `?`.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut column = 0;
    for c in line.chars() {
        let width = match c {
            '\t' => TAB - column % TAB,
            _ => 1,
        };
        match c {
            '\t' => plain.extend(std::iter::repeat_n(' ', width)),
            c if c.is_control() => plain.push('?'),
            c => plain.push(c),
        }
        column += width;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_a_header_and_numbered_lines() {
        let text: String = (1..=LINES + 1).map(|k| format!("line {k}\n")).collect();
        assert_eq!(pages(&text), 2);
        let printed = document("Team", &text);
        let (first, second) = printed.split_once('\x0c').expect("two pages");
        assert!(
            first.starts_with("Team | page 1 of 2\n\n   1 line 1\n   2 line 2\n"),
            "{first}"
        );
        assert_eq!(
            second,
            format!("Team | page 2 of 2\n\n  {0} line {0}\n", LINES + 1)
        );
    }

    #[test]
    fn long_lines_go_on_below() {
        let long = format!("{}yz", "x".repeat(WIDTH));
        let (first, rest) = (format!("   1 {}", "x".repeat(WIDTH)), "     yz".to_owned());
        assert_eq!(lines(&long), [first, rest]);
        assert_eq!(pages(&"x".repeat(WIDTH * LINES)), 1);
        assert_eq!(pages(&"x".repeat(WIDTH * LINES + 1)), 2);
    }

    #[test]
    fn a_text_gives_no_commands_to_the_printer() {
        assert_eq!(
            lines("a\tb\r\n\x1b%-12345X\x0cx\n\n"),
            ["   1 a   b", "   2 ?%-12345X?x", "   3"]
        );
        assert_eq!(document("A\nB\x0c", "x"), "A?B? | page 1 of 1\n\n   1 x\n");
    }
}
