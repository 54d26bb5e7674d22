// Too slow: fills the cells row by row and looks at row, column and box for every digit.
#include <iostream>

namespace {

int grid[9][9];

bool fits(int r, int c, int d) {
    for (int k = 0; k < 9; ++k)
        if (grid[r][k] == d || grid[k][c] == d ||
            grid[r / 3 * 3 + k / 3][c / 3 * 3 + k % 3] == d)
            return false;
    return true;
}

bool solve(int cell) {
    if (cell == 81) return true;
    const int r = cell / 9, c = cell % 9;
    if (grid[r][c] != 0) return solve(cell + 1);
    for (int d = 1; d <= 9; ++d) {
        if (!fits(r, c, d)) continue;
        grid[r][c] = d;
        if (solve(cell + 1)) return true;
    }
    grid[r][c] = 0;
    return false;
}

}  // namespace

int main() {
    for (auto& row : grid)
        for (int& cell : row) std::cin >> cell;
    solve(0);
    for (const auto& row : grid) {
        for (int d : row) std::cout << d << ' ';
        std::cout << '\n';
    }
}
