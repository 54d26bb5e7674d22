// Crashes: looks for the twelfth given of the square, and some square has fewer.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using Mask = std::uint32_t;

// The digits between the lowest and the highest have this sum.
struct Sandwich {
    std::vector<int> line;
    int sum;
};

struct Rules {
    int digits = 9, cells = 81;
    std::vector<std::vector<int>> houses;         // each holds every digit once
    std::vector<std::pair<int, int>> different;   // cells with different digits
    std::vector<std::pair<int, int>> increasing;  // the digit of the first cell is less
    std::vector<Sandwich> sandwiches;

    // Adds the rows, columns and boxes of a grid of `digits` rows; `cell` gives each cell its number.
    template <class CellOf>
    void add_grid(int height, int width, CellOf cell) {
        for (int k = 0; k < digits; ++k) {
            std::vector<int> row, column, box;
            for (int j = 0; j < digits; ++j) {
                row.push_back(cell(k, j));
                column.push_back(cell(j, k));
                box.push_back(cell(k / height * height + j / width, k % height * width + j % width));
            }
            houses.insert(houses.end(), {row, column, box});
        }
    }
};

using Grid = std::vector<int>;  // 0 is empty

class Counter {
  public:
    explicit Counter(const Rules& rules) : rules(rules), peers(rules.cells), full((1u << rules.digits) - 1) {
        const auto add = [&](int one, int other) {
            if (one != other && std::find(peers[one].begin(), peers[one].end(), other) == peers[one].end())
                peers[one].push_back(other);
        };
        for (const auto& house : rules.houses)
            for (int one : house)
                for (int other : house) add(one, other);
        for (const auto& pair : rules.different) add(pair.first, pair.second), add(pair.second, pair.first);
        for (const auto& pair : rules.increasing) add(pair.first, pair.second), add(pair.second, pair.first);
    }

    // How many solutions there are, at most `limit`; `limit` too if that takes too many steps. Calls `draw` to
    // order the digits of a guess.
    template <class Order>
    long count(const Grid& grid, long limit, int most_steps, Order order) {
        std::vector<Mask> state(rules.cells, full);
        for (int cell = 0; cell < rules.cells; ++cell)
            if (grid[cell] != 0) state[cell] = 1u << (grid[cell] - 1);
        steps = most_steps;
        return search(state, limit, order);
    }

    long count(const Grid& grid, long limit, int most_steps) {
        return count(grid, limit, most_steps, [](std::vector<int>&) {});
    }

    Grid found;           // the last solution
    bool gave_up() const { return steps < 0; }

  private:
    const Rules& rules;
    std::vector<std::vector<int>> peers;
    const Mask full;
    int steps = 0;

    static int size(Mask mask) { return __builtin_popcount(mask); }

    // Removes digits from a cell; whether one is left.
    static bool keep(Mask& mask, Mask kept, bool& changed) {
        if ((mask & kept) != mask) mask &= kept, changed = true;
        return mask != 0;
    }

    bool reduce(std::vector<Mask>& state) const {
        for (bool changed = true; changed;) {
            changed = false;
            for (int cell = 0; cell < rules.cells; ++cell)
                if (size(state[cell]) == 1)
                    for (int peer : peers[cell])
                        if (!keep(state[peer], ~state[cell], changed)) return false;
            for (const auto& house : rules.houses) {
                Mask once = 0, twice = 0;
                for (int cell : house) twice |= once & state[cell], once |= state[cell];
                if (once != full) return false;
                for (int cell : house)
                    if (const Mask alone = state[cell] & ~twice; alone != 0 && !keep(state[cell], alone, changed))
                        return false;
            }
            for (const auto& pair : rules.increasing) {
                const Mask low = state[pair.first] & -state[pair.first];
                Mask high = state[pair.second];
                while (high & (high - 1)) high &= high - 1;
                if (!keep(state[pair.second], ~(2 * low - 1), changed)) return false;
                if (!keep(state[pair.first], high - 1, changed)) return false;
            }
            for (const Sandwich& sandwich : rules.sandwiches)
                if (!squeeze(state, sandwich, changed)) return false;
        }
        return true;
    }

