#!/usr/bin/env python3
"""Input validator: the number of puzzles, then sixteen rows of letters each, an empty line between two.

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


puzzles = int(take(r"[1-9]|10", "the number of puzzles, at most 10"))
for puzzle in range(puzzles):
    if puzzle > 0:
        take("", "an empty line between two puzzles")
    for _ in range(16):
        take(r"[A-P-]{16}", "sixteen letters")
if read < len(lines):
    fail(f"line {read + 1}: found {lines[read]!r}, expected the end of the input")
sys.exit(42)
