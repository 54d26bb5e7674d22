// Branch and bound: each missing digit of each row, column and box has a price, and the highest profits of the
// cells plus all prices bound the score. Prices rise where several cells want a digit, and fall where none does.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const unsigned all = 0x3fe;
static int weight[81], house[81][3];
static double best = -1;

struct Node {
    int cell[81] = {}, filled = 0;
    unsigned open[81], missing[27];
    double price[27][10];
};

static double profit(const Node& n, int k, int d) {
    return weight[k] * d - n.price[house[k][0]][d] - n.price[house[k][1]][d] - n.price[house[k][2]][d];
}

static bool place(Node& n, int k, int d) {
    if (!(n.open[k] >> d & 1)) return false;
    n.cell[k] = d, ++n.filled;
    for (int h : house[k]) n.missing[h] &= ~(1u << d);
    for (int o = 0; o < 81; ++o)
        if (n.cell[o] == 0) n.open[o] &= n.missing[house[o][0]] & n.missing[house[o][1]] & n.missing[house[o][2]];
    return true;
}

static bool place_singles(Node& n) {
    for (bool placed = true; placed;) {
        unsigned once[27] = {}, twice[27] = {};
        for (int k = 0; k < 81; ++k)
            for (int h : house[k])
                if (n.cell[k] == 0) twice[h] |= once[h] & n.open[k], once[h] |= n.open[k];
        if (!std::equal(once, once + 27, n.missing)) return false;
        placed = false;
        for (int k = 0; k < 81 && !placed; ++k) {
            if (n.cell[k] != 0) continue;
            unsigned single = n.open[k] & (n.open[k] - 1) ? 0 : n.open[k];
            for (int h : house[k])
                if (single == 0) single = n.open[k] & ~twice[h];
            if (n.open[k] == 0) return false;
            if (single != 0) placed = place(n, k, __builtin_ctz(single));
        }
    }
    return true;
}

static double lower_prices(Node& n, int steps, double& length) {
    double lowest = 1e9, prices[27][10];
    for (int failures = 0; steps > 0; --steps) {
        double bound = 0;
        int excess[27][10] = {}, norm = 0;
        for (int h = 0; h < 27; ++h)
            for (int d = 1; d <= 9; ++d)
                if (n.missing[h] >> d & 1) bound += n.price[h][d], excess[h][d] = -1;
        for (int k = 0; k < 81; ++k) {
            if (n.cell[k] != 0) {
                bound += weight[k] * n.cell[k];
                continue;
            }
            double most = -1e9;
            int digit = 0;
            for (unsigned open = n.open[k]; open != 0; open &= open - 1) {
                const double p = profit(n, k, __builtin_ctz(open));
                if (p > most) most = p, digit = __builtin_ctz(open);
            }
            bound += most;
            for (int h : house[k]) ++excess[h][digit];
        }
        failures = bound < lowest - 0.02 ? 0 : failures + 1;
        if (bound < lowest) lowest = bound, std::copy(*n.price, *n.price + 270, *prices);
        if (bound < best + 0.999) break;
        if (failures > 10) {
            failures = 0, length *= 0.65;
            if (length < 0.1) break;
            std::copy(*prices, *prices + 270, *n.price);
            continue;
        }
        for (auto& row : excess)
            for (int e : row) norm += e * e;
        if (norm == 0) break;
        const double step = (bound - (best < 0 ? bound * 0.99 : best)) * length / norm;
        for (int h = 0; h < 27; ++h)
            for (int d = 1; d <= 9; ++d) n.price[h][d] += step * excess[h][d];
    }
    std::copy(*prices, *prices + 270, *n.price);
    return lowest;
}

static void solve(Node n, int steps) {
    double length = 1;
    for (bool removed = true; removed;) {
        if (!place_singles(n)) return;
        if (n.filled == 81) {
            double score = 0;
            for (int k = 0; k < 81; ++k) score += weight[k] * n.cell[k];
            best = std::max(best, score);
            return;
        }
        const double bound = lower_prices(n, steps, length);
        if (bound < best + 0.999) return;
        removed = false;
        for (int k = 0; k < 81 && best >= 0; ++k) {
            double most = -1e9;
            for (int d = 1; d <= 9 && n.cell[k] == 0; ++d)
                if (n.open[k] >> d & 1) most = std::max(most, profit(n, k, d));
            for (int d = 1; d <= 9 && n.cell[k] == 0; ++d)
                if (n.open[k] >> d & 1 && bound - most + profit(n, k, d) < best + 0.999)
                    n.open[k] ^= 1u << d, removed = true;
        }
    }
    // Guess in the cell whose candidates lose most on average; before the first solution, in one with the fewest.
    int guess = -1;
    double highest = -1;
    std::vector<std::pair<double, int>> order;
    for (int k = 0; k < 81; ++k) {
        if (n.cell[k] != 0) continue;
        std::vector<std::pair<double, int>> digits;
        double lost = 0;
        for (int d = 1; d <= 9; ++d)
            if (n.open[k] >> d & 1) digits.push_back({-profit(n, k, d), d});
        std::sort(digits.begin(), digits.end());
        for (const auto& digit : digits) lost += digit.first - digits[0].first;
        const double key = lost / double(digits.size()) + (best < 0 ? 1e6 * double(10 - digits.size()) : 0);
        if (key > highest) highest = key, guess = k, order = digits;
    }
    for (const auto& digit : order) {
        Node next = n;
        if (place(next, guess, digit.second)) solve(next, 20);
    }
}

int main() {
    Node root;
    std::fill(root.open, root.open + 81, all);
    std::fill(root.missing, root.missing + 27, all);
    for (auto& prices : root.price) std::fill(prices, prices + 10, 0);
    for (int k = 0; k < 81; ++k) {
        weight[k] = 10 - std::max(std::abs(k / 9 - 4), std::abs(k % 9 - 4));
        house[k][0] = k / 9, house[k][1] = 9 + k % 9, house[k][2] = 18 + k / 27 * 3 + k % 9 / 3;
    }
    bool clashes = false;
    for (int k = 0; k < 81; ++k) {
        int d;
        if (std::scanf("%d", &d) != 1) return 1;
        if (d != 0) clashes = !place(root, k, d) || clashes;
    }
    if (!clashes) solve(root, 400);
    std::printf("%d\n", int(best));
}
