// Sends forms without leaving the page, and says in one line what went wrong.
import { go, refresh } from "./parts.js";

const SHOWN_FOR_MS = 6000;

/** Takes every form of the page over, and the small steppers beside numbers. */
export function startForms() {
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    send(event.target, event.submitter);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step] [data-by]");
    if (button) step(button);
  });
}

async function send(form, button) {
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  try {
    const address = button?.getAttribute("formaction") ?? form.getAttribute("action");
    if (await post(address, fields(form, button))) await after(form);
  } catch {
    say(document.body.dataset.lost);
  } finally {
    delete form.dataset.busy;
  }
}

async function after(form) {
  if (isJudged(form)) {
    const player = form.querySelector("[name=player]:checked");
    form.reset();
    if (player) player.checked = true;
    await refresh();
    const verdict = document.querySelector("[data-part='verdict']");
    verdict?.scrollIntoView({ block: "center" });
    verdict?.firstElementChild?.classList.add("flip");
  } else if ("next" in form.dataset) {
    await go(location.pathname);
    window.scrollTo({ top: 0 });
  } else if (form.dataset.then) {
    await go(form.dataset.then);
  } else {
    await refresh();
  }
}

/** A claim or a doubt: each tap has a key of its own, and its verdict is what to look at next. */
const isJudged = (form) => "claim" in form.dataset || "doubt" in form.dataset;

function fields(form, button) {
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.append(button.name, button.value);
  if (isJudged(form)) body.append("key", freshKey());
  return body;
}

/** Sends a command; true when it was taken. */
export async function post(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
    });
    if (answer.ok) {
      hush();
      return true;
    }
    say((await answer.json()).error.message);
  } catch {
    say(document.body.dataset.lost);
  }
  return false;
}

let hushing = 0;

/** Shows one line above everything, for a while. */
export function say(words, calm = false) {
  const toast = document.querySelector(".toast");
  toast.textContent = words;
  toast.classList.toggle("flash--calm", calm);
  toast.hidden = false;
  clearTimeout(hushing);
  hushing = setTimeout(hush, SHOWN_FOR_MS);
}

export function hush() {
  document.querySelector(".toast").hidden = true;
}

function step(button) {
  const field = button.parentElement.querySelector("input");
  const next = Number(field.value) + Number(button.dataset.by);
  field.value = Math.min(Number(field.max), Math.max(Number(field.min), next));
}

function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
