//! Reading the text form back ([`crate::print`]): recursive descent, one function per construct. A text that parses is a
//! well-formed graph, not yet a well-typed one; [`crate::verify`] is run on it like on the output of any phase.
//!
//! Numbers of values become their ids as they stand (gaps closed), ops are numbered as [`crate::Builder`] does: an op after
//! the ops of its regions. Errors have a line and column. Sizes and nesting are limited, so that no text can exhaust the
//! stack or overflow a size.

use crate::graph::{Def, Func, Init, OpData, OpId, Phase, Port, Recompute, Region, RegionId, Role, Value, ValueId};
use crate::layout::Constraint;
use crate::mesh::Mesh;
use crate::op::{Op, UNBOUNDED};
use crate::scan::{Cursor, ParseResult};
use crate::span::{FileId, Span};
use crate::table;
use crate::text::Attrs;
use crate::types::{DType, TensorType};
use crate::verify::{MAX_ELEMENTS, MAX_NESTING, MAX_RANK, MAX_TRIP};
use std::collections::BTreeMap;

mod extend;

pub use crate::scan::ParseError;
pub use extend::extend;

/// Reads a function.
///
/// # Errors
/// The first place where the text is not one, with what was expected.
pub fn parse(text: &str) -> ParseResult<Func> {
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

impl<'a> Parser<'a> {
    fn attrs(&mut self) -> Attrs<'_, 'a> {
        Attrs { c: &mut self.c, mesh: &self.func.mesh }
    }

    fn function(&mut self) -> ParseResult<()> {
        self.c.expect_word("func")?;
        self.c.expect("@")?;
        self.func.name = self.c.name()?;
        self.c.expect_word("on")?;
        self.func.mesh = Mesh::read(&mut self.c)?;
        if self.c.eat_word("stashes") {
            self.c.expect_word("host")?;
            self.func.stashes_in_host = true;
        }
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
    fn resolve(self) -> ParseResult<Func> {
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

    fn input(&mut self) -> ParseResult<()> {
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

    fn output(&mut self) -> ParseResult<()> {
        let v = self.used()?;
        let name = self.c.name()?;
        self.c.expect(":")?;
        // The rank of an absent constraint follows when the value is known.
        let port = self.port(name, 0)?;
        self.func.regions[0].yields.push(v);
        self.func.outputs.push(port);
        Ok(())
    }

    fn port(&mut self, name: String, rank: usize) -> ParseResult<Port> {
        let word = self.c.peek_word();
        let Some(role) = Role::ALL.into_iter().find(|r| r.name() == word) else {
            return self.c.expected("a role (parameter, state, input, output, loss, metric, gradient)");
        };
        self.c.expect_word(word)?;
        let mut port = Port::new(name, role, rank);
        if self.c.eat_word("of") {
            port.of = Some(self.c.name()?);
        }
        port.host = self.c.eat_word("host");
        if self.c.eat_word("constraint") {
            port.constraint = self.attrs().constraint()?;
        }
        port.stacked = self.c.eat_word("stacked");
        if port.stacked && self.c.eat_word("from") {
            port.first_layer = u64::try_from(self.attrs().int()?).unwrap_or(0);
        }
        if port.stacked && self.c.eat("(") {
            loop {
                port.entries.push(self.c.name()?);
                if !self.c.eat(",") {
                    break;
                }
            }
            self.c.expect(")")?;
        }
        port.complex = self.c.eat_word("complex");
        port.unsigned = self.c.eat_word("unsigned");
        if self.c.eat_word("init") {
            port.init = Some(self.init()?);
        }
        if self.c.eat_word("range") {
            let lo = self.attrs().int()?;
            self.c.expect("..")?;
            port.range = Some((lo, self.attrs().int()?));
        }
        if self.c.eat_word("updates") {
            port.updates = Some(self.used()?.index());
        }
        if let Some(span) = self.loc()? {
            port.span = span;
        }
        Ok(port)
    }

    fn init(&mut self) -> ParseResult<Init> {
        let make = match self.c.peek_word() {
            "constant" => {
                self.c.word("an initializer")?;
                self.c.expect("(")?;
                let value = self.attrs().scalar()?;
                self.c.expect(")")?;
                return Ok(Init::Constant(value));
            }
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
        let bits = self.attrs().float()?;
        self.c.expect(")")?;
        Ok(make(bits))
    }

    // Values.

    fn number(&mut self) -> ParseResult<u32> {
        self.c.expect("%")?;
        Ok(self.c.number("a value's number", u64::from(u32::MAX >> 1))? as u32)
    }

    /// The number of a value that is defined here.
    fn new_number(&mut self) -> ParseResult<u32> {
        let at = self.c.pos();
        let n = self.number()?;
        // The place is filled in by `define`.
        if self.numbers.insert(n, usize::MAX).is_some() {
            return self.c.error_at(at, format!("`%{n}` is defined twice"));
        }
        Ok(n)
    }

    /// A value that is used here; its id is its text number until the end.
    fn used(&mut self) -> ParseResult<ValueId> {
        let at = self.c.pos();
        let n = self.number()?;
        self.uses.push((n, at));
        Ok(ValueId(n))
    }

    fn used_list(&mut self) -> ParseResult<Vec<ValueId>> {
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
    fn typed(&mut self) -> ParseResult<(Value, bool)> {
        let ty = self.ty()?;
        let layout = if self.c.eat("@") { Some(self.attrs().layout()?) } else { None };
        let span = self.loc()?;
        let value = Value { ty, def: Def::Arg(Func::BODY, 0), name: None, span: span.unwrap_or_default(), layout };
        Ok((value, span.is_some()))
    }

    fn ty(&mut self) -> ParseResult<TensorType> {
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

    fn op(&mut self, region: RegionId, depth: usize) -> ParseResult<()> {
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
            (op.entry().text.complete)(&mut op, &value.ty);
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
        if op.has_region() {
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
    fn recompute(&mut self) -> ParseResult<Recompute> {
        self.c.expect("(")?;
        let Some(r) = Recompute::ALL.into_iter().find(|r| self.c.eat_word(r.name())) else {
            return self.c.error("expected `none`, `full` or `auto`".to_string());
        };
        self.c.expect(")")?;
        Ok(r)
    }

    fn region(&mut self, depth: usize) -> ParseResult<RegionId> {
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
    fn head(&mut self) -> ParseResult<(Op, Vec<ValueId>)> {
        let start = self.c.pos();
        let word = self.c.word("an op")?;
        match word {
            "repeat" => return self.repeat_head(),
            "while" => return self.while_head(),
            "composite" => return self.composite_head(),
            _ => {}
        }
        let operands = self.used_list()?;
        let entry = table::by_name(word);
        if self.c.peek() != Some('{') {
            return match entry.and_then(|d| d.text.bare?(word)) {
                Some(op) => Ok((op, operands)),
                None => self.c.error_at(start, format!("there is no op `{word}` without attributes in braces")),
            };
        }
        // Which op it is comes first: a wrong name is the likelier mistake.
        let Some(read) = entry.and_then(|d| d.text.read) else {
            return match entry.and_then(|d| d.text.bare?(word)) {
                // The braces are not this op's.
                Some(op) => Ok((op, operands)),
                None => self.c.error_at(start, format!("there is no op `{word}`")),
            };
        };
        self.c.expect("{")?;
        let op = read(&mut self.attrs())?;
        self.c.expect("}")?;
        Ok((op, operands))
    }

    fn repeat_head(&mut self) -> ParseResult<(Op, Vec<ValueId>)> {
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

    fn while_head(&mut self) -> ParseResult<(Op, Vec<ValueId>)> {
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

    fn composite_head(&mut self) -> ParseResult<(Op, Vec<ValueId>)> {
        self.c.expect("@")?;
        let name = self.c.name()?;
        let operands = self.used_list()?;
        let mut attrs = BTreeMap::new();
        self.c.expect("{")?;
        while self.c.peek() != Some('}') {
            let at = self.c.pos();
            let key = self.c.name()?;
            self.c.expect(":")?;
            let value = self.attrs().attr()?;
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

    fn loc(&mut self) -> ParseResult<Option<Span>> {
        if !self.c.eat_word("loc") {
            return Ok(None);
        }
        self.c.expect("(")?;
        let mut part = |after: &str| -> ParseResult<u32> {
            let n = self.c.number("a position", u64::from(u32::MAX))?;
            self.c.expect(after)?;
            Ok(n as u32)
        };
        let (file, start, end) = (part(":")?, part("-")?, part(")")?);
        Ok(Some(Span { file: FileId(file), start, end }))
    }
}
