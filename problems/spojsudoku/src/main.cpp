// SPOJ SUDOKU: the number of puzzles, then sixteen rows of sixteen letters for each, '-' for an empty
// cell; the solutions, with an empty line between two.
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(16, 4, 4);

int main() {
    int puzzles = 0;
    std::scanf("%d", &puzzles);
    for (int number = 0; number < puzzles; ++number) {
        for (int k = 0; k < 256; ++k) {
            char c;
            std::scanf(" %c", &c);
            sudoku.cell[k] = c == '-' ? 0 : c - 'A' + 1;
        }
        sudoku.count(1);
        if (number > 0) std::putchar('\n');
        for (int k = 0; k < 256; ++k)
            std::printf("%c%s", 'A' + sudoku.solution[k] - 1, k % 16 == 15 ? "\n" : "");
    }
}
