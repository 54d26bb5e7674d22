# Talks to a submission: reads its guesses from standard input and answers on standard output. Exits with 42 if
# the submission is right, with 43 if it is wrong; the reason goes to `judgemessage.txt`.
import re
import sys


def wrong(message):
    with open(sys.argv[3] + "/judgemessage.txt", "w") as file:
        file.write(message)
    sys.exit(43)


with open(sys.argv[1]) as file:
    number = int(file.read())
for _ in range(7):
    line = sys.stdin.buffer.readline()
    if not re.fullmatch(rb"[0-9]{1,9}\n", line):
        wrong(f"expected a number, found {line[:20]!r}")
    guess = int(line)
    if guess == number:
        print("correct", flush=True)
        sys.exit(42 if not sys.stdin.buffer.read().strip() else 43)
    print("lower" if number < guess else "higher", flush=True)
wrong(f"{number} was not found with seven guesses")
