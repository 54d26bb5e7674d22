// POJ 2918: like POJ 2676, with a line before each solution and an empty line after it.
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(9, 3, 3);

int main() {
    int puzzles = 0;
    std::scanf("%d", &puzzles);
    for (int number = 1; number <= puzzles; ++number) {
        for (int k = 0; k < 81; ++k) {
            char c;
            std::scanf(" %c", &c);
            sudoku.cell[k] = c - '0';
        }
        sudoku.count(1);
        std::printf("Scenario #%d:\n", number);
        for (int k = 0; k < 81; ++k)
            std::printf("%d%s", sudoku.solution[k], k % 9 == 8 ? "\n" : "");
        std::putchar('\n');
    }
}
