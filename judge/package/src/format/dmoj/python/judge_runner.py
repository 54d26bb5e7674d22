"""Runs a DMOJ checker or grader as an output validator of the ICPC format.

    judge_runner.py INPUT ANSWER FEEDBACK_DIR/ SETTINGS FACTS < output     (42 accepts, 43 rejects)

SETTINGS is what the package says of the case, FACTS what is known of the run. The source of the
submission lies beside it as `submission`. What DMOJ files import of DMOJ stands in `dmoj/`.
"""

import importlib.util
import io
import json
import os
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
# The directory of the package's file.
JUDGED = os.path.join(HERE, "judged")
sys.path.insert(0, HERE)

from dmoj.checkers import standard  # noqa: E402
from dmoj.config import ConfigNode  # noqa: E402
from dmoj.graders.standard import Beyond  # noqa: E402
from dmoj.problem import Problem, TestCase  # noqa: E402
from dmoj.result import CheckerResult, Result  # noqa: E402

# What DMOJ takes where a package says nothing.
DEFAULTS = {
    "wall_time_factor": 3,
    "output_prefix_length": 64,
    "output_limit_length": 25165824,
    "binary_data": False,
    "short_circuit": True,
    "dependencies": [],
    "points": 1,
    "symlinks": ConfigNode(),
    "meta": ConfigNode(),
}


class Case(TestCase):
    """What a grader sees of a test case."""

    def __init__(self, settings, input_path, answer_path):
        self.points = settings.points
        self.position = settings.position
        self.batch = settings.batch
        self.config = ConfigNode({**DEFAULTS, **settings.config})
        self.has_binary_data = settings.binary_data
        self._input, self._answer = input_path, answer_path

    def input_data(self):
        with open(self._input, "rb") as file:
            return file.read()

    def input_data_io(self):
        return io.BytesIO(self.input_data())

    def output_data(self):
        with open(self._answer, "rb") as file:
            return file.read()

    def checker(self):
        if self.config.checker not in (None, "standard"):
            raise Beyond("the grader leaves the output to a checker besides")
        return standard.check

    def free_data(self):
        pass


class TheProblem(Problem):
    """What a grader sees of the problem."""

    def __init__(self, settings):
        self.id = settings.problem
        self.config = ConfigNode({**DEFAULTS, **settings.common})
        self.time_limit = settings.time_limit
        self.memory_limit = settings.memory_limit


def load(path):
    spec = importlib.util.spec_from_file_location("judged_module", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def source_of_submission():
    try:
        with open("submission", "rb") as file:
            return file.read()
    except OSError:
        return b""


def check(module, settings, case, facts):
    output = sys.stdin.buffer.read()
    result = Result(
        case,
        proc_output=output,
        execution_time=facts.time or 0.0,
        wall_clock_time=facts.wall or 0.0,
        max_memory=facts.memory or 0,
        result_flag=getattr(Result, facts.ended or "", 0),
    )
    told = dict(
        judge_input=case.input_data(),
        submission_source=source_of_submission(),
        submission_language="",
        point_value=case.points,
        case_position=case.position,
        batch=case.batch,
        binary_data=case.has_binary_data,
        execution_time=result.execution_time,
        problem_id=settings.problem,
        case=case,
        result=result,
    )
    try:
        return module.check(output, case.output_data(), **{**settings.args, **told})
    except UnicodeDecodeError:
        return CheckerResult(False, 0, feedback="invalid unicode")


def grade(module, settings, case, facts):
    grader = module.Grader(None, TheProblem(settings), "", source_of_submission())
    try:
        result = grader.grade(case)
    except UnicodeDecodeError:
        return CheckerResult(False, 0, feedback="invalid unicode")
    passed = result.result_flag == Result.AC
    return CheckerResult(passed, result.points, result.feedback, result.extended_feedback)


def described(error):
    """The error of a package's file, with the lines of that file that led to it."""
    if isinstance(error, Beyond):
        return "%s, which only DMOJ's own judge can do" % error
    frames = traceback.extract_tb(error.__traceback__)
    lines = [
        "%s, line %d, in %s" % (os.path.basename(frame.filename), frame.lineno, frame.name)
        for frame in frames
        if os.path.dirname(frame.filename) == JUDGED
    ]
    what = traceback.format_exception_only(type(error), error)[-1].strip()
    return ": ".join(lines + [what])


def main():
    try:
        judge(*sys.argv[1:])
    except Exception as error:
        # The judge reports any exit code besides 42 and 43 with this message.
        with open(sys.argv[3] + "judgemessage.txt", "w", errors="replace") as file:
            file.write(described(error))
        os._exit(1)


def judge(input_path, answer_path, feedback, settings, facts):
    settings, facts = (json.loads(text, object_hook=ConfigNode) for text in (settings, facts))
    case = Case(settings, input_path, answer_path)
    module = load(os.path.join(HERE, settings.file))
    result = (grade if settings.part == "grader" else check)(module, settings, case, facts)
    if not isinstance(result, CheckerResult):
        result = CheckerResult(bool(result), case.points if result else 0.0)
    message = result.extended_feedback or result.feedback
    if message:
        with open(feedback + "judgemessage.txt", "w", errors="replace") as file:
            file.write(str(message))
    full = case.points if result.passed else 0
    if result.points is not None and result.points != full:
        with open(feedback + "score.txt", "w") as file:
            file.write(repr(float(result.points)))
    # Nothing that it left running, and no pipe that is closed already, may change that.
    os._exit(42 if result.passed else 43)


main()
