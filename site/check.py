"""Checks the pages of the site: each link and picture leads somewhere, anchors included; the search finds every error code and every
function of the library; every page of docs/ is a chapter.

  site/check.py OUT     OUT has the built site; the repository is the working directory

Needs nothing but Python. Links to other hosts are not followed.
"""
import html.parser, os, re, sys, urllib.parse

REPOSITORY = "https://github.com/meshloom/meshloom/blob/main/"


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        self.links += [attributes[k] for k in ("href", "src") if attributes.get(k)]


def broken(out, pages):
    for path, page in pages.items():
        for link in page.links:
            if link.startswith(REPOSITORY):
                to = urllib.parse.unquote(link[len(REPOSITORY):]).split("#")[0]
                if not os.path.exists(to):
                    yield f"{path}: the repository has no {to}"
                continue
            url = urllib.parse.urlparse(link)
            if url.scheme or url.netloc:
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) if url.path else path
            if not os.path.exists(os.path.join(out, to)):
                yield f"{path}: {link} leads nowhere"
            elif url.fragment and to in pages and urllib.parse.unquote(url.fragment) not in pages[to].ids:
                yield f"{path}: {link} has no such anchor"


def unlisted(pages):
    for folder, _, names in os.walk("docs"):
        for name in sorted(n for n in names if n.endswith(".md") and n != "SUMMARY.md"):
            path = os.path.relpath(os.path.join(folder, name), "docs")
            if re.sub(r"README$", "index", path[:-3]) + ".html" not in pages:
                yield f"docs/{path} is not in docs/SUMMARY.md"


def unfound(out):
    """Words that the index of the search does not have."""
    indices = [n for n in os.listdir(out) if re.fullmatch(r"searchindex(-\w+)?\.js", n)]
    if len(indices) != 1:
        yield f"one index of the search was expected, not {indices}"
        return
    with open(os.path.join(out, indices[0])) as f:
        text = f.read()
    words = set(re.findall(r"\w+", text))
    codes = [n[:-3] for n in os.listdir("docs/errors") if re.fullmatch(r"E\d+\.md", n)]
    functions = []
    for name in os.listdir("compiler/syntax/lib"):
        with open(os.path.join("compiler/syntax/lib", name)) as f:
            functions += re.findall(r"^fn (\w+)", f.read(), re.M)
    for word in sorted(codes) + sorted(functions):
        if word not in words:
            yield f"the search does not find {word}"


def main():
    out = sys.argv[1]
    pages = {}
    for folder, _, names in os.walk(out):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                with open(path) as f:
                    pages[os.path.relpath(path, out)] = Page(f.read())
    faults = sorted({*broken(out, pages), *unlisted(pages), *unfound(out)})
    print("\n".join(faults) if faults else f"{len(pages)} pages, 0 faults")
    sys.exit(1 if faults else 0)


main()
