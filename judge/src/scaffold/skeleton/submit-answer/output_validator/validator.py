# Checks an output, which it reads from standard input: exits with 42 if it is right, with 43 if it is wrong.
import re
import sys

with open(sys.argv[1]) as file:
    number = int(file.read())
text = sys.stdin.buffer.read(1000)
if not re.fullmatch(rb"[0-9]{1,9}( [0-9]{1,9}){3}\n?", text):
    sys.exit(43)
sys.exit(42 if sum(int(part) ** 2 for part in text.split()) == number else 43)
