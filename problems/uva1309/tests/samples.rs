//! Tests that run the program over its package, and over sloppy and malformed inputs.
//!
//! Test group: sudoku.

#[macro_use]
#[path = "../../../tests/common/samples.rs"]
mod samples;

use samples::Problem;
use std::fs;

const PROBLEM: Problem = Problem {
    id: "uva1309",
    program: env!("CARGO_BIN_EXE_uva1309"),
};

fn sample() -> (String, String) {
    let read = |name| fs::read_to_string(PROBLEM.data().join("sample").join(name)).unwrap();
    (read("1.in"), read("1.ans"))
}

package_tests!(str::to_owned, "the puzzle has no solution");

#[test]
fn one_empty_line_separates_two_grids() {
    let (puzzle, solution) = sample();
    for count in [0, 1, 2, 3] {
        let [input, output] =
            [&puzzle, &solution].map(|grid| vec![grid.as_str(); count].join("\n"));
        PROBLEM.writes(&output, [input]);
    }
}

#[test]
fn sloppy_input_is_read() {
    let (puzzle, solution) = sample();
    let two = format!("{puzzle}\n{puzzle}");
    PROBLEM.writes(
        &format!("{solution}\n{solution}"),
        [
            two.replace('\n', "\r\n"),
            two.replace('\n', " \n"),
            two.trim_end().to_owned(),
            format!("{puzzle}{puzzle}"),
            format!("\n\n{puzzle}\n \n\n{puzzle}\n\n"),
        ],
    );
}

#[test]
fn malformed_input_is_refused_with_its_position_after_earlier_solutions() {
    let (puzzle, solution) = sample();
    for (input, stdout, message) in [
        (
            puzzle.replacen("-J--A", "-Q--A", 1),
            "",
            "line 2, column 2: found 'Q', expected cell 2 of row 2: 'A' to 'P'",
        ),
        (
            puzzle.replacen("O-I\n", "O-\n", 1),
            "",
            "line 1, column 16: found the end of the line, expected cell 16 of row 1",
        ),
        (
            puzzle.replacen("O-I\n", "O-I-\n", 1),
            "",
            "line 1, column 17: found '-', expected the end of row 1",
        ),
        (
            format!("{puzzle}\n{}", &puzzle[..15 * 17]),
            &solution,
            "line 33, column 1: found the end of the input, expected row 16 of the 16 rows of the \
             grid that begins in line 18",
        ),
        (
            format!("{puzzle}\n{}", puzzle.replacen("--A", "A-A", 1)),
            &solution,
            "puzzle 2 has no solution",
        ),
    ] {
        PROBLEM.refuses(stdout, [(input, message)]);
    }
}

/// The program's memory does not grow after the first grids.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    use std::io::Write;
    use std::process::Stdio;

    let mut child = std::process::Command::new(PROBLEM.program)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let peak_kib = || -> u64 {
        let status = fs::read_to_string(&status).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmHWM:"))
            .unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let mut stdin = child.stdin.take().unwrap();
    // 109 KB: more than the capacity of the buffers and the pipe, so that the program has processed
    // a part.
    let grids = fs::read(PROBLEM.data().join("secret/11-many-easy.in")).unwrap();
    let mut peaks = Vec::new();
    for _ in 0..12 {
        stdin.write_all(&grids).unwrap();
        stdin.write_all(b"\n").unwrap();
        peaks.push(peak_kib());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    let grown = peaks.last().unwrap() - peaks[1];
    // The ten inputs after the second are 1,070 KiB.
    assert!(grown < 256, "grew by {grown} KiB: {peaks:?}");
}
