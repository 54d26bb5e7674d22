//! Headless Chromium with one page, driven through its debugging pipe.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A running browser with one page.
pub struct Browser {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    next: u64,
    /// Errors of scripts, failed requests and violations of the page's policy.
    pub complaints: Vec<String>,
    /// Directory of the screenshots.
    screenshots: Option<PathBuf>,
}

impl Browser {
    /// Starts Chromium with `profile` as its directory; prints a message and returns `None` if it
    /// is not installed.
    ///
    /// Screenshots go to the directory `JUDGE_SCREENSHOTS`, if it is set.
    ///
    /// # Panics
    ///
    /// If Chromium is not installed and the variable `CI` is set.
    pub fn start(profile: &Path) -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let is_there = |name: &&str| {
            let version = Command::new(name).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        };
        let Some(name) = names.into_iter().find(is_there) else {
            let missing = "no Chromium: run `apt install chromium`";
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            println!("SKIPPED: {missing}");
            return None;
        };
        // The debugging pipe is descriptors 3 and 4.
        let script = "exec \"$0\" --headless --no-sandbox --disable-gpu --remote-debugging-pipe \
                      --no-first-run --disable-quic --disable-background-networking \
                      --disable-component-update --disable-sync --user-data-dir=\"$1\" 3<&0 4>&1 2>/dev/null";
        let mut process = Command::new("sh")
            .args(["-c", script, name])
            .arg(profile)
            // A killed Chromium leaves a directory in TMPDIR.
            .env("TMPDIR", profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("start the browser");
        let mut browser = Browser {
            input: process.stdin.take().expect("its input"),
            output: BufReader::new(process.stdout.take().expect("its output")),
            process,
            session: None,
            next: 0,
            complaints: Vec::new(),
            screenshots: std::env::var_os("JUDGE_SCREENSHOTS").map(PathBuf::from),
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
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.reply(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Makes a call and returns the reply, which may be an error.
    fn reply(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).expect("write to the browser");
        loop {
            let answer = self.read();
            if answer["id"] == json!(self.next) {
                return answer;
            }
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.output
            .read_until(0, &mut bytes)
            .expect("read from the browser");
        bytes.pop();
        let message: Value = serde_json::from_slice(&bytes).expect("parse the browser's JSON");
        let method = message["method"].as_str().unwrap_or_default();
        let is_error = message["params"]["entry"]["level"] == "error";
        if method == "Runtime.exceptionThrown" || method == "Log.entryAdded" && is_error {
            self.complaints.push(message.to_string());
        }
        message
    }

    /// Sets the width of the window in pixels; 390 is a phone.
    pub fn resize(&mut self, columns: u32) {
        let metrics = json!({
            "width": columns, "height": 900, "deviceScaleFactor": 1, "mobile": columns < 600,
        });
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Sets whether the user prefers dark pages.
    pub fn set_dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.call("Emulation.setEmulatedMedia", &media);
    }

    /// Opens an address, and waits until it is loaded.
    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", &json!({"url": url}));
        while self.read()["method"] != "Page.loadEventFired" {}
    }

    /// Evaluates a JavaScript expression on the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", &params);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true, on this page or on the next one.
    ///
    /// # Panics
    ///
    /// After two minutes.
    pub fn wait_for(&mut self, expression: &str) {
        let params = json!({"expression": expression, "returnByValue": true});
        for _ in 0..2400 {
            // Evaluation fails while another page is being loaded.
            let answer = self.reply("Runtime.evaluate", &params);
            if answer["result"]["result"]["value"] == json!(true) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let page = "location.href + '\\n' + document.body.innerText";
        panic!("never true: {expression}\n{}", self.value(page));
    }

    /// Waits until a page is loaded and shows a text.
    pub fn wait_for_text(&mut self, text: &str) {
        let shows = shows(text);
        self.wait_for(&format!("document.readyState == 'complete' && {shows}"));
    }

    /// Whether the page shows a text.
    pub fn shows(&mut self, text: &str) -> bool {
        self.value(&shows(text)) == json!(true)
    }

    /// Clicks the middle of the first visible element that a CSS selector selects and whose text starts with
    /// `text`.
    pub fn click(&mut self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        let place = self.value(&format!(
            "(() => {{
                const all = [...document.querySelectorAll({selector})];
                const found = all.find(own => own.checkVisibility() && own.innerText.trim().startsWith({text}));
                if (!found) return null;
                found.scrollIntoView({{block: 'center', behavior: 'instant'}});
                const box = found.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }})()"
        ));
        assert!(
            place.is_array(),
            "no visible element to click: {selector} {text}"
        );
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    /// Types a text into the field that a CSS selector selects.
    pub fn type_into(&mut self, selector: &str, text: &str) {
        self.value(&format!(
            "document.querySelector({}).focus()",
            json!(selector)
        ));
        self.call("Input.insertText", &json!({"text": text}));
    }

    /// Number of pixels by which the page is wider than the window.
    pub fn overflow(&mut self) -> Value {
        self.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    }

    /// Accessibility violations of the page by the rules of axe-core. `AXE_CORE` is the path of its
    /// script; without it, the check is skipped.
    pub fn violations(&mut self) -> Value {
        let Some(path) = std::env::var_os("AXE_CORE") else {
            return json!([]);
        };
        let script = std::fs::read_to_string(path).expect("AXE_CORE is a file");
        self.value(&format!("{script}; null"));
        let what =
            "rule => [rule.id, rule.help, rule.nodes.map(node => node.html + node.failureSummary)]";
        self.value(&format!(
            "axe.run().then(found => found.violations.map({what}))"
        ))
    }

    /// Saves a screenshot of the whole page as base64-encoded PNG, if `JUDGE_SCREENSHOTS` is set.
    pub fn screenshot(&mut self, name: &str) {
        if let Some(dir) = self.screenshots.clone() {
            let params = json!({"captureBeyondViewport": true});
            let data = self.call("Page.captureScreenshot", &params);
            let data = data["data"].as_str().expect("an image");
            std::fs::write(dir.join(format!("{name}.png.base64")), data)
                .expect("write the screenshot");
        }
    }
}

fn shows(text: &str) -> String {
    format!("document.body.innerText.includes({})", json!(text))
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
