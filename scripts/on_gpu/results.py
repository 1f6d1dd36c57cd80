"""The file of results: one JSON object a line, written as each is known, so that nothing is lost with the process or the machine. What is in it
already is not measured again."""
import json, os, time


class Results:
    def __init__(self, path):
        self.path = path
        self.rows = []
        if os.path.exists(path):
            for line in open(path):
                try:
                    self.rows.append(json.loads(line))
                except ValueError:
                    pass  # The last line of a machine that went away.

    def find(self, stage, what, on):
        return next((r for r in reversed(self.rows) if (r["stage"], r["what"], r["on"]) == (stage, what, on)), None)

    def has(self, stage, what, on):
        """Whether it is known. What reached a deadline is not."""
        found = self.find(stage, what, on)
        return found is not None and found["result"] != "deadline"

    def add(self, stage, what, on="", result="", ms=None, note="", **more):
        row = {"stage": stage, "what": what, "on": on, "result": result, "ms": ms, "note": note, "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **more}
        self.rows.append(row)
        with open(self.path, "a") as f:
            f.write(json.dumps(row) + "\n")
        print(text(row), flush=True)
        return row

    def finished(self, stage):
        """Whether a stage came to its end, whatever it found."""
        return self.has(stage, "stage", "finished")


# Kernels or losses that are wrong, in whichever way.
BAD = ("WRONG", "FOUND", "failed", "deadline")


def text(row):
    ms = "" if row["ms"] is None else f"{row['ms']:.3f} ms"
    return f"{row['stage']:9} {row['what']:38} {row['on']:18} {row['result']:9} {ms:>12}   {row['note']}".rstrip()


def wrong(rows):
    """Rows that are wrong, as they were last."""
    last = {(r["stage"], r["what"], r["on"]): r for r in rows}
    return [r for r in last.values() if r["result"] in BAD]


def table(path):
    results = Results(path)
    for row in results.rows:
        print(text(row))
    bad = wrong(results.rows)
    print(f"{len(results.rows)} rows, {len(bad)} of them wrong")
    return 1 if bad else 0
