"""Too slow: fills the cells row by row and looks at row, column and box for every digit."""

import sys


def fits(grid, r, c, digit):
    if digit in grid[r] or any(row[c] == digit for row in grid):
        return False
    top, left = r // 3 * 3, c // 3 * 3
    return all(digit not in row[left : left + 3] for row in grid[top : top + 3])


def solve(grid, cell):
    """Prints every solution; returns their number."""
    if cell == 81:
        for row in grid:
            print(*row)
        print()
        return 1
    r, c = divmod(cell, 9)
    if grid[r][c]:
        return solve(grid, cell + 1)
    count = 0
    for digit in range(1, 10):
        if fits(grid, r, c, digit):
            grid[r][c] = digit
            count += solve(grid, cell + 1)
    grid[r][c] = 0
    return count


def is_consistent(grid):
    for r in range(9):
        for c in range(9):
            digit, grid[r][c] = grid[r][c], 0
            good = not digit or fits(grid, r, c, digit)
            grid[r][c] = digit
            if not good:
                return False
    return True


grid = [[int(word) for word in line.split()] for line in sys.stdin]
print(solve(grid, 0) if is_consistent(grid) else 0)
