// What a page of `diff` or `explain` has beside plans: what changed, and the answer to a question.

const COMPARED = DATA.compared || null;
/** The sides of the page: one plan, or two. */
const SIDES = COMPARED
  ? [{ name: "first", ...COMPARED.before }, { name: "second", title: DATA.title, entries: DATA.entries, sources: DATA.sources }]
  : [{ name: "", title: DATA.title, entries: DATA.entries, sources: DATA.sources }];
const sideOf = (entry) => SIDES.find((s) => s.entries.includes(entry)) || SIDES[0];

const TOTALS = {
  flops_per_device: ["arithmetic of a device", (x) => `${count(x)}FLOP`], wire_bytes_per_device: ["on the wire", bytes],
  peak_bytes_per_device: ["peak memory of a device", bytes], host_bytes_per_device: ["in the host's memory", bytes],
  predicted_step_us: ["predicted step", micros], lower_bound_us: ["lower bound", micros], tokens_per_second: ["tokens per second", count],
  mfu: ["MFU", percent], usd_per_million_tokens: ["dollars per million tokens", (x) => (x === null ? "unknown" : x.toFixed(4))],
};

function differences() {
  const out = [];
  for (const d of COMPARED.differences) {
    const heads = [d.mesh && `mesh ${d.mesh.before} -> ${d.mesh.after}`, d.target && `target ${d.target.before} -> ${d.target.after}`].filter(Boolean);
    out.push(el("h2", {}, `${d.entry}${heads.length ? `: ${heads.join(", ")}` : ""}`));
    if (d.totals.length === 0 && d.tensors.length === 0 && d.collectives.length === 0) out.push(el("p", {}, "The two plans do the same."));
    const shown = (t, x) => (TOTALS[t.name] ? TOTALS[t.name][1](x) : String(x ?? "unknown"));
    if (d.totals.length) out.push(table([
      { name: "figure", of: (t) => (TOTALS[t.name] ? TOTALS[t.name][0] : t.name) },
      { name: "first", of: (t) => t.before, show: (t) => shown(t, t.before), number: true },
      { name: "second", of: (t) => t.after, show: (t) => shown(t, t.after), number: true },
      { name: "second over first", of: (t) => t.ratio, show: (t) => (t.ratio === null ? "" : t.ratio.toFixed(3)), number: true },
    ], d.totals, { label: "figures" }));
    const layouts = (c, side) => (c.layout[side] === null ? "not there" : c.layout[side]);
    if (d.tensors.length) out.push(el("h2", {}, "Tensors that lie otherwise"), table([
      { name: "tensor", of: (c) => c.name, show: (c) => el("button", { class: "linkish code", type: "button", onclick: () => show("mesh", { tensor: c.name }) }, c.name) },
      { name: "role", of: (c) => c.role },
      { name: "first", of: (c) => layouts(c, "before"), show: (c) => el("code", {}, layouts(c, "before")) },
      { name: "second", of: (c) => layouts(c, "after"), show: (c) => el("code", {}, layouts(c, "after")) },
      { name: "bytes in the first", of: (c) => c.bytes_per_device.before, show: (c) => bytes(c.bytes_per_device.before), number: true },
      { name: "in the second", of: (c) => c.bytes_per_device.after, show: (c) => bytes(c.bytes_per_device.after), number: true },
    ], d.tensors, { label: "tensors" }));
    const of = (c) => c.after || c.before;
    const wire = (c, side) => (c[side] ? c[side].wire_bytes_per_device : 0);
    if (d.collectives.length) out.push(el("h2", {}, "Collectives that were added, removed or changed"), table([
      { name: "what", of: (c) => c.what },
      { name: "collective", of: (c) => of(c).op },
      { name: "axes", of: (c) => of(c).axes.join(", ") },
      { name: "wire in the first", of: (c) => wire(c, "before"), show: (c) => bytes(wire(c, "before")), number: true },
      { name: "in the second", of: (c) => wire(c, "after"), show: (c) => bytes(wire(c, "after")), number: true },
      { name: "phase", of: (c) => of(c).phase },
      { name: "why", of: (c) => of(c).why },
      { name: "source", of: (c) => (of(c).source ? `${of(c).source.file}:${of(c).source.line}` : ""), show: (c) => lineLink(placed(of(c).source)) },
    ], d.collectives, { by: 4, label: "collectives" }));
  }
  if (COMPARED.missing.length) out.push(el("h2", {}, "Entries of one side"), el("ul", {}, COMPARED.missing.map((m) => el("li", {}, m))));
  return out;
}

