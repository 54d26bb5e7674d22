// Seeded Sudoku grids of up to 16x16: a seed gives the same grid on every machine and with every
// compiler. The packages whose data is made with this file each hold a copy, all of them the same.
//
// A grid is drawn by a random search; givens are then taken away as long as the puzzle has no more
// solutions than it may. Counting solutions has one right result, so a faster count changes no grid.
#ifndef SUDOKU_H
#define SUDOKU_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace sudoku {

using Mask = std::uint32_t;

[[noreturn]] inline void fail(const std::string& what) {
    std::cerr << what << '\n';
    std::exit(1);
}

// SplitMix64.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state(seed) {}

    std::uint64_t next() {
        std::uint64_t mixed = state += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    // A number from 0 to count - 1, each as likely as the others.
    int below(int count) {
        const std::uint64_t n = static_cast<std::uint64_t>(count);
        for (;;) {
            const std::uint64_t draw = next();
            if (draw < UINT64_MAX - UINT64_MAX % n) return static_cast<int>(draw % n);
        }
    }

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (int last = static_cast<int>(items.size()) - 1; last > 0; --last)
            std::swap(items[last], items[below(last + 1)]);
    }

  private:
    std::uint64_t state;
};

struct Grid {
    int side;
    std::vector<int> cells;  // row by row; 0 is empty, else 1 to side

    explicit Grid(int side) : side(side), cells(side * side, 0) {}
    int at(int row, int column) const { return cells[row * side + column]; }
};

// Which cells form a house, and which houses a cell lies in: rows, then columns, then boxes.
struct Houses {
    int side, box = 1;
    std::vector<std::vector<int>> cells, of;

    explicit Houses(int side) : Houses(side, boxes(side, root(side), root(side))) { box = root(side); }

    // `region` gives each cell its region, from 0, instead of a square box.
    Houses(int side, const std::vector<int>& region) : side(side), cells(3 * side), of(side * side) {
        for (int cell = 0; cell < side * side; ++cell) {
            of[cell] = {cell / side, side + cell % side, 2 * side + region[cell]};
            for (int house : of[cell]) cells[house].push_back(cell);
        }
    }

    static std::vector<int> boxes(int side, int height, int width) {
        std::vector<int> region;
        for (int cell = 0; cell < side * side; ++cell)
            region.push_back(cell / side / height * height + cell % side / width);
        return region;
    }

    static int root(int side) {
        int root = 1;
        while (root * root < side) ++root;
        return root;
    }
};

// Counts solutions: places what follows, then guesses in a smallest set of candidates.
class Counter {
  public:
    explicit Counter(const Houses& houses) : houses(houses), full((1u << houses.side) - 1) {}

    // How many solutions there are, at most `limit`.
    long count(const Grid& grid, long limit) const {
        State state;
        state.left = houses.side * houses.side;
        state.candidates.assign(state.left, full);
        state.placed.assign(state.left, false);
        for (int cell = 0; cell < houses.side * houses.side; ++cell) {
            if (grid.cells[cell] == 0) continue;
            const Mask digit = 1u << (grid.cells[cell] - 1);
            if (!(state.candidates[cell] & digit)) return 0;
            place(state, cell, digit);
        }
        return search(state, limit);
    }

  private:
    struct State {
        std::vector<std::uint16_t> candidates;
        std::vector<char> placed;
        int left;
    };

    const Houses& houses;
    const Mask full;

    static int size(Mask mask) { return __builtin_popcount(mask); }

    void place(State& state, int cell, Mask digit) const {
        for (int house : houses.of[cell])
            for (int peer : houses.cells[house]) state.candidates[peer] &= static_cast<std::uint16_t>(~digit);
        state.candidates[cell] = static_cast<std::uint16_t>(digit);
        state.placed[cell] = true;
        --state.left;
    }

