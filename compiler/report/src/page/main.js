// The panels and the way between them.

let entry = DATA.entries[0];
/** Which sides of two plans are shown: `first`, `second` or `both`. */
let side = COMPARED ? "both" : "";
const KINDS = ["parameter", "state", "data", "forward", "backward", "update", "scratch"];

function tile(name, value, more) {
  return el("div", { class: "tile" }, el("span", { class: "soft" }, name), el("b", {}, value), more ? el("span", { class: "soft" }, more) : null);
}

/** Of a pipeline, the rank that has most of something. */
function most(plan, what) {
  if (!plan.pipeline) return "";
  const ranks = plan.pipeline.ranks;
  return ` of rank ${ranks.reduce((a, b) => (b[what] > a[what] ? b : a)).rank}, which has most`;
}

function overview() {
  const { plan, memory, room } = entry;
  const t = plan.totals;
  const peak = t.peak_bytes_per_device;
  const over = peak !== null && room !== null && peak > room;
  const tiles = [
    tile("entry", plan.entry, `${entry.kind}${entry.layout ? `, layout ${entry.layout}` : ""}`),
    tile("mesh", plan.mesh.axes.map((a) => `${a.name}=${a.size}`).join(" ") || "one device", `${plan.mesh.devices} devices, target ${plan.target}`),
    tile("predicted step", micros(t.predicted_step_us), t.lower_bound_us === null ? null : `at least ${micros(t.lower_bound_us)} for every plan that the search knows`),
    tile("peak memory of a device", bytes(peak), room === null ? null : `${over ? "does not fit: " : ""}of ${bytes(room)}`),
    tile("on the wire", bytes(t.wire_bytes_per_device), `sent in a step by a device${most(plan, "wire_bytes_per_device")}`),
    tile("arithmetic", `${count(t.flops_per_device)}FLOP`, `in a step of a device${most(plan, "flops_per_device")}`),
  ];
  if (t.tokens_per_second !== null) tiles.push(tile("tokens per second", count(t.tokens_per_second), `MFU ${percent(t.mfu)}`));
  if (t.usd_per_million_tokens !== null) tiles.push(tile("cost", `$${t.usd_per_million_tokens.toFixed(4)}`, "per million tokens"));
  if (plan.pipeline) tiles.push(tile("pipeline", plan.pipeline.schedule, `${plan.pipeline.stages.length} stages, ${plan.pipeline.microbatches} microbatches, bubble ${percent(plan.pipeline.predicted_bubble ?? plan.pipeline.bubble)}`));
  tiles.push(tile("certificate", plan.certificate.status, `${plan.certificate.steps} steps checked`));
  const out = [el("h2", {}, "One step"), el("div", { class: "tiles" }, tiles)];
  const said = [...plan.limits.map((l) => `a limit of the planner: ${l}`), ...plan.expanded.map((e) => `${e.name} runs as the ops of its body: ${e.why}`)];
  if (said.length) out.push(el("ul", { class: "soft" }, said.map((s) => el("li", {}, s))));
  if (memory) {
    const parts = ["parameters", "state", "data", "activations", "gradients", "scratch"];
    out.push(el("h2", {}, `Peak memory${memory.at ? `, at ${memory.at}` : ""}`), table([
      { name: "what", of: (p) => p },
      { name: "bytes", of: (p) => memory[p], show: (p) => bytes(memory[p]), number: true },
      { name: "share", of: (p) => memory[p], show: (p) => el("span", { class: "bar", style: `width:${(200 * memory[p]) / Math.max(peak || 1, 1)}px` }) },
    ], parts, { label: "memory" }));
    if (memory.host) out.push(el("p", {}, `Another ${bytes(memory.host)} lie in the host's memory, and are on the device while they are read and written.`));
  }
  if (plan.levels.length) {
    out.push(el("h2", {}, "Levels of the network"), table([
      { name: "level", of: (l) => l.level },
      { name: "bytes", of: (l) => l.wire_bytes_per_device, show: (l) => bytes(l.wire_bytes_per_device), number: true },
      { name: "time", of: (l) => l.predicted_us, show: (l) => micros(l.predicted_us), number: true },
      { name: "exposed", of: (l) => l.exposed_us, show: (l) => micros(l.exposed_us), number: true },
    ], plan.levels, { label: "levels" }));
  }
  if (plan.collectives.length) {
    const dearest = [...plan.collectives].sort((a, b) => b.predicted_us - a.predicted_us || b.wire_bytes_per_device - a.wire_bytes_per_device).slice(0, 5);
    out.push(el("h2", {}, "The dearest collectives"), table(collectiveColumns, dearest, { label: "collectives" }));
  }
  return out;
}

