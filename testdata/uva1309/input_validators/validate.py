#!/usr/bin/env python3
"""Input validator: grids of 16 rows of A to P or -, one empty line between two grids.

That each grid has exactly one solution is proven where the cases are made.

Exits 42 when standard input is as the statement says, else 43 with the line at fault.
"""

import re
import sys

ROW = re.compile(rb"[A-P-]{16}\n")


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(43)


def check_givens(first_line, rows, side, box, empty):
    """A puzzle with a solution has no digit twice in a row, a column or a box."""
    seen = {}
    for r, row in enumerate(rows):
        for c, digit in enumerate(row):
            if digit == empty:
                continue
            for house in (("row", r), ("column", c), ("box", r // box * box + c // box)):
                if (house, digit) in seen:
                    line, column = seen[house, digit]
                    fail(
                        f"line {first_line + r}, column {c + 1}: {digit} stands in the same "
                        f"{house[0]} as in line {line}, column {column}"
                    )
                seen[house, digit] = (first_line + r, c + 1)


def main():
    lines = sys.stdin.buffer.read().splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if number % 17 == 0:
            if line != b"\n":
                fail(f"line {number}: found {line!r}, expected an empty line between two grids")
        elif not ROW.fullmatch(line):
            fail(f"line {number}: found {line!r}, expected 16 characters A to P or -")
    if len(lines) % 17 != 16:
        fail(f"line {len(lines) + 1}: found the end of the input, expected another row or grid")
    for first in range(0, len(lines), 17):
        rows = [line.decode().rstrip("\n") for line in lines[first : first + 16]]
        check_givens(first + 1, rows, 16, 4, "-")
    sys.exit(42)


if __name__ == "__main__":
    main()
