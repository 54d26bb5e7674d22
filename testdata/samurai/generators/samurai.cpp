// `SEED GIVENS`: a Samurai with at least GIVENS givens, as 21 rows of 21 symbols, `#` outside the grids. It has one
// solution.
#include "variants.h"

using namespace variants;

int main(int argc, char** argv) {
    if (argc != 3) sudoku::fail("expected SEED GIVENS");
    Random random(std::strtoull(argv[1], nullptr, 10));
    const std::pair<int, int> corners[] = {{0, 0}, {0, 12}, {6, 6}, {12, 0}, {12, 12}};
    int number[21][21], cells = 0;
    for (int r = 0; r < 21; ++r)
        for (int c = 0; c < 21; ++c) {
            bool is_inside = false;
            for (const auto& [top, left] : corners)
                is_inside = is_inside || (r >= top && r < top + 9 && c >= left && c < left + 9);
            number[r][c] = is_inside ? cells++ : -1;
        }
    Rules rules;
    rules.cells = cells;
    for (const auto& corner : corners)
        rules.add_grid(3, 3, [&](int r, int c) { return number[corner.first + r][corner.second + c]; });
    const Grid grid = dug(rules, complete(rules, random), std::atoi(argv[2]), random, 200);
    for (int r = 0; r < 21; ++r)
        for (int c = 0; c < 21; ++c)
            std::cout << (number[r][c] < 0 ? '#' : ".123456789"[grid[number[r][c]]]) << (c == 20 ? "\n" : "");
}
