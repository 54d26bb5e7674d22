//! Tests that run the program over its package, and over sloppy and malformed inputs.
//!
//! Test group: sudoku.

#[macro_use]
#[path = "../../../tests/common/samples.rs"]
mod samples;

use samples::Problem;

const PROBLEM: Problem = Problem {
    id: "luogup1784",
    program: env!("CARGO_BIN_EXE_luogup1784"),
};

/// Normalises a text as the judge's comparison does: removes blanks at the ends of lines and empty
/// lines at the end.
fn as_compared(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n")
}

package_tests!(as_compared, "the puzzle has no solution");

#[test]
fn sloppy_input_is_read() {
    let rows = "5 3 4 6 7 8 9 1 2\n6 7 2 1 9 5 3 4 8\n1 9 8 3 4 2 5 6 7\n8 5 9 7 6 1 4 2 3\n\
                4 2 6 8 5 3 7 9 1\n7 1 3 9 2 4 8 5 6\n9 6 1 5 3 7 2 8 4\n2 8 7 4 1 9 6 3 5\n\
                3 4 5 2 8 6 1 7 9\n";
    PROBLEM.writes(
        rows,
        [
            rows.replace(" 7", " 0").replace('\n', " \r\n"),
            rows.replace("4 2 6", "0 0 0").trim_end().to_owned(),
            format!("\u{feff}\n{}\n \n", rows.replace("5 3", "0  3")),
            rows.replace(' ', ""),
        ],
    );
}

#[test]
fn malformed_input_is_refused_with_its_position() {
    let empty_rows = |count: usize| "0 0 0 0 0 0 0 0 0\n".repeat(count);
    PROBLEM.refuses("", [
        (
            String::new(),
            "line 1, column 1: found the end of the input, expected a grid: 9 rows of 9 numbers",
        ),
        (
            " \n\n".into(),
            "line 3, column 1: found the end of the input, expected a grid: 9 rows of 9 numbers",
        ),
        (
            empty_rows(8),
            "line 9, column 1: found the end of the input, expected row 9",
        ),
        (
            empty_rows(3) + "1 2 3 x 5 6 7 8 9\n",
            "line 4, column 7: found 'x', expected number 4 of row 4",
        ),
        (
            empty_rows(3) + "1 2 3 10 5 6 7 8 9\n",
            "line 4, column 7: found '10', expected number 4 of row 4",
        ),
        (
            "0 0 0 0 0 0 0 0\n".into(),
            "line 1, column 16: found the end of the line, expected number 9 of row 1",
        ),
        (
            "0 0 0 0 0 0 0 0 0 7\n".into(),
            "line 1, column 19: found '7', expected the end of row 1",
        ),
        (
            empty_rows(10),
            "line 10, column 1: found '0', expected the end of the input",
        ),
    ]);
}

#[test]
fn a_puzzle_without_a_solution_is_reported() {
    let empty_rows = "0 0 0 0 0 0 0 0 0\n".repeat(8);
    let rows = ["1 0 0 0 0 0 0 0 1\n", "1 2 3 4 5 6 7 8 8\n"];
    let puzzles = rows.map(|row| (format!("{row}{empty_rows}"), "the puzzle has no solution"));
    PROBLEM.refuses("", puzzles);
}
