"""Prints a table of answers and outputs with the decisions of the original checkers.

Usage: make.py TESTLIB DMOJ HYDRO > table.txt

TESTLIB has the compiled checkers of testlib, DMOJ is the judge-server's repository with a compiled
`dmoj/checkers/_checker`, HYDRO is the file `checkers.ts` of Hydro's judge. A line of the table is JSON: the
checker, the decision, the answer, the output; a character of a text is a byte.
"""

import importlib
import json
import random
import re
import subprocess
import sys
import tempfile
import types
from pathlib import Path

INTEGERS = "0 1 2 -1 7 10 007 -0 +1 2147483647 2147483648 -2147483649 9223372036854775807 9223372036854775808 abc 1.0".split()
NUMBERS = (
    "0 -0 1 1.0 1.000001 1.0000014 1.0000016 1.00001 1.000016 1.0001 1.00011 0.9999999 0.999998 1e-7 1e-10 1000000 1000000.9 "
    "1000001.1 -1 1e299 1e301 2e301 1e999 -1e999 inf nan NaN Infinity 1e 1e+ .5 5. . - +1 1_0 10 0x10 1e5 1.5.2 x1 2"
).split()
WORDS = "a b B ab a\vb c\f \xe9 \xff 1 01 x\0y x\0z Case".split(" ")
ANSWERS = "YES NO yes no Yes maybe".split()
CASES = [f"Case {k}:" for k in range(1, 4)] + ["Case", "case 1:", "Case 01:"]

TESTLIB = {
    "acmp rcmp dcmp pointscmp pointsinfo rcmp4 rcmp6 rcmp9 rncmp": NUMBERS,
    "icmp ncmp uncmp hcmp": INTEGERS,
    "wcmp fcmp lcmp": WORDS,
    "yesno nyesno": ANSWERS,
    "caseicmp casencmp casewcmp": INTEGERS,
}
DMOJ = {
    "standard easy identical linecount rstripped rstripped-filter sorted sorted-whitespace unordered": WORDS,
    "floats floatsabs floatsrel floats-0": NUMBERS,
}
ENDS = ["\n", "\n", "\n", "\r\n", "", "\n\n", "\r", " \n", "\n \n", "\t\n\n", "\r\r\n", "\n\r\n", "\v\n"]
GAPS = [" ", " ", " ", "\n", "\n", "\n", "\r\n", "  ", "\t", "\n\n", "\n \n", " \n", "\r", "\n ", "\r\r\n", "\f"]


def answer(rng, checker, pool):
    usual = pool[:6]
    if checker.startswith("case"):
        lines = []
        for k in range(1, rng.randint(1, 3) + 1):
            count = 1 if checker == "caseicmp" else rng.randint(0, 3)
            lines.append(" ".join([f"Case {k}:"] + rng.choices(usual, k=count)))
        return "\n".join(lines) + "\n"
    single = checker in "acmp rcmp dcmp pointscmp pointsinfo icmp hcmp yesno".split()
    tokens = rng.choices(usual if rng.random() < 0.85 else pool, k=1 if single else rng.randint(0, 4))
    text = "".join(token + rng.choice(GAPS[:6]) for token in tokens).rstrip("\n ")
    return text + rng.choice(ENDS if rng.random() < 0.3 else ENDS[:1])


def output(rng, text, pool):
    parts = re.split(r"([ \n]+)", text)
    for _ in range(rng.choice([0, 1, 1, 2])):
        k = rng.randrange(len(parts))
        if k % 2:
            parts[k] = rng.choice(GAPS)
        else:
            change = rng.random()
            if change < 0.6:
                parts[k] = rng.choice(rng.choice([pool, pool[:6]]))
            elif change < 0.7:
                parts[k] = parts[k].encode("latin-1").swapcase().decode("latin-1")
            elif change < 0.8:
                parts[k] += rng.choice(GAPS) + rng.choice(pool)
            elif change < 0.9:
                other = rng.randrange(0, len(parts), 2)
                parts[k], parts[other] = parts[other], parts[k]
            else:
                del parts[k : k + 2]
                parts = parts or [""]
    text = "".join(parts)
    if rng.random() < 0.5:
        text = text.rstrip("\n") + rng.choice(ENDS)
    if rng.random() < 0.1:
        text = rng.choice([" ", "\n", "\t", "\xef\xbb\xbf", "\xef\xbb", "\r"]) + text
    return text


