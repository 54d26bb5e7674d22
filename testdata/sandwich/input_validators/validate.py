#!/usr/bin/env python3
"""Input validator: nine rows of the square, the sums of rows and of columns.

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


for _ in range(9):
    take(r"[1-9.]{9}", "nine symbols")
for which in ("rows", "columns"):
    sums = take(r"\d{1,2}( \d{1,2}){8}", f"the sums of the nine {which}").split()
    for total in sums:
        if str(int(total)) != total or int(total) > 35:
            fail(f"line {read}: found {total}, expected a sum from 0 to 35")
if read < len(lines):
    fail(f"line {read + 1}: found {lines[read]!r}, expected the end of the input")
sys.exit(42)
