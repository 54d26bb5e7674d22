# Checks an input, which it reads from standard input: exits with 42 if the input is valid. Its argument is
# the largest number of the test group, from `input_validator_args` in `test_group.yaml`.
import re
import sys

largest = int(sys.argv[1]) if len(sys.argv) > 1 else 10**9
line = re.fullmatch(rb"(0|[1-9][0-9]{0,9}) (0|[1-9][0-9]{0,9})\n", sys.stdin.buffer.read())
if line is None:
    sys.exit("expected one line with two integers")
if max(map(int, line.groups())) > largest:
    sys.exit(f"a number is above {largest}")
sys.exit(42)
