// The variables of `vars` in problem.rbx.yml, for programs that include rbx.h.
#ifndef RBX_VARIABLES_H
#define RBX_VARIABLES_H
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>

namespace rbx {

// The group of the test, which the argument `--group` names.
inline const std::string &getGroup() {
    static std::string group;
    static bool is_known = false;
    if (is_known) return group;
    is_known = true;
    std::string words;
    if (std::FILE *file = std::fopen("/proc/self/cmdline", "rb")) {
        for (int c; (c = std::fgetc(file)) != EOF;) words.push_back(static_cast<char>(c));
        std::fclose(file);
    }
    bool is_next = false;
    for (std::size_t at = 0; at < words.size(); at += std::strlen(words.c_str() + at) + 1) {
        std::string word = words.c_str() + at;
        if (is_next) group = word;
        is_next = word == "--group";
        if (word.compare(0, 8, "--group=") == 0) group = word.substr(8);
    }
    return group;
}

struct Variable {
    const char *group, *name, *value;
};

// The value of a variable: that of the test's group, or that of the package.
inline const char *find(const std::string &name) {
    static const Variable ALL[] = {
    // The variables.
        {0, 0, 0},
    };
    const char *found = 0;
    for (const Variable *own = ALL; own->name; own++) {
        if (name == own->name && (!*own->group || getGroup() == own->group)) found = own->value;
    }
    if (!found) {
        std::fprintf(stderr, "problem.rbx.yml has no variable `%s`\n", name.c_str());
        std::exit(3);
    }
    return found;
}

template <typename T, typename Enable = void>
struct Read;

template <>
struct Read<std::string> {
    static std::string from(const char *text) { return text; }
};

template <>
struct Read<bool> {
    static bool from(const char *text) { return std::strcmp(text, "0") != 0; }
};

template <typename T>
struct Read<T, typename std::enable_if<std::is_integral<T>::value>::type> {
    static T from(const char *text) {
        if (*text == '-') return static_cast<T>(std::strtoll(text, 0, 10));
        return static_cast<T>(std::strtoull(text, 0, 10));
    }
};

template <typename T>
struct Read<T, typename std::enable_if<std::is_floating_point<T>::value>::type> {
    static T from(const char *text) { return static_cast<T>(std::strtod(text, 0)); }
};

}  // namespace rbx

// The variable `name`: getVar<int>("N.max") or getVar<int>("N", "max").
template <typename T>
T getVar(const std::string &name) {
    return rbx::Read<T>::from(rbx::find(name));
}

template <typename T, typename... More>
T getVar(const std::string &first, const std::string &second, const More &...more) {
    return getVar<T>(first + "." + second, more...);
}

#endif
