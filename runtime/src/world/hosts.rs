//! Names of hosts: SLURM's lists, and the hostfiles of mpirun and DeepSpeed.

use crate::error::{Result, RuntimeError};
use crate::file;
use std::path::Path;

/// The first host of a list as SLURM writes it: `node001`, `node[001-015],h2`, `a[1,3]b`.
pub fn first_host(list: &str) -> Option<String> {
    let (mut name, mut rest) = (String::new(), list.trim());
    loop {
        let end = rest.find(['[', ',']).unwrap_or(rest.len());
        name += &rest[..end];
        if !rest[end..].starts_with('[') {
            return (!name.is_empty()).then_some(name);
        }
        let close = rest.find(']')?;
        name += rest[end + 1..close].split([',', '-']).next()?;
        rest = &rest[close + 1..];
    }
}

/// A host and the number of processes that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    pub name: String,
    pub slots: usize,
}

impl Host {
    pub fn is_here(&self) -> bool {
        let own = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        matches!(self.name.as_str(), "localhost" | "127.0.0.1" | "::1") || self.name == own.trim()
    }
}

/// Reads a hostfile.
///
/// # Errors
/// A file that cannot be read, or a line that is none: with its number.
pub fn read_hostfile(path: &Path) -> Result<Vec<Host>> {
    let text = file::text(path, file::TEXT)?;
    hostfile(&text).map_err(|(line, m)| RuntimeError::usage(format!("{}:{line}", path.display()), m))
}

/// A line for each host: `node1`, `node1 slots=8`, `node1:8`; `#` begins a comment.
fn hostfile(text: &str) -> Result<Vec<Host>, (usize, String)> {
    let mut hosts: Vec<Host> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let fail = |m: String| Err((i + 1, m));
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(first) = words.next() else { continue };
        let (name, mut count) = match first.rsplit_once(':') {
            Some((name, n)) if !name.contains(':') => (name, Some(n)),
            _ => (first, None),
        };
        for word in words {
            match word.split_once('=') {
                Some(("slots", n)) if count.is_none() => count = Some(n),
                // Limits of mpirun's that say nothing about how many are wanted.
                Some(("max_slots" | "max-slots", _)) => {}
                _ => return fail(format!("`{}` is not understood; a line is `HOST slots=N`", word.escape_debug())),
            }
        }
        let slots = match count.map(str::parse) {
            None => 1,
            Some(Ok(n)) if n > 0 => n,
            Some(_) => {
                return fail(format!("`{}` is no number of processes", count.unwrap_or_default().escape_debug()));
            }
        };
        if hosts.iter().any(|h| h.name == name) {
            return fail(format!("host `{name}` is there twice"));
        }
        hosts.push(Host { name: name.to_owned(), slots });
    }
    if hosts.is_empty() { Err((1, "names no host".into())) } else { Ok(hosts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slurm_lists() {
        for (list, first) in [
            ("node001", Some("node001")),
            ("node[001-015],h2", Some("node001")),
            ("a,b", Some("a")),
            ("a[3,5-7]b[2-4]c,d", Some("a3b2c")),
            ("", None),
            ("a[1", None),
        ] {
            assert_eq!(first_host(list).as_deref(), first, "{list}");
        }
    }

    #[test]
    fn hostfiles() {
        let host = |name: &str, slots| Host { name: name.into(), slots };
        let text = "# two kinds\nnode1 slots=8\n\nnode2:4 # and a comment\nnode3\n node4 slots=2 max_slots=4";
        assert_eq!(hostfile(text), Ok(vec![host("node1", 8), host("node2", 4), host("node3", 1), host("node4", 2)]));
        for (text, line, part) in [
            ("", 1, "names no host"),
            ("a\nb slots=x", 2, "`x` is no number"),
            ("a slots=0", 1, "`0` is no number"),
            ("a 8", 1, "`8` is not understood"),
            ("a\na:2", 2, "twice"),
        ] {
            let (at, m) = hostfile(text).unwrap_err();
            assert!(at == line && m.contains(part), "{text}: {at} {m}");
        }
    }
}
