// Too slow: tries the digits row by row.
#include <cstdio>
#include <cstring>

static int side = 9, region[81], cell[256], found[256];

static bool fits(int k, int d) {
    const int r = k / side, c = k % side;
    for (int j = 0; j < side; ++j)
        if (cell[r * side + j] == d || cell[j * side + c] == d) return false;
    for (int j = 0; j < side * side; ++j)
        if (region[j] == region[k] && cell[j] == d) return false;
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

static int code[81];

static void flood(int k, int number) {
    const int to[] = {-9, 1, 9, -1};
    region[k] = number;
    for (int wall = 0; wall < 4; ++wall)
        if (!(code[k] >> (wall + 4) & 1) && region[k + to[wall]] != number) flood(k + to[wall], number);
}

int main() {
    int puzzles = 0;
    std::scanf("%d", &puzzles);
    for (int number = 1; number <= puzzles; ++number) {
        for (int k = 0; k < 81; ++k) {
            if (std::scanf("%d", &code[k]) != 1) return 0;
            cell[k] = code[k] % 16;
            region[k] = -1;
        }
        int regions = 0;
        for (int k = 0; k < 81; ++k)
            if (region[k] < 0) flood(k, regions++);
        std::printf("Case %d:\n", number);
        const long solutions = solve(2);
        if (solutions != 1) {
            std::puts(solutions == 0 ? "No solution" : "Multiple Solutions");
            continue;
        }
        for (int k = 0; k < 81; ++k) std::printf("%d%s", found[k], k % 9 == 8 ? "\n" : "");
    }
}
