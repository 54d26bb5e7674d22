//! The HTML page in a real browser: headless Chromium, driven through its debugging pipe.
//!
//! Without Chromium the test is skipped, unless the variable `CI` is set. `JUDGE_SCREENSHOTS=DIR`
//! keeps the pages and screenshots.

use super::reports::{fixed, large, page};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A browser with one page.
struct Browser {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    next: u64,
    /// Errors and violations of the page's policy.
    complaints: Vec<String>,
}

impl Browser {
    /// `None` if no Chromium is installed.
    fn start(profile: &Path) -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let is_there = |name: &&str| {
            let version = Command::new(name).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        };
        let name = names.into_iter().find(is_there)?;
        // The debugging pipe is descriptors 3 and 4.
        let script = "exec \"$0\" --headless --no-sandbox --disable-gpu --remote-debugging-pipe \
                      --no-first-run --disable-quic --disable-background-networking \
                      --disable-component-update --disable-sync --user-data-dir=\"$1\" 3<&0 4>&1 2>/dev/null";
        let mut process = Command::new("sh")
            .args(["-c", script, name])
            .arg(profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut browser = Browser {
            input: process.stdin.take().expect("its input"),
            output: BufReader::new(process.stdout.take().expect("its output")),
            process,
            session: None,
            next: 0,
            complaints: Vec::new(),
        };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", &attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        Some(browser)
    }

    /// Calls a method of the debugging protocol.
    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).expect("the browser reads");
        loop {
            let answer = self.read();
            if answer["id"] == json!(self.next) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.output
            .read_until(0, &mut bytes)
            .expect("the browser writes");
        bytes.pop();
        let message: Value = serde_json::from_slice(&bytes).expect("the browser writes JSON");
        let method = message["method"].as_str().unwrap_or_default();
        let is_error = message["params"]["entry"]["level"] == "error";
        if method == "Runtime.exceptionThrown" || method == "Log.entryAdded" && is_error {
            self.complaints.push(message.to_string());
        }
        message
    }

    fn open(&mut self, path: &Path, columns: u32) {
        let metrics = json!({
            "width": columns, "height": 900, "deviceScaleFactor": 1, "mobile": columns < 600,
        });
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
        self.call(
            "Page.navigate",
            &json!({"url": format!("file://{}", path.display())}),
        );
        while self.read()["method"] != "Page.loadEventFired" {}
    }

    /// The value of an expression.
    fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true});
        let result = self.call("Runtime.evaluate", &params);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        result["result"]["value"].clone()
    }

    /// Saves a screenshot of the whole page as PNG, if asked to.
    fn screenshot(&mut self, dir: Option<&Path>, name: &str) {
        if let Some(dir) = dir {
            let params = json!({"captureBeyondViewport": true});
            let data = self.call("Page.captureScreenshot", &params);
            let data = data["data"].as_str().expect("an image");
            std::fs::write(dir.join(format!("{name}.png.base64")), data).expect("it is written");
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_page_sorts_and_filters_and_fits_a_phone() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let Some(mut browser) = Browser::start(dir.path()) else {
        assert!(
            std::env::var_os("CI").is_none(),
            "no Chromium: run `apt install chromium`"
        );
        println!("SKIPPED: no Chromium is installed, so the page is not tested in a browser");
        return;
    };
    let kept = std::env::var_os("JUDGE_SCREENSHOTS").map(PathBuf::from);
    let place = kept.as_deref().unwrap_or(dir.path());
    let [small, big, long] =
        ["small", "big", "long"].map(|name| place.join(format!("{name}.html")));
    std::fs::write(&small, page(&fixed())).expect("it is written");
    std::fs::write(&big, page(&large(20, 500))).expect("it is written");
    std::fs::write(&long, page(&large(1, 10_000))).expect("it is written");

    browser.open(&small, 1280);
    browser.screenshot(kept.as_deref(), "desktop");
    // The second click sorts downwards.
    let names = "[...document.querySelectorAll('.submissions tbody tr:not([hidden])')]\
                 .map(row => row.cells[0].textContent)";
    browser.value("document.querySelector('.submissions th:nth-child(7) button').click()");
    assert_eq!(browser.value(names)[0], "accepted/crash.rs");
    browser.value("document.querySelector('.submissions th:nth-child(7) button').click()");
    assert_eq!(
        browser.value("document.querySelector('.submissions th:nth-child(7)').ariaSort"),
        "descending"
    );
    // Filters hide submissions and cases.
    let filter = "form.verdict.value = 'TLE'; \
                  form.submission.value = 'slow'; form.dispatchEvent(new Event('input'))";
    browser.value(filter);
    assert_eq!(browser.value(names), json!(["time_limit/slow.rs"]));
    let cases = "[...document.querySelectorAll('.matrix tbody tr:not([hidden])')]\
                 .map(row => row.cells[0].textContent)";
    assert_eq!(browser.value(cases), json!(["secret/1"]));
    assert_eq!(
        browser.value("form.querySelector('output').textContent"),
        "1 of 6 cases shown"
    );
    // A link opens the details of a submission.
    browser.value("document.querySelector('.submissions tr:not([hidden]) a').click()");
    let open = "document.querySelector('details.submission:target').open";
    assert_eq!(browser.value(open), true);

    // On a phone only tables scroll sideways, and their first column stays.
    browser.open(&small, 390);
    browser.screenshot(kept.as_deref(), "phone");
    let overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.value(overflow), 0);
    browser.value("document.querySelector('.matrix').parentElement.scrollLeft = 200");
    let first = "document.querySelector('.matrix tbody th').getBoundingClientRect().left \
                 - document.querySelector('.matrix').parentElement.getBoundingClientRect().left";
    let left = browser.value(first).as_f64().expect("a number");
    assert!(left.abs() < 3.0, "{left}");

    for (name, path, rows) in [("big", &big, 500), ("long", &long, 10_000)] {
        browser.open(path, 1280);
        let counts = "[document.querySelectorAll('.matrix tbody td').length, \
                      document.querySelectorAll('.matrix tbody tr').length]";
        assert_eq!(browser.value(counts), json!([10_000, rows]));
        // The columns of fixed width have room for their cells.
        let cut = "[...document.querySelectorAll('.matrix td')].slice(0, 40)\
                   .filter(cell => cell.scrollWidth > cell.clientWidth).length";
        assert_eq!(browser.value(cut), 0);
        let took = "performance.getEntriesByType('navigation')[0].loadEventEnd";
        println!("{name}: 10,000 results open in {} ms", browser.value(took));
        browser.screenshot(kept.as_deref(), name);
    }
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    browser.call("Emulation.setEmulatedMedia", &dark);
    browser.open(&small, 1280);
    browser.value("document.querySelectorAll('details').forEach(d => { d.open = true })");
    browser.screenshot(kept.as_deref(), "dark");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
