#!/usr/bin/env python3
"""Output validator: the board as JSON, with blanks anywhere, compared as a value.

validate.py INPUT ANSWER FEEDBACK_DIR < OUTPUT     exits 42 to accept, 43 to reject
"""

import json
import pathlib
import sys

answer = json.loads(pathlib.Path(sys.argv[2]).read_text())
try:
    output = json.loads(sys.stdin.read())
except ValueError as error:
    output = f"no JSON: {error}"
if output == answer:
    sys.exit(42)
pathlib.Path(sys.argv[3], "judgemessage.txt").write_text(f"found {str(output)[:200]}, expected {answer}\n")
sys.exit(43)
