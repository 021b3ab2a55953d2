// The zones as outlines on the live picture: dragged by mouse or finger, moved by arrow keys.
import { post } from "./forms.js";
import { refresh } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const STEP = 0.01;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let editing = false;

/** Draws the zones with every picture, and lets them be moved once somebody asks to. */
export function startZones() {
  document.addEventListener("look", (event) => draw(event.target, event.detail));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-edit-zones]");
    if (!button) return;
    editing = !editing;
    marks();
    document.querySelector(".zones")?.scrollIntoView({ block: "center" });
  });
  document.addEventListener("swapped", marks);
}

function marks() {
  for (const button of document.querySelectorAll("[data-edit-zones]")) {
    button.setAttribute("aria-pressed", String(editing));
  }
  for (const svg of document.querySelectorAll("svg.zones")) {
    svg.classList.toggle("editing", editing);
    for (const thing of svg.querySelectorAll("[data-at]")) thing.tabIndex = editing ? 0 : -1;
  }
}

function draw(view, look) {
  const svg = view.querySelector("svg.zones");
  // What is being moved must not be drawn anew under the finger, nor lose the keyboard.
  if (!svg || svg.dataset.held || svg.contains(document.activeElement)) return;
  const said = JSON.stringify([look.width, look.height, look.zones]);
  if (svg.dataset.said === said) return;
  svg.dataset.said = said;
  const size = [look.width || 16, look.height || 9];
  svg.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  svg.replaceChildren(...look.zones.map((zone) => outline(svg, zone, size)));
  marks();
}

function outline(svg, zone, size) {
  const group = part("g", { "data-zone": zone.name });
  const shape = part("polygon", { "data-at": "all", role: "button", "aria-label": zone.label });
  const label = part("text", {});
  label.textContent = zone.label;
  const corners = zone.quad.map((_, nth) => part("circle", {
    "data-at": nth, r: size[0] / 60, role: "button", "aria-label": `${zone.label} ${nth + 1}`,
  }));
  group.append(shape, label, ...corners);
  const held = { svg, group, size, name: zone.name, quad: zone.quad };
  for (const thing of [shape, ...corners]) {
    thing.addEventListener("pointerdown", (event) => drag(held, thing, event));
    thing.addEventListener("keydown", (event) => nudge(held, thing, event));
  }
  place(held);
  return group;
}

function place({ group, quad, size: [wide, high] }) {
  const points = quad.map(([x, y]) => [x * wide, y * high]);
  group.querySelector("polygon").setAttribute("points", points.join(" "));
  group.querySelectorAll("circle").forEach((circle, nth) => {
    circle.setAttribute("cx", points[nth][0]);
    circle.setAttribute("cy", points[nth][1]);
  });
  const label = group.querySelector("text");
  const across = points.map(([x]) => x);
  const room = Math.max(...across) - Math.min(...across);
  // A narrow zone's label is set smaller, so that neighbours can be told apart.
  const fits = room / (0.6 * label.textContent.length);
  label.setAttribute("font-size", Math.min(wide / 36, Math.max(wide / 76, fits)));
  label.setAttribute("x", Math.min(...across) + wide / 120);
  label.setAttribute("y", Math.min(...points.map(([, y]) => y)) + high / 24);
}

function drag(held, thing, down) {
  if (!editing) return;
  down.preventDefault();
  thing.setPointerCapture(down.pointerId);
  held.svg.dataset.held = "1";
  const before = held.quad;
  const box = held.svg.getBoundingClientRect();
  const move = (event) => {
    const by = [(event.clientX - down.clientX) / box.width, (event.clientY - down.clientY) / box.height];
    held.quad = moved(before, thing.dataset.at, by);
    place(held);
  };
  const end = (event) => {
    thing.removeEventListener("pointermove", move);
    thing.removeEventListener("pointerup", end);
    thing.removeEventListener("pointercancel", end);
    if (event.type === "pointerup" && held.quad !== before) keep(held, before);
    else back(held, before);
  };
  thing.addEventListener("pointermove", move);
  thing.addEventListener("pointerup", end);
  thing.addEventListener("pointercancel", end);
}

function nudge(held, thing, event) {
  const way = ARROWS[event.key];
  if (!editing || !way) return;
  event.preventDefault();
  const before = held.quad;
  held.quad = moved(before, thing.dataset.at, way.map((side) => side * STEP));
  place(held);
  keep(held, before);
}

/** The quad with one corner moved, or all of it, never over the picture's edge. */
function moved(quad, at, by) {
  const touched = quad.filter((_, nth) => at === "all" || Number(at) === nth);
  const [x, y] = [0, 1].map((axis) => {
    const sides = touched.map((corner) => corner[axis]);
    return Math.min(1 - Math.max(...sides), Math.max(-Math.min(...sides), by[axis]));
  });
  return quad.map((corner) => (touched.includes(corner) ? [corner[0] + x, corner[1] + y] : corner));
}

async function keep(held, before) {
  const quad = held.quad.flat().map((side) => Math.min(1, Math.max(0, side)).toFixed(4)).join(" ");
  const taken = await post(held.svg.dataset.zones, new URLSearchParams({ zone: held.name, quad }));
  if (taken) refresh();
  else held.quad = before;
  back(held, held.quad);
}

function back(held, quad) {
  held.quad = quad;
  place(held);
  delete held.svg.dataset.held;
}

function part(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
