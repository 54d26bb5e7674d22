#!/usr/bin/env python3
"""Input validator: 21 rows of 21 symbols.

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


corners = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)]
for r in range(21):
    row = take(r"[1-9.#]{21}", "21 symbols")
    for c in range(21):
        inside = any(a <= r < a + 9 and b <= c < b + 9 for a, b in corners)
        if inside == (row[c] == "#"):
            fail(f"line {r + 1}, column {c + 1}: found {row[c]!r}")
if read < len(lines):
    fail(f"line {read + 1}: found {lines[read]!r}, expected the end of the input")
sys.exit(42)
