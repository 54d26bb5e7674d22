//! Derives an ID from a problem's URL or title.

/// Second-level labels of country domains: `com.cn`, `edu.cn`, `co.jp`.
const SECOND_LEVEL: [&str; 10] = [
    "ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org",
];

/// Path segments that identify neither a problem nor a contest.
const GENERIC: [&str; 28] = [
    "acm",
    "challenge",
    "challenges",
    "content",
    "contest",
    "contests",
    "d",
    "description",
    "en",
    "gym",
    "group",
    "index",
    "ja",
    "p",
    "practice",
    "problem",
    "problems",
    "problemset",
    "showproblem",
    "statement",
    "submit",
    "submissions",
    "task",
    "tasks",
    "view",
    "ru",
    "zh",
    "zh-cn",
];

/// Query parameters that identify a contest, and those that identify a problem.
const CONTEST_KEYS: [&str; 4] = ["cid", "contest", "contestid", "contest_id"];
const PROBLEM_KEYS: [&str; 11] = [
    // USACO's
    "cpid",
    "s",
    "id",
    "num",
    "pid",
    "prob",
    "problem",
    "problem_id",
    "problemid",
    // Pintia's
    "problemsetproblemid",
    "task",
];

/// Most characters of an ID: it is the name of a directory.
const MAX_CHARS: usize = 60;

/// The ID of a problem that has no other: derived from its URL, or else from its title.
pub fn suggested_id(url: Option<&str>, title: Option<&str>) -> Option<String> {
    // The address of a judge in a local network has no name.
    url.and_then(id_of).or_else(|| title.map(id_of_title))
}

/// Derives an ID from a problem's URL, such as `luogup1784` for
/// `https://www.luogu.com.cn/problem/P1784`: site, contest and problem, so that problems of
/// different contests have different IDs.
fn id_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let (host, rest) = rest.split_once('/')?;
    let (address, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let mut parts: Vec<String> = Vec::new();
    let segments = path.split('/').filter(|part| !part.is_empty());
    // vjudge has the problem of a contest behind `#`; elsewhere that is a place on the page.
    let problem = fragment.strip_prefix("problem/");
    let segments: Vec<&str> = segments.chain(problem).collect();
    for (k, part) in segments.iter().enumerate() {
        let part = part.to_ascii_lowercase();
        // `problem.php` is a script.
        let name = part.split('.').next().unwrap_or(&part);
        // A letter at the end is a problem of a contest.
        let is_letter = part.len() == 1 && k > 0 && k + 1 == segments.len();
        if GENERIC.contains(&name) && !is_letter || part.contains(".php") || part.contains(".asp") {
            continue;
        }
        let part = letters(&part);
        // AtCoder repeats the contest: abc100/abc100_a.
        if parts
            .last()
            .is_some_and(|last| part.starts_with(last.as_str()))
        {
            parts.pop();
        }
        parts.push(part);
    }
    if parts.is_empty() || problem_of(query).is_some() {
        parts.extend(of_query(query));
    }
    if parts.is_empty() {
        parts.extend(path.split('/').rfind(|part| !part.is_empty()).map(letters));
    }
    if parts.is_empty() {
        return None;
    }
    let id = format!("{}{}", site(host)?, parts.concat());
    let id = id.chars().take(MAX_CHARS).collect::<String>();
    super::check_id(&id).ok()?;
    Some(id)
}

/// The query parameters: names in lower case, and values.
fn parameters(query: &str) -> impl Iterator<Item = (String, String)> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.to_ascii_lowercase(), letters(value)))
}

fn value_of(query: &str, keys: &[&str]) -> Option<String> {
    let mut found = parameters(query).filter(|(key, _)| keys.contains(&key.as_str()));
    found.next().map(|(_, value)| value)
}

/// The problem that a query names by one of the usual parameters.
fn problem_of(query: &str) -> Option<String> {
    value_of(query, &PROBLEM_KEYS).filter(|problem| !problem.is_empty())
}

/// Contest and problem from the query parameters, which POJ and HDU use.
fn of_query(query: &str) -> Vec<String> {
    let last = || parameters(query).last().map(|(_, value)| value);
    let problem = problem_of(query).or_else(last);
    let contest =
        value_of(query, &CONTEST_KEYS).filter(|contest| problem.as_ref() != Some(contest));
    contest.into_iter().chain(problem).collect()
}

