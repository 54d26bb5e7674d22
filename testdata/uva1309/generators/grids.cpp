// grids KIND...                   the grid that the words name (sudoku.h says how)
// grids KIND... + KIND...         several
// grids times N KIND... + ...     N grids: these in turn, each scrambled, because an equivalent
//                                 puzzle is as hard, and much cheaper to make
// A row is sixteen letters, `-` is empty; one empty line stands between grids.
#include "sudoku.h"

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc), kind;
    std::vector<sudoku::Grid> grids;
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
        grids.push_back(sudoku::grid_of(16, kind));
        kind.clear();
    }
    const int different = int(grids.size());
    for (int k = 0; k < times; ++k)
        grids.push_back(sudoku::Generator(16, k).scrambled(grids[k % different]));
    if (times > 0) grids.erase(grids.begin(), grids.begin() + different);
    for (std::size_t k = 0; k < grids.size(); ++k) {
        if (k > 0) std::cout << '\n';
        for (int r = 0; r < 16; ++r) {
            for (int c = 0; c < 16; ++c) std::cout << "-ABCDEFGHIJKLMNOP"[grids[k].at(r, c)];
            std::cout << '\n';
        }
    }
}
