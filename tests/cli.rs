//! The command `sudoku`: `cargo test -p sudoku-engines --features cli --test cli`.
//!
//! Test group: sudoku.
#![cfg(feature = "cli")]

use assert_cmd::Command;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

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
    let wrong = PUZZLE.replace("53", "a3");
    let input = format!("{PUZZLE}\n1.....3..4.....2\n{wrong}\n{PUZZLE}\n");
    let (out, err, status) = sudoku(&["solve"], &input);
    assert_eq!(out, format!("{SOLUTION}\n1324423124133142\n{SOLUTION}\n"));
    assert_eq!(
        err,
        "standard input:3:1: expected a cell of a 9x9 puzzle, found 'a'; skipped\n"
    );
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
    let generate = ["generate", "--count", "3", "--side", "6", "--seed", "1"];
    let (out, _, status) = sudoku(&generate, "");
    assert_eq!((out.lines().count(), status), (3, 0));
    let (rated, _, _) = sudoku(&[&generate[..], &["--rate"]].concat(), "");
    assert_eq!(rated, sudoku(&["rate"], &out).0);
    let pairs = [
        "generate",
        "--count",
        "2",
        "--rate",
        "--hardest",
        "naked-pair",
    ];
    let (out_of_pairs, err, _) = sudoku(&pairs, "");
    assert_eq!(out_of_pairs.matches("\tnaked pair\t").count(), 2);
    assert!(err.contains(" puzzles for 2 with naked pair\n"), "{err}");
    let (_, err, status) = sudoku(&["generate", "--hardest", "luck"], "");
    let (help, _, _) = sudoku(&["generate", "--help"], "");
    assert!(
        help.contains("swordfish") && help.contains("little-killer"),
        "{help}"
    );
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

/// Of all commands that read puzzles.
#[test]
fn an_input_without_a_puzzle_is_not_silent() {
    let silent = (String::new(), String::new(), 0);
    for command in ["solve", "check", "count", "rate", "explain"] {
        for input in ["puzzle,solution\n", "# a comment\n\n", "17\n"] {
            let message = "standard input: no puzzle found\n".to_owned();
            let expected = (String::new(), message, 1);
            assert_eq!(sudoku(&[command], input), expected, "{command} {input:?}");
        }
        assert_eq!(sudoku(&[command], ""), silent, "{command}");
    }
}

#[test]
fn only_a_header_is_skipped_silently_in_the_first_line() {
    for header in [
        "puzzle,solution",
        "No.;puzzle",
        "49151",
        "\u{feff}\"puzzle\"\tx",
        "a_puzzle_with_its_solution",
    ] {
        let (out, err, status) = sudoku(&["solve"], &format!("{header}\n{PUZZLE}\n"));
        assert_eq!(
            (out, err, status),
            (format!("{SOLUTION}\n"), String::new(), 0)
        );
    }
    let short = &PUZZLE[1..];
    let long = format!("{PUZZLE}.");
    let wrong = PUZZLE.replace("53", "a3");
    let letters = "ABCDEFGHIJKLMNOP".repeat(16);
    let beyond = letters.replace('P', "Z");
    let characters =
        |count: usize| format!("expected the cells of a puzzle, found {count} characters");
    let cell = |side: usize, found: char| {
        format!("expected a cell of a {side}x{side} puzzle, found '{found}'")
    };
    for (line, problem) in [
        (short, characters(80)),
        (&long, characters(82)),
        (&wrong, cell(9, 'a')),
        (&SOLUTION[1..], characters(80)),
        (&letters[1..], characters(255)),
        (&beyond, cell(16, 'Z')),
    ] {
        for command in ["check", "solve"] {
            let (out, err, status) = sudoku(&[command], &format!("{line}\n{PUZZLE}\n"));
            assert!(err.starts_with("standard input:1:"), "{err}");
            assert!(err.ends_with(&format!(": {problem}; skipped\n")), "{err}");
            assert_eq!((out.lines().count(), status), (1, 1));
        }
    }
}

