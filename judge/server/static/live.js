"use strict";
// A worker that all pages of a viewer share: one stream of events, whose messages it passes on to the pages.
const ports = new Set();
const RETRY = 10_000;
let stream = null;
let unread = null;

const listen = () => {
  if (stream || !ports.size) return;
  stream = new EventSource("/live");
  for (const kind of ["unread", "notice", "changed"]) {
    stream.addEventListener(kind, ({ data }) => {
      const message = { kind, data };
      if (kind === "unread") unread = message;
      ports.forEach((port) => port.postMessage(message));
    });
  }
  // A browser does not try again after some errors.
  stream.onerror = () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    stream = null;
    setTimeout(listen, RETRY);
  };
};

onconnect = ({ ports: [port] }) => {
  ports.add(port);
  port.onmessage = () => {
    // The page is left.
    ports.delete(port);
    if (ports.size) return;
    stream?.close();
    stream = null;
  };
  // A page that is opened later needs the last count.
  if (unread) port.postMessage(unread);
  listen();
};
