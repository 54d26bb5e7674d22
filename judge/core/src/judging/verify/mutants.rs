//! Texts that a validator should refuse: their kinds, and those that are junk for every problem.

/// Length of the long line, in bytes.
const LONG_LINE: usize = 100_000;

/// A defect of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Nothing.
    Empty,
    /// Random bytes.
    Binary,
    /// The printable characters of ASCII.
    Text,
    /// Bytes that are not UTF-8, among digits.
    NotUtf8,
    /// A line of 100,000 digits.
    LongLine,
    /// A space at the end of a line.
    TrailingSpace,
    /// An empty line at the end.
    BlankLineAtEnd,
    /// An empty line between two lines.
    BlankLineInside,
    /// No newline at the end of the last line.
    NoLastNewline,
    /// Line ends of Windows.
    Crlf,
    /// `01` for `1`.
    LeadingZero,
    /// `+1` for `1`.
    PlusSign,
    /// `1.0` for `1`.
    DecimalPoint,
    /// A token more in a line.
    ExtraToken,
    /// A token fewer in a line.
    MissingToken,
    /// Two neighbouring tokens exchanged.
    ExchangedTokens,
    /// Two neighbouring lines exchanged.
    ExchangedLines,
    /// An integer below or above all that the cases have.
    OutOfRange,
    /// Another value in place of one token.
    ChangedToken,
}

/// Kinds that are reported together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Not a text of the format at all.
    Junk,
    /// White space and line ends.
    Space,
    /// Unusual forms of integers.
    Number,
    /// Other tokens.
    Content,
}

impl Kind {
    /// A description, as the object of "accepts".
    pub fn name(self) -> &'static str {
        match self {
            Kind::Empty => "an empty file",
            Kind::Binary => "binary data",
            Kind::Text => "random text",
            Kind::NotUtf8 => "bytes that are not UTF-8",
            Kind::LongLine => "a line of 100,000 digits",
            Kind::TrailingSpace => "a space at the end of a line",
            Kind::BlankLineAtEnd => "an empty line at the end",
            Kind::BlankLineInside => "an empty line in the middle",
            Kind::NoLastNewline => "no newline at the end",
            Kind::Crlf => "line ends of Windows",
            Kind::LeadingZero => "a leading zero",
            Kind::PlusSign => "a plus sign",
            Kind::DecimalPoint => "`1.0` for `1`",
            Kind::ExtraToken => "a token more",
            Kind::MissingToken => "a token fewer",
            Kind::ExchangedTokens => "exchanged tokens",
            Kind::ExchangedLines => "exchanged lines",
            Kind::OutOfRange => "a value outside those of the cases",
            Kind::ChangedToken => "another token",
        }
    }

    /// The kinds with which it is reported.
    pub fn class(self) -> Class {
        match self {
            Kind::Empty | Kind::Binary | Kind::Text | Kind::NotUtf8 | Kind::LongLine => Class::Junk,
            Kind::TrailingSpace
            | Kind::BlankLineAtEnd
            | Kind::BlankLineInside
            | Kind::NoLastNewline
            | Kind::Crlf => Class::Space,
            Kind::LeadingZero | Kind::PlusSign | Kind::DecimalPoint => Class::Number,
            Kind::ExtraToken
            | Kind::MissingToken
            | Kind::ExchangedTokens
            | Kind::ExchangedLines
            | Kind::OutOfRange
            | Kind::ChangedToken => Class::Content,
        }
    }
}

/// A text with one defect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    pub kind: Kind,
    pub bytes: Vec<u8>,
    /// The changed place: ``line 2 is `3 4 ` ``; empty for junk and for changes of the whole text.
    pub place: String,
}

/// The texts that are no input and no output of any usual problem.
pub fn junk() -> Vec<Mutant> {
    let mutant = |kind, bytes| Mutant {
        kind,
        bytes,
        place: String::new(),
    };
    let printable = (b' '..=b'~').chain([b'\n']);
    vec![
        mutant(Kind::Empty, Vec::new()),
        mutant(Kind::Binary, random_bytes(1000)),
        mutant(Kind::Text, printable.collect()),
        mutant(Kind::NotUtf8, b"1 \xff\xfe 2\n\xc3\x28\n".to_vec()),
        mutant(Kind::LongLine, [&vec![b'7'; LONG_LINE][..], b"\n"].concat()),
    ]
}

/// Bytes of a linear congruential generator; the first one is 0.
fn random_bytes(count: usize) -> Vec<u8> {
    let mut state: u64 = 0;
    let step = |_| {
        let byte = (state >> 56) as u8;
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        byte
    };
    (0..count).map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_is_the_same_in_every_run() {
        assert_eq!(junk(), junk());
        let binary = junk().swap_remove(1).bytes;
        assert!(std::str::from_utf8(&binary).is_err());
    }
}
