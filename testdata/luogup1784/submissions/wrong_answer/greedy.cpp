// Wrong: takes the first digit that fits in each cell and never takes it back.
#include <iostream>

int main() {
    int grid[9][9];
    for (auto& row : grid)
        for (int& cell : row) std::cin >> cell;
    for (int r = 0; r < 9; ++r) {
        for (int c = 0; c < 9; ++c) {
            for (int d = 1; d <= 9 && grid[r][c] == 0; ++d) {
                bool fits = true;
                for (int k = 0; k < 9; ++k)
                    fits = fits && grid[r][k] != d && grid[k][c] != d &&
                           grid[r / 3 * 3 + k / 3][c / 3 * 3 + k % 3] != d;
                if (fits) grid[r][c] = d;
            }
            if (grid[r][c] == 0) grid[r][c] = 1;
        }
    }
    for (const auto& row : grid) {
        for (int d : row) std::cout << d << ' ';
        std::cout << '\n';
    }
}
