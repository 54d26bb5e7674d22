// `SEED GIVENS`: a puzzle with at least GIVENS givens, and the sums between 1 and 9 of all rows and columns. It
// has one solution.
#include "variants.h"

using namespace variants;

int main(int argc, char** argv) {
    if (argc != 3) sudoku::fail("expected SEED GIVENS");
    Random random(std::strtoull(argv[1], nullptr, 10));
    Rules rules = classic();
    const Grid full = complete(rules, random);
    for (int k = 0; k < 18; ++k) {
        Sandwich sandwich{{}, 0};
        for (int j = 0; j < 9; ++j) sandwich.line.push_back(k < 9 ? 9 * k + j : 9 * j + k - 9);
        bool inside = false;
        for (int cell : sandwich.line)
            if (full[cell] == 1 || full[cell] == 9)
                inside = !inside;
            else if (inside)
                sandwich.sum += full[cell];
        rules.sandwiches.push_back(sandwich);
    }
    print(dug(rules, full, std::atoi(argv[2]), random, 1000), 9);
    for (int k = 0; k < 18; ++k) std::cout << rules.sandwiches[k].sum << (k % 9 == 8 ? '\n' : ' ');
}
