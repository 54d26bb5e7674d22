// Crashes: counts the digits in a table without a place for the 9.
#include <iostream>
#include <vector>

int main() {
    std::vector<int> seen(9);
    int digit;
    while (std::cin >> digit) ++seen.at(digit);
    std::cout << seen[0] << '\n';
}
