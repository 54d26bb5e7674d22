//! Reads the parts of input, answer and output that show why a case failed. Only failed cases pay
//! for it.

use crate::checker::{self, Dialogue, Flags, Outcome, default};
use crate::judging::diagnosis::grid;
use crate::results::{Details, Difference, Excerpt, ExcerptLine, KeptOutput};
use crate::text::{is_wide, read_range, visible};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::fs::File;
use std::io;
use std::path::Path;

/// Lines of an excerpt, and how many of them precede the marked one.
const LINES: usize = 10;
const BEFORE: usize = 3;
/// Bytes of a line that are shown; a longer one is cut around its mark.
const LINE_BYTES: usize = 160;
/// Bytes that are read before and after the mark.
const AROUND: u64 = 2048;
/// Bytes of an output that are kept. With images of the largest size, the details of a case still fit into a message to a
/// server on another machine.
pub const KEPT_OUTPUT: u64 = 32 << 10;
/// Boards are searched in this many bytes.
const BOARD_BYTES: u64 = 256 << 10;

/// Reads the details of a failed case. `output` is what the submission wrote, also before it failed;
/// `outcome` is the checker's. Files that cannot be read are left out: the verdict does not depend on
/// them.
pub fn read(
    input: &Path,
    answer: Option<&Path>,
    output: Option<&File>,
    outcome: Option<&Outcome>,
) -> Option<Box<Details>> {
    let input = File::open(input).ok();
    let mut details = Details {
        input: input.as_ref().and_then(|file| excerpt(file, None).ok()),
        input_note: input
            .as_ref()
            .and_then(|file| input_note(file, outcome.is_none())),
        ..Details::default()
    };
    let answer = answer.and_then(|path| File::open(path).ok());
    if let Some(output) = output {
        let decided = outcome.and_then(|outcome| outcome.difference.as_ref());
        // A validator program does not report the place: that of a plain comparison is shown,
        // without a mark.
        let located = match (decided, &answer) {
            (None, Some(answer)) => plain_difference(output, answer).ok().flatten(),
            _ => None,
        };
        let is_decisive = decided.is_some();
        let place = decided.or(located.as_ref());
        let mark = |line, offset| Mark {
            line,
            offset,
            visible: is_decisive,
        };
        details.difference = decided.map(|difference| Difference {
            line: difference.line,
            column: difference.column,
            token: difference.token,
            only_white_space: difference.only_white_space,
            near_numbers: difference.near_numbers,
        });
        details.found = excerpt(output, place.map(|p| mark(p.line, p.offset))).ok();
        if let Some(answer) = &answer {
            let mark = place.map(|p| mark(p.answer_line, p.answer_offset));
            details.expected = excerpt(answer, mark).ok();
            details.board = start(answer)
                .and_then(|expected| Ok(grid::first_wrong(&expected, &start(output)?)))
                .ok()
                .flatten();
        }
    }
    (details != Details::default()).then(|| Box::new(details))
}

/// The beginning of an output, or all of it.
pub fn kept(output: &File) -> io::Result<KeptOutput> {
    let bytes = output.metadata()?.len();
    let base64 = BASE64.encode(read_range(output, 0, KEPT_OUTPUT)?);
    Ok(KeptOutput { base64, bytes })
}

/// Bytes of an input that are examined for line ends.
const EXAMINED: u64 = 64 << 10;

/// Properties of an input that programs often do not expect. `is_unfinished` says that the program wrote no output that was
/// checked: it may have waited for the end of a line.
fn input_note(input: &File, is_unfinished: bool) -> Option<String> {
    let bytes = read_range(input, 0, EXAMINED).ok()?;
    let is_cut = bytes.last().is_some_and(|last| *last != b'\n') && (bytes.len() as u64) < EXAMINED;
    let what = if bytes.starts_with(b"\xef\xbb\xbf") {
        "begins with a byte order mark".to_owned()
    } else if is_wide(&bytes) {
        "is in UTF-16 instead of UTF-8".to_owned()
    } else if bytes.windows(2).any(|pair| pair == b"\r\n") {
        "has line ends of Windows (CRLF)".to_owned()
    } else if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
        "has line ends of old Macs (CR)".to_owned()
    } else if let Some(copied) = copied_character(&String::from_utf8_lossy(&bytes)) {
        copied
    } else if bytes
        .windows(2)
        .any(|pair| pair == b" \n" || pair == b"\t\n")
    {
        "has blanks at the end of a line".to_owned()
    } else if is_cut && is_unfinished {
        "does not end with a line end".to_owned()
    } else {
        return None;
    };
    Some(format!("the input {what}, which may be the cause"))
}

