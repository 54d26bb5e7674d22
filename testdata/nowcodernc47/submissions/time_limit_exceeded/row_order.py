"""Too slow: fills the cells row by row and looks at row, column and box for every digit."""

import sys


def fits(grid, r, c, digit):
    if digit in grid[r] or any(row[c] == digit for row in grid):
        return False
    top, left = r // 3 * 3, c // 3 * 3
    return all(digit not in row[left : left + 3] for row in grid[top : top + 3])


def solve(grid, cell):
    if cell == 81:
        return True
    r, c = divmod(cell, 9)
    if grid[r][c] != ".":
        return solve(grid, cell + 1)
    for digit in "123456789":
        if fits(grid, r, c, digit):
            grid[r][c] = digit
            if solve(grid, cell + 1):
                return True
    grid[r][c] = "."
    return False


text = sys.stdin.read().strip("[]\n")
grid = [row.split(",") for row in text.split("],[")]
solve(grid, 0)
print("[" + ",".join("[" + ",".join(row) + "]" for row in grid) + "]")
