// POJ 3074: one puzzle per line, until the line "end"; one line per solution.
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(9, 3, 3);

int main() {
    char line[100];
    while (std::scanf("%99s", line) == 1 && std::strcmp(line, "end") != 0) {
        for (int k = 0; k < 81; ++k) sudoku.cell[k] = line[k] == '.' ? 0 : line[k] - '0';
        sudoku.count(1);
        for (int k = 0; k < 81; ++k) std::putchar('0' + sudoku.solution[k]);
        std::putchar('\n');
    }
}
