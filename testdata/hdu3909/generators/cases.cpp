// Prints the grids that its arguments name: SIDE GRIDS / SIDE GRIDS ...; the side of a box, then rows of symbols.
#include "sudoku.h"

int main(int argc, char** argv) {
    std::vector<std::string> words;
    for (int k = 1; k <= argc; ++k) {
        if (k < argc && argv[k] != std::string("/")) {
            words.push_back(argv[k]);
            continue;
        }
        const sudoku::Houses houses(std::stoi(words.at(0)));
        words.erase(words.begin());
        for (const auto& grid : sudoku::grids_of(houses, words)) {
            std::cout << houses.box << '\n';
            for (int cell = 0; cell < grid.side * grid.side; ++cell)
                std::cout << ".123456789ABCDEFG"[grid.cells[cell]] << (cell % grid.side < grid.side - 1 ? "" : "\n");
        }
        words.clear();
    }
}
