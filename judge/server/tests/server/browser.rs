//! The way of each role through the pages, in a real browser.
//!
//! Without Chromium the test is skipped, unless the variable `CI` is set. `JUDGE_SCREENSHOTS=DIR`
//! keeps screenshots, such as those of docs/jury.md; `AXE_CORE=FILE`, the path of `axe.min.js`, checks the pages by its rules.

#[path = "../../../tests/common/browser.rs"]
mod chromium;

use crate::common::{Data, Server, sum};
use chromium::Browser;
use judge_server::store::{ContestRole, Role};
use serde_json::json;
use std::time::Duration;

/// Programs that the contestant pastes: right for no case, and right for all.
const WRONG: &str = "a, b = map(int, input().split())\nprint(a - b)\n";
const RIGHT: &str = "a, b = map(int, input().split())\nprint(a + b)\n";

/// The number of problems that the first team of the scoreboard has solved.
const SOLVED: &str = "document.querySelector('[data-fragment^=board-] td:nth-child(3)').innerText";

fn sign_in(browser: &mut Browser, name: &str) {
    browser.type_into("#name", name);
    browser.type_into("#password", &format!("password of {name}"));
    browser.click("main button", "Sign in");
    browser.wait_for_text("Sign out");
}

/// Pastes a program in Python, and waits for its page.
fn submit(browser: &mut Browser, server: &Server<'_>, source: &str) {
    browser.open(&format!("{}/contests/c/problems/A", server.address));
    browser.type_into("#source", source);
    browser.value("document.querySelector('#language').value = 'python3'");
    browser.click("main button", "Submit");
    browser.wait_for("location.pathname.startsWith('/submissions/')");
}

/// Presses a key, with Shift or without.
fn press(browser: &mut Browser, key: &str, shift: bool) {
    let code = match key {
        "Tab" => 9,
        "Enter" => 13,
        "Escape" => 27,
        "}" => 221,
        _ => panic!("no code of the key {key}"),
    };
    for kind in ["rawKeyDown", "keyUp"] {
        let modifiers = if shift { 8 } else { 0 };
        let event = json!({
            "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers,
        });
        browser.call("Input.dispatchKeyEvent", &event);
    }
}

/// Widths in columns, whether the scheme is dark, and whether the rules of axe-core are checked, which takes seconds. They are
/// checked in each of the two layouts and in each of the two schemes: the colours of a scheme do not depend on the layout.
const VIEWS: [(u32, bool, bool); 5] = [
    (1280, false, true),
    (390, false, true),
    (320, false, false),
    (390, true, false),
    (1280, true, true),
];

/// Looks at pages in all views.
fn look(browser: &mut Browser, server: &Server<'_>, pages: &[(&str, &str)]) {
    for (name, path) in pages {
        browser.open(&format!("{}{path}", server.address));
        // A draft in the editor gets its colours from the server.
        let draft = "document.querySelector('.editor .shown')";
        browser.wait_for(&format!(
            "!{draft}?.textContent || !!{draft}.querySelector('span')"
        ));
        for (columns, dark, is_audited) in VIEWS {
            browser.resize(columns);
            browser.set_dark(dark);
            assert_eq!(browser.overflow(), 0, "{path} is wider than {columns}");
            if is_audited {
                let violations = browser.violations();
                assert_eq!(violations, json!([]), "{path}, {columns}, dark: {dark}");
            }
            let scheme = if dark { "dark" } else { "light" };
            browser.screenshot(&format!("{name}-{columns}-{scheme}"));
        }
        browser.resize(1280);
        browser.set_dark(false);
    }
}

