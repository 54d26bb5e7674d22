//! How people name the files of cases: the one table for plain folders and for formats that pair files
//! by their names.
//!
//! A word in the name of an input, such as `in`, is replaced in the name of its answer, such as `out`.
//! docs/folders.md lists the layouts; every row there is a test.

/// The place of a word in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Extension,
    /// Anywhere else.
    Inside,
    /// At the start, before a dot.
    Start,
}

/// A word in the names of inputs, and the words of answers for it, the preferred ones first.
struct Row {
    input: &'static str,
    place: Place,
    answers: &'static [&'static str],
}

const fn row(input: &'static str, place: Place, answers: &'static [&'static str]) -> Row {
    Row {
        input,
        place,
        answers,
    }
}

/// The table.
const ROWS: [Row; 9] = [
    // `1.in` with `1.ans`, `1.out`, ...
    row(
        "in",
        Place::Extension,
        &[
            "ans", "out", "a", "sol", "diff", "answer", "ok", "expected", "res", "output", "ou",
        ],
    ),
    row(
        "inp",
        Place::Extension,
        &["out", "ans", "ok", "res", "oup", "a"],
    ),
    row(
        "dat",
        Place::Extension,
        &["res", "ans", "out", "ok", "sol", "a"],
    ),
    row(
        "input",
        Place::Extension,
        &["output", "answer", "expected", "out", "ans"],
    ),
    // `in1`, `x.in1`, `x.in.1a`, `x.dummy.in.1`, `sample-in.txt`
    row("in", Place::Inside, &["out", "ans", "ou", "expected"]),
    // `input1.txt`, `sample_input_1.in`
    row(
        "input",
        Place::Inside,
        &[
            "output",
            "answer",
            "expected",
            "expected_output",
            "expected-output",
        ],
    ),
    row("entrada", Place::Inside, &["saida", "salida"]),
    row("inp", Place::Inside, &["out"]),
    // USACO's `I.1`
    row("i", Place::Start, &["o"]),
];

/// Answers whose names only add something to the input's: `01` with `01.a` (Polygon), `1.txt` with
/// `1_expected.txt`.
const ADDED: [(&str, &str); 7] = [
    ("", ".a"),
    (".txt", "_expected.txt"),
    (".txt", "_out.txt"),
    (".txt", "_output.txt"),
    (".txt", "_answer.txt"),
    (".txt", ".out"),
    (".txt", ".ans"),
];

/// The extension of data that is no word of the table, besides numbers.
const TEXT: &str = "txt";

/// The possible names of the answer to an input, the preferred ones first; none if the name is not one
/// of an input.
pub fn answers(file: &str) -> Vec<String> {
    let mut found = Vec::new();
    if has_extension_of_data(file) {
        replaced(file, &words(file), false, "", &mut found);
    }
    for (end, other) in ADDED {
        match file.strip_suffix(end) {
            Some(stem) if !end.is_empty() || !file.contains('.') => {
                found.push(format!("{stem}{other}"));
            }
            _ => {}
        }
    }
    found
}

/// Whether the name is one of an input even if there is no answer: its extension says so, or a word
/// after a dot, or it begins with `input`.
pub fn is_surely_input(file: &str) -> bool {
    let words = words(file);
    let is_input = |word: &Word<'_>| {
        let text = word.text.to_ascii_lowercase();
        match text.as_str() {
            "in" | "inp" => word.place == Place::Extension || file[..word.start].ends_with('.'),
            "input" => word.start == 0 && file.ends_with(".txt"),
            _ => false,
        }
    };
    has_extension_of_data(file) && !is_bare(file) && words.iter().any(is_input)
}

/// Whether the name is one of an answer, by the words of the table.
pub fn is_surely_answer(file: &str) -> bool {
    const ANYWHERE: [&str; 4] = ["out", "output", "ans", "answer"];
    const ENDINGS: [&str; 4] = ["ok", "res", "expected", "sol"];
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let ending = ending.to_ascii_lowercase();
    let ending = ending.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_data =
        has_extension_of_data(file) || ANYWHERE.contains(&ending) || ENDINGS.contains(&ending);
    // A compiler's `a.out`, and the files of a program.
    let is_own = matches!(file, "a.out" | "out" | "output" | "out.txt" | "output.txt");
    is_data
        && !is_own
        && words(file).iter().any(|word| {
            let text = word.text.to_ascii_lowercase();
            let is_start = word.place == Place::Start && text == "o";
            let is_ending = word.place == Place::Extension && ENDINGS.contains(&text.as_str());
            ANYWHERE.contains(&text.as_str()) || is_ending || is_start
        })
}

