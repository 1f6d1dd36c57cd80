// The mesh, the roofline, and the source with what its lines cost.

/** By mesh axis, where device `d` is on it; the last axis runs fastest. */
function coordinates(mesh, d) {
  const at = {};
  let rest = d;
  for (const a of [...mesh.axes].reverse()) { at[a.name] = rest % a.size; rest = Math.floor(rest / a.size); }
  return at;
}

/** The layers `[from, to)` of a list that ranks of the pipeline share, or of a part of it such as `blocks[0..8].up`; null of others. */
function layersOf(pipeline, tensor) {
  if (!pipeline || !tensor.name.startsWith(pipeline.list)) return null;
  const rest = tensor.name.slice(pipeline.list.length);
  if (rest.startsWith(".*")) return [0, tensor.shape[0]];
  const part = rest.match(/^\[(\d+)/);
  return part ? [Number(part[1]), Number(part[1]) + tensor.shape[0]] : null;
}

/** The runs of layers that a rank of the pipeline has of a list, numbered from the list's (or the part's) first layer. */
function runsOf(pipeline, [from, to], rank) {
  // A copy of layers is received in each step.
  const own = pipeline.stages.filter((s) => s.rank === rank);
  const runs = own.map((s) => [Math.max(s.first_layer, from) - from, Math.min(s.first_layer + s.layers, to) - from]);
  return runs.filter(([a, b]) => a < b).sort((x, y) => x[0] - y[0]);
}

/**
 * The block of each dim that a device has, its ranges `[from, to)`, and its bytes. Of a list that a pipeline splits the first dim
 * is told in runs of layers. `none` is set where the device's rank has nothing of the tensor.
 */
function shard(mesh, tensor, device, pipeline) {
  const one = block(mesh, tensor, device);
  const rank = pipeline ? coordinates(mesh, device)[pipeline.axis] : 0;
  const layers = layersOf(pipeline, tensor);
  if (layers) {
    const runs = runsOf(pipeline, layers, rank);
    const many = runs.reduce((n, [a, b]) => n + b - a, 0);
    const each = tensor.local_shape[0] ? tensor.bytes_per_device / tensor.local_shape[0] : 0;
    return { blocks: [runs.join(";"), ...one.blocks.slice(1)], ranges: [...runs, ...one.ranges.slice(1)], runs: runs.length, bytes: each * many, none: many === 0 };
  }
  const none = Boolean(pipeline && tensor.ranks && tensor.ranks.length && !tensor.ranks.includes(rank));
  return { ...one, bytes: none ? 0 : tensor.bytes_per_device, none, blocks: none ? ["none"] : one.blocks };
}

/** The block of each dim that a device has, and its range `[from, to)`. */
function block(mesh, tensor, device) {
  const at = coordinates(mesh, device);
  const sizes = Object.fromEntries(mesh.axes.map((a) => [a.name, a.size]));
  const blocks = tensor.layout.map((axes) => axes.reduce((i, a) => i * sizes[a] + at[a], 0));
  const ranges = blocks.map((b, d) => {
    const size = tensor.local_shape[d];
    return [Math.min(b * size, tensor.shape[d]), Math.min((b + 1) * size, tensor.shape[d])];
  });
  return { blocks, ranges };
}

/** `0:12, 0:64`; of a list in several stages of a rank `0:4 + 8:12, 0:64`. */
function told({ ranges, runs, none }) {
  if (none) return "nothing";
  if (!ranges.length) return "the scalar";
  const text = ranges.map(([a, b]) => `${a}:${b}`);
  return runs > 1 ? [text.slice(0, runs).join(" + "), ...text.slice(runs)].join(", ") : text.join(", ");
}

function meshPanel(entry, state) {
  const { plan } = entry;
  const { mesh, tensors, pipeline } = plan;
  const box = el("div");
  let tensor = tensors.find((t) => t.name === state.tensor) || [...tensors].sort((a, b) => b.bytes_per_device - a.bytes_per_device)[0];
  let device = state.device ?? null;
  function draw() {
    const select = el("select", { onchange: (e) => { tensor = tensors[e.target.value]; draw(); } },
      tensors.map((t, i) => el("option", { value: i, selected: t === tensor }, `${t.name}  ${t.dtype}[${t.shape.join(", ")}]  ${layout(t)}`)));
    const numbers = new Map();
    const of = Array.from({ length: mesh.devices }, (_, d) => {
      const s = tensor ? shard(mesh, tensor, d, pipeline) : { blocks: [], ranges: [] };
      const id = s.blocks.join(",");
      if (!numbers.has(id)) numbers.set(id, numbers.size);
      return { ...s, number: numbers.get(id) };
    });
    const columns = mesh.axes.length ? mesh.axes[mesh.axes.length - 1].size : 1;
    // A long last axis is broken, so that a thousand devices fit a screen.
    const wide = columns > 64 ? 64 : columns < 8 && mesh.devices > 64 ? columns * Math.max(1, Math.floor(64 / columns)) : columns;
    const grid = el("div", { class: "mesh", style: `grid-template-columns: repeat(${wide}, auto)`, role: "group", "aria-label": "devices" }, of.map((s, d) => {
      const hue = Math.round((s.number * 360) / Math.max(numbers.size, 1));
      const text = `device ${d} (${mesh.axes.map((a) => `${a.name} ${coordinates(mesh, d)[a.name]}`).join(", ")})\n${tensor ? `${tensor.name}: ${told(s)}` : ""}`;
      return el("button", { type: "button", "aria-pressed": d === device ? "true" : "false", style: `background:hsl(${hue} 55% 34%);min-width:${mesh.devices <= 64 ? 3.4 : 1.1}rem;height:${mesh.devices <= 64 ? 2.4 : 1.6}rem`, ...tells(text), onclick: () => { tipOff(); device = d; draw(); } }, mesh.devices <= 256 ? String(s.number) : "");
    }));
    const held = el("div");
    if (device !== null) {
      const rows = tensors.map((t) => ({ t, s: shard(mesh, t, device, pipeline) })).filter((r) => !r.s.none);
      held.append(el("h2", {}, `Device ${device} holds`), table([
        { name: "tensor", of: (r) => r.t.name, show: (r) => el("button", { class: "linkish code", type: "button", onclick: () => { tensor = r.t; draw(); } }, r.t.name) },
        { name: "role", of: (r) => r.t.role },
        { name: "part", of: (r) => told(r.s) },
        { name: "bytes", of: (r) => r.s.bytes, show: (r) => bytes(r.s.bytes), number: true },
      ], rows, { by: 3, label: "what the device holds" }));
    }
    box.replaceChildren(
      el("div", { class: "row" }, el("label", {}, "tensor ", select)),
      el("p", {}, tensor ? `${numbers.size} different part${numbers.size === 1 ? "" : "s"} of ${tensor.name}; devices of one number and colour hold the same part. ${mesh.axes.map((a) => `${a.name}=${a.size}`).join(" ")}, the last axis runs fastest. Choose a device to see what it holds.` : "There are no tensors."),
      el("div", { class: "wide" }, grid), held);
  }
  draw();
  return box;
}

function roofline(entry) {
  const ops = entry.ops.filter((o) => o.us > 0);
  if (ops.length === 0) return el("p", {}, "The times of single ops are not here.");
  const high = 360;
  const dots = ops.filter((o) => o.flops > 0 && o.bytes > 0).map((o) => ({ o, x: Math.log10(o.flops / o.bytes), y: Math.log10(o.flops / (o.us * 1e-6)) }));
  const ridge = Math.log10(entry.peak / entry.bandwidth);
  const xs = [...dots.map((d) => d.x), ridge];
  const ys = [...dots.map((d) => d.y), Math.log10(entry.peak)];
  const [x0, x1] = [Math.floor(Math.min(...xs)), Math.ceil(Math.max(...xs)) + 0.2];
  const [y0, y1] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys)) + 0.1];
  const x = (v) => LABELS + ((v - x0) / (x1 - x0)) * (WIDTH - LABELS - 20);
  const y = (v) => high - 26 - ((v - y0) / (y1 - y0)) * (high - 40);
  const svg = el("svg", { viewBox: `0 0 ${WIDTH} ${high}`, width: WIDTH, height: high, role: "group", "aria-label": "Ops by operations per byte and operations per second, under the roofline of the target" });
  for (let v = x0; v <= x1; v += 1) svg.append(el("line", { class: "axis", x1: x(v), x2: x(v), y1: 0, y2: high - 26 }), el("text", { x: x(v) + 3, y: high - 8 }, `${count(10 ** v)} FLOP/B`));
  for (let v = y0; v <= y1; v += 1) svg.append(el("line", { class: "axis", x1: LABELS, x2: WIDTH, y1: y(v), y2: y(v) }), el("text", { x: 6, y: y(v) + 4 }, `${count(10 ** v)}FLOP/s`));
  const roof = [[x0, x0 + Math.log10(entry.bandwidth)], [ridge, Math.log10(entry.peak)], [x1, Math.log10(entry.peak)]];
  svg.append(el("polyline", { points: roof.map(([a, b]) => `${x(a)},${y(Math.max(b, y0))}`).join(" "), fill: "none", stroke: "var(--text)", "stroke-width": 2 }));
  const longest = Math.max(...ops.map((o) => o.us), 1e-9);
  for (const d of [...dots].reverse()) {
    const color = COLORS[["arithmetic", "memory", "launch"].indexOf(d.o.bound)] || COLORS[5];
    svg.append(el("circle", {
      cx: x(d.x), cy: y(d.y), r: 4 + 14 * Math.sqrt(d.o.us / longest), fill: color, "fill-opacity": 0.75, tabindex: 0, role: "img",
      ...tells(`${d.o.text}\n${d.o.op}, ${d.o.phase}: ${micros(d.o.us)} in ${d.o.times} executions, bound by ${d.o.bound}`),
      onclick: () => { if (d.o.at) show("source", { file: d.o.at[0], line: d.o.at[1] }); },
    }));
  }
  const all = ops.reduce((s, o) => s + o.us, 0);
  const rows = table([
    { name: "op", of: (o) => o.text, show: (o) => el("code", {}, o.text) },
    { name: "kind", of: (o) => o.op },
    { name: "phase", of: (o) => o.phase },
    { name: "times", of: (o) => o.times, number: true },
    { name: "time", of: (o) => o.us, show: (o) => micros(o.us), number: true },
    { name: "share", of: (o) => o.us / all, show: (o) => percent(o.us / all), number: true },
    { name: "FLOPs", of: (o) => o.flops, show: (o) => count(o.flops), number: true },
    { name: "bytes", of: (o) => o.bytes, show: (o) => bytes(o.bytes), number: true },
    { name: "bound by", of: (o) => o.bound },
    { name: "source", of: (o) => (o.at ? `${o.at[0]}:${o.at[1]}` : ""), show: (o) => lineLink(o.at) },
  ], ops, { by: 4, label: "ops" });
  return [key(["bound by arithmetic", "by memory", "by the launch"], COLORS), el("div", { class: "wide" }, svg), rows];
}

