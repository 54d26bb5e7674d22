"""Graders run beside the submission: its output is their standard input, and the other way."""

import io
import sys
import threading

from dmoj.result import CheckerResult, Result


class Beyond(Exception):
    """What only DMOJ's own judge can do."""


class Process:
    """The submission. It runs in a box of the judge's, who measures it and knows how it ends: to
    the grader it ends well, and what speaks against it counts afterwards."""

    returncode = 0
    signal = None
    is_tle = is_mle = is_ole = is_rte = is_ir = False
    execution_time = wall_clock_time = 0.0
    max_memory = 0

    def __init__(self, to_submission, from_submission):
        self.stdin, self.stdout = to_submission, from_submission
        self.stderr = io.BytesIO()
        self._fed = False

    def feed(self, data):
        """Writes all that the submission is to read, while its output is read."""

        def write():
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[self.stdin.write(rest) :]
                self.stdin.close()
            except OSError:
                pass

        self._fed = True
        threading.Thread(target=write, daemon=True).start()

    def communicate(self, input=None, outlimit=None, errlimit=None, **others):
        if not self._fed:
            self.feed(input or b"")
        return self.stdout.read() if outlimit is None else self.stdout.read(outlimit + 1), b""

    unsafe_communicate = communicate

    def wait(self, *others):
        return self.returncode

    poll = wait

    def kill(self):
        for end in (self.stdin, self.stdout):
            end.close()


class Binary:
    """The submission, compiled; the judge has started it already, once for each case."""

    name = "submission"

    def __init__(self):
        self._process = Process(sys.stdout.buffer, sys.stdin.buffer)
        # What the grader prints is for its author.
        sys.stdout = sys.stderr

    def launch(self, *args, stdin=None, **limits):
        if self._process is None:
            raise Beyond("the grader starts the submission twice for one case")
        if args:
            raise Beyond("the grader starts the submission with arguments")
        process, self._process = self._process, None
        if isinstance(stdin, io.BytesIO):
            process.feed(stdin.getvalue())
        return process

    launch_unsafe = launch

    def populate_result(self, error, result, process):
        pass


class StandardGrader:
    def __init__(self, judge, problem, language, source):
        self.judge = judge
        self.problem = problem
        self.language = language
        self.source = source
        self.binary = Binary()
        self._current_proc = None
        self._abort_requested = False

    def grade(self, case):
        result = Result(case)
        self._launch_process(case, case.input_data_io())
        error = self._interact_with_process(case, result)
        self.populate_result(error, result, self._current_proc)
        found = self.check_result(case, result)
        if not isinstance(found, CheckerResult):
            found = CheckerResult(bool(found), case.points if found else 0.0)
        result.result_flag |= Result.AC if found.passed else Result.WA
        result.points = found.points
        result.feedback = found.feedback or result.feedback
        result.extended_feedback = found.extended_feedback or result.extended_feedback
        return result

    def _launch_process(self, case, input_file=None):
        self._current_proc = self.binary.launch(stdin=input_file)

    def _interact_with_process(self, case, result):
        limit = case.config.output_limit_length
        result.proc_output, error = self._current_proc.communicate(None, outlimit=limit)
        if limit is not None and len(result.proc_output) > limit:
            result.result_flag |= Result.OLE
        return error

    def populate_result(self, error, result, process):
        self.binary.populate_result(error, result, process)

    def check_result(self, case, result):
        return case.checker()(result.proc_output, case.output_data(), point_value=case.points)

    def abort_grading(self):
        pass
