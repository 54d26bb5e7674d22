// HDU 4069: the number of puzzles, then 81 numbers for each, the digit of the cell plus its walls: 16
// above, 32 right, 64 below, 128 left; the only solution, or that there is none or several.
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(9, 3, 3);
static int code[81];

static void flood(int k, int region) {
    static const int to[4] = {-9, 1, 9, -1};
    sudoku.region[k] = region;
    for (int side = 0; side < 4; ++side)
        if (!(code[k] & 16 << side) && sudoku.region[k + to[side]] != region)
            flood(k + to[side], region);
}

int main() {
    int puzzles = 0;
    std::scanf("%d", &puzzles);
    for (int number = 1; number <= puzzles; ++number) {
        int regions = 0;
        for (int k = 0; k < 81; ++k) {
            std::scanf("%d", &code[k]);
            sudoku.cell[k] = code[k] % 16;
            sudoku.region[k] = -1;
        }
        for (int k = 0; k < 81; ++k)
            if (sudoku.region[k] < 0) flood(k, regions++);
        std::printf("Case %d:\n", number);
        const long solutions = sudoku.count(2);
        if (solutions != 1) {
            std::puts(solutions == 0 ? "No solution" : "Multiple Solutions");
            continue;
        }
        for (int k = 0; k < 81; ++k)
            std::printf("%d%s", sudoku.solution[k], k % 9 == 8 ? "\n" : "");
    }
}
