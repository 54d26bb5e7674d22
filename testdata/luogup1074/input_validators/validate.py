#!/usr/bin/env python3
"""Input validator: nine rows of nine numbers, at least 24 of them givens; an empty line may follow.

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


rows = [take(r"[0-9]( [0-9]){8} ?", "nine digits with one blank between") for _ in range(9)]
givens = sum(row.count(digit) for row in rows for digit in "123456789")
if givens < 24:
    fail(f"found {givens} givens, expected at least 24")
if lines[read:] == [""]:
    read += 1
if read < len(lines):
    fail(f"line {read + 1}: found {lines[read]!r}, expected the end of the input")
sys.exit(42)
