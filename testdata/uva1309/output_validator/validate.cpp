// Output validator for uva1309: any right completion of each grid, framed exactly.
//
//   validate INPUT ANSWER FEEDBACK_DIR < OUTPUT     exits 42 to accept, 43 to reject
//
// First the grids are checked, whatever blanks and empty lines stand between them; then, as on
// the real judge, every blank, empty line and newline must be where it belongs, and the message
// calls anything else a presentation error.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int side = 16, box = 4;

using Grid = std::array<std::string, side>;

std::filesystem::path feedback;

[[noreturn]] void reject(const std::string& message) {
    std::ofstream(feedback / "judgemessage.txt") << message << '\n';
    std::exit(43);
}

[[noreturn]] void fail(const std::string& message) {
    std::cerr << "validate: " << message << '\n';
    std::exit(1);
}

struct Line {
    int number;  // from 1
    std::string text;
};

// The lines that are not empty, without blanks at their ends.
std::vector<Line> lines_of(std::istream& stream) {
    std::vector<Line> lines;
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        const char* blanks = " \t\r\f\v";
        text.erase(text.find_last_not_of(blanks) + 1);
        text.erase(0, text.find_first_not_of(blanks));
        if (!text.empty()) lines.push_back({number, text});
    }
    return lines;
}

std::vector<Grid> grids_of(const std::string& path) {
    std::ifstream file(path);
    if (!file) fail("failed to read " + path);
    const std::vector<Line> lines = lines_of(file);
    if (lines.size() % side != 0) fail(path + " does not hold whole grids");
    std::vector<Grid> grids(lines.size() / side);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].text.size() != side) fail(path + " has a row of another length");
        grids[i / side][i % side] = lines[i].text;
    }
    return grids;
}

bool is_solution(const Grid& puzzle, const Grid& grid) {
    std::array<unsigned, side> rows{}, columns{}, boxes{};
    for (int r = 0; r < side; ++r) {
        for (int c = 0; c < side; ++c) {
            const char letter = grid[r][c], given = puzzle[r][c];
            if (letter < 'A' || letter > 'P' || (given != '-' && given != letter)) return false;
            const unsigned bit = 1u << (letter - 'A');
            const int b = r / box * box + c / box;
            if ((rows[r] | columns[c] | boxes[b]) & bit) return false;
            rows[r] |= bit, columns[c] |= bit, boxes[b] |= bit;
        }
    }
    return true;
}

std::string shown(const std::string& text) {
    std::string result = "'";
    for (std::size_t i = 0; i < text.size() && i < 40; ++i)
        result += text[i] > ' ' && text[i] < 127 ? text[i] : '?';
    return result + (text.size() > 40 ? "...'" : "'");
}

std::string shown(const std::string& text, std::size_t at) {
    if (at >= text.size()) return "the end of the output";
    if (text[at] == '\n') return "the end of the line";
    if (text[at] == ' ') return "a blank";
    if (text[at] < ' ' || text[at] > '~') return "an unprintable character";
    return shown(text.substr(at, 1));
}

// Rejects the output unless it is exactly the grids, an empty line between two of them.
void check_framing(const std::string& output, const std::vector<Line>& lines) {
    std::string expected;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0 && i % side == 0) expected += '\n';
        expected += lines[i].text + '\n';
    }
    if (output == expected) return;
    std::size_t at = 0;
    int line = 1, column = 1;
    for (; at < output.size() && at < expected.size() && output[at] == expected[at]; ++at) {
        ++column;
        if (expected[at] == '\n') ++line, column = 1;
    }
    std::ostringstream message;
    message << "presentation error: line " << line << ", column " << column << ": found "
            << shown(output, at) << ", expected ";
    const bool empty_line = column == 1 && at < expected.size() && expected[at] == '\n';
    message << (empty_line ? "the empty line between two grids" : shown(expected, at));
    reject(message.str());
}

void check_grids(const std::vector<Grid>& puzzles, const std::vector<Grid>& answers,
                 const std::vector<Line>& lines) {
    for (std::size_t g = 0; g < puzzles.size(); ++g) {
        Grid grid;
        for (std::size_t r = 0; r < side; ++r) {
            std::ostringstream place;
            place << "grid " << g + 1 << ", row " << r + 1;
            const std::size_t i = g * side + r;
            if (i >= lines.size())
                reject(place.str() + ": found the end of the output, expected 16 letters");
            place << " (line " << lines[i].number << ")";
            if (lines[i].text.size() != side)
                reject(place.str() + ": found " + shown(lines[i].text) + ", expected 16 letters");
            grid[r] = lines[i].text;
        }
        if (is_solution(puzzles[g], grid)) continue;
        for (int r = 0; r < side; ++r) {
            for (int c = 0; c < side; ++c) {
                if (grid[r][c] == answers[g][r][c]) continue;
                std::ostringstream message;
                message << "grid " << g + 1 << ", row " << r + 1 << ", column " << c + 1
                        << " (line " << lines[g * side + r].number << "): found "
                        << shown(grid[r].substr(c, 1)) << ", expected '" << answers[g][r][c] << "'";
                if (puzzles[g][r][c] != '-') message << ", which was given";
                reject(message.str());
            }
        }
        fail("the answer is wrong in grid " + std::to_string(g + 1));
    }
    if (lines.size() > puzzles.size() * side) {
        const Line& line = lines[puzzles.size() * side];
        reject("line " + std::to_string(line.number) + ": found " + shown(line.text) +
               ", expected the end of the output after grid " + std::to_string(puzzles.size()));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) fail("expected the arguments INPUT ANSWER FEEDBACK_DIR");
    feedback = argv[3];
    const std::vector<Grid> puzzles = grids_of(argv[1]), answers = grids_of(argv[2]);
    if (puzzles.size() != answers.size()) fail("input and answer differ in the number of grids");

    std::ios::sync_with_stdio(false);
    const std::string output{std::istreambuf_iterator<char>(std::cin), {}};
    std::istringstream stream(output);
    const std::vector<Line> lines = lines_of(stream);
    check_grids(puzzles, answers, lines);
    check_framing(output, lines);
    return 42;
}
