// Too slow: tries the digits row by row.
#include <cstdio>
#include <cstring>

static int side = 9, height = 3, width = 3, cell[256], found[256];

static bool fits(int k, int d) {
    const int r = k / side, c = k % side;
    for (int j = 0; j < side; ++j) {
        const int b = (r / height * height + j / width) * side + c / width * width + j % width;
        if (cell[r * side + j] == d || cell[j * side + c] == d || cell[b] == d) return false;
    }
    return true;
}

// Counts the solutions up to `most`, row by row; the last one is in `found`.
static long count(long most, int k) {
    while (k < side * side && cell[k] != 0) ++k;
    if (k == side * side) {
        std::memcpy(found, cell, sizeof cell);
        return 1;
    }
    long solutions = 0;
    for (int d = 1; d <= side && solutions < most; ++d) {
        if (!fits(k, d)) continue;
        cell[k] = d;
        solutions += count(most - solutions, k + 1);
        cell[k] = 0;
    }
    return solutions;
}

static bool is_legal() {
    bool legal = true;
    for (int k = 0; k < side * side; ++k) {
        const int d = cell[k];
        cell[k] = 0;
        legal = legal && (d == 0 || fits(k, d));
        cell[k] = d;
    }
    return legal;
}

static long solve(long most) { return is_legal() ? count(most, 0) : 0; }

int main() {
    for (int number = 1;; ++number) {
        for (int k = 0; k < 81; ++k)
            if (std::scanf("%d", &cell[k]) != 1) return 0;
        const char* const verdicts[] = {"Impossible", "Unique", "Ambiguous"};
        std::printf("Case %d: %s.\n", number, is_legal() ? verdicts[solve(2)] : "Illegal");
    }
}
