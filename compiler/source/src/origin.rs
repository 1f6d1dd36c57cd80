//! Where the lines of a program that was itself compiled come from: the Python lines behind a dump of JAX.
//!
//! A span points into the text that was read. An origin says for which call, in whose source, that text was made.
//! Origins are shared, since many ops come from one line.

use meshloom_ir::Span;
use std::collections::BTreeMap;

/// One call on the way to an op.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// As the dump has it; often an absolute path.
    pub file: String,
    /// From 1. A dump without columns has 0.
    pub line: u32,
    pub column: u32,
    /// `train.<locals>.loss`; empty where the dump does not say.
    pub function: String,
}

impl Frame {
    /// `train.py:42`, without the folders.
    pub fn short(&self) -> String {
        let file = self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file);
        format!("{file}:{}", self.line)
    }

    /// Whether `file` can mean this one: the name, with as many of its folders as the user gives.
    pub fn is_in(&self, file: &str) -> bool {
        is_file(&self.file, file)
    }
}

/// Whether `asked` names `path`, with as many of its folders as one likes.
pub fn is_file(path: &str, asked: &str) -> bool {
    let asked = asked.trim_start_matches("./");
    path.strip_suffix(asked).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']) || rest == "./")
}

/// What a dump says of an op's place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// JAX's name stack, `jit(f)/jit(main)/dot_general`; empty where there is none.
    pub name: String,
    /// Calls, the innermost first.
    pub frames: Vec<Frame>,
}

impl Origin {
    /// The line that a user would look at: the innermost that is not in an installed package.
    pub fn place(&self) -> Option<&Frame> {
        // What starts Python is no line of anybody's.
        let mut lines = self.frames.iter().filter(|f| !f.file.starts_with("<frozen "));
        let first = lines.clone().next();
        lines.find(|f| !f.file.contains("-packages/")).or(first)
    }

    /// The modules of a library's model that an op belongs to, `Model/h_0/attn`: JAX's name stack without the op itself and without
    /// what JAX does to it. Empty where the stack names none.
    pub fn module(&self) -> String {
        let mut out: Vec<&str> = Vec::new();
        let stack = stack(&self.name);
        // The op is the last; a call stands for itself.
        for part in &stack[..stack.len().saturating_sub(1)] {
            let name = unwrapped(part);
            if !name.is_empty() && !MACHINERY.contains(&name) && out.last() != Some(&name) {
                out.push(name);
            }
        }
        out.join("/")
    }

    /// `train.py:42 in loss`, for tables; `train.py:42 in Model/h_0/attn` where the model is one of a library's modules.
    pub fn short(&self) -> String {
        let module = self.module();
        match self.place() {
            Some(f) if !module.is_empty() => format!("{} in {module}", f.short()),
            None if !module.is_empty() => module,
            Some(f) if !f.function.is_empty() => {
                let function = f.function.rsplit("<locals>.").next().unwrap_or(&f.function);
                format!("{} in {function}", f.short())
            }
            Some(f) => f.short(),
            None => self.name.clone(),
        }
    }

    /// `/code/me/train.py:42:8 in loss, jit(f)/dot_general`, for messages.
    pub fn long(&self) -> String {
        let mut out = String::new();
        if let Some(f) = self.place() {
            out = format!("{}:{}", f.file, f.line);
            if f.column > 0 {
                out += &format!(":{}", f.column);
            }
            if !f.function.is_empty() {
                out += &format!(" in {}", f.function);
            }
        }
        if !self.name.is_empty() {
            out += if out.is_empty() { "" } else { ", " };
            out += &self.name;
        }
        out
    }
}

/// Parts of a name stack that JAX puts there for what it does itself.
const MACHINERY: [&str; 11] = [
    "checkpoint",
    "rematted_computation",
    "remat",
    "while",
    "body",
    "cond",
    "closed_call",
    "core_call",
    "custom_jvp_call",
    "custom_vjp_call",
    "shard_map",
];

/// The parts of a name stack; a `/` inside of brackets separates nothing.
fn stack(name: &str) -> Vec<&str> {
    let mut depth = 0;
    name.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == '/' && depth == 0
    })
    .collect()
}

/// `Model` of `transpose(jvp(Model))`; nothing of `jit(f)`, since a function is no module, and of `jvp()`.
fn unwrapped(part: &str) -> &str {
    match part.split_once('(') {
        Some(("jit" | "pjit", _)) => "",
        Some((_, inside)) => unwrapped(inside.strip_suffix(')').unwrap_or(inside)),
        None => part,
    }
}

/// Origins by span.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    all: Vec<Origin>,
    by_span: BTreeMap<Span, u32>,
}

impl Origins {
    /// Keeps an origin, for [`Origins::set`].
    pub fn add(&mut self, origin: Origin) -> u32 {
        self.all.push(origin);
        self.all.len() as u32 - 1
    }

    /// Says where the text of a span comes from.
    pub fn set(&mut self, span: Span, origin: u32) {
        self.by_span.insert(span, origin);
    }

    pub fn get(&self, span: Span) -> Option<&Origin> {
        self.all.get(*self.by_span.get(&span)? as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Origin> {
        self.all.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(file: &str, function: &str) -> Frame {
        Frame { file: file.into(), line: 7, column: 3, function: function.into() }
    }

    #[test]
    fn the_users_line_comes_before_that_of_a_package() {
        let frames = vec![frame("/v/lib/python3/site-packages/flax/linear.py", "f"), frame("/me/m.py", "m.<locals>.g")];
        let o = Origin { name: "jit(f)/add".into(), frames };
        assert_eq!(o.short(), "m.py:7 in g");
        assert_eq!(o.long(), "/me/m.py:7:3 in m.<locals>.g, jit(f)/add");
        assert_eq!(Origin { frames: Vec::new(), ..o }.long(), "jit(f)/add");
    }

    #[test]
    fn modules_of_libraries_are_named() {
        let module = |name: &str| Origin { name: name.into(), frames: Vec::new() }.module();
        assert_eq!(
            module("jit(step)/transpose(jvp(Model))/jvp(Model)/checkpoint/h_1/Dense_0/mul"),
            "Model/h_1/Dense_0"
        );
        assert_eq!(module("jit(step)/jvp(Model)/Embed_0/jit(_take)"), "Model/Embed_0");
        assert_eq!(module("jit(step)/while/body/closed_call/vmap(h/attn)/dot_general"), "h/attn");
        for none in ["", "add", "jit(f)/add", "jit(step)/jvp()/jit(relu)/max"] {
            assert_eq!(module(none), "", "{none}");
        }
        let frames = vec![frame("/v/site-packages/flax/linear.py", "f"), frame("/me/m.py", "g")];
        assert_eq!(Origin { name: "jit(f)/Model/h_0/dot_general".into(), frames }.short(), "m.py:7 in Model/h_0");
    }

    #[test]
    fn files_are_named_with_as_many_folders_as_one_likes() {
        for asked in ["m.py", "me/m.py", "/code/me/m.py", "./m.py"] {
            assert!(frame("/code/me/m.py", "").is_in(asked), "{asked}");
        }
        assert!(!frame("/code/me/m.py", "").is_in("y") && !frame("/code/me/am.py", "").is_in("m.py"));
    }
}
