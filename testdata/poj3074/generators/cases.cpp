// Prints the grids that its arguments name, one per line, and then `end`.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(9), {argv + 1, argv + argc});
    for (const auto& grid : grids) {
        for (int d : grid.cells) std::cout << ".123456789"[d];
        std::cout << '\n';
    }
    std::cout << "end\n";
}
