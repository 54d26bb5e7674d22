# A submission that must get a wrong answer: replace it by a plausible mistake.
a, b = map(int, input().split())
print(abs(a - b))