function tensors() {
  const { tensors: all } = entry.plan;
  const parameters = all.filter((t) => t.role === "parameter");
  return [el("h2", {}, "The model"), parameters.length ? tensorTree(parameters) : el("p", {}, "It has no parameters."), el("h2", {}, "All tensors"), table(tensorColumns(entry), all, { by: 5, label: "tensors" })];
}

function timeline() {
  const { timeline: t, ranks } = entry;
  const out = [];
  if (ranks.length) {
    const kinds = ["F", "I", "W", "B", "F+B"];
    const spans = ranks.flatMap((row, r) => row.map((a) => ({
      lane: r, start: a.start, us: a.us, name: a.name, color: COLORS[Math.max(0, kinds.indexOf(a.kind))],
      told: `rank ${r}, ${a.name}: ${micros(a.us)} from ${micros(a.start)}`,
    })));
    out.push(el("h2", {}, "Ranks of the pipeline"), key(["F forward", "I gradient by the input", "W gradient by the weights", "B = I + W"], COLORS), laneChart(ranks.map((_, r) => `rank ${r}`), spans, "Actions of each rank of the pipeline over time"));
  }
  const phases = ["forward", "backward", "update"];
  const hosts = t.lanes.findIndex((n) => n === "from the host");
  const copies = (s) => hosts >= 0 && s.lane >= hosts;
  const spans = t.spans.map((s) => ({
    lane: s.lane, start: s.start, us: s.us, name: s.lane === null ? `${s.times} iterations` : s.name,
    color: s.lane === null ? "var(--c5)" : copies(s) ? COLORS[6] : s.lane > 0 ? COLORS[3 + ((s.lane - 1) % 2)] : COLORS[Math.max(0, phases.indexOf(s.phase))],
    told: s.lane === null
      ? `loop of ${s.times} iterations: ${micros(s.us)}; its first iteration is drawn`
      : `${s.name}, ${s.phase}: ${micros(s.us)} from ${micros(s.start)}${s.times > 1 ? `, ${s.times} times in a step` : ""}${s.at ? `\n${s.at[0]}:${s.at[1]}` : ""}`,
    click: () => { if (s.at) show("source", { file: s.at[0], line: s.at[1] }); },
  }));
  const used = t.lanes.filter((_, i) => i === 0 || t.spans.some((s) => s.lane === i));
  const lane = new Map(t.lanes.map((n, i) => [i, used.indexOf(n)]));
  for (const s of spans) if (s.lane !== null) s.lane = lane.get(s.lane);
  out.push(el("h2", {}, ranks.length ? "The whole step on the devices of one rank, before it is cut into stages" : "One step of a device, as predicted"),
    key(["forward", "backward", "update", "collectives", "copies", "loops, of which one iteration is drawn"].filter((k) => k !== "copies" || t.spans.some(copies)),
      [COLORS[0], COLORS[1], COLORS[2], COLORS[3], ...(t.spans.some(copies) ? [COLORS[6]] : []), "var(--c5)"]),
    laneChart(used, spans, "Computation, collectives and copies of a device over time"));
  return out;
}

