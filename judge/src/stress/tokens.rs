//! The structure of an input: parts, tokens, and lists with their number before them.

/// The parts between separators.
pub fn split<'t>(text: &'t [u8], between: &[u8]) -> Vec<&'t [u8]> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest
        .windows(between.len())
        .position(|window| window == between)
    {
        parts.push(&rest[..at]);
        rest = &rest[at + between.len()..];
    }
    parts.push(rest);
    parts
}

/// The byte range of the `k`-th token.
pub fn nth_token(text: &[u8], k: usize) -> Option<(usize, usize)> {
    let mut seen = 0;
    let mut from = None;
    for (at, byte) in text.iter().chain(b"\n").enumerate() {
        match (byte.is_ascii_whitespace(), from) {
            (false, None) => from = Some(at),
            (true, Some(start)) => {
                if seen == k {
                    return Some((start, at));
                }
                seen += 1;
                from = None;
            }
            _ => {}
        }
    }
    None
}

/// The text with its first token, a number, lowered by 1.
pub fn with_lower_count(text: &[u8]) -> Option<Vec<u8>> {
    let (from, to) = nth_token(text, 0)?;
    let count: u64 = std::str::from_utf8(&text[from..to]).ok()?.parse().ok()?;
    let lower = count.checked_sub(1)?;
    let mut changed = text.to_vec();
    changed.splice(from..to, lower.to_string().into_bytes());
    Some(changed)
}

/// A number and as many tokens, as byte ranges.
pub struct List {
    count: (usize, usize),
    pub elements: Vec<(usize, usize)>,
}

impl List {
    /// The longest list of an input.
    const MAX: usize = 1 << 20;

    /// The list whose number is the `k`-th token of the text.
    pub fn at(text: &[u8], k: usize, is_on_next_line: bool) -> Option<List> {
        let count = nth_token(text, k)?;
        let number: usize = std::str::from_utf8(&text[count.0..count.1])
            .ok()?
            .parse()
            .ok()?;
        let rest = match is_on_next_line {
            true => count.1 + text[count.1..].iter().position(|byte| *byte == b'\n')?,
            false => count.1,
        };
        if !(2..=Self::MAX).contains(&number) {
            return None;
        }
        let mut elements = Vec::new();
        let mut at = rest;
        while elements.len() < number {
            let start = at
                + text[at..]
                    .iter()
                    .position(|byte| !byte.is_ascii_whitespace())?;
            let length = text[start..].iter().position(u8::is_ascii_whitespace);
            let end = start + length.unwrap_or(text.len() - start);
            elements.push((start, end));
            at = end;
        }
        Some(List { count, elements })
    }

    /// The text without `size` elements from `from` on, and with the lower number.
    pub fn without(&self, text: &[u8], from: usize, size: usize) -> Vec<u8> {
        let count = self.elements.len() - size;
        let mut out = text[..self.count.0].to_vec();
        out.extend(count.to_string().bytes());
        let (first, last) = (self.elements[from].0, from + size);
        match self.elements.get(last) {
            Some((next, _)) => {
                out.extend(&text[self.count.1..first]);
                out.extend(&text[*next..]);
            }
            None => {
                // The blanks before the first dropped element are dropped too, unless a line ends there.
                let before = text[..first].trim_ascii_end().len().max(self.count.1);
                let kept = match text[before..first].contains(&b'\n') {
                    true => first,
                    false => before,
                };
                out.extend(&text[self.count.1..kept]);
                out.extend(&text[self.elements[last - 1].1..]);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_parts() {
        assert_eq!(nth_token(b" ab c\nd", 1), Some((4, 5)));
        assert_eq!(nth_token(b" ab c\nd", 2), Some((6, 7)));
        assert_eq!(nth_token(b"", 0), None);
        assert_eq!(split(b"a\n\nb\n", b"\n\n"), [&b"a"[..], b"b\n"]);
        assert_eq!(with_lower_count(b"10\nx").as_deref(), Some(&b"9\nx"[..]));
        assert_eq!(with_lower_count(b"x\n"), None);
    }

    #[test]
    fn a_list_is_shortened_with_its_number() {
        let text = b"4 9\n1 2 3 4\n7\n";
        assert!(List::at(text, 1, false).is_none());
        let list = List::at(text, 0, true).expect("a list");
        assert_eq!(list.without(text, 0, 2), b"2 9\n3 4\n7\n");
        assert_eq!(list.without(text, 3, 1), b"3 9\n1 2 3\n7\n");
        let list = List::at(b"3 a b c", 0, false).expect("a list");
        assert_eq!(list.without(b"3 a b c", 1, 2), b"1 a");
    }
}