#[test]
fn a_contestant_and_the_jury_find_their_way() {
    let profile = tempfile::tempdir().expect("a directory");
    let Some(mut browser) = Browser::start(profile.path()) else {
        return;
    };
    let statement = "Add $a$ and $b$.\n";
    let data = Data::new(&[
        sum("sum").file("statement/problem.en.md", statement),
        sum("sum-again"),
    ]);
    let (_, team) = data.contest();
    for (name, role, team) in [
        ("ada", Role::Team, Some(team)),
        ("bob", Role::Team, Some(team)),
        ("judge", Role::Jury, None),
    ] {
        data.user(name, role, team);
    }
    let server = data.serve();
    browser.resize(1280);

    // Signs in from the problem, and comes back to it.
    browser.open(&format!("{}/contests/c/problems/A", server.address));
    browser.click("a", "Sign in");
    browser.wait_for_text("Password");
    look(&mut browser, &server, &[("sign-in", "/sign-in")]);
    browser.open(&format!(
        "{}/sign-in?to=/contests/c/problems/A",
        server.address
    ));
    sign_in(&mut browser, "ada");
    browser.wait_for_text("Add");
    assert_eq!(
        browser.value("document.querySelectorAll('math').length"),
        2,
        "formulas are rendered"
    );

    // The verdict comes while the page is open, with the reason.
    submit(&mut browser, &server, WRONG);
    browser.value("window.isTheSame = true");
    browser.wait_for_text("WA");
    browser.wait_for_text("Expected");
    let shown = browser.value("document.querySelector('main').innerText");
    let shown = shown.as_str().expect("text");
    assert!(shown.contains("sample/1"), "{shown}");
    assert!(!shown.contains("secret/"), "{shown}");
    assert_eq!(
        browser.value("window.isTheSame"),
        true,
        "it was loaded again"
    );
    let wrong = browser.value("location.pathname");
    let wrong = wrong.as_str().expect("an address").to_owned();
    submit(&mut browser, &server, RIGHT);
    browser.wait_for_text("Accepted");

    let pages = [
        ("problems", "/problems"),
        ("contests", "/contests"),
        ("contest", "/contests/c"),
        ("problem", "/contests/c/problems/A"),
        ("submission", wrong.as_str()),
        ("submissions", "/submissions"),
        ("scoreboard", "/contests/c/scoreboard"),
        ("projector", "/contests/c/scoreboard?view=projector"),
        ("clarifications", "/contests/c/clarifications"),
        ("account", "/account"),
    ];
    look(&mut browser, &server, &pages);

    // The scoreboard moves while it is shown.
    browser.open(&format!("{}/contests/c/scoreboard", server.address));
    assert_eq!(browser.value(SOLVED), "1");
    browser.value("window.isTheSame = true");
    let bob = server.sign_in("bob");
    let fields = [("language", "python3"), ("source", RIGHT)];
    let answer = bob.upload("/contests/c/problems/B/submit", &fields, &[]);
    assert_eq!(answer.status, 303, "{answer:?}");
    browser.wait_for(&format!("{SOLVED} == '2'"));
    assert_eq!(
        browser.value("window.isTheSame"),
        true,
        "it was loaded again"
    );
    browser.click("button", "Sign out");
    browser.wait_for_text("Sign in");

    // The jury sees everything, and judges again.
    browser.open(&format!("{}/sign-in", server.address));
    sign_in(&mut browser, "judge");
    browser.open(&format!("{}/jury/submissions", server.address));
    browser.wait_for_text("3 submissions");
    browser.click("main a", "Judge these again");
    browser.wait_for_text("Selected: 3 judged submissions");
    browser.type_into("[name=reason]", "to see how it works");
    browser.click("main button", "Judge 3 submissions again");
    browser.wait_for("location.pathname == '/jury/rejudgings/1'");
    let rejudging = format!("{}/jury/rejudgings/1", server.address);
    while !browser.shows("3 of 3 judged") {
        std::thread::sleep(Duration::from_millis(200));
        browser.open(&rejudging);
    }
    browser.wait_for_text("No verdict changes");
    browser.click("main button", "Apply all changes");
    browser.wait_for_text("Nothing has changed yet");
    browser.click("main button", "Apply the rejudging");
    browser.wait_for_text("applied: 3 of 3 judged");

    let of_jury = wrong.replace("/submissions/", "/jury/submissions/");
    let pages = [
        ("jury-submissions", "/jury/submissions"),
        ("jury-submission", of_jury.as_str()),
        ("jury-rejudgings", "/jury/rejudgings"),
        ("jury-rejudging", "/jury/rejudgings/1"),
        ("jury-new-rejudging", "/jury/rejudgings/new"),
        ("jury-clarifications", "/jury/clarifications"),
        ("jury-questions", "/jury/clarifications/c"),
        ("statistics", "/contests/c/statistics"),
        ("jury-packages", "/jury/packages"),
        ("jury-queue", "/jury/queue"),
    ];
    look(&mut browser, &server, &pages);
    browser.click("button", "Sign out");
    browser.wait_for_text("Sign in");

    browser.open(&format!("{}{}", server.address, server.link));
    browser.click("main button", "Sign in");
    browser.wait_for_text("Sign out");
    let pages = [
        ("jury-contests", "/jury/contests"),
        ("jury-contest", "/jury/contests/c"),
        ("jury-balloons", "/jury/contests/c/balloons"),
        ("jury-deliveries", "/jury/balloons"),
        ("jury-prints", "/jury/contests/c/prints"),
        ("jury-teams", "/jury/teams"),
        ("jury-organizations", "/jury/organizations"),
        ("jury-groups", "/jury/groups"),
        ("jury-users", "/jury/users"),
    ];
    look(&mut browser, &server, &pages);
    // A page that asks before something is done has the status of a conflict, which the browser notes.
    let is_question = |text: &String| text.contains("status of 409 (Conflict)");
    browser.complaints.retain(|text| !is_question(text));
    assert_eq!(browser.complaints, [""; 0]);
}

