// Prints the grids that its arguments name: their number, then sixteen rows of letters each, an empty line between.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(16), {argv + 1, argv + argc});
    std::cout << grids.size() << '\n';
    for (std::size_t k = 0; k < grids.size(); ++k) {
        const auto& grid = grids[k];
        if (k > 0) std::cout << '\n';
        for (int r = 0; r < 16; ++r)
            for (int c = 0; c < 16; ++c) std::cout << "-ABCDEFGHIJKLMNOP"[grid.at(r, c)] << (c < 15 ? "" : "\n");
    }
}
