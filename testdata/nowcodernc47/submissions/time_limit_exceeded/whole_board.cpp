// Too slow: fills the cells row by row and looks through the whole board after every digit.
#include <iostream>

namespace {

char board[9][9];

bool is_legal() {
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c)
            for (int other = 0; other < 81 && board[r][c] != '.'; ++other) {
                const int row = other / 9, column = other % 9;
                const bool sees = row == r || column == c ||
                                  (row / 3 == r / 3 && column / 3 == c / 3);
                if (sees && (row != r || column != c) && board[row][column] == board[r][c])
                    return false;
            }
    return true;
}

bool solve(int cell) {
    if (cell == 81) return true;
    char& here = board[cell / 9][cell % 9];
    if (here != '.') return solve(cell + 1);
    for (here = '1'; here <= '9'; ++here)
        if (is_legal() && solve(cell + 1)) return true;
    here = '.';
    return false;
}

}  // namespace

int main() {
    int count = 0;
    for (char c; std::cin >> c;)
        if (c == '.' || (c >= '1' && c <= '9')) board[count / 9][count % 9] = c, ++count;
    solve(0);
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c)
            std::cout << (c > 0 ? "," : r > 0 ? "],[" : "[[") << board[r][c];
    std::cout << "]]\n";
}
