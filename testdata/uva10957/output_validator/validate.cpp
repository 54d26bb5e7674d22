// Output validator: the answer byte by byte, as the judge compares. An output that differs only in blanks and
// line ends is a presentation error.
//
//   validate INPUT ANSWER FEEDBACK_DIR < OUTPUT     exits 42 to accept, 43 to reject
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

int main(int argc, char** argv) {
    if (argc < 4) return 1;
    std::ifstream file(argv[2]);
    const std::string answer{std::istreambuf_iterator<char>(file), {}};
    const std::string output{std::istreambuf_iterator<char>(std::cin), {}};
    if (output == answer) return 42;
    std::istringstream expected(answer), found(output);
    std::string word, other;
    while (expected >> word) {
        found >> other;
        if (!found || other != word) break;
    }
    std::ofstream message(std::string(argv[3]) + "/judgemessage.txt");
    if (expected || found >> other) {
        message << "found '" << (found ? other : "the end") << "', expected '" << (expected ? word : "the end") << "'\n";
        return 43;
    }
    std::size_t at = 0, line = 1;
    for (; at < output.size() && at < answer.size() && output[at] == answer[at]; ++at) line += answer[at] == '\n';
    message << "presentation error: line " << line << " has other blanks or line ends\n";
    return 43;
}