const signed = (x, shown) => (x === null || x === undefined ? "unknown" : x === 0 ? "=" : `${x > 0 ? "+" : "-"}${shown(Math.abs(x))}`);

function layerAnswer(a) {
  const range = a.layers === 1 ? `layer ${a.first_layer}` : `layers ${a.first_layer} to ${a.first_layer + a.layers - 1}`;
  return [el("h2", {}, `${a.list}[${a.layer}]: stage ${a.stage}, ${range}, on rank ${a.rank}`),
    el("p", {}, a.decided_by === "source" ? "The source says how many layers each stage has." : "Of the cuts with room on each rank it has the shortest predicted step."),
    el("p", {}, `The stage takes ${micros(a.microbatch_us)} for a microbatch; the slowest, ${a.slowest_stage}, takes ${micros(a.slowest_microbatch_us)}. A step takes ${micros(a.predicted_step_us)}.`),
    table([
      { name: "other boundary", of: (m) => `stage ${m.stage} one layer ${m.begins}` },
      { name: "step", of: (m) => m.predicted_step_us, show: (m) => signed(m.predicted_step_us - a.predicted_step_us, micros), number: true },
      { name: "peak", of: (m) => m.peak_bytes_per_device, show: (m) => bytes(m.peak_bytes_per_device), number: true },
      { name: "fits", of: (m) => (m.fits ? "yes" : "no") },
      { name: "to get it", of: (m) => `@ ${a.axis}(${m.sizes.join(", ")})` },
    ], a.moves, { label: "boundaries" })];
}

function answer() {
  if (DATA.answer.layer) return layerAnswer(DATA.answer.layer);
  const a = DATA.answer.tensor;
  const t = a.tensor;
  const out = [el("h2", {}, `${t.name}: ${t.role}, ${t.dtype}[${t.shape.join(", ")}] laid out ${layout(t)}, ${bytes(t.bytes_per_device)} per device${t.in_host ? ", in the host's memory" : ""} `, lineLink(placed(t.source)))];
  if (a.part) out.push(el("p", {}, `The search planned layers ${a.part.first_layer} to ${a.part.first_layer + a.part.layers - 1} of ${a.part.list} apart, for the sake of ${a.part.decided_by}.`), el("ul", {}, a.part.others.map((o) => el("li", {}, el("code", {}, `${o.name} ${o.layout}`)))));
  if (a.reasons.length === 0) out.push(el("p", {}, "It is on every device as a whole: no annotation leads here, or splitting it costs more."));
  for (const r of a.reasons) {
    out.push(el("h2", {}, `${r.place} over ${r.axis}: ${r.annotation ? r.annotation.text : "no annotation leads here; it costs least"} `, r.annotation ? lineLink(placed(r.annotation.source)) : ""));
    if (r.chain.length) out.push(el("ol", {}, r.chain.map((h) => el("li", {}, el("code", {}, h.op), h.phase === "forward" ? " " : ` of ${h.phase} `, lineLink(placed(h.source)), " ", el("code", {}, h.text)))));
  }
  if (a.collectives.length) out.push(el("h2", {}, "Collectives on it"), table(collectiveColumns, a.collectives, { by: 6, label: "collectives" }));
  if (a.alternatives.length) out.push(el("h2", {}, `Other layouts${a.instead ? `, on ${a.instead}` : ""}`), table([
    { name: "layout", of: (x) => x.layout, show: (x) => el("code", {}, x.layout) },
    { name: "step", of: (x) => x.change.predicted_step_us, show: (x) => signed(x.change.predicted_step_us, micros), number: true },
    { name: "on the wire", of: (x) => x.change.wire_bytes_per_device, show: (x) => signed(x.change.wire_bytes_per_device, bytes), number: true },
    { name: "peak", of: (x) => x.change.peak_bytes_per_device, show: (x) => signed(x.change.peak_bytes_per_device, bytes), number: true },
    { name: "to get it", of: (x) => x.suggestion.text, show: (x) => [el("code", {}, x.suggestion.text), " ", lineLink(placed(x.suggestion.source))] },
  ], a.alternatives, { label: "layouts" }));
  if (a.refused.length) out.push(el("h2", {}, "Layouts that cannot be"), el("ul", {}, a.refused.map((r) => el("li", {}, el("code", {}, r.layout), `: ${r.reason}`))));
  return out;
}
