// Lanes of stretches over time, which zoom; and steps of memory.

const WIDTH = 1200;
const LABELS = 150;

/** Ticks at round numbers. */
function ticks(from, to, most) {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) || rough || 1;
  const out = [];
  for (let t = Math.ceil(from / step) * step; t <= to && out.length < 50; t += step) out.push(t);
  return out;
}

/**
 * A chart of `spans` ({lane, start, us, name, color, told, click}) on `lanes`. A span without a lane lies behind all lanes.
 * The wheel, the buttons, and the keys + - and arrows zoom and move.
 */
function laneChart(lanes, spans, label) {
  const end = spans.reduce((m, s) => Math.max(m, s.start + s.us), 0) || 1;
  const high = 26;
  const height = lanes.length * (high + 4) + 34;
  let from = 0;
  let to = end;
  const svg = el("svg", { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, role: "group", "aria-label": label, tabindex: 0 });
  const x = (t) => LABELS + ((t - from) / (to - from)) * (WIDTH - LABELS - 10);
  function draw() {
    svg.replaceChildren();
    for (const t of ticks(from, to, 10)) {
      svg.append(el("line", { class: "axis", x1: x(t), x2: x(t), y1: 0, y2: height - 18 }), el("text", { x: x(t) + 3, y: height - 5 }, micros(t)));
    }
    const shown = spans.filter((s) => s.start < to && s.start + s.us > from);
    // What is too narrow to be seen is joined, so that a thousand ops are drawn as fast as ten.
    const last = new Map();
    for (const s of shown) {
      const left = Math.max(x(s.start), LABELS);
      const right = Math.min(x(s.start + s.us), WIDTH - 10);
      const width = Math.max(right - left, 0.5);
      const behind = s.lane === null || s.lane === undefined;
      if (!behind && width < 1) {
        const before = last.get(s.lane);
        if (before !== undefined && left < before + 0.7) continue;
        last.set(s.lane, left);
      }
      const y = behind ? 2 : s.lane * (high + 4) + 6;
      const rect = el("rect", {
        x: left, y, width, height: behind ? height - 24 : high - 4, fill: s.color, "fill-opacity": behind ? 0.14 : 1, rx: 2,
        tabindex: !behind && width > 24 ? 0 : undefined, role: "img", ...tells(s.told),
        onclick: s.click, onkeydown: (e) => { if (e.key === "Enter" && s.click) s.click(); },
      });
      svg.append(rect);
      if (width > 46) {
        const text = s.name.length * 6.6 > width - 8 ? `${s.name.slice(0, Math.max(1, Math.floor((width - 14) / 6.6)))}..` : s.name;
        svg.append(el("text", { x: left + 4, y: behind ? height - 24 : y + 15, class: behind ? "" : "inside" }, text));
      }
    }
    svg.append(el("rect", { x: 0, y: 0, width: LABELS - 2, height: height - 20, fill: "var(--raised)" }));
    lanes.forEach((name, i) => svg.append(el("text", { x: 6, y: i * (high + 4) + 22 }, name)));
  }
  function zoom(by, around) {
    const width = Math.min(end, Math.max((to - from) * by, end / 1e5));
    const share = (around - from) / (to - from);
    from = Math.max(0, Math.min(around - share * width, end - width));
    to = from + width;
    draw();
  }
  const move = (by) => { const d = Math.max(-from, Math.min((to - from) * by, end - to)); from += d; to += d; draw(); };
  const middle = () => (from + to) / 2;
  svg.addEventListener("wheel", (e) => {
    e.preventDefault();
    const box = svg.getBoundingClientRect();
    const at = ((e.clientX - box.left) / box.width) * WIDTH;
    zoom(e.deltaY > 0 ? 1.25 : 0.8, from + (Math.max(0, at - LABELS) / (WIDTH - LABELS - 10)) * (to - from));
  }, { passive: false });
  svg.addEventListener("keydown", (e) => {
    const does = { "+": () => zoom(0.5, middle()), "-": () => zoom(2, middle()), ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2) }[e.key];
    if (does) { e.preventDefault(); does(); }
  });
  draw();
  const button = (text, does) => el("button", { type: "button", onclick: does }, text);
  const buttons = el("div", { class: "row" },
    button("zoom in", () => zoom(0.5, middle())), button("zoom out", () => zoom(2, middle())),
    button("earlier", () => move(-0.4)), button("later", () => move(0.4)), button("all", () => { from = 0; to = end; draw(); }));
  return el("div", {}, buttons, el("div", { class: "wide" }, svg));
}

/** Bytes by kind over steps, stacked; `pick` is told the step that was chosen. */
function memoryChart(buffers, kinds, pick) {
  const n = buffers.steps.length;
  const changes = kinds.map(() => new Float64Array(n + 1));
  for (const b of buffers.all) {
    const k = kinds.indexOf(b.kind);
    changes[k][b.first] += b.bytes;
    changes[k][b.last + 1] -= b.bytes;
  }
  const live = changes.map((c) => { let sum = 0; return c.slice(0, n).map((d) => (sum += d)); });
  const total = Array.from({ length: n }, (_, i) => live.reduce((s, l) => s + l[i], 0));
  const peak = total.indexOf(Math.max(...total));
  const high = 260;
  const most = Math.max(...total, 1) * 1.06;
  const svg = el("svg", { viewBox: `0 0 ${WIDTH} ${high + 24}`, width: WIDTH, height: high + 24, role: "group", tabindex: 0, "aria-label": "Bytes in use over the steps of the program; arrows move through the steps" });
  const x = (i) => LABELS + (i / Math.max(n, 1)) * (WIDTH - LABELS - 10);
  const y = (b) => high - (b / most) * (high - 8);
  for (const t of ticks(0, most, 5)) {
    svg.append(el("line", { class: "axis", x1: LABELS, x2: WIDTH, y1: y(t), y2: y(t) }), el("text", { x: 6, y: y(t) + 4 }, bytes(t)));
  }
  const base = new Float64Array(n);
  live.forEach((l, k) => {
    let up = "";
    let down = "";
    for (let i = 0; i < n; i += 1) {
      const top = base[i] + l[i];
      up += `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(top).toFixed(1)}L${x(i + 1).toFixed(1)} ${y(top).toFixed(1)}`;
      down = `L${x(i + 1).toFixed(1)} ${y(base[i]).toFixed(1)}L${x(i).toFixed(1)} ${y(base[i]).toFixed(1)}${down}`;
      base[i] = top;
    }
    if (n) svg.append(el("path", { d: `${up}${down}Z`, fill: COLORS[k % COLORS.length] }));
  });
  svg.append(el("text", { x: LABELS, y: high + 18 }, "steps of the program, one iteration of each loop"));
  const mark = el("line", { y1: 0, y2: high, stroke: "var(--text)", "stroke-width": 1.5 });
  svg.append(mark);
  let at = peak;
  function choose(i) {
    at = Math.max(0, Math.min(n - 1, i));
    mark.setAttribute("x1", x(at + 0.5));
    mark.setAttribute("x2", x(at + 0.5));
    pick(at, total[at] || 0, at === peak);
  }
  svg.addEventListener("click", (e) => {
    const box = svg.getBoundingClientRect();
    choose(Math.floor((((e.clientX - box.left) / box.width) * WIDTH - LABELS) / (WIDTH - LABELS - 10) * n));
  });
  svg.addEventListener("keydown", (e) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[e.key];
    if (by) { e.preventDefault(); choose(at + by); }
  });
  if (n) choose(peak);
  return el("div", { class: "wide" }, svg);
}
