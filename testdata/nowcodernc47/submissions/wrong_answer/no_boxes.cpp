// Wrong: forgets the boxes.
#include <iostream>
#include <string>

namespace {

char board[9][9];

bool solve(int cell) {
    if (cell == 81) return true;
    const int r = cell / 9, c = cell % 9;
    if (board[r][c] != '.') return solve(cell + 1);
    for (char d = '1'; d <= '9'; ++d) {
        bool fits = true;
        for (int k = 0; k < 9; ++k) fits = fits && board[r][k] != d && board[k][c] != d;
        if (!fits) continue;
        board[r][c] = d;
        // A search without the boxes can take for ever; a wrong digit is as good as any other.
        static long budget = 1000000;
        if (--budget < 0 || solve(cell + 1)) return true;
    }
    board[r][c] = '.';
    return false;
}

}  // namespace

int main() {
    int cell = 0;
    for (char c; std::cin >> c;)
        if (c == '.' || (c >= '1' && c <= '9')) board[cell / 9][cell % 9] = c, ++cell;
    solve(0);
    std::cout << '[';
    for (int r = 0; r < 9; ++r) {
        for (int c = 0; c < 9; ++c)
            std::cout << (c > 0 ? "," : r > 0 ? ",[" : "[") << (board[r][c] == '.' ? '1' : board[r][c]);
        std::cout << ']';
    }
    std::cout << "]\n";
}