#[test]
fn the_sides_in_the_help_are_solved_and_others_are_reported() {
    let (help, _, _) = sudoku(&["--help"], "");
    assert!(
        help.contains("of side 4 to 10, 12, 14 to 16, 18, 20, 24, 25, 30 or 36."),
        "{help}"
    );
    for side in 4..=26 {
        let line = ".".repeat(side * side);
        let input = format!("{line}\n{PUZZLE}\n");
        let (out, err, status) = sudoku(&["convert", "--to", "line"], &input);
        if matches!(side, 4..=10 | 12 | 14..=16 | 18 | 20 | 24 | 25) {
            assert_eq!((out, err, status), (input, String::new(), 0));
        } else {
            assert_eq!(
                err,
                format!(
                    "standard input:1: expected a puzzle of side 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 25, \
                     30, 36, found side {side}; skipped\n"
                )
            );
            assert_eq!((out, status), (format!("{PUZZLE}\n"), 1));
        }
    }
}

#[test]
fn other_line_ends_and_columns_are_read() {
    let crlf = format!("{PUZZLE}\r\n").repeat(3000);
    let columns = format!("{PUZZLE},{SOLUTION}\n").repeat(3000);
    let bad = format!("{}\r\n", PUZZLE.replace("53", "a3"));
    let input = format!("{crlf}{bad}{PUZZLE}\n{columns}{bad}{crlf}{PUZZLE}\n\u{1a}");
    for threads in ["1", "3"] {
        let (out, err, status) = sudoku(&["solve", "-j", threads], &input);
        assert!(
            out == format!("{SOLUTION}\n").repeat(9002),
            "{threads} threads"
        );
        let expected = [3001, 6003].map(|line| {
            format!(
                "standard input:{line}:1: expected a cell of a 9x9 puzzle, found 'a'; skipped\n"
            )
        });
        assert_eq!((err, status), (expected.concat(), 1));
    }
    // Carriage returns alone, over several chunks, and all three line ends in turn.
    let bad = bad.trim_end();
    for ends in [["\r", "\r", "\r"], ["\n", "\r", "\r\n"]] {
        let lines = ends.map(|end| format!("{PUZZLE}{end}")).concat();
        let input = format!(
            "{}{bad}{}{}",
            lines.repeat(1000),
            ends[1],
            lines.repeat(1000)
        );
        for threads in ["1", "3"] {
            let (out, err, status) = sudoku(&["solve", "-j", threads], &input);
            assert!(
                out == format!("{SOLUTION}\n").repeat(6000),
                "{ends:?}, {threads} threads: {} bytes, {err}",
                out.len()
            );
            let expected =
                "standard input:3001:1: expected a cell of a 9x9 puzzle, found 'a'; skipped\n";
            assert_eq!((err.as_str(), status), (expected, 1));
        }
    }
}

#[test]
fn solutions_are_written_as_they_are_found_until_the_pipe_is_closed() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_sudoku"))
        .args(["solve", "--all", "-j", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let line = format!("{}\n", ".".repeat(81));
    input.write_all(line.repeat(3).as_bytes()).unwrap();
    drop(input);
    let output = child.stdout.take().unwrap();
    let (sender, first) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().take(2);
        let _ = sender.send(lines.collect::<Result<Vec<_>, _>>());
    });
    // There are more solutions than can ever be written.
    let lines = first.recv_timeout(Duration::from_secs(10));
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut status = None;
    while lines.is_ok() && status.is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
        status = child.try_wait().unwrap();
    }
    let _ = child.kill();
    let _ = child.wait();
    let lines = lines.expect("a solution is written").unwrap();
    assert!(lines[0].starts_with("123456789"), "{lines:?}");
    assert!(lines[0] < lines[1], "{lines:?}");
    assert!(status.expect("the command ends").success());
}

