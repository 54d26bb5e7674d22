# Checks the output of each pass, which it reads from standard input: exits with 42 if it is right, with 43 if it
# is wrong. It writes the input of the second pass to `nextpass.in`, and what it must remember to `word`.
import os
import re
import sys

feedback = sys.argv[3]
state = os.path.join(feedback, "word")
line = sys.stdin.buffer.read(1000).decode("latin-1")
if os.path.exists(state):
    with open(state) as file:
        sys.exit(42 if line.strip() == file.read() else 43)
if not re.fullmatch(r"[01]{1,100}\n?", line):
    sys.exit(43)
with open(sys.argv[1]) as file:
    word = file.read().split()[1]
with open(state, "w") as file:
    file.write(word)
with open(os.path.join(feedback, "nextpass.in"), "w") as file:
    file.write("decode\n" + line.strip() + "\n")
sys.exit(42)
