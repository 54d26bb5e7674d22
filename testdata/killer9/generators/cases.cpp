// Prints a killer Sudoku with one solution: cases SEED MOST, with cages of at most MOST cells. The number of cages, then for
// each its sum, its number of cells, and their numbers from 1.
#include "sudoku.h"

#include <cstdio>
#include <cstring>

namespace {

int cell[81], found[81], cage[81], sum[81], size[81];  // of each cage: what is left of its sum and of its cells
unsigned rows[9], columns[9], boxes[9], cages[81];     // bit d: the digit d is used

unsigned used(int k) { return rows[k / 9] | columns[k % 9] | boxes[k / 27 * 3 + k % 9 / 3] | cages[cage[k]]; }

bool fits(int k, int d) {
    const int rest = sum[cage[k]] - d, cells = size[cage[k]] - 1;
    return !(used(k) >> d & 1) && rest >= cells * (cells + 1) / 2 && rest <= cells * (19 - cells) / 2;
}

void flip(int k, int d, int sign) {
    rows[k / 9] ^= 1u << d, columns[k % 9] ^= 1u << d, boxes[k / 27 * 3 + k % 9 / 3] ^= 1u << d;
    cages[cage[k]] ^= 1u << d, sum[cage[k]] -= sign * d, size[cage[k]] -= sign;
    cell[k] = sign > 0 ? d : 0;
}

// Counts the solutions up to `most`, in the cell with the fewest candidates first; the last one is
// in `found`.
long count(long most) {
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

// Cages of neighbouring cells with different digits.
std::vector<std::vector<int>> random_cages(const sudoku::Grid& grid, int most, sudoku::Random& random) {
    std::vector<std::vector<int>> cages;
    std::vector<bool> taken(81);
    std::vector<int> order;
    for (int k = 0; k < 81; ++k) order.push_back(k);
    random.shuffle(order);
    for (int first : order) {
        if (taken[first]) continue;
        std::vector<int> cells = {first};
        taken[first] = true;
        const int size = 2 + random.below(most - 1);
        while (int(cells.size()) < size) {
            std::vector<int> open;
            for (int k = 0; k < 81; ++k) {
                bool is_open = !taken[k], is_near = false;
                for (int other : cells) {
                    is_near |= (k / 9 == other / 9 && std::abs(k - other) == 1) || std::abs(k - other) == 9;
                    is_open &= grid.cells[k] != grid.cells[other];
                }
                if (is_open && is_near) open.push_back(k);
            }
            if (open.empty()) break;
            cells.push_back(open[random.below(int(open.size()))]);
            taken[cells.back()] = true;
        }
        cages.push_back(cells);
    }
    return cages;
}

long solutions(const sudoku::Grid& grid, const std::vector<std::vector<int>>& groups) {
    for (int c = 0; c < int(groups.size()); ++c) {
        sum[c] = 0, size[c] = int(groups[c].size());
        for (int k : groups[c]) cage[k] = c, sum[c] += grid.cells[k];
    }
    return count(2);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) sudoku::fail("expected SEED MOST");
    const std::uint64_t seed = std::stoull(argv[1]);
    sudoku::Random random(seed);
    const sudoku::Grid grid = sudoku::Generator(9, seed).complete();
    auto groups = random_cages(grid, std::stoi(argv[2]), random);
    while (solutions(grid, groups) != 1) {
        // A cell on its own is a given.
        const int c = random.below(int(groups.size()));
        if (groups[c].size() == 1) continue;
        const int alone = groups[c].back();
        groups[c].pop_back();
        groups.push_back({alone});
    }
    std::cout << groups.size() << '\n';
    for (auto& cells : groups) {
        int total = 0;
        for (int k : cells) total += grid.cells[k];
        std::sort(cells.begin(), cells.end());
        std::cout << total << ' ' << cells.size();
        for (int k : cells) std::cout << ' ' << k + 1;
        std::cout << '\n';
    }
}
