//! Tests that run the program over its package, and over sloppy and malformed inputs.
//!
//! Test group: sudoku.

#[macro_use]
#[path = "../../../tests/common/samples.rs"]
mod samples;

use samples::Problem;
use std::io::{Read, Write};
use std::process::Stdio;

const PROBLEM: Problem = Problem {
    id: "sudokuall",
    program: env!("CARGO_BIN_EXE_sudokuall"),
};

package_tests!(str::to_owned, "no solution");

#[test]
fn solutions_are_in_order_and_counted() {
    let rows = "0 0 4 6 7 8 9 1 2\n0 0 2 1 9 5 3 4 8\n1 9 8 3 4 2 5 6 7\n8 5 9 7 6 1 4 2 3\n\
                4 2 6 8 5 3 7 9 1\n7 1 3 9 2 4 8 5 6\n9 0 1 5 3 7 2 8 4\n2 8 7 4 1 9 6 3 5\n\
                0 4 5 2 8 6 1 7 9\n";
    let solved = "5 3 4 6 7 8 9 1 2\n6 7 2 1 9 5 3 4 8\n1 9 8 3 4 2 5 6 7\n8 5 9 7 6 1 4 2 3\n\
                  4 2 6 8 5 3 7 9 1\n7 1 3 9 2 4 8 5 6\n9 6 1 5 3 7 2 8 4\n2 8 7 4 1 9 6 3 5\n\
                  3 4 5 2 8 6 1 7 9\n";
    let assert = PROBLEM.program().write_stdin(rows).assert();
    assert.success().stdout(format!("{solved}\n1\n"));
    // Three mini-rows of the same three digits: any Latin square of side 3 fits, and there are 12.
    let open = "0 0 0 4 5 6 7 8 9\n4 5 6 7 8 9 1 2 3\n7 8 9 1 2 3 4 5 6\n0 0 0 5 6 4 8 9 7\n\
                5 6 4 8 9 7 2 3 1\n8 9 7 2 3 1 5 6 4\n0 0 0 6 4 5 9 7 8\n6 4 5 9 7 8 3 1 2\n\
                9 7 8 3 1 2 6 4 5\n";
    let output = PROBLEM.program().write_stdin(open).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let blocks: Vec<&str> = text.trim_end().split("\n\n").collect();
    let (count, solutions) = blocks.split_last().unwrap();
    assert_eq!((*count, solutions.len()), ("12", 12));
    assert!(solutions.is_sorted());
    assert!(solutions[0].starts_with("1 2 3 4"));
}

/// Method 8 guesses in the cell with the fewest candidates, so it finds the same solutions in
/// another order.
#[test]
fn article_order_prints_the_order_of_the_article() {
    // The open cells of row 2 have two candidates, those of row 1 before them have three.
    let open = "000456789\n400789123\n789123456\n000564897\n000897231\n897231564\n\
                000645978\n000978312\n978312645\n";
    let run = |program: &str, arguments: &[&str]| {
        let assert = assert_cmd::Command::new(program)
            .args(arguments)
            .write_stdin(open)
            .assert();
        String::from_utf8(assert.success().get_output().stdout.clone()).unwrap()
    };
    let sorted = run(PROBLEM.program, &[]);
    let program = env!("CARGO_BIN_EXE_sudokuall-counted-views");
    assert_eq!(run(program, &[]), sorted);
    let own = run(program, &["--article-order"]);
    assert_ne!(own, sorted);
    let blocks = |text: &str| {
        let mut blocks: Vec<String> = text
            .split("\n\n")
            .map(|block| block.trim().to_owned())
            .collect();
        blocks.sort();
        blocks
    };
    assert_eq!(blocks(&own), blocks(&sorted));
}

#[test]
fn a_puzzle_without_a_solution_has_count_0() {
    let empty_rows = "0 0 0 0 0 0 0 0 0\n".repeat(8);
    for row in ["1 0 0 0 0 0 0 0 1\n", "1 2 3 4 5 6 7 8 8\n"] {
        let assert = PROBLEM
            .program()
            .write_stdin(format!("{row}{empty_rows}"))
            .assert();
        assert.success().stdout("0\n").stderr("");
    }
}

/// The empty grid has 6.7e21 solutions: the first ones are written immediately, and no error is
/// reported when the reader closes the pipe.
#[test]
fn solutions_are_written_as_they_are_found() {
    let mut child = std::process::Command::new(PROBLEM.program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all("000000000\n".repeat(9).as_bytes()).unwrap();
    drop(stdin);
    let mut start = [0; 1 << 18];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    assert!(start.starts_with(b"1 2 3 4 5 6 7 8 9\n4 5 6 7 8 9 1 2 3\n7 8 9 1 2 3 4 5 6\n"));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
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
            empty_rows(8),
            "line 9, column 1: found the end of the input, expected row 9",
        ),
        (
            empty_rows(3) + "1 2 3 x 5 6 7 8 9\n",
            "line 4, column 7: found 'x', expected number 4 of row 4",
        ),
        (
            "00000000x\n".into(),
            "line 1, column 9: found 'x', expected cell 9 of row 1",
        ),
        (
            empty_rows(9) + "\n1\n",
            "line 11, column 1: found '1', expected the end of the input",
        ),
    ]);
}
