// What a run measured, beside what the plan predicts.

/** The loss over the steps; on held-out data as points. */
function lossChart(steps) {
  const known = steps.filter((s) => s.loss !== null);
  const all = [...known.map((s) => s.loss), ...steps.filter((s) => s.eval_loss !== null).map((s) => s.eval_loss)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = (most - least) * 0.06 || Math.abs(most) * 0.06 || 1;
  const [low, top] = [least - room, most + room];
  const high = 240;
  const [first, last] = [steps[0].step, steps[steps.length - 1].step];
  const svg = el("svg", { viewBox: `0 0 ${WIDTH} ${high + 24}`, width: WIDTH, height: high + 24, role: "img", "aria-label": `Loss over steps ${first} to ${last}: ${known[0].loss.toFixed(4)} at first, ${known[known.length - 1].loss.toFixed(4)} at last` });
  const x = (n) => LABELS + ((n - first) / Math.max(last - first, 1)) * (WIDTH - LABELS - 20);
  const y = (v) => high - ((v - low) / (top - low)) * (high - 8);
  for (const t of ticks(low, top, 5)) svg.append(el("line", { class: "axis", x1: LABELS, x2: WIDTH, y1: y(t), y2: y(t) }), el("text", { x: 6, y: y(t) + 4 }, t.toPrecision(4)));
  for (const t of ticks(first, last, 10).filter(Number.isInteger)) svg.append(el("text", { x: x(t), y: high + 18 }, `${t}`));
  svg.append(el("polyline", { points: known.map((s) => `${x(s.step).toFixed(1)},${y(s.loss).toFixed(1)}`).join(" "), fill: "none", stroke: COLORS[0], "stroke-width": 2 }));
  for (const s of steps) if (s.eval_loss !== null) svg.append(el("circle", { cx: x(s.step), cy: y(s.eval_loss), r: 4, fill: COLORS[1] }));
  return [key(steps.some((s) => s.eval_loss !== null) ? ["loss", "loss on held-out data"] : ["loss"], COLORS), el("div", { class: "wide" }, svg)];
}

function tracedStep(t) {
  const kinds = ["kernel", "copy", "collective", "wire"];
  const spans = t.spans.map((s) => ({
    lane: s.what === "action" ? null : s.track, start: s.start, us: s.us, name: s.name,
    color: s.what === "action" ? "var(--c5)" : COLORS[kinds.indexOf(s.what)],
    told: `${s.name}, ${s.what}${s.device === null ? "" : ` of device ${s.device}`}: ${micros(s.us)} from ${micros(s.start)}${s.at ? `\n${s.at[0]}:${s.at[1]}` : ""}`,
    click: () => { if (s.at) show("source", { file: s.at[0], line: s.at[1] }); },
  }));
  const out = [el("h2", {}, `Step ${t.step}, as it ran on ${t.devices === 1 ? "one device" : `${t.devices} devices`} of this process`), key(kinds, COLORS), laneChart(t.tracks, spans, "Kernels, copies and collectives of a measured step over time")];
  if (t.left_out) out.push(el("p", { class: "soft" }, `${count(t.left_out)} stretches, the shortest, are not drawn.`));
  return out;
}

/** Source lines with what was predicted and what was measured. */
function measuredLines(t) {
  const predicted = costs(entry);
  const of = (l) => (l.at ? predicted.get(`${l.at[0]}:${l.at[1]}`) : null);
  const place = (l) => (l.at ? `${l.at[0]}:${l.at[1]}` : "no line");
  return [el("h2", {}, "By source line"), el("p", { class: "soft" }, "Of one device, in the mean of all. A kernel that computes ops of several lines counts for one of them. Collectives include the wait for other devices; a step is traced one piece of work at a time, and takes a little longer than others."), table([
    { name: "source", of: place, show: (l) => (l.at ? lineLink(l.at) : "no line") },
    { name: "calls", of: (l) => l.calls, number: true },
    { name: "kernels", of: (l) => l.kernels_us, show: (l) => micros(l.kernels_us), number: true },
    { name: "predicted of its ops", of: (l) => (of(l) ? of(l).us : 0), show: (l) => (of(l) ? micros(of(l).us) : ""), number: true },
    { name: "collectives and copies", of: (l) => l.moves_us, show: (l) => micros(l.moves_us), number: true },
  ], t.lines, { by: 2, label: "lines" })];
}

function measured() {
  const m = DATA.measured;
  const last = m.steps[m.steps.length - 1];
  if (!last) return el("p", {}, "No step was run to its end.");
  const predicted = entry.plan.totals.predicted_step_us;
  const losses = m.steps.filter((s) => s.loss !== null);
  const tiles = [tile("steps", `${last.step - m.steps[0].step + 1}`, `${m.steps[0].step} to ${last.step}`)];
  if (m.median_us > 0) tiles.push(
    tile("median step", micros(m.median_us), `${(m.median_us / Math.max(predicted, 1e-9)).toFixed(2)} times the ${micros(predicted)} predicted for ${entry.plan.target}`));
  else tiles.push(tile("its only step", micros(last.us), `predicted ${micros(predicted)} for ${entry.plan.target}; a first step touches its memory first`));
  if (m.tokens_per_step && m.median_us > 0) tiles.push(tile("tokens per second", count(m.tokens_per_step / m.median_us * 1e6), "of a median step"));
  if (losses.length) tiles.push(tile("loss", `${losses[0].loss.toFixed(4)} to ${losses[losses.length - 1].loss.toFixed(4)}`, "first and last step"));
  const shared = m.traced && m.traced.devices > m.traced.tracks.length ? `${m.traced.devices} devices share ${m.traced.tracks.length === 1 ? "a thread" : `${m.traced.tracks.length} threads`}; the prediction has each on its own` : null;
  if (shared) tiles.push(tile("devices", `${m.traced.devices}`, shared));
  const out = [el("h2", {}, "As it ran"), el("div", { class: "tiles" }, tiles)];
  if (losses.length > 1) out.push(el("h2", {}, "Loss"), ...lossChart(m.steps));
  if (m.traced) out.push(...tracedStep(m.traced), ...measuredLines(m.traced));
  return out;
}
