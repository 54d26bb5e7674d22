# A submission that must be too slow: replace it by a right solution with a larger complexity.
while True:
    pass
