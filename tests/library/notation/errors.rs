//! The messages for malformed grids.

use sudoku::notation::{Found, Notation};

#[test]
fn what_is_wrong_is_named_with_its_place() {
    const MARKS: &str = "or '.', '0', '-', '*' or '?' for an empty cell";
    let symbol = |place: &str| format!("{place}: '1' to '4', {MARKS}");
    for (notation, text, place, expected) in [
        (
            Notation::SPACED,
            "",
            "line 1, column 1: found the end of the input",
            "a grid: 4 rows of 4 numbers with blanks between".into(),
        ),
        (
            Notation::SPACED,
            "1 2 3 4\n3 4 5 2\n",
            "line 2, column 5: found '5'",
            "number 3 of row 2: 1 to 4, or 0 for an empty cell".into(),
        ),
        (
            Notation::SPACED,
            "1 2 3 4\n3 4 10 2\n",
            "line 2, column 5: found '10'",
            "number 3 of row 2: 1 to 4, or 0 for an empty cell".into(),
        ),
        (
            Notation::SPACED,
            "1 2 3 -1\n",
            "line 1, column 7: found '-1'",
            "number 4 of row 1: 1 to 4, or 0 for an empty cell".into(),
        ),
        (
            Notation::SPACED,
            "1 2 3\n3 4 1 2\n",
            "line 1, column 6: found the end of the line",
            "number 4 of row 1: 1 to 4, or 0 for an empty cell".into(),
        ),
        (
            Notation::SPACED,
            "1 2 3 4 4\n",
            "line 1, column 9: found '4'",
            "the end of row 1 after its 4 numbers".into(),
        ),
        (
            Notation::SPACED,
            "1 2 3 \u{e9}\n",
            "line 1, column 7: found '\u{fffd}\u{fffd}'",
            "number 4 of row 1: 1 to 4, or 0 for an empty cell".into(),
        ),
        (
            Notation::SPACED,
            "1 2 3 4\n34x2\n",
            "line 2, column 3: found 'x'",
            symbol("cell 3 of row 2"),
        ),
        (
            Notation::SPACED,
            "\n1 2 3 4\n3 4 1 2\n2 1 4 3\n",
            "line 5, column 1: found the end of the input",
            "row 4 of the 4 rows of the grid that begins in line 2".into(),
        ),
        (
            Notation::SPACED,
            "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n\n 7\n",
            "line 6, column 2: found '7'",
            "the end of the input".into(),
        ),
        (
            Notation::ROWS,
            "1234\n341\n",
            "line 2, column 4: found the end of the line",
            symbol("cell 4 of row 2"),
        ),
        (
            Notation::ROWS,
            "1234\r\n341\r\n",
            "line 2, column 4: found the end of the line",
            symbol("cell 4 of row 2"),
        ),
        (
            Notation::ROWS,
            "1234\n34125\n",
            "line 2, column 5: found '5'",
            "the end of row 2 after its 4 cells".into(),
        ),
        (
            Notation::ROWS,
            "1234\n3\x0742\n",
            "line 2, column 2: found the byte 0x07",
            symbol("cell 2 of row 2"),
        ),
        (
            Notation::ROWS,
            "12 34\n",
            "line 1, column 3: found a blank",
            symbol("cell 3 of row 1"),
        ),
        (
            Notation::LINE,
            "123434122143432\n",
            "line 1, column 16: found the end of the line",
            symbol("cell 4 of row 4"),
        ),
        (
            Notation::LINE,
            "1234341221434321\n12343412214343215\n",
            "line 2, column 1: found '1'",
            "the end of the input".into(),
        ),
        (
            Notation::LINE,
            "12343412214343215\n",
            "line 1, column 17: found '5'",
            "the end of the line after 16 cells".into(),
        ),
        (
            Notation::BRACKETS,
            "1234\n",
            "line 1, column 1: found '1'",
            "'[' before the first row".into(),
        ),
        (
            Notation::BRACKETS,
            "[[1,2,3,4],\n[3,4,1;2]]",
            "line 2, column 7: found ';'",
            "',' and then cell 4 of row 2".into(),
        ),
        (
            Notation::BRACKETS,
            "[[1,2,3,4,5],",
            "line 1, column 10: found ','",
            "']' after the 4 cells of row 1".into(),
        ),
        (
            Notation::BRACKETS,
            "[[1,2,\"3',4],",
            "line 1, column 9: found '''",
            "the same quote as before the symbol".into(),
        ),
        (
            Notation::BRACKETS,
            "[[1,2,3,4],[3,4,1,2]]",
            "line 1, column 21: found ']'",
            "',' and then row 3 of 4".into(),
        ),
        (
            Notation::BRACKETS,
            "[[1,2,3,12]",
            "line 1, column 10: found '2'",
            "']' after the 4 cells of row 1".into(),
        ),
    ] {
        let error = notation.parse::<4>(text).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{place}, expected {expected}"),
            "{text:?}"
        );
    }
    let error = Notation::DASHED_ROWS
        .parse::<16>("ABCDEFGHIJKLMNOQ\n")
        .unwrap_err();
    assert_eq!(
        (error.line, error.column, error.found),
        (1, 16, Found::Byte(b'Q'))
    );
    assert!(Notation::LINE.parse::<9>(&"@".repeat(81)).is_err());
    assert!(Notation::LINE.parse::<16>(&"@".repeat(256)).is_err());
}
