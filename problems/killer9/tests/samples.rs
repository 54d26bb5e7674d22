//! Tests that run the program over its package, and over sloppy and malformed inputs.
//!
//! Test group: sudoku.

#[macro_use]
#[path = "../../../tests/common/samples.rs"]
mod samples;

use samples::Problem;

const PROBLEM: Problem = Problem {
    id: "killer9",
    program: env!("CARGO_BIN_EXE_killer9"),
};

package_tests!(str::to_owned, "no solution");

/// The cells of cage 1 have the sum 3, so they are 1 and 2; two rows below fix their order.
#[test]
fn cages_and_givens_are_both_rules() {
    let square = "..3456789\n456789123\n789123456\n231564897\n564897231\n897231564\n312645978\n645978312\n978312645\n";
    let none = "0 0 0 0 0 0 0 0 0\n";
    let cages = format!("1 1 0 0 0 0 0 0 0\n{}", none.repeat(8));
    let run = |sum: u32| {
        PROBLEM
            .program()
            .write_stdin(format!("{square}{cages}{sum}\n"))
            .assert()
    };
    run(3).success().stdout(square.replace("..3", "123"));
    run(4)
        .code(1)
        .stderr("error: the puzzle has no solution: check its givens\n");
    run(18).code(1).stderr(predicates::str::contains("sum"));
}

#[test]
fn cage_numbers_above_81_are_refused() {
    let square = ".........\n".repeat(9);
    let assert = PROBLEM
        .program()
        .write_stdin(format!("{square}82\n"))
        .assert();
    assert
        .code(1)
        .stderr("error: the number of a cage is above 81\n");
}
