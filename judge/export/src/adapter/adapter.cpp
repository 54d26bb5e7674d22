// Adapter: the program below follows one judge's protocol, and is called by another one's. It runs in a child
// process whose arguments, files and exit status are translated.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace judge_adapter {

typedef int (*Program)(int, char **);

enum Kind { ACCEPTED, REJECTED, PRESENTATION, FAILED };

struct Result {
    Kind kind;
    bool has_share, has_points;
    double share, points;
    std::string message;
};

static void fail(const std::string &what) {
    std::fprintf(stderr, "adapter: %s\n", what.c_str());
    std::exit(OUTER_FAILURE);
}

static std::string read(const std::string &path, std::size_t most) {
    std::string text;
    std::FILE *file = std::fopen(path.c_str(), "rb");
    if (!file) return text;
    char buffer[4096];
    std::size_t n;
    while (text.size() < most && (n = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, n);
    std::fclose(file);
    return text;
}

static bool exists(const std::string &path) {
    struct stat facts;
    return stat(path.c_str(), &facts) == 0;
}

static void copy_stdin(const std::string &to) {
    std::FILE *file = std::fopen(to.c_str(), "wb");
    if (!file) fail("cannot write " + to);
    char buffer[65536];
    ssize_t n;
    while ((n = ::read(0, buffer, sizeof buffer)) > 0)
        if (std::fwrite(buffer, 1, std::size_t(n), file) != std::size_t(n)) fail("cannot write " + to);
    if (std::fclose(file) != 0) fail("cannot write " + to);
}

static void redirect(const std::string &path, int flags, int descriptor) {
    int opened = ::open(path.c_str(), flags, 0600);
    if (opened < 0 || ::dup2(opened, descriptor) < 0) _exit(125);
    if (opened != descriptor) ::close(opened);
}

static bool number_after(const std::string &text, const char *mark, double &value) {
    std::size_t at = text.find(mark);
    if (at == std::string::npos) return false;
    const char *start = text.c_str() + at + std::strlen(mark);
    char *end = 0;
    value = std::strtod(start, &end);
    return end != start;
}

static void translate(int code, const std::string &dir, Result &result) {
    (void)dir;
#if defined(INNER_ICPC)
    result.kind = code == 42 ? ACCEPTED : code == 43 ? REJECTED : FAILED;
    std::string message = judge_adapter::read(dir + "/feedback/judgemessage.txt", 65536);
    if (!message.empty()) result.message = message;
    std::string share = judge_adapter::read(dir + "/feedback/score_multiplier.txt", 64);
    std::string points = judge_adapter::read(dir + "/feedback/score.txt", 64);
    if (!share.empty()) result.has_share = true, result.share = std::atof(share.c_str());
    if (!points.empty()) result.has_points = true, result.points = std::atof(points.c_str());
#elif defined(INNER_TESTLIB)
    double n = 0;
    bool fits = code < 1 || code > 8 || code == 5 || code == 6 || code == 7;
    if (number_after(result.message, "partially correct (", n) && (fits || code == int(n))) {
        result.kind = n > 0 ? ACCEPTED : REJECTED;
        result.has_share = n > 0 && n < INNER_WHOLE;
        result.share = n / INNER_WHOLE;
        return;
    }
    result.kind = code == 0 ? ACCEPTED : code == 1 ? REJECTED : code == 2 || code == 4 || code == 8 ? PRESENTATION : FAILED;
    if (code == 5 || code == 7) {
        const char *at = result.message.c_str();
        while (*at && !((*at >= '0' && *at <= '9') || *at == '-' || *at == '.')) at++;
        if (*at) result.kind = ACCEPTED, result.has_points = true, result.points = std::atof(at);
    }
#elif defined(INNER_CMS)
    double share = std::atof(judge_adapter::read(dir + "/stdout", 64).c_str());
    result.kind = code != 0 ? FAILED : share > 0 ? ACCEPTED : REJECTED;
    result.has_share = share > 0 && share < 1;
    result.share = share;
#elif defined(INNER_SIO2)
    std::string said = judge_adapter::read(dir + "/stdout", 65536);
    std::string line[3];
    for (std::size_t k = 0, at = 0; k < 3 && at < said.size(); k++) {
        std::size_t end = said.find('\n', at);
        if (end == std::string::npos) end = said.size();
        line[k] = said.substr(at, end - at), at = end + 1;
        while (!line[k].empty() && std::strchr(" \t\r", line[k][line[k].size() - 1])) line[k].erase(line[k].size() - 1);
    }
    if (!line[1].empty()) result.message = line[1];
    double share = line[2].empty() ? 100 : std::atof(line[2].c_str());
    std::size_t slash = line[2].find('/');
    if (slash != std::string::npos) share /= std::atof(line[2].c_str() + slash + 1);
    result.kind = code <= 2 && line[0] == "OK" && share > 0 ? ACCEPTED : REJECTED;
    result.has_share = share > 0 && share < 100;
    result.share = share / 100;
#elif defined(INNER_LEMON)
    double points = std::atof(judge_adapter::read(dir + "/points", 64).c_str());
    result.message = judge_adapter::read(dir + "/message", 65536);
    result.kind = code != 0 ? FAILED : points > 0 ? ACCEPTED : REJECTED;
    result.has_share = points > 0 && points < 100;
    result.share = points / 100;
#else
    result.kind = code == 0 ? ACCEPTED : REJECTED;
#endif
}

static int answer(const Result &result, const std::string &feedback) {
    (void)feedback;
    if (result.kind == FAILED) {
        std::fprintf(stderr, "the program failed: %s\n", result.message.c_str());
        return OUTER_FAILURE;
    }
#if defined(OUTER_ICPC)
    if (!result.message.empty()) {
        std::FILE *file = std::fopen((feedback + "/judgemessage.txt").c_str(), "ab");
        if (file) std::fprintf(file, "%s\n", result.message.c_str()), std::fclose(file);
    }
#if defined(OUTER_POINTS)
    if (result.kind == ACCEPTED && (result.has_share || result.has_points)) {
        std::string name = result.has_share ? "/score_multiplier.txt" : "/score.txt";
        std::FILE *file = std::fopen((feedback + name).c_str(), "wb");
        if (!file) fail("cannot write " + feedback + name);
        std::fprintf(file, "%.9g\n", result.has_share ? result.share : result.points), std::fclose(file);
    }
#endif
    return result.kind == ACCEPTED ? 42 : 43;
#elif defined(OUTER_CMS)
    double share = result.kind == ACCEPTED ? (result.has_share ? result.share : 1.0) : 0.0;
    std::printf("%.9g\n", share);
    std::fprintf(stderr, "%s\n", !result.message.empty() ? result.message.c_str()
                                 : share >= 1 ? "translate:success" : share > 0 ? "translate:partial" : "translate:wrong");
    return 0;
#elif defined(OUTER_DMOJ)
    if (result.kind == ACCEPTED && result.has_points) {
        std::fprintf(stderr, "points without their maximum: this protocol has shares only\n");
        return OUTER_FAILURE;
    }
    bool is_part = result.kind == ACCEPTED && result.has_share;
    if (is_part) std::fprintf(stderr, "partial %d/10000\n", int(result.share * 10000 + 0.5));
    std::fprintf(stderr, "%s\n", result.message.c_str());
    return is_part ? 7 : result.kind == ACCEPTED ? 0 : 1;
#elif defined(OUTER_VALIDATOR_ICPC)
    std::fprintf(stderr, "%s\n", result.message.c_str());
    return result.kind == ACCEPTED ? 42 : 43;
#elif defined(OUTER_VALIDATOR_TESTLIB)
    std::fprintf(stderr, "%s\n", result.message.c_str());
    return result.kind == ACCEPTED ? 0 : 3;
#else
    if (result.kind == ACCEPTED && result.has_share) {
        std::fprintf(stderr, "partially correct (%d) %s\n", int(result.share * 100 + 0.5), result.message.c_str());
        return 50 + int(result.share * 100 + 0.5);
    }
    if (result.kind == ACCEPTED && result.has_points) {
        std::fprintf(stderr, "points %.9g %s\n", result.points, result.message.c_str());
        return 7;
    }
    std::fprintf(stderr, "%s\n", result.message.c_str());
    return result.kind == ACCEPTED ? 0 : result.kind == PRESENTATION ? 2 : 1;
#endif
}

// Removes the files that the child may have left.
static void clean(const std::string &dir) {
    static const char *const NAMES[] = {"output", "stdout", "stderr", "points", "message", "tout",
                                        "feedback/judgemessage.txt", "feedback/teammessage.txt", "feedback/score.txt",
                                        "feedback/score_multiplier.txt"};
    for (std::size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) ::unlink((dir + "/" + NAMES[k]).c_str());
    ::rmdir((dir + "/feedback").c_str());
    ::rmdir(dir.c_str());
}

// Runs the program in a child process.
static Result execute(Program program, std::vector<std::string> words, const std::string &dir, bool talks,
                      const std::string &input) {
    std::fflush(0);
    pid_t child = ::fork();
    if (child < 0) fail("cannot start a process");
    if (child == 0) {
        if (!talks) redirect(dir + "/stdout", O_WRONLY | O_CREAT | O_TRUNC, 1);
        redirect(dir + "/stderr", O_WRONLY | O_CREAT | O_TRUNC, 2);
        if (!input.empty()) redirect(input, O_RDONLY, 0);
        std::vector<char *> pointers;
        for (std::size_t k = 0; k < words.size(); k++) pointers.push_back(&words[k][0]);
        pointers.push_back(0);
        std::exit(program(int(words.size()), &pointers[0]));
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child) fail("lost the process");
    Result result = {FAILED, false, false, 0, 0, judge_adapter::read(dir + "/stderr", 65536)};
    if (WIFEXITED(status)) translate(WEXITSTATUS(status), dir, result);
    else result.message += "\nended by a signal";
    while (!result.message.empty() && result.message[result.message.size() - 1] == '\n')
        result.message.erase(result.message.size() - 1);
    return result;
}

// Runs the program; `second`, if there is one, checks what an interactor wrote.
static int run(int argc, char **argv, Program program, Program second) {
    char name[] = "/tmp/judge-adapter-XXXXXX";
    const char *made = ::mkdtemp(name);
    if (!made) fail("cannot make a directory in /tmp");
    std::string dir = made, feedback, input, output, expected;
#if !defined(VALIDATOR)
    if (argc < 4) fail("too few arguments");
    input = argv[1];
#if defined(OUTER_ICPC)
    expected = argv[2], feedback = argv[3], output = dir + "/output";
#elif defined(OUTER_CMS)
    expected = argv[2], output = argv[3];
#else
    output = argv[2], expected = argv[3];
#endif
#if defined(OUTER_ICPC) && !defined(INTERACTIVE)
    copy_stdin(output);
#endif
#if defined(INTERACTIVE)
    output = dir + "/tout";
#endif
#endif
    if (::mkdir((dir + "/feedback").c_str(), 0700) != 0) fail("cannot make a directory in " + dir);
    std::vector<std::string> words(1, argv[0]);
#if defined(VALIDATOR)
    int first = 1;
#ifdef OUTER_VALIDATOR_TESTLIB
    // Options for testlib itself.
    while (first + 1 < argc && (!std::strcmp(argv[first], "--testset") || !std::strcmp(argv[first], "--group"))) first += 2;
#endif
    for (int k = first; k < argc; k++) words.push_back(argv[k]);
#elif defined(INNER_ICPC)
    words.push_back(input), words.push_back(expected), words.push_back(dir + "/feedback/");
#elif defined(INNER_HUSTOJ) || defined(INNER_CMS)
    words.push_back(input), words.push_back(expected), words.push_back(output);
#elif defined(INNER_QDUOJ)
    words.push_back(input), words.push_back(output);
#elif defined(INNER_LEMON)
    words.push_back(input), words.push_back(output), words.push_back(expected), words.push_back("100");
    words.push_back(dir + "/points"), words.push_back(dir + "/message");
#else
    words.push_back(input), words.push_back(output), words.push_back(expected);
#endif
    static const char *const MORE[] = {INNER_ARGUMENTS 0};
    for (const char *const *word = MORE; *word; word++) words.push_back(*word);
    bool talks = false;
    std::string standard_input;
#if defined(INTERACTIVE)
    talks = true;
#endif
#if defined(INNER_ICPC) && !defined(INTERACTIVE) && !defined(VALIDATOR)
    standard_input = output;
#endif
    Result result = execute(program, words, dir, talks, standard_input);
    if (second && result.kind == ACCEPTED) {
        std::vector<std::string> more(1, argv[0]);
        more.push_back(input), more.push_back(output), more.push_back(expected);
        result = execute(second, more, dir, false, "");
    }
    clean(dir);
    (void)exists, (void)number_after, (void)copy_stdin, (void)feedback;
    return answer(result, feedback);
}

}  // namespace judge_adapter

