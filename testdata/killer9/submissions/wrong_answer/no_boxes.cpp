// Wrong: takes the rows for the boxes too.
#include <cstdio>
#include <cstring>

static int cell[81], found[81], cage[81], sum[81], size[81];  // of each cage: what is left of its sum and of its cells
static unsigned rows[9], columns[9], boxes[9], cages[81];     // bit d: the digit d is used

static unsigned used(int k) { return rows[k / 9] | columns[k % 9] | boxes[k / 9] | cages[cage[k]]; }

static bool fits(int k, int d) {
    const int rest = sum[cage[k]] - d, cells = size[cage[k]] - 1;
    return !(used(k) >> d & 1) && rest >= cells * (cells + 1) / 2 && rest <= cells * (19 - cells) / 2;
}

static void flip(int k, int d, int sign) {
    rows[k / 9] ^= 1u << d, columns[k % 9] ^= 1u << d;
    cages[cage[k]] ^= 1u << d, sum[cage[k]] -= sign * d, size[cage[k]] -= sign;
    cell[k] = sign > 0 ? d : 0;
}

// Counts the solutions up to `most`, in the cell with the fewest candidates first; the last one is
// in `found`.
static long count(long most) {
    int best = -1, fewest = 10;
    for (int k = 0; k < 81; ++k) {
        if (cell[k] != 0) continue;
        int candidates = 0;
        for (int d = 1; d <= 9; ++d) candidates += fits(k, d);
        if (candidates < fewest) fewest = candidates, best = k;
    }
    if (best < 0) {
        std::memcpy(found, cell, sizeof cell);
        return 1;
    }
    long solutions = 0;
    for (int d = 1; d <= 9 && solutions < most; ++d) {
        if (!fits(best, d)) continue;
        flip(best, d, 1);
        solutions += count(most - solutions);
        flip(best, d, -1);
    }
    return solutions;
}

int main() {
    int cage_count = 0;
    std::scanf("%d", &cage_count);
    for (int c = 0; c < cage_count; ++c) {
        if (std::scanf("%d %d", &sum[c], &size[c]) != 2) return 0;
        for (int k = 0, number; k < size[c]; ++k) {
            if (std::scanf("%d", &number) != 1) return 0;
            cage[number - 1] = c;
        }
    }
    count(1);
    for (int k = 0; k < 81; ++k) std::printf("%d%s", found[k], k % 9 == 8 ? "\n" : "");
}
