// Too slow: fills the cells row by row and looks at row, column and box for every letter.
#include <iostream>
#include <string>

namespace {

constexpr int side = 16, box = 4;

std::string grid[side];

bool fits(int r, int c, char d) {
    for (int k = 0; k < side; ++k)
        if (grid[r][k] == d || grid[k][c] == d ||
            grid[r / box * box + k / box][c / box * box + k % box] == d)
            return false;
    return true;
}

bool solve(int cell) {
    if (cell == side * side) return true;
    const int r = cell / side, c = cell % side;
    if (grid[r][c] != '-') return solve(cell + 1);
    for (char d = 'A'; d <= 'P'; ++d) {
        if (!fits(r, c, d)) continue;
        grid[r][c] = d;
        if (solve(cell + 1)) return true;
    }
    grid[r][c] = '-';
    return false;
}

}  // namespace

int main() {
    for (int count = 0; std::cin >> grid[0]; ++count) {
        for (int r = 1; r < side; ++r) std::cin >> grid[r];
        if (count > 0) std::cout << '\n';
        solve(0);
        for (const std::string& row : grid) std::cout << row << '\n';
    }
}
