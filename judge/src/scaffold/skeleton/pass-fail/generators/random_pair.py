# A generator: prints a random input that depends only on its argument, the seed.
import random
import sys

random.seed(int(sys.argv[1]))
print(random.randint(0, 10**9), random.randint(0, 10**9))
