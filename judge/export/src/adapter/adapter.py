import os
import re
import subprocess
import sys
import tempfile


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read(65536)
    except OSError:
        return ""


def number(text):
    try:
        return float(text.split()[0])
    except (IndexError, ValueError):
        return None


def translate(code, message, feedback):
    """Returns accepted, rejected, presentation or failed; the share of the points, or None; the message."""
    if INNER == "icpc":
        message = read(os.path.join(feedback, "judgemessage.txt")).strip() or message
        share = number(read(os.path.join(feedback, "score_multiplier.txt")))
        return {42: "accepted", 43: "rejected"}.get(code, "failed"), share, message
    if INNER == "testlib":
        found = re.search(r"^\s*partially correct \((\d+)\)", message, re.MULTILINE)
        if found and (code not in (1, 2, 3, 4, 8) or code == int(found[1])):
            share = int(found[1]) / WHOLE
            return ("accepted", share if share < 1 else None, message) if share > 0 else ("rejected", None, message)
        kinds = {0: "accepted", 1: "rejected", 2: "presentation", 4: "presentation", 8: "presentation"}
        return kinds.get(code, "failed"), None, message
    if INNER == "cms":
        share = number(read(os.path.join(feedback, "..", "stdout"))) or 0
        if code != 0:
            return "failed", None, message
        return ("accepted" if share > 0 else "rejected"), (share if 0 < share < 1 else None), message
    if INNER == "sio2":
        lines = read(os.path.join(feedback, "..", "stdout")).split("\n") + ["", "", ""]
        word, said, percentage = (line.strip() for line in lines[:3])
        over, _, under = percentage.rstrip("%").partition("/")
        share = float(over or 100) / float(under or 1) / 100
        if code > 2 or word != "OK" or share <= 0:
            return "rejected", None, said or message
        return "accepted", (share if share < 1 else None), said or message
    return ("accepted" if code == 0 else "rejected"), None, message


def respond(kind, share, message, feedback):
    """Tells the judge; returns the exit status."""
    if kind == "failed":
        print("the program failed:", message, file=sys.stderr)
        return 3 if OUTER in ("testlib", "dmoj") else 1
    if OUTER == "validator-icpc":
        print(message, file=sys.stderr)
        return 42 if kind == "accepted" else 43
    if OUTER == "validator-testlib":
        print(message, file=sys.stderr)
        return 0 if kind == "accepted" else 3
    if OUTER == "icpc":
        with open(os.path.join(feedback, "judgemessage.txt"), "a") as file:
            print(message, file=file)
        if kind == "accepted" and share is not None and POINTS:
            with open(os.path.join(feedback, "score_multiplier.txt"), "w") as file:
                print(share, file=file)
        return 42 if kind == "accepted" else 43
    if OUTER == "dmoj":
        is_part = kind == "accepted" and share is not None
        if is_part:
            print("partial %d/10000" % int(share * 10000 + 0.5), file=sys.stderr)
        print(message, file=sys.stderr)
        return 7 if is_part else 0 if kind == "accepted" else 1
    if kind == "accepted" and share is not None:
        percentage = int(share * 100 + 0.5)
        print("partially correct (%d) %s" % (percentage, message), file=sys.stderr)
        return 50 + percentage
    print(message, file=sys.stderr)
    return {"accepted": 0, "rejected": 1, "presentation": 2}[kind]


def main():
    with tempfile.TemporaryDirectory() as directory:
        for name, text in SOURCES.items():
            path = os.path.join(directory, "program", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        inner_feedback = os.path.join(directory, "feedback")
        os.mkdir(inner_feedback)
        feedback, stdin, stdout = "", sys.stdin, subprocess.DEVNULL
        if ROLE == "validator":
            words = sys.argv[1:]
            # Options for testlib itself.
            while OUTER == "validator-testlib" and words[:1] in (["--testset"], ["--group"]):
                words = words[2:]
        else:
            source = sys.argv[1]
            output = os.path.join(directory, "output")
            if OUTER == "icpc":
                answer, feedback = sys.argv[2:4]
                if ROLE == "checker":
                    with open(output, "wb") as file:
                        while chunk := sys.stdin.buffer.read(65536):
                            file.write(chunk)
            else:
                output, answer = sys.argv[2:4]
            places = {"input": source, "output": output, "answer": answer, "feedback": inner_feedback + os.sep}
            words = [places[name] for name in ORDER] + ARGUMENTS
            if ROLE == "interactor":
                stdout = sys.stdout
            else:
                stdin = open(output, "rb") if INNER == "icpc" else subprocess.DEVNULL
                stdout = open(os.path.join(directory, "stdout"), "wb")
        errors = os.path.join(directory, "stderr")
        with open(errors, "wb") as stderr:
            command = [sys.executable, os.path.join(directory, "program", PROGRAM)] + words
            code = subprocess.run(command, stdin=stdin, stdout=stdout, stderr=stderr).returncode
        message = read(errors).strip()
        if code < 0 or message.startswith("Traceback"):
            return respond("failed", None, message, feedback)
        kind, share, message = translate(code, message, inner_feedback)
        return respond(kind, share, message, feedback)


sys.exit(main())