    // Places digits that have one place, and cells that have one digit; whether none has none.
    bool reduce(State& state) const {
        for (int before = -1; before != state.left;) {
            before = state.left;
            for (int cell = 0; cell < houses.side * houses.side; ++cell) {
                const Mask mask = state.candidates[cell];
                if (mask == 0) return false;
                if (!state.placed[cell] && size(mask) == 1) place(state, cell, mask);
            }
            for (const std::vector<int>& house : houses.cells) {
                Mask once = 0, twice = 0;
                for (int cell : house) {
                    twice |= once & state.candidates[cell];
                    once |= state.candidates[cell];
                }
                if (once != full) return false;
                for (int cell : house) {
                    const Mask alone = state.candidates[cell] & once & ~twice;
                    if (alone == 0 || state.placed[cell]) continue;
                    if (size(alone) > 1) return false;
                    place(state, cell, alone);
                }
            }
        }
        return true;
    }

    long search(State& state, long limit) const {
        if (!reduce(state)) return 0;
        if (state.left == 0) return 1;
        std::vector<std::pair<int, Mask>> best;
        for (int cell = 0; cell < houses.side * houses.side; ++cell) {
            const Mask mask = state.candidates[cell];
            if (state.placed[cell] || (!best.empty() && size(mask) >= int(best.size()))) continue;
            best.clear();
            for (int d = 0; d < houses.side; ++d)
                if (mask >> d & 1) best.emplace_back(cell, 1u << d);
        }
        for (const std::vector<int>& house : houses.cells) {
            for (int d = 0; d < houses.side && best.size() > 2; ++d) {
                std::vector<std::pair<int, Mask>> places;
                for (int cell : house)
                    if (state.candidates[cell] >> d & 1) places.emplace_back(cell, 1u << d);
                if (places.size() > 1 && places.size() < best.size()) best = places;
            }
        }
        long found = 0;
        for (const auto& guess : best) {
            State next = state;
            place(next, guess.first, guess.second);
            found += search(next, limit - found);
            if (found >= limit) break;
        }
        return found;
    }
};

class Generator {
  public:
    Generator(int side, std::uint64_t seed) : Generator(Houses(side), seed) {}

    Generator(const Houses& houses, std::uint64_t seed) : houses(houses), random(seed), counter(this->houses) {}

    // A grid without an empty cell.
    Grid complete() {
        for (;;) {
            // Some beginnings are unlucky: it is cheaper to start afresh than to see them through.
            Grid grid(houses.side);
            held.assign(3 * houses.side, 0);
            budget = 2 * houses.side * houses.side;
            if (fill(grid)) return grid;
        }
    }

    // One solution, and no given can go.
    Grid minimal() {
        Grid grid = complete();
        dig(grid, 0, 1);
        return grid;
    }

    // One solution, and this many givens.
    Grid unique(int givens) {
        for (int attempt = 0; attempt < 100; ++attempt) {
            Grid grid = complete();
            dig(grid, givens, 1);
            if (count_givens(grid) == givens) return grid;
        }
        fail("no puzzle with so few givens was found");
    }

    // Exactly this many solutions, and at most this many givens.
    Grid several(long solutions, int givens) {
        for (int attempt = 0; attempt < 100; ++attempt) {
            Grid grid = complete();
            dig(grid, givens, 1);
            while (count_givens(grid) > 0) {
                if (counter.count(grid, solutions + 1) == solutions && count_givens(grid) <= givens)
                    return grid;
                const int fewer = count_givens(grid) - 1;
                dig(grid, fewer, solutions);
                if (count_givens(grid) > fewer) break;
            }
        }
        fail("no puzzle with so many solutions was found");
    }

    // At least this many solutions, but less than twenty times as many.
    Grid many(long solutions) {
        Grid grid = minimal();
        std::vector<int> given;
        for (int cell = 0; cell < int(grid.cells.size()); ++cell)
            if (grid.cells[cell] != 0) given.push_back(cell);
        random.shuffle(given);
        for (int cell : given) {
            const int digit = std::exchange(grid.cells[cell], 0);
            const long count = counter.count(grid, 20 * solutions);
            if (count == 20 * solutions)
                grid.cells[cell] = digit;
            else if (count >= solutions)
                return grid;
        }
        fail("no puzzle with so many solutions was found");
    }

    // No solution, although no two givens clash: a puzzle with one given changed.
    Grid none(int givens) {
        for (int attempt = 0; attempt < 100; ++attempt) {
            Grid grid = unique(givens);
            std::vector<int> given;
            for (int cell = 0; cell < int(grid.cells.size()); ++cell)
                if (grid.cells[cell] != 0) given.push_back(cell);
            random.shuffle(given);
            for (int cell : given) {
                const int digit = grid.cells[cell];
                for (int other = 1; other <= grid.side; ++other) {
                    grid.cells[cell] = other;
                    if (other != digit && fits(grid, cell) && counter.count(grid, 1) == 0) return grid;
                }
                grid.cells[cell] = digit;
            }
        }
        fail("no puzzle without a solution was found");
    }

