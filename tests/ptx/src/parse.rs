//! The text of a PTX module as kernels: lists of instructions whose registers and labels are resolved. What an instruction does is not known
//! here ([`crate::decode`]).
//!
//! Blocks in braces have registers and labels of their own, as inline assembly has them.

use std::collections::BTreeMap;

/// A module: its kernels by name, and its variables in global memory with their bytes.
#[derive(Debug, Default)]
pub struct Module {
    pub kernels: BTreeMap<String, RawKernel>,
    pub globals: BTreeMap<String, u64>,
}

#[derive(Debug, Default)]
pub struct RawKernel {
    pub params: Vec<Variable>,
    /// Bits of each register: 1 for predicates.
    pub registers: Vec<u32>,
    pub names: Vec<String>,
    /// Static, and without a size the one that each launch gives a size.
    pub shared: Vec<Variable>,
    pub instrs: Vec<RawInstr>,
}

/// In bytes.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub align: u64,
    pub size: u64,
}

#[derive(Debug)]
pub struct RawInstr {
    pub line: u32,
    /// A predicate, and whether it has to be false.
    pub guard: Option<(u32, bool)>,
    pub op: String,
    pub operands: Vec<Raw>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    Register(u32),
    /// Its bits; floats are written so too.
    Number(u64),
    /// A special register, or a name of the module.
    Name(String),
    /// The number of an instruction.
    Label(usize),
    List(Vec<Raw>),
    Memory {
        base: Box<Raw>,
        offset: i64,
        coordinates: Vec<Raw>,
    },
    /// `_`.
    Nothing,
}

/// Parses a module.
///
/// # Errors
/// The line, and what was not understood there.
pub fn module(text: &str) -> Result<Module, String> {
    let mut p = Parser { tokens: tokens(text), at: 0, dynamic: Vec::new() };
    let mut module = Module::default();
    while let Some(word) = p.take() {
        match word.as_str() {
            ".version" | ".target" | ".address_size" => {
                p.take();
                while p.peek() == Some(",") {
                    p.at += 2;
                }
            }
            ".entry" => {
                let (name, kernel) = p.entry()?;
                module.kernels.insert(name, kernel);
            }
            ".visible" | ".extern" | ".weak" => {}
            ".global" => {
                let v = p.variable()?;
                module.globals.insert(v.name, v.size);
            }
            ".shared" => {
                let v = p.variable()?;
                p.dynamic.push(v);
            }
            other => return Err(p.wrong(&format!("`{other}` outside of a kernel"))),
        }
    }
    Ok(module)
}

fn tokens(text: &str) -> Vec<(u32, String)> {
    let mut all = Vec::new();
    for (n, line) in (1..).zip(text.lines()) {
        let line = line.split("//").next().unwrap_or("");
        let bytes = line.as_bytes();
        let mut i = 0;
        let word = |c: u8| c.is_ascii_alphanumeric() || b"_.$%".contains(&c);
        while i < bytes.len() {
            let start = i;
            if bytes[i].is_ascii_whitespace() {
                i += 1;
                continue;
            }
            let negative = bytes[i] == b'-' && bytes.get(i + 1).is_some_and(u8::is_ascii_digit);
            if word(bytes[i]) || negative {
                i += 1;
                while i < bytes.len() && (word(bytes[i]) || bytes[i..].starts_with(b"::")) {
                    i += if bytes[i] == b':' { 2 } else { 1 };
                }
            } else {
                i += 1;
            }
            all.push((n, line[start..i].to_owned()));
        }
    }
    all
}

struct Parser {
    tokens: Vec<(u32, String)>,
    at: usize,
    /// Shared memory that is declared before the kernel which takes it.
    dynamic: Vec<Variable>,
}

/// Names of one pair of braces.
#[derive(Default)]
struct Scope {
    registers: BTreeMap<String, (u32, u32)>,
    labels: BTreeMap<String, usize>,
}

