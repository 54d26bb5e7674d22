// TIOJ 1025: every solution of a grid in lexicographic order, and how many there are.
#include <algorithm>
#include <vector>
#include "../../../program/src/sudoku.h"

static Sudoku sudoku(9, 3, 3);
static std::vector<std::vector<int> > solutions;

static void keep(const Sudoku& found) {
    solutions.push_back(std::vector<int>(found.solution, found.solution + 81));
}

int main() {
    for (int k = 0; k < 81; ++k) std::scanf("%d", &sudoku.cell[k]);
    sudoku.visit = keep;
    sudoku.count(1000000);
    std::sort(solutions.begin(), solutions.end());
    for (std::size_t s = 0; s < solutions.size(); ++s) {
        for (int k = 0; k < 81; ++k)
            std::printf("%d%c", solutions[s][k], k % 9 == 8 ? '\n' : ' ');
        std::putchar('\n');
    }
    std::printf("there are a total of %lu solution(s).\n", (unsigned long)solutions.size());
}
