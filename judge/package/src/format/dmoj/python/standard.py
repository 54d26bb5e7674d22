def check(process_output, judge_output, **kwargs):
    """The same words in the same lines, whatever blanks and empty lines stand between them."""
    return _lines(process_output) == _lines(judge_output)


def _lines(data):
    lines = (line.split() for line in data.splitlines())
    return [words for words in lines if words]
