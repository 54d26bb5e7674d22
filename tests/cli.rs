//! The command `sudoku`: `cargo test -p sudoku --features cli --test cli`.
#![cfg(feature = "cli")]

use assert_cmd::Command;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn sudoku(arguments: &[&str], input: &str) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_sudoku"))
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code().unwrap(),
    )
}

#[test]
fn what_is_no_puzzle_is_skipped_and_order_is_kept() {
    let dashes = PUZZLE.replace('.', "-");
    let input = format!(
        "puzzle,solution\n# comment\n{PUZZLE}\n\n{dashes},{SOLUTION}\r\n{PUZZLE}\nnonsense\n{SOLUTION}\n{PUZZLE}"
    );
    let (out, err, status) = sudoku(&["solve"], &input);
    assert_eq!(out, format!("{SOLUTION}\n").repeat(5));
    assert_eq!(
        err,
        "standard input:7: expected the cells of a puzzle, found 8 characters; skipped\n"
    );
    assert_eq!(status, 1);
    let (_, err, status) = sudoku(&["solve"], &format!("{PUZZLE}\n"));
    assert_eq!((err.as_str(), status), ("", 0));
}

#[test]
fn a_line_of_another_side_or_with_another_character_is_not_solved_as_9x9() {
    let wrong = PUZZLE.replace("53", "x3");
    let input = format!("{PUZZLE}\n1.....3..4.....2\n{wrong}\n{PUZZLE}\n");
    let (out, err, status) = sudoku(&["solve"], &input);
    assert_eq!(out, format!("{SOLUTION}\n1324423124133142\n{SOLUTION}\n"));
    assert!(err.starts_with("standard input:3: "), "{err}");
    assert_eq!(status, 1);
}

#[test]
fn large_inputs_come_out_whole_on_any_number_of_threads() {
    // More than a part of the text, and than a share of a thread.
    let input = format!("{PUZZLE}\n").repeat(30_000);
    let expected = format!("{SOLUTION}\n").repeat(30_000);
    for threads in ["1", "3"] {
        let (out, _, status) = sudoku(&["solve", "-j", threads], &input);
        assert_eq!(status, 0);
        assert!(out == expected, "{threads} threads");
        let (out, _, _) = sudoku(&["count", "--limit", "2", "-j", threads], &input);
        assert!(out == "1\n".repeat(30_000), "{threads} threads");
    }
}

#[test]
fn every_command_does_what_it_says() {
    let four = "1...............\n";
    assert_eq!(sudoku(&["count"], four).0, "72\n");
    assert_eq!(sudoku(&["count", "--limit", "5"], four).0, "5\n");
    assert_eq!(sudoku(&["solve", "--all"], four).0.lines().count(), 72);
    let (out, _, status) = sudoku(&["check"], &format!("{four}{PUZZLE}\n"));
    assert_eq!(out, format!("{}\tseveral\n{PUZZLE}\tunique\n", four.trim()));
    assert_eq!(status, 1);
    let (out, _, _) = sudoku(&["solve", "--count"], &format!("{PUZZLE}\n"));
    assert_eq!(out, format!("{SOLUTION}\t1\n"));
    let (out, _, _) = sudoku(&["rate"], &format!("{PUZZLE}\n"));
    assert_eq!(out, format!("{PUZZLE}\thidden single\t0\n"));
    let (out, _, _) = sudoku(&["explain"], &format!("{PUZZLE}\n"));
    assert!(out.contains("   1. hidden single: "), "{out}");
    let (out, _, _) = sudoku(&["convert", "--to", "pretty"], four);
    assert!(out.starts_with("1 . | . .\n"), "{out}");
    let (out, _, status) = sudoku(&["generate", "--count", "3", "--side", "6"], "");
    assert_eq!((out.lines().count(), status), (3, 0));
    let (rated, _, _) = sudoku(&["generate", "--count", "3", "--side", "6", "--rate"], "");
    assert_eq!(rated, sudoku(&["rate"], &out).0);
    let pairs = [
        "generate",
        "--count",
        "2",
        "--rate",
        "--hardest",
        "naked-pair",
    ];
    let (out_of_pairs, _, _) = sudoku(&pairs, "");
    assert_eq!(out_of_pairs.matches("\tnaked pair\t").count(), 2);
    let (_, err, status) = sudoku(&["generate", "--hardest", "luck"], "");
    assert!(
        err.contains("expected one of hidden single, naked single"),
        "{err}"
    );
    assert_eq!(status, 2);
    let (checked, _, status) = sudoku(&["check"], &out);
    assert_eq!((checked.matches("unique").count(), status), (3, 0));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let (_, err, status) = sudoku(&["solve", "/nowhere/puzzles.txt"], "");
    assert!(err.starts_with("error: /nowhere/puzzles.txt: "), "{err}");
    assert_eq!(status, 2);
}