/// A kernel as it is read.
#[derive(Default)]
struct Body {
    kernel: RawKernel,
    /// All scopes that there were, with the one around each.
    scopes: Vec<(Scope, Option<usize>)>,
    /// Branches: the instruction, the scope, the label.
    branches: Vec<(usize, usize, String)>,
    /// Tables of labels, by name.
    tables: BTreeMap<String, Vec<String>>,
}

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|t| t.1.as_str())
    }

    fn take(&mut self) -> Option<String> {
        let t = self.tokens.get(self.at)?.1.clone();
        self.at += 1;
        Some(t)
    }

    fn word(&mut self) -> Result<String, String> {
        self.take().ok_or_else(|| self.wrong("the text ends"))
    }

    fn expect(&mut self, what: &str) -> Result<(), String> {
        let found = self.word()?;
        if found == what { Ok(()) } else { Err(self.wrong(&format!("`{found}` in place of `{what}`"))) }
    }

    fn line(&self) -> u32 {
        self.tokens.get(self.at.min(self.tokens.len().saturating_sub(1))).map_or(0, |t| t.0)
    }

    fn wrong(&self, what: &str) -> String {
        format!("line {}: {what}", self.line())
    }

    /// `.align 8 .u64 name[4];` after its space, with or without the semicolon.
    fn variable(&mut self) -> Result<Variable, String> {
        let (mut align, mut size) = (1, 0);
        loop {
            let word = self.word()?;
            match word.as_str() {
                ".align" => align = self.number()?,
                ".ptr" => {}
                t if t.starts_with('.') => size = bits(t).ok_or_else(|| self.wrong(&format!("the type {t}")))? / 8,
                _ => {
                    let mut count = 1;
                    if self.peek() == Some("[") {
                        self.at += 1;
                        count = if self.peek() == Some("]") { 0 } else { self.number()? };
                        self.expect("]")?;
                    }
                    if self.peek() == Some(";") {
                        self.at += 1;
                    }
                    let size = u64::from(size);
                    return Ok(Variable { name: word, align: align.max(size), size: size * count });
                }
            }
        }
    }

    fn number(&mut self) -> Result<u64, String> {
        let word = self.word()?;
        number(&word).ok_or_else(|| self.wrong(&format!("`{word}` is no number")))
    }

    fn entry(&mut self) -> Result<(String, RawKernel), String> {
        let name = self.word()?;
        let mut body = Body::default();
        self.expect("(")?;
        loop {
            match self.word()?.as_str() {
                ")" => break,
                "," => {}
                ".param" => {
                    // `.ptr .align 1` says where a pointer points.
                    let mut align = None;
                    let from = self.at;
                    if self.tokens.get(from).is_some_and(|t| t.1 == ".align") {
                        self.at += 1;
                        align = Some(self.number()?);
                    }
                    let mut v = Variable { name: String::new(), align: 1, size: 0 };
                    loop {
                        let word = self.word()?;
                        match word.as_str() {
                            ".ptr" | ".global" => {}
                            ".align" => {
                                self.number()?;
                            }
                            t if t.starts_with('.') => {
                                v.size = u64::from(bits(t).ok_or_else(|| self.wrong(&format!("the type {t}")))? / 8);
                            }
                            _ => {
                                v.name = word;
                                break;
                            }
                        }
                    }
                    v.align = align.unwrap_or(v.size);
                    if self.peek() == Some("[") {
                        self.at += 1;
                        v.size *= self.number()?;
                        self.expect("]")?;
                    }
                    body.kernel.params.push(v);
                }
                other => return Err(self.wrong(&format!("`{other}` among the parameters"))),
            }
        }
        // Directives such as `.maxntid 128, 1, 1`.
        while self.peek().is_some_and(|t| t != "{") {
            self.at += 1;
        }
        self.expect("{")?;
        body.scopes.push((Scope::default(), None));
        self.block(&mut body, 0)?;
        for (instr, scope, label) in std::mem::take(&mut body.branches) {
            let labels = body.tables.get(&label).cloned().unwrap_or_else(|| vec![label]);
            let targets = labels.iter().map(|label| {
                let found = target(&body, scope, label).map(Raw::Label);
                found.ok_or_else(|| format!("{name}: there is no label `{label}`"))
            });
            let targets: Vec<Raw> = targets.collect::<Result<_, _>>()?;
            body.kernel.instrs[instr].operands.extend(targets);
        }
        for v in &self.dynamic {
            if v.name.starts_with(&name) {
                body.kernel.shared.push(v.clone());
            }
        }
        Ok((name, body.kernel))
    }

    /// What is in braces, after the first of them.
    fn block(&mut self, body: &mut Body, scope: usize) -> Result<(), String> {
        loop {
            let word = self.word()?;
            match word.as_str() {
                "}" => return Ok(()),
                "{" => {
                    body.scopes.push((Scope::default(), Some(scope)));
                    let inner = body.scopes.len() - 1;
                    self.block(body, inner)?;
                }
                ".reg" => self.registers(body, scope)?,
                ".shared" => {
                    let v = self.variable()?;
                    body.kernel.shared.push(v);
                }
                ".pragma" => while self.word()? != ";" {},
                _ if self.peek() == Some(":") => {
                    self.at += 1;
                    if self.peek() == Some(".branchtargets") {
                        self.at += 1;
                        let table = self.table()?;
                        body.tables.insert(word, table);
                        continue;
                    }
                    let here = body.kernel.instrs.len();
                    body.scopes[scope].0.labels.insert(word, here);
                }
                _ => self.instr(word, body, scope)?,
            }
        }
    }

    /// `a, b, c;`
    fn table(&mut self) -> Result<Vec<String>, String> {
        let mut all = vec![self.word()?];
        while self.word()? == "," {
            all.push(self.word()?);
        }
        Ok(all)
    }

    fn registers(&mut self, body: &mut Body, scope: usize) -> Result<(), String> {
        let ty = self.word()?;
        let width = if ty == ".pred" { 1 } else { bits(&ty).ok_or_else(|| self.wrong(&format!("the type {ty}")))? };
        loop {
            let name = self.word()?;
            let mut count = 1;
            if self.peek() == Some("<") {
                self.at += 1;
                count = self.number()? as u32;
                self.expect(">")?;
            }
            let first = body.kernel.registers.len() as u32;
            for i in 0..count {
                body.kernel.registers.push(width);
                body.kernel.names.push(if count == 1 { name.clone() } else { format!("{name}{i}") });
            }
            body.scopes[scope].0.registers.insert(name, (first, count));
            match self.word()?.as_str() {
                ";" => return Ok(()),
                "," => {}
                other => return Err(self.wrong(&format!("`{other}` among registers"))),
            }
        }
    }

    fn instr(&mut self, first: String, body: &mut Body, scope: usize) -> Result<(), String> {
        let line = self.tokens[self.at - 1].0;
        let (mut guard, mut op) = (None, first);
        if op == "@" {
            let mut name = self.word()?;
            let not = name == "!";
            if not {
                name = self.word()?;
            }
            let Some(p) = register(body, scope, &name) else {
                return Err(self.wrong(&format!("no predicate `{name}`")));
            };
            guard = Some((p, not));
            op = self.word()?;
        }
        let mut operands = Vec::new();
        if op == "brx.idx" {
            operands.push(self.operand(body, scope)?);
            self.expect(",")?;
        }
        if ["bra", "bra.uni", "brx.idx"].contains(&op.as_str()) {
            let label = self.word()?;
            body.branches.push((body.kernel.instrs.len(), scope, label));
            self.expect(";")?;
        } else {
            while self.peek() != Some(";") {
                operands.push(self.operand(body, scope)?);
                // `d|p` are two results.
                if [Some(","), Some("|")].contains(&self.peek()) {
                    self.at += 1;
                }
            }
            self.at += 1;
        }
        body.kernel.instrs.push(RawInstr { line, guard, op, operands });
        Ok(())
    }

    fn operand(&mut self, body: &Body, scope: usize) -> Result<Raw, String> {
        let word = self.word()?;
        match word.as_str() {
            "{" => {
                let mut list = Vec::new();
                while self.peek() != Some("}") {
                    list.push(self.operand(body, scope)?);
                    if self.peek() == Some(",") {
                        self.at += 1;
                    }
                }
                self.at += 1;
                Ok(Raw::List(list))
            }
            "[" => {
                let base = Box::new(self.operand(body, scope)?);
                let (mut offset, mut coordinates) = (0, Vec::new());
                loop {
                    match self.word()?.as_str() {
                        "]" => return Ok(Raw::Memory { base, offset, coordinates }),
                        "+" => offset = self.number()? as i64,
                        "," => match self.operand(body, scope)? {
                            Raw::List(list) => coordinates = list,
                            other => return Err(self.wrong(&format!("{other:?} as coordinates"))),
                        },
                        // `[%rd1+-4]` and `[%rd1-4]`.
                        w if w.starts_with('-') => offset = number(w).ok_or_else(|| self.wrong("an offset"))? as i64,
                        other => return Err(self.wrong(&format!("`{other}` in an address"))),
                    }
                }
            }
            "_" => Ok(Raw::Nothing),
            _ => {
                if let Some(r) = register(body, scope, &word) {
                    return Ok(Raw::Register(r));
                }
                Ok(number(&word).map_or(Raw::Name(word), Raw::Number))
            }
        }
    }
}

