// Prints the grids that its arguments name: nine rows of nine symbols, and an empty line between two grids.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(9), {argv + 1, argv + argc});
    for (std::size_t k = 0; k < grids.size(); ++k) {
        const auto& grid = grids[k];
        if (k > 0) std::cout << '\n';
        for (int r = 0; r < 9; ++r)
            for (int c = 0; c < 9; ++c) std::cout << "?" "123456789"[grid.at(r, c)] << (c < 8 ? " " : "\n");
    }
}
