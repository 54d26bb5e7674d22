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

// Shows times in the zone of the reader.
const localizeTimes = (root) => {
  for (const time of root.querySelectorAll("time[datetime]:not([data-clock])")) {
    const date = new Date(time.dateTime);
    if (!Number.isNaN(date.getTime())) time.textContent = date.toLocaleString();
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
};

enhance(document);
document.querySelectorAll("[data-clock]").forEach(startClock);
document.querySelectorAll("[data-events]").forEach(listen);
document.querySelectorAll("form input[type=file]").forEach(guessLanguage);
