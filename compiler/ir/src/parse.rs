//! Reading the text form back ([`crate::print`]): recursive descent, one function per construct. A text that parses is a
//! well-formed graph, not yet a well-typed one; [`crate::verify`] is run on it like on the output of any phase.
//!
//! Numbers of values become their ids as they stand (gaps closed), ops are numbered as [`crate::Builder`] does: an op after
//! the ops of its regions. Errors have a line and column. Sizes and nesting are limited, so that no text can exhaust the
//! stack or overflow a size.

use crate::einsum::Einsum;
use crate::graph::{Def, Func, Init, OpData, OpId, Phase, Port, Recompute, Region, RegionId, Role, Value, ValueId};
use crate::layout::{Constraint, DimSpec, Layout, Reduction};
use crate::mesh::{Axis, MAX_AXES, Mesh};
use crate::op::{Attr, Op, UNBOUNDED};
use crate::scan::{Cursor, Result};
use crate::span::{FileId, Span};
use crate::table::elem::Elem;
use crate::table::window::Window;
use crate::types::{DType, Literal, Scalar, TensorType};
use crate::verify::{MAX_DEVICES, MAX_ELEMENTS, MAX_NESTING, MAX_RANK, MAX_TRIP};
use std::collections::BTreeMap;

mod extend;

pub use crate::scan::ParseError;
pub use extend::extend;

/// Reads a function.
///
/// # Errors
/// The first place where the text is not one, with what was expected.
pub fn parse(text: &str) -> Result<Func> {
    let mut p = Parser {
        c: Cursor::new(text),
        func: Func::new("", Mesh::default()),
        numbers: BTreeMap::new(),
        uses: Vec::new(),
    };
    p.function()?;
    p.resolve()
}

struct Parser<'a> {
    c: Cursor<'a>,
    func: Func,
    /// Text number of each value to its place in `func.values`, which is in order of appearance until the end.
    numbers: BTreeMap<u32, usize>,
    /// Text numbers that were used, with their places; checked at the end.
    uses: Vec<(u32, usize)>,
}

