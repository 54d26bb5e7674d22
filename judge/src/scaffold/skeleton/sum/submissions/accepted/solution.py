# A submission that must be accepted.
a, b = map(int, input().split())
print(a + b)
