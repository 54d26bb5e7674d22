import sys

from dmoj.utils.unicode import utf8bytes


class WrongAnswer(BaseException):
    pass


class Interactor:
    """The submission, from the grader's side: its output is read, its input is written."""

    def __init__(self):
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        # The rest of a line of which a token was read.
        self._tokens = None

    def read(self):
        data = self._in.read()
        if not data:
            raise IOError("the submission closed its output")
        return data

    def readln(self, strip_newline=True):
        line = self._in.readline()
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

    def _number(self, kind, name, lo, hi, delim):
        token = self.readtoken(delim)
        try:
            if len(token) > 10000:
                raise ValueError
            number = kind(token)
        except ValueError:
            raise WrongAnswer("expected %s, got %r" % (name, token[:20]))
        if not lo <= number <= hi:
            raise WrongAnswer("expected %s in range [%s, %s], got %s" % (name, lo, hi, number))
        return number

    def readint(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(int, "int", lo, hi, delim)

    def readfloat(self, lo=float("-inf"), hi=float("inf"), delim=None):
        return self._number(float, "float", lo, hi, delim)

    def write(self, value):
        self._out.write(utf8bytes(str(value)))
        self._out.flush()

    def writeln(self, value):
        self.write(str(value) + "\n")

    def close(self):
        self._out.close()


class InteractiveGrader:
    def __init__(self, judge, problem, language, source):
        self.judge = judge
        self.problem = problem
        self.language = language
        self.source = source

    def interact(self, case, interactor):
        raise NotImplementedError