/** By file and line, what a line costs. */
function costs(entry) {
  const at = new Map();
  const of = (file, line) => {
    const id = `${file}:${line}`;
    if (!at.has(id)) at.set(id, { us: 0, exposed: 0, wire: 0, collectives: [], tensors: [] });
    return at.get(id);
  };
  for (const o of entry.ops) if (o.at) of(...o.at).us += o.us;
  for (const c of entry.plan.collectives) {
    if (!c.source) continue;
    const l = of(c.source.file, c.source.line);
    l.exposed += c.exposed_us;
    l.wire += c.wire_bytes_per_device;
    l.collectives.push(c);
  }
  for (const t of entry.plan.tensors) if (t.source) of(t.source.file, t.source.line).tensors.push(t);
  return at;
}

function sourcePanel(entry, state) {
  const { sources } = sideOf(entry);
  if (sources.length === 0) return el("p", {}, "The page has no source.");
  const at = costs(entry);
  const box = el("div");
  let file = sources.find((s) => s.name === state.file) || sources[0];
  function draw(line) {
    const select = el("select", { onchange: (e) => { file = sources[e.target.value]; draw(null); } }, sources.map((s, i) => el("option", { value: i, selected: s === file }, s.name)));
    const most = Math.max(...[...at.values()].map((l) => l.us + l.exposed), 1e-9);
    const detail = el("div");
    const rows = [];
    let before = 0;
    for (const [n, text] of Object.entries(file.lines)) {
      const number = Number(n);
      if (number > before + 1) rows.push(el("tr", {}, el("td", { class: "n soft" }, ".."), el("td"), el("td"), el("td"), el("td", { class: "soft" }, `${number - before - 1} lines`)));
      before = number;
      const cost = at.get(`${file.name}:${n}`);
      const say = cost && [
        ...cost.tensors.map((t) => `${t.name}: ${t.dtype}[${t.shape.join(", ")}] @ ${layout(t)}, by ${t.decided_by}`),
        ...cost.collectives.map((c) => `${c.op} over ${c.axes.join(", ")}: ${bytes(c.wire_bytes_per_device)}; ${c.why}`),
      ].join("\n");
      rows.push(el("tr", { "data-line": n, class: number === line ? "on" : "", ...(say ? { tabindex: 0, ...tells(say) } : {}) },
        el("td", { class: "n soft" }, n),
        el("td", { class: "n" }, cost && cost.us > 0 ? micros(cost.us) : ""),
        el("td", {}, cost && cost.us + cost.exposed > 0 ? el("span", { class: "bar", style: `width:${Math.max(1, (90 * (cost.us + cost.exposed)) / most)}px` }) : ""),
        el("td", { class: "n" }, cost && cost.wire > 0 ? bytes(cost.wire) : ""),
        el("td", { class: "code" }, text)));
    }
    const head = ["line", "computes", "", "on the wire", ""].map((h) => el("th", { scope: "col" }, h));
    box.replaceChildren(el("div", { class: "row" }, el("label", {}, "file ", select), el("span", { class: "soft" }, `${entry.plan.pipeline ? "time is computation of one step, of all stages on the devices of one rank; bytes are of the rank that sends most" : "time is computation of one step on one device"}; a line with layouts or collectives says them when the pointer or the keyboard is on it`)),
      detail, el("div", { class: "wide" }, el("table", { class: "src" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))));
    if (line) {
      const cost = at.get(`${file.name}:${line}`);
      if (cost && cost.collectives.length) detail.append(el("h2", {}, `Collectives of line ${line}`), table(collectiveColumns.filter((c) => c.name !== "source"), cost.collectives, { by: 6 }));
      setTimeout(() => { const e = box.querySelector(`[data-line="${line}"]`); if (e) e.scrollIntoView({ block: "center" }); }, 0);
    }
  }
  draw(state.line ?? null);
  return box;
}
