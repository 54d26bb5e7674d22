// The site's function, with fewest candidates first; main reads and writes the sample files' form.
#include <iostream>
#include <string>
#include <vector>

class Solution {
  public:
    void solveSudoku(std::vector<std::vector<char>>& board) { solve(board); }

  private:
    using Board = std::vector<std::vector<char>>;

    static std::string candidates(const Board& board, int r, int c) {
        std::string result;
        for (char d = '1'; d <= '9'; ++d) {
            bool fits = true;
            for (int k = 0; k < 9; ++k)
                fits = fits && board[r][k] != d && board[k][c] != d &&
                       board[r / 3 * 3 + k / 3][c / 3 * 3 + k % 3] != d;
            if (fits) result += d;
        }
        return result;
    }

    static bool solve(Board& board) {
        int row = -1, column = -1;
        std::string fewest;
        for (int r = 0; r < 9; ++r) {
            for (int c = 0; c < 9; ++c) {
                if (board[r][c] != '.') continue;
                const std::string found = candidates(board, r, c);
                if (row < 0 || found.size() < fewest.size()) fewest = found, row = r, column = c;
            }
        }
        if (row < 0) return true;
        for (char d : fewest) {
            board[row][column] = d;
            if (solve(board)) return true;
        }
        board[row][column] = '.';
        return false;
    }
};

int main() {
    std::vector<std::vector<char>> board(1);
    for (char c; std::cin >> c;) {
        if (c != '.' && (c < '1' || c > '9')) continue;
        if (board.back().size() == 9) board.emplace_back();
        board.back().push_back(c);
    }
    Solution().solveSudoku(board);
    std::cout << '[';
    for (std::size_t r = 0; r < 9; ++r) {
        for (std::size_t c = 0; c < 9; ++c)
            std::cout << (c > 0 ? "," : r > 0 ? ",[" : "[") << board[r][c];
        std::cout << ']';
    }
    std::cout << "]\n";
}
