// Output validator for nowcodernc47: any right completion, in brackets, wherever blanks stand.
//
//   validate INPUT ANSWER FEEDBACK_DIR < OUTPUT     exits 42 to accept, 43 to reject
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

namespace {

constexpr int side = 9, box = 3;

using Grid = std::array<std::array<char, side>, side>;

std::filesystem::path feedback;

[[noreturn]] void reject(const std::string& message) {
    std::ofstream(feedback / "judgemessage.txt") << message << '\n';
    std::exit(43);
}

[[noreturn]] void fail(const std::string& message) {
    std::cerr << "validate: " << message << '\n';
    std::exit(1);
}

// Takes the characters of a text one by one, without blanks, and knows where they stand.
class Reader {
  public:
    explicit Reader(std::istream& stream) : text_{std::istreambuf_iterator<char>(stream), {}} {}

    static constexpr int end = -1;

    // The next character that is not blank, or `end`.
    int take() {
        for (; at_ < text_.size(); ++at_) {
            ++column_;
            const char found = text_[at_];
            if (!std::isspace(static_cast<unsigned char>(found))) {
                ++at_;
                return static_cast<unsigned char>(found);
            }
            if (found == '\n') ++line_, column_ = 0;
        }
        ++column_;
        return end;
    }

    [[noreturn]] void reject_last(int found, const std::string& expected) const {
        std::ostringstream message;
        message << "line " << line_ << ", column " << column_ << ": found ";
        if (found == end)
            message << "the end of the output";
        else if (found < ' ' || found > '~')
            message << "an unprintable character";
        else
            message << "'" << static_cast<char>(found) << "'";
        message << ", expected " << expected;
        reject(message.str());
    }

    void expect(char expected, const std::string& where) {
        const int found = take();
        if (found != expected)
            reject_last(found, std::string("'") + expected + "' " + where);
    }

  private:
    std::string text_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 0;
};

Grid output_grid(std::istream& stream) {
    Reader reader(stream);
    Grid grid{};
    reader.expect('[', "before the first row");
    for (int r = 0; r < side; ++r) {
        const std::string row = "row " + std::to_string(r + 1);
        if (r > 0) reader.expect(',', "before " + row);
        reader.expect('[', "before " + row);
        for (int c = 0; c < side; ++c) {
            const std::string cell = "cell " + std::to_string(c + 1) + " of " + row;
            if (c > 0) reader.expect(',', "before " + cell);
            const int found = reader.take();
            if (found < '1' || found > '9')
                reader.reject_last(found, cell + ": a digit from 1 to 9");
            grid[r][c] = static_cast<char>(found);
        }
        reader.expect(']', "after " + row);
    }
    reader.expect(']', "after the last row");
    const int more = reader.take();
    if (more != Reader::end) reader.reject_last(more, "the end of the output");
    return grid;
}

// The cells of a file of the package, which is known to be well formed.
Grid grid_of(const std::string& path) {
    std::ifstream file(path);
    Grid grid{};
    for (auto& row : grid)
        for (char& cell : row)
            do {
                if (!file.get(cell)) fail("failed to read 81 cells from " + path);
            } while (cell != '.' && (cell < '1' || cell > '9'));
    return grid;
}

bool is_solution(const Grid& puzzle, const Grid& grid) {
    std::array<unsigned, side> rows{}, columns{}, boxes{};
    for (int r = 0; r < side; ++r) {
        for (int c = 0; c < side; ++c) {
            if (puzzle[r][c] != '.' && puzzle[r][c] != grid[r][c]) return false;
            const unsigned bit = 1u << (grid[r][c] - '0');
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
            if (puzzle[r][c] != '.') message << ", which was given";
            reject(message.str());
        }
    }
    fail("the answer is wrong");
}
