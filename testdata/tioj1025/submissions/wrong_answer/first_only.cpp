// Wrong: prints the first solution only.
#include <cstdio>
#include <cstring>
#include <algorithm>
#include <vector>

static std::vector<std::vector<int>> solutions;
static int side = 9, height = 3, width = 3, cell[256], found[256];
static unsigned rows[16], columns[16], boxes[16];  // bit d: the digit d is used

static int box(int k) { return k / side / height * height + k % side / width; }

static void flip(int k, int d) {
    rows[k / side] ^= 1u << d, columns[k % side] ^= 1u << d, boxes[box(k)] ^= 1u << d;
}

static unsigned used(int k) { return rows[k / side] | columns[k % side] | boxes[box(k)]; }

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
        solutions.emplace_back(found, found + 81);
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
    solve(1);
    std::sort(solutions.begin(), solutions.end());
    for (const std::vector<int>& solution : solutions) {
        for (int k = 0; k < 81; ++k) std::printf("%d%c", solution[k], k % 9 == 8 ? '\n' : ' ');
        std::putchar('\n');
    }
    std::printf("there are a total of %d solution(s).\n", int(solutions.size()));
}
