// HDU 5547: the number of puzzles, then four rows of four digits for each, '*' for an empty cell; the
// solutions, each after its number.
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(4, 2, 2);

int main() {
    int puzzles = 0;
    std::scanf("%d", &puzzles);
    for (int number = 1; number <= puzzles; ++number) {
        for (int k = 0; k < 16; ++k) {
            char c;
            std::scanf(" %c", &c);
            sudoku.cell[k] = c == '*' ? 0 : c - '0';
        }
        sudoku.count(1);
        std::printf("Case #%d:\n", number);
        for (int k = 0; k < 16; ++k)
            std::printf("%d%s", sudoku.solution[k], k % 4 == 3 ? "\n" : "");
    }
}
