#!/usr/bin/env python3
"""Input validator: nine rows of nine digits with one blank between.

Givens may clash: such a puzzle has no solution. That there are at most 20 000 solutions is proven
where the cases are made.

Exits 42 when standard input is as the statement says, else 43 with the line at fault.
"""

import re
import sys

ROW = re.compile(rb"[0-9]( [0-9]){8}\n")


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(43)


def main():
    lines = sys.stdin.buffer.read().splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if number > 9:
            fail(f"line {number}: expected the end of the input after 9 lines")
        if not ROW.fullmatch(line):
            fail(f"line {number}: found {line!r}, expected 9 digits with one blank between")
    if len(lines) < 9:
        fail(f"line {len(lines) + 1}: found the end of the input, expected 9 lines")
    sys.exit(42)


if __name__ == "__main__":
    main()
