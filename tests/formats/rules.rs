//! Rules beside the grid, in addresses and in JSON of f-puzzles and SudokuPad.

use crate::sudoku;
use std::collections::BTreeSet;

/// Compressed puzzles of side 4: with diagonals and cages, with a thermometer, and in SudokuPad's own form.
const DIAGONALS_AND_CAGES: &str = "N4IgzglgXgpiBcAWANCA5gJwgEwQbT2AF9ljSTiBdZQiu86285qms9uy6kbCAQzQB7AHZ8ANgGoEAFwwBXGKl4CR4gLQz5ikAGsIYsTAwBjAXHiEQxmAbD4QAJQCMAYSchUzlwCYQ3AG7iCgggAMwgFFY2YnYWjt5uHo6u4QFB5iAA7BGUREA";
const THERMOMETER: &str = "N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3lwC6yQv34hSlagGZ6jFu04xxIsb0nkqCFOgWt4HboMFqB5iVO3wATPKYGjKoSJBsAFjAwBbAPbeYNi98UDIIZhgwfDwQACUaAGEaEFR4hJsQF2EuIA";
const OWN: &str = "N4IgxgpgNlDOIC4DaTQDcCGUCuFEEYBfAGmBLNMIF1jVzyRMc8EBmemu0xrXRAFnqVOFUQyZ8EAJmo0QAJwgBzAJYB7AHbxkKAAzFdnffk74Dp4ic5J9Uo8VYW7tM4+tTztDydqtPSPytaJA9nEIdOPzC/NzkwDCUIbVQeZkQQABcVDKgIBAACAA8QakIgA";

#[test]
fn addresses_bring_their_rules_along() {
    let address = |payload: &str| format!("https://www.f-puzzles.com/?load={payload}\n");
    let (out, err, status) = sudoku(&["solve", "--all"], address(DIAGONALS_AND_CAGES).as_bytes());
    assert_eq!((err.as_str(), status), ("", 0));
    for solution in out.lines() {
        let cell = |row: usize, column: usize| solution.as_bytes()[4 * row + column] - b'0';
        assert_eq!(
            (cell(0, 0) + cell(0, 1), cell(1, 0) + cell(0, 2)),
            (3, 7),
            "{solution}"
        );
        let diagonal: BTreeSet<u8> = (0..4).map(|i| cell(i, i)).collect();
        let other: BTreeSet<u8> = (0..4).map(|i| cell(i, 3 - i)).collect();
        assert_eq!((diagonal.len(), other.len()), (4, 4), "{solution}");
    }
    assert_eq!(out.lines().count(), 4, "{out}");
    assert_eq!(
        sudoku(&["solve", "--all"], address(THERMOMETER).as_bytes()),
        ("1324423124133142\n".into(), String::new(), 0)
    );
    let own = format!("https://sudokupad.app/scl{OWN}");
    assert_eq!(
        sudoku(&["solve"], own.as_bytes()),
        ("1324423124133142\n".into(), String::new(), 0)
    );
    let damaged = address(&OWN[..40]);
    let (_, err, status) = sudoku(&["solve"], damaged.as_bytes());
    assert_eq!(
        (err.as_str(), status),
        (
            "standard input:1: the puzzle of the address is damaged; skipped\n",
            1
        )
    );
}

/// f-puzzles' JSON of side 4 without givens, with these rules.
fn json(rules: &str) -> String {
    let row = "[{},{},{},{}]";
    format!("{{\"size\":4,\"grid\":[{row},{row},{row},{row}],{rules}}}\n").replace(' ', "")
}

