// Tables that sort and filter.

/** `columns`: {name, of: row -> value to sort by, show: row -> element or text, number}. */
function table(columns, rows, options = {}) {
  let by = options.by ?? null;
  let down = options.down ?? true;
  let wanted = "";
  let most = options.most || 200;
  const body = el("tbody");
  const heads = columns.map((c, i) => {
    const press = () => { down = by === i ? !down : Boolean(c.number); by = i; fill(); };
    return el("th", { class: c.number ? "n" : "", scope: "col" }, el("button", { type: "button", onclick: press }, c.name));
  });
  const told = el("span", { class: "soft" });
  const more = el("button", { type: "button", onclick: () => { most *= 5; fill(); } }, "more rows");
  const texts = rows.map((r) => columns.map((c) => String(c.of(r) ?? "")).join(" ").toLowerCase());
  function fill() {
    let list = rows.map((r, i) => i).filter((i) => texts[i].includes(wanted));
    if (by !== null) {
      const of = columns[by].of;
      const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
      list.sort((i, j) => (down ? -1 : 1) * order(of(rows[i]) ?? "", of(rows[j]) ?? "") || i - j);
    }
    heads.forEach((h, i) => h.setAttribute("aria-sort", by === i ? (down ? "descending" : "ascending") : "none"));
    body.replaceChildren(...list.slice(0, most).map((i) => el("tr", {}, columns.map((c) => el("td", { class: c.number ? "n" : "" }, c.show ? c.show(rows[i]) : String(c.of(rows[i]) ?? ""))))));
    told.textContent = `${list.length} of ${rows.length} rows`;
    more.hidden = list.length <= most;
  }
  const filter = el("input", { type: "search", placeholder: "filter", "aria-label": `filter ${options.label || "rows"}`, oninput: (e) => { wanted = e.target.value.toLowerCase(); fill(); } });
  fill();
  return el("div", {}, rows.length > 8 ? el("div", { class: "row" }, filter, told, more) : null, el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, heads)), body)));
}

const collectiveColumns = [
  { name: "#", of: (c) => c.number, number: true },
  { name: "collective", of: (c) => c.op },
  { name: "axes", of: (c) => c.axes.join(", ") },
  ...(DATA.entries.some((e) => e.plan.pipeline) ? [{ name: "rank", of: (c) => c.rank, number: true }] : []),
  { name: "times", of: (c) => c.times_per_step, number: true },
  { name: "buffer", of: (c) => c.bytes, show: (c) => bytes(c.bytes), number: true },
  { name: "on the wire", of: (c) => c.wire_bytes_per_device, show: (c) => bytes(c.wire_bytes_per_device), number: true },
  { name: "time", of: (c) => c.predicted_us, show: (c) => micros(c.predicted_us), number: true },
  { name: "exposed", of: (c) => c.exposed_us, show: (c) => micros(c.exposed_us), number: true },
  { name: "phase", of: (c) => c.phase },
  { name: "why", of: (c) => c.why },
  { name: "source", of: (c) => (c.source ? `${c.source.file}:${c.source.line}` : ""), show: (c) => lineLink(placed(c.source)) },
];

/** `0, 3` or `0 to 31`. */
function told_ranks(ranks) {
  const close = ranks.length > 2 && ranks[ranks.length - 1] - ranks[0] === ranks.length - 1;
  return close ? `${ranks[0]} to ${ranks[ranks.length - 1]}` : ranks.join(", ");
}

function tensorColumns(entry) {
  const columns = [
    { name: "tensor", of: (t) => t.name, show: (t) => el("button", { class: "linkish code", type: "button", onclick: () => show("mesh", { tensor: t.name }) }, t.name) },
    { name: "role", of: (t) => t.role },
    { name: "type", of: (t) => `${t.dtype}[${t.shape.join(", ")}]` },
    { name: "layout", of: layout },
    { name: "shard", of: (t) => `[${t.local_shape.join(", ")}]` },
    { name: "bytes per device", of: (t) => t.bytes_per_device, show: (t) => `${bytes(t.bytes_per_device)}${t.in_host ? " (host)" : ""}`, number: true },
    { name: "decided by", of: (t) => t.decided_by },
    { name: "source", of: (t) => (t.source ? `${t.source.file}:${t.source.line}` : ""), show: (t) => lineLink(placed(t.source)) },
  ];
  if (entry.plan.pipeline) columns.splice(6, 0, { name: "ranks", of: (t) => told_ranks(t.ranks || []) });
  return columns;
}

/** Tensors as a tree of their paths, `blocks.*.qkv` under `blocks`; a branch has the bytes of what is in it. */
function tensorTree(tensors) {
  const root = { children: new Map(), bytes: 0 };
  for (const t of tensors) {
    let at = root;
    at.bytes += t.bytes_per_device;
    for (const part of t.name.split(".")) {
      if (!at.children.has(part)) at.children.set(part, { children: new Map(), bytes: 0, tensor: null });
      at = at.children.get(part);
      at.bytes += t.bytes_per_device;
    }
    at.tensor = t;
  }
  const branch = (name, node) => {
    const t = node.tensor;
    const label = [el("code", {}, name), ` ${bytes(node.bytes)} `];
    if (t) label.push(el("span", { class: "soft" }, `${t.dtype}[${t.shape.join(", ")}] ${layout(t)}${t.stage === null ? "" : ` stage ${t.stage}`} `), lineLink(placed(t.source)));
    if (node.children.size === 0) return el("li", {}, label);
    return el("li", {}, el("details", { open: node.children.size < 12 }, el("summary", {}, label), el("ul", {}, [...node.children].map(([n, c]) => branch(n, c)))));
  };
  return el("ul", {}, [...root.children].map(([n, c]) => branch(n, c)));
}
