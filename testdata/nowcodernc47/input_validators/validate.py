#!/usr/bin/env python3
"""Input validator: one line with the board in brackets, without blanks.

That there is exactly one solution is proven where the cases are made.

Exits 42 when standard input is as the statement says, else 43 with what is at fault.
"""

import sys

# What stands where: c for a cell.
ROW = "[" + ",".join("c" * 9) + "]"
BOARD = "[" + ",".join([ROW] * 9) + "]\n"


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(43)


def check_givens(rows, side, box, empty):
    """A puzzle with a solution has no digit twice in a row, a column or a box."""
    seen = {}
    for r, row in enumerate(rows):
        for c, digit in enumerate(row):
            if digit == empty:
                continue
            for house in (("row", r), ("column", c), ("box", r // box * box + c // box)):
                if (house, digit) in seen:
                    row, column = seen[house, digit]
                    fail(
                        f"row {r + 1}, column {c + 1}: {digit} stands in the same {house[0]} "
                        f"as in row {row}, column {column}"
                    )
                seen[house, digit] = (r + 1, c + 1)


def main():
    text = sys.stdin.buffer.read().decode("latin-1")
    for column, (found, expected) in enumerate(zip(text, BOARD), 1):
        if found not in ("123456789." if expected == "c" else expected):
            expected = "1 to 9 or ." if expected == "c" else repr(expected)
            fail(f"column {column}: found {found!r}, expected {expected}")
    if len(text) != len(BOARD):
        fail(f"found {len(text)} characters, expected {len(BOARD)}")
    rows = [row.split(",") for row in text.strip("[]\n").split("],[")]
    check_givens(rows, 9, 3, ".")
    sys.exit(42)


if __name__ == "__main__":
    main()
