// The usual way to compare tokens in C++, as a rival of the default validator: two streams, two
// strings, one comparison without regard to case.
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    if (argc != 3) {
        return 2;
    }
    std::ios::sync_with_stdio(false);
    std::ifstream answer(argv[1]), output(argv[2]);
    std::string expected, found;
    while (answer >> expected) {
        if (!(output >> found) || strcasecmp(expected.c_str(), found.c_str()) != 0) {
            return 1;
        }
    }
    return output >> found ? 1 : 0;
}
