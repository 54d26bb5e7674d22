// Too big: keeps every way to fill the first cells, and fills one cell more in all of them.
#include <iostream>
#include <vector>

struct Grid {
    long cells[9][9];
};

bool fits(const Grid& grid, int r, int c, int d) {
    for (int k = 0; k < 9; ++k)
        if (grid.cells[r][k] == d || grid.cells[k][c] == d ||
            grid.cells[r / 3 * 3 + k / 3][c / 3 * 3 + k % 3] == d)
            return false;
    return true;
}

int main() {
    std::vector<Grid> grids(1);
    for (auto& row : grids[0].cells)
        for (long& cell : row) std::cin >> cell;
    for (int cell = 0; cell < 81; ++cell) {
        const int r = cell / 9, c = cell % 9;
        if (grids[0].cells[r][c] != 0) continue;
        std::vector<Grid> next;
        for (const Grid& grid : grids) {
            for (int d = 1; d <= 9; ++d) {
                if (!fits(grid, r, c, d)) continue;
                next.push_back(grid);
                next.back().cells[r][c] = d;
            }
        }
        grids.swap(next);
    }
    for (const auto& row : grids[0].cells) {
        for (long d : row) std::cout << d << ' ';
        std::cout << '\n';
    }
}
