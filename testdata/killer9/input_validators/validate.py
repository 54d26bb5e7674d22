#!/usr/bin/env python3
"""Input validator: the number of cages, then a line for each; every cell lies in one cage.

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


cells = []
for _ in range(int(take(r"[1-9][0-9]?", "the number of cages"))):
    total, size, *own = map(int, take(r"[1-9][0-9]?( [1-9][0-9]?){2,10}", "sum, number of cells, cells").split())
    if size != len(own):
        fail(f"line {read}: found {len(own)} cells, expected {size}")
    cells += own
if sorted(cells) != list(range(1, 82)):
    fail("the cages do not cover every cell once")
if read < len(lines):
    fail(f"line {read + 1}: found {lines[read]!r}, expected the end of the input")
sys.exit(42)