function memoryPanel() {
  const { buffers } = entry;
  if (buffers.steps.length === 0) return el("p", {}, entry.kind === "plan" ? "Only the report of this plan is here." : "The target cannot run this program, so its memory is unknown.");
  const list = el("div");
  const kinds = KINDS.filter((k) => buffers.all.some((b) => b.kind === k));
  const chart = memoryChart(buffers, kinds, (step, total, peak) => {
    const [op, place] = buffers.steps[step];
    const live = buffers.all.filter((b) => b.first <= step && step <= b.last);
    list.replaceChildren(el("h2", {}, `Step ${step}, ${op}: ${bytes(total)} in use${peak ? ", the most" : ""} `, lineLink(place)), table([
      { name: "buffer", of: (b) => b.what, show: (b) => el("code", {}, b.what) },
      { name: "for", of: (b) => b.kind },
      { name: "bytes", of: (b) => b.bytes, show: (b) => bytes(b.bytes), number: true },
      { name: "steps", of: (b) => b.first, show: (b) => `${b.first} to ${b.last}`, number: true },
    ], live, { by: 2, most: 40, label: "buffers" }));
  });
  return [key(kinds, COLORS), el("p", { class: "soft" }, `${entry.plan.pipeline ? "The rank of the pipeline that needs most. " : ""}The arena with gaps and scratch memory has ${bytes(buffers.total)}. Choose a step to see what is in memory then.`), chart, list];
}

function collectives() {
  const { collectives: all, pipeline: staged } = entry.plan;
  const sums = new Map();
  for (const c of all) {
    const id = c.axes.join(", ");
    const s = sums.get(id) || { axes: id, calls: 0, wire: 0, us: 0, exposed: 0 };
    s.calls += c.times_per_step;
    s.wire += c.wire_bytes_per_device;
    s.us += c.predicted_us;
    s.exposed += c.exposed_us;
    sums.set(id, s);
  }
  if (staged) {
    // Rows are of several ranks, and no device has their sum.
    return [el("h2", {}, "What a device of each rank sends in a step"), table([
      { name: "rank", of: (r) => r.rank, number: true },
      { name: "on the wire", of: (r) => r.wire_bytes_per_device, show: (r) => bytes(r.wire_bytes_per_device), number: true },
      { name: "to other ranks", of: (r) => r.message_bytes_per_device, show: (r) => bytes(r.message_bytes_per_device), number: true },
    ], staged.ranks, { by: 1, label: "ranks" }), el("h2", {}, "All collectives, each on the rank that sends most of it"), table(collectiveColumns, all, { by: 7, label: "collectives" })];
  }
  return [el("h2", {}, "By mesh axis"), table([
    { name: "axes", of: (s) => s.axes },
    { name: "executions", of: (s) => s.calls, number: true },
    { name: "on the wire", of: (s) => s.wire, show: (s) => bytes(s.wire), number: true },
    { name: "time", of: (s) => s.us, show: (s) => micros(s.us), number: true },
    { name: "exposed", of: (s) => s.exposed, show: (s) => micros(s.exposed), number: true },
  ], [...sums.values()], { by: 2, label: "axes" }), el("h2", {}, "All collectives"), table(collectiveColumns, all, { by: 6, label: "collectives" })];
}

function pipeline() {
  const p = entry.plan.pipeline;
  return [el("h2", {}, `${p.list} over ${p.axis}, schedule ${p.schedule}, ${p.microbatches} microbatches`), table([
    { name: "rank", of: (r) => r.rank, number: true },
    { name: "stages", of: (r) => r.stages.join(", ") },
    { name: "layers", of: (r) => r.stages.map((s) => p.stages.find((x) => x.stage === s)).map((s) => (s.layers ? `${s.first_layer}..${s.first_layer + s.layers}` : "none")).join(", ") },
    { name: "parameters", of: (r) => r.parameters, show: (r) => count(r.parameters), number: true },
    { name: "peak of a device", of: (r) => r.bytes_per_device, show: (r) => bytes(r.bytes_per_device), number: true },
    { name: "sent by a device", of: (r) => r.wire_bytes_per_device, show: (r) => bytes(r.wire_bytes_per_device), number: true },
    { name: "FLOPs of a device", of: (r) => r.flops_per_device, show: (r) => count(r.flops_per_device), number: true },
    { name: "activations in flight", of: (r) => r.activations_in_flight, number: true },
  ], p.ranks, { label: "ranks" })];
}

function certificate() {
  const c = entry.plan.certificate;
  const text = entry.certificate;
  return [el("p", {}, `${c.status}: ${c.steps} steps, each checked by its law alone, by a checker that shares no code with the planner.`),
    text ? el("details", {}, el("summary", {}, "the steps"), el("pre", {}, text)) : el("p", {}, "The steps are too long for a page; `meshloom plan FILE --emit certify` prints them.")];
}

