// Prints the grids that its arguments name: their number, then six rows of six symbols each.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(6, sudoku::Houses::boxes(6, 2, 3)), {argv + 1, argv + argc});
    std::cout << grids.size() << '\n';
    for (const auto& grid : grids)
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c) std::cout << ".123456"[grid.at(r, c)] << (c < 5 ? "" : "\n");
}
