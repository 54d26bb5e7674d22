class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed = passed
        self.points = points
        self.feedback = feedback
        self.extended_feedback = extended_feedback


class Result:
    AC, WA, RTE, TLE, MLE, IR, SC, OLE, IE = 0, 1, 2, 4, 8, 16, 32, 64, 1 << 30

    def __init__(self, case, result_flag=0, execution_time=0.0, max_memory=0, proc_output=b"",
                 feedback="", extended_feedback="", points=0, **others):
        self.case = case
        self.result_flag = result_flag
        self.execution_time = execution_time
        self.wall_clock_time = others.get("wall_clock_time", execution_time)
        self.max_memory = max_memory
        self.proc_output = proc_output
        self.feedback = feedback
        self.extended_feedback = extended_feedback
        self.points = points

    @property
    def total_points(self):
        return self.case.points

    @property
    def output(self):
        """The beginning of the output, as DMOJ shows it."""
        shown = self.case.config.output_prefix_length or 0
        return self.proc_output[:shown].decode("utf-8", "replace")

    def update_feedback(self, *others, feedback=None):
        self.feedback = feedback or self.feedback
