// UVa 989: the side of a box and a grid, until the end of the input; the first solution of each in
// lexicographic order, with an empty line between two answers.
#include "../../../program/src/sudoku.h"

int main() {
    int box;
    for (int number = 0; std::scanf("%d", &box) == 1; ++number) {
        static Sudoku sudoku(1, 1, 1);
        sudoku = Sudoku(box * box, box, box);
        const int side = box * box;
        for (int k = 0; k < side * side; ++k) std::scanf("%d", &sudoku.cell[k]);
        if (number > 0) std::putchar('\n');
        if (!sudoku.first()) {
            std::puts("NO SOLUTION");
            continue;
        }
        for (int k = 0; k < side * side; ++k)
            std::printf("%d%c", sudoku.solution[k], k % side == side - 1 ? '\n' : ' ');
    }
}