#[test]
fn puzzles_that_do_not_exist_are_refused() {
    for (arguments, message) in [
        (
            "--side 4 --hardest swordfish",
            "no puzzle of side 4 has swordfish as its hardest technique: pass --side, 6 or more",
        ),
        (
            "--rules latin --side 6 --hardest pointing",
            "pointing needs boxes: pass other --rules",
        ),
        (
            "--side 25 --givens 250",
            "a 25x25 puzzle with fewer givens can take hours: pass --givens, 290 or more",
        ),
        (
            "--side 25",
            "a 25x25 puzzle with fewer givens can take hours: pass --givens, 290 or more",
        ),
        (
            "--givens 82",
            "a grid of side 9 has no 82 givens: pass --givens, 81 at most",
        ),
        (
            "--side 4 --hardest beyond --seed 1",
            "none of 10000 puzzles had beyond as its hardest technique: pass another --hardest, --side or --seed",
        ),
    ] {
        let arguments: Vec<&str> = ["generate"]
            .into_iter()
            .chain(arguments.split(' '))
            .collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku"));
        let assert = command
            .args(&arguments)
            .timeout(Duration::from_secs(60))
            .assert();
        assert
            .code(2)
            .stdout("")
            .stderr(format!("error: {message}\n"));
    }
    let (_, err, status) = sudoku(&["generate", "--hardest", "cage sum"], "");
    assert!(err.contains("expected one of hidden single, "), "{err}");
    assert!(!err.contains("single, cage sum"), "{err}");
    assert_eq!(status, 2);
    assert_eq!(sudoku(&["generate", "--givens", "81"], "").2, 0);
}

#[test]
fn answers_say_why_there_is_no_solution() {
    let clash = PUZZLE.replacen("53..", "535.", 1);
    let none = PUZZLE.replacen("53.", "532", 1);
    let several = PUZZLE.replacen("53..7", ".....", 1);
    for command in [&["solve"][..], &["solve", "--count"], &["solve", "--all"]] {
        let (out, err, status) = sudoku(command, &format!("{PUZZLE}\n{clash}\n{none}\n"));
        assert!(out.starts_with(SOLUTION), "{out}");
        assert_eq!(
            err,
            "standard input:2: no solution: row 1 contains 5 twice\nstandard input:3: no solution\n"
        );
        assert_eq!(status, 1);
    }
    // Messages are in the order of the lines.
    let (_, err, _) = sudoku(
        &["solve"],
        &format!("{clash},1\n{PUZZLE}\nbad line\n{clash}\n"),
    );
    let lines: Vec<&str> = err
        .lines()
        .filter_map(|line| line.split(':').nth(1))
        .collect();
    assert_eq!(lines, ["1", "3", "4"], "{err}");
    let (out, _, status) = sudoku(&["rate"], &format!("{none}\n{several}\n"));
    assert_eq!(
        out,
        format!("{none}\tno solution\t\n{several}\tseveral solutions\t\n")
    );
    assert_eq!(status, 1);
    let (out, _, status) = sudoku(&["explain"], &format!("{clash}\n{none}\n{several}\n"));
    assert!(
        out.contains("the puzzle has no solution: row 1 contains 5 twice\n"),
        "{out}"
    );
    assert!(out.contains("the puzzle has no solution\n"), "{out}");
    assert!(
        out.contains("the puzzle has several solutions: r1c"),
        "{out}"
    );
    assert_eq!(status, 1);
}

#[test]
fn explain_goes_on_with_a_guess_to_the_solution() {
    let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let (out, _, status) = sudoku(&["explain"], hard);
    assert!(out.contains(". guess: r"), "{out}");
    let (solution, _, _) = sudoku(&["solve"], hard);
    let last: String = solution[72..81].chars().map(|c| format!("{c} ")).collect();
    let board = out
        .trim_end()
        .rsplit('\n')
        .next()
        .unwrap()
        .replace("| ", "");
    assert_eq!((board.trim(), status), (last.trim(), 0));
}