/// Characters that text copied from a page has instead of a space or a minus sign, with their names.
const COPIED: [(char, &str); 8] = [
    ('\u{a0}', "a no-break space"),
    ('\u{2009}', "a thin space"),
    ('\u{200b}', "a space of no width"),
    ('\u{202f}', "a narrow no-break space"),
    ('\u{3000}', "an ideographic space"),
    ('\u{2212}', "a minus sign"),
    ('\u{2013}', "a dash"),
    ('\u{2026}', "an ellipsis"),
];

/// The first of these characters in an input that is ASCII otherwise.
fn copied_character(text: &str) -> Option<String> {
    let mut found = None;
    for character in text.chars().filter(|character| !character.is_ascii()) {
        let (_, name) = COPIED.iter().find(|(copied, _)| *copied == character)?;
        found = found.or(Some((character, name)));
    }
    let (character, name) = found?;
    let code = u32::from(character);
    Some(format!("has {name} (U+{code:04X}) instead of ASCII"))
}

pub fn of_dialogue(dialogue: &Dialogue) -> Excerpt {
    let (bytes, spoken) = dialogue.read();
    let mut lines: Vec<ExcerptLine> = Vec::with_capacity(spoken.len() + 1);
    for spoken in &spoken {
        let next = lines.last().map_or(1, |line| line.number + 1);
        if spoken.number > next {
            lines.push(line("…".as_bytes(), next, None));
        }
        let shown = line(&spoken.text, spoken.number, None);
        lines.push(ExcerptLine {
            text: format!("{} {}", spoken.speaker.sign(), shown.text),
            ..shown
        });
    }
    Excerpt {
        bytes,
        lines,
        more: false,
    }
}

fn plain_difference(output: &File, answer: &File) -> io::Result<Option<checker::Difference>> {
    match default::compare(output, answer, &Flags::default())? {
        Some(mismatch) => checker::locate(output, answer, &mismatch).map(Some),
        None => Ok(None),
    }
}

