// Prints the puzzles that its arguments name, joined by `+`: their number, then nine rows of nine symbols each.
// `unique SEED GIVENS` has one solution, `several SEED GIVENS` lost a given that it needs, `none SEED GIVENS`
// has a wrong digit, `clash SEED GIVENS` has equal digits a knight's move apart, `empty 0 0` has no given.
#include "variants.h"

using namespace variants;

static Rules anti_knight() {
    Rules rules = classic();
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c)
            for (const auto& [down, right] : {std::pair{1, 2}, {2, 1}, {2, -1}, {1, -2}})
                if (r + down < 9 && c + right >= 0 && c + right < 9)
                    rules.different.emplace_back(9 * r + c, 9 * (r + down) + c + right);
    return rules;
}

static Grid puzzle(const Rules& rules, const std::string& kind, std::uint64_t seed, int givens) {
    Random random(seed);
    Counter counter(rules);
    for (;;) {
        const Grid full = complete(rules, random);
        if (kind == "empty") return Grid(81, 0);
        Grid grid = dug(rules, full, givens, random, 2000);
        if (kind == "unique") return grid;
        for (int attempt = 0; attempt < 1000; ++attempt) {
            Grid other = grid;
            const int cell = random.below(81), digit = 1 + random.below(9);
            if (kind == "several") {
                other[cell] = 0;
            } else if (kind == "none" || kind == "clash") {
                if (grid[cell] != 0 || full[cell] == digit) continue;
                other[cell] = digit;
            } else {
                sudoku::fail("unknown kind " + kind);
            }
            bool in_house = false, clashes = false;
            for (const auto& house : rules.houses)
                for (int one : house) {
                    const bool here = std::find(house.begin(), house.end(), cell) != house.end();
                    in_house = in_house || (here && one != cell && other[one] != 0 && other[one] == other[cell]);
                }
            for (const auto& pair : rules.different)
                clashes = clashes || (other[pair.first] != 0 && other[pair.first] == other[pair.second]);
            if (in_house || clashes != (kind == "clash")) continue;
            const long expected = kind == "several" ? 2 : 0;
            if (counter.count(other, 2, 20000) == expected && !counter.gave_up()) return other;
        }
    }
}

int main(int argc, char** argv) {
    const Rules rules = anti_knight();
    std::vector<Grid> grids;
    for (int k = 1; k + 2 < argc; k += 4)
        grids.push_back(puzzle(rules, argv[k], std::strtoull(argv[k + 1], nullptr, 10), std::atoi(argv[k + 2])));
    std::cout << grids.size() << '\n';
    for (const Grid& grid : grids) print(grid, 9);
}
