// `SEED GIVENS COUNT MOST`: a puzzle with at least GIVENS givens and COUNT thermometers of 2 to MOST cells that
// share none. It has one solution.
#include "variants.h"

using namespace variants;

int main(int argc, char** argv) {
    if (argc != 5) sudoku::fail("expected SEED GIVENS COUNT MOST");
    Random random(std::strtoull(argv[1], nullptr, 10));
    const int givens = std::atoi(argv[2]), count = std::atoi(argv[3]), most = std::atoi(argv[4]);
    Rules rules = classic();
    const Grid full = complete(rules, random);
    std::vector<std::vector<int>> thermometers;
    std::vector<bool> used(81, false);
    for (int attempt = 0; attempt < 10000 && int(thermometers.size()) < count; ++attempt) {
        std::vector<int> line = {random.below(81)};
        const int length = 2 + random.below(most - 1);
        while (int(line.size()) < length) {
            const int r = line.back() / 9, c = line.back() % 9;
            std::vector<int> next;
            for (int down = -1; down <= 1; ++down)
                for (int right = -1; right <= 1; ++right) {
                    const int row = r + down, column = c + right, cell = 9 * row + column;
                    if (row < 0 || row > 8 || column < 0 || column > 8 || used[cell]) continue;
                    if (full[cell] > full[line.back()]) next.push_back(cell);
                }
            if (next.empty()) break;
            line.push_back(next[random.below(int(next.size()))]);
        }
        if (line.size() < 2 || used[line[0]]) continue;
        for (int cell : line) used[cell] = true;
        for (std::size_t k = 1; k < line.size(); ++k) rules.increasing.emplace_back(line[k - 1], line[k]);
        thermometers.push_back(line);
    }
    print(dug(rules, full, givens, random, 2000), 9);
    std::cout << thermometers.size() << '\n';
    for (const auto& line : thermometers) {
        std::cout << line.size();
        for (int cell : line) std::cout << ' ' << cell / 9 + 1 << ' ' << cell % 9 + 1;
        std::cout << '\n';
    }
}
