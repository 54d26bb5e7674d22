from dmoj.error import InternalError
from dmoj.result import CheckerResult


def lines_of(data):
    return [line for line in data.replace(b"\r", b"\n").split(b"\n") if line]


def check(
    process_output,
    judge_output,
    point_value=1,
    point_distribution=(1,),
    filler_lines_required=True,
    **kwargs
):
    """Line by line; each that is the answer's gives its share of the points."""
    found, wanted = lines_of(process_output), lines_of(judge_output)
    total = sum(point_distribution)
    if len(wanted) != len(point_distribution) or total == 0:
        raise InternalError("point_distribution does not fit the %d lines" % len(wanted))
    if filler_lines_required and len(found) != len(wanted):
        return False
    shares = zip(found, wanted, point_distribution)
    earned = sum(share for mine, theirs, share in shares if mine == theirs)
    return CheckerResult(earned > 0, point_value * earned / total)
