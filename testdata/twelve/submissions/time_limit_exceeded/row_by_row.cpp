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

static void print(const Grid& grid) {
    for (std::size_t cell = 0; cell < grid.size(); ++cell)
        std::cout << ".ABCDEFGHIJKL"[grid[cell]] << (cell % 12 == 12 - 1 ? "\n" : "");
}

static Grid read() {
    Grid grid;
    for (std::string row; int(grid.size()) < 12 * 12 && std::cin >> row;)
        for (char symbol : row) grid.push_back(int(std::string(".ABCDEFGHIJKL").find(symbol)));
    return grid;
}

static Rules twelve(int height, int width) {
    Rules rules;
    rules.digits = 12;
    rules.cells = 144;
    rules.add_grid(height, width, [](int r, int c) { return 12 * r + c; });
    return rules;
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
    Rules rules = twelve(3, 4);
    Plain plain{peers_of(rules), rules.digits, {}, {}};
    int puzzles = 0;
    for (std::cin >> puzzles; puzzles > 0; --puzzles) {
        plain.grid = read();
        bool clash = false;
        for (int cell = 0; cell < rules.cells; ++cell)
            for (int peer : plain.peers[cell])
                clash = clash || (plain.grid[cell] != 0 && plain.grid[cell] == plain.grid[peer]);
        const long solutions = clash ? 0 : plain.count(0, 2);
        if (solutions != 1)
            std::cout << (solutions == 0 ? "none\n" : "several\n");
        else
            print(plain.found);
    }
}
