// Fills every element with `data-live` from the events of that address: `results` is its new
// content, `end` is the last event.
for (const element of document.querySelectorAll("[data-live]")) {
  const source = new EventSource(element.dataset.live);
  source.addEventListener("results", (event) => {
    element.innerHTML = event.data;
  });
  source.addEventListener("end", () => source.close());
}
