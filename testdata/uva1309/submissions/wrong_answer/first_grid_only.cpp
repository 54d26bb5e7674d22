// Wrong: reads one grid and stops.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int side = 16, box = 4, cells = side * side;

struct Grid {
    char cell[cells];
    std::uint16_t rows[side], columns[side], boxes[side];  // bit d: the letter is still free
};

int box_of(int r, int c) { return r / box * box + c / box; }

unsigned free_in(const Grid& grid, int r, int c) {
    return grid.rows[r] & grid.columns[c] & grid.boxes[box_of(r, c)];
}

void put(Grid& grid, int r, int c, int d) {
    grid.cell[r * side + c] = static_cast<char>('A' + d);
    const std::uint16_t others = static_cast<std::uint16_t>(~(1u << d));
    grid.rows[r] &= others;
    grid.columns[c] &= others;
    grid.boxes[box_of(r, c)] &= others;
}

struct Place {
    int r, c, d;
};

// The choices of a smallest set: the letters of a cell, or the places of a letter in a house.
std::vector<Place> smallest(const Grid& grid) {
    std::vector<Place> best, found;
    bool first = true;
    const auto consider = [&] {
        if (first || found.size() < best.size()) best = found;
        first = false;
        found.clear();
    };
    for (int r = 0; r < side; ++r) {
        for (int c = 0; c < side; ++c) {
            if (grid.cell[r * side + c] != '-') continue;
            const unsigned free = free_in(grid, r, c);
            for (int d = 0; d < side; ++d)
                if (free >> d & 1) found.push_back({r, c, d});
            consider();
            if (best.size() < 2) return best;
        }
    }
    for (int kind = 0; kind < 3; ++kind) {
        for (int house = 0; house < side; ++house) {
            const unsigned open = kind == 0   ? grid.rows[house]
                                  : kind == 1 ? grid.columns[house]
                                              : grid.boxes[house];
            for (int d = 0; d < side; ++d) {
                if (!(open >> d & 1)) continue;
                for (int k = 0; k < side; ++k) {
                    const int r = kind == 0   ? house
                                  : kind == 1 ? k
                                              : house / box * box + k / box;
                    const int c = kind == 0   ? k
                                  : kind == 1 ? house
                                              : house % box * box + k % box;
                    if (grid.cell[r * side + c] == '-' && (free_in(grid, r, c) >> d & 1))
                        found.push_back({r, c, d});
                }
                consider();
                if (best.size() < 2) return best;
            }
        }
    }
    return best;
}

bool is_full(const Grid& grid) {
    for (char cell : grid.cell)
        if (cell == '-') return false;
    return true;
}

bool solve(Grid& grid) {
    if (is_full(grid)) return true;
    for (const Place& place : smallest(grid)) {
        Grid copy = grid;
        put(copy, place.r, place.c, place.d);
        if (solve(copy)) {
            grid = copy;
            return true;
        }
    }
    return false;
}

bool read(Grid& grid) {
    for (int k = 0; k < side; ++k) grid.rows[k] = grid.columns[k] = grid.boxes[k] = 0xffff;
    for (int r = 0; r < side; ++r) {
        std::string line;
        if (!(std::cin >> line)) return false;
        for (int c = 0; c < side; ++c) {
            grid.cell[r * side + c] = '-';
            if (line[c] != '-') put(grid, r, c, line[c] - 'A');
        }
    }
    return true;
}

void write(const Grid& grid) {
    for (int r = 0; r < side; ++r) std::cout << std::string(grid.cell + r * side, side) << '\n';
}

}  // namespace

int main() {
    Grid grid;
    read(grid);
    solve(grid);
    write(grid);
}