/// Whether the name has nothing but the word, such as `in.txt` and `input`: a program may read the file
/// by this name, so it is an input only if the folder has no others.
pub fn is_bare(file: &str) -> bool {
    let stem = file.strip_suffix(".txt").unwrap_or(file);
    ["in", "input", "inp"].contains(&stem.to_ascii_lowercase().as_str())
}

/// The name of the case with this input: without an extension that says nothing else.
pub fn case_name(file: &str) -> &str {
    let Some((stem, extension)) = file.rsplit_once('.') else {
        return file;
    };
    let extension = extension.to_ascii_lowercase();
    let is_plain = extension == TEXT || is_extension_of_input(&extension);
    match is_plain && !stem.is_empty() {
        true => stem,
        false => file,
    }
}

/// A run of letters in a name.
struct Word<'n> {
    text: &'n str,
    start: usize,
    place: Place,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// The words of answers for it, in lower case.
    fn answers(&self) -> &'static [&'static str] {
        let text = self.text.to_ascii_lowercase();
        let mut rows = ROWS.iter().filter(|row| row.input == text);
        let found = rows.find(|row| {
            row.place == self.place || (row.place == Place::Inside && self.place == Place::Start)
        });
        found.map_or(&[], |row| row.answers)
    }
}

/// The use of upper and lower case in a word.
#[derive(Clone, Copy)]
enum Style {
    Lower,
    Upper,
    Title,
}

impl Style {
    /// The style of a word; `None` for another mixture of upper and lower case.
    fn of(word: &str) -> Option<Style> {
        let mut styles = [Style::Lower, Style::Upper, Style::Title].into_iter();
        let lower = word.to_ascii_lowercase();
        styles.find(|style| style.apply(&lower) == word)
    }

    /// A word of lower case in this style.
    fn apply(self, word: &str) -> String {
        match self {
            Style::Lower => word.to_owned(),
            Style::Upper => word.to_ascii_uppercase(),
            Style::Title => word[..1].to_ascii_uppercase() + &word[1..],
        }
    }

    /// The styles of the answer's word if the input's word has this one, the usual one first.
    fn of_answer(self) -> [Style; 2] {
        match self {
            Style::Lower => [Style::Lower, Style::Upper],
            Style::Upper => [Style::Upper, Style::Lower],
            Style::Title => [Style::Title, Style::Lower],
        }
    }
}

fn words(file: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    for part in file.split_inclusive(|c: char| !c.is_ascii_alphabetic()) {
        let text = part.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        let end = start + text.len();
        if !text.is_empty() {
            let place = if end == file.len() && file[..start].ends_with('.') {
                Place::Extension
            } else if start == 0 && file[end..].starts_with('.') {
                Place::Start
            } else {
                Place::Inside
            };
            words.push(Word { text, start, place });
        }
        start += part.len();
    }
    words
}

/// Whether the extension is one of data: not `read_in.cpp` with `read_out.cpp`.
fn has_extension_of_data(file: &str) -> bool {
    let Some((_, extension)) = file.rsplit_once('.') else {
        return true;
    };
    let extension = extension.to_ascii_lowercase();
    // `x.in1`
    let word = extension.trim_end_matches(|c: char| c.is_ascii_digit());
    extension.starts_with(|c: char| c.is_ascii_digit())
        || extension == TEXT
        || is_extension_of_input(word)
}

/// Whether the table has this extension of inputs.
fn is_extension_of_input(extension: &str) -> bool {
    let mut rows = ROWS.iter();
    rows.any(|row| row.place == Place::Extension && row.input == extension)
}

