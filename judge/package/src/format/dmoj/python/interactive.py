from dmoj.graders.standard import StandardGrader
from dmoj.result import CheckerResult
from dmoj.utils.unicode import utf8bytes, utf8text

LONGEST_NUMBER = 10000


class WrongAnswer(BaseException):
    pass


class Interactor:
    """The submission, from the grader's side: its output is read, its input is written."""

    def __init__(self, process):
        self.process = process
        # The rest of a line of which a token was read.
        self._tokens = None

    def read(self):
        data = self.process.stdout.read()
        if not data:
            raise IOError("the submission closed its output")
        return data

    def readln(self, strip_newline=True):
        line = self.process.stdout.readline()
        if not line:
            raise IOError("the submission closed its output")
        return line.rstrip() if strip_newline else line

    def readtoken(self, delim=None):
        if not self._tokens:
            self._tokens = self.readln()
        parts = self._tokens.split(delim, 1)
        if len(parts) == 2:
            token, self._tokens = parts
        else:
            token, self._tokens = self._tokens, None
        return token

    def _number(self, kind, name, form, lo, hi, delim):
        token = self.readtoken(delim)
        if len(token) > LONGEST_NUMBER:
            raise WrongAnswer("%s is too long" % name)
        try:
            number = kind(token)
        except ValueError:
            text = utf8text(token, "replace")
            shown = text[:5] + "..." if len(text) > 5 else text
            raise WrongAnswer('expected %s, got "%s"' % (kind.__name__, shown))
        if not lo <= number <= hi:
            raise WrongAnswer(("expected %s in range " + form) % (kind.__name__, lo, hi, number))
        return number

    def readint(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(int, "integer", "[%.0f, %.0f], got %d", lo, hi, delim)

    def readfloat(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(float, "float", "[%.2f, %.2f], got %.2f", lo, hi, delim)

    def write(self, value):
        self.process.stdin.write(utf8bytes(str(value)))
        self.process.stdin.flush()

    def writeln(self, value):
        self.write(str(value) + "\n")

    def close(self):
        self.process.stdin.close()


class InteractiveGrader(StandardGrader):
    def _launch_process(self, case, input_file=None):
        super()._launch_process(case, None)

    def _interact_with_process(self, case, result):
        interactor = Interactor(self._current_proc)
        self.check, self.feedback = False, None
        try:
            self.check = self.interact(case, interactor)
            interactor.close()
        except (WrongAnswer, OSError) as error:
            self.feedback = str(error)
        return b""

    def check_result(self, case, result):
        if isinstance(self.check, CheckerResult):
            return self.check
        points = case.points if self.check else 0.0
        return CheckerResult(bool(self.check), points, feedback=self.feedback)

    def interact(self, case, interactor):
        raise NotImplementedError