/// Each rule of f-puzzles, alone, has as many solutions as a count by hand or by symmetry says, or as an equal rule in
/// other words.
#[test]
fn every_rule_of_f_puzzles_is_read() {
    let count = |rules: &str| {
        let (out, err, status) = sudoku(&["count"], json(rules).as_bytes());
        assert_eq!((err.as_str(), status), ("", 0), "{rules}");
        out.trim().parse::<u32>().unwrap()
    };
    let row = r#""R1C1","R1C2","R1C3","R1C4""#;
    // Of 288 grids each order of the first row begins twelve.
    for (rules, expected) in [
        (format!(r#""thermometer":[{{"lines":[[{row}]]}}]"#), 12),
        (format!(r#""renban":[{{"lines":[[{row}]]}}]"#), 288),
        (r#""renban":[{"lines":[["R1C1","R1C2"]]}]"#.into(), 144), // 12, 23, 34 and back, of 12 pairs
        (r#""whispers":[{"lines":[["R1C1","R1C2"]],"value":"3"}]"#.into(), 48), // 14 and 41
        (r#""whispers":[{"lines":[["R1C1","R1C2"]]}]"#.into(), 144), // 2 at side 4: 13, 14, 24 and back
        (r#""betweenline":[{"lines":[["R1C1","R1C2","R1C3"]]}]"#.into(), 96), // 8 of 24 orders
        (r#""arrow":[{"lines":[["R1C1","R1C2","R1C3"]],"cells":["R1C1"]}]"#.into(), 48), // 312 321 413 431
        (r#""palindrome":[{"lines":[["R1C1","R2C3"]]}]"#.into(), 144),
        (r#""clone":[{"cells":["R1C1"],"cloneCells":["R2C3"]}]"#.into(), 144),
        (r#""difference":[{"cells":["R1C1","R1C2"]}]"#.into(), 144),
        (r#""difference":[{"cells":["R1C1","R1C2"],"value":"3"}]"#.into(), 48),
        (r#""ratio":[{"cells":["R1C1","R1C2"],"value":""}]"#.into(), 96), // 12, 24 and back
        (r#""xv":[{"cells":["R1C1","R1C2"],"value":"V"}]"#.into(), 96), // 14, 23 and back
        (r#""inequality":[{"cells":["R1C1","R1C2"]}]"#.into(), 144),
        (r#""odd":[{"cell":"R1C1"},{"cell":"R1C2"}]"#.into(), 48), // 13 and 31
        (r#""even":[{"cell":"R1C1"}]"#.into(), 144),
        (r#""minimum":[{"cell":"R1C1"}],"even":[{"cell":"R1C1"}]"#.into(), 24), // 2, then 34 or 43 around: half of 24
        (r#""quadruple":[{"cells":["R1C1","R1C2","R2C1","R2C2"],"values":[1,4]}]"#.into(), 288),
        (r#""quadruple":[{"cells":["R1C2","R1C3","R2C2","R2C3"],"values":[1,1]}]"#.into(), 72),
        (r#""littlekillersum":[{"cell":"R0C1","cells":["R1C2","R2C1"],"direction":"DL","value":"7"}]"#.into(), 48),
        (r#""sandwichsum":[{"cell":"R1C0","value":"5"}]"#.into(), 48), // 1 at one end, 4 at the other
        (r#""sandwichsum":[{"cell":"R0C1","value":"5"}]"#.into(), 48),
        (r#""killercage":[{"cells":["R1C1","R1C2"],"value":"3"}]"#.into(), 48),
        (r#""killercage":[{"cells":["R1C1","R2C3"]}]"#.into(), 144),
        (r#""extraregion":[{"cells":["R1C1","R2C3"]}]"#.into(), 144),
    ] {
        assert_eq!(count(&rules), expected, "{rules}");
    }
    // Counted by a program that tries all 288 grids.
    let marks = |name: &str, pairs: &[&str]| {
        let pairs = pairs.iter().map(|pair| {
            let (one, other) = pair.split_at(4);
            format!(r#"{{"cells":["{one}","{other}"]}}"#)
        });
        format!(r#""{name}":[{}]"#, pairs.collect::<Vec<_>>().join(","))
    };
    let ratios = [
        "R1C1R1C2", "R2C1R3C1", "R2C3R2C4", "R2C3R3C3", "R3C1R3C2", "R4C3R4C4",
    ];
    let ratios = marks("ratio", &ratios);
    let differences = [
        "R1C1R1C2", "R2C3R2C4", "R2C3R3C3", "R2C4R3C4", "R3C3R3C4", "R4C1R4C2",
    ];
    let differences = marks("difference", &differences);
    for (rules, expected) in [
        (r#""maximum":[{"cell":"R1C1"}],"odd":[{"cell":"R1C1"}]"#, 24),
        (r#""antiking":true"#, 0),
        (r#""antiknight":true"#, 24),
        (r#""nonconsecutive":true"#, 0),
        (&format!(r#"{differences},"nonconsecutive":true"#), 2),
        (r#""negative":["xv"]"#, 8),
        (r#""negative":["ratio"]"#, 0),
        (&format!(r#"{ratios},"negative":["ratio"]"#), 4),
    ] {
        assert_eq!(count(rules), expected, "{rules}");
    }
    let refused = json(r#""skyscraper":[{"cell":"R1C0","value":"2"}]"#);
    assert_eq!(
        sudoku(&["solve"], refused.as_bytes()).1,
        "standard input:1: the rule 'skyscraper' is not solved here; skipped\n"
    );
    // A rule that is not known, or only drawn, and candidates that are given.
    let drawn = r#""line":[{"lines":[["R1C1","R1C2"]],"fromConstraint":"Nabner"}]"#;
    for (rules, name) in [
        (r#""newrule":[{"cells":["R1C1"]}]"#, "newrule"),
        (drawn, "Nabner"),
    ] {
        let (out, err, status) = sudoku(&["solve"], json(rules).as_bytes());
        let expected = format!("standard input:1: the rule '{name}' is not solved here; skipped\n");
        assert_eq!((out.as_str(), err, status), ("", expected, 1));
    }
    let both =
        format!(r#"{drawn},"renban":[{{"lines":[["R1C1","R1C2"]]}}]"#).replace("Nabner", "Renban");
    assert_eq!(count(&both), 144);
    let candidates = json("\"title\":\"x\"").replacen("{}", r#"{"givenPencilMarks":[1,2]}"#, 1);
    let (_, err, _) = sudoku(&["solve"], candidates.as_bytes());
    assert!(
        err.contains("the rule 'givenPencilMarks' is not solved here"),
        "{err}"
    );
    let sum = json(r#""killercage":[{"cells":["R1C1","R1C2"],"value":"<5"}]"#);
    let (_, err, _) = sudoku(&["solve"], sum.as_bytes());
    assert!(
        err.contains("expected the number of the rule 'killercage', found \"<5\""),
        "{err}"
    );
    let outside = json(r#""thermometer":[{"lines":[["R1C1","R1C5"]]}]"#);
    assert_eq!(
        sudoku(&["solve"], outside.as_bytes()).1,
        "standard input:1: expected cells from R1C1 to R4C4; skipped\n"
    );
    let long = json(r#""thermometer":[{"lines":[["R1C1","R1C2","R1C3","R1C4","R2C4"]]}]"#);
    assert_eq!(
        sudoku(&["solve"], long.as_bytes()).1,
        "standard input:1: row 1, column 1: thermometer: found 5 cells, expected 2 to 4; skipped\n"
    );
}

#[test]
fn json_of_several_lines_and_with_blanks_is_read() {
    let one = json(r#""thermometer":[{"lines":[["R1C1","R1C2","R1C3","R1C4"]]}]"#);
    let spaced = one.replace(':', ": ").replace(',', ", ");
    let lines = spaced.replace("[{", "[\n  {\n ");
    let own = r#"{"cells": [[{},{"value":2},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],
        "regions": [], "cages": [{"cells": [[0,0],[1,2]], "unique": true}, {"title": "x"}]}"#;
    for (text, expected) in [
        (spaced.clone(), "12\n"),
        (lines.clone(), "12\n"),
        (format!("{lines}\n{lines}"), "12\n12\n"),
        (own.to_owned(), "36\n"), // 72 grids with this 2, in half of which the two cells differ
    ] {
        let (out, err, status) = sudoku(&["count"], text.as_bytes());
        assert_eq!(
            (out.as_str(), err.as_str(), status),
            (expected, "", 0),
            "{text}"
        );
    }
    let damaged = lines.trim_end().trim_end_matches('}');
    let (_, err, status) = sudoku(&["count"], damaged.as_bytes());
    assert!(
        err.starts_with("standard input:1: ") && err.contains("damaged"),
        "{err}"
    );
    assert_eq!(status, 1);
}

#[test]
fn an_address_without_a_puzzle_and_a_puzzle_as_a_name_are_explained() {
    let line = "1.....3..4.....2";
    let text =
        format!("https://sudokupad.app/abcdef\n{line}\nhttps://www.f-puzzles.com/?id=2pw5swny\n");
    let (out, err, status) = sudoku(&["solve"], text.as_bytes());
    assert_eq!((out.as_str(), status), ("1324423124133142\n", 1));
    assert_eq!(
        err.matches("expected an address with a puzzle in it")
            .count(),
        2,
        "{err}"
    );
    let (_, err, status) = sudoku(&["solve", line], b"");
    assert!(
        err.contains("is a puzzle and no file: pass it on standard input"),
        "{err}"
    );
    assert_eq!(status, 2);
}

/// Constraints that `generate` writes are read again, and leave one solution.
#[test]
fn generated_constraints_are_read_again() {
    for kind in sudoku::generate::Kind::ALL {
        let name = kind.name();
        let side = match name {
            "anti-king" | "nonconsecutive" => "6", // no grid of side 4 obeys them
            _ => "4",
        };
        let arguments = [
            "generate",
            "--variant",
            name,
            "--side",
            side,
            "--seed",
            "1",
            "--count",
            "2",
        ];
        let (text, err, status) = sudoku(&arguments, b"");
        assert_eq!(
            (err.as_str(), status, text.lines().count()),
            ("", 0, 2),
            "{name}"
        );
        let (_, err, status) = sudoku(&["check"], text.as_bytes());
        assert_eq!((err.as_str(), status), ("", 0), "{name}: {text}");
    }
}

/// The kept puzzles with constraints: ten of each kind, each with one solution.
#[test]
fn the_kept_puzzles_with_constraints_have_one_solution() {
    for kind in sudoku::generate::Kind::ALL {
        let file = format!(
            "{}/benches/puzzles/variants/{}.txt",
            env!("CARGO_MANIFEST_DIR"),
            kind.name()
        );
        let (out, err, status) = sudoku(&["check", &file], b"");
        assert_eq!(
            (err.as_str(), status, out.lines().count()),
            ("", 0, 10),
            "{file}"
        );
    }
}
