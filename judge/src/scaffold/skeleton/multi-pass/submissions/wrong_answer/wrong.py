# A submission that must get a wrong answer: four bits are not enough for a letter.
if input() == "encode":
    print("".join(f"{(ord(letter) - ord('a')) % 16:04b}" for letter in input()))
else:
    bits = input()
    print("".join(chr(ord("a") + int(bits[k : k + 4], 2)) for k in range(0, len(bits), 4)))