const PANELS = [
  ["differences", "Differences", differences],
  ["answer", "Answer", answer],
  ["measured", "Measured", measured],
  ["overview", "Overview", overview],
  ["tensors", "Tensors", tensors],
  ["mesh", "Mesh", (state) => meshPanel(entry, state)],
  ["timeline", "Timeline", timeline],
  ["memory", "Memory", memoryPanel],
  ["collectives", "Collectives", collectives],
  ["roofline", "Roofline", () => roofline(entry)],
  ["pipeline", "Pipeline", pipeline],
  ["source", "Source", (state) => sourcePanel(entry, state)],
  ["certificate", "Certificate", certificate],
];
/** Panels that not all pages have. */
const SOME = {
  differences: () => COMPARED, answer: () => DATA.answer, measured: () => DATA.measured && DATA.measured.entry === entry.plan.entry,
  pipeline: () => entries().some((e) => e.plan.pipeline), timeline: () => entries().some((e) => e.timeline.spans.length),
  memory: () => entries().some((e) => e.kind !== "plan"), roofline: () => entries().some((e) => e.ops.length),
  source: () => entries().some((e) => sideOf(e).sources.length),
};
const there = () => PANELS.filter(([id]) => !SOME[id] || SOME[id]());

/** The entry that is chosen, on each side that is shown. */
function entries() {
  if (!COMPARED) return [entry];
  const at = SIDES[1].entries.indexOf(entry);
  const of = (s) => s.entries.find((e) => e.plan.entry === entry.plan.entry) || s.entries[at];
  return SIDES.filter((s) => side === "both" || s.name === side).map(of).filter(Boolean);
}

/** A panel of the chosen entry, or those of two sides beside each other. */
function drawn([id, , draw], state) {
  const chosen = entry;
  const one = (e) => {
    entry = e;
    const found = SOME[id] && id === "pipeline" && !e.plan.pipeline ? el("p", {}, "This plan has no stages.") : draw(state);
    entry = chosen;
    return [found].flat();
  };
  const all = id === "differences" || id === "answer" ? [entry] : entries();
  if (all.length < 2) return one(all[0] || entry);
  return [el("div", { class: "sides" }, all.map((e) => el("section", { "aria-label": `${sideOf(e).name} plan` }, el("p", { class: "soft" }, `${sideOf(e).name}: ${sideOf(e).title}`), one(e))))];
}

const panel = document.getElementById("panel");
const tabs = document.getElementById("tabs");

/** The panels that the entry has. */
function listPanels() {
  tabs.replaceChildren(...there().map(([name, title], i, all) => el("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel",
    onclick: () => show(name),
    onkeydown: (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!by) return;
      const next = all[(i + by + all.length) % all.length][0];
      show(next);
      document.getElementById(`tab-${next}`).focus();
    },
  }, title)));
}

/** Shows a panel; `state` says what of it. */
function show(id, state = {}) {
  tipOff();
  const found = there().find((p) => p[0] === id) || there()[0];
  for (const tab of tabs.children) {
    const on = tab.id === `tab-${found[0]}`;
    tab.setAttribute("aria-selected", on ? "true" : "false");
    tab.setAttribute("tabindex", on ? 0 : -1);
  }
  panel.setAttribute("aria-labelledby", `tab-${found[0]}`);
  panel.replaceChildren(...drawn(found, state));
  history.replaceState(null, "", `#${found[0]}`);
}

document.getElementById("file").textContent = DATA.title;
document.getElementById("version").textContent = `Meshloom ${DATA.version}`;
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
const select = document.getElementById("entry");
select.append(...DATA.entries.map((e, i) => el("option", { value: i }, e.plan.entry)));
select.addEventListener("change", () => { entry = DATA.entries[select.value]; listPanels(); show(location.hash.slice(1)); });
document.getElementById("entry-label").hidden = DATA.entries.length < 2;
const sides = document.getElementById("side");
sides.append(...[["both", "side by side"], ["first", "first"], ["second", "second"]].map(([value, text]) => el("option", { value }, text)));
sides.addEventListener("change", () => { side = sides.value; listPanels(); show(location.hash.slice(1)); });
document.getElementById("side-label").hidden = !COMPARED;
if (entry) {
  listPanels();
  show(location.hash.slice(1));
} else {
  panel.append("The file has no entry to plan.");
}