#[test]
fn counting_stops_at_a_limit_that_is_named() {
    let empty = ".".repeat(81) + "\n";
    let (out, err, status) = sudoku(&["count"], &empty);
    assert_eq!((out.as_str(), status), ("1000000\n", 0));
    assert_eq!(
        err,
        "standard input:1: stopped at 1000000 solutions: pass --limit to count more\n"
    );
    assert_eq!(
        sudoku(&["count", "--limit", "7"], &empty),
        ("7\n".into(), String::new(), 0)
    );
}

#[test]
fn a_seed_is_drawn_and_repeats_the_puzzles_on_any_number_of_threads() {
    let (drawn, err, _) = sudoku(&["generate", "--count", "600"], "");
    let seed = err.trim().strip_prefix("seed ").expect("a seed");
    for threads in ["1", "3"] {
        let (again, err, status) = sudoku(
            &["generate", "--count", "600", "--seed", seed, "-j", threads],
            "",
        );
        assert_eq!((err.as_str(), status), ("", 0));
        assert!(again == drawn, "{threads} threads");
    }
    assert_ne!(sudoku(&["generate"], "").0, sudoku(&["generate"], "").0);
}

#[test]
fn files_are_read_by_position_and_lines_are_numbered() {
    let file = std::env::temp_dir().join(format!("sudoku-test-{}.txt", std::process::id()));
    let columns = format!("7,{PUZZLE}\n");
    let line = format!("{PUZZLE}\n");
    let text =
        line.repeat(5000) + "bad\n" + &columns.repeat(9000) + "bad\n" + &line.repeat(9000) + PUZZLE;
    fs::write(&file, &text).unwrap();
    for threads in ["1", "2", "5"] {
        let (out, err, status) = sudoku(&["solve", "-j", threads, file.to_str().unwrap()], "");
        assert!(
            out == format!("{SOLUTION}\n").repeat(23_001),
            "{threads} threads"
        );
        let lines: Vec<&str> = err
            .lines()
            .map(|line| line.split(':').nth(1).unwrap())
            .collect();
        assert_eq!((lines, status), (vec!["5001", "14002"], 1), "{err}");
    }
    fs::remove_file(&file).unwrap();
}

#[test]
fn ratings_on_the_scale_of_sudoku_explainer_are_written_where_they_are_wanted() {
    let puzzle = "....1..2...3.....4..56........34....\n"; // rated 7.1 by Sudoku6Explainer
    let (out, err, status) = sudoku(&["rate", "--explainer"], puzzle);
    assert_eq!((err.as_str(), status), ("", 0));
    let columns: Vec<&str> = out.trim_end().split('\t').collect();
    assert_eq!((columns.len(), columns[3]), (4, "7.1"), "{out}");
    let (out, _, _) = sudoku(&["rate"], puzzle);
    assert_eq!(out.trim_end().split('\t').count(), 3, "{out}");
}

/// The commands of docs/sudoku.md, in order, in a directory with the files that they read. Those with an output print it.
#[test]
fn the_page_about_the_command_shows_real_output() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-sudoku");
    fs::create_dir_all(&dir).unwrap();
    for name in ["puzzles.txt", "puzzle.txt", "puzzles.csv"] {
        fs::write(dir.join(name), format!("{PUZZLE}\n")).unwrap();
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_sudoku")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let page = format!("\n{}", include_str!("../docs/sudoku.md"));
    let blocks = page.split("\n```").skip(1).step_by(2);
    let mut commands = 0;
    for transcript in blocks.flat_map(|block| block.split("\n$ ").skip(1)) {
        let (command, shown) = transcript.split_once('\n').unwrap_or((transcript, ""));
        if let Some(name) = command.strip_prefix("cat ") {
            fs::write(dir.join(name), format!("{shown}\n")).unwrap();
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1; {command}")]);
        let output = shell.current_dir(&dir).env("PATH", &path).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        match shown.is_empty() {
            true => assert!(output.status.success(), "{command}: {printed}"),
            false => assert_eq!(printed.trim_end(), shown, "{command}"),
        }
        commands += 1;
    }
    assert!(commands > 8, "{commands} commands");
}
