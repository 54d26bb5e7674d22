# Checks an input, which it reads from standard input: exits with 42 if the input is valid.
import re
import sys

text = sys.stdin.buffer.read()
if not re.fullmatch(rb"[1-9][0-9]{0,2}\n", text) or int(text) > 100:
    sys.exit("expected one number from 1 to 100")
sys.exit(42)
