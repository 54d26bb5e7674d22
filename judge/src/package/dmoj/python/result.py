class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed = passed
        self.points = points
        self.feedback = feedback
        self.extended_feedback = extended_feedback


class Result:
    AC, WA, RTE, TLE, MLE, IR, SC, OLE = 0, 1, 2, 4, 8, 16, 32, 64

    def __init__(self, case, proc_output=b""):
        self.case = case
        self.proc_output = proc_output
        self.result_flag = 0
        self.execution_time = 0.0
        self.max_memory = 0
        self.points = 0
        self.feedback = ""
        self.extended_feedback = ""
