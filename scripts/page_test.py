"""Opens pages of plans in a headless Chromium and uses them as a reader would. `scripts/page` runs it.

For each plan: the page is one file under 3 MB; it holds what `plan --json` prints; every panel is clicked, in light and dark,
without an error on the console and without a fault of contrast (axe, WCAG AA); the dearest collective is two clicks from its
source line. How long a page takes to open is printed; it is under a second on a quiet machine.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
MESHLOOM = ROOT / "target/debug/meshloom"

# Name, the source (and what of its text becomes what), and further arguments of `plan`.
PLANS = [
    ("gpt", "examples/gpt.loom", {}, []),
    ("llama70b", "examples/large/llama3.loom", {}, ["--target", "h100-sxm", "--mesh", "data=64", "--layout", "fsdp",
                  "--dim", "embed=8192,heads=64,kv_heads=8,head=128,hidden=28672,layers=80", "--dim", "batch=64"]),
    ("gpt3", "examples/large/gpt3.loom", {"mesh [replica: 1,": "mesh [replica: 1, pipe: 16,", "[Block; layers]": "[Block; layers] @ pipe"},
     ["--target", "h100-sxm", "--layout", "megatron", "--dim", "microbatches=16", "--schedule", "1f1b", "--recompute", "full"]),
    ("jax", "tests/data/stablehlo/gpt_tiny.dp2tp4_sp.mlir", {}, []),
    ("offload", "examples/large/llama3.loom", {}, ["--target", "h100-sxm", "--mesh", "data=8", "--layout", "fsdp", "--dim", "batch=16",
                 "--offload", "all"]),
]
# Pages of other commands: name, arguments, the exit code, panels that they have first, and what these say.
OTHERS = [
    ("diff", ["diff", "examples/gpt.loom", "--entry", "gpt", "--layout-b", "fsdp"], 1, ["Differences"], "Tensors that lie otherwise"),
    ("explain", ["explain", "examples/gpt.loom", "#1"], 0, ["Answer"], "Other layouts"),
    ("run", ["run", "examples/gpt.loom", "--data", "README.md", "--steps", "5"], 0, ["Measured"], "By source line"),
    ("layer", ["explain", "tests/cli/fixtures/stages.loom", "blocks[1]", "--mesh", "data=1,pipe=2"], 0, ["Answer"], "one layer later"),
]
LARGEST = 3_000_000


def plan(source, changes, arguments, page):
    if changes:
        text = (ROOT / source).read_text()
        for before, after in changes.items():
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        source = page.with_suffix(".loom")
        source.write_text(text)
    command = [MESHLOOM, "plan", source, *arguments, "--json", "--html", page]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exits with {done.returncode}:\n{done.stderr}")
    return done.stdout


def held(html):
    """The data of a page, as text."""
    return re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S).group(1)


def wanted(cond, what, faults):
    if not cond:
        faults.append(what)


def click_through(page, faults):
    """Opens every panel in light and dark; the tabs and their titles."""
    tabs = page.locator("nav [role=tab]")
    titles = tabs.all_inner_texts()
    axe = Axe()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for i, title in enumerate(titles):
            tabs.nth(i).click()
            wanted(page.locator("main").inner_text().strip() != "", f"{title} is empty", faults)
            found = axe.run(page, options={"runOnly": ["wcag2a", "wcag2aa"]})
            for v in found.response["violations"]:
                where = v["nodes"][0]["html"][:160]
                faults.append(f"{title}, {scheme}: {v['id']}: {v['help']}: {where}")
    page.emulate_media(color_scheme="light")
    return tabs, titles


def listen(page, faults):
    page.on("console", lambda m: faults.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: faults.append(f"script: {e}"))


def other(page, html, arguments, code, first, says):
    """The page of another command: its own panels come first, and two plans stand beside each other."""
    faults = []
    done = subprocess.run([MESHLOOM, *arguments, "--html", html], cwd=ROOT, capture_output=True, text=True)
    wanted(done.returncode == code, f"exits with {done.returncode}: {done.stderr}", faults)
    listen(page, faults)
    page.goto(html.as_uri())
    page.wait_for_selector("main h2")
    tabs, titles = click_through(page, faults)
    wanted(titles[: len(first)] == first, f"the panels are {titles}", faults)
    tabs.nth(0).click()
    wanted(says in page.locator("main").inner_text(), f"`{says}` is not said", faults)
    if arguments[0] == "diff":
        page.locator("#tab-overview").click()
        wanted(page.locator("main section").count() == 2, "two plans are not side by side", faults)
        page.locator("#side").select_option("first")
        wanted(page.locator("main section").count() == 0, "one plan alone is not shown", faults)
    size = len(html.read_text().encode())
    wanted(size < LARGEST, f"the page has {size} bytes", faults)
    print(f"page: {' '.join(arguments[:2])}: {size / 1e6:.2f} MB, {len(titles)} panels, {len(faults)} faults")
    return faults


def holds_its_layers(page, plan, pipeline, faults):
    """The last device has the layers of the last rank's stages, and the front page what the rank that has most sends."""
    last = len(pipeline["ranks"]) - 1
    own = [s for s in pipeline["stages"] if s["rank"] == last and s["layers"] > 0]
    layers = " + ".join(f"{s['first_layer']}:{s['first_layer'] + s['layers']}" for s in own)
    name = next(t["name"] for t in plan["tensors"] if t["name"].startswith(f"{pipeline['list']}.*") and t["role"] == "parameter")
    row = page.locator("main table").last.locator("tbody tr").filter(has=page.get_by_text(name, exact=True))
    part = row.locator("td").nth(2).inner_text()
    wanted(part.startswith(layers), f"the last device has {part} of {name}, and its rank {layers}", faults)
    most = max(pipeline["ranks"], key=lambda r: r["wire_bytes_per_device"])
    wanted(most["wire_bytes_per_device"] == plan["totals"]["wire_bytes_per_device"], "a device does not send what a rank does", faults)
    page.locator("#tab-overview").click()
    wanted(page.get_by_text(f"of rank {most['rank']}, which has most").count() > 0, "the front page names no rank", faults)


