"""Too slow: exact cover, with all 4096 choices set up anew for every grid."""

import sys


def solve(grid):
    """Fills the 256 cells of `grid` in place; whether that was possible."""
    # A choice (cell, digit) meets four demands: the cell's, and the digit's in each house.
    choices = {}
    for cell in range(256):
        r, c = divmod(cell, 16)
        b = r // 4 * 4 + c // 4
        for d in range(16):
            choices[cell, d] = (cell, 256 + 16 * r + d, 512 + 16 * c + d, 768 + 16 * b + d)
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


for k, text in enumerate(sys.stdin.read().split("\n\n")):
    grid = [" ABCDEFGHIJKLMNOP".index(c.replace("-", " ")) for c in text if c != "\n"]
    solve(grid)
    if k > 0:
        print()
    for r in range(16):
        print("".join(" ABCDEFGHIJKLMNOP"[digit] for digit in grid[16 * r : 16 * r + 16]))