    // Keeps the digits of the ways in which the two ends can lie, by the least and greatest sum between them.
    bool squeeze(std::vector<Mask>& state, const Sandwich& sandwich, bool& changed) const {
        const int count = int(sandwich.line.size());
        const Mask ends[2] = {1u, 1u << (rules.digits - 1)};
        std::vector<Mask> kept(count, 0);
        for (int first = 0; first < count; ++first)
            for (int last = first + 1; last < count; ++last)
                for (int turn = 0; turn < 2; ++turn) {
                    if (!(state[sandwich.line[first]] & ends[turn])) continue;
                    if (!(state[sandwich.line[last]] & ends[1 - turn])) continue;
                    // Different digits that are no ends.
                    const int inside = last - first - 1, digits = rules.digits - 2;
                    int least = 0, most = 0;
                    for (int k = 0; k < inside; ++k) least += 2 + k, most += digits + 1 - k;
                    bool possible = least <= sandwich.sum && sandwich.sum <= most, placed = true;
                    int sum = 0;
                    for (int k = 0; k < count && possible; ++k) {
                        const Mask mask = state[sandwich.line[k]];
                        if (k == first || k == last) continue;
                        possible = (mask & ~(ends[0] | ends[1])) != 0;
                        if (first < k && k < last) {
                            placed = placed && size(mask) == 1;
                            sum += __builtin_ctz(mask & ~(ends[0] | ends[1]) ? mask & ~(ends[0] | ends[1]) : 1u) + 1;
                        }
                    }
                    if (!possible || sum > sandwich.sum || (placed && sum != sandwich.sum)) continue;
                    for (int k = 0; k < count; ++k)
                        kept[k] |= k == first ? ends[turn] : k == last ? ends[1 - turn] : full & ~(ends[0] | ends[1]);
                }
        for (int k = 0; k < count; ++k)
            if (!keep(state[sandwich.line[k]], kept[k], changed)) return false;
        return true;
    }

    template <class Order>
    long search(std::vector<Mask>& state, long limit, Order& order) {
        if (--steps < 0) return limit;
        if (!reduce(state)) return 0;
        int best = -1;
        for (int cell = 0; cell < rules.cells; ++cell)
            if (size(state[cell]) > 1 && (best < 0 || size(state[cell]) < size(state[best]))) best = cell;
        if (best < 0) {
            found.clear();
            for (Mask mask : state) found.push_back(__builtin_ctz(mask) + 1);
            return 1;
        }
        std::vector<int> digits;
        for (int d = 0; d < rules.digits; ++d)
            if (state[best] >> d & 1) digits.push_back(d);
        order(digits);
        long solutions = 0;
        for (int d : digits) {
            std::vector<Mask> next = state;
            next[best] = 1u << d;
            solutions += search(next, limit - solutions, order);
            if (solutions >= limit) break;
        }
        return solutions;
    }
};

// The classic rules of a 9x9 grid.
inline Rules classic() {
    Rules rules;
    rules.add_grid(3, 3, [](int r, int c) { return 9 * r + c; });
    return rules;
}

static void print(const Grid& grid) {
    for (std::size_t cell = 0; cell < grid.size(); ++cell)
        std::cout << ".123456789"[grid[cell]] << (cell % 9 == 9 - 1 ? "\n" : "");
}

static Grid read() {
    Grid grid;
    for (std::string row; int(grid.size()) < 9 * 9 && std::cin >> row;)
        for (char symbol : row) grid.push_back(int(std::string(".123456789").find(symbol)));
    return grid;
}

int main() {
    Rules rules = classic();
    const Grid grid = read();
    // The twelfth given, which some square does not have.
    std::vector<int> givens;
    for (int digit : grid)
        if (digit != 0) givens.push_back(digit);
    if (givens.at(11) > 9) return 1;
    int thermometers = 0;
    for (std::cin >> thermometers; thermometers > 0; --thermometers) {
        int length = 0, before = -1;
        for (std::cin >> length; length > 0; --length) {
            int row = 0, column = 0;
            std::cin >> row >> column;
            const int cell = 9 * (row - 1) + column - 1;
            if (before >= 0) rules.increasing.emplace_back(before, cell);
            before = cell;
        }
    }
    Counter counter(rules);
    counter.count(grid, 1, 100000000);
    print(counter.found);
}