impl Parser<'_> {
    fn function(&mut self) -> Result<()> {
        self.c.expect_word("func")?;
        self.c.expect("@")?;
        self.func.name = self.c.name()?;
        self.c.expect_word("on")?;
        self.mesh()?;
        self.c.expect("{")?;
        while self.c.eat_word("input") {
            self.input()?;
        }
        while self.c.peek() != Some('}') && self.c.peek_word() != "output" {
            self.op(Func::BODY, 0)?;
        }
        while self.c.eat_word("output") {
            self.output()?;
        }
        self.c.expect("}")?;
        if self.c.at_end() {
            return Ok(());
        }
        self.c.expected("the end of the text")
    }

    /// Replaces text numbers by ids and checks the uses of ports' values.
    fn resolve(self) -> Result<Func> {
        let rank: BTreeMap<u32, ValueId> = (self.numbers.keys().zip(0..)).map(|(&n, i)| (n, ValueId(i))).collect();
        if let Some(&(n, pos)) = self.uses.iter().find(|u| !rank.contains_key(&u.0)) {
            return self.c.error_at(pos, format!("`%{n}` is defined nowhere"));
        }
        let mut func = self.func;
        let mut values: Vec<Option<Value>> = func.values.into_iter().map(Some).collect();
        func.values = (self.numbers.values()).filter_map(|&place| values[place].take()).collect();
        let id = |v: &mut ValueId| *v = rank[&v.0];
        for op in &mut func.ops {
            op.operands.iter_mut().chain(&mut op.results).for_each(id);
        }
        for r in &mut func.regions {
            r.args.iter_mut().chain(&mut r.yields).for_each(id);
        }
        let body = &func.regions[0];
        for port in func.inputs.iter_mut().chain(&mut func.outputs) {
            let Some(n) = port.updates else { continue };
            let updated = rank[&(n as u32)];
            port.updates = body.args.iter().position(|&a| a == updated);
            if port.updates.is_none() {
                let at = self.uses.iter().find(|u| u.0 as usize == n);
                let at = at.map_or(0, |u| u.1);
                return self.c.error_at(at, format!("`%{n}` is not an input"));
            }
        }
        for (port, &v) in func.outputs.iter_mut().zip(&func.regions[0].yields) {
            if port.constraint.absent {
                port.constraint = Constraint::absent(func.values[v.index()].ty.rank());
            }
        }
        Ok(func)
    }

    fn mesh(&mut self) -> Result<()> {
        let start = self.c.pos();
        let axes = self.c.list("[", "]", |c| {
            let name = c.word("an axis")?.to_string();
            c.expect(":")?;
            Ok((name, c.number("an axis size", MAX_DEVICES)?))
        })?;
        if axes.len() > MAX_AXES {
            let message = format!("a mesh of {} axes; at most {MAX_AXES} are possible", axes.len());
            return self.c.error_at(start, message);
        }
        self.func.mesh = Mesh { axes };
        Ok(())
    }

    fn input(&mut self) -> Result<()> {
        let number = self.new_number()?;
        let port_name = self.c.name()?;
        let name = if self.c.eat_word("unnamed") {
            None
        } else if self.c.eat_word("as") {
            Some(self.c.name()?)
        } else {
            Some(port_name.clone())
        };
        self.c.expect(":")?;
        let (mut value, placed) = self.typed()?;
        value.name = name;
        let port = self.port(port_name, value.ty.rank())?;
        if !placed {
            value.span = port.span;
        }
        self.arg(Func::BODY, number, value);
        self.func.inputs.push(port);
        Ok(())
    }

    fn output(&mut self) -> Result<()> {
        let v = self.used()?;
        let name = self.c.name()?;
        self.c.expect(":")?;
        // The rank of an absent constraint follows when the value is known.
        let port = self.port(name, 0)?;
        self.func.regions[0].yields.push(v);
        self.func.outputs.push(port);
        Ok(())
    }

    fn port(&mut self, name: String, rank: usize) -> Result<Port> {
        let word = self.c.peek_word();
        let Some(role) = Role::ALL.into_iter().find(|r| r.name() == word) else {
            return self.c.expected("a role (parameter, state, input, output, loss, metric, gradient)");
        };
        self.c.expect_word(word)?;
        let mut port = Port::new(name, role, rank);
        if self.c.eat_word("of") {
            port.of = Some(self.c.name()?);
        }
        if self.c.eat_word("constraint") {
            port.constraint = self.constraint()?;
        }
        port.stacked = self.c.eat_word("stacked");
        if port.stacked && self.c.eat("(") {
            loop {
                port.entries.push(self.c.name()?);
                if !self.c.eat(",") {
                    break;
                }
            }
            self.c.expect(")")?;
        }
        if self.c.eat_word("init") {
            port.init = Some(self.init()?);
        }
        if self.c.eat_word("range") {
            let lo = self.int()?;
            self.c.expect("..")?;
            port.range = Some((lo, self.int()?));
        }
        if self.c.eat_word("updates") {
            port.updates = Some(self.used()?.index());
        }
        if let Some(span) = self.loc()? {
            port.span = span;
        }
        Ok(port)
    }

    fn init(&mut self) -> Result<Init> {
        let make = match self.c.peek_word() {
            "constant" => Init::Constant,
            "normal" => Init::Normal,
            "uniform" => Init::Uniform,
            "seed" => {
                self.c.word("an initializer")?;
                return Ok(Init::Seed);
            }
            _ => return self.c.expected("constant, normal, uniform or seed"),
        };
        self.c.word("an initializer")?;
        self.c.expect("(")?;
        let bits = self.float()?;
        self.c.expect(")")?;
        Ok(make(bits))
    }

    // Values.

    fn number(&mut self) -> Result<u32> {
        self.c.expect("%")?;
        Ok(self.c.number("a value's number", u64::from(u32::MAX >> 1))? as u32)
    }

    /// The number of a value that is defined here.
    fn new_number(&mut self) -> Result<u32> {
        let at = self.c.pos();
        let n = self.number()?;
        // The place is filled in by `define`.
        if self.numbers.insert(n, usize::MAX).is_some() {
            return self.c.error_at(at, format!("`%{n}` is defined twice"));
        }
        Ok(n)
    }

    /// A value that is used here; its id is its text number until the end.
    fn used(&mut self) -> Result<ValueId> {
        let at = self.c.pos();
        let n = self.number()?;
        self.uses.push((n, at));
        Ok(ValueId(n))
    }

    fn used_list(&mut self) -> Result<Vec<ValueId>> {
        let mut out = Vec::new();
        if self.c.peek() == Some('%') {
            out.push(self.used()?);
            while self.c.eat(",") {
                out.push(self.used()?);
            }
        }
        Ok(out)
    }

    fn define(&mut self, number: u32, value: Value) {
        self.numbers.insert(number, self.func.values.len());
        self.func.values.push(value);
    }

    fn arg(&mut self, region: RegionId, number: u32, mut value: Value) {
        let args = &mut self.func.regions[region.index()].args;
        value.def = Def::Arg(region, args.len() as u32);
        args.push(ValueId(number));
        self.define(number, value);
    }

    /// `f32[2, 3] @ [data, _] loc(..)`: a value without a name or definition, and whether its position was given.
    fn typed(&mut self) -> Result<(Value, bool)> {
        let ty = self.ty()?;
        let layout = if self.c.eat("@") { Some(self.layout()?) } else { None };
        let span = self.loc()?;
        let value = Value { ty, def: Def::Arg(Func::BODY, 0), name: None, span: span.unwrap_or_default(), layout };
        Ok((value, span.is_some()))
    }

    fn ty(&mut self) -> Result<TensorType> {
        let start = self.c.pos();
        let word = self.c.peek_word();
        let Some(dtype) = DType::from_name(word) else {
            return self.c.expected("an element type");
        };
        self.c.expect_word(word)?;
        let shape = if self.c.peek() == Some('[') {
            self.c.list("[", "]", |c| c.number("a dim size", MAX_ELEMENTS))?
        } else {
            Vec::new()
        };
        let ty = TensorType { dtype, shape };
        if ty.rank() > MAX_RANK {
            let message = format!("a value of {} dims; at most {MAX_RANK} are possible", ty.rank());
            return self.c.error_at(start, message);
        }
        if ty.elements() > MAX_ELEMENTS {
            let message = format!("{ty} has more than {MAX_ELEMENTS} elements");
            return self.c.error_at(start, message);
        }
        Ok(ty)
    }

    // Ops.

    fn op(&mut self, region: RegionId, depth: usize) -> Result<()> {
        let mut defs = Vec::new();
        if self.c.peek() == Some('%') {
            loop {
                let number = self.new_number()?;
                let name = if self.c.at_name() { Some(self.c.name()?) } else { None };
                defs.push((number, name));
                if !self.c.eat(",") {
                    break;
                }
            }
            self.c.expect("=")?;
        }
        let (mut op, operands) = self.head()?;
        let mut results = Vec::new();
        for (i, (number, name)) in defs.into_iter().enumerate() {
            self.c.expect(if i == 0 { ":" } else { "," })?;
            let (mut value, placed) = self.typed()?;
            value.name = name;
            results.push((number, value, placed));
        }
        if let Some((_, value, _)) = results.first() {
            complete(&mut op, &value.ty);
        }
        let mut phase = Phase::Forward;
        for p in [Phase::Forward, Phase::Backward, Phase::Update] {
            if self.c.eat_word(p.name()) {
                phase = p;
            }
        }
        let weight_grad = self.c.eat_word("weight_grad");
        let recompute = if self.c.eat_word("recompute") { Some(self.recompute()?) } else { None };
        let span = self.loc()?.unwrap_or_default();
        let mut regions = Vec::new();
        if matches!(op, Op::Repeat { .. } | Op::Composite { .. }) {
            regions.push(self.region(depth + 1)?);
        }
        let id = OpId(self.func.ops.len() as u32);
        for &r in &regions {
            self.func.regions[r.index()].owner = Some(id);
        }
        let numbers = results.iter().map(|r| ValueId(r.0)).collect();
        for (i, (number, mut value, placed)) in results.into_iter().enumerate() {
            value.def = Def::Op(id, i as u32);
            if !placed {
                value.span = span;
            }
            self.define(number, value);
        }
        self.func.ops.push(OpData {
            op,
            operands,
            results: numbers,
            regions,
            parent: region,
            span,
            phase,
            weight_grad,
            recompute,
        });
        self.func.regions[region.index()].ops.push(id);
        Ok(())
    }

    /// `(full)`
    fn recompute(&mut self) -> Result<Recompute> {
        self.c.expect("(")?;
        let Some(r) = Recompute::ALL.into_iter().find(|r| self.c.eat_word(r.name())) else {
            return self.c.error("expected `none`, `full` or `auto`".to_string());
        };
        self.c.expect(")")?;
        Ok(r)
    }

    fn region(&mut self, depth: usize) -> Result<RegionId> {
        if depth > MAX_NESTING {
            return self.c.error(format!("regions nested more than {MAX_NESTING} deep"));
        }
        self.c.expect("{")?;
        let r = RegionId(self.func.regions.len() as u32);
        self.func.regions.push(Region::default());
        while self.c.eat_word("arg") {
            let number = self.new_number()?;
            let name = if self.c.at_name() { Some(self.c.name()?) } else { None };
            self.c.expect(":")?;
            let (mut value, _) = self.typed()?;
            value.name = name;
            self.arg(r, number, value);
        }
        while !self.c.eat_word("yield") {
            self.op(r, depth)?;
        }
        self.func.regions[r.index()].yields = self.used_list()?;
        self.c.expect("}")?;
        Ok(r)
    }

    /// Name, operands and attributes of an op. What follows from its result type is left empty ([`complete`]).
    fn head(&mut self) -> Result<(Op, Vec<ValueId>)> {
        let start = self.c.pos();
        let word = self.c.word("an op")?;
        match word {
            "repeat" => return self.repeat_head(),
            "while" => return self.while_head(),
            "composite" => return self.composite_head(),
            _ => {}
        }
        let operands = self.used_list()?;
        let op = match word {
            "convert" => Op::Convert { to: DType::F32 },
            "reshape" => Op::Reshape { shape: Vec::new() },
            "gather" if self.c.peek() != Some('{') => Op::Gather { shard: Vec::new(), total: None },
            _ => match Elem::by_name(word) {
                Some(e) => Op::Elem(e),
                None => self.attributes(word, start)?,
            },
        };
        Ok((op, operands))
    }

    /// The attributes of an op that has them, in braces. Which op it is comes first: a wrong name is the likelier mistake.
    fn attributes(&mut self, word: &str, start: usize) -> Result<Op> {
        if !self.c.eat("{") {
            let message = format!("there is no op `{word}` without attributes in braces");
            return self.c.error_at(start, message);
        }
        let op = match word {
            "constant" => Op::Constant { dtype: DType::F32, shape: Vec::new(), value: self.literal()? },
            "iota" => {
                Op::Iota { dtype: DType::F32, shape: Vec::new(), dim: self.keyed_dim("dim")?, shard: self.shard()? }
            }
            "broadcast_in_dim" => {
                self.c.expect_word("dims")?;
                Op::Broadcast { shape: Vec::new(), dims: self.dims()? }
            }
            "transpose" => Op::Transpose { perm: self.dims()? },
            "slice" => {
                let (start, limit) = self.ranges()?;
                Op::Slice { start, limit }
            }
            "pad" => {
                let (low, high) = self.ranges()?;
                Op::Pad { low, high }
            }
            "windows" => {
                let dim = self.keyed_dim("dim")?;
                let (size, stride, dilation) =
                    (self.keyed_size("size")?, self.keyed_size("stride")?, self.keyed_size("dilation")?);
                self.c.expect_word("pad")?;
                let low = self.signed()?;
                self.c.expect(":")?;
                let high = self.signed()?;
                self.c.expect_word("with")?;
                let fill = self.scalar()?;
                Op::Windows { dim, window: Window { size, stride, dilation, low, high, fill } }
            }
            "reverse" => Op::Reverse { dim: self.keyed_dim("dim")? },
            "concatenate" => Op::Concatenate { dim: self.keyed_dim("dim")? },
            "dot_general" => {
                let at = self.c.pos();
                let text = self.c.raw_until('}')?;
                let (letters, to) = match text.split_once(" to ") {
                    None => (text, None),
                    Some((letters, name)) => match DType::from_name(name.trim()) {
                        Some(to) => (letters, Some(to)),
                        None => return self.c.error_at(at, format!("`{}` is no element type", name.trim())),
                    },
                };
                match Einsum::parse(letters) {
                    Ok(e) => Op::DotGeneral(Einsum { to, ..e }),
                    Err(message) => return self.c.error_at(at, message),
                }
            }
            "reduce" => Op::Reduce { kind: self.reduction()?, dims: self.dims()? },
            "cumulative" => Op::Cumulative {
                kind: self.reduction()?,
                dim: self.keyed_dim("dim")?,
                reverse: self.c.eat_word("reverse"),
                exclusive: self.c.eat_word("exclusive"),
            },
            "top_k" => {
                let dim = self.keyed_dim("dim")?;
                let largest = self.c.eat_word("largest");
                if !largest {
                    self.c.expect_word("smallest")?;
                }
                Op::TopK {
                    dim,
                    k: self.c.number("a count", MAX_ELEMENTS)?,
                    largest,
                    indices: self.c.eat_word("indices"),
                }
            }
            "random_bits" => {
                self.c.expect_word("of")?;
                let total = self.c.list("[", "]", |c| c.number("a size", MAX_ELEMENTS))?;
                let shard = if self.c.eat_word("split") { self.layout()?.dims } else { Vec::new() };
                Op::RandomBits { shape: Vec::new(), total, shard }
            }
            "gather" => Op::Gather { total: self.size("total")?, shard: self.shard()? },
            "scatter" => {
                self.c.expect_word("total")?;
                Op::Scatter { rows: 0, total: self.c.number("a count of rows", MAX_ELEMENTS)?, shard: self.shard()? }
            }
            "constrain" => {
                if self.c.eat_word("absent") {
                    let rank = self.c.number("a rank", MAX_RANK as u64)?;
                    Op::Constrain(Constraint::absent(rank as usize))
                } else {
                    Op::Constrain(self.constraint()?)
                }
            }
            "all_reduce" => Op::AllReduce { kind: self.reduction()?, axes: self.over("over")? },
            "all_gather" => {
                Op::AllGather { dim: self.keyed_dim("dim")?, size: self.size("size")?, axes: self.over("over")? }
            }
            "reduce_scatter" => {
                Op::ReduceScatter { kind: self.reduction()?, dim: self.keyed_dim("dim")?, axes: self.over("over")? }
            }
            "all_to_all" => Op::AllToAll {
                split: self.keyed_dim("split")?,
                concat: self.keyed_dim("concat")?,
                size: self.size("size")?,
                axes: self.over("over")?,
            },
            "rotate" => Op::Rotate { dim: self.keyed_dim("dim")?, by: self.keyed_size("by")? },
            "collective_permute" if self.c.eat_word("shift") => {
                Op::CollectiveShift { by: self.c.number("a number of devices", u64::MAX)?, axes: self.over("over")? }
            }
            "collective_permute" => {
                self.c.expect_word("from")?;
                let from = self.layout()?.dims;
                self.c.expect_word("to")?;
                Op::permute(from, self.layout()?.dims)
            }
            "shard_slice" => Op::ShardSlice { dim: self.keyed_dim("dim")?, axes: self.over("over")? },
            "partial_split" => Op::PartialSplit { axes: self.over("over")? },
            "pad_mask" => Op::PadMask {
                kind: self.reduction()?,
                dim: self.keyed_dim("dim")?,
                size: self.keyed_size("size")?,
                axes: self.over("over")?,
            },
            _ => return self.c.error_at(start, format!("there is no op `{word}`")),
        };
        self.c.expect("}")?;
        Ok(op)
    }

    fn repeat_head(&mut self) -> Result<(Op, Vec<ValueId>)> {
        let mut operands = Vec::new();
        let mut counts = [0; 3];
        for (n, group) in counts.iter_mut().zip(["carries", "xs", "invariants"]) {
            self.c.expect_word(group)?;
            self.c.expect("(")?;
            let vs = self.used_list()?;
            self.c.expect(")")?;
            *n = vs.len();
            operands.extend(vs);
        }
        self.c.expect("{")?;
        self.c.expect_word("trip")?;
        let trip = self.c.number("a trip count", MAX_TRIP)?;
        let reverse = self.c.eat_word("reverse");
        self.c.expect("}")?;
        let op = Op::Repeat { trip, reverse, carries: counts[0], xs: counts[1], early: false };
        Ok((op, operands))
    }

    fn while_head(&mut self) -> Result<(Op, Vec<ValueId>)> {
        let mut operands = Vec::new();
        let mut carries = 0;
        for group in ["carries", "invariants"] {
            self.c.expect_word(group)?;
            self.c.expect("(")?;
            operands.extend(self.used_list()?);
            self.c.expect(")")?;
            if group == "carries" {
                carries = operands.len();
            }
        }
        self.c.expect("{")?;
        let trip = match self.c.eat_word("at_most") {
            true => self.c.number("a trip count", MAX_TRIP)?,
            false => UNBOUNDED,
        };
        self.c.expect("}")?;
        Ok((Op::Repeat { trip, reverse: false, carries, xs: 0, early: true }, operands))
    }

    fn composite_head(&mut self) -> Result<(Op, Vec<ValueId>)> {
        self.c.expect("@")?;
        let name = self.c.name()?;
        let operands = self.used_list()?;
        let mut attrs = BTreeMap::new();
        self.c.expect("{")?;
        while self.c.peek() != Some('}') {
            let at = self.c.pos();
            let key = self.c.name()?;
            self.c.expect(":")?;
            let value = self.attr()?;
            if attrs.contains_key(&key) {
                return self.c.error_at(at, format!("attribute `{key}` stands twice"));
            }
            attrs.insert(key, value);
            if !self.c.eat(",") {
                break;
            }
        }
        self.c.expect("}")?;
        Ok((Op::Composite { name, attrs }, operands))
    }

    // Attributes.

    fn attr(&mut self) -> Result<Attr> {
        if self.c.peek() == Some('"') {
            return Ok(Attr::Str(self.c.string()?));
        }
        if self.c.eat_word("true") {
            return Ok(Attr::Bool(true));
        }
        if self.c.eat_word("false") {
            return Ok(Attr::Bool(false));
        }
        Ok(match self.scalar()? {
            Scalar::Int(i) => Attr::Int(i),
            Scalar::Float(b) => Attr::Float(b),
        })
    }

    fn literal(&mut self) -> Result<Literal> {
        if self.c.peek() != Some('[') {
            return Ok(Literal::Splat(self.scalar()?));
        }
        self.c.expect("[")?;
        let mut out = Vec::new();
        while !self.c.eat("]") {
            out.push(self.scalar()?);
            if !self.c.eat(",") && self.c.peek() != Some(']') {
                return self.c.expected("`,` or `]`");
            }
        }
        Ok(Literal::Dense(out))
    }

    fn scalar(&mut self) -> Result<Scalar> {
        let at = self.c.pos();
        let text = self.c.number_text()?;
        if let Ok(i) = text.parse::<i64>() {
            return Ok(Scalar::Int(i));
        }
        let bits = if text == "nan" {
            Some(f64::NAN.to_bits())
        } else if let Some(hex) = text.strip_prefix("nan(0x") {
            let bits = u64::from_str_radix(hex.trim_end_matches(')'), 16).ok();
            bits.filter(|&b| f64::from_bits(b).is_nan())
        } else {
            text.parse::<f64>().ok().map(f64::to_bits)
        };
        match bits {
            Some(b) => Ok(Scalar::Float(b)),
            None => self.c.error_at(at, format!("`{text}` is not a number")),
        }
    }

    /// Bits of an f64.
    fn float(&mut self) -> Result<u64> {
        Ok(match self.scalar()? {
            Scalar::Float(bits) => bits,
            Scalar::Int(i) => (i as f64).to_bits(),
        })
    }

    fn int(&mut self) -> Result<i64> {
        let at = self.c.pos();
        match self.scalar()? {
            Scalar::Int(i) => Ok(i),
            Scalar::Float(_) => self.c.error_at(at, "an integer is needed"),
        }
    }

    fn dim(c: &mut Cursor<'_>) -> Result<usize> {
        Ok(c.number("a dim", MAX_RANK as u64)? as usize)
    }

    fn keyed_dim(&mut self, key: &str) -> Result<usize> {
        self.c.expect_word(key)?;
        Self::dim(&mut self.c)
    }

    fn keyed_size(&mut self, key: &str) -> Result<u64> {
        self.c.expect_word(key)?;
        self.c.number("a size", MAX_ELEMENTS)
    }

    /// A width of padding, which may be negative.
    fn signed(&mut self) -> Result<i64> {
        let sign = if self.c.eat("-") { -1 } else { 1 };
        Ok(sign * self.c.number("a width", MAX_ELEMENTS)? as i64)
    }

    /// `size 1003`, where it is given.
    fn size(&mut self, key: &str) -> Result<Option<u64>> {
        if self.c.peek_word() == key { self.keyed_size(key).map(Some) } else { Ok(None) }
    }

    fn dims(&mut self) -> Result<Vec<usize>> {
        self.c.list("[", "]", Self::dim)
    }

    fn ranges(&mut self) -> Result<(Vec<u64>, Vec<u64>)> {
        let pairs = self.c.list("[", "]", |c| {
            let a = c.number("a bound", MAX_ELEMENTS)?;
            c.expect(":")?;
            Ok((a, c.number("a bound", MAX_ELEMENTS)?))
        })?;
        Ok(pairs.into_iter().unzip())
    }

    fn reduction(&mut self) -> Result<Reduction> {
        match Reduction::from_name(self.c.peek_word()) {
            Some(r) => {
                self.c.expect_word(r.name())?;
                Ok(r)
            }
            None => self.c.expected("sum, max or min"),
        }
    }

    fn axis(&mut self) -> Result<Axis> {
        let word = self.c.peek_word();
        match self.func.mesh.axis(word) {
            Some(a) => {
                self.c.expect_word(word)?;
                Ok(a)
            }
            None => self.c.expected(&format!("an axis of the mesh {}", self.func.mesh)),
        }
    }

    /// `data`, or `(data, model)`, major first.
    fn axes(&mut self) -> Result<Vec<Axis>> {
        if self.c.peek() != Some('(') {
            return Ok(vec![self.axis()?]);
        }
        self.c.expect("(")?;
        let mut out = Vec::new();
        while !self.c.eat(")") {
            out.push(self.axis()?);
            if !self.c.eat(",") && self.c.peek() != Some(')') {
                return self.c.expected("`,` or `)`");
            }
        }
        Ok(out)
    }

    fn over(&mut self, key: &str) -> Result<Vec<Axis>> {
        self.c.expect_word(key)?;
        self.axes()
    }

    fn shard(&mut self) -> Result<Vec<Axis>> {
        if self.c.peek_word() == "shard" {
            return self.over("shard");
        }
        Ok(Vec::new())
    }

    fn layout(&mut self) -> Result<Layout> {
        let at = self.c.pos();
        match self.constraint()?.closed() {
            Some(l) => Ok(l),
            None => self.c.error_at(at, "a layout has no open dims (`?`)"),
        }
    }

    fn constraint(&mut self) -> Result<Constraint> {
        self.c.expect("[")?;
        let mut dims = Vec::new();
        while !self.c.eat("]") {
            let axes = match self.c.peek() {
                Some('?') => Vec::new(),
                _ if self.c.eat_word("_") => Vec::new(),
                _ => self.axes()?,
            };
            dims.push(if self.c.eat("?") { DimSpec::AtLeast(axes) } else { DimSpec::Exactly(axes) });
            if !self.c.eat(",") && self.c.peek() != Some(']') {
                return self.c.expected("`,` or `]`");
            }
        }
        let mut c = Constraint::of(dims);
        while self.c.eat("+") {
            let copies = self.c.eat_word("copies");
            if !copies {
                self.c.expect_word("partial")?;
            }
            self.c.expect("(")?;
            let axis = self.axis()?;
            if copies {
                c.copies.insert(axis);
            } else {
                let kind = if self.c.eat(",") { self.reduction()? } else { Reduction::Sum };
                c.partial.insert(axis, kind);
            }
            self.c.expect(")")?;
        }
        Ok(c)
    }

    fn loc(&mut self) -> Result<Option<Span>> {
        if !self.c.eat_word("loc") {
            return Ok(None);
        }
        self.c.expect("(")?;
        let mut part = |after: &str| -> Result<u32> {
            let n = self.c.number("a position", u64::from(u32::MAX))?;
            self.c.expect(after)?;
            Ok(n as u32)
        };
        let (file, start, end) = (part(":")?, part("-")?, part(")")?);
        Ok(Some(Span { file: FileId(file), start, end }))
    }
}

/// Fills in the attributes that the text gives as the result type alone.
fn complete(op: &mut Op, ty: &TensorType) {
    match op {
        Op::Constant { dtype, shape, .. } | Op::Iota { dtype, shape, .. } => {
            *dtype = ty.dtype;
            shape.clone_from(&ty.shape);
        }
        Op::Broadcast { shape, .. } | Op::Reshape { shape } | Op::RandomBits { shape, .. } => {
            shape.clone_from(&ty.shape)
        }
        Op::Convert { to } => *to = ty.dtype,
        Op::Scatter { rows, .. } => *rows = ty.shape.first().copied().unwrap_or(0),
        _ => {}
    }
}
