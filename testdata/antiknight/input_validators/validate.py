#!/usr/bin/env python3
"""Input validator: the number of puzzles, then nine rows of nine symbols for each.

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


for _ in range(int(take(r"[1-9][0-9]{0,3}", "the number of puzzles"))):
    for _ in range(9):
        take(r"[1-9.]{9}", "nine symbols")
if read < len(lines):
    fail(f"line {read + 1}: found {lines[read]!r}, expected the end of the input")
sys.exit(42)
