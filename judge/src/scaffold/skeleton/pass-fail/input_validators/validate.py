# Checks an input, which it reads from standard input: exits with 42 if the input is valid.
import re
import sys

line = re.fullmatch(rb"(0|[1-9][0-9]{0,9}) (0|[1-9][0-9]{0,9})\n", sys.stdin.buffer.read())
if line is None:
    sys.exit("expected one line with two integers")
if max(map(int, line.groups())) > 10**9:
    sys.exit("a number is above 10^9")
sys.exit(42)
