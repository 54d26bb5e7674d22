#!/usr/bin/env python3
"""Compares what a server says about the contest `c` with what was sent to it and what ran.

    check_log.py DIRECTORY

The directory has
- sent.jsonl: the submissions that the server acknowledged, each with the verdict and the number of
  runs (results of cases) that it has to get;
- ran-*.jsonl: the attempts of workers with a fake sandbox, if any: a number of its own for each, which
  is the CPU time of its runs in milliseconds, and the verdicts of its cases;
- feed.ndjson: the server's event feed, the log of all changes in their order;
- scoreboard.json: the scoreboard that the server computed.

Nothing may be lost, nothing may count twice, and the scoreboard is computed again here, from the
events alone.
"""

import json
import pathlib
import sys
from collections import Counter, defaultdict

here = pathlib.Path(sys.argv[1])
errors = Counter()
shown = 20


def lines(name):
    with open(here / name, encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def check(holds, what, about):
    """Counts an error of this kind, and shows the first ones."""
    if not holds:
        errors[what] += 1
        if sum(errors.values()) <= shown:
            print(f"error: {what}: {about}")


def milliseconds(time):
    """A time such as 1:02:03.456."""
    hours, minutes, seconds = time.split(":")
    return (int(hours) * 60 + int(minutes)) * 60_000 + round(float(seconds) * 1000)


# The log: the last state of each object, and what must not be said twice.
objects = defaultdict(dict)
runs_of = defaultdict(dict)
final = {}
events = 0
previous = 0
for event in lines("feed.ndjson"):
    events += 1
    token, kind, key, data = int(event["token"]), event["type"], event["id"], event["data"]
    check(token > previous, "the feed is out of order", token)
    previous = token
    if kind == "contest":
        objects[kind] = data
    elif kind == "runs":
        judgement = key.rsplit("-", 1)[0]
        if data is None:
            check(key in runs_of[judgement], "a run was deleted that was not there", key)
            runs_of[judgement].pop(key, None)
        else:
            check(key not in runs_of[judgement], "a run came twice", key)
            check(judgement not in final, "a run came after the verdict", key)
            runs_of[judgement][key] = (data["ordinal"], data["judgement_type_id"], data.get("run_time"))
    elif kind == "submissions":
        check(key not in objects[kind], "a submission came twice", key)
        objects[kind][key] = data
    elif kind == "judgements" and data is not None:
        submission = data["submission_id"]
        known = objects["judgement of"].setdefault(submission, key)
        check(known == key, "a submission has two judgements", submission)
        if data.get("judgement_type_id") is not None:
            check(key not in final, "a judgement has two verdicts", key)
            final[key] = data
    elif isinstance(key, str):
        objects[kind][key] = data

attempts = {}
for file in sorted(here.glob("ran-*.jsonl")):
    for ran in lines(file.name):
        check(ran["number"] not in attempts, "two attempts have one number", ran["number"])
        attempts[ran["number"]] = ran

# Every submission has one verdict, which follows from its runs, all of one attempt.
sent = {str(one["submission"]): one for one in lines("sent.jsonl")}
runs = 0
submissions = objects["submissions"]
for key in sent.keys() - submissions.keys():
    check(False, "a submission is lost", key)
verdicts = {}
for key, submission in submissions.items():
    judgement = objects["judgement of"].get(key)
    verdict = final.get(judgement)
    if verdict is None:
        check(False, "a submission has no verdict", key)
        continue
    verdicts[key] = verdict["judgement_type_id"]
    own = sorted(runs_of[judgement].values(), key=lambda run: run[0])
    runs += len(own)
    check([run[0] for run in own] == list(range(1, len(own) + 1)), "runs are missing", (key, own))
    kinds = [run[1] for run in own]
    failures = [kind for kind in kinds if kind != "AC"]
    follows = failures[0] if failures else "AC" if own else "CE"
    check(follows == verdicts[key], "a verdict is not that of its runs", (key, verdicts[key], kinds))
    one = sent.get(key)
    if one is not None:
        expected = (one["verdict"], one["runs"], one["team"], one["problem"])
        found = (verdicts[key], len(own), submission["team_id"], submission["problem_id"])
        check(expected == found, "a submission got another result", (key, expected, found))
    if attempts and own:
        ran = attempts.get(round(own[0][2] * 1000), {})
        check(len({run[2] for run in own}) == 1, "runs of two attempts are mixed", (key, own))
        check(str(ran.get("submission")) == key, "the attempt is of another submission", (key, ran))
        check(ran.get("verdicts") == kinds, "the attempt had other results", (key, ran, kinds))

# The scoreboard, by the rules of the ICPC.
penalty = milliseconds(objects["contest"]["penalty_time"]) // 60_000
types = objects["judgement-types"]
cells = defaultdict(lambda: [0, None])
for key, submission in sorted(submissions.items(), key=lambda s: (milliseconds(s[1]["contest_time"]), int(s[0]))):
    cell = cells[submission.get("team_id"), submission["problem_id"]]
    kind = types[verdicts.get(key, "JE")]
    if cell[1] is None and (kind["solved"] or kind["penalty"]):
        cell[0] += 1
        if kind["solved"]:
            cell[1] = milliseconds(submission["contest_time"])
rows = []
for team in objects["teams"]:
    own = {problem: cells[team, problem] for problem in objects["problems"]}
    solved = [(tries, time) for tries, time in own.values() if time is not None]
    total = sum(time // 60_000 + (tries - 1) * penalty for tries, time in solved)
    last = max((time // 60_000 for _, time in solved), default=-1)
    rows.append(((-len(solved), total, last), team, own))
places = sorted(place for place, _, _ in rows)
first = {}
for rank, place in enumerate(places, 1):
    first.setdefault(place, rank)
computed = {team: (first[place], -place[0], place[1], own) for place, team, own in rows}
board = json.loads((here / "scoreboard.json").read_text(encoding="utf-8"))["rows"]
check(len(board) == len(computed), "the scoreboard has other teams", (len(board), len(computed)))
for row in board:
    score = row["score"]
    own = {}
    for cell in row["problems"]:
        check(cell["num_pending"] == 0, "a cell is pending", (row["team_id"], cell))
        time = milliseconds(cell["time"]) if cell["solved"] else None
        own[cell["problem_id"]] = [cell["num_judged"], time]
    found = (row["rank"], score["num_solved"], milliseconds(score["total_time"]) // 60_000, own)
    expected = computed.get(row["team_id"])
    check(found == expected, "a row of the scoreboard differs", (row["team_id"], found, expected))

others = len(submissions.keys() - sent.keys())
print(
    f"{runs} runs of {len(submissions)} submissions ({others} of them not acknowledged), "
    f"{len(attempts)} attempts logged, {events} events, a scoreboard of {len(board)} teams"
)
for what, count in errors.items():
    print(f"{count} times: {what}")
sys.exit(1 if errors or not runs else 0)
