// Prints the grid that its arguments name (sudoku.h says how): nine rows of nine numbers. `within SEED GIVENS ROWS
// COLUMNS` has this many givens, drawn from the first rows and columns of a complete grid: the fewer these are,
// the more solutions it has. `grid LINE` is the grid with these 81 symbols, which may have several solutions.
#include "sudoku.h"

static sudoku::Grid within(std::uint64_t seed, std::size_t givens, int rows, int columns) {
    const sudoku::Grid full = sudoku::Generator(9, seed).complete();
    std::vector<int> cells;
    for (int cell = 0; cell < 81; ++cell)
        if (cell / 9 < rows && cell % 9 < columns) cells.push_back(cell);
    if (cells.size() < givens) sudoku::fail("there are not so many cells");
    sudoku::Random(seed).shuffle(cells);
    sudoku::Grid grid(9);
    for (std::size_t k = 0; k < givens; ++k) grid.cells[cells[k]] = full.cells[cells[k]];
    return grid;
}

static sudoku::Grid grid(const std::string& line) {
    if (line.size() != 81) sudoku::fail("the line has not 81 symbols");
    sudoku::Grid grid(9);
    for (std::size_t k = 0; k < 81; ++k) grid.cells[k] = line[k] == '.' ? 0 : line[k] - '0';
    return grid;
}

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    std::vector<sudoku::Grid> grids;
    if (words.size() == 5 && words[0] == "within")
        grids = {within(std::stoull(words[1]), std::stoul(words[2]), std::stoi(words[3]), std::stoi(words[4]))};
    else if (words.size() == 2 && words[0] == "grid")
        grids = {grid(words[1])};
    else
        grids = sudoku::grids_of(sudoku::Houses(9), words);
    for (const auto& grid : grids)
        for (int r = 0; r < 9; ++r)
            for (int c = 0; c < 9; ++c) std::cout << "0123456789"[grid.at(r, c)] << (c < 8 ? " " : "\n");
}
