// Output validator for luogup1784: any right completion, compared as the judge compares.
//
//   validate INPUT ANSWER FEEDBACK_DIR < OUTPUT     exits 42 to accept, 43 to reject
//
// Blanks at the ends of lines and empty lines at the end do not matter; otherwise each of the nine
// lines must be nine digits with exactly one blank between two of them.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

namespace {

constexpr int side = 9, box = 3;

using Grid = std::array<std::array<int, side>, side>;

std::filesystem::path feedback;

[[noreturn]] void reject(const std::string& message) {
    std::ofstream(feedback / "judgemessage.txt") << message << '\n';
    std::exit(43);
}

[[noreturn]] void fail(const std::string& message) {
    std::cerr << "validate: " << message << '\n';
    std::exit(1);
}

// The numbers of a file of the package, which is known to be well formed.
Grid grid_of(const std::string& path) {
    std::ifstream file(path);
    Grid grid{};
    for (auto& row : grid)
        for (int& cell : row)
            if (!(file >> cell)) fail("failed to read 81 numbers from " + path);
    return grid;
}

std::string shown(const std::string& line, std::size_t at) {
    if (at >= line.size()) return "the end of the line";
    if (line[at] == ' ') return "a blank";
    if (line[at] < ' ' || line[at] > '~') return "an unprintable character";
    return "'" + line.substr(at, 1) + "'";
}

Grid output_grid(std::istream& output) {
    Grid grid{};
    std::string line;
    int number = 0;
    while (std::getline(output, line)) {
        line.erase(line.find_last_not_of(" \t\r\f\v") + 1);
        ++number;
        const std::string place = "line " + std::to_string(number);
        if (number > side) {
            if (line.empty()) continue;
            reject(place + ", column 1: found " + shown(line, 0) +
                   ", expected the end of the output after 9 lines");
        }
        for (std::size_t at = 0; at < 2 * side; ++at) {
            // Digits and blanks by turns, then the end of the line.
            const bool digit = at % 2 == 0, end = at == 2 * side - 1;
            const bool fits = end     ? at >= line.size()
                              : digit ? at < line.size() && line[at] >= '1' && line[at] <= '9'
                                      : at < line.size() && line[at] == ' ';
            if (!fits)
                reject(place + ", column " + std::to_string(at + 1) + ": found " +
                       shown(line, at) + ", expected " +
                       (end ? "the end of the line" : digit ? "a digit from 1 to 9" : "a blank"));
            if (digit) grid[number - 1][at / 2] = line[at] - '0';
        }
    }
    if (number < side)
        reject("line " + std::to_string(number + 1) +
               ": found the end of the output, expected 9 lines");
    return grid;
}

bool is_solution(const Grid& puzzle, const Grid& grid) {
    std::array<unsigned, side> rows{}, columns{}, boxes{};
    for (int r = 0; r < side; ++r) {
        for (int c = 0; c < side; ++c) {
            if (puzzle[r][c] != 0 && puzzle[r][c] != grid[r][c]) return false;
            const unsigned bit = 1u << grid[r][c];
            const int b = r / box * box + c / box;
            if ((rows[r] | columns[c] | boxes[b]) & bit) return false;
            rows[r] |= bit, columns[c] |= bit, boxes[b] |= bit;
        }
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) fail("expected the arguments INPUT ANSWER FEEDBACK_DIR");
    feedback = argv[3];
    const Grid puzzle = grid_of(argv[1]), answer = grid_of(argv[2]);
    const Grid grid = output_grid(std::cin);
    if (is_solution(puzzle, grid)) return 42;
    for (int r = 0; r < side; ++r) {
        for (int c = 0; c < side; ++c) {
            if (grid[r][c] == answer[r][c]) continue;
            std::ostringstream message;
            message << "row " << r + 1 << ", column " << c + 1 << ": found " << grid[r][c]
                    << ", expected " << answer[r][c];
            if (puzzle[r][c] != 0) message << ", which was given";
            reject(message.str());
        }
    }
    fail("the answer is wrong");
}
