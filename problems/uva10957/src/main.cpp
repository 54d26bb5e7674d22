// UVa 10957: grids until the end of the input; whether each has one solution, several or none, or
// breaks a rule already.
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(9, 3, 3);

static bool is_legal() {
    for (int a = 0; a < 81; ++a)
        for (int b = 0; b < a; ++b)
            if (sudoku.cell[a] != 0 && sudoku.cell[a] == sudoku.cell[b] &&
                (a / 9 == b / 9 || a % 9 == b % 9 || sudoku.region[a] == sudoku.region[b]))
                return false;
    return true;
}

int main() {
    for (int number = 1;; ++number) {
        for (int k = 0; k < 81; ++k)
            if (std::scanf("%d", &sudoku.cell[k]) != 1) return 0;
        const char* const verdicts[] = {"Impossible", "Unique", "Ambiguous"};
        std::printf("Case %d: %s.\n", number, is_legal() ? verdicts[sudoku.count(2)] : "Illegal");
    }
}
