//! Which rules of the chosen layout block decided about an entry's tensors.

use super::program::Declarations;
use meshloom_ir::{Role, Span};
use meshloom_source::entry::Entry;

/// The rules of the chosen layout block that decide about tensors of an entry, as reports look for them.
pub fn rules(program: &Declarations<'_>, entry: &Entry) -> Vec<((&'static str, String), Span)> {
    let mut out = Vec::new();
    for port in &entry.func.inputs {
        let roles: &[&'static str] = match port.role {
            Role::Parameter => &["params", "state"],
            Role::Input => &["inputs"],
            _ => &[],
        };
        for role in roles {
            let rule = program.rule_for(role, &port.name);
            out.extend(rule.map(|r| ((*role, port.name.clone()), r.span)));
        }
    }
    out
}
