// HDU 3909: the side of a box and a grid, until the end of the input; the solution of a minimal puzzle,
// otherwise why it is none.
#include "../../../program/src/sudoku.h"

static const char SYMBOLS[] = ".123456789ABCDEFG";
static Sudoku sudoku(16, 4, 4);
static int solution[Sudoku::CELLS];

static const char* reason(int cells) {
    const long solutions = sudoku.count(2);
    if (solutions != 1) return solutions == 0 ? "No Solution" : "Multiple Solutions";
    std::memcpy(solution, sudoku.solution, sizeof solution);
    for (int k = 0; k < cells; ++k) {
        const int given = sudoku.cell[k];
        sudoku.cell[k] = 0;
        if (given != 0 && sudoku.count(2) == 1) return "Not Minimal";
        sudoku.cell[k] = given;
    }
    return 0;
}

int main() {
    int box;
    while (std::scanf("%d", &box) == 1) {
        const int side = box * box;
        sudoku = Sudoku(side, box, box);
        for (int k = 0; k < side * side; ++k) {
            char c;
            std::scanf(" %c", &c);
            sudoku.cell[k] = int(std::strchr(SYMBOLS, c) - SYMBOLS);
        }
        const char* text = reason(side * side);
        if (text) {
            std::puts(text);
            continue;
        }
        for (int k = 0; k < side * side; ++k) {
            std::putchar(SYMBOLS[solution[k]]);
            if (k % side == side - 1) std::putchar('\n');
        }
    }
}
