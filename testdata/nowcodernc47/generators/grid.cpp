// Prints the grid that its arguments name (sudoku.h says how), as nested lists; '.' is empty.
#include "sudoku.h"

int main(int argc, char** argv) {
    const sudoku::Grid grid = sudoku::grid_of(9, {argv + 1, argv + argc});
    for (int r = 0; r < 9; ++r) {
        std::cout << (r == 0 ? "[" : ",");
        for (int c = 0; c < 9; ++c)
            std::cout << (c == 0 ? '[' : ',') << ".123456789"[grid.at(r, c)];
        std::cout << ']';
    }
    std::cout << "]\n";
}