/// The instruction of a label, from the innermost braces outwards.
fn target(body: &Body, scope: usize, label: &str) -> Option<usize> {
    let mut scope = Some(scope);
    while let Some(s) = scope {
        let (names, around) = &body.scopes[s];
        if let Some(found) = names.labels.get(label) {
            return Some(*found);
        }
        scope = *around;
    }
    None
}

/// The register of a name, from the innermost braces outwards.
fn register(body: &Body, scope: usize, name: &str) -> Option<u32> {
    let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let mut scope = Some(scope);
    while let Some(s) = scope {
        let (names, around) = &body.scopes[s];
        if let Some((first, _)) = names.registers.get(name) {
            return Some(*first);
        }
        if let (Some((first, count)), Ok(i)) = (names.registers.get(&name[..digits]), name[digits..].parse::<u32>())
            && i < *count
        {
            return Some(first + i);
        }
        scope = *around;
    }
    None
}

/// Bits of a type.
pub fn bits(ty: &str) -> Option<u32> {
    Some(match ty.trim_start_matches('.') {
        "b8" | "u8" | "s8" => 8,
        "b16" | "u16" | "s16" | "f16" | "bf16" => 16,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" => 32,
        "b64" | "u64" | "s64" | "f64" | "f32x2" => 64,
        _ => return None,
    })
}

fn number(word: &str) -> Option<u64> {
    let (negative, digits) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    let value = match (digits.get(..2), digits.get(2..)) {
        (Some("0x" | "0X"), Some(hex)) => u64::from_str_radix(hex.trim_end_matches('U'), 16).ok()?,
        (Some("0f" | "0F"), Some(hex)) => u64::from(u32::from_str_radix(hex, 16).ok()?),
        (Some("0d" | "0D"), Some(hex)) => u64::from_str_radix(hex, 16).ok()?,
        _ => digits.trim_end_matches('U').parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}