/// Analyst, balloons and spectator of a contest that is not public.
#[test]
fn the_other_roles_find_their_way() {
    let profile = tempfile::tempdir().expect("a directory");
    let Some(mut browser) = Browser::start(profile.path()) else {
        return;
    };
    let data = Data::new(&[sum("sum"), sum("sum-again")]);
    let (contest, team) = data.contest();
    data.user("ada", Role::Team, Some(team));
    for role in [
        ContestRole::Analyst,
        ContestRole::Balloons,
        ContestRole::Spectator,
    ] {
        let user = data.user(role.word(), Role::Public, None);
        let set = data.store().set_contest_role(contest, user, Some(role));
        set.expect("it is set");
    }
    let server = data.serve();
    browser.resize(390);
    let enter = |browser: &mut Browser, name: &str| {
        browser.open(&format!("{}/sign-in", server.address));
        sign_in(browser, name);
        browser.open(&format!("{}/contests", server.address));
    };
    let leave = |browser: &mut Browser| {
        browser.open(&format!("{}/account", server.address));
        browser.click("button", "Sign out");
        browser.wait_for_text("Sign in");
    };

    // The page of balloons shows a new one while it is open.
    enter(&mut browser, "balloons");
    let balloons = format!("{}/jury/contests/c/balloons", server.address);
    browser.open(&balloons);
    browser.wait_for_text("0 to bring");
    let ada = server.sign_in("ada");
    let fields = [("language", "python3"), ("source", RIGHT)];
    let answer = ada.upload("/contests/c/problems/A/submit", &fields, &[]);
    assert_eq!(answer.status, 303, "{answer:?}");
    browser.wait_for_text("1 to bring");
    browser.click("main button", "Delivered");
    browser.wait_for_text("0 to bring");
    browser.wait_for_text("by balloons");
    browser.click("main button", "Undo");
    browser.wait_for_text("1 to bring");
    leave(&mut browser);

    // The analyst reads the source and changes nothing.
    enter(&mut browser, "analyst");
    browser.open(&format!("{}/jury/submissions", server.address));
    browser.wait_for_text("1 submission");
    assert!(!browser.shows("Judge these again"));
    browser.open(&format!("{}/jury/submissions/1", server.address));
    browser.wait_for_text("int(");
    assert!(!browser.shows("Set the verdict"));
    browser.open(&balloons);
    browser.wait_for_text("1 to bring");
    let buttons = "document.querySelectorAll('main table button').length";
    assert_eq!(browser.value(buttons), 0);
    leave(&mut browser);

    // The spectator finds the scoreboard, and no page of the jury.
    enter(&mut browser, "spectator");
    browser.open(&format!("{}/contests/c/scoreboard", server.address));
    browser.wait_for(&format!("{SOLVED} == '1'"));
    for page in [
        "/jury/submissions",
        "/jury/contests/c/balloons",
        "/submissions/1",
    ] {
        browser.open(&format!("{}{page}", server.address));
        assert!(
            !browser.shows("int(") && !browser.shows("to bring"),
            "{page}"
        );
    }
}

