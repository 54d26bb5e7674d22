// Too slow: looks at the sums only when the square is full.
#include <iostream>

namespace {

int grid[9][9], cage_of[9][9], sums[82];

bool fits(int r, int c, int d) {
    for (int k = 0; k < 9; ++k)
        if (grid[r][k] == d || grid[k][c] == d || grid[r / 3 * 3 + k / 3][c / 3 * 3 + k % 3] == d) return false;
    return true;
}

bool has_sums() {
    int left[82];
    for (int n = 0; n < 82; ++n) left[n] = sums[n];
    for (int k = 0; k < 81; ++k) left[cage_of[k / 9][k % 9]] -= grid[k / 9][k % 9];
    for (int n = 1; n < 82; ++n)
        if (left[n] != 0) return false;
    return true;
}

bool solve(int cell) {
    if (cell == 81) return has_sums();
    const int r = cell / 9, c = cell % 9;
    if (grid[r][c] != 0) return solve(cell + 1);
    for (int d = 1; d <= 9; ++d) {
        if (!fits(r, c, d)) continue;
        grid[r][c] = d;
        if (solve(cell + 1)) return true;
        grid[r][c] = 0;
    }
    return false;
}

}  // namespace

int main() {
    int cages = 0;
    for (auto& row : grid)
        for (int& digit : row) {
            char c;
            std::cin >> c;
            digit = c == '.' ? 0 : c - '0';
        }
    for (auto& row : cage_of)
        for (int& n : row) {
            std::cin >> n;
            if (n > cages) cages = n;
        }
    for (int n = 1; n <= cages; ++n) std::cin >> sums[n];
    solve(0);
    for (int k = 0; k < 81; ++k) std::cout << grid[k / 9][k % 9] << (k % 9 == 8 ? "\n" : "");
}