/// Adds the names in which at least one of the words is replaced: an extension rather than the others.
fn replaced(file: &str, words: &[Word<'_>], is_other: bool, end: &str, found: &mut Vec<String>) {
    let Some((word, before)) = words.split_last() else {
        if is_other {
            found.push(format!("{file}{end}"));
        }
        return;
    };
    let after = &file[word.end()..];
    let kept = |found: &mut Vec<String>| {
        let end = format!("{}{after}{end}", word.text);
        replaced(&file[..word.start], before, is_other, &end, found);
    };
    // Without a word before it that may be replaced, the order does not matter.
    if word.place != Place::Extension {
        kept(found);
    }
    let styles = Style::of(word.text).map(Style::of_answer);
    for answer in word.answers() {
        for style in styles.into_iter().flatten() {
            let end = format!("{}{after}{end}", style.apply(answer));
            replaced(&file[..word.start], before, true, &end, found);
        }
    }
    if word.place == Place::Extension {
        kept(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_pair_is_found() {
        for (input, answer, name) in [
            ("1.in", "1.out", "1"),
            ("1.in", "1.ans", "1"),
            ("1.in", "1.a", "1"),
            ("1.in", "1.ok", "1"),
            ("1.in", "1.expected", "1"),
            ("1.in", "1.sol", "1"),
            ("1.IN", "1.OUT", "1"),
            ("1.in", "1.ANS", "1"),
            ("1.inp", "1.out", "1"),
            ("X.INP", "X.OUT", "X"),
            ("1.dat", "1.res", "1"),
            ("1.input", "1.output", "1"),
            ("in.txt", "out.txt", "in"),
            ("input.txt", "output.txt", "input"),
            ("in", "out", "in"),
            ("in01", "out01", "in01"),
            ("in1.txt", "out1.txt", "in1"),
            ("input1.txt", "output1.txt", "input1"),
            ("input1.in", "output1.out", "input1"),
            ("Input1.txt", "Output1.txt", "Input1"),
            ("sample_input_1.in", "sample_output_1.out", "sample_input_1"),
            (
                "sample_input_1.txt",
                "sample_output_1.txt",
                "sample_input_1",
            ),
            ("sol_input0.txt", "sol_answer0.txt", "sol_input0"),
            ("sample1-in.txt", "sample1-out.txt", "sample1-in"),
            ("1.in.txt", "1.out.txt", "1.in"),
            ("x.in1", "x.out1", "x.in1"),
            ("x.in.1", "x.out.1", "x.in.1"),
            ("x.in.1a", "x.out.1a", "x.in.1a"),
            ("x.dummy.in.1", "x.dummy.out.1", "x.dummy.in.1"),
            ("I.1", "O.1", "I.1"),
            ("01", "01.a", "01"),
            ("1.txt", "1_expected.txt", "1"),
            ("1.txt", "1_out.txt", "1"),
            ("input1.txt", "expected_output1.txt", "input1"),
            ("entrada1.txt", "saida1.txt", "entrada1"),
        ] {
            let names = answers(input);
            assert!(
                names.iter().any(|name| name == answer),
                "{input}: {names:?}"
            );
            assert_eq!(case_name(input), name, "{input}");
        }
    }

    #[test]
    fn other_files_are_no_inputs() {
        for file in [
            "read_in.cpp",
            "main.py",
            "inside.txt",
            "begin.md",
            "a.out",
            "in.py",
        ] {
            let names = answers(file);
            let other = ["read_out.cpp", "out.py", "outside.txt", "begout.md"];
            assert!(
                !names.iter().any(|name| other.contains(&name.as_str())),
                "{names:?}"
            );
            assert!(!is_surely_input(file), "{file}");
        }
        for file in ["1.in", "x.in.3", "x.in3", "x.in.1a", "input7.txt", "Y.INP"] {
            assert!(is_surely_input(file), "{file}");
        }
        for file in [
            "1.out",
            "output3.txt",
            "x.out.2",
            "O.1",
            "out1",
            "1.ok",
            "1.ANS",
        ] {
            assert!(is_surely_answer(file), "{file}");
        }
        for file in [
            "a.out",
            "output.txt",
            "out",
            "print_out.cpp",
            "1.in",
            "sol",
            "O.cpp",
        ] {
            assert!(!is_surely_answer(file), "{file}");
        }
    }
}
