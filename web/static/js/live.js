// The live picture, fetched only while it is looked at, with the cards outlined and named on it.
import { post, say } from "./forms.js";
import { refresh } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const WAIT_WITHOUT_CAMERA_MS = 1500;
const LEAST_LABEL_PX = 12;

/** Starts every picture of the page, and again whatever a swap brings. */
export function startPictures() {
  const begin = () => {
    document.querySelectorAll("[data-view]:not([data-begun])").forEach(watch);
    marks();
  };
  document.addEventListener("swapped", begin);
  document.addEventListener("change", marks);
  document.addEventListener("reset", () => setTimeout(marks));
  document.addEventListener("click", startMark);
  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin, { once: true });
}

function watch(view) {
  view.dataset.begun = "1";
  let seen = false;
  let last = "";
  let busy = false;
  const loop = async () => {
    if (busy) return;
    busy = true;
    while (seen && !document.hidden && view.isConnected) {
      const begun = performance.now();
      const number = await next(view, last);
      const every = number === null ? WAIT_WITHOUT_CAMERA_MS : Number(view.dataset.everyMs);
      last = number ?? "";
      await pause(Math.max(10, every - (performance.now() - begun)));
    }
    busy = false;
  };
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    loop();
  }).observe(view);
  document.addEventListener("visibilitychange", loop);
  view.querySelector(".outlines").addEventListener("click", pick);
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Loads one picture; answers its number, or null where there is none. */
async function next(view, last) {
  try {
    const answer = await fetch(`${view.dataset.view}?after=${last}`);
    if (answer.status === 204) return last;
    note(view, !answer.ok);
    if (!answer.ok) return null;
    const look = JSON.parse(answer.headers.get("X-Look"));
    await put(view.querySelector("img"), await answer.blob());
    draw(view, look);
    view.dispatchEvent(new CustomEvent("look", { bubbles: true, detail: look }));
    return answer.headers.get("X-Picture");
  } catch {
    note(view, true);
    return null;
  }
}

function note(view, shown) {
  view.querySelector("[data-note]").hidden = !shown;
}

function put(image, blob) {
  const address = URL.createObjectURL(blob);
  return new Promise((done) => {
    image.onload = image.onerror = () => {
      URL.revokeObjectURL(address);
      done();
    };
    image.src = address;
    image.hidden = false;
  });
}

function draw(view, look) {
  const svg = view.querySelector(".outlines");
  if (look.width) view.style.aspectRatio = `${look.width} / ${look.height}`;
  const wide = look.width || 16;
  const high = look.height || 9;
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  const size = Math.max(wide / 36, (LEAST_LABEL_PX * wide) / view.clientWidth);
  const seen = new Map();
  svg.replaceChildren(...look.cards.map((card) => {
    const nth = seen.get(card.card) ?? 0;
    seen.set(card.card, nth + 1);
    const smaller = card.place === "table" ? 1 : 0.75;
    return outline(card, nth, { wide, high, size: size * smaller });
  }));
  marks();
}

function outline(card, nth, { wide, high, size }) {
  const group = part("g", { class: `${card.kind} ${card.sure ? "" : "doubt"}` });
  const points = card.quad.map(([x, y]) => `${x * wide},${y * high}`).join(" ");
  group.append(part("polygon", { points, class: "halo" }), part("polygon", { points }));
  if (card.place === "table") Object.assign(group.dataset, { card: card.card, nth });
  const words = card.kind in SHAPES ? `${card.text} ${SHAPES[card.kind]}` : card.text;
  const half = (words.length * 0.62 + 0.6) * size / 2;
  const middle = card.quad.reduce((sum, [u]) => sum + (u * wide) / 4, 0);
  const x = Math.min(Math.max(middle, half), wide - half);
  const y = Math.min(Math.max(...card.quad.map(([, v]) => v * high)), high - size * 0.8);
  group.append(part("rect", {
    x: x - half, y: y - size * 0.72, width: 2 * half, height: size * 1.44, rx: size * 0.35,
  }));
  const label = part("text", { x, y, "font-size": size });
  label.textContent = words;
  group.append(label);
  return group;
}

const SHAPES = { red: "♥", orange: "◆", yellow: "★", green: "▲", blue: "●", purple: "■" };

function part(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** A card tapped in the picture is ticked in the claim. */
function pick(event) {
  const group = event.target.closest("[data-card]");
  const box = group && boxOf(group);
  if (!box) return;
  box.checked = !box.checked;
  marks();
}

function boxOf(group) {
  const boxes = document.querySelectorAll(
    `[data-claim] [name=taken][value="${CSS.escape(group.dataset.card)}"]`,
  );
  return boxes[Number(group.dataset.nth)];
}

function marks() {
  for (const group of document.querySelectorAll(".outlines [data-card]")) {
    group.classList.toggle("picked", Boolean(boxOf(group)?.checked));
  }
}

/** Lets somebody drag a box round the deck in the picture. */
function startMark(event) {
  const button = event.target.closest("[data-mark]");
  const svg = document.querySelector("[data-view] .outlines");
  if (!button || !svg) return;
  say(button.dataset.hint, true);
  svg.scrollIntoView({ block: "center" });
  svg.classList.add("marking");
  svg.addEventListener("pointerdown", (down) => drag(svg, down, button.dataset.mark), { once: true });
}

function drag(svg, down, address) {
  down.preventDefault();
  svg.setPointerCapture(down.pointerId);
  const from = place(svg, down);
  const box = part("rect", { class: "marked" });
  const { width, height } = svg.viewBox.baseVal;
  const stretch = (move) => {
    const to = place(svg, move);
    svg.append(box);
    box.setAttribute("x", Math.min(from[0], to[0]) * width);
    box.setAttribute("y", Math.min(from[1], to[1]) * height);
    box.setAttribute("width", Math.abs(from[0] - to[0]) * width);
    box.setAttribute("height", Math.abs(from[1] - to[1]) * height);
  };
  svg.addEventListener("pointermove", stretch);
  svg.addEventListener("pointerup", async (up) => {
    svg.removeEventListener("pointermove", stretch);
    svg.classList.remove("marking");
    box.remove();
    const corners = [...from, ...place(svg, up)].map((side) => side.toFixed(4));
    if (await post(address, new URLSearchParams({ deck: corners.join(" ") }))) refresh();
  }, { once: true });
}

function place(svg, event) {
  const box = svg.getBoundingClientRect();
  const clamp = (share) => Math.min(1, Math.max(0, share));
  return [
    clamp((event.clientX - box.x) / box.width),
    clamp((event.clientY - box.y) / box.height),
  ];
}
