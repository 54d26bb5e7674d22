"""Crashes: looks for the largest given of every row, and some row has none."""

import sys


def solve(grid):
    """Fills the 81 cells of `grid` in place; whether that was possible."""
    # A choice (cell, digit) meets four demands: the cell's, and the digit's in each house.
    choices = {}
    for cell in range(81):
        r, c = divmod(cell, 9)
        b = r // 3 * 3 + c // 3
        for d in range(9):
            choices[cell, d] = (cell, 81 + 9 * r + d, 162 + 9 * c + d, 243 + 9 * b + d)
    demands = {}
    for choice, met in choices.items():
        for demand in met:
            demands.setdefault(demand, set()).add(choice)

    def take(choice):
        removed = []
        for demand in choices[choice]:
            for other in demands[demand]:
                for third in choices[other]:
                    if third != demand:
                        demands[third].discard(other)
            removed.append(demands.pop(demand))
        return removed

    def put_back(choice, removed):
        for demand in reversed(choices[choice]):
            demands[demand] = removed.pop()
            for other in demands[demand]:
                for third in choices[other]:
                    if third != demand:
                        demands[third].add(other)

    def search():
        if not demands:
            return True
        for choice in list(min(demands.values(), key=len)):
            grid[choice[0]] = choice[1] + 1
            removed = take(choice)
            if search():
                return True
            put_back(choice, removed)
        return False

    for cell, digit in enumerate(grid):
        if digit:
            take((cell, digit - 1))
    return search()


rows = [[int(word) for word in line.split()] for line in sys.stdin]
largest = [max(digit for digit in row if digit) for row in rows]
assert max(largest) <= 9
grid = sum(rows, [])
solve(grid)
for r in range(9):
    print(*grid[9 * r : 9 * r + 9])
