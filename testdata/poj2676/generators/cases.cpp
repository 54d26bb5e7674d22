// Prints the grids that its arguments name: their number, then nine rows of nine digits each.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(9), {argv + 1, argv + argc});
    std::cout << grids.size() << '\n';
    for (const auto& grid : grids)
        for (int r = 0; r < 9; ++r)
            for (int c = 0; c < 9; ++c) std::cout << "0123456789"[grid.at(r, c)] << (c < 8 ? "" : "\n");
}
