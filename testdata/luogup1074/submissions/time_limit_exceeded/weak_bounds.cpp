// Branch and bound: before a guess, two upper bounds of the score are compared with the best so far.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

static int cell[81], weight[81], best = -1;
static int houses[3][9][9];   // the cells of each row, column and box, heaviest first
static unsigned used[3][9];  // bit d: the house holds the digit d
static const unsigned all = 0x3fe;

static int house(int kind, int k) { return kind == 0 ? k / 9 : kind == 1 ? k % 9 : k / 27 * 3 + k % 9 / 3; }

static int highest(unsigned digits) { return 31 - __builtin_clz(digits); }

static void flip(int k, int d) {
    for (int kind = 0; kind < 3; ++kind) used[kind][house(kind, k)] ^= 1u << d;
}

// Gives the highest missing digit of each house to its heaviest empty cell, and so on.
static int bound_by_houses() {
    int least = 1 << 30;
    for (int kind = 0; kind < 3; ++kind) {
        int total = 0;
        for (int h = 0; h < 9; ++h) {
            unsigned missing = all & ~used[kind][h];
            for (int k : houses[kind][h]) {
                int d = cell[k];
                if (d == 0) d = highest(missing), missing ^= 1u << d;
                total += weight[k] * d;
            }
        }
        least = std::min(least, total);
    }
    return least;
}

// The cells of a digit weigh at least and at most so much; what all digits have together is known.
static int bound_by_digits(const unsigned* open) {
    int least[10] = {}, most[10], left = 570, bound = 0;
    std::fill(most, most + 10, 1 << 30);
    for (auto& kind : houses) {
        int light[10] = {}, heavy[10] = {};
        for (auto& cells : kind)
            for (int d = 1; d <= 9; ++d) {
                int first = 0, last = 8;
                while (first < 8 && !(open[cells[first]] >> d & 1)) ++first;
                while (last > 0 && !(open[cells[last]] >> d & 1)) --last;
                heavy[d] += weight[cells[first]], light[d] += weight[cells[last]];
            }
        for (int d = 1; d <= 9; ++d) least[d] = std::max(least[d], light[d]), most[d] = std::min(most[d], heavy[d]);
    }
    for (int d = 1; d <= 9; ++d) left -= least[d];
    for (int d = 9; d >= 1; --d) {
        const int more = std::max(0, std::min(left, most[d] - least[d]));
        left -= more, bound += d * (least[d] + more);
    }
    return bound;
}

static void solve() {
    unsigned open[81];
    int guess = -1, fewest = 10;
    for (int k = 0; k < 81; ++k) {
        open[k] = 1u << cell[k];
        if (cell[k] != 0) continue;
        open[k] = all & ~(used[0][k / 9] | used[1][k % 9] | used[2][house(2, k)]);
        const int count = __builtin_popcount(open[k]);
        if (count == 0) return;
        if (count < fewest || (count == fewest && weight[k] > weight[guess])) fewest = count, guess = k;
    }
    if (guess < 0) {
        int score = 0;
        for (int k = 0; k < 81; ++k) score += weight[k] * cell[k];
        best = std::max(best, score);
        return;
    }
    unsigned digits = open[guess];
    // A digit with one place in a house goes there.
    for (int kind = 0; kind < 3 && fewest > 1; ++kind)
        for (int h = 0; h < 9 && fewest > 1; ++h) {
            unsigned once = 0, twice = 0;
            for (int k : houses[kind][h]) twice |= once & open[k], once |= open[k];
            if (once != all) return;
            const unsigned single = once & ~twice & ~used[kind][h];
            if (single == 0) continue;
            fewest = 1, digits = single & (~single + 1);
            for (int k : houses[kind][h])
                if (open[k] & digits) guess = k;
        }
    if (fewest > 1 && (bound_by_houses() <= best || bound_by_digits(open) <= best)) return;
    for (; digits != 0; digits ^= 1u << highest(digits)) {
        const int d = highest(digits);
        cell[guess] = d, flip(guess, d);
        solve();
        flip(guess, d);
    }
    cell[guess] = 0;
}

int main() {
    bool clashes = false;
    for (int k = 0; k < 81; ++k) {
        weight[k] = 10 - std::max(std::abs(k / 9 - 4), std::abs(k % 9 - 4));
        if (std::scanf("%d", &cell[k]) != 1) return 1;
        for (int kind = 0; kind < 3 && cell[k] != 0; ++kind)
            clashes = clashes || (used[kind][house(kind, k)] >> cell[k] & 1);
        if (cell[k] != 0) flip(k, cell[k]);
    }
    for (int kind = 0; kind < 3; ++kind) {
        int filled[9] = {};
        for (int k = 0; k < 81; ++k) houses[kind][house(kind, k)][filled[house(kind, k)]++] = k;
        for (auto& cells : houses[kind])
            std::stable_sort(cells, cells + 9, [](int a, int b) { return weight[a] > weight[b]; });
    }
    if (!clashes) solve();
    std::printf("%d\n", best);
}
