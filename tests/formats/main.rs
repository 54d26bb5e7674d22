//! The forms of files that the command reads, one case for each row of the table in docs/sudoku.md:
//! `cargo test -p sudoku-engines --features cli --test formats`.
//!
//! Test group: sudoku.
#![cfg(feature = "cli")]

mod forms;
mod penpa;
mod rules;

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use forms::{cases, rows};

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const OTHER: &str =
    ".8...5..23..4.2......87..4.....6.1.3.2..9..8...6......8.....6....3.2....2.5..47..";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn sudoku(arguments: &[&str], input: &[u8]) -> (String, String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sudoku"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code().unwrap(),
    )
}

fn convert(form: &str, lines: &str) -> String {
    let (out, err, status) = sudoku(&["convert", "--to", form], lines.as_bytes());
    assert_eq!((err.as_str(), status), ("", 0), "{form}");
    out
}

#[test]
fn every_form_of_the_documented_table_is_read() {
    let text = include_str!("../../docs/sudoku.md");
    let (_, table) = text.split_once("| form | `--from` |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let documented: BTreeSet<&str> = table
        .lines()
        .skip(2)
        .map(|row| row.split(" | ").next().unwrap().trim_start_matches("| "))
        .collect();
    let cases = cases();
    let tested: BTreeSet<&str> = cases.iter().map(|(name, _)| *name).collect();
    assert_eq!(documented, tested);
    for (name, texts) in cases {
        for text in texts {
            let (out, err, status) = sudoku(&["convert", "--to", "line"], text.as_bytes());
            assert_eq!((err.as_str(), status), ("", 0), "{name}:\n{text}");
            let is_right = out == format!("{LINE}\n") || out == format!("{LINE}\n{OTHER}\n");
            assert!(is_right, "{name}:\n{text}\n{out}");
        }
    }
}

#[test]
fn every_written_notation_is_read_at_every_side() {
    let forms = [
        "line",
        "numerals",
        "csv",
        "rows",
        "dashes",
        "spaced",
        "brackets",
        "json",
        "pretty",
        "ascii",
        "boxes",
        "markdown",
        "sdk",
        "ss",
        "hodoku",
        "sudokuwiki",
    ];
    for side in [4, 5, 6, 7, 8, 9, 12, 16, 25, 36] {
        // Every digit, in cells that are no row, column or diagonal alone.
        let cells = side * side;
        let values: Vec<usize> = (0..cells)
            .map(|i| if i * 7 % 5 < 2 { i * 11 % side + 1 } else { 0 })
            .collect();
        let line: Vec<String> = values
            .iter()
            .map(|value| match (side, value) {
                (27.., value) => value.to_string(),
                (_, 0) => ".".into(),
                (..10, value) => value.to_string(),
                (_, value) => char::from(b'A' + (*value - 1) as u8).to_string(),
            })
            .collect();
        let line = line.join(if side > 26 { " " } else { "" });
        let empty = line.replace(|c: char| c.is_ascii_alphanumeric(), ".");
        let lines = if side > 26 {
            format!("{line}\n{line}\n")
        } else {
            format!("{line}\n{empty}\n{line}\n")
        };
        for form in forms {
            let text = convert(form, &lines);
            let (out, err, status) = sudoku(&["convert", "--to", "line"], text.as_bytes());
            assert_eq!((err.as_str(), status), ("", 0), "{form} {side}:\n{text}");
            assert_eq!(out, lines, "{form} {side}:\n{text}");
        }
    }
}

#[test]
fn numerals_of_other_alphabets_are_read() {
    let letters = "C..KO.G....D...A.......".to_owned() + &".".repeat(256 - 23);
    let expected = format!("{letters}\n");
    let numerals = letters
        .replace('K', "B")
        .replace('O', "F")
        .replace('G', "7")
        .replace('C', "3")
        .replace('D', "4")
        .replace('A', "1");
    for text in [numerals.clone(), numerals.to_lowercase()] {
        assert_eq!(
            sudoku(&["convert", "--to", "line"], text.as_bytes()).0,
            expected
        );
    }
    // 0 is a digit where another mark stands for an empty cell.
    let hex = format!("0..{}", &numerals[3..]);
    let (out, _, _) = sudoku(&["convert", "--to", "line"], hex.as_bytes());
    assert!(out.starts_with("A..LP.H....E...B"), "{out}");
}

#[test]
fn rows_of_a_large_grid_are_no_small_puzzles() {
    let rows = [
        "D--LP-H----E---K",
        "A--F-J-B-P--I-E-",
        "-EC-GN--B------H",
        "----------------",
        "FJ-KC-DL-ON--H-E",
        "C--NJ-M-D---KF-I",
        "OB-GKH-P--L--J--",
        "................",
        "-GMHDAO-----E---",
        "-OL-H----GD-BI-F",
        "-F--N-G-C-B-DO-P",
        "NDKC-P-J-EI-AGM-",
        "LPO-B-IGF----ANM",
        "--F--MJNA--P--ID",
        "-A---C--N---FB-J",
        "----ADFHJC-LPE--",
    ];
    let text = rows.join("\n");
    let (out, err, status) = sudoku(&["convert", "--to", "line"], text.as_bytes());
    assert_eq!(
        (out.lines().count(), err.as_str(), status),
        (1, "", 0),
        "{out}"
    );
    let mut large = vec![".".repeat(25); 25];
    large[3] = "ABCDEFGHIJKLMNOPQRSTUVWXY".into();
    let (out, err, _) = sudoku(&["convert", "--to", "line"], large.join("\n").as_bytes());
    assert_eq!((out.trim().len(), err.as_str()), (625, ""));
    // Lines of small puzzles stay what they are.
    let small = "1.....3..4.....2\n".repeat(20);
    let (out, _, status) = sudoku(&["solve"], small.as_bytes());
    assert_eq!((out, status), ("1324423124133142\n".repeat(20), 0));
}

#[test]
fn utf16_and_old_line_ends_are_read_from_files_and_pipes() {
    let text = format!("{LINE}\r\n{OTHER}\r\n");
    let wide: Vec<u16> = "\u{feff}"
        .encode_utf16()
        .chain(text.encode_utf16())
        .collect();
    let old = format!("{}\r{}", rows(LINE, "", "\r"), rows(OTHER, "", "\r"));
    for bytes in [
        wide.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        wide.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
        old.into_bytes(),
    ] {
        let expected = (format!("{LINE}\n{OTHER}\n"), String::new(), 0);
        assert_eq!(sudoku(&["convert", "--to", "line"], &bytes), expected);
        let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/encoded.txt");
        std::fs::write(path, &bytes).unwrap();
        assert_eq!(sudoku(&["convert", "--to", "line", path], b""), expected);
    }
}

#[test]
fn an_address_of_sudokuwiki_has_the_givens_of_a_position_and_no_other_rules() {
    // A position of the site's page of grouped chains, and the puzzle that it names as its start.
    let board = "S9B050f2e0i46015y020466026212064i0a095u0i4601070b0d4m0f4m4a4j4q027n03bu0g06360936164a4i0o010o02474u067n07bu4q4i464i0b0u0g09064q0a4y040i0a051g5w035w01071y080u1g181609";
    let start = "5....1.24.2..6..9...17........2.3..6.9.....1.2..6.7........96...4..5..3.17.8....9";
    for text in [
        board.to_owned(),
        format!("https://www.sudokuwiki.org/sudoku.htm?bd={board}"),
    ] {
        let (out, err, status) = sudoku(&["convert", "--to", "line"], text.as_bytes());
        assert_eq!(
            (out.as_str(), err.as_str(), status),
            (&*format!("{start}\n"), "", 0)
        );
    }
    let other = format!("https://www.sudokuwiki.org/Jigsaw_Sudoku?bd={LINE}");
    let (out, err, status) = sudoku(&["solve"], other.as_bytes());
    assert_eq!((out.as_str(), status), ("", 1));
    assert!(
        err.contains("found 'Jigsaw_Sudoku', whose rules are not in the address"),
        "{err}"
    );
}

#[test]
fn a_column_can_be_chosen() {
    let text = format!("name,second,first\na,{OTHER},{LINE}\n");
    for (column, expected) in [("first", LINE), ("2", OTHER), ("second", OTHER)] {
        let (out, err, status) = sudoku(
            &["convert", "--to", "line", "--column", column],
            text.as_bytes(),
        );
        assert_eq!(
            (out, err.as_str(), status),
            (format!("{expected}\n"), "", 0)
        );
    }
    let (_, err, status) = sudoku(&["check", "--column", "third"], text.as_bytes());
    assert_eq!(
        err,
        "error: standard input:1: no column 'third' in the first line: name,second,first\n"
    );
    assert_eq!(status, 2);
}

#[test]
fn packed_files_are_read() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed
        .write_all(format!("{LINE}\n").repeat(3000).as_bytes())
        .unwrap();
    let packed = packed.finish().unwrap();
    let (out, err, status) = sudoku(&["solve"], &packed);
    assert_eq!((err.as_str(), status), ("", 0));
    assert!(out == format!("{SOLUTION}\n").repeat(3000));
    let file = std::env::temp_dir().join(format!("sudoku-test-{}.gz", std::process::id()));
    std::fs::write(&file, &packed).unwrap();
    let (from_file, _, _) = sudoku(&["solve", file.to_str().unwrap()], b"");
    std::fs::remove_file(&file).unwrap();
    assert!(from_file == out);
}

#[test]
fn what_is_not_understood_is_named_ten_times_and_counted() {
    let bad = LINE.replace("53", "5a");
    let text = format!("{LINE}\n{}{LINE}\n", format!("{bad}\n").repeat(13));
    let (out, err, status) = sudoku(&["solve"], text.as_bytes());
    assert_eq!((out.lines().count(), status), (2, 1));
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(
        lines[0],
        "standard input:2:2: expected a cell of a 9x9 puzzle, found 'a'; skipped"
    );
    assert_eq!(lines[10], "3 more messages");
    let partial = rows(LINE, "", "\n")
        .lines()
        .take(7)
        .collect::<Vec<_>>()
        .join("\n");
    let (_, err, status) = sudoku(&["solve"], partial.as_bytes());
    assert_eq!(
        err,
        "standard input:1: expected 9 rows of 9 cells, found 7; skipped\n"
    );
    assert_eq!(status, 1);
}
