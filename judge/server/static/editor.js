"use strict";
// The editor of the form to submit a program: line numbers, indentation, matching brackets, colours, and a draft. Without it the
// form has a plain text area.

// Larger texts are edited without colours; the server colours no more (`highlight::MAX_EDITED`).
const MAX_COLOURED = 64 << 10;
// Time without a change after which colours are asked for and the draft is kept.
const PAUSE = 300;
const BRACKETS = "([{)]}";

// The index of the bracket that belongs to the one at `at`.
const partner = (code, at) => {
  const kind = BRACKETS.indexOf(code[at]);
  const other = BRACKETS[(kind + 3) % 6];
  let depth = 0;
  for (let index = at; index >= 0 && index < code.length; index += kind < 3 ? 1 : -1) {
    if (code[index] === code[at]) depth += 1;
    else if (code[index] === other) depth -= 1;
    if (!depth) return index;
  }
  return null;
};

const make = (tag, attributes, ...content) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
};

// Puts a coloured copy of the text behind the area, whose own text becomes transparent.
const addEditor = (area) => {
  const { form } = area;
  const { language, file } = form.elements;
  const numbers = make("pre", { class: "numbers", "aria-hidden": "true" });
  const shown = make("pre", { class: "shown", "aria-hidden": "true" }, "");
  const paper = make("div", { class: "paper" }, shown);
  const frame = make("div", { class: "editor" }, numbers, paper);
  const keys = "Tab indents. To leave the field with the keyboard, press Escape, then Tab.";
  const hint = make("span", { class: "quiet", id: `${area.id}-keys` }, keys);
  area.setAttribute("aria-describedby", hint.id);
  area.wrap = "off";
  area.before(frame);
  paper.append(area);
  frame.after(hint);

  // The text of the copy.
  let text = "";
  let lines = 0;
  // Text node of the copy at an offset, and the offset in it. The copy has texts, and elements with one text each.
  const locate = (offset) => {
    let rest = offset;
    for (const part of shown.childNodes) {
      const node = part.firstChild ?? part;
      if (rest <= node.length) return [node, rest];
      rest -= node.length;
    }
    throw new RangeError(`the copy has no offset ${offset}`);
  };
  const rangeOf = (start, end) => {
    const range = new Range();
    range.setStart(...locate(start));
    range.setEnd(...locate(end));
    return range;
  };
  // Makes the change of the area in the copy, so that the colours around it stay until the server has answered.
  const follow = () => {
    const { value } = area;
    const isLarge = value.length > MAX_COLOURED;
    frame.classList.toggle("plain", isLarge);
    if (isLarge) {
      shown.replaceChildren("");
      text = "";
    } else {
      const most = Math.min(value.length, text.length);
      let start = 0;
      while (start < most && value[start] === text[start]) start += 1;
      let end = 0;
      while (end < most - start && value.at(-1 - end) === text.at(-1 - end)) end += 1;
      rangeOf(start, text.length - end).deleteContents();
      const [node, offset] = locate(start);
      node.insertData(offset, value.slice(start, value.length - end));
      text = value;
    }
    const count = value.split("\n").length;
    if (count === lines) return;
    lines = count;
    numbers.textContent = Array.from({ length: lines }, (_, index) => index + 1).join("\n");
    frame.style.setProperty("--digits", String(lines).length);
  };
  const scroll = () => {
    numbers.style.transform = `translateY(${-area.scrollTop}px)`;
    shown.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
  };

  // Marks the bracket beside the caret and the one that belongs to it, except in comments and strings.
  const markBrackets = () => {
    if (!CSS.highlights) return;
    CSS.highlights.delete("bracket");
    const { selectionStart: caret, selectionEnd } = area;
    if (document.activeElement !== area || caret !== selectionEnd || area.value !== text) return;
    const codeOf = ({ className, textContent }) =>
      (/comment|string/.test(className) ? " ".repeat(textContent.length) : textContent);
    const code = Array.from(shown.childNodes, codeOf).join("");
    const at = [caret - 1, caret].find((index) => code[index] && BRACKETS.includes(code[index]));
    const other = at === undefined ? null : partner(code, at);
    if (other === null) return;
    CSS.highlights.set("bracket", new Highlight(...[at, other].map((index) => rangeOf(index, index + 1))));
  };

  // Asks the server for the colours; one request at a time.
  let isAsking = false;
  const colour = async () => {
    const extension = (language.selectedOptions[0]?.dataset.extensions ?? "").split(" ")[0];
    const sent = area.value;
    if (isAsking || !extension || !sent || sent !== text) return;
    isAsking = true;
    try {
      const address = `/highlight?name=${encodeURIComponent(`main.${extension.replace(/^\./, "")}`)}`;
      const answer = await fetch(address, { method: "POST", body: sent });
      const template = document.createElement("template");
      template.innerHTML = await answer.text();
      if (answer.ok && template.content.textContent === area.value) {
        shown.replaceChildren(template.content);
        markBrackets();
      }
    } catch {
      // The server is away: the text has the colours that it had.
    }
    isAsking = false;
    if (sent !== area.value) later();
  };

  // A draft is kept for each viewer and page. One that was submitted is offered; another one is restored.
  const key = `draft ${area.dataset.editor} ${location.pathname}`;
  const keep = (isSent) => {
    try {
      const draft = { source: area.value, language: language.value, isSent };
      if (area.value.trim()) localStorage.setItem(key, JSON.stringify(draft));
      else if (!isSent) localStorage.removeItem(key);
    } catch {
      // The browser keeps nothing, or has no room.
    }
  };
  let hasChanged = false;
  let timer = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (hasChanged) keep(false);
      hasChanged = false;
      colour();
    }, PAUSE);
  };
  const changed = () => {
    hasChanged = true;
    follow();
    later();
  };
  const restore = ({ source, language: code }) => {
    area.value = source;
    language.value = code;
    if (language.selectedIndex < 0) language.value = "";
    follow();
    later();
  };
  const offerDraft = () => {
    let draft = null;
    try {
      draft = JSON.parse(localStorage.getItem(key));
    } catch {
      // The browser keeps nothing.
    }
    if (!draft || area.value) return;
    if (!draft.isSent) restore(draft);
    const button = make("button", { type: "button" }, draft.isSent ? "Edit it again" : "Discard it");
    const said = draft.isSent ? "The program that you submitted last is kept. " : "Your draft was restored. ";
    const notice = make("p", { class: "notice", role: "status" }, said, button);
    button.onclick = () => {
      if (draft.isSent) {
        restore(draft);
      } else {
        area.value = "";
        changed();
      }
      notice.remove();
      area.focus();
    };
    frame.before(notice);
  };

  // Replaces the selection so that the browser can undo it.
  const insert = (fresh) => {
    if (!document.execCommand(fresh ? "insertText" : "delete", false, fresh)) {
      area.setRangeText(fresh, area.selectionStart, area.selectionEnd, "end");
      changed();
    }
  };
  // The indentation that the text begins to indent with.
  const unitOf = (value) => /^(\t| {2,8})(?=\S)/m.exec(value)?.[1] ?? "    ";
  const indent = (isBack) => {
    const { value, selectionStart: from, selectionEnd: to } = area;
    const unit = unitOf(value);
    const first = value.slice(0, from).lastIndexOf("\n") + 1;
    const isBlock = value.slice(from, to).includes("\n");
    if (!isBack && !isBlock) {
      insert(unit === "\t" ? unit : " ".repeat(unit.length - ((from - first) % unit.length)));
      return;
    }
    // A selection that ends before the first character of a line does not have this line.
    const end = value.indexOf("\n", isBlock ? to - 1 : to);
    const last = end < 0 ? value.length : end;
    const old = value.slice(first, last);
    const fresh = isBack
      ? old.replace(new RegExp(`^(\t| {1,${unit.length}})`, "gm"), "")
      : old.replace(/^(?=[^\n])/gm, unit);
    if (fresh === old) return;
    area.setSelectionRange(first, last);
    insert(fresh);
    const caret = Math.max(first, from + fresh.length - old.length);
    if (isBlock) area.setSelectionRange(first, first + fresh.length);
    else area.setSelectionRange(caret, caret);
  };
  // The line up to the caret.
  const beforeCaret = () => {
    const { value, selectionStart: caret } = area;
    return { line: value.slice(value.lastIndexOf("\n", caret - 1) + 1, caret), unit: unitOf(value), caret };
  };
  let isLeaving = false;
  area.addEventListener("keydown", (event) => {
    const { key: pressed, shiftKey } = event;
    const leaves = isLeaving;
    if (pressed !== "Shift") isLeaving = pressed === "Escape";
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (pressed === "Tab" && !leaves) {
      event.preventDefault();
      indent(shiftKey);
    } else if (pressed === "Enter" && !shiftKey) {
      event.preventDefault();
      const { line, unit } = beforeCaret();
      insert(`\n${/^[ \t]*/.exec(line)[0]}${/[{([:]\s*$/.test(line) ? unit : ""}`);
    } else if (pressed === "}" && area.selectionStart === area.selectionEnd) {
      const { line, unit, caret } = beforeCaret();
      if (line.trim() || !line.endsWith(unit)) return;
      event.preventDefault();
      area.setSelectionRange(caret - unit.length, caret);
      insert("}");
    }
  });
  area.addEventListener("input", changed);
  area.addEventListener("scroll", scroll);
  document.addEventListener("selectionchange", markBrackets);
  area.addEventListener("blur", markBrackets);
  language.addEventListener("change", later);

  // A file that is dropped on the form is chosen. It is sent instead of the text.
  const mayDrop = "It can be dropped anywhere on this form.";
  const sends = make("span", { class: "quiet", role: "status" }, mayDrop);
  file.after(sends);
  file.addEventListener("change", () => {
    const isTextLeft = file.files.length && area.value.trim();
    sends.textContent = isTextLeft ? "The file is submitted, not the text below." : mayDrop;
    later();
  });
  const hasFiles = ({ dataTransfer }) => dataTransfer.types.includes("Files");
  form.addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  form.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    file.files = event.dataTransfer.files;
    file.dispatchEvent(new Event("change"));
  });

  form.addEventListener("submit", () => {
    clearTimeout(timer);
    keep(!file.files.length);
    hasChanged = false;
  });
  addEventListener("pagehide", () => { if (hasChanged) keep(false); });
  follow();
  offerDraft();
};

document.querySelectorAll("textarea[data-editor]").forEach(addEditor);
