// Output validator: any right completion of each puzzle; blanks and line ends do not matter.
//
//   validate INPUT ANSWER FEEDBACK_DIR < OUTPUT     exits 42 to accept, 43 to reject
#include <fstream>
#include <iostream>
#include <string>

static std::string feedback;

static int reject(int puzzle, const std::string& what) {
    std::ofstream(feedback + "/judgemessage.txt") << "puzzle " << puzzle << ": " << what << '\n';
    return 43;
}

int main(int argc, char** argv) {
    if (argc < 4) return 1;
    feedback = argv[3];
    std::ifstream input(argv[1]);
    int puzzles = 0;
    input >> puzzles;
    for (int number = 1; number <= puzzles; ++number) {
        unsigned rows[9] = {}, columns[9] = {}, boxes[9] = {};
        for (int k = 0; k < 81; ++k) {
            char given, c;
            if (!(input >> given)) return 1;
            if (!(std::cin >> c)) return reject(number, "found the end of the output, expected 81 digits");
            const int row = k / 9, column = k % 9, box = row / 3 * 3 + column / 3;
            const std::string place = "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
            if (c < '1' || c > '9') return reject(number, place + ": expected a digit from 1 to 9");
            if (given != '0' && given != c) return reject(number, place + ": a given is changed");
            const unsigned bit = 1u << (c - '0');
            if ((rows[row] | columns[column] | boxes[box]) & bit)
                return reject(number, place + ": the digit occurs twice in its row, column or box");
            rows[row] |= bit, columns[column] |= bit, boxes[box] |= bit;
        }
    }
    char more;
    if (std::cin >> more) return reject(puzzles, "found more output after the last solution");
    return 42;
}
