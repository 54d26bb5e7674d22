// Fills the cells in every way and looks at the rules only when the grid is full: 9^n grids for n empty cells.
#include <cstdio>

static int cell[81];
static int given[81];
static long found;

static bool fair() {
    for (int i = 0; i < 81; ++i)
        for (int j = i + 1; j < 81; ++j) {
            bool row = i / 9 == j / 9, column = i % 9 == j % 9;
            bool box = i / 27 == j / 27 && i % 9 / 3 == j % 9 / 3;
            if ((row || column || box) && cell[i] == cell[j]) return false;
        }
    return true;
}

static void fill(int k) {
    if (k == 81) {
        if (!fair()) return;
        ++found;
        for (int i = 0; i < 81; ++i) std::printf("%d%c", cell[i], i % 9 == 8 ? '\n' : ' ');
        std::puts("");
        return;
    }
    for (int digit = 1; digit <= 9; ++digit)
        if (given[k] == 0 || given[k] == digit) {
            cell[k] = digit;
            fill(k + 1);
        }
}

int main() {
    for (int& g : given)
        if (std::scanf("%d", &g) != 1) return 1;
    fill(0);
    std::printf("%ld\n", found);
}
