// Fetches this page again and swaps only the parts that changed, keeping what somebody is doing.

let served = new Map();
let shownId = Number(document.body.dataset.at);
let running = null;
let wanted = false;

export const newestId = () => shownId;

/** Remembers the parts as the server sent them, so that only real changes are swapped. */
export function startParts() {
  served = htmlOfParts(document);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-soft]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href);
  });
  window.addEventListener("popstate", () => refresh());
}

/** Shows another address of the same page without losing the picture. */
export async function go(address) {
  if (new URL(address, location.href).pathname !== location.pathname) {
    location.assign(address);
    return;
  }
  history.replaceState(null, "", address);
  await refresh();
  document.querySelector("[data-part='fix']")?.focus({ preventScroll: false });
}

/** Fetches the page; calls that come meanwhile are answered by one more fetch. */
export function refresh() {
  wanted = true;
  running ??= fetchAll().finally(() => {
    running = null;
  });
  return running;
}

async function fetchAll() {
  while (wanted) {
    wanted = false;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.status === 404) location.reload();
    if (!answer.ok) throw new Error(`page ${answer.status}`);
    swap(new DOMParser().parseFromString(await answer.text(), "text/html"));
  }
}

function swap(fresh) {
  shownId = Number(fresh.body.dataset.at);
  const now = htmlOfParts(fresh);
  if (shape(fresh) !== shape(document)) {
    swapWhole(fresh, now);
    return;
  }
  for (const [name, html] of now) {
    if (served.get(name) !== html) swapPart(name, fresh, html);
  }
}

function swapWhole(fresh, now) {
  const main = document.querySelector("main");
  const kept = new Map(all(main, "[data-keep]").map((box) => [box.dataset.keep, box]));
  const doings = new Map(all(main, "[data-part]").map((part) => [part.dataset.part, doing(part)]));
  const next = document.importNode(fresh.querySelector("main"), true);
  for (const box of all(next, "[data-keep]")) {
    const old = kept.get(box.dataset.keep);
    if (old) box.replaceWith(old);
  }
  main.replaceChildren(...next.childNodes);
  for (const part of all(main, "[data-part]")) resume(part, doings.get(part.dataset.part));
  swapOutside(fresh, now);
  served = now;
  document.dispatchEvent(new CustomEvent("swapped"));
}

function swapOutside(fresh, now) {
  for (const part of all(document, "header [data-part]")) {
    if (served.get(part.dataset.part) !== now.get(part.dataset.part)) {
      part.replaceWith(document.importNode(find(fresh, part.dataset.part), true));
    }
  }
}

function swapPart(name, fresh, html) {
  const old = find(document, name);
  if (isTyping(old)) {
    old.addEventListener("focusout", () => refresh(), { once: true });
    return;
  }
  const state = doing(old);
  const next = document.importNode(find(fresh, name), true);
  old.replaceWith(next);
  resume(next, state);
  served.set(name, html);
  document.dispatchEvent(new CustomEvent("swapped"));
}

/** What somebody has ticked, typed, opened or scrolled inside a part. */
function doing(part) {
  const held = part.contains(document.activeElement) ? document.activeElement : null;
  return {
    fields: all(part, "input, select").map((field, place) => [keyOf(part, field, place), field]),
    open: all(part, "details").map((box, place) => [keyOfBox(box, place), box.open]),
    scroll: all(part, ".events, .scroll").map((box) => [box.scrollTop, box.scrollLeft]),
    focus: held && all(part, "a, button, input, select, summary").indexOf(held),
  };
}

function resume(part, state) {
  if (!state) return;
  const old = new Map(state.fields);
  all(part, "input, select").forEach((field, place) => {
    const before = old.get(keyOf(part, field, place));
    if (!before) return;
    if (before.type === "checkbox" || before.type === "radio") {
      if (before.checked !== before.defaultChecked) field.checked = before.checked;
    } else if (before.value !== before.defaultValue && before.type !== "hidden") {
      field.value = before.value;
    }
  });
  const opened = new Map(state.open);
  all(part, "details").forEach((box, place) => {
    box.open = opened.get(keyOfBox(box, place)) ?? box.open;
  });
  all(part, ".events, .scroll").forEach((box, place) => {
    [box.scrollTop, box.scrollLeft] = state.scroll[place] ?? [0, 0];
  });
  if (state.focus !== null && state.focus >= 0) {
    const things = all(part, "a, button, input, select, summary");
    (things[state.focus] ?? part).focus?.({ preventScroll: true });
  }
}

/** A list that grows at its top moves its boxes: those of a step are known by its number. */
function keyOfBox(box, place) {
  return box.closest("[data-step-id]")?.dataset.stepId ?? `${place}`;
}

function keyOf(part, field) {
  const twins = all(part, "input, select").filter(
    (other) => other.name === field.name && other.type === field.type && same(other, field),
  );
  return `${field.name} ${field.type} ${tick(field) ? field.value : ""} ${twins.indexOf(field)}`;
}

const tick = (field) => field.type === "radio" || field.type === "checkbox";
const same = (one, other) => !tick(one) || one.value === other.value;
const all = (root, selector) => [...root.querySelectorAll(selector)];
const find = (root, name) => root.querySelector(`[data-part="${CSS.escape(name)}"]`);
const shape = (root) => all(root, "main [data-part], main [data-keep]")
  .map((box) => box.dataset.part ?? `keep ${box.dataset.keep}`).join(" ");
const htmlOfParts = (root) =>
  new Map(all(root, "[data-part]").map((part) => [part.dataset.part, part.outerHTML]));

function isTyping(part) {
  const held = document.activeElement;
  return part.contains(held) && held.matches("input[type=text], input[type=number]");
}
