// Too slow: looks at the sums when all cells are filled.
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

// The classic rules of a 9x9 grid.
inline Rules classic() {
    Rules rules;
    rules.add_grid(3, 3, [](int r, int c) { return 9 * r + c; });
    return rules;
}

static void print(const Grid& grid) {
    for (std::size_t cell = 0; cell < grid.size(); ++cell)
        std::cout << ".123456789"[grid[cell]] << (cell % 9 == 9 - 1 ? "\n" : "");
}

static Grid read() {
    Grid grid;
    for (std::string row; int(grid.size()) < 9 * 9 && std::cin >> row;)
        for (char symbol : row) grid.push_back(int(std::string(".123456789").find(symbol)));
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

// Fills the cells row by row by the rules of Sudoku, and looks at the other rules when all are filled.
struct Plain {
    std::vector<std::vector<int>> peers;
    Grid grid;
    Rules rules;

    bool is_right() const {
        for (const auto& pair : rules.increasing)
            if (grid[pair.first] >= grid[pair.second]) return false;
        for (const Sandwich& sandwich : rules.sandwiches) {
            bool inside = false;
            int sum = 0;
            for (int cell : sandwich.line)
                if (grid[cell] == 1 || grid[cell] == 9)
                    inside = !inside;
                else if (inside)
                    sum += grid[cell];
            if (sum != sandwich.sum) return false;
        }
        return true;
    }

    bool fill(std::size_t cell) {
        while (cell < grid.size() && grid[cell] != 0) ++cell;
        if (cell == grid.size()) return is_right();
        for (int d = 1; d <= 9; ++d) {
            bool fits = true;
            for (int peer : peers[cell]) fits = fits && grid[peer] != d;
            if (!fits) continue;
            grid[cell] = d;
            if (fill(cell + 1)) return true;
            grid[cell] = 0;
        }
        return false;
    }
};

int main() {
    Rules rules = classic();
    const Grid grid = read();
    for (int k = 0; k < 18; ++k) {
        Sandwich sandwich{{}, 0};
        for (int j = 0; j < 9; ++j) sandwich.line.push_back(k < 9 ? 9 * k + j : 9 * j + k - 9);
        std::cin >> sandwich.sum;
        rules.sandwiches.push_back(sandwich);
    }
    Plain plain{peers_of(rules), grid, rules};
    plain.fill(0);
    print(plain.grid);
}
