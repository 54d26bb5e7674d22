//! How people name the files of cases: the one table for plain folders and for formats that pair files
//! by their names.
//!
//! A word in the name of an input, such as `in`, is replaced in the name of its answer, such as `out`.
//! docs/folders.md lists the layouts; every row there is a test.

use std::collections::HashSet;

/// The place of a word in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Extension,
    /// Anywhere else.
    Inside,
    /// At the start, before a dot.
    Start,
}

/// A word in the names of inputs, and the words of answers for it that come first: `ans` before `out`, which may be
/// what a program wrote.
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
const ROWS: [Row; 19] = [
    // `1.in` with `1.ans`, `1.out`, ...
    row(
        "in",
        Place::Extension,
        &["ans", "expected", "out", "a", "ou"],
    ),
    row("inp", Place::Extension, &["ans", "oup", "out", "a"]),
    row("dat", Place::Extension, &["res", "ans", "out", "a"]),
    row("tst", Place::Extension, &["ans", "out", "a"]),
    row("input", Place::Extension, &["answer", "expected", "output"]),
    row("stdin", Place::Extension, &["stdout", "out"]),
    // `in1`, `x.in1`, `x.in.1a`, `x.dummy.in.1`, `sample-in.txt`
    row("in", Place::Inside, &["ans", "expected", "out", "ou"]),
    // `input1.txt`, `sample_input_1.in`
    row(
        "input",
        Place::Inside,
        &[
            "answer",
            "expected",
            "expected_output",
            "expected-output",
            "output",
        ],
    ),
    row("inp", Place::Inside, &["out"]),
    row("stdin", Place::Inside, &["stdout"]),
    row("entrada", Place::Inside, &["saida", "salida"]),
    row("entree", Place::Inside, &["sortie"]),
    row("eingabe", Place::Inside, &["ausgabe"]),
    row("wejscie", Place::Inside, &["wyjscie"]),
    row("ulaz", Place::Inside, &["izlaz"]),
    row("vstup", Place::Inside, &["vystup"]),
    row("giris", Place::Inside, &["cikis"]),
    // USACO's `I.1`; `i1.txt`
    row("i", Place::Start, &["o"]),
    row("i", Place::Inside, &["o"]),
];

/// Further words of answers, for every word of inputs but a single letter.
const ANSWERS: [&str; 21] = [
    "out", "ans", "output", "answer", "sol", "solution", "expected", "expect", "exp", "ok", "res",
    "result", "diff", "correct", "ref", "gold", "golden", "gt", "key", "oup", "std",
];

/// Words of answers that are not also those of what a program wrote.
const SURE_ANSWERS: [&str; 16] = [
    "ans", "answer", "a", "sol", "solution", "expected", "expect", "exp", "ok", "correct", "ref",
    "gold", "golden", "gt", "key", "std",
];

/// Words of inputs and answers in scripts without spaces or with other letters, which are replaced wherever they are.
const OTHER_SCRIPTS: [(&str, &[&str]); 5] = [
    ("输入", &["输出", "答案"]),
    ("輸入", &["輸出", "答案"]),
    ("入力", &["出力"]),
    ("입력", &["출력"]),
    ("вход", &["выход", "ответ"]),
];

/// Words that are added to the name of an input: `1_expected.txt` to `1.txt`, `1.correct.out` to `1.in`.
const ADDED: [&str; 13] = [
    "out",
    "output",
    "ans",
    "answer",
    "expected",
    "expected_output",
    "exp",
    "correct",
    "sol",
    "solution",
    "ok",
    "res",
    "key",
];

/// The extension of data that is no word of the table, besides numbers.
const TEXT: &str = "txt";

/// The possible names of the answer to an input, the preferred ones first; none if the name is not one
/// of an input.
pub fn answers(file: &str) -> impl Iterator<Item = String> + '_ {
    let mut found = Vec::new();
    if has_extension_of_data(file) {
        replaced(file, &words(file), false, "", &mut found);
        let in_script = OTHER_SCRIPTS.iter().flat_map(|(input, answers)| {
            let answers = answers
                .iter()
                .map(move |answer| file.replace(input, answer));
            answers.filter(|answer| answer != file)
        });
        found.extend(in_script);
    }
    // `1.in.txt` with `1.out`
    let short = file
        .strip_suffix(".txt")
        .filter(|short| short.contains('.'));
    if let Some(short) = short {
        replaced(short, &words(short), false, "", &mut found);
    }
    found.into_iter().chain(added(file))
}