def pairs(names, pool, count):
    for checker in names.split():
        rng = random.Random(checker)
        words = pool + CASES if checker.startswith("case") else pool
        known = set()
        while len(known) < count:
            right = answer(rng, checker, pool)
            known.add((right, output(rng, right, words)))
        for pair in sorted(known):
            yield checker, *pair


def testlib(programs, checker, right, given):
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place, name) for name in ("input", "output", "answer")]
        for file, text in zip(files, ("", given, right)):
            file.write_bytes(text.encode("latin-1"))
        run = subprocess.run([Path(programs, checker), *files], capture_output=True)
    if run.returncode != 7:
        return {0: "AC", 1: "WA", 2: "PE", 3: "JE"}[run.returncode]
    points = run.stderr.decode("latin-1").split()[1]
    return "WA" if points.startswith("points_info") else points


def load_dmoj(root):
    sys.path.insert(0, str(root))
    for name in ("dmoj", "dmoj.checkers", "dmoj.utils"):
        module = sys.modules[name] = types.ModuleType(name)
        module.__path__ = [str(Path(root, name.replace(".", "/")))]
    result = sys.modules["dmoj.result"] = types.ModuleType("dmoj.result")

    class CheckerResult:
        def __init__(self, passed, points, feedback=None, extended_feedback=None):
            self.passed, self.points, self.feedback = passed, points, feedback

    result.CheckerResult = CheckerResult


def dmoj(checker, right, given):
    name, _, option = checker.partition("-")
    check = importlib.import_module(f"dmoj.checkers.{name}").check
    args = {"filter": {"filter_new_line": True}, "whitespace": {"split_on": "whitespace"}, "0": {"precision": 0}}.get(option, {})
    found = check(given.encode("latin-1"), right.encode("latin-1"), point_value=1.0, **args)
    if isinstance(found, bool):
        return "AC" if found else "WA"
    if name == "linecount" and not found.passed:
        return repr(found.points)
    return "AC" if found.passed else "PE" if found.feedback else "WA"


def hydro(script, checker, right, given):
    with tempfile.TemporaryDirectory() as place:
        Path(place, "compare.sh").write_text(script)
        Path(place, "usrout").write_bytes(given.encode("latin-1"))
        Path(place, "answer").write_bytes(right.encode("latin-1"))
        args = ["BZ"] if checker == "default" else []
        run = subprocess.run(["bash", "compare.sh", *args], cwd=place, capture_output=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"})
    assert run.returncode == 0, run
    return "WA" if run.stdout else "AC"


def main(programs, root, source):
    def line(*fields):
        print(json.dumps(fields))

    for names, pool in TESTLIB.items():
        for checker, *pair in pairs(names, pool, 40):
            line(f"testlib {checker}", testlib(programs, checker, *pair), *pair)
    load_dmoj(root)
    for names, pool in DMOJ.items():
        for checker, *pair in pairs(names, pool, 40):
            line(f"dmoj {checker}", dmoj(checker, *pair), *pair)
    script = Path(source).read_text()
    script = script[script.index("const compareSh = `") :].split("`")[1]
    script = script.replace("${' '.repeat(64)}", " " * 64).replace("\\\\", "\\")
    words = [word for word in WORDS if "\0" not in word]
    for checker, *pair in pairs("default strict", words, 80):
        line(f"hydro {checker}", hydro(script, checker, *pair), *pair)


main(*sys.argv[1:])
