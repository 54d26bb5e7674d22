//! Every form of the documented table, each with texts of [`LINE`] or of it and [`OTHER`].

use crate::{LINE, OTHER, SOLUTION, convert, penpa};

/// [`LINE`] as f-puzzles compresses it.
const FPUZZLES: &str = "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BWVNCImAOwQBcMqBfZY8qhAGZ6jFu04wewKVJClK1AOwimreB268ZWrQF1khOf2oA2FWPUTt03kYUIAjObUbJt+QKTPxmvvdrelr7WXPqEsh7UKOiiLlbuxggAHIGuITo2fp5mMao+btJhWdQpuRZpGdZ22anxmVWRQrXcRdXUACzNBQ2J8KUMeUHdCf7CZXHBGW2OXaEGxQjK4/npmdPwAEyzlVON8DkD5VZFEb0HsSs79SOeW8tDp/79Fw9686vrnfcVC/BO33V1tFDhNhms9nQAS13ldHp5noMfj1/EsQZdfsCXmldLouEA";

/// The rows of a line with `between` after each cell and `row_end` after each row.
pub fn rows(line: &str, between: &str, row_end: &str) -> String {
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
pub fn cases() -> Vec<(&'static str, Vec<String>)> {
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
