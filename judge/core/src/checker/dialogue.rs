//! Records what a submission and an interactive validator write to each other.

use crate::parallel::unpoisoned;
use std::sync::Mutex;

/// The lines at the beginning and at the end that are kept.
const FIRST: usize = 4;
const LAST: usize = 12;
/// Bytes of a line that are kept, more than reports show.
const LINE_BYTES: usize = 256;

/// A side of a dialogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    /// The submission.
    Submission,
    /// The validator.
    Validator,
}

impl Speaker {
    /// The sign before a line, as in the sample interactions of the ICPC format.
    pub fn sign(self) -> char {
        match self {
            Speaker::Submission => '>',
            Speaker::Validator => '<',
        }
    }
}

/// A line; it ends with a line feed, which is not part of it, or where the other side begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpokenLine {
    /// Its number, from 1.
    pub number: u64,
    pub speaker: Speaker,
    /// Its first bytes.
    pub text: Vec<u8>,
}

/// The first and the last lines of a dialogue.
#[derive(Debug, Default)]
pub struct Dialogue(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    lines: Vec<SpokenLine>,
    /// Number of all lines.
    count: u64,
    /// Number of all bytes.
    bytes: u64,
    /// Whether the last line has no line feed yet.
    is_open: bool,
}

impl Dialogue {
    /// Adds what one side wrote.
    pub fn add(&self, speaker: Speaker, bytes: &[u8]) {
        let mut state = unpoisoned(self.0.lock());
        state.bytes += bytes.len() as u64;
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let text = part.strip_suffix(b"\n").unwrap_or(part);
            let is_open = state.is_open;
            state.is_open = text.len() == part.len();
            match state.lines.last_mut() {
                Some(last) if is_open && last.speaker == speaker => {
                    let rest = LINE_BYTES.saturating_sub(last.text.len());
                    last.text.extend(text.iter().take(rest));
                }
                _ => {
                    state.count += 1;
                    if state.lines.len() == FIRST + LAST {
                        state.lines.remove(FIRST);
                    }
                    let number = state.count;
                    state.lines.push(SpokenLine {
                        number,
                        speaker,
                        text: text[..text.len().min(LINE_BYTES)].to_vec(),
                    });
                }
            }
        }
    }

    /// The number of all bytes, and the lines that are kept.
    pub fn read(&self) -> (u64, Vec<SpokenLine>) {
        let state = unpoisoned(self.0.lock());
        (state.bytes, state.lines.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(dialogue: &Dialogue) -> Vec<String> {
        let lines = dialogue.read().1.into_iter();
        lines
            .map(|line| {
                let text = String::from_utf8(line.text).expect("the tests write text");
                format!("{} {} {text}", line.number, line.speaker.sign())
            })
            .collect()
    }

    #[test]
    fn lines_are_in_the_order_in_which_they_were_written() {
        let dialogue = Dialogue::default();
        for (speaker, text) in [
            (Speaker::Validator, "5\n"),
            (Speaker::Submission, "? "),
            (Speaker::Submission, "1\n? 2\n"),
            (Speaker::Validator, "ye"),
            // It ends the other one's line.
            (Speaker::Submission, "! 3"),
            (Speaker::Validator, "s\n\n"),
        ] {
            dialogue.add(speaker, text.as_bytes());
        }
        let expected = [
            "1 < 5", "2 > ? 1", "3 > ? 2", "4 < ye", "5 > ! 3", "6 < s", "7 < ",
        ];
        assert_eq!(shown(&dialogue), expected);
        assert_eq!(dialogue.read().0, 18);
    }

    #[test]
    fn the_middle_and_the_ends_of_long_lines_are_left_out() {
        let dialogue = Dialogue::default();
        for k in 1..=1000 {
            dialogue.add(Speaker::Submission, format!("{k}\n").as_bytes());
        }
        dialogue.add(Speaker::Validator, &[b'x'; 1000]);
        dialogue.add(Speaker::Validator, &[b'x'; 1000]);
        let shown = shown(&dialogue);
        assert_eq!(shown.len(), FIRST + LAST);
        assert_eq!((&*shown[3], &*shown[4]), ("4 > 4", "990 > 990"));
        assert_eq!(shown[15].len(), "1001 < ".len() + LINE_BYTES);
    }
}
