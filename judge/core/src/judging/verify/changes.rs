//! Right texts with one change each, which a validator should refuse.
//!
//! They depend only on the text, so that two runs of `judge verify` find the same.

use super::mutants::{Kind, Mutant};
use crate::checker::escape;
use std::collections::BTreeSet;
use std::ops::Range;

/// Number of characters of a changed line that an example shows.
const MAX_SHOWN: usize = 40;

/// Tokens of this length that stand one below the other are the rows of a grid.
const MIN_ROW: usize = 4;

/// Integers with more digits are not changed by one.
const MAX_DIGITS: usize = 18;

/// A line of a text, without its newline, and its tokens.
struct Line {
    at: Range<usize>,
    tokens: Vec<Range<usize>>,
}

fn lines(text: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(|&byte| byte == b'\n') {
        let end = start + part.len() - usize::from(part.ends_with(b"\n"));
        lines.push(Line {
            at: start..end,
            tokens: tokens(text, start..end),
        });
        start += part.len();
    }
    lines
}

fn tokens(text: &[u8], line: Range<usize>) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    for at in line.filter(|&at| !text[at].is_ascii_whitespace()) {
        match tokens.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => tokens.push(at..at + 1),
        }
    }
    tokens
}

/// The value of a token that is an integer without unusual forms.
pub fn integer(token: &[u8]) -> Option<i64> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    let is_usual = !digits.is_empty()
        && digits.len() <= MAX_DIGITS
        && digits.iter().all(u8::is_ascii_digit)
        && (digits[0] != b'0' || token == b"0");
    let text = std::str::from_utf8(token).ok().filter(|_| is_usual)?;
    text.parse().ok()
}

/// Unusual forms that a right text has: validators must accept them.
pub fn forms(text: &[u8]) -> BTreeSet<Kind> {
    let has = |part: &[u8]| text.windows(part.len()).any(|place| place == part);
    let tokens = text.split(u8::is_ascii_whitespace);
    let mut forms: BTreeSet<Kind> = tokens.filter_map(form_of_number).collect();
    forms.extend(
        [
            (has(b" \n") || has(b" \r\n") || text.ends_with(b" ")).then_some(Kind::TrailingSpace),
            text.ends_with(b"\n\n").then_some(Kind::BlankLineAtEnd),
            has(b"\n\n").then_some(Kind::BlankLineInside),
            (!text.is_empty() && !text.ends_with(b"\n")).then_some(Kind::NoLastNewline),
            has(b"\r\n").then_some(Kind::Crlf),
        ]
        .into_iter()
        .flatten(),
    );
    forms
}

/// The unusual form of a number.
fn form_of_number(token: &[u8]) -> Option<Kind> {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    if let Some(digits) = token.strip_prefix(b"+") {
        return is_number(digits).then_some(Kind::PlusSign);
    }
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    match digits.iter().position(|&byte| byte == b'.') {
        Some(point) => {
            let is_decimal = is_number(&digits[..point]) && is_number(&digits[point + 1..]);
            is_decimal.then_some(Kind::DecimalPoint)
        }
        None => (is_number(digits) && digits.len() > 1 && digits[0] == b'0')
            .then_some(Kind::LeadingZero),
    }
}

/// The smallest and the largest integer of a text.
pub fn range(text: &[u8]) -> Option<(i64, i64)> {
    let tokens = text.split(u8::is_ascii_whitespace);
    tokens.filter_map(integer).fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// A text that is changed in one place after the other.
struct Changer<'t> {
    text: &'t [u8],
    lines: Vec<Line>,
    mutants: Vec<Mutant>,
}

/// The text with each change, where the text has a place for it: up to two places of each kind.
pub fn changed(text: &[u8]) -> Vec<Mutant> {
    let mut changer = Changer {
        text,
        lines: lines(text),
        mutants: Vec::new(),
    };
    changer.white_space();
    changer.numbers();
    changer.order();
    changer.tokens();
    // A change that changes nothing.
    changer.mutants.retain(|mutant| mutant.bytes != text);
    changer.mutants
}

