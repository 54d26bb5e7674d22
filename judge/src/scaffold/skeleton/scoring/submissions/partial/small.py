# A submission that must get a part of the points: it is right for small numbers.
a, b = map(int, input().split())
print((a + b) % 10000)
