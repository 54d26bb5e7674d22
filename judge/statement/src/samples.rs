//! The samples of a package as its statement shows them.

use crate::read_text;
use judge_package::{Package, interactions};
use serde::Serialize;

/// The maximum size of a text of a sample that is shown, in bytes.
const MAX_SAMPLE: u64 = 64 << 10;

/// The input and the answer of a sample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sample {
    /// Its name for display.
    pub name: String,
    /// Input of the program.
    pub input: String,
    /// The answer, if the problem has answers.
    pub answer: Option<String>,
    /// Whether the input or the answer was cut because it is long.
    pub cut: bool,
}

/// A conversation of a submission with the judge, from a file with the extension `interaction`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversation {
    /// Its name for display.
    pub name: String,
    /// The file's lines: those of the submission begin with `>`, those that it reads with `<`.
    pub text: String,
    /// Whether the text was cut because it is long.
    pub cut: bool,
}

/// Consecutive lines of one side of a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Whether the submission wrote them.
    pub is_written: bool,
    /// The lines without their first character.
    pub text: String,
}

impl Conversation {
    /// The turns, in order. A line that begins with neither character ends a turn: the next pass of the
    /// problem begins there.
    pub fn turns(&self) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        let mut goes_on = false;
        for line in self.text.lines() {
            let Some(own) = line.strip_prefix(['<', '>']) else {
                goes_on = false;
                continue;
            };
            let is_written = line.starts_with('>');
            match turns.last_mut() {
                Some(turn) if goes_on && turn.is_written == is_written => turn.text.push_str(own),
                _ => turns.push(Turn {
                    is_written,
                    text: own.to_owned(),
                }),
            }
            if let Some(turn) = turns.last_mut() {
                turn.text.push('\n');
            }
            goes_on = true;
        }
        turns
    }
}

/// The samples that a statement shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Samples {
    /// The conversations, in the order of their names.
    pub conversations: Vec<Conversation>,
    /// The inputs and answers. Those of an interactive problem say less than its conversations, so they
    /// are left out if there are any.
    pub files: Vec<Sample>,
}

impl Samples {
    pub fn of(package: &Package) -> Self {
        let conversations = conversations(package);
        let files = match package.kind.interactive && !conversations.is_empty() {
            true => Vec::new(),
            false => files(package),
        };
        Samples {
            conversations,
            files,
        }
    }
}

/// The samples of a package in judging order. Those whose data is generated when they are judged are
/// left out.
pub fn files(package: &Package) -> Vec<Sample> {
    let cases = package.cases();
    let shown = cases.iter().filter(|case| case.sample).filter_map(|case| {
        let (input, input_cut) = read_text(&case.input, MAX_SAMPLE).ok()?;
        let answer = case.output.as_deref().or(case.answer.as_deref());
        let answer = answer.and_then(|path| read_text(path, MAX_SAMPLE).ok());
        let answer_cut = answer.as_ref().is_some_and(|(_, cut)| *cut);
        let name = case.name.strip_prefix("sample/").unwrap_or(&case.name);
        Some(Sample {
            name: name.to_owned(),
            input,
            answer: answer.map(|(text, _)| text),
            cut: input_cut || answer_cut,
        })
    });
    shown.collect()
}

/// The sample conversations of an ICPC package.
fn conversations(package: &Package) -> Vec<Conversation> {
    let paths = interactions(&package.root).into_iter();
    let conversations = paths.filter_map(|path| {
        let (text, cut) = read_text(&path, MAX_SAMPLE).ok()?;
        Some(Conversation {
            name: path.file_stem()?.to_string_lossy().into_owned(),
            text,
            cut,
        })
    });
    conversations.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_side_are_a_turn() {
        let conversation = Conversation {
            name: "1".to_owned(),
            text: "<1 2\n>3\n>4\n---\n>5\n< ok\n".to_owned(),
            cut: false,
        };
        let turns = conversation.turns();
        let turns: Vec<_> = turns.iter().map(|t| (t.is_written, &*t.text)).collect();
        let (read, written) = (false, true);
        assert_eq!(
            turns,
            [
                (read, "1 2\n"),
                (written, "3\n4\n"),
                (written, "5\n"),
                (read, " ok\n")
            ]
        );
    }
}