    // A puzzle with one more given, which clashes with another.
    Grid clash(int givens) {
        Grid grid = unique(givens);
        std::vector<int> empty;
        for (int cell = 0; cell < int(grid.cells.size()); ++cell)
            if (grid.cells[cell] == 0) empty.push_back(cell);
        random.shuffle(empty);
        for (int cell : empty)
            for (int digit = 1; digit <= grid.side; ++digit) {
                grid.cells[cell] = digit;
                if (!fits(grid, cell)) return grid;
                grid.cells[cell] = 0;
            }
        fail("no place for a clash was found");
    }

    // An equivalent puzzle: digits relabelled, lines moved where that keeps the rules, transposed.
    Grid scrambled(const Grid& grid) {
        const std::vector<int> rows = line_order(), columns = line_order();
        const bool transposed = random.below(2) == 1;
        std::vector<int> digits;
        for (int d = 1; d <= grid.side; ++d) digits.push_back(d);
        random.shuffle(digits);
        Grid out(grid.side);
        for (int r = 0; r < grid.side; ++r) {
            for (int c = 0; c < grid.side; ++c) {
                const int d = transposed ? grid.at(columns[c], rows[r]) : grid.at(rows[r], columns[c]);
                out.cells[r * grid.side + c] = d == 0 ? 0 : digits[d - 1];
            }
        }
        return out;
    }

    long count(const Grid& grid, long limit) const { return counter.count(grid, limit); }

  private:
    const Houses houses;
    Random random;
    const Counter counter;
    std::vector<Mask> held;  // by house: the digits that it holds
    int budget = 0;          // how many more digits may be tried

    static int count_givens(const Grid& grid) {
        return int(grid.cells.size() - std::count(grid.cells.begin(), grid.cells.end(), 0));
    }

    // Whether no cell in a house of this one has the same digit.
    bool fits(const Grid& grid, int cell) const {
        for (int house : houses.of[cell])
            for (int peer : houses.cells[house])
                if (peer != cell && grid.cells[peer] == grid.cells[cell]) return false;
        return true;
    }

    // Takes givens away in random order, as long as there are more than `givens` and no more than
    // `solutions` solutions.
    void dig(Grid& grid, int givens, long solutions) {
        std::vector<int> given;
        for (int cell = 0; cell < int(grid.cells.size()); ++cell)
            if (grid.cells[cell] != 0) given.push_back(cell);
        random.shuffle(given);
        int left = int(given.size());
        for (int cell : given) {
            if (left <= givens) break;
            const int digit = std::exchange(grid.cells[cell], 0);
            if (counter.count(grid, solutions + 1) > solutions)
                grid.cells[cell] = digit;
            else
                --left;
        }
    }

    void flip(int cell, int digit) {
        for (int house : houses.of[cell]) held[house] ^= 1u << (digit - 1);
    }

    // Completes the grid by a random search; whether it could.
    bool fill(Grid& grid) {
        if (std::count(grid.cells.begin(), grid.cells.end(), 0) == 0) return true;
        std::vector<std::pair<int, int>> branches = smallest(grid);
        random.shuffle(branches);
        for (const auto& branch : branches) {
            if (budget == 0) return false;
            --budget;
            flip(branch.first, branch.second);
            grid.cells[branch.first] = branch.second;
            if (fill(grid)) return true;
            flip(branch.first, branch.second);
            grid.cells[branch.first] = 0;
        }
        return false;
    }

