// Fills the cells row by row, smallest digit first: the solutions come in order.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

int grid[9][9];
unsigned rows[9], columns[9], boxes[9];  // bit d: the digit d is taken
std::vector<std::string> solutions;

void flip(int r, int c, int d) {
    rows[r] ^= 1u << d;
    columns[c] ^= 1u << d;
    boxes[r / 3 * 3 + c / 3] ^= 1u << d;
}

bool is_free(int r, int c, int d) {
    return !((rows[r] | columns[c] | boxes[r / 3 * 3 + c / 3]) >> d & 1);
}

std::string text() {
    std::ostringstream out;
    for (const auto& row : grid)
        for (int c = 0; c < 9; ++c) out << row[c] << (c < 8 ? ' ' : '\n');
    return out.str();
}

// Whether the givens do not clash.
bool read() {
    bool good = true;
    for (int r = 0; r < 9; ++r) {
        for (int c = 0; c < 9; ++c) {
            std::cin >> grid[r][c];
            if (grid[r][c] == 0) continue;
            good = good && is_free(r, c, grid[r][c]);
            if (good) flip(r, c, grid[r][c]);
        }
    }
    return good;
}

void write() {
    for (const std::string& solution : solutions) std::cout << solution << '\n';
    std::cout << solutions.size() << '\n';
}

void solve(int cell) {
    if (cell == 81) {
        solutions.push_back(text());
        return;
    }
    const int r = cell / 9, c = cell % 9;
    if (grid[r][c] != 0) return solve(cell + 1);
    for (int d = 1; d <= 9; ++d) {
        if (!is_free(r, c, d)) continue;
        grid[r][c] = d;
        flip(r, c, d);
        solve(cell + 1);
        flip(r, c, d);
    }
    grid[r][c] = 0;
}

}  // namespace

int main() {
    if (read()) solve(0);
    write();
}