/// The text with its smallest and its largest integer moved beyond `range`, if it has these values.
pub fn out_of_range(text: &[u8], (low, high): (i64, i64)) -> Vec<Mutant> {
    let mut changer = Changer {
        text,
        lines: lines(text),
        mutants: Vec::new(),
    };
    let all: Vec<Range<usize>> = changer.all_tokens();
    for (value, beyond) in [(low, low - 1), (high, high + 1)] {
        let is_value = |token: &&Range<usize>| integer(&text[(*token).clone()]) == Some(value);
        // The last one: the first ones are often numbers of lines.
        if let Some(token) = all.iter().rev().find(is_value)
            && !changer.is_row(token)
        {
            changer.replace(
                Kind::OutOfRange,
                token.clone(),
                beyond.to_string().as_bytes(),
            );
        }
    }
    changer.mutants
}

/// The output with another token, a token more, and a token fewer.
pub fn changed_output(text: &[u8]) -> Vec<Mutant> {
    let mut changer = Changer {
        text,
        lines: lines(text),
        mutants: Vec::new(),
    };
    for token in ends(&changer.all_tokens()) {
        let own = &text[token.clone()];
        let other = match integer(own) {
            Some(value) => (value + 1).to_string().into_bytes(),
            None => [&b"x"[..], own].concat(),
        };
        changer.replace(Kind::ChangedToken, token, &other);
    }
    changer.tokens();
    let has_text = !changer.all_tokens().is_empty();
    changer
        .mutants
        .retain(|mutant| has_text && mutant.bytes != text);
    changer.mutants
}

/// The first and the last of some items.
fn ends<T: Clone>(items: &[T]) -> Vec<T> {
    let last = items.len().checked_sub(1).filter(|&last| last > 0);
    let places = items.first().map(|_| 0).into_iter().chain(last);
    places.map(|place| items[place].clone()).collect()
}

