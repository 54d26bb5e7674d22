//! The forms of files that the command reads, one case for each row of the table in docs/sudoku.md:
//! `cargo test -p sudoku-engines --features cli --test formats`.
//!
//! Test group: sudoku.
#![cfg(feature = "cli")]

mod penpa;
mod rules;

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const OTHER: &str =
    ".8...5..23..4.2......87..4.....6.1.3.2..9..8...6......8.....6....3.2....2.5..47..";
/// [`LINE`] as f-puzzles compresses it.
const FPUZZLES: &str = "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BWVNCImAOwQBcMqBfZY8qhAGZ6jFu04wewKVJClK1AOwimreB268ZWrQF1khOf2oA2FWPUTt03kYUIAjObUbJt+QKTPxmvvdrelr7WXPqEsh7UKOiiLlbuxggAHIGuITo2fp5mMao+btJhWdQpuRZpGdZ22anxmVWRQrXcRdXUACzNBQ2J8KUMeUHdCf7CZXHBGW2OXaEGxQjK4/npmdPwAEyzlVON8DkD5VZFEb0HsSs79SOeW8tDp/79Fw9686vrnfcVC/BO33V1tFDhNhms9nQAS13ldHp5noMfj1/EsQZdfsCXmldLouEA";
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

/// The rows of a line with `between` after each cell and `row_end` after each row.
fn rows(line: &str, between: &str, row_end: &str) -> String {
    let rows = line.as_bytes().chunks(9).map(|row| {
        let cells: Vec<String> = row
            .iter()
            .map(|&byte| char::from(byte).to_string())
            .collect();
        cells.join(between) + row_end
    });
    rows.collect()
}

/// The rows of two lines side by side.
fn beside(left: &str, right: &str, between: &str) -> String {
    let (left, right) = (rows(left, "", "\n"), rows(right, "", "\n"));
    let pairs = left.lines().zip(right.lines());
    pairs
        .map(|(left, right)| format!("{left}{between}{right}\n"))
        .collect()
}

/// The description of a game of Solo: runs of empty cells as letters, `_` between two digits.
fn game_id(line: &str) -> String {
    let mut id = String::new();
    let (mut run, mut after_digit) = (0_u8, false);
    for cell in line.bytes().chain([b'\n']) {
        if cell == b'.' {
            run += 1;
            continue;
        }
        if run > 0 {
            id.push(char::from(b'a' + run - 1));
        } else if after_digit && cell != b'\n' {
            id.push('_');
        }
        id.push(char::from(cell));
        (run, after_digit) = (0, true);
    }
    id.trim_end().to_owned()
}

