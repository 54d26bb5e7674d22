# A submission that must be accepted.
if input() == "encode":
    print("".join(f"{ord(letter) - ord('a'):05b}" for letter in input()))
else:
    bits = input()
    print("".join(chr(ord("a") + int(bits[k : k + 5], 2)) for k in range(0, len(bits), 5)))
