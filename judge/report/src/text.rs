//! Formatting of colours and tables.

use anstyle::{AnsiColor, Style};
use judge_core::verdict::Verdict;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Colours text if enabled.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// Whether colours are enabled.
    pub enabled: bool,
}

impl Paint {
    fn paint(self, style: Style, text: &str) -> String {
        if self.enabled {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// A verdict, padded to `width`: green when accepted, red when wrong, yellow at a limit.
    pub fn verdict(self, verdict: Verdict, width: usize) -> String {
        self.verdict_text(verdict, &format!("{:<width$}", verdict.code()))
    }

    /// The code of a verdict as a cell of a table.
    pub fn code(self, verdict: Verdict) -> (String, usize) {
        let code = verdict.code();
        (self.verdict_text(verdict, code), code.len())
    }

    /// Any text in the colour of a verdict.
    pub fn verdict_text(self, verdict: Verdict, text: &str) -> String {
        let color = match verdict {
            Verdict::Accepted => AnsiColor::Green,
            Verdict::WrongAnswer
            | Verdict::PresentationError
            | Verdict::RunTimeError
            | Verdict::SecurityViolation => AnsiColor::Red,
            Verdict::JudgeError | Verdict::CompileError => AnsiColor::Magenta,
            _ => AnsiColor::Yellow,
        };
        self.paint(color.on_default().bold(), text)
    }

    /// A heading.
    pub fn bold(self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    /// Secondary information.
    pub fn dim(self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    pub fn warning(self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default(), text)
    }
}

/// One character per verdict for a strip of many cases; `-` for a case without one.
pub fn letter(verdict: Option<Verdict>) -> char {
    match verdict {
        None => '-',
        Some(Verdict::Accepted) => '.',
        Some(Verdict::PartiallyAccepted) => 'p',
        Some(verdict) => verdict.code().chars().next().unwrap_or('?'),
    }
}

/// Width of a text in columns of a terminal. Colour codes (`ESC [ ... m`) have none.
pub fn width(text: &str) -> usize {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().width();
    let after_code = |part: &str| part.split_once('m').map_or(0, |(_, shown)| shown.width());
    first + parts.map(after_code).sum::<usize>()
}

/// A cell of a [`table`] without colour.
pub fn plain(text: impl Into<String>) -> (String, usize) {
    let text = text.into();
    let width = width(&text);
    (text, width)
}

/// The text cut to `columns`, with `…` if something is left out.
pub fn fit(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    if columns > 0 {
        out.push('…');
    }
    out
}

/// The end of a text of at most `columns`, after `…` if something is left out: of paths, whose ends differ.
pub fn fit_end(text: &str, columns: usize) -> String {
    let backwards: String = text.chars().rev().collect();
    fit(&backwards, columns).chars().rev().collect()
}

/// The lines of a text, broken at blanks if they are wider than `columns`: what follows of such a line is
/// indented as its beginning, and a word that is wider has a line of its own.
pub fn wrapped(text: &str, columns: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for whole in text.lines() {
        let words = whole.trim_start_matches(' ');
        let indent = " ".repeat(whole.len() - words.len());
        let mut line = String::new();
        for word in words.split(' ') {
            if !line.is_empty() && width(&indent) + width(&line) + 1 + width(word) > columns {
                lines.push(format!("{indent}{line}"));
                line.clear();
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(format!("{indent}{line}"));
    }
    lines.join("\n")
}

/// Every line with blanks before it.
pub fn indented(text: &str, by: usize) -> String {
    let line = |line: &str| format!("{}{line}\n", " ".repeat(by));
    text.lines().map(line).collect()
}

/// Aligns rows in columns, two blanks apart; `right` marks right-aligned columns. A cell is its
/// text, possibly coloured, and its visible width.
pub fn table(rows: &[Vec<(String, usize)>], right: &[bool], indent: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|c| {
            rows.iter()
                .filter_map(|row| row.get(c).map(|cell| cell.1))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    let blanks = |out: &mut String, count| out.extend(std::iter::repeat_n(' ', count));
    for row in rows {
        blanks(&mut out, indent);
        for (c, (text, width)) in row.iter().enumerate() {
            let gap = widths[c] - width;
            let (before, after) = match right.get(c) {
                Some(true) => (gap, 0),
                _ => (0, gap),
            };
            blanks(&mut out, before);
            out.push_str(text);
            blanks(&mut out, after + 2);
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_no_width() {
        let painted = Paint { enabled: true }.verdict(Verdict::WrongAnswer, 3);
        assert!(painted.contains('\x1b'));
        assert_eq!(width(&format!("{painted} · 数")), 3 + 3 + 2);
        assert_eq!(width("plain"), 5);
    }

    #[test]
    fn text_is_cut_to_columns_not_characters() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("数独数独", 8), "数独数独");
        assert_eq!(fit("数独数独", 6), "数独…");
        assert_eq!(fit("ab", 0), "");
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("one two  three", 7), "one two\nthree");
        assert_eq!(wrapped("  a b c\nlonger", 5), "  a b\n  c\nlonger");
        assert_eq!(wrapped("数独 数独", 8), "数独\n数独");
        assert_eq!(wrapped("", 8), "");
    }

    #[test]
    fn columns_are_aligned() {
        let cell = |text: &str| (text.to_owned(), text.len());
        let rows = vec![vec![cell("a"), cell("1")], vec![cell("bcd"), cell("234")]];
        assert_eq!(table(&rows, &[false, true], 2), "  a      1\n  bcd  234\n");
    }
}
