// HDU 1426: grids with '?' for an empty cell until the end of the input; the solutions, with an empty
// line between two.
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(9, 3, 3);

int main() {
    for (int number = 0;; ++number) {
        for (int k = 0; k < 81; ++k) {
            char c;
            if (std::scanf(" %c", &c) != 1) return 0;
            sudoku.cell[k] = c == '?' ? 0 : c - '0';
        }
        sudoku.count(1);
        if (number > 0) std::putchar('\n');
        for (int k = 0; k < 81; ++k)
            std::printf("%d%c", sudoku.solution[k], k % 9 == 8 ? '\n' : ' ');
    }
}
