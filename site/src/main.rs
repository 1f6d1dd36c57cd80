//! The site: docs/ as a book, made by mdBook's own library so that nothing has to be installed beside cargo.
//!
//! `docs/SUMMARY.md` has the chapters in their order. What it leaves out is added here, so that it is written once: the README is the
//! first page, and each code of a diagnostic has a page below that of all codes. Links that lead out of docs/ lead to the repository.
//!
//! Not here: what checks the pages that come of it (`site/check.py`).

use anyhow::{Context, Result, ensure};
use mdbook_driver::MDBook;
use mdbook_driver::book::{BookItem, Chapter};
use mdbook_driver::config::Config;
use std::path::{Component, Path, PathBuf};

const REPOSITORY: &str = "https://github.com/meshloom/meshloom/blob/main";
/// The page below which codes are, as SUMMARY.md lists it.
const CODES: &str = "(errors/README.md)\n";

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (root, out) = args.next().zip(args.next()).context("usage: meshloom-site REPOSITORY OUT")?;
    let root = Path::new(&root);
    let docs = root.join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).context("docs/SUMMARY.md")?;
    let (before, after) = summary.split_once(CODES).context("docs/SUMMARY.md lists no errors/README.md")?;
    // The README is not in docs/, so its page is put in once the book is loaded.
    let (title, before) = before.split_once("[Meshloom](README.md)\n").context("docs/SUMMARY.md lists no README.md")?;
    let summary = format!("{title}{before}{CODES}{}{after}", codes(&docs)?);
    let config = format!(
        "[book]\ntitle = \"Meshloom\"\nlanguage = \"en\"\nsrc = \"docs\"\n\
         [build]\nbuild-dir = {out:?}\ncreate-missing = false\n\
         [output.html]\ngit-repository-url = \"https://github.com/meshloom/meshloom\"\nno-section-label = true\n\
         [output.html.fold]\nenable = true\nlevel = 0\n"
    );
    let config: Config = config.parse()?;
    let summary = mdbook_summary::parse_summary(&summary)?;
    let mut book = MDBook::load_with_config_and_summary(root, config, summary)?;
    let readme = std::fs::read_to_string(root.join("README.md")).context("README.md")?;
    let readme = linked(&readme, Path::new(""));
    book.book.items.insert(0, BookItem::Chapter(Chapter::new("Meshloom", readme, "index.md", Vec::new())));
    book.book.for_each_mut(|item| {
        if let BookItem::Chapter(c) = item
            && let Some(path) = c.source_path.clone().filter(|p| p != Path::new("index.md"))
        {
            c.content = linked(&c.content, &Path::new("docs").join(path));
        }
    });
    book.build()
}

/// A line of the summary for the page of each code, by number.
fn codes(docs: &Path) -> Result<String> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(docs.join("errors"))?.map(|f| Ok(f?.path())).collect::<Result<_>>()?;
    files.retain(|f| f.extension().is_some_and(|e| e == "md") && !f.ends_with("README.md"));
    files.sort();
    ensure!(!files.is_empty(), "docs/errors has no pages");
    let line = |file: &PathBuf| {
        let text = std::fs::read_to_string(file)?;
        let title = text
            .lines()
            .next()
            .and_then(|l| l.strip_prefix("# "))
            .with_context(|| format!("{} has no title", file.display()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Ok(format!("    - [{}](errors/{name})\n", title.replace(['[', ']'], "")))
    };
    files.iter().map(line).collect()
}

/// A page with its links as they are in the book; `file` is where it stands in the repository.
fn linked(text: &str, file: &Path) -> String {
    let mut code = false;
    let line = |line: &str| {
        code ^= line.trim_start().starts_with("```");
        let mut pieces = line.split("](");
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |out, piece| match piece.split_once(')').filter(|_| !code) {
            Some((to, rest)) => format!("{out}]({}){rest}", target(to, file)),
            None => format!("{out}]({piece}"),
        })
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A link's target in the book: relative to docs/ where it stays there, and in the repository where it does not.
fn target(to: &str, file: &Path) -> String {
    if to.contains("://") || to.starts_with(['#', '<']) || to.starts_with("mailto:") {
        return to.to_owned();
    }
    let (path, anchor) = to.split_once('#').map_or((to, String::new()), |(p, a)| (p, format!("#{a}")));
    let mut full = PathBuf::new();
    for part in file.parent().unwrap_or(Path::new("")).join(path).components() {
        match part {
            Component::ParentDir => {
                full.pop();
            }
            Component::Normal(name) => full.push(name),
            _ => {}
        }
    }
    match full.strip_prefix("docs") {
        // mdBook calls the page of a README.md by its folder.
        Ok(inside) => {
            let name =
                if full.ends_with("README.md") { "index.md".as_ref() } else { full.file_name().unwrap_or_default() };
            let up = file.components().count().saturating_sub(2);
            format!("{}{}{anchor}", "../".repeat(up), inside.with_file_name(name).display())
        }
        Err(_) if full == Path::new("README.md") => {
            let up = file.components().count().saturating_sub(2);
            format!("{}index.md{anchor}", "../".repeat(up))
        }
        Err(_) => format!("{REPOSITORY}/{}{anchor}", full.display()),
    }
}