/// Each row of the table, with texts that hold [`LINE`], and then [`OTHER`] where there are two.
fn cases() -> Vec<(&'static str, Vec<String>)> {
    let both = format!("{LINE}\n{OTHER}\n");
    let zeros = LINE.replace('.', "0");
    let title =
        |n: u8, line: &str| format!("Grid {n:02}\n{}", rows(&line.replace('.', "0"), "", "\n"));
    vec![
        (
            "one puzzle per line (`.sdm`)",
            vec![
                both.clone(),
                zeros.clone(),
                LINE.replace('.', "_"),
                LINE.replace('.', "x"),
                LINE.replace('.', "*"),
                format!("# a comment\r\n\r\n{LINE}\r\n"),
                format!("\u{feff}{LINE}\n{OTHER}\n\u{1a}"),
                format!("{LINE}\r{OTHER}\r"),
                LINE.replace('.', "·"),
                LINE.replace('.', "−"),
                LINE.replace('.', "．").replace('5', "５"),
                format!("const p = `{LINE}`;\n"),
                format!("```\n{LINE}\n```\n"),
                format!("[code]\n{LINE}\n[/code]\n"),
                format!("{LINE}\n{OTHER}\nend\n"),
                format!(
                    "<?xml version=\"1.0\"?>\n<opensudoku>\n<game data=\"{zeros}\" />\n</opensudoku>\n"
                ),
            ],
        ),
        (
            "columns with commas, semicolons, tabs or blanks; quoted or not; with a header or not",
            vec![
                format!("id,puzzle,clues,difficulty\n1,{LINE},27,0.0\n2,{OTHER},24,1.1\n"),
                format!("1;\"{LINE}\";7.2\n2;\"{OTHER}\";1.0"),
                format!("a\t{LINE}\nb\t{OTHER}\n"),
                format!("1,{LINE},7.2\n"),
            ],
        ),
        (
            "hash, puzzle and rating",
            vec![
                format!("fc89dd374d4d {zeros}  1.2\n"),
                format!("fc89dd374d4d {zeros}  1.2\n21347f6858e5 {OTHER} 2.0"),
            ],
        ),
        (
            "a puzzle with its solution: the grid with empty cells is the puzzle",
            vec![
                format!("quizzes,solutions\n{zeros},{SOLUTION}\n"),
                format!("{SOLUTION},{LINE}\n"),
            ],
        ),
        (
            "a line with a blank between all cells, or between rows",
            vec![rows(LINE, " ", " "), rows(&zeros, "", " ")],
        ),
        (
            "a line with blanks for empty cells",
            vec![format!("{}\n", LINE.replace('.', " "))],
        ),
        (
            "HoDoKu's library",
            vec![format!(
                ":0000:x:{LINE}:::\n:0100:1:{}:::",
                OTHER.replace(".8", ".+8")
            )],
        ),
        (
            "addresses of SudokuWiki (`bd=`)",
            vec![format!(
                "https://www.sudokuwiki.org/sudoku.htm?bd={zeros}\n"
            )],
        ),
        (
            "rows of symbols",
            vec![
                rows(LINE, "", "\n"),
                rows(&zeros, "", "\n") + "\n" + &rows(OTHER, "", "\n"),
            ],
        ),
        (
            "rows of symbols or numbers with blanks, commas or tabs between",
            vec![
                rows(&LINE.replace('.', "_"), " ", "\n"),
                rows(&LINE.replace('.', "?"), ",", "\n"),
                rows(LINE, ",", "\n").replace('.', ""),
                rows(&zeros, "\t", "\r\n"),
                rows(&zeros, ",", "\n")
                    .replace(",", ".0,")
                    .replace('\n', ".0\n"),
                rows(&zeros, ",", "\n").replace('0', "NaN"),
                rows(&zeros, ".000e+00 ", ".000e+00\n"),
                format!(
                    "\\begin{{sudoku}}\n{}\\end{{sudoku}}\n",
                    rows(LINE, "|", "|.\n")
                        .replace("|.\n", "|.\n|")
                        .replace("|..", "| ")
                        .replacen('5', "|5", 1)
                        .trim_end_matches('|')
                ),
            ],
        ),
        ("tables with names of rows or columns", {
            let numbered = |first: &str| {
                let rows = rows(&zeros, ",", "\n");
                let lines = (0..)
                    .zip(rows.lines())
                    .map(|(k, row)| format!("{k},{row}\n"));
                first.to_owned() + &lines.collect::<String>()
            };
            let lettered: String = "ABCDEFGHI"
                .chars()
                .zip(rows(LINE, " ", "\n").lines())
                .map(|(letter, row)| format!("{letter} | {row} |\n"))
                .collect();
            vec![
                numbered(",0,1,2,3,4,5,6,7,8\n"),
                numbered(""),
                format!(",,,,,,,,\n{}", rows(&zeros, ",", "\n").replace('0', "")),
                format!("A,B,C,D,E,F,G,H,I\n{}", rows(&zeros, ",", "\n")),
                format!("    1 2 3 4 5 6 7 8 9\n{lettered}"),
                format!("    1 2 3   4 5 6   7 8 9\n  +-----------------+\n{lettered}"),
            ]
        }),
        (
            "boards of candidates: a cell with one has that digit",
            vec![
                rows(LINE, " ", "\n").replace('.', "1246"),
                format!(
                    ".---.---.---.\n{}'---'---'---'\n",
                    rows(LINE, " | ", " |\n").replace('.', "28")
                ),
            ],
        ),
        (
            "boards with borders in ASCII",
            vec![convert("ascii", &both), convert("pretty", &both)],
        ),
        (
            "boards of HoDoKu",
            vec![format!(
                ".---.---.---.\n{}'---'---'---'\n",
                rows(LINE, " ", " |\n:---+---+---:\n").replacen('5', "| 5", 1)
            )],
        ),
        ("boards drawn with lines", vec![convert("boxes", &both)]),
        (
            "boards with blanks for empty cells",
            vec![
                rows(&LINE.replace('.', " "), "", "\n"),
                convert("pretty", LINE).replace('.', " "),
                convert("ascii", LINE).replace('.', " "),
            ],
        ),
        ("tables of Markdown", vec![convert("markdown", &both)]),
        (
            "`.sdk` with sections",
            vec![
                format!("#AAnon\n#DMade for a test\n{}", rows(LINE, "", "\n")),
                format!(
                    "[Puzzle]\n{}[State]\n{}",
                    rows(LINE, "", "\n"),
                    rows(SOLUTION, "", "\n")
                ),
            ],
        ),
        (
            "`.ss` of Simple Sudoku",
            vec![
                convert("ss", &both),
                format!(
                    "*-----------*\n|{}*-----------*\n",
                    convert("ss", LINE)
                        .trim_end()
                        .replace("-----------", "|---+---+---|")
                        .replace('\n', "|\n|")
                        .replace("||", "|")
                        + "|\n"
                ),
            ],
        ),
        (
            "grids with titles between (Project Euler)",
            vec![title(1, LINE) + &title(2, OTHER)],
        ),
        (
            "lists of rows or of cells in JSON and Python",
            vec![
                format!("[{{\"puzzle\": \"{LINE}\", \"solution\": \"{SOLUTION}\"}}]\n"),
                format!(
                    "import numpy as np\ngrid = np.array({})\n",
                    convert("json", LINE).trim()
                ),
                convert("json", &both),
                convert("brackets", &both),
                format!(
                    "grid = [{}]\n",
                    LINE.bytes()
                        .map(|b| char::from(b).to_string().replace('.', "None"))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                format!(
                    "{{\"board\": {}, \"rating\": 7}}",
                    convert("json", LINE).replace('0', "null")
                ),
            ],
        ),
        ("arrays of C, C++, Java and Rust", {
            let braces = convert("json", &both).replace('[', "{").replace(']', "}");
            let one = convert("json", LINE);
            vec![
                format!("int grids[2][9][9] = {};\n", braces.trim()),
                format!("public class A {{\n    static int[][][] grids =\n{braces};\n}}\n"),
                format!("let grid: [[u8; 9]; 9] = {};\n", one.trim()),
            ]
        }),
        (
            "lists of strings",
            vec![
                format!("[\"{LINE}\", \"{OTHER}\"]"),
                format!(
                    "[{}]",
                    rows(LINE, "", "',\n'")
                        .replacen("53", "'53", 1)
                        .trim_end_matches('\'')
                        .to_owned()
                ),
            ],
        ),
        (
            "rows of YAML, and strings one after another",
            vec![
                format!(
                    "board:\n  - [{}]\n",
                    rows(&zeros, ", ", "]\n  - [").trim_end_matches("]\n  - [")
                ),
                format!(
                    "board:\n  - \"{}\"\n",
                    rows(LINE, "", "\"\n  - \"").trim_end_matches("\"\n  - \"")
                ),
                format!(
                    "char *grid =\n\"{}\";\n",
                    rows(LINE, "", "\"\n\"").trim_end_matches("\"\n\"")
                ),
                format!(
                    "s = '{}'\n",
                    rows(LINE, "", "' +\n    '").trim_end_matches("' +\n    '")
                ),
            ],
        ),
        (
            "a column for each cell of a puzzle and of its solution",
            vec![format!(
                "{},{}\n",
                zeros
                    .split("")
                    .filter(|c| !c.is_empty())
                    .collect::<Vec<_>>()
                    .join(","),
                SOLUTION
                    .split("")
                    .filter(|c| !c.is_empty())
                    .collect::<Vec<_>>()
                    .join(","),
            )],
        ),
        (
            "tables of HTML",
            vec![
                format!(
                    "<table>\n<tr><td>{}</td></tr>\n</table>\n",
                    rows(&LINE.replace('.', " "), "</td><td>", "</td></tr>\n<tr><td>")
                        .trim_end_matches("</td></tr>\n<tr><td>")
                ),
                format!(
                    "<TABLE>\n<TR><TD>{}</TD></TR>\n",
                    rows(&LINE.replace('.', " "), "</TD><TD>", "</TD></TR>\n<TR><TD>")
                        .replace("> <", "><")
                        .trim_end_matches("</TD></TR>\n<TR><TD>")
                ),
                format!(
                    "<html><body><TABLE class=\"x\">\n<TR>\n  <TD class=\"a\"><input value=\"{}\">\n</TR></TABLE>",
                    rows(
                        &LINE.replace('.', " "),
                        "\"></TD>\n<TD><input value=\"",
                        "\"></TR><TR><TD><input value=\""
                    )
                    .trim_end_matches("\"></TR><TR><TD><input value=\"")
                ),
            ],
        ),
        (
            "two grids side by side: each that has an empty cell",
            vec![beside(LINE, SOLUTION, "   "), beside(&zeros, OTHER, " | ")],
        ),
        (
            "game IDs of Simon Tatham's Solo: classic, with diagonals",
            vec![
                format!("3x3:{}\n", game_id(LINE)),
                format!(
                    "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/solo.html#3x3db:{}\n",
                    game_id(LINE)
                ),
            ],
        ),
        (
            "addresses of f-puzzles and SudokuPad, and f-puzzles' JSON",
            vec![
                format!("https://www.f-puzzles.com/?load={FPUZZLES}\n"),
                format!("https://sudokupad.app/fpuzzles{FPUZZLES}"),
                format!(
                    "https://sudokupad.app/?puzzleid=fpuz{}",
                    FPUZZLES.replace('+', "%2B").replace('/', "%2F")
                ),
            ],
        ),
        (
            "addresses of Penpa+",
            penpa::EDITED_AND_SOLVED.map(penpa::address).to_vec(),
        ),
    ]
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