impl Changer<'_> {
    /// Whether a token is the row of a grid: a digit more in it is no larger value.
    fn is_row(&self, token: &Range<usize>) -> bool {
        let alone = |line: &Line, length: usize| match &line.tokens[..] {
            [only] => only.len() == length,
            _ => false,
        };
        let own = self
            .lines
            .iter()
            .position(|line| line.tokens.contains(token));
        let around =
            own.map(|own| &self.lines[own.saturating_sub(1)..(own + 2).min(self.lines.len())]);
        let rows = around.unwrap_or_default().iter();
        let is_long = token.len() >= MIN_ROW;
        is_long && rows.filter(|line| alone(line, token.len())).count() > 1
    }

    fn all_tokens(&self) -> Vec<Range<usize>> {
        let tokens = self.lines.iter().flat_map(|line| &line.tokens);
        tokens.cloned().collect()
    }

    fn white_space(&mut self) {
        let lines: Vec<Range<usize>> = self.lines.iter().map(|line| line.at.clone()).collect();
        for line in ends(&lines) {
            self.replace(Kind::TrailingSpace, line.end..line.end, b" ");
        }
        let end = self.text.len();
        if self.text.ends_with(b"\n") {
            self.whole(Kind::BlankLineAtEnd, [self.text, b"\n"].concat());
            self.whole(Kind::NoLastNewline, self.text[..end - 1].to_vec());
            let windows = |&byte: &u8| match byte {
                b'\n' => vec![b'\r', b'\n'],
                byte => vec![byte],
            };
            self.whole(Kind::Crlf, self.text.iter().flat_map(windows).collect());
        }
        if let [_, second, ..] = &lines[..] {
            let (before, after) = self.text.split_at(second.start);
            self.whole(Kind::BlankLineInside, [before, b"\n", after].concat());
        }
    }

    fn numbers(&mut self) {
        let text = self.text;
        let mut integers = self.all_tokens();
        integers.retain(|token| integer(&text[token.clone()]).is_some());
        for token in ends(&integers) {
            let own = &text[token.clone()];
            let (sign, digits) = match own.strip_prefix(b"-") {
                Some(digits) => (&b"-"[..], digits),
                None => (&b""[..], own),
            };
            let zero = [sign, b"0", digits].concat();
            self.replace(Kind::LeadingZero, token.clone(), &zero);
            if sign.is_empty() {
                let plus = [&b"+"[..], own].concat();
                self.replace(Kind::PlusSign, token.clone(), &plus);
            }
            let point = [own, b".0"].concat();
            self.replace(Kind::DecimalPoint, token, &point);
        }
    }

    fn order(&mut self) {
        let text = self.text;
        let pairs = |tokens: &[Range<usize>]| -> Vec<(Range<usize>, Range<usize>)> {
            let pairs = tokens.windows(2);
            let pairs = pairs.map(|pair| (pair[0].clone(), pair[1].clone()));
            pairs
                .filter(|(a, b)| text[a.clone()] != text[b.clone()])
                .collect()
        };
        let inside: Vec<_> = self
            .lines
            .iter()
            .flat_map(|line| pairs(&line.tokens))
            .collect();
        let lines: Vec<Range<usize>> = self.lines.iter().map(|line| line.at.clone()).collect();
        for (kind, pairs) in [
            (Kind::ExchangedTokens, inside),
            (Kind::ExchangedLines, pairs(&lines)),
        ] {
            for (a, b) in ends(&pairs) {
                let other = [&text[b.clone()], &text[a.end..b.start], &text[a.clone()]].concat();
                self.replace(kind, a.start..b.end, &other);
            }
        }
    }

    /// Adds a token to the first and the last line with tokens, and removes one from them.
    fn tokens(&mut self) {
        let text = self.text;
        let filled = self.lines.iter().filter(|line| !line.tokens.is_empty());
        let filled: Vec<Vec<Range<usize>>> = filled.map(|line| line.tokens.clone()).collect();
        for tokens in ends(&filled) {
            let [.., last] = &tokens[..] else { continue };
            let again = [&b" "[..], &text[last.clone()]].concat();
            self.replace(Kind::ExtraToken, last.end..last.end, &again);
            let from = match &tokens[..] {
                [.., before, _] => before.end,
                _ => last.start,
            };
            self.replace(Kind::MissingToken, from..last.end, b"");
        }
    }

    fn whole(&mut self, kind: Kind, bytes: Vec<u8>) {
        self.mutants.push(Mutant {
            kind,
            bytes,
            place: String::new(),
        });
    }

    fn replace(&mut self, kind: Kind, at: Range<usize>, with: &[u8]) {
        let bytes = [&self.text[..at.start], with, &self.text[at.end..]].concat();
        let number = self.text[..at.start]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        let changed = bytes
            .split(|&byte| byte == b'\n')
            .nth(number)
            .unwrap_or_default();
        self.mutants.push(Mutant {
            kind,
            place: format!("line {} is `{}`", number + 1, excerpt(changed)),
            bytes,
        });
    }
}