#[test]
fn a_program_is_written_in_the_editor() {
    let profile = tempfile::tempdir().expect("a directory");
    let Some(mut browser) = Browser::start(profile.path()) else {
        return;
    };
    let data = Data::new(&[sum("sum"), sum("sum-again")]);
    let (_, team) = data.contest();
    data.user("ada", Role::Team, Some(team));
    let server = data.serve();
    browser.resize(1280);
    let problem = format!("{}/contests/c/problems/A", server.address);
    browser.open(&format!(
        "{}/sign-in?to=/contests/c/problems/A",
        server.address
    ));
    sign_in(&mut browser, "ada");
    browser.wait_for("!!document.querySelector('.editor')");

    // Enter keeps the indentation, or indents what a bracket or a colon opens; a brace closes it again.
    browser.type_into("#source", "main() {");
    press(&mut browser, "Enter", false);
    browser.type_into("#source", "f();");
    press(&mut browser, "Enter", false);
    press(&mut browser, "}", false);
    let text = "document.querySelector('#source').value";
    assert_eq!(browser.value(text), "main() {\n    f();\n}");
    browser.value("document.querySelector('#source').select()");
    browser.value("document.querySelector('#language').value = 'python3'");
    browser.type_into("#source", "def add(a, b):");
    press(&mut browser, "Enter", false);
    browser.type_into("#source", "c = (a + b)  # (the sum)");
    press(&mut browser, "Enter", false);
    browser.type_into("#source", "return c");
    let written = "def add(a, b):\n    c = (a + b)  # (the sum)\n    return c";
    assert_eq!(browser.value(text), written);
    // Tab changes it.
    press(&mut browser, "Tab", true);
    let out = written.replace("    return", "return");
    assert_eq!(browser.value(text), out);
    browser.value("document.querySelector('#source').select()");
    press(&mut browser, "Tab", false);
    assert_eq!(
        browser.value(text),
        format!("    {}", out.replace('\n', "\n    "))
    );
    press(&mut browser, "Tab", true);
    browser.value("document.execCommand('undo'), document.execCommand('undo')");
    press(&mut browser, "Tab", true);
    browser.value("document.execCommand('undo'), document.execCommand('undo')");
    assert_eq!(browser.value(text), written, "every change can be undone");

    // The server's colours are behind the text, which has line numbers; brackets in comments match nothing.
    browser.wait_for("document.querySelectorAll('.editor .keyword').length == 2");
    assert_eq!(
        browser.value("document.querySelector('.editor .shown').textContent"),
        written
    );
    assert_eq!(
        browser.value("document.querySelector('.editor .numbers').textContent"),
        "1\n2\n3"
    );
    for (bracket, marked) in [("(a + b)", 2), ("# (", 0)] {
        let at = written.find(bracket).expect("it is there") + bracket.len();
        browser.value(&format!(
            "document.querySelector('#source').setSelectionRange({at}, {at})"
        ));
        browser.wait_for(&format!(
            "(CSS.highlights.get('bracket')?.size ?? 0) == {marked}"
        ));
    }

    // The keyboard leaves the field; the draft is there when the page is opened again.
    press(&mut browser, "Escape", false);
    press(&mut browser, "Tab", false);
    assert_eq!(
        browser.value("document.activeElement.id"),
        "language",
        "the next field"
    );
    browser.wait_for("!!localStorage.getItem('draft ada /contests/c/problems/A')");
    browser.open(&problem);
    browser.wait_for_text("Your draft was restored");
    assert_eq!(browser.value(text), written);
    look(
        &mut browser,
        &server,
        &[("editor", "/contests/c/problems/A")],
    );

    // A file that is dropped on the form is chosen, with its language.
    browser.value(
        "(() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(['print(3)'], 'sum.py'));
            document.querySelector('#language').value = '';
            document.querySelector('#source').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
        })()",
    );
    assert_eq!(
        browser.value("[document.querySelector('#file').files[0].name, document.querySelector('#language').value]"),
        json!(["sum.py", "python3"])
    );
    assert!(browser.shows("The file is submitted, not the text below."));

    // What was submitted is offered, until its author signs out.
    browser.open(&problem);
    browser.click("main button", "Submit");
    browser.wait_for("location.pathname.startsWith('/submissions/')");
    browser.open(&problem);
    assert_eq!(browser.value(text), "");
    browser.click("main button", "Edit it again");
    assert_eq!(browser.value(text), written);
    browser.click("button", "Sign out");
    browser.wait_for_text("Sign in");
    assert_eq!(browser.value("Object.keys(localStorage).length"), 0);
    assert_eq!(browser.complaints, [""; 0]);
}