def use(page, name, html_path, printed, faults):
    html = html_path.read_text()
    wanted(len(html.encode()) < LARGEST, f"the page has {len(html.encode())} bytes", faults)
    plans = json.loads(printed)["entries"]
    data = json.loads(held(html))
    ours = [e["plan"] for e in data["entries"]]
    for mine, theirs in zip(ours, plans, strict=True):
        for key in theirs:
            wanted(mine[key] == theirs[key], f"`{key}` is not that of `plan --json`", faults)

    listen(page, faults)
    began = time.monotonic()
    page.goto(html_path.as_uri())
    page.wait_for_selector(".tile")
    opened = time.monotonic() - began

    tabs, titles = click_through(page, faults)

    # Copies from the host and to it have lanes of their own, where there are any.
    tabs.nth(titles.index("Timeline")).click()
    for lane in ("from the host", "to the host"):
        drawn = page.locator("main svg text").get_by_text(lane, exact=True).count()
        wanted(drawn == (name == "offload"), f"`{lane}` is drawn {drawn} times", faults)

    # The keyboard goes through the panels too.
    tabs.nth(0).click()
    page.keyboard.press("ArrowRight")
    wanted(page.locator("nav [aria-selected=true]").inner_text() == titles[1], "the arrow keys do not move", faults)

    # The dearest collective, two clicks from the front: here it takes one.
    collectives = ours[0]["collectives"]
    if any(c["source"] for c in collectives):
        dearest = max(collectives, key=lambda c: (c["predicted_us"], c["wire_bytes_per_device"]))
        tabs.nth(0).click()
        table = page.locator("main table").last
        table.locator("tbody tr").first.locator("button").last.click()
        line = page.locator("tr.on td").first.inner_text()
        wanted(line == str(dearest["source"]["line"]), f"the dearest collective leads to line {line}", faults)

    # A device says what it holds; the timeline and the memory move by keys.
    page.locator("#tab-mesh").click()
    page.locator(".mesh button").last.click()
    wanted(page.get_by_text(f"Device {ours[0]['mesh']['devices'] - 1} holds").count() == 1, "a device says nothing", faults)
    if pipeline := ours[0]["pipeline"]:
        holds_its_layers(page, ours[0], pipeline, faults)
    page.locator("#tab-timeline").click()
    svg = page.locator("main svg").last
    before = svg.locator("rect").count()
    svg.focus()
    for _ in range(4):
        page.keyboard.press("+")
    wanted(svg.locator("rect").count() > 0 and before > 0, "the timeline is empty", faults)
    page.locator("#tab-memory").click()
    if page.locator("main svg").count():
        page.locator("main svg").focus()
        shown = page.locator("main h2").first.inner_text()
        page.keyboard.press("ArrowLeft")
        wanted(page.locator("main h2").first.inner_text() != shown, "the memory does not move", faults)
    print(f"page: {name}: {len(html) / 1e6:.2f} MB, opened in {opened:.2f} s, {len(titles)} panels, {len(faults)} faults")


def pictures(page, html_path, folder, names):
    folder.mkdir(exist_ok=True)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(html_path.as_uri())
    for name in names:
        page.locator(f"#tab-{name}").click()
        page.wait_for_timeout(100)
        page.screenshot(path=folder / f"plan-{name}.png")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--browser", required=True)
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--only")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        for name, source, changes, arguments in PLANS:
            if options.only not in (None, name):
                continue
            faults = []
            html = pathlib.Path(folder) / f"{name}.html"
            printed = plan(source, changes, arguments, html)
            page = browser.new_page()
            use(page, name, html, printed, faults)
            if options.pictures and name == "gpt":
                pictures(page, html, ROOT / "docs/images", ("overview", "timeline", "memory", "mesh"))
            page.close()
            for f in faults:
                print(f"page: {name}: {f}")
            wrong += len(faults)
        for name, *how in OTHERS:
            if options.only not in (None, name):
                continue
            page = browser.new_page()
            html = pathlib.Path(folder) / f"{name}.html"
            faults = other(page, html, *how)
            if options.pictures and name == "run":
                pictures(page, html, ROOT / "docs/images", ("measured",))
            page.close()
            for f in faults:
                print(f"page: {name}: {f}")
            wrong += len(faults)
        browser.close()
    sys.exit(1 if wrong else 0)


main()