/// The beginning of a file that may contain boards.
fn start(file: &File) -> io::Result<String> {
    let bytes = read_range(file, 0, BOARD_BYTES)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The place to show.
#[derive(Clone, Copy)]
struct Mark {
    line: u64,
    offset: u64,
    /// Whether the line gets a mark.
    visible: bool,
}

/// The lines around a mark, or the first lines.
fn excerpt(file: &File, mark: Option<Mark>) -> io::Result<Excerpt> {
    let bytes = file.metadata()?.len();
    let (offset, number) = mark
        .as_ref()
        .map_or((0, 1), |mark| (mark.offset.min(bytes), mark.line));
    let from = offset.saturating_sub(AROUND);
    let buffer = read_range(file, from, offset + AROUND - from)?;
    let mark_at = (offset - from) as usize;
    // The first line to show begins here, unless it began before the buffer.
    let mut first = line_start(&buffer, mark_at);
    let mut number = number;
    for _ in 0..BEFORE {
        let previous = match first {
            0 => break,
            _ => line_start(&buffer, first - 1),
        };
        if previous == 0 && from > 0 {
            break;
        }
        first = previous;
        number -= 1;
    }
    let mut lines = Vec::new();
    let mut next = first;
    while next < buffer.len() && lines.len() < LINES {
        let newline = buffer[next..].iter().position(|&byte| byte == b'\n');
        let end = newline.map_or(buffer.len(), |at| next + at);
        let marked = mark.as_ref().is_some_and(|mark| mark.visible);
        let at = (next..=end)
            .contains(&mark_at)
            .then(|| mark_at - next)
            .filter(|_| marked);
        lines.push(line(&buffer[next..end], number, at));
        number += 1;
        next = end + 1;
    }
    Ok(Excerpt {
        bytes,
        lines,
        more: from + (next as u64) < bytes,
    })
}

/// Where the line that contains the byte at `at` begins.
fn line_start(buffer: &[u8], at: usize) -> usize {
    let newline = buffer[..at].iter().rposition(|&byte| byte == b'\n');
    newline.map_or(0, |newline| newline + 1)
}

/// A line, cut to [`LINE_BYTES`] around the byte `mark`.
fn line(bytes: &[u8], number: u64, mark: Option<usize>) -> ExcerptLine {
    let is_inside = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut from = match mark {
        Some(mark) if mark > LINE_BYTES * 2 / 3 => mark - LINE_BYTES / 2,
        _ => 0,
    };
    // The line need not be UTF-8: its first byte may be the middle of a character.
    while from > 0 && is_inside(bytes.get(from)) {
        from -= 1;
    }
    let mut to = bytes.len().min(from + LINE_BYTES);
    while is_inside(bytes.get(to)) && to > from {
        to -= 1;
    }
    let mut text = String::from(if from > 0 { "…" } else { "" });
    let mark = mark.map(|mark| {
        let mut mark = mark.min(to);
        while is_inside(bytes.get(mark)) && mark > from {
            mark -= 1;
        }
        let token = bytes[mark..to].iter().position(u8::is_ascii_whitespace);
        let end = mark + token.unwrap_or(to - mark);
        text.push_str(&visible(&bytes[from..mark]));
        let first = text.chars().count();
        text.push_str(&visible(&bytes[mark..end]));
        let last = text.chars().count();
        text.push_str(&visible(&bytes[end..to]));
        [first, last]
    });
    if mark.is_none() {
        text.push_str(&visible(&bytes[from..to]));
    }
    if to < bytes.len() {
        text.push('…');
    }
    ExcerptLine { number, text, mark }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;

    fn file(text: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(text).expect("it is written");
        file
    }

    fn details(output: &str, answer: &str) -> Details {
        details_of(output.as_bytes(), answer.as_bytes())
    }

    fn details_of(output: &[u8], answer: &[u8]) -> Details {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("in"), "5\n").expect("it is written");
        std::fs::write(path("ans"), answer).expect("it is written");
        let (output, answer) = (file(output), file(answer));
        let mismatch = default::compare(&output, &answer, &Flags::default()).expect("readable");
        let outcome = mismatch.map(|mismatch| {
            Outcome::differs(checker::locate(&output, &answer, &mismatch).expect("readable"))
        });
        let (input, answer) = (path("in"), path("ans"));
        let details = read(&input, Some(&answer), Some(&output), outcome.as_ref());
        *details.expect("there are details")
    }

    #[test]
    fn the_differing_lines_are_shown_with_their_neighbours() {
        let answer: String = (1..=30).map(|k| format!("{k} a\n")).collect();
        let details = details(&answer.replace("17 a", "17 b"), &answer);
        let difference = details.difference.expect("a difference");
        assert_eq!(
            (difference.line, difference.column, difference.token),
            (17, 4, 2)
        );
        let found = details.found.expect("the output is shown");
        let numbers: Vec<u64> = found.lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, (14..24).collect::<Vec<_>>());
        assert_eq!(
            (&*found.lines[3].text, found.lines[3].mark),
            ("17 b", Some([3, 4]))
        );
        assert!(found.more);
        let expected = details.expected.expect("the answer is shown");
        assert_eq!(
            (&*expected.lines[3].text, expected.lines[3].mark),
            ("17 a", Some([3, 4]))
        );
        assert_eq!(
            details.input.expect("the input is shown").lines[0].text,
            "5"
        );
    }

    #[test]
    fn a_missing_line_is_marked_at_the_end() {
        let details = details("1\n2\n", "1\n2\n3\n");
        let found = details.found.expect("the output is shown");
        assert_eq!(found.lines.len(), 2);
        let expected = details.expected.expect("the answer is shown");
        assert_eq!(
            (&*expected.lines[2].text, expected.lines[2].mark),
            ("3", Some([0, 1]))
        );
    }

    /// Bytes of which many are the middle of a character, and some end lines.
    fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![any::<u8>(), 0x80..0xc0_u8, Just(b'\n'), Just(b' ')];
        proptest::collection::vec(byte, 0..400)
    }

    proptest! {
        #[test]
        fn any_bytes_are_shown(output in any_bytes(), answer in any_bytes(), same in any_bytes()) {
            let (output, answer) = ([&same[..], &output].concat(), [&same[..], &answer].concat());
            let shown = details_of(&output, &answer);
            let found = shown.found.expect("the output is shown");
            for line in found.lines {
                let [first, last] = line.mark.unwrap_or([0, 0]);
                prop_assert!(first <= last && last <= line.text.chars().count());
            }
        }
    }

    #[test]
    fn long_lines_and_bytes_that_are_not_text_are_cut_and_escaped() {
        let long = "数".repeat(5000);
        let shown = excerpt(&file(format!("{long}x {long}\n").as_bytes()), {
            let offset = 15_000;
            Some(Mark {
                line: 1,
                offset,
                visible: true,
            })
        });
        let shown = shown.expect("readable");
        let line = &shown.lines[0];
        let [first, last] = line.mark.expect("a mark");
        let marked: String = line.text.chars().skip(first).take(last - first).collect();
        assert_eq!(marked, "x");
        assert!(line.text.len() < 200 && line.text.starts_with('…') && line.text.ends_with('…'));
        assert!(!line.text.contains('\\'), "{}", line.text);
        let binary = excerpt(&file(b"a\0\xff\t\x1b[2J\r\nb"), None).expect("readable");
        assert_eq!(binary.lines[0].text, r"a\0\xff\t\x1b[2J\r");
        assert_eq!(binary.lines[1].text, "b");
        assert!(!binary.more);
        assert!(
            excerpt(&file(b""), None)
                .expect("readable")
                .lines
                .is_empty()
        );
    }
}
