//! Details of a failed case: parts of its input, answer and output, cut to a few kilobytes.

use serde::{Deserialize, Serialize};

/// The data that show a person why a case failed.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Details {
    /// The first difference of output and answer, if the checker compares them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The start of the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Excerpt>,
    /// The answer around the first difference. If a validator program decided, other outputs may
    /// be right too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Excerpt>,
    /// The output around the first difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Excerpt>,
    /// The output for the jury of a server ([`crate::judging::Settings::keeps_outputs`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<KeptOutput>,
    /// The lines that submission (`>`) and interactor (`<`) wrote to each other, in order, when the
    /// case ran a second time. The line `…` replaces those in the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialogue: Option<Excerpt>,
    /// The last lines that the submission wrote to standard error, unless the case's message has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<String>,
    /// The message of the validator for the team; also for an accepted case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_message: Option<String>,
    /// Images about the case: its illustration, then those of the validator and the visualizers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<CaseImage>,
    /// A property of the input that may be the cause, such as line ends of Windows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_note: Option<String>,
    /// The first wrong board, if the answer consists of Latin squares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
}

/// The output of a submission, from its first byte.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeptOutput {
    /// The kept bytes in base64: an output need not be text.
    pub base64: String,
    /// The length of the whole output in bytes.
    pub bytes: u64,
}

/// An image about a case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseImage {
    /// The name of its file: `judgeimage-01.svg`.
    pub name: String,
    /// Whether it is meant for the team; otherwise only for the judges.
    pub for_team: bool,
    /// A `data:` URI with the image; `None` if it is left out: no PNG, JPEG or SVG image, or too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

/// The place of the first difference in the output, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// The line.
    pub line: u64,
    /// The byte in the line.
    pub column: u64,
    /// The token in the line.
    pub token: u64,
    /// Whether output and answer differ only in white space.
    pub only_white_space: bool,
    /// Whether the tokens are almost the same number, but are compared as text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub near_numbers: bool,
}

/// Some lines of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Excerpt {
    /// Size of the whole file in bytes.
    pub bytes: u64,
    /// The lines.
    pub lines: Vec<ExcerptLine>,
    /// Whether lines follow that are left out.
    pub more: bool,
}

/// A line of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExcerptLine {
    /// Its number, from 1.
    pub number: u64,
    /// Its text, with control characters and invalid UTF-8 escaped; `…` where it is cut.
    pub text: String,
    /// The differing part of `text`: first character and end, counted from 0. Empty at the end of
    /// a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<[usize; 2]>,
}

/// A square board in the output, compared with the answer's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Board {
    /// Which of the output's boards, from 1; `None` if the answer has only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Rows and columns of a box: `[3, 3]`; `None` for a Latin square without boxes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boxes: Option<[usize; 2]>,
    /// The answer's cells, row by row.
    pub expected: Vec<Vec<String>>,
    /// The output's cells; empty text where a cell is missing.
    pub found: Vec<Vec<String>>,
    /// Row and column, from 1, of the first cell that differs from the answer's.
    pub wrong: [usize; 2],
    /// A house of the output that contains a symbol twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<House>,
}

/// A row, column or box that contains a symbol twice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct House {
    /// `row`, `column` or `box`.
    pub kind: String,
    /// Its number, from 1; boxes are counted row by row.
    pub number: usize,
    /// The symbol.
    pub symbol: String,
    /// Row and column, from 1, of the cells with this symbol.
    pub cells: Vec<[usize; 2]>,
}
