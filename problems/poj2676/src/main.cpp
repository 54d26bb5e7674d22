// POJ 2676: the number of puzzles, then nine rows of nine digits for each; the solutions.
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(9, 3, 3);

int main() {
    int puzzles = 0;
    std::scanf("%d", &puzzles);
    while (puzzles-- > 0) {
        for (int k = 0; k < 81; ++k) {
            char c;
            std::scanf(" %c", &c);
            sudoku.cell[k] = c - '0';
        }
        sudoku.count(1);
        for (int k = 0; k < 81; ++k)
            std::printf("%d%s", sudoku.solution[k], k % 9 == 8 ? "\n" : "");
    }
}
