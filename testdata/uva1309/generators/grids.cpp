// Prints the grids that its arguments name (sudoku.h says how): a row is sixteen letters, `-` is empty; one
// empty line stands between grids.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(16), {argv + 1, argv + argc});
    for (std::size_t k = 0; k < grids.size(); ++k) {
        if (k > 0) std::cout << '\n';
        for (int r = 0; r < 16; ++r) {
            for (int c = 0; c < 16; ++c) std::cout << "-ABCDEFGHIJKLMNOP"[grids[k].at(r, c)];
            std::cout << '\n';
        }
    }
}
