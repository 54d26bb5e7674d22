// Prints the grid that its arguments name (sudoku.h says how): nine numbers in a row, 0 is empty.
#include "sudoku.h"

int main(int argc, char** argv) {
    const sudoku::Grid grid = sudoku::grid_of(9, {argv + 1, argv + argc});
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c) std::cout << grid.at(r, c) << (c < 8 ? ' ' : '\n');
}
