#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

typedef std::vector<std::string> Strings;

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static std::string read(const char *path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        std::fprintf(stderr, "cannot read %s\n", path);
        std::exit(3);
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

static Strings tokens_of(const std::string &text) {
    Strings tokens;
    std::size_t at = 0;
    while (true) {
        while (at < text.size() && is_space(text[at])) at++;
        if (at == text.size()) return tokens;
        std::size_t start = at;
        while (at < text.size() && !is_space(text[at])) at++;
        tokens.push_back(text.substr(start, at - start));
    }
}

// The lines; a line feed at the end of the text begins no further line.
static Strings lines_of(const std::string &text) {
    Strings lines;
    std::size_t start = 0;
    while (start < text.size()) {
        std::size_t end = text.find('\n', start);
        if (end == std::string::npos) end = text.size();
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

static void strip(std::string &line, bool only_returns) {
    while (!line.empty() && (only_returns ? line[line.size() - 1] == '\r' : is_space(line[line.size() - 1])))
        line.erase(line.size() - 1);
}

static std::string lower(std::string text) {
    for (std::size_t k = 0; k < text.size(); k++)
        if (text[k] >= 'A' && text[k] <= 'Z') text[k] = char(text[k] - 'A' + 'a');
    return text;
}

// Whether a token is a finite number.
static bool number(const std::string &token, double &value) {
    if (token.empty() || !(std::isdigit((unsigned char)token[0]) || token[0] == '+' || token[0] == '-' || token[0] == '.'))
        return false;
    for (std::size_t k = 0; k < token.size(); k++) {
        char c = token[k];
        bool decimal = std::isdigit((unsigned char)c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
        bool hexadecimal = C_NUMBERS && (std::isxdigit((unsigned char)c) || c == 'x' || c == 'X' || c == 'p' || c == 'P');
        if (!decimal && !hexadecimal) return false;
    }
    char *end = 0;
    value = std::strtod(token.c_str(), &end);
    return *end == '\0' && end != token.c_str() && std::isfinite(value);
}

static bool equal(const std::string &found, const std::string &wanted) {
    if (CASE_SENSITIVE ? found == wanted : lower(found) == lower(wanted)) return true;
    if (ABSOLUTE < 0 && RELATIVE < 0) return false;
    double a, b;
    if (!number(wanted, a) || !number(found, b)) return false;
    double error = std::fabs(a - b);
    return (ABSOLUTE >= 0 && error <= ABSOLUTE) || (RELATIVE >= 0 && error <= RELATIVE * std::fabs(a));
}

static void reject(const char *what, std::size_t place, const std::string &found, const std::string &wanted) {
    std::fprintf(stderr, "%s %lu: expected `%.60s`, found `%.60s`\n", what, (unsigned long)place + 1, wanted.c_str(),
                 found.c_str());
    std::exit(1);
}

static void same(const char *what, const Strings &found, const Strings &wanted) {
    for (std::size_t k = 0; k < found.size() && k < wanted.size(); k++)
        if (!equal(found[k], wanted[k])) reject(what, k, found[k], wanted[k]);
    if (found.size() != wanted.size()) {
        std::fprintf(stderr, "expected %lu %ss, found %lu\n", (unsigned long)wanted.size(), what,
                     (unsigned long)found.size());
        std::exit(1);
    }
}

#if defined(MODE_TOKENS)
// The white space around the tokens, one more than the tokens.
static Strings spaces_of(const std::string &text) {
    Strings spaces(1);
    for (std::size_t k = 0; k < text.size(); k++) {
        if (is_space(text[k])) spaces.back() += text[k];
        else if (k == 0 || is_space(text[k - 1])) spaces.push_back("");
    }
    return spaces;
}

static void compare(const std::string &output, const std::string &answer) {
    same("token", tokens_of(output), tokens_of(answer));
    if (SPACE_SENSITIVE && spaces_of(output) != spaces_of(answer)) {
        std::fprintf(stderr, "the white space differs\n");
        std::exit(1);
    }
}
#elif defined(MODE_EXACT)
static void compare(const std::string &output, const std::string &answer) {
    if (output != answer) {
        std::fprintf(stderr, "the output differs from the answer\n");
        std::exit(1);
    }
}
#elif defined(MODE_SORTED_TOKENS)
static void compare(const std::string &output, const std::string &answer) {
    Strings found = tokens_of(output), wanted = tokens_of(answer);
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    if (found != wanted) {
        std::fprintf(stderr, "other tokens\n");
        std::exit(1);
    }
}
#elif defined(MODE_EASY)
static void compare(const std::string &output, const std::string &answer) {
    std::string found, wanted;
    for (std::size_t k = 0; k < output.size(); k++) if (!is_space(output[k])) found += output[k];
    for (std::size_t k = 0; k < answer.size(); k++) if (!is_space(answer[k])) wanted += answer[k];
    found = lower(found), wanted = lower(wanted);
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    if (found != wanted) {
        std::fprintf(stderr, "other characters\n");
        std::exit(1);
    }
}
#elif defined(MODE_TOKENS_OF_LINES) || defined(MODE_SORTED_LINES)
// The tokens of each line that has any, with single blanks between them.
static Strings normal_lines(const std::string &text) {
    Strings normal, lines = lines_of(text);
    for (std::size_t k = 0; k < lines.size(); k++) {
        Strings tokens = tokens_of(lines[k]);
        std::string line;
        for (std::size_t j = 0; j < tokens.size(); j++) line += (j ? " " : "") + tokens[j];
        if (!line.empty()) normal.push_back(line);
    }
    return normal;
}

static void compare(const std::string &output, const std::string &answer) {
    Strings found = normal_lines(output), wanted = normal_lines(answer);
#if defined(MODE_SORTED_LINES)
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
#endif
    for (std::size_t k = 0; k < found.size() && k < wanted.size(); k++)
        if (found[k] != wanted[k]) reject("line", k, found[k], wanted[k]);
    if (found.size() != wanted.size()) {
        std::fprintf(stderr, "expected %lu lines, found %lu\n", (unsigned long)wanted.size(), (unsigned long)found.size());
        std::exit(1);
    }
}
#else
static Strings stripped_lines(const std::string &text) {
#if defined(MODE_RECORDS)
    Strings lines = lines_of(text);
    for (std::size_t k = 0; k < lines.size(); k++) strip(lines[k], true);
#else
    Strings lines = lines_of(text);
    for (std::size_t k = 0; k < lines.size(); k++) strip(lines[k], false);
#if defined(MODE_EVERY)
    if (!text.empty() && text[text.size() - 1] == '\n') lines.push_back("");
#elif defined(MODE_FULL)
    lines.erase(std::remove(lines.begin(), lines.end(), std::string()), lines.end());
#else
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
#endif
#endif
    return lines;
}

static void compare(const std::string &output, const std::string &answer) {
    Strings found = stripped_lines(output), wanted = stripped_lines(answer);
    for (std::size_t k = 0; k < found.size() && k < wanted.size(); k++)
        if (found[k] != wanted[k]) reject("line", k, found[k], wanted[k]);
    if (found.size() != wanted.size()) {
        std::fprintf(stderr, "expected %lu lines, found %lu\n", (unsigned long)wanted.size(), (unsigned long)found.size());
        std::exit(1);
    }
}
#endif

int main(int argc, char **argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: checker INPUT OUTPUT ANSWER\n");
        return 3;
    }
    compare(read(argv[2]), read(argv[3]));
    return 0;
}
