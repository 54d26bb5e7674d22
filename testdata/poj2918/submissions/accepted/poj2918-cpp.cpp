// POJ 2918: fills Sudokus, each answer with its number
// http://poj.org/problem?id=2918
// Language: G++
// Made by `judge bundle poj2918 --to cpp` from commit a04f7b5b
// Licence: MIT OR Apache-2.0
// POJ 2918: like POJ 2676, with a line before each solution and an empty line after it.
// Sudokus of any regions as exact cover, solved with dancing links (Knuth), as in the article about
// UVa 1309. A choice puts a digit into a cell; it meets four demands: the cell's, and the digit's in the
// row, the column and the region. Plain C++98: it runs on Windows and in 32 bits too.
#include <cstdio>
#include <cstring>

struct Sudoku {
    enum { SIDE = 16, CELLS = SIDE * SIDE, DEMANDS = 4 * CELLS, NODES = 1 + DEMANDS + 4 * CELLS * SIDE };

    int side;
    int region[CELLS];  // of each cell, from 0; box() sets the usual ones
    int cell[CELLS];    // the puzzle: 0 is empty
    int solution[CELLS];
    long limit, found;
    void (*visit)(const Sudoku&);  // called with each solution

    explicit Sudoku(int side, int height, int width) : side(side), visit(0) {
        for (int k = 0; k < side * side; ++k)
            region[k] = k / side / height * height + k % side / width, cell[k] = 0;
    }

    // How many solutions there are, at most `most`; the last one found is in `solution`.
    long count(long most) {
        const int cells = side * side;
        limit = most, found = 0, nodes = 4 * cells + 1;
        for (int d = 0; d < nodes; ++d)
            left[d] = d - 1, right[d] = d + 1, up[d] = down[d] = d, size[d] = 0;
        left[0] = nodes - 1, right[nodes - 1] = 0;
        for (int k = 0; k < cells; ++k)
            for (int v = 0; v < side; ++v)
                if (cell[k] == 0 || cell[k] == v + 1) {
                    const int demands[4] = {k, cells + k / side * side + v, 2 * cells + k % side * side + v,
                                            3 * cells + region[k] * side + v};
                    add(demands, k * side + v);
                }
        if (limit > 0) search();
        return found;
    }

    // Makes `solution` the first in lexicographic order; whether there is one.
    bool first() {
        if (!count(1)) return false;
        int given[CELLS], least[CELLS];
        std::memcpy(given, cell, sizeof cell);
        std::memcpy(least, solution, sizeof solution);
        for (int k = 0; k < side * side; ++k) {
            for (cell[k] = given[k] ? least[k] : 1; cell[k] < least[k]; ++cell[k])
                if (count(1)) std::memcpy(least, solution, sizeof solution);
            cell[k] = least[k];
        }
        std::memcpy(cell, given, sizeof cell);
        std::memcpy(solution, least, sizeof solution);
        return true;
    }

  private:
    int nodes, placed[CELLS];
    int left[NODES], right[NODES], up[NODES], down[NODES], demand[NODES], choice[NODES], size[NODES];

    void add(const int* demands, int c) {
        for (int k = 0; k < 4; ++k, ++nodes) {
            const int d = demands[k] + 1;
            up[nodes] = up[d], down[nodes] = d, down[up[d]] = nodes, up[d] = nodes;
            left[nodes] = k ? nodes - 1 : nodes + 3, right[nodes] = k < 3 ? nodes + 1 : nodes - 3;
            demand[nodes] = d, choice[nodes] = c, ++size[d];
        }
    }

    void cover(int d) {
        right[left[d]] = right[d], left[right[d]] = left[d];
        for (int i = down[d]; i != d; i = down[i])
            for (int j = right[i]; j != i; j = right[j])
                down[up[j]] = down[j], up[down[j]] = up[j], --size[demand[j]];
    }

    void uncover(int d) {
        for (int i = up[d]; i != d; i = up[i])
            for (int j = left[i]; j != i; j = left[j])
                ++size[demand[j]], down[up[j]] = j, up[down[j]] = j;
        right[left[d]] = d, left[right[d]] = d;
    }

    // Whether to end the search.
    bool search() {
        if (right[0] == 0) {
            std::memcpy(solution, placed, sizeof solution);
            if (visit) visit(*this);
            return ++found == limit;
        }
        int d = right[0];
        for (int k = right[d]; k != 0 && size[d] > 0; k = right[k])
            if (size[k] < size[d]) d = k;
        cover(d);
        bool ends = false;
        for (int i = down[d]; i != d && !ends; i = down[i]) {
            placed[choice[i] / side] = choice[i] % side + 1;
            for (int j = right[i]; j != i; j = right[j]) cover(demand[j]);
            ends = search();
            for (int j = left[i]; j != i; j = left[j]) uncover(demand[j]);
        }
        uncover(d);
        return ends;
    }
};

static Sudoku sudoku(9, 3, 3);

int main() {
    int puzzles = 0;
    std::scanf("%d", &puzzles);
    for (int number = 1; number <= puzzles; ++number) {
        for (int k = 0; k < 81; ++k) {
            char c;
            std::scanf(" %c", &c);
            sudoku.cell[k] = c - '0';
        }
        sudoku.count(1);
        std::printf("Scenario #%d:\n", number);
        for (int k = 0; k < 81; ++k)
            std::printf("%d%s", sudoku.solution[k], k % 9 == 8 ? "\n" : "");
        std::putchar('\n');
    }
}
