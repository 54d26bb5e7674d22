// Too slow: fills the cells row by row and does not look ahead.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using Mask = std::uint32_t;

// The digits between the lowest and the highest have this sum.
struct Sandwich {
    std::vector<int> line;
    int sum;
};

struct Rules {
    int digits = 9, cells = 81;
    std::vector<std::vector<int>> houses;         // each holds every digit once
    std::vector<std::pair<int, int>> different;   // cells with different digits
    std::vector<std::pair<int, int>> increasing;  // the digit of the first cell is less
    std::vector<Sandwich> sandwiches;

    // Adds the rows, columns and boxes of a grid of `digits` rows; `cell` gives each cell its number.
    template <class CellOf>
    void add_grid(int height, int width, CellOf cell) {
        for (int k = 0; k < digits; ++k) {
            std::vector<int> row, column, box;
            for (int j = 0; j < digits; ++j) {
                row.push_back(cell(k, j));
                column.push_back(cell(j, k));
                box.push_back(cell(k / height * height + j / width, k % height * width + j % width));
            }
            houses.insert(houses.end(), {row, column, box});
        }
    }
};

using Grid = std::vector<int>;  // 0 is empty

static const std::pair<int, int> corners[] = {{0, 0}, {0, 12}, {6, 6}, {12, 0}, {12, 12}};
static int number[21][21];

static Rules samurai() {
    Rules rules;
    rules.cells = 0;
    for (int r = 0; r < 21; ++r)
        for (int c = 0; c < 21; ++c) {
            bool is_inside = false;
            for (const auto& [top, left] : corners)
                is_inside = is_inside || (r >= top && r < top + 9 && c >= left && c < left + 9);
            number[r][c] = is_inside ? rules.cells++ : -1;
        }
    for (const auto& corner : corners)
        rules.add_grid(3, 3, [&](int r, int c) { return number[corner.first + r][corner.second + c]; });
    return rules;
}

static void print(const Grid& grid) {
    for (int r = 0; r < 21; ++r)
        for (int c = 0; c < 21; ++c)
            std::cout << (number[r][c] < 0 ? '#' : ".123456789"[grid[number[r][c]]]) << (c == 20 ? "\n" : "");
}

static Grid read() {
    Grid grid;
    for (std::string row; std::cin >> row;)
        for (char symbol : row)
            if (symbol != '#') grid.push_back(symbol == '.' ? 0 : symbol - '0');
    return grid;
}

static std::vector<std::vector<int>> peers_of(const Rules& rules) {
    std::vector<std::vector<int>> peers(rules.cells);
    for (const auto& house : rules.houses)
        for (int one : house)
            for (int other : house)
                if (one != other) peers[one].push_back(other);
    for (const auto& pair : rules.different) {
        peers[pair.first].push_back(pair.second);
        peers[pair.second].push_back(pair.first);
    }
    return peers;
}

// Counts solutions cell by cell, row by row, without looking ahead; the last one is in `found`.
struct Plain {
    std::vector<std::vector<int>> peers;
    int digits;
    Grid grid, found;

    long count(std::size_t cell, long limit) {
        while (cell < grid.size() && grid[cell] != 0) ++cell;
        if (cell == grid.size()) {
            found = grid;
            return 1;
        }
        long solutions = 0;
        for (int d = 1; d <= digits && solutions < limit; ++d) {
            bool fits = true;
            for (int peer : peers[cell]) fits = fits && grid[peer] != d;
            if (!fits) continue;
            grid[cell] = d;
            solutions += count(cell + 1, limit - solutions);
            grid[cell] = 0;
        }
        return solutions;
    }
};

int main() {
    const Rules rules = samurai();
    Plain plain{peers_of(rules), 9, read(), {}};
    plain.count(0, 1);
    print(plain.found);
}
