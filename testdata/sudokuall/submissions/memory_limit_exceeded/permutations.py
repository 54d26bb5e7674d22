"""Too big: lists the ways to fill each row before it looks which of them fit."""

import itertools
import sys


def fits(rows, row):
    """Whether `row` can stand below `rows`."""
    top = len(rows) // 3 * 3
    for c, digit in enumerate(row):
        left = c // 3 * 3
        if any(other[c] == digit for other in rows):
            return False
        if any(digit in other[left : left + 3] for other in rows[top:]):
            return False
    return True


def solve(rows, ways):
    if len(rows) == 9:
        for row in rows:
            print(*row)
        print()
        return 1
    return sum(solve([*rows, row], ways) for row in ways[len(rows)] if fits(rows, row))


grid = [[int(word) for word in line.split()] for line in sys.stdin]
ways = [list(itertools.permutations(range(1, 10))) for _ in grid]
for given, rows in zip(grid, ways):
    rows[:] = [row for row in rows if all(g in (0, d) for g, d in zip(given, row))]
print(solve([], ways))