/// The possible names of the answer that exist, the best one first: `1.sol` before `1.out`, which may be what a program wrote.
pub fn existing_answers(file: &str, exists: impl Fn(&str) -> bool + Copy) -> Vec<String> {
    let mut found: Vec<String> = answers_of_none_else(file, exists).collect();
    if found.len() > 1 {
        found.sort_by_key(|name| !is_sure_answer(file, name));
        let mut known = HashSet::new();
        found.retain(|name| known.insert(name.clone()));
    }
    found
}

/// The best of the possible names of the answer that exist.
pub fn best_answer(file: &str, exists: impl Fn(&str) -> bool + Copy) -> Option<String> {
    existing_answers(file, exists).into_iter().next()
}

/// The possible names of the answer that exist, without those of another input: `1_sol.out` is no answer to `1.in` if there
/// is `1_sol.in`.
pub fn answers_of_none_else(
    file: &str,
    exists: impl Fn(&str) -> bool + Copy,
) -> impl Iterator<Item = String> {
    let stem_of = |name: &str| {
        name.rsplit_once('.')
            .map_or(name, |(stem, _)| stem)
            .to_owned()
    };
    let own = stem_of(file);
    let is_of_none_else = move |answer: &String| {
        let stem = stem_of(answer);
        let other = format!("{stem}{}", &file[own.len()..]);
        stem == own || other == *answer || !exists(&other)
    };
    let found = answers(file).filter(move |name| exists(name));
    found.filter(is_of_none_else)
}

/// Whether a name has a word that only answers have, besides the words of the input.
pub fn is_sure_answer(input: &str, answer: &str) -> bool {
    let of_input: Vec<&str> = words(input).iter().map(|word| word.text).collect();
    let is_sure = |word: &Word<'_>| {
        let lower = word.text.to_ascii_lowercase();
        SURE_ANSWERS.contains(&lower.as_str()) && !of_input.contains(&word.text)
    };
    words(answer).iter().any(is_sure)
}

/// The names that add something to the name of an input: `01.a` (Polygon), `1_out.txt`, `1.in.out`.
fn added(file: &str) -> impl Iterator<Item = String> + '_ {
    let is_number = is_numbered(file);
    let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
    let lower = extension.to_ascii_lowercase();
    let is_data = lower == TEXT || is_extension_of_input(&lower);
    let has_polygons = !file.contains('.') || lower == TEXT;
    let polygon = has_polygons.then(|| format!("{stem}.a"));
    let number = ["ans", "out", "expected", "ok", "res", "sol"];
    let number = number.into_iter().filter(move |_| is_number);
    let number = number.map(move |word| format!("{file}.{word}"));
    let words = ADDED.into_iter().filter(move |_| is_data);
    let words = words.flat_map(move |word| {
        let parts = ["_", "-", "."].into_iter();
        let near = parts.flat_map(move |part| {
            ["", ".txt", ".out", ".ans"].map(|end| format!("{stem}{part}{word}{end}"))
        });
        near.chain([format!("{file}.{word}")])
    });
    polygon.into_iter().chain(number).chain(words)
}

/// Whether the name is a number, or ends with one and has no extension, such as `01` and `test1`.
pub fn is_numbered(file: &str) -> bool {
    !file.contains('.') && file.ends_with(|c: char| c.is_ascii_digit())
}

/// The name with `#` for every number, which the inputs of a folder have in common.
pub fn shape(file: &str) -> String {
    let is_digit = |c: &char| c.is_ascii_digit();
    let mut shape = String::new();
    let mut chars = file.chars().peekable();
    while let Some(c) = chars.next() {
        shape.push(if is_digit(&c) { '#' } else { c });
        while is_digit(&c) && chars.next_if(is_digit).is_some() {}
    }
    shape
}

