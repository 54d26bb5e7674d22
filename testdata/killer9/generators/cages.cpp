// cages SEED GIVENS LEAST MOST LOOSE: a killer with at least GIVENS givens, cages of LEAST to MOST cells (fewer
// where the grid leaves no room), and a cell in LOOSE of 100 in no cage. It has exactly one solution, which a
// search by fewest candidates proves in few steps: a given is added as long as that is not so.
#include "sudoku.h"

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
    unsigned digits = 0;
    if (cage.sum < 0 || cage.sum > 45) return 0;
    for (unsigned set : sets[cage.open][cage.sum])
        if (!(set & cage.used)) digits |= set;
    return digits;
}

unsigned candidates(int r, int c) {
    const unsigned free = all & ~(rows[r] | columns[c] | boxes[r / 3 * 3 + c / 3]);
    return cage_of[r][c] == 0 ? free : free & digits_of(cages[cage_of[r][c]]);
}

long steps;

// How many solutions there are, at most `limit`.
long count(long limit) {
    if (--steps < 0) return limit;
    int row = -1, column = -1, fewest = 10;
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c) {
            if (grid[r][c] != 0) continue;
            const int size = __builtin_popcount(candidates(r, c));
            if (size < fewest) fewest = size, row = r, column = c;
        }
    if (row < 0) return 1;
    long found = 0;
    const unsigned open = candidates(row, column);
    for (int d = 1; d <= 9 && found < limit; ++d) {
        if (!(open >> d & 1)) continue;
        put(row, column, d);
        found += count(limit - found);
        take(row, column);
    }
    return found;
}

// Divides the grid into cages of at most `most` connected cells with different digits.
void divide(const sudoku::Grid& full, sudoku::Random& random, int least, int most, int loose) {
    const int none = -1;
    std::vector<int> cage(81, none), order(81);
    for (int cell = 0; cell < 81; ++cell) order[cell] = cell;
    random.shuffle(order);
    int next = 0;
    for (int first : order) {
        if (cage[first] != none || random.below(100) < loose) continue;
        const int size = least + random.below(most - least + 1);
        unsigned used = 0;
        std::vector<int> cells;
        for (int cell = first; cell != none;) {
            cells.push_back(cell);
            cage[cell] = next;
            used |= 1u << full.cells[cell];
            std::vector<int> reach;
            for (int other = 0; other < 81 && int(cells.size()) < size; ++other) {
                if (cage[other] != none || (used >> full.cells[other] & 1)) continue;
                for (int near : cells)
                    if (std::abs(near / 9 - other / 9) + std::abs(near % 9 - other % 9) == 1) {
                        reach.push_back(other);
                        break;
                    }
            }
            cell = reach.empty() ? none : reach[random.below(int(reach.size()))];
        }
        ++next;
    }
    // Numbered in the order of their first cells.
    std::vector<int> number(next, 0);
    cages.assign(1, Cage());
    for (int cell = 0; cell < 81; ++cell) {
        if (cage[cell] == none) continue;
        int& n = number[cage[cell]];
        if (n == 0) n = int(cages.size()), cages.emplace_back();
        cage_of[cell / 9][cell % 9] = n;
        ++cages[n].open, cages[n].sum += full.cells[cell];
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) sudoku::fail("expected SEED GIVENS LEAST MOST LOOSE");
    const auto seed = static_cast<std::uint64_t>(std::atoll(argv[1]));
    const int least = std::atoi(argv[3]), most = std::atoi(argv[4]), loose = std::atoi(argv[5]);
    if (least < 1 || most < least || most > 5) sudoku::fail("a cage has 1 to 5 cells");
    make_sets();
    const sudoku::Grid full = sudoku::Generator(9, seed).complete();
    sudoku::Random random(seed);
    divide(full, random, least, most, loose);
    const std::vector<Cage> given = cages;
    std::vector<int> order(81);
    for (int cell = 0; cell < 81; ++cell) order[cell] = cell;
    random.shuffle(order);
    for (int givens = 0;; ++givens) {
        if (givens >= std::atoi(argv[2]) && (steps = 20000, count(2) == 1)) break;
        put(order[givens] / 9, order[givens] % 9, full.cells[order[givens]]);
    }
    for (int r = 0; r < 9; ++r) {
        for (int c = 0; c < 9; ++c) std::cout << ".123456789"[grid[r][c]];
        std::cout << '\n';
    }
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c) std::cout << cage_of[r][c] << (c < 8 ? ' ' : '\n');
    for (std::size_t n = 1; n < given.size(); ++n) std::cout << given[n].sum << (n + 1 < given.size() ? ' ' : '\n');
}
