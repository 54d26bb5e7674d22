// Prints the grids that its arguments name: their number, then twelve rows of twelve symbols each.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(12, sudoku::Houses::boxes(12, 3, 4)), {argv + 1, argv + argc});
    std::cout << grids.size() << '\n';
    for (const auto& grid : grids)
        for (int r = 0; r < 12; ++r)
            for (int c = 0; c < 12; ++c) std::cout << ".ABCDEFGHIJKL"[grid.at(r, c)] << (c < 11 ? "" : "\n");
}