/// Whether the name is one of an input even if there is no answer: its extension says so, or a word
/// after a dot, or it begins with `input`.
pub fn is_surely_input(file: &str) -> bool {
    let words = words(file);
    let is_input = |word: &Word<'_>| {
        let text = word.text.to_ascii_lowercase();
        match text.as_str() {
            _ if !word.is_separate(file) => false,
            "in" | "inp" => word.place == Place::Extension || file[..word.start].ends_with('.'),
            "input" => word.place == Place::Extension || word.start == 0 && file.ends_with(".txt"),
            "stdin" => word.place == Place::Extension,
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
    let is_own = file == "a.out" || is_bare_output(file);
    is_data
        && !is_own
        && words(file)
            .iter()
            .filter(|word| word.is_separate(file))
            .any(|word| {
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

/// Whether the name is the one that programs write their output to, such as `out.txt` and `output`.
pub fn is_bare_output(file: &str) -> bool {
    let stem = file.strip_suffix(".txt").unwrap_or(file);
    ["out", "output"].contains(&stem.to_ascii_lowercase().as_str())
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

    /// Whether no other word is beside it without a character between them, as in `inputFormat`.
    fn is_separate(&self, file: &str) -> bool {
        let is_letter = |c: char| c.is_ascii_alphabetic();
        !file[..self.start].ends_with(is_letter) && !file[self.end()..].starts_with(is_letter)
    }

    /// The words of answers for it, in lower case; only those that come first if another word of the name is
    /// replaced, too.
    fn answers(&self, is_other: bool) -> impl Iterator<Item = &'static str> + use<> {
        let text = self.text.to_ascii_lowercase();
        let mut rows = ROWS.iter().filter(|row| row.input == text);
        let found = rows.find(|row| {
            row.place == self.place || (row.place == Place::Inside && self.place == Place::Start)
        });
        let first = found.map_or(&[][..], |row| row.answers);
        let has_more = found.is_some_and(|row| row.input.len() > 1) && !is_other;
        let more = ANSWERS.into_iter().filter(move |_| has_more);
        first
            .iter()
            .copied()
            .chain(more.filter(|word| !first.contains(word)))
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

    /// The styles of the answer's word if the input's word has this one, the usual ones first.
    fn of_answer(self) -> [Style; 3] {
        match self {
            Style::Lower => [Style::Lower, Style::Upper, Style::Title],
            Style::Upper => [Style::Upper, Style::Lower, Style::Title],
            Style::Title => [Style::Title, Style::Lower, Style::Upper],
        }
    }
}

/// The name in parts, each a word and what is no letter behind it: `sampleIn1` has two words, and so has `samplein1`.
fn parts(file: &str) -> Vec<&str> {
    const ENDS: [&str; 2] = ["input", "in"];
    let mut parts = Vec::new();
    for part in file.split_inclusive(|c: char| !c.is_ascii_alphabetic()) {
        let mut rest = part;
        let is_boundary =
            |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        while let Some(at) = rest.as_bytes().windows(2).position(is_boundary) {
            let (word, after) = rest.split_at(at + 1);
            parts.push(word);
            rest = after;
        }
        let text = rest.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        let end = ENDS.iter().find_map(|end| text.strip_suffix(end));
        if let Some(start) = end.filter(|start| !start.is_empty()) {
            parts.push(start);
            rest = &rest[start.len()..];
        }
        parts.push(rest);
    }
    parts
}

fn words(file: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    for part in parts(file) {
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
    for answer in word.answers(is_other) {
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
            ("1.in", "1.gold", "1"),
            ("1.in", "1.correct.out", "1"),
            ("1.in", "1.in.out", "1"),
            ("in1.txt", "output1.txt", "in1"),
            ("input_1.txt", "ans_1.txt", "input_1"),
            ("01.in.txt", "01.sol.txt", "01.in"),
            ("1.stdin", "1.stdout", "1"),
            ("1.tst", "1.ans", "1"),
            ("i1.txt", "o1.txt", "i1"),
            ("1", "1.ans", "1"),
            ("输入1.txt", "输出1.txt", "输入1"),
            ("入力例1.txt", "出力例1.txt", "入力例1"),
            ("sampleInput1.txt", "sampleOutput1.txt", "sampleInput1"),
            ("1.in.txt", "1.out", "1.in"),
            ("SampleIn1.txt", "SampleOut1.txt", "SampleIn1"),
            ("samplein1.txt", "sampleout1.txt", "samplein1"),
            ("inputA1.txt", "outputA1.txt", "inputA1"),
        ] {
            let names: Vec<String> = answers(input).collect();
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
            "sol",
        ] {
            let names: Vec<String> = answers(file).collect();
            let other = [
                "read_out.cpp",
                "out.py",
                "outside.txt",
                "begout.md",
                "sol.out",
            ];
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
