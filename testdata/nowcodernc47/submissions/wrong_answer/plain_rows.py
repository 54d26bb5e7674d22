"""Wrong: answers nine rows instead of nested lists, and fills nothing."""

import sys

cells = [c for c in sys.stdin.read() if c in ".123456789"]
for r in range(9):
    print("".join(cells[9 * r : 9 * r + 9]))
