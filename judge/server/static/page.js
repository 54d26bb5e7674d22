"use strict";
// Copy buttons, live updates, the contest clock and local times. Every page is complete without it.

// Copies the text of the element that `data-copy` names. Without JavaScript the button is hidden.
const addCopying = (root) => {
  for (const button of root.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.onclick = async () => {
      const source = document.getElementById(button.dataset.copy);
      const label = button.textContent;
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Press Ctrl+C";
      }
      setTimeout(() => { button.textContent = label; }, 2000);
    };
  }
};

// Shows times in the zone of the reader, which it names.
const shownTime = {
  year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short",
};
const localizeTimes = (root) => {
  for (const time of root.querySelectorAll("time[datetime]:not([data-clock])")) {
    const date = new Date(time.dateTime);
    if (!Number.isNaN(date.getTime())) time.textContent = date.toLocaleString([], shownTime);
  }
};

// Counts down to the next of the times in `data-clock`, `START END`, milliseconds on the server's
// clock; `data-now` is the server's time when it made the page.
const pad = (number) => String(number).padStart(2, "0");
const duration = (milliseconds) => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
};
const startClock = (clock) => {
  const [start, end] = clock.dataset.clock.split(" ").map(Number);
  const offset = Number(clock.dataset.now) - Date.now();
  const tick = () => {
    // A later version of the page has replaced it.
    if (!clock.isConnected) return;
    const now = Date.now() + offset;
    if (now < start) clock.textContent = `starts in ${duration(start - now)}`;
    else if (now < end) clock.textContent = `${duration(end - now)} left`;
    else clock.textContent = "over";
    if (now < end) setTimeout(tick, 1000 - (now % 1000));
  };
  tick();
};

// Sorts the rows of a scoreboard by their places.
const sortRows = (body) => {
  const rows = [...body.children];
  rows.sort((a, b) => a.dataset.place - b.dataset.place);
  if (rows.some((row, index) => row !== body.children[index])) body.append(...rows);
};

// Replaces elements by fragments of the stream that `data-events` names. An event `fragment` is the
// HTML of elements; each replaces the element whose `data-fragment` it has. The server makes them as
// it makes the page.
const swap = (html) => {
  const moved = new Set();
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const fresh of template.content.querySelectorAll("[data-fragment]")) {
    const name = CSS.escape(fresh.dataset.fragment);
    for (const old of document.querySelectorAll(`[data-fragment="${name}"]`)) {
      const copy = fresh.cloneNode(true);
      if (old.classList.contains("own")) copy.classList.add("own");
      old.replaceWith(copy);
      enhance(copy);
      if (copy.dataset.place) moved.add(copy.parentElement);
    }
  }
  moved.forEach(sortRows);
};
const listen = (element) => {
  const stream = new EventSource(element.dataset.events);
  stream.addEventListener("fragment", (event) => swap(event.data));
  stream.addEventListener("end", () => stream.close());
};

// Chooses the language that the name of a chosen file belongs to, if there is only one.
const guessLanguage = (input) => {
  const select = input.form.querySelector("select[name=language]");
  // A form for a package has no language.
  if (!select) return;
  input.addEventListener("change", () => {
    const extension = input.files[0]?.name.split(".").pop();
    const fits = [...select.options].filter((option) =>
      (option.dataset.extensions ?? "").split(" ").some((own) => own.replace(/^\./, "") === extension));
    if (fits.length === 1) select.value = fits[0].value;
    else if (input.files.length && !fits.includes(select.selectedOptions[0])) select.value = "";
  });
};
const enhance = (root) => {
  addCopying(root);
  localizeTimes(root);
  root.querySelectorAll("[data-clock]").forEach(startClock);
};

