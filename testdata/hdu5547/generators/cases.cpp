// Prints the grids that its arguments name: their number, then an empty line and four rows of four symbols each.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(4), {argv + 1, argv + argc});
    std::cout << grids.size() << '\n';
    for (const auto& grid : grids) {
        std::cout << '\n';
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c) std::cout << "*1234"[grid.at(r, c)] << (c < 3 ? "" : "\n");
    }
}
