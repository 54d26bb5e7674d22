#!/usr/bin/env python3
"""Input validator: nine rows of nine digits with one blank between; a row may end with a blank.

That there is exactly one solution is proven where the cases are made.

Exits 42 when standard input is as the statement says, else 43 with the line at fault.
"""

import re
import sys

ROW = re.compile(rb"[0-9]( [0-9]){8} ?\n")


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
    lines = sys.stdin.buffer.read().splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if number > 9:
            fail(f"line {number}: expected the end of the input after 9 lines")
        if not ROW.fullmatch(line):
            fail(f"line {number}: found {line!r}, expected 9 digits with one blank between")
    if len(lines) < 9:
        fail(f"line {len(lines) + 1}: found the end of the input, expected 9 lines")
    check_givens([line.decode().split() for line in lines], 9, 3, "0")
    sys.exit(42)


if __name__ == "__main__":
    main()
