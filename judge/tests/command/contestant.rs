//! What a report says to the author of a program that fails over samples in a folder.

use crate::common::{Bench, asserted};
use crate::folder::samples;
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn the_last_lines_of_standard_error_are_shown_for_any_failure() {
    let bench = Bench::new();
    samples(&bench, "mine/test", "out");
    bench.write(
        "mine/sol.py",
        "import sys\nfor k in range(30): print('step', k, file=sys.stderr)\nprint(0)\n",
    );
    asserted(
        &bench,
        &["run", "mine/sol.py", "--case", "1", "--html", "report.html"],
    )
    .code(1)
    .stdout(
        contains("    standard error:\n    [...]\n    step 20\n")
            .and(contains("    step 29\n"))
            .and(contains("step 19\n").not()),
    );
    let html = std::fs::read_to_string(bench.path("report.html")).expect("a report");
    assert!(html.contains("Standard error") && html.contains("step 29"));
    // A run-time error's message has it already.
    bench.write("mine/sol.py", "1 / 0\n");
    asserted(&bench, &["run", "mine/sol.py", "--case", "1"])
        .code(1)
        .stdout(contains("standard error:").count(1));
}
