// Wrong: forgets the sums.
#include <iostream>
#include <vector>

namespace {

constexpr unsigned all = 0x3fe;  // bit d: the digit d

struct Cage {
    unsigned used = 0;
    int open = 0, sum = 0;
};

int grid[9][9], cage_of[9][9];
unsigned rows[9], columns[9], boxes[9];
std::vector<Cage> cages;  // cage 0 is that of the cells in no cage
std::vector<unsigned> sets[10][46];  // the sets of digits of a size and a sum

void make_sets() {
    for (unsigned set = 0; set <= all; set += 2) {
        int size = 0, sum = 0;
        for (int d = 1; d <= 9; ++d)
            if (set >> d & 1) ++size, sum += d;
        sets[size][sum].push_back(set);
    }
}

void put(int r, int c, int d) {
    grid[r][c] = d;
    rows[r] ^= 1u << d, columns[c] ^= 1u << d, boxes[r / 3 * 3 + c / 3] ^= 1u << d;
    if (Cage& cage = cages[cage_of[r][c]]; cage_of[r][c] > 0)
        cage.used ^= 1u << d, --cage.open, cage.sum -= d;
}

void take(int r, int c) {
    const int d = grid[r][c];
    grid[r][c] = 0;
    rows[r] ^= 1u << d, columns[c] ^= 1u << d, boxes[r / 3 * 3 + c / 3] ^= 1u << d;
    if (Cage& cage = cages[cage_of[r][c]]; cage_of[r][c] > 0)
        cage.used ^= 1u << d, ++cage.open, cage.sum += d;
}

// The digits that can be in the open cells of a cage.
unsigned digits_of(const Cage& cage) {
    const unsigned digits = all & ~cage.used;
    return digits;
}

unsigned candidates(int r, int c) {
    const unsigned free = all & ~(rows[r] | columns[c] | boxes[r / 3 * 3 + c / 3]);
    return cage_of[r][c] == 0 ? free : free & digits_of(cages[cage_of[r][c]]);
}

bool solve() {
    int row = -1, column = -1, fewest = 10;
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c) {
            if (grid[r][c] != 0) continue;
            const int size = __builtin_popcount(candidates(r, c));
            if (size < fewest) fewest = size, row = r, column = c;
        }
    if (row < 0) return true;
    const unsigned open = candidates(row, column);
    for (int d = 1; d <= 9; ++d) {
        if (!(open >> d & 1)) continue;
        put(row, column, d);
        if (solve()) return true;
        take(row, column);
    }
    return false;
}

}  // namespace

int main() {
    make_sets();
    char given[9][9];
    for (auto& row : given)
        for (char& c : row) std::cin >> c;
    cages.resize(1);
    for (auto& row : cage_of)
        for (int& n : row) {
            std::cin >> n;
            if (n >= static_cast<int>(cages.size())) cages.resize(n + 1);
            ++cages[n].open;
        }
    for (std::size_t n = 1; n < cages.size(); ++n) std::cin >> cages[n].sum;
    for (int k = 0; k < 81; ++k)
        if (given[k / 9][k % 9] != '.') put(k / 9, k % 9, given[k / 9][k % 9] - '0');
    solve();
    for (int k = 0; k < 81; ++k) std::cout << grid[k / 9][k % 9] << (k % 9 == 8 ? "\n" : "");
}