/// The end of a long line is of more interest than its start: most changes are there.
fn excerpt(line: &[u8]) -> String {
    let shown = escape(line).replace("\\\"", "\"");
    match shown.char_indices().rev().nth(MAX_SHOWN - 1) {
        Some((from, _)) if from > 0 => format!("…{}", &shown[from..]),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_kind(mutants: &[Mutant], kind: Kind) -> Vec<String> {
        let own = mutants.iter().filter(|mutant| mutant.kind == kind);
        own.map(|mutant| String::from_utf8(mutant.bytes.clone()).expect("text"))
            .collect()
    }

    #[test]
    fn each_change_is_made_at_both_ends_of_a_text() {
        let mutants = changed(b"2\n-5 7\nab c\n");
        for (kind, expected) in [
            (
                Kind::TrailingSpace,
                &["2 \n-5 7\nab c\n", "2\n-5 7\nab c \n"][..],
            ),
            (Kind::BlankLineAtEnd, &["2\n-5 7\nab c\n\n"]),
            (Kind::BlankLineInside, &["2\n\n-5 7\nab c\n"]),
            (Kind::NoLastNewline, &["2\n-5 7\nab c"]),
            (Kind::Crlf, &["2\r\n-5 7\r\nab c\r\n"]),
            (Kind::LeadingZero, &["02\n-5 7\nab c\n", "2\n-5 07\nab c\n"]),
            (Kind::PlusSign, &["+2\n-5 7\nab c\n", "2\n-5 +7\nab c\n"]),
            (
                Kind::DecimalPoint,
                &["2.0\n-5 7\nab c\n", "2\n-5 7.0\nab c\n"],
            ),
            (
                Kind::ExtraToken,
                &["2 2\n-5 7\nab c\n", "2\n-5 7\nab c c\n"],
            ),
            (Kind::MissingToken, &["\n-5 7\nab c\n", "2\n-5 7\nab\n"]),
            (
                Kind::ExchangedTokens,
                &["2\n7 -5\nab c\n", "2\n-5 7\nc ab\n"],
            ),
            (
                Kind::ExchangedLines,
                &["-5 7\n2\nab c\n", "2\nab c\n-5 7\n"],
            ),
        ] {
            assert_eq!(of_kind(&mutants, kind), expected, "{kind:?}");
        }
        assert_eq!(changed(b""), []);
        let negative = changed(b"-5\n");
        assert_eq!(of_kind(&negative, Kind::LeadingZero), ["-05\n"]);
        assert!(of_kind(&negative, Kind::PlusSign).is_empty());
        let place = |text: &[u8], kind: Kind| {
            let mutants = changed(text);
            let found = mutants.iter().find(|mutant| mutant.kind == kind);
            found.map(|mutant| mutant.place.clone()).unwrap_or_default()
        };
        assert_eq!(place(b"1\n", Kind::TrailingSpace), "line 1 is `1 `");
        let long = [&vec![b'1'; 100][..], b"\n"].concat();
        let shown = format!("line 1 is `…{} `", "1".repeat(MAX_SHOWN - 1));
        assert_eq!(place(&long, Kind::TrailingSpace), shown);
    }

    #[test]
    fn unusual_forms_of_right_texts_are_known() {
        assert!(forms(b"1 2\n-3 4.\n").is_empty());
        for (text, kind) in [
            (&b"1 \n2\n"[..], Kind::TrailingSpace),
            (b"1", Kind::NoLastNewline),
            (b"1\n\n2\n", Kind::BlankLineInside),
            (b"1\r\n", Kind::Crlf),
            (b"007\n", Kind::LeadingZero),
            (b"+7\n", Kind::PlusSign),
            (b"-7.5\n", Kind::DecimalPoint),
        ] {
            assert!(forms(text).contains(&kind), "{kind:?}");
        }
    }

    #[test]
    fn values_are_moved_beyond_those_seen() {
        assert_eq!(range(b"3\n-4 x 10 007\n"), Some((-4, 10)));
        assert_eq!(range(b"x\n"), None);
        let moved = out_of_range(b"3\n-4 3\n", (-4, 3));
        assert_eq!(
            of_kind(&moved, Kind::OutOfRange),
            ["3\n-5 3\n", "3\n-4 4\n"]
        );
        assert!(out_of_range(b"0\n", (-4, 3)).is_empty());
        // The rows of a grid, which are no values.
        assert!(out_of_range(b"1\n4321\n1234\n", (0, 4321)).is_empty());
        assert_eq!(out_of_range(b"1\n4321 1\n1234\n", (0, 4321)).len(), 1);
    }

    #[test]
    fn outputs_are_changed_in_their_tokens() {
        let changed = changed_output(b"yes\n9\n");
        assert_eq!(
            of_kind(&changed, Kind::ChangedToken),
            ["xyes\n9\n", "yes\n10\n"]
        );
        assert_eq!(
            of_kind(&changed, Kind::ExtraToken),
            ["yes yes\n9\n", "yes\n9 9\n"]
        );
        assert!(changed_output(b"\n").is_empty());
    }
}
