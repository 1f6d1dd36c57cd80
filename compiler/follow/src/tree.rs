//! The modules of a program: their classes by path, and which parameters are one. The tracer writes them behind the program.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What begins the line that has them.
const PREFIX: &str = "// meshloom.modules ";

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Modules {
    /// Classes by path; the path of the whole is empty.
    modules: BTreeMap<String, String>,
    /// Names of parameters that are another one.
    tied: BTreeMap<String, String>,
}

impl Modules {
    /// What a text says of modules.
    ///
    /// # Errors
    /// It says nothing of them, or nothing that can be read.
    pub fn of(text: &str) -> Result<Modules, String> {
        let line = text.lines().rev().find_map(|l| l.strip_prefix(PREFIX));
        let line = line.ok_or("it does not say where modules begin and end")?;
        serde_json::from_str(line).map_err(|e| format!("the line that lists its modules cannot be read: {e}"))
    }

    pub fn class(&self, path: &str) -> Option<&str> {
        self.modules.get(path).map(String::as_str)
    }

    /// The name that a parameter has in the program.
    pub fn parameter<'a>(&'a self, name: &'a str) -> &'a str {
        self.tied.get(name).map_or(name, String::as_str)
    }

    /// All names of a parameter of the program, its own first.
    pub fn names<'a>(&'a self, own: &'a str) -> Vec<&'a str> {
        let other = self.tied.iter().filter(|(_, to)| *to == own).map(|(n, _)| n.as_str());
        std::iter::once(own).chain(other).collect()
    }

    /// The modules that a pattern with `*` in names fits, from `root` on, as `parallelize_module` resolves it: name by name.
    pub fn matching(&self, root: &str, pattern: &str) -> Vec<&str> {
        let full = if root.is_empty() || pattern.is_empty() {
            format!("{root}{pattern}")
        } else {
            format!("{root}.{pattern}")
        };
        let wanted: Vec<&str> = full.split('.').collect();
        let fits = |path: &str| {
            let parts: Vec<&str> = path.split('.').collect();
            parts.len() == wanted.len() && parts.iter().zip(&wanted).all(|(p, w)| glob(w, p))
        };
        self.modules.keys().map(String::as_str).filter(|p| fits(p)).collect()
    }

    /// Whether a path is `inside` or a part of it.
    pub fn is_within(path: &str, inside: &str) -> bool {
        inside.is_empty() || path.strip_prefix(inside).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// The module that a trace means by these scopes: containers of layers are never called, so they have none.
    pub fn traced(&self, scopes: &[&str]) -> String {
        let mut at = String::new();
        for scope in scopes {
            let Some(next) = self.child(&at, scope) else { break };
            at = next;
        }
        at
    }

    /// The module of this name below another one, perhaps in a container there.
    fn child(&self, of: &str, name: &str) -> Option<String> {
        let join = |a: &str, b: &str| if a.is_empty() { b.to_string() } else { format!("{a}.{b}") };
        let direct = join(of, name);
        if self.modules.contains_key(&direct) {
            return Some(direct);
        }
        let inside = |p: &&String| Modules::is_within(p, of) && p.len() > of.len();
        let container = |p: &&String| {
            let rest = p[of.len()..].trim_start_matches('.');
            !rest.contains('.')
                && self.modules.get(*p).is_some_and(|c| ["ModuleList", "ModuleDict"].contains(&c.as_str()))
        };
        let mut found = self.modules.keys().filter(inside).filter(container).map(|p| join(p, name));
        found.find(|p| self.modules.contains_key(p))
    }
}

/// Whether a name fits a pattern in which `*` stands for any letters and `?` for one, as `fnmatch` has it.
fn glob(pattern: &str, name: &str) -> bool {
    match pattern.chars().next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = &pattern[1..];
            name.char_indices().map(|(i, _)| i).chain([name.len()]).any(|i| glob(rest, &name[i..]))
        }
        Some(c) => {
            let mut chars = name.chars();
            chars.next().is_some_and(|n| c == '?' || c == n) && glob(&pattern[c.len_utf8()..], chars.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Modules;

    #[test]
    fn patterns_fit_name_by_name() {
        let text = r#"// meshloom.modules {"modules":{"":"M","layers":"ModuleList","layers.0":"L","layers.0.up":"Linear","layers.10":"L","layers.10.up":"Linear"},"tied":{}}"#;
        let m = Modules::of(text).expect("a line of modules");
        assert_eq!(m.matching("", "layers.*.up"), ["layers.0.up", "layers.10.up"]);
        assert_eq!(m.matching("layers", "1?"), ["layers.10"]);
        assert_eq!(m.matching("", ""), [""]);
        assert_eq!(m.traced(&["0", "up", "linear"]), "layers.0.up");
        assert!(m.matching("", "up").is_empty() && Modules::of("module {}").is_err());
    }
}
