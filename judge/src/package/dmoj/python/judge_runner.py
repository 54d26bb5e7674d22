"""Runs a DMOJ checker or interactive grader as an output validator of the ICPC format.

    judge_runner.py INPUT ANSWER FEEDBACK_DIR/ SETTINGS < output     (42 accepts, 43 rejects)

The few names of DMOJ's own package that such files import stand in `dmoj/` beside this file.
"""

import importlib.util
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from dmoj.graders.interactive import Interactor, WrongAnswer  # noqa: E402
from dmoj.result import CheckerResult, Result  # noqa: E402


class Config(dict):
    """Keys of init.yml, as items and as attributes; one that is not there is None."""

    def __missing__(self, key):
        return None

    __getattr__ = dict.get


class Case:
    """What a grader sees of a test case."""

    def __init__(self, settings, input_path, answer_path):
        self.points = settings["points"]
        self.position = settings["position"]
        self.batch = settings["batch"]
        self.config = Config(settings["config"])
        self.has_binary_data = settings["binary_data"]
        self._input, self._answer = input_path, answer_path

    def input_data(self):
        with open(self._input, "rb") as file:
            return file.read()

    def output_data(self):
        with open(self._answer, "rb") as file:
            return file.read()


class Problem:
    """What a grader sees of the problem."""

    def __init__(self, settings):
        self.id = settings["problem"]
        self.config = Config(settings["config"])


def load(path):
    spec = importlib.util.spec_from_file_location("judged_module", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(module, settings, case):
    output = sys.stdin.buffer.read()
    return module.check(
        output,
        case.output_data(),
        judge_input=case.input_data(),
        submission_source=b"",
        submission_language="",
        point_value=case.points,
        case_position=case.position,
        batch=case.batch,
        binary_data=case.has_binary_data,
        execution_time=0.0,
        problem_id=settings["problem"],
        case=case,
        result=Result(case, output),
        **settings["args"],
    )


def interact(module, settings, case):
    grader = module.Grader(None, Problem(settings), "", b"")
    interactor = Interactor()
    # What the grader prints is for its author.
    sys.stdout = sys.stderr
    try:
        result = grader.interact(case, interactor)
    except WrongAnswer as error:
        result = CheckerResult(False, 0, feedback=str(error))
    except OSError as error:
        result = CheckerResult(False, 0, feedback=str(error))
    try:
        interactor.close()
    except OSError:
        pass
    return result


def main():
    input_path, answer_path, feedback, settings = sys.argv[1:]
    settings = json.loads(settings)
    case = Case(settings, input_path, answer_path)
    module = load(os.path.join(HERE, settings["file"]))
    try:
        result = (interact if settings["interactive"] else check)(module, settings, case)
    except UnicodeDecodeError:
        result = CheckerResult(False, 0, feedback="invalid unicode")
    if not isinstance(result, CheckerResult):
        result = CheckerResult(bool(result), case.points if result else 0.0)
    message = result.extended_feedback or result.feedback
    if message:
        with open(feedback + "judgemessage.txt", "w", errors="replace") as file:
            file.write(str(message))
    if not result.passed:
        os._exit(43)
    if result.points is not None and result.points != case.points:
        with open(feedback + "score.txt", "w") as file:
            file.write(repr(float(result.points)))
    os._exit(42)


main()