/// The ID of a problem without an address: the letters and digits of its title, or else `problem`.
fn id_of_title(title: &str) -> String {
    let id: String = letters(title).chars().take(MAX_CHARS).collect();
    match super::check_id(&id) {
        Ok(()) => id,
        Err(_) => "problem".to_owned(),
    }
}

/// The site's name: `kattis` for `open.kattis.com`, `luogu` for `www.luogu.com.cn`.
fn site(host: &str) -> Option<String> {
    let host = host.split(':').next()?.to_ascii_lowercase();
    let mut labels: Vec<&str> = host.split('.').collect();
    let is_country = labels.pop()?.len() == 2;
    if is_country && labels.len() > 1 && SECOND_LEVEL.contains(labels.last()?) {
        labels.pop();
    }
    labels.pop().map(letters)
}

fn letters(text: &str) -> String {
    let kept = text.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::id_of;

    #[test]
    fn ids_of_urls() {
        for (url, id) in [
            ("https://www.luogu.com.cn/problem/P1784", "luogup1784"),
            (
                "https://www.luogu.com.cn/problem/P1784?contestId=3",
                "luogup1784",
            ),
            ("http://poj.org/problem?id=3074", "poj3074"),
            ("https://acm.hdu.edu.cn/showproblem.php?pid=1426", "hdu1426"),
            (
                "https://acm.hdu.edu.cn/contests/contest_showproblem.php?pid=1001&cid=1096",
                "hdu10961001",
            ),
            (
                "https://acm.timus.ru/problem.aspx?space=1&num=1000",
                "timus1000",
            ),
            (
                "https://onlinejudge.org/index.php?option=com_onlinejudge&Itemid=8&page=show_problem&problem=4055",
                "onlinejudge4055",
            ),
            ("https://open.kattis.com/problems/hello", "kattishello"),
            (
                "https://codeforces.com/contest/1700/problem/A",
                "codeforces1700a",
            ),
            (
                "https://codeforces.com/contest/1701/problem/A",
                "codeforces1701a",
            ),
            (
                "https://codeforces.com/problemset/problem/1700/A",
                "codeforces1700a",
            ),
            (
                "https://codeforces.com/gym/102001/problem/B",
                "codeforces102001b",
            ),
            (
                "https://atcoder.jp/contests/abc100/tasks/abc100_a",
                "atcoderabc100a",
            ),
            (
                "https://atcoder.jp/contests/abc100/tasks/arc099_a",
                "atcoderabc100arc099a",
            ),
            ("https://cses.fi/problemset/task/1068/", "cses1068"),
            ("https://judge.yosupo.jp/problem/aplusb", "yosupoaplusb"),
            (
                "https://leetcode.com/problems/two-sum/description/",
                "leetcodetwosum",
            ),
            ("https://www.spoj.com/problems/TEST/", "spojtest"),
            (
                "https://judge.u-aizu.ac.jp/onlinejudge/description.jsp?id=0001",
                "uaizuonlinejudge0001",
            ),
            (
                "https://judge.u-aizu.ac.jp/onlinejudge/description.jsp?id=0002",
                "uaizuonlinejudge0002",
            ),
            (
                "https://codeforces.com/contest/810/problem/D",
                "codeforces810d",
            ),
            (
                "https://codeforces.com/contest/810/problem/P",
                "codeforces810p",
            ),
            ("https://ac.nowcoder.com/acm/contest/1/D", "nowcoder1d"),
            (
                "https://train.usaco.org/usacoprob2?a=abc&S=ride",
                "usacousacoprob2ride",
            ),
            (
                "https://train.usaco.org/usacoprob2?a=abc&S=gift1",
                "usacousacoprob2gift1",
            ),
            (
                "http://www.usaco.org/index.php?page=viewproblem2&cpid=891",
                "usaco891",
            ),
            ("https://oj.uz/problem/view/IOI18_combo", "ojioi18combo"),
            ("https://vjudge.net/contest/71#problem/B", "vjudge71b"),
            ("https://poj.org/problem?id=3074#top", "poj3074"),
            (
                "https://pintia.cn/problem-sets/14/exam/problems/type/7?problemSetProblemId=733",
                "pintiaproblemsets14examtype7733",
            ),
        ] {
            assert_eq!(id_of(url).as_deref(), Some(id), "{url}");
        }
        for url in ["nonsense", "https://1.2.3.4/x", "https://codeforces.com/"] {
            assert_eq!(id_of(url), None, "{url}");
        }
    }
}
