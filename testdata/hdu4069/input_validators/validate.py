#!/usr/bin/env python3
"""Input validator: the number of puzzles, then nine rows of nine numbers each; walls on both sides of a border.

Exits 42 when standard input is as the statement says, else 43 with the line at fault.
"""

import re
import sys


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(43)


lines = sys.stdin.buffer.read().decode("ascii", "replace").split("\n")
if lines.pop() != "":
    fail("the last line does not end")
read = 0


def take(pattern, expected):
    """The next line, which must have this form."""
    global read
    found = repr(lines[read]) if read < len(lines) else "the end of the input"
    if read == len(lines) or not re.fullmatch(pattern, lines[read]):
        fail(f"line {read + 1}: found {found}, expected {expected}")
    read += 1
    return lines[read - 1]


for _ in range(int(take(r"[1-9][0-9]{0,3}", "the number of puzzles, at most 2500"))):
    while read < len(lines) and lines[read] == "":
        read += 1
    codes = [[int(word) for word in take(r"[0-9]{1,3}( [0-9]{1,3}){8}", "nine numbers").split()] for _ in range(9)]
    for r in range(9):
        for c in range(9):
            code = codes[r][c]
            right = codes[r][c + 1] & 128 if c < 8 else 128
            below = codes[r + 1][c] & 16 if r < 8 else 16
            if code > 255 or code % 16 > 9 or bool(code & 32) != bool(right) or bool(code & 64) != bool(below):
                fail(f"row {r + 1}, column {c + 1}: {code} does not fit the cells beside it")
if read < len(lines):
    fail(f"line {read + 1}: found {lines[read]!r}, expected the end of the input")
sys.exit(42)