// Parts of a page, named by `data-region`, are loaded again when what they show (`data-topic`) has changed: the page is
// fetched as a reload would do, so that the server needs no second form of it. A part whose fields the user has changed stays.
const regions = new Map();
// A part was not renewed because the focus is in it.
let isSkipped = false;
for (const region of document.querySelectorAll("[data-region]")) {
  regions.set(region.dataset.region, region.innerHTML);
  region.addEventListener("input", () => { region.dataset.used = ""; });
  region.addEventListener("focusout", () => {
    if (!isSkipped) return;
    isSkipped = false;
    loadSoon();
  });
}
const renew = (fresh) => {
  for (const region of document.querySelectorAll("[data-region]")) {
    const name = region.dataset.region;
    const html = fresh.querySelector(`[data-region="${CSS.escape(name)}"]`)?.innerHTML;
    if (html === undefined || html === regions.get(name) || "used" in region.dataset) continue;
    if (region.contains(document.activeElement)) {
      isSkipped = true;
      continue;
    }
    regions.set(name, html);
    region.innerHTML = html;
    enhance(region);
  }
};
let isDue = false;
let isLoading = false;
const load = async () => {
  isLoading = true;
  while (isDue) {
    // Not all viewers of a contest at once.
    await new Promise((resolve) => { setTimeout(resolve, 200 + Math.random() * 800); });
    isDue = false;
    try {
      // A page in the background marks nothing as read.
      const headers = document.hidden ? { accept: "text/html", "x-unseen": "1" } : { accept: "text/html" };
      const page = await fetch(location.href, { headers });
      if (page.ok) renew(new DOMParser().parseFromString(await page.text(), "text/html"));
    } catch {
      // The server is away; its next event comes after a new connection.
    }
  }
  isLoading = false;
};
const loadSoon = () => {
  isDue = true;
  if (!isLoading) load();
};
const refresh = (topic) => {
  if (!document.querySelector(`[data-topic~="${CSS.escape(topic)}"]`)) return;
  loadSoon();
};

// Shows how many clarifications are unread, and announces new ones and new verdicts. A page for a projector has no place for them.
const showUnread = ({ count, text, href }) => {
  const link = document.querySelector("[data-unread]");
  if (!link) return;
  link.hidden = !count;
  if (!count) return;
  link.href = href;
  link.textContent = `${text}: ${count}`;
};
// Whether this tab has shown the verdict with this key, or its page shows it.
const isKnown = (key, href) => {
  try {
    if (sessionStorage.getItem(`notice ${key}`)) return true;
    sessionStorage.setItem(`notice ${key}`, "shown");
  } catch {
    // The browser keeps nothing: the notice may be shown again.
  }
  return location.pathname === href;
};
const showNotice = ({ title, text, href, key }) => {
  if (key && isKnown(key, href)) return;
  const notice = document.createElement("p");
  const link = document.createElement("a");
  link.href = href;
  link.textContent = title;
  const close = document.createElement("button");
  close.textContent = "Close";
  close.onclick = () => notice.remove();
  notice.append(link, `: ${text} `, close);
  document.querySelector("[data-notices]")?.append(notice);
};
const receive = ({ kind, data }) => {
  if (kind === "changed") refresh(data);
  else (kind === "unread" ? showUnread : showNotice)(JSON.parse(data));
};
// One stream for all pages of a viewer; a browser without shared workers opens one for each page.
const connect = () => {
  const { viewer, worker } = document.body.dataset;
  if (!viewer && !document.querySelector("[data-topic]")) return;
  if (window.SharedWorker) {
    const { port } = new SharedWorker(worker, { name: viewer });
    port.onmessage = ({ data }) => receive(data);
    addEventListener("pagehide", () => port.postMessage("end"), { once: true });
    return;
  }
  const stream = new EventSource("/live");
  for (const kind of ["unread", "notice", "changed"]) {
    stream.addEventListener(kind, ({ data }) => receive({ kind, data }));
  }
  addEventListener("pagehide", () => stream.close(), { once: true });
};
connect();
addEventListener("pageshow", (event) => { if (event.persisted) connect(); });

// On a projector, scrolls the scoreboard down by most of a screen at a time, and back to its top.
const SCROLL_EVERY = 8000;
const scrollOn = () => {
  const board = document.querySelector("[data-fragment=board]");
  const isAtEnd = board.scrollTop + board.clientHeight >= board.scrollHeight - 2;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  board.scrollTo({ top: isAtEnd ? 0 : board.scrollTop + 0.8 * board.clientHeight, behavior: isCalm ? "auto" : "smooth" });
};
if ("scrolls" in document.body.dataset) setInterval(scrollOn, SCROLL_EVERY);

// Drafts of programs stay on a machine only as long as their author is signed in.
document.querySelector("form[action='/sign-out']")?.addEventListener("submit", () => {
  try {
    Object.keys(localStorage).filter((key) => key.startsWith("draft ")).forEach((key) => localStorage.removeItem(key));
  } catch {
    // The browser keeps nothing.
  }
});

enhance(document);
document.querySelectorAll("[data-events]").forEach(listen);
document.querySelectorAll("form input[type=file]").forEach(guessLanguage);
