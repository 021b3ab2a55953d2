// One stream of news a tab; closed while nobody looks at the tab, caught up when somebody does.
import { hush, say } from "./forms.js";
import { newestId, refresh } from "./parts.js";

const LOST_AFTER_MS = 4000;
const AGAIN_MS = 3000;

let source = null;
let losing = 0;

/** Follows the journal for as long as the tab is in view. */
export function startStream() {
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
}

function open() {
  if (source || document.hidden) return;
  source = new EventSource(`${document.body.dataset.stream}?after=${newestId()}`);
  source.addEventListener("open", found);
  source.addEventListener("error", lost);
  source.addEventListener("journal", (event) => {
    if (Number(event.lastEventId) !== newestId()) refresh().catch(complain);
  });
  source.addEventListener("live", (event) => show(JSON.parse(event.data)));
}

function close() {
  source?.close();
  source = null;
  clearTimeout(losing);
  losing = 0;
}

function found() {
  clearTimeout(losing);
  losing = 0;
  hush();
}

/** The browser tries again by itself, unless it was refused: then we ask for the page meanwhile. */
function lost() {
  if (source?.readyState !== EventSource.CLOSED) {
    complain();
    return;
  }
  source = null;
  setTimeout(() => {
    open();
    refresh().catch(complain);
  }, AGAIN_MS);
}

function complain() {
  losing ||= setTimeout(() => say(document.body.dataset.lost), LOST_AFTER_MS);
}

let trouble = null;

function show(live) {
  for (const label of document.querySelectorAll("[data-state]")) {
    label.querySelector("use").setAttribute("href", `#icon-${live.state}`);
    label.querySelector("span").textContent = live.word;
  }
  const now = `${live.camera} ${live.reason}`;
  if (trouble !== null && trouble !== now) refresh().catch(complain);
  trouble = now;
}
