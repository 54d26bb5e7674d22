"""Crashes: takes every cell for a number, also the dots of empty ones."""

import json
import sys

text = sys.stdin.read().strip("[]\n")
grid = [[int(cell) for cell in row.split(",")] for row in text.split("],[")]
print(json.dumps(grid, separators=(",", ":")))
