# Checks the input of the first pass, which it reads from standard input: exits with 42 if it is valid.
import re
import sys

if not re.fullmatch(rb"encode\n[a-z]{1,20}\n", sys.stdin.buffer.read()):
    sys.exit("expected `encode` and a word of lower-case letters")
sys.exit(42)
