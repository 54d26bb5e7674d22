// Prints the grid that its arguments name as JSON.
#include "sudoku.h"

int main(int argc, char** argv) {
    const auto grids = sudoku::grids_of(sudoku::Houses(9), {argv + 1, argv + argc});
    for (int cell = 0; cell < 81; ++cell) {
        std::cout << (cell == 0 ? "[[" : cell % 9 == 0 ? ",[" : ",") << '"' << ".123456789"[grids.at(0).cells[cell]] << '"';
        std::cout << (cell == 80 ? "]]\n" : cell % 9 == 8 ? "]" : "");
    }
}
