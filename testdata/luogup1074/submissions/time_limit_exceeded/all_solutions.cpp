// Too slow: all solutions, in the cell with the fewest candidates first.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int best = -1;
static int side = 9, height = 3, width = 3, cell[256], found[256];
static unsigned rows[16], columns[16], boxes[16];  // bit d: the digit d is used

static int box(int k) { return k / side / height * height + k % side / width; }

static void flip(int k, int d) {
    rows[k / side] ^= 1u << d, columns[k % side] ^= 1u << d, boxes[box(k)] ^= 1u << d;
}

static unsigned used(int k) { return rows[k / side] | columns[k % side] | boxes[box(k)]; }

static void keep() {
    int score = 0;
    for (int k = 0; k < 81; ++k) {
        const int down = std::abs(k / 9 - 4), across = std::abs(k % 9 - 4);
        score += (10 - std::max(down, across)) * found[k];
    }
    best = std::max(best, score);
}

// Counts the solutions up to `most`, in the cell with the fewest candidates first; the last one is
// in `found`.
static long count(long most) {
    int best = -1, fewest = side + 1;
    for (int k = 0; k < side * side; ++k) {
        if (cell[k] != 0) continue;
        int candidates = 0;
        for (unsigned open = ~used(k) & ((2u << side) - 2); open != 0; open &= open - 1) ++candidates;
        if (candidates < fewest) fewest = candidates, best = k;
    }
    if (best < 0) {
        std::memcpy(found, cell, sizeof cell);
        keep();
        return 1;
    }
    long solutions = 0;
    for (int d = 1; d <= side && solutions < most; ++d) {
        if (used(best) >> d & 1) continue;
        cell[best] = d, flip(best, d);
        solutions += count(most - solutions);
        cell[best] = 0, flip(best, d);
    }
    return solutions;
}

static bool is_legal() {
    std::memset(rows, 0, sizeof rows);
    std::memset(columns, 0, sizeof columns);
    std::memset(boxes, 0, sizeof boxes);
    for (int k = 0; k < side * side; ++k) {
        if (cell[k] == 0) continue;
        if (used(k) >> cell[k] & 1) return false;
        flip(k, cell[k]);
    }
    return true;
}

static long solve(long most) { return is_legal() ? count(most) : 0; }

int main() {
    for (int k = 0; k < 81; ++k)
        if (std::scanf("%d", &cell[k]) != 1) return 0;
    solve(1000000000);
    std::printf("%d\n", best);
}
