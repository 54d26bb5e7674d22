// Prints jigsaw puzzles: their number, then 81 numbers each, the digit plus the walls of the cell. Arguments: MAP KIND... for
// each puzzle, separated by `/`; MAP is the seed of the regions, KIND... as in sudoku.h.
#include "sudoku.h"

using Map = std::vector<int>;

static Map around(int cell) {
    Map cells;
    if (cell >= 9) cells.push_back(cell - 9);
    if (cell % 9 < 8) cells.push_back(cell + 1);
    if (cell < 72) cells.push_back(cell + 9);
    if (cell % 9 > 0) cells.push_back(cell - 1);
    return cells;
}

static bool is_connected(const Map& map, int region) {
    Map open = {int(std::find(map.begin(), map.end(), region) - map.begin())}, seen = open;
    while (!open.empty()) {
        const int cell = open.back();
        open.pop_back();
        for (int next : around(cell))
            if (map[next] == region && std::find(seen.begin(), seen.end(), next) == seen.end())
                seen.push_back(next), open.push_back(next);
    }
    return seen.size() == 9;
}

// Boxes after `swaps` exchanges of two border cells that keep both regions connected.
static Map jigsaw(std::uint64_t seed, int swaps) {
    sudoku::Random random(seed);
    Map map = sudoku::Houses::boxes(9, 3, 3);
    while (swaps > 0) {
        const int a = random.below(81), b = random.below(81);
        const int from = map[a], to = map[b];
        const auto touches = [&](int cell, int region) {
            for (int next : around(cell))
                if (map[next] == region) return true;
            return false;
        };
        if (from == to || !touches(a, to) || !touches(b, from)) continue;
        map[a] = to, map[b] = from;
        if (is_connected(map, from) && is_connected(map, to))
            --swaps;
        else
            map[a] = from, map[b] = to;
    }
    return map;
}

int main(int argc, char** argv) {
    std::vector<std::string> words;
    std::vector<std::pair<Map, sudoku::Grid>> puzzles;
    for (int k = 1; k <= argc; ++k) {
        if (k < argc && argv[k] != std::string("/")) {
            words.push_back(argv[k]);
            continue;
        }
        const std::uint64_t seed = std::stoull(words.at(0));
        words.erase(words.begin());
        const Map map = jigsaw(seed, seed == 0 ? 0 : 8);
        for (const auto& grid : sudoku::grids_of(sudoku::Houses(9, map), words)) puzzles.emplace_back(map, grid);
        words.clear();
    }
    std::cout << puzzles.size() << '\n';
    for (const auto& puzzle : puzzles) {
        const Map& map = puzzle.first;
        for (int cell = 0; cell < 81; ++cell) {
            int code = puzzle.second.cells[cell];
            if (cell < 9 || map[cell - 9] != map[cell]) code += 16;
            if (cell % 9 == 8 || map[cell + 1] != map[cell]) code += 32;
            if (cell >= 72 || map[cell + 9] != map[cell]) code += 64;
            if (cell % 9 == 0 || map[cell - 1] != map[cell]) code += 128;
            std::cout << code << (cell % 9 < 8 ? ' ' : '\n');
        }
    }
}
