// A bit mask of free digits per row, column and box; guesses in the cell with the fewest.
#include <array>
#include <bitset>
#include <iostream>

namespace {

std::array<std::array<int, 9>, 9> grid;
std::array<unsigned, 9> rows, columns, boxes;  // bit d: the digit d is still free

void flip(int r, int c, int d) {
    rows[r] ^= 1u << d;
    columns[c] ^= 1u << d;
    boxes[r / 3 * 3 + c / 3] ^= 1u << d;
}

bool solve() {
    std::size_t fewest = 10;
    int row = -1, column = -1;
    unsigned free = 0;
    for (int r = 0; r < 9; ++r) {
        for (int c = 0; c < 9; ++c) {
            if (grid[r][c] != 0) continue;
            const unsigned mask = rows[r] & columns[c] & boxes[r / 3 * 3 + c / 3];
            const std::size_t count = std::bitset<10>(mask).count();
            if (count < fewest) fewest = count, row = r, column = c, free = mask;
        }
    }
    if (row < 0) return true;
    for (int d = 1; d <= 9; ++d) {
        if (!(free >> d & 1)) continue;
        grid[row][column] = d;
        flip(row, column, d);
        if (solve()) return true;
        flip(row, column, d);
    }
    grid[row][column] = 0;
    return false;
}

}  // namespace

int main() {
    rows.fill(0x3fe), columns.fill(0x3fe), boxes.fill(0x3fe);
    for (int r = 0; r < 9; ++r) {
        for (int c = 0; c < 9; ++c) {
            std::cin >> grid[r][c];
            if (grid[r][c] != 0) flip(r, c, grid[r][c]);
        }
    }
    solve();
    for (const auto& row : grid) {
        for (int d : row) std::cout << d << ' ';
        std::cout << '\n';
    }
}
