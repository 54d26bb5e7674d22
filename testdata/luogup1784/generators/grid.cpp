// Prints the grid that its arguments name (sudoku.h says how): nine numbers in a row, 0 is empty.
// After a first word `blanks`, every row ends with a blank.
#include "sudoku.h"

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    const bool blanks = !words.empty() && words[0] == "blanks";
    if (blanks) words.erase(words.begin());
    const sudoku::Grid grid = sudoku::grid_of(9, words);
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c)
            std::cout << grid.at(r, c) << (c < 8 ? " " : blanks ? " \n" : "\n");
}
