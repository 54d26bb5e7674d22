#!/usr/bin/env python3
"""Input validator: nine rows of the square, nine rows of cages, the sums of the cages.

That there is exactly one solution is proven where the cases are made.

Exits 42 when standard input is as the statement says, else 43 with the line at fault.
"""

import re
import sys


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(43)


def main():
    lines = sys.stdin.buffer.read().splitlines(keepends=True)
    forms = [(rb"[1-9.]{9}\n", "9 characters 1 to 9 or .")] * 9
    forms += [(rb"(0|[1-9]\d?)( (0|[1-9]\d?)){8}\n", "9 numbers of cages with one blank between")] * 9
    forms += [(rb"[1-9]\d?( [1-9]\d?)*\n", "the sums of the cages with one blank between")]
    for number, (form, what) in enumerate(forms, 1):
        found = lines[number - 1] if number <= len(lines) else b"the end of the input"
        if not re.fullmatch(form, found):
            fail(f"line {number}: found {found!r}, expected {what}")
    if len(lines) > 19:
        fail("line 20: expected the end of the input")
    square = [line.decode().strip() for line in lines[:9]]
    cages = {}
    for r, line in enumerate(lines[9:18]):
        for c, word in enumerate(line.split()):
            cage = int(word)
            if cage > len(cages) + 1:
                fail(f"line {r + 10}, number {c + 1}: found cage {cage} before cage {len(cages) + 1}")
            if cage > 0:
                cages.setdefault(cage, []).append((r, c))
    sums = [int(word) for word in lines[18].split()]
    if len(sums) != len(cages):
        fail(f"line 19: found {len(sums)} sums, expected {len(cages)}")
    for (cage, cells), total in zip(cages.items(), sums):
        size = len(cells)
        if size > 5:
            fail(f"cage {cage} has {size} cells, expected at most 5")
        if not size * (size + 1) // 2 <= total <= size * (19 - size) // 2:
            fail(f"line 19: {size} different digits do not have the sum {total} of cage {cage}")
    houses = [[(k, j) for j in range(9)] for k in range(9)] + [[(j, k) for j in range(9)] for k in range(9)]
    houses += [[(k // 3 * 3 + j // 3, k % 3 * 3 + j % 3) for j in range(9)] for k in range(9)]
    for house in houses + list(cages.values()):
        digits = [square[r][c] for r, c in house if square[r][c] != "."]
        if len(digits) != len(set(digits)):
            row, column = house[0]
            fail(f"a digit is twice in the house or cage of row {row + 1}, column {column + 1}")
    sys.exit(42)


if __name__ == "__main__":
    main()