    // The candidates of one of the smallest sets, drawn among them: the digits of a cell, or the
    // places of a digit in a house.
    std::vector<std::pair<int, int>> smallest(const Grid& grid) {
        const int side = grid.side, cells = side * side;
        std::vector<std::vector<std::pair<int, int>>> sets(cells + 3 * side * side);
        for (int cell = 0; cell < cells; ++cell) {
            if (grid.cells[cell] != 0) continue;
            Mask taken = 0;
            for (int house : houses.of[cell]) taken |= held[house];
            for (int d = 1; d <= side; ++d) {
                if (taken >> (d - 1) & 1) continue;
                sets[cell].emplace_back(cell, d);
                for (int house : houses.of[cell])
                    sets[cells + house * side + d - 1].emplace_back(cell, d);
            }
        }
        std::vector<int> ties;
        for (int set = 0; set < int(sets.size()); ++set) {
            const bool is_open = set < cells
                                     ? grid.cells[set] == 0
                                     : !(held[(set - cells) / side] >> ((set - cells) % side) & 1);
            if (!is_open) continue;
            if (!ties.empty() && sets[set].size() < sets[ties[0]].size()) ties.clear();
            if (ties.empty() || sets[set].size() == sets[ties[0]].size()) ties.push_back(set);
        }
        return sets[ties[random.below(int(ties.size()))]];
    }

    // An order of the rows (or columns) that keeps those of a band together.
    std::vector<int> line_order() {
        std::vector<int> bands, order;
        for (int k = 0; k < houses.box; ++k) bands.push_back(k);
        random.shuffle(bands);
        for (int band : bands) {
            std::vector<int> lines;
            for (int k = 0; k < houses.box; ++k) lines.push_back(band * houses.box + k);
            random.shuffle(lines);
            order.insert(order.end(), lines.begin(), lines.end());
        }
        return order;
    }
};

// The grid that words of a command name: `complete SEED`, `minimal SEED`, `unique SEED GIVENS`,
// `several SEED SOLUTIONS GIVENS`, `many SEED SOLUTIONS`, `none SEED GIVENS`, `clash SEED GIVENS`; `empty`;
// or `given LINE`, a grid with one solution in one line, where `.` is empty.
inline Grid grid_of(const Houses& houses, const std::vector<std::string>& words) {
    const auto number = [&](std::size_t k) {
        if (k >= words.size()) fail("a number is missing after " + words.back());
        return std::stoll(words[k]);
    };
    const std::string kind = words.empty() ? "" : words[0];
    if (kind == "empty") return Grid(houses.side);
    if (kind == "given") {
        Grid grid(houses.side);
        const std::string line = words.size() > 1 ? words[1] : "";
        if (line.size() != grid.cells.size()) fail("the line does not fill the grid");
        for (std::size_t cell = 0; cell < line.size(); ++cell)
            grid.cells[cell] = line[cell] == '.' ? 0 : line[cell] - '0';
        if (Generator(houses, 0).count(grid, 2) != 1) fail("the grid has not one solution");
        return grid;
    }
    Generator generator(houses, static_cast<std::uint64_t>(number(1)));
    if (kind == "complete") return generator.complete();
    if (kind == "minimal") return generator.minimal();
    if (kind == "unique") return generator.unique(int(number(2)));
    if (kind == "several") return generator.several(number(2), int(number(3)));
    if (kind == "many") return generator.many(number(2));
    if (kind == "none") return generator.none(int(number(2)));
    if (kind == "clash") return generator.clash(int(number(2)));
    fail("unknown kind of grid: " + kind);
}

inline Grid grid_of(int side, const std::vector<std::string>& words) { return grid_of(Houses(side), words); }

// Several grids: KIND... + KIND...; or `times N KIND... + ...`, N grids: these in turn, each scrambled,
// because an equivalent puzzle is as hard, and much cheaper to make.
inline std::vector<Grid> grids_of(const Houses& houses, std::vector<std::string> words) {
    std::vector<std::string> kind;
    std::vector<Grid> grids;
    int times = 0;
    if (words.size() > 1 && words[0] == "times") {
        times = std::stoi(words[1]);
        words.erase(words.begin(), words.begin() + 2);
    }
    words.push_back("+");
    for (const std::string& word : words) {
        if (word != "+") {
            kind.push_back(word);
            continue;
        }
        grids.push_back(grid_of(houses, kind));
        kind.clear();
    }
    const int different = int(grids.size());
    for (int k = 0; k < times; ++k)
        grids.push_back(Generator(houses, k).scrambled(grids[k % different]));
    if (times > 0) grids.erase(grids.begin(), grids.begin() + different);
    return grids;
}

}  // namespace sudoku

#endif
