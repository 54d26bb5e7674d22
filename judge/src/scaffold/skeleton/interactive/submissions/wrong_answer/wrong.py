# A submission that must get a wrong answer: it needs too many guesses.
guess = 1
print(guess, flush=True)
while input() == "higher":
    guess += 1
    print(guess, flush=True)
