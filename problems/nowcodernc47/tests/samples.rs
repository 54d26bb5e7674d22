//! Tests that run the program over its package, and over sloppy and malformed inputs.
//!
//! Test group: sudoku.

#[macro_use]
#[path = "../../../tests/common/samples.rs"]
mod samples;

use samples::Problem;

const PROBLEM: Problem = Problem {
    id: "nowcodernc47",
    program: env!("CARGO_BIN_EXE_nowcodernc47"),
};

package_tests!(str::to_owned, "the puzzle has no solution");

const ROWS: &str = "..9748...\n7........\n.2.1.9...\n..7...24.\n.64.1.59.\n.98...3..\n...8.3.2.\n\
                    ........6\n...2759..\n";
const SOLVED: &str = "519748632\n783652419\n426139875\n357986241\n264317598\n198524367\n\
                      975863124\n832491756\n641275983\n";

/// The rows in brackets, with `quote` around each cell and `between` after each comma.
fn brackets(rows: &str, quote: &str, between: &str) -> String {
    let comma = format!(",{between}");
    let rows: Vec<String> = rows
        .lines()
        .map(|row| {
            let cells: Vec<String> = row.chars().map(|c| format!("{quote}{c}{quote}")).collect();
            format!("[{}]", cells.join(&comma))
        })
        .collect();
    format!("[{}]\n", rows.join(&comma))
}

#[test]
fn the_output_has_the_form_of_the_input() {
    for (input, output) in [
        (brackets(ROWS, "", ""), brackets(SOLVED, "", "")),
        (ROWS.into(), SOLVED.into()),
        (ROWS.replace('.', "0"), SOLVED.into()),
    ] {
        PROBLEM.writes(&output, [input]);
    }
}

#[test]
fn sloppy_input_is_read() {
    PROBLEM.writes(
        &brackets(SOLVED, "", ""),
        [
            brackets(ROWS, "\"", " "),
            brackets(ROWS, "'", "\r\n  "),
            brackets(ROWS, "", "").trim_end().to_owned(),
            format!("\u{feff}\n {} \r\n\r\n", brackets(ROWS, "", "").trim_end()),
        ],
    );
    PROBLEM.writes(SOLVED, [ROWS.replace('\n', " \r\n").trim_end().to_owned()]);
}

#[test]
fn malformed_input_is_refused_with_its_position() {
    let good = brackets(ROWS, "", "");
    PROBLEM.refuses(
        "",
        [
            (
                String::new(),
                "line 1, column 1: found the end of the input, expected a grid: 9 rows of 9 cells",
            ),
            (
                good.replacen("[.,.,9", "[.,x,9", 1),
                "line 1, column 5: found 'x', expected cell 2 of row 1",
            ),
            (
                good.replacen("[.,.,9", "[.,10,9", 1),
                "line 1, column 6: found '0', expected ',' and then cell 3 of row 1",
            ),
            (
                good.replacen("],[7", "],\n[.,7", 1),
                "line 2, column 19: found ',', expected ']' after the 9 cells of row 2",
            ),
            (
                good.replacen(",.]]", "]]", 1),
                "line 1, column 178: found ']', expected ',' and then cell 9 of row 9",
            ),
            (
                good.trim_end().trim_end_matches(']').to_owned(),
                "line 1, column 180: found the end of the input, expected ']'",
            ),
            (
                good + "[[",
                "line 2, column 1: found '[', expected the end of the input",
            ),
            (
                ROWS.replacen("7........", "7.......", 1),
                "line 2, column 9: found the end of the line, expected cell 9 of row 2",
            ),
            (
                ROWS.replacen("7........", "7.........", 1),
                "line 2, column 10: found '.', expected the end of row 2",
            ),
        ],
    );
}

#[test]
fn a_board_without_a_solution_is_said_to_have_none() {
    let boards = ["9.9", "1.9"].map(|row| ROWS.replacen("..9", row, 1));
    PROBLEM.refuses(
        "",
        boards.map(|board| (board, "the puzzle has no solution")),
    );
}
