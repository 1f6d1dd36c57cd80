//! What a `train` comes to, as text: its settings with defaults, and with numbers in the place of dims and constants, whether the
//! source gives these or the command line.
//!
//! A run that is resumed is compared with the run before by this. Not here: what settings mean (`super::optimizer`).

use super::consts::{self, Const, Names};
use super::optimizer::Training;
use super::program::Declarations;
use crate::ast::Expr;
use meshloom_ir::DType;
use meshloom_source::SourceMap;
use std::collections::BTreeMap;

impl Training<'_> {
    /// By name; names of dims and constants stand behind `constant `.
    pub(super) fn described(&self, program: &Declarations<'_>, sources: &SourceMap) -> BTreeMap<String, String> {
        let shown = |e: &Expr| shown(e, program, sources);
        let mut all = BTreeMap::from([("optimizer".to_owned(), self.callee.text.clone())]);
        for p in self.optimizer.def.params.iter().skip(2).filter(|p| p.name.text != "step") {
            all.extend(p.default.as_ref().map(|e| (p.name.text.clone(), shown(e))));
        }
        let given = self.settings.iter().chain(&self.common);
        all.extend(given.map(|(name, e)| (name.text.clone(), shown(e))));
        all.insert("accumulate".into(), self.accumulate.map_or(1, |a| a.count).to_string());
        all.insert("float".into(), program.float.unwrap_or(DType::F32).to_string());
        let precision = match self.precision {
            Some(p) if p.eight => "fp8".to_owned(),
            Some(p) => p.compute.to_string(),
            None => all["float"].clone(),
        };
        all.insert("precision".into(), precision);
        for name in program.constants.names() {
            let value = match program.constants.get(&name) {
                Some(Const::Number(n)) => n.to_string(),
                Some(Const::Bool(b)) => b.to_string(),
                None => continue,
            };
            all.insert(format!("constant {name}"), value);
        }
        all
    }
}

/// An expression with the values of its constants; a number where it is one.
fn shown(e: &Expr, program: &Declarations<'_>, sources: &SourceMap) -> String {
    match consts::eval(e, &program.constants) {
        Ok(Const::Number(n)) => n.to_string(),
        Ok(Const::Bool(b)) => b.to_string(),
        Err(_) => filled(sources.text(e.span), &program.constants),
    }
}

/// A text with numbers in one form, and values in the place of names; names of arguments and what is called stay.
fn filled(text: &str, constants: &dyn Names) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if c == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |n| n + 2);
            out += &rest[..end];
            rest = &rest[end..];
        } else if c.is_ascii_digit() {
            let end = number(rest);
            out += &rest[..end].parse::<f64>().map_or_else(|_| rest[..end].to_owned(), |x| format!("{x:?}"));
            rest = &rest[end..];
        } else if word(c) {
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let (name, after) = (&rest[..end], rest[end..].trim_start());
            let value = constants.get(name).filter(|_| !after.starts_with([':', '(']) && !out.ends_with('.'));
            match value {
                Some(Const::Number(n)) => out += &format!("{:?}", n.as_f64()),
                Some(Const::Bool(b)) => out += &b.to_string(),
                None => out += name,
            }
            rest = &rest[end..];
        } else if c.is_whitespace() {
            rest = rest.trim_start();
            if !out.is_empty() && !rest.is_empty() {
                out.push(' ');
            }
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Where a number ends that a text begins with: `12`, `0.5`, `1e-3`.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(&b) = bytes.get(end) {
        let sign = (b == b'-' || b == b'+') && end > 0 && matches!(bytes[end - 1], b'e' | b'E');
        if !(b.is_ascii_alphanumeric() || b == b'.' || b == b'_' || sign) {
            break;
        }
        end += 1;
    }
    end.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elaborate::value::Num;

    struct Known;

    impl Names for Known {
        fn get(&self, name: &str) -> Option<Const> {
            match name {
                "steps" => Some(Const::Number(Num::Int(1000))),
                "peak" => Some(Const::Number(Num::Float(1e-3))),
                _ => None,
            }
        }

        fn names(&self) -> Vec<String> {
            vec!["peak".into(), "steps".into()]
        }
    }

    #[test]
    fn names_become_values() {
        let text = |t| filled(t, &Known);
        assert_eq!(
            text("warmup_cosine(peak: peak,\n  warmup: 1e2, total:steps)"),
            "warmup_cosine(peak: 0.001, warmup: 100.0, total:1000.0)"
        );
        assert_eq!(text("[params(\"**.peak\", lr: 0.1 * peak)]"), "[params(\"**.peak\", lr: 0.1 * 0.001)]");
        assert_eq!(text("peak(1)"), "peak(1.0)");
        assert_eq!(text("é + 3x"), "é + 3x");
    }
}
