#!/usr/bin/env python3
"""Input validator: nine rows of the square, the thermometers.

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
used = set()
for _ in range(int(take(r"0|[1-9]|[1-3][0-9]|40", "the number of thermometers"))):
    words = [int(word) for word in take(r"[2-9]( [1-9] [1-9])+", "a thermometer").split()]
    cells = list(zip(words[1::2], words[2::2]))
    if words[0] != len(cells):
        fail(f"line {read}: found {len(cells)} cells, expected {words[0]}")
    if any(max(abs(a - c), abs(b - d)) != 1 for (a, b), (c, d) in zip(cells, cells[1:])):
        fail(f"line {read}: two cells do not touch")
    if used & set(cells) or len(set(cells)) < len(cells):
        fail(f"line {read}: a cell is in two places of thermometers")
    used.update(cells)
if read < len(lines):
    fail(f"line {read + 1}: found {lines[read]!r}, expected the end of the input")
sys.exit(42)
