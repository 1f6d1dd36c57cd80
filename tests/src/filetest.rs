//! File tests: text in, text out, in one file.
//!
//! ```text
//! // test: elaborate mesh=data:2,model:4 entry=loss
//! dim n = 4
//! ...
//! // ----- expect
//! func @loss on [data: 2, model: 4] {
//! ```
//!
//! The first line names the phase ([`crate::phases`]) and its options. Phases that take several texts (`certify`: the global
//! program, the local one, the certificate) have them under further lines, `// ----- local`. What the phase prints stands
//! under `// ----- expect`; `INSTA_UPDATE=always` writes it there.

use similar::TextDiff;

/// What the environment holds where expectations are to be rewritten: the variable of insta's snapshots, so that one accepts all.
pub const BLESS: (&str, &str) = ("INSTA_UPDATE", "always");

/// Are expectations to be rewritten?
pub fn blessing() -> bool {
    std::env::var(BLESS.0).is_ok_and(|u| u == BLESS.1)
}

const SEPARATOR: &str = "// -----";

pub struct FileTest<'a> {
    pub command: &'a str,
    options: Vec<(&'a str, &'a str)>,
    /// The first text, with its `// test:` line, so that its lines are those of the file.
    pub input: &'a str,
    /// Further texts by name, `expect` not among them.
    sections: Vec<(&'a str, &'a str)>,
    pub expect: &'a str,
    /// The file up to the expectation.
    head: &'a str,
}

impl<'a> FileTest<'a> {
    /// Takes a file apart.
    ///
    /// # Errors
    /// A first line that names no test.
    pub fn parse(text: &'a str) -> Result<FileTest<'a>, String> {
        let first = text.lines().next().unwrap_or("");
        let mut words =
            first.strip_prefix("// test:").ok_or("the first line must be `// test: PHASE`")?.split_whitespace();
        let command = words.next().ok_or("the first line names no phase")?;
        let options = words.map(|w| w.split_once('=').unwrap_or((w, ""))).collect();
        let mut test = FileTest { command, options, input: text, sections: Vec::new(), expect: "", head: text };
        // Where each text starts: its name, where its separator starts, where its first line starts.
        let mut marks = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if let Some(name) = line.strip_prefix(SEPARATOR) {
                marks.push((name.trim(), at, at + line.len()));
            }
            at += line.len();
        }
        for (i, &(name, start, body)) in marks.iter().enumerate() {
            if i == 0 {
                test.input = &text[..start];
            }
            let end = marks.get(i + 1).map_or(text.len(), |m| m.1);
            if name.is_empty() || name == "expect" {
                test.expect = &text[body..];
                test.head = &text[..start];
                break;
            }
            test.sections.push((name, &text[body..end]));
        }
        Ok(test)
    }

    pub fn option(&self, key: &str) -> Option<&'a str> {
        self.options.iter().find(|o| o.0 == key).map(|o| o.1)
    }

    /// Every option, so that a phase can refuse those that it does not know.
    pub fn options(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.options.iter().copied()
    }

    /// A further text.
    ///
    /// # Errors
    /// The name of the text that the file lacks.
    pub fn section(&self, name: &str) -> Result<&'a str, String> {
        let found = self.sections.iter().find(|s| s.0 == name);
        found.map(|s| s.1).ok_or_else(|| format!("the file has no part under `{SEPARATOR} {name}`"))
    }

    /// Further texts whose names end so: files that the first one imports.
    pub fn files(&self, ending: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.sections.iter().copied().filter(move |s| s.0.ends_with(ending))
    }

    /// The whole file with `output` as its expectation.
    pub fn blessed(&self, output: &str) -> String {
        let newline = if self.head.is_empty() || self.head.ends_with('\n') { "" } else { "\n" };
        format!("{}{newline}{SEPARATOR} expect\n{}\n", self.head, output.trim_end())
    }

    /// Compares what a phase printed with what the file expects.
    ///
    /// # Errors
    /// A unified diff, and how to accept it.
    pub fn compare(&self, output: &str) -> Result<(), String> {
        // A blank line at the end is nobody's meaning.
        let (expected, found) = (self.expect.trim_end(), output.trim_end());
        if expected == found {
            return Ok(());
        }
        let (expected, found) = (format!("{expected}\n"), format!("{found}\n"));
        let diff = TextDiff::from_lines(&expected, &found);
        let diff = diff.unified_diff().context_radius(4).header("expected", "found").to_string();
        Err(format!(
            "{diff}\nIf this is what it should be, run the tests with {}={} and look at the change.",
            BLESS.0, BLESS.1
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_options() {
        let t = FileTest::parse("// test: certify a=1 c\nx\n// ----- local\ny\n// ----- expect\nz\n").expect("a test");
        assert_eq!((t.command, t.option("a"), t.option("b"), t.option("c")), ("certify", Some("1"), None, Some("")));
        assert_eq!((t.input, t.section("local")), ("// test: certify a=1 c\nx\n", Ok("y\n")));
        assert!(t.section("certificate").is_err());
        assert_eq!(t.compare("z"), Ok(()));
        assert_eq!(t.blessed("w"), "// test: certify a=1 c\nx\n// ----- local\ny\n// ----- expect\nw\n");
        let e = t.compare("w").expect_err("differs");
        assert!(e.contains("-z\n+w\n") && e.contains(BLESS.0), "{e}");
    }

    #[test]
    fn a_fresh_file_is_blessed() {
        let t = FileTest::parse("// test: parse\nx").expect("a test");
        assert_eq!(t.blessed("y\n"), "// test: parse\nx\n// ----- expect\ny\n");
        assert!(FileTest::parse("func").is_err());
    }
}
