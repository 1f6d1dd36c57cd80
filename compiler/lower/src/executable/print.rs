//! A scheduled program as text that people read: one line per instruction. The form that is stored and read back is the
//! bundle's JSON.

use crate::Scheduled;
use meshloom_bundle::program::{BufRef, Collective, Dim, Instr, LoopIndex, Move, Turn};
use std::fmt::Write;

/// The program, then its kernels' specs.
pub fn print(s: &Scheduled) -> String {
    let p = &s.program;
    let mut out = String::new();
    let mesh: Vec<String> = p.mesh.iter().map(|a| format!("{}: {}", a.name, a.size)).collect();
    let _ = writeln!(
        out,
        "program @{} on [{}] arena {}{} scratch {}",
        p.entry,
        mesh.join(", "),
        p.arena_bytes,
        if p.host_bytes > 0 { format!(" host {}", p.host_bytes) } else { String::new() },
        p.scratch_bytes
    );
    for port in &p.ports {
        let role = format!("{:?}", port.role).to_lowercase();
        let over = port.alias.map(|a| format!(" over {}", p.ports[a as usize].name)).unwrap_or_default();
        let _ = writeln!(
            out,
            "  {role} {} {}{:?} at {}{over}",
            port.name,
            port.dtype.name(),
            port.local_shape,
            anywhere(s, &BufRef::fixed(port.offset, port.bytes))
        );
    }
    instrs(&mut out, s, &p.instrs, "  ");
    for k in &s.kernels {
        let _ = writeln!(out, "kernel {}\n{k}", k.symbol());
    }
    out
}

fn instrs(out: &mut String, s: &Scheduled, list: &[Instr], indent: &str) {
    for i in list {
        let _ = match i {
            Instr::Launch(l) => {
                let args: Vec<String> = l
                    .args
                    .iter()
                    .enumerate()
                    .map(|(k, a)| format!("{}{}", if l.writes.contains(&(k as u32)) { "&" } else { "" }, place(a)))
                    .collect();
                let dims: Vec<String> = l.dims.iter().map(dim).collect();
                let dims = if dims.is_empty() { String::new() } else { format!(" dims {}", dims.join(", ")) };
                let at = l.source.as_ref().map(|x| format!("  // {x}")).unwrap_or_default();
                let name = &s.program.kernels[l.kernel as usize].symbol;
                writeln!(out, "{indent}launch {name}({}) units {}{dims}{at}", args.join(", "), l.units)
            }
            Instr::Collective(c) => writeln!(out, "{indent}{}", collective(s, c)),
            Instr::Bucket(all) => {
                let _ = writeln!(out, "{indent}bucket {{");
                for c in all {
                    let _ = writeln!(out, "{indent}  {}", collective(s, c));
                }
                writeln!(out, "{indent}}}")
            }
            Instr::Copy { src, dst, bytes } => {
                writeln!(out, "{indent}copy {} -> {} {bytes}", anywhere(s, src), anywhere(s, dst))
            }
            Instr::Fill { dst, dtype, count, value } => {
                writeln!(out, "{indent}fill {} {} x {count} = {value}", place(dst), dtype.name())
            }
            Instr::Loop { trip, body } => {
                let _ = writeln!(out, "{indent}loop {trip} {{");
                instrs(out, s, body, &format!("{indent}  "));
                writeln!(out, "{indent}}}")
            }
            Instr::Actions(a) => {
                let _ = writeln!(out, "{indent}actions of {} microbatches {{", a.microbatches);
                for action in &a.bodies {
                    let _ = writeln!(out, "{indent}  action {} {{", action.name);
                    instrs(out, s, &action.body, &format!("{indent}    "));
                    let _ = writeln!(out, "{indent}  }}");
                }
                let turn = |t: &Turn| format!("{}.{}", a.bodies[t.action as usize].name, t.microbatch);
                let order: Vec<String> = a.order.iter().map(turn).collect();
                let _ = writeln!(out, "{indent}  order {}", order.join(" "));
                writeln!(out, "{indent}}}")
            }
            Instr::Send(t) => {
                writeln!(out, "{indent}send {} {}", s.program.wires[t.wire as usize].name, place(&t.buf))
            }
            Instr::Receive(t) => {
                writeln!(out, "{indent}receive {} {}", s.program.wires[t.wire as usize].name, place(&t.buf))
            }
            Instr::While(w) => {
                let most = w.most.map(|n| format!(" at most {n}")).unwrap_or_default();
                let _ = writeln!(out, "{indent}while {}{most} {{", place(&w.going));
                instrs(out, s, &w.body, &format!("{indent}  "));
                let _ = writeln!(out, "{indent}}} after {{");
                instrs(out, s, &w.after, &format!("{indent}  "));
                writeln!(out, "{indent}}}")
            }
        };
    }
}

fn collective(s: &Scheduled, c: &Collective) -> String {
    let axes: Vec<&str> = c.axes.iter().map(|&a| s.program.mesh[a as usize].name.as_str()).collect();
    let at = c.source.as_ref().map(|x| format!("  // {x}")).unwrap_or_default();
    format!(
        "{} over {} {} {} -> {} {:?}{at}",
        c.kind.name(),
        axes.join(", "),
        c.dtype.name(),
        place(&c.src),
        place(&c.dst),
        c.kind
    )
}

/// A place in the arena or in the host's memory, which is counted from 0.
fn anywhere(s: &Scheduled, r: &BufRef) -> String {
    match s.program.in_host(r.offset) {
        true => format!("host {}", place(&BufRef { offset: r.offset - s.program.arena_bytes, ..*r })),
        false => place(r),
    }
}

fn place(r: &BufRef) -> String {
    let mut text = r.offset.to_string();
    for (Move { stride, index }, i) in r.moves.0.iter().zip(["i", "j", "k", "l"]) {
        match index {
            LoopIndex::Fixed => {}
            LoopIndex::Iter { delta } => text += &format!("+{stride}*({i}+{delta})"),
            LoopIndex::IterReversed { trip, delta } => text += &format!("+{stride}*({trip}-1-{i}+{delta})"),
            LoopIndex::IterMod { delta, period } => text += &format!("+{stride}*(({i}+{delta})%{period})"),
        }
    }
    text
}

fn dim(d: &Dim) -> String {
    match d {
        Dim::Const(c) => c.to_string(),
        Dim::ShardStart { axes, block } => format!("shard{axes:?}*{block}"),
    }
}
