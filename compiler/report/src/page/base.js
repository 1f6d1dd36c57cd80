// What all panels share: the data, elements, numbers as people read them.

const DATA = JSON.parse(document.getElementById("data").textContent);
const COLORS = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5", "--c6"].map((c) => `var(${c})`);

/** An element with attributes (`on*` are listeners) and children: elements or text. */
function el(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "line", "text", "path", "circle", "title", "polyline"].includes(tag);
  const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.flat().filter((c) => c !== null && c !== undefined));
  return e;
}

function scaled(x, units, step) {
  let k = 0;
  while (Math.abs(x) >= step && k < units.length - 1) { x /= step; k += 1; }
  return { x, unit: units[k] };
}

function bytes(x) {
  if (x === null || x === undefined) return "unknown";
  const s = scaled(x, ["B", "KiB", "MiB", "GiB", "TiB"], 1024);
  return `${s.unit === "B" ? Math.round(s.x) : s.x.toFixed(s.x < 10 ? 2 : 1)} ${s.unit}`;
}

function micros(us) {
  if (us === null || us === undefined) return "unknown";
  if (us >= 1e6) return `${(us / 1e6).toFixed(2)} s`;
  if (us >= 1e3) return `${(us / 1e3).toFixed(us < 1e4 ? 2 : 1)} ms`;
  return `${us.toFixed(us < 10 ? 2 : 1)} us`;
}

function count(x) {
  if (x === null || x === undefined) return "unknown";
  const s = scaled(x, ["", " k", " M", " G", " T", " P"], 1000);
  return `${Number.isInteger(s.x) && s.unit === "" ? s.x : s.x.toFixed(s.x < 10 ? 2 : 1)}${s.unit}`;
}

const percent = (x) => (x === null || x === undefined ? "unknown" : `${(100 * x).toFixed(1)} %`);

/** `[data, _]`, with what is partial. */
function layout(t) {
  const dims = t.layout.map((axes) => (axes.length === 0 ? "_" : axes.length === 1 ? axes[0] : `(${axes.join(", ")})`));
  const partial = (t.partial || []).map((p) => `${p.reduction} over ${p.axis}`);
  return `[${dims.join(", ")}]${partial.length ? ` partial: ${partial.join(", ")}` : ""}`;
}

const placed = (s) => (s ? [s.file, s.line] : null);

/** A button that shows a line of the source. */
function lineLink(place) {
  if (!place) return "";
  const [file, line] = place;
  return el("button", { class: "linkish code", type: "button", onclick: () => show("source", { file, line }) }, `${file}:${line}`);
}

const tip = document.getElementById("tip");
function tipAt(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const box = event.target.getBoundingClientRect();
  const x = event.clientX || box.left + box.width / 2;
  const y = event.clientY || box.bottom;
  tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - tip.offsetHeight - 8))}px`;
}
function tipOff() { tip.hidden = true; }

/** Attributes of what says more when the pointer or the keyboard is on it. */
function tells(text) {
  return {
    "aria-label": text, onmousemove: (e) => tipAt(e, text), onmouseleave: tipOff,
    onfocus: (e) => tipAt(e, text), onblur: tipOff,
  };
}

function key(names, colors) {
  return el("p", {}, names.map((n, i) => el("span", { class: "key" }, el("i", { style: `background:${colors[i]}` }), n)));
}
