//! Tensors at the boundaries of modules: what their styles do with them, and what PyTorch's autograd makes of that in the backward pass.
//!
//! The gradient of `to_local` is `from_local` with the placement that the tensor had; of `redistribute` it is one to the placement
//! before, and of `from_local` one to the placement that was claimed, where a partial sum stands for a whole (torch 2.12,
//! `distributed/tensor/_api.py` and `_redistribute.py`).

use crate::boundary::{Boundary, Done};
use crate::places::Mark;
use crate::plan::Placement;
use crate::state::Walk;
use crate::tensor::{LocalTensor, TensorKind};
use meshloom_ir::layout::Slot;
use meshloom_ir::{Axis, Layout, OpId, Reduction, ValueId};

impl Walk<'_> {
    /// Takes `v`, the value of a boundary, over it.
    pub fn cross(&mut self, o: OpId, mark: &Mark, v: ValueId, backward: bool) {
        if backward {
            let done = self.done.get_mut(mark);
            // Calls come back in the opposite order. Layers that are computed again have more forward passes than backward ones.
            let done = done.and_then(|all| if all.len() > 1 { all.pop() } else { all.last().cloned() });
            for step in done.unwrap_or_default().into_iter().rev() {
                self.back(o, mark, v, step);
            }
            return;
        }
        let mut done = Vec::new();
        for b in self.styled.at(mark) {
            self.over(o, mark, v, &b, &mut done);
        }
        if !done.is_empty() {
            self.bounded.insert(v);
        }
        self.done.entry(mark.clone()).or_default().push(done);
    }

    fn over(&mut self, o: OpId, mark: &Mark, v: ValueId, b: &Boundary, done: &mut Vec<Done>) {
        let axis = Axis(b.axis as u8);
        let rank = self.func.ty(v).rank();
        let of_rank = |p: Option<Placement>| p.map(|p| p.of_rank(rank));
        let (Some(comes), Some(wanted)) = (
            of_rank(b.comes).map_or(Some(None), |p| p.map(Some)),
            of_rank(b.wanted).map_or(Some(None), |p| p.map(Some)),
        ) else {
            let what = Walk::argument(mark);
            return self.refuse(
                &mark.module,
                None,
                format!("{} names a dim that {what} of rank {rank} does not have", b.style),
            );
        };
        let is_dtensor = self.held[v.index()].as_ref().is_some_and(|h| h.kind.axis().is_some());
        if !is_dtensor {
            if b.dtensor && self.held[v.index()].is_some() {
                let text = format!(
                    "{}: {} is no DTensor, and PyTorch asks it for its placements",
                    b.style,
                    Walk::argument(mark)
                );
                self.held[v.index()] = None;
                return self.refuse(&mark.module, None, text);
            }
            let Some(comes) = comes else { return };
            self.claim(o, mark, v, axis, comes, &format!("{} takes {}", b.style, Walk::argument(mark)));
            done.push(Done::From(axis, comes));
        }
        let now = self.placement(v, axis);
        let asks = if b.compares { wanted.is_some() && wanted != now } else { wanted.is_some() && wanted != comes };
        if let (true, Some(wanted), Some(now)) = (asks, wanted, now) {
            self.redistribute(o, mark, v, axis, wanted);
            done.push(Done::Redistribute(axis, now));
        }
        if let (true, Some(now)) = (b.local, self.placement(v, axis)) {
            done.push(Done::To(axis, now));
            self.turn(v, TensorKind::Plain, mark);
        } else if let Some(h) = self.held[v.index()].as_mut().filter(|h| h.kind.axis().is_some()) {
            h.since = Some(Walk::since(mark));
        }
    }

    fn back(&mut self, o: OpId, mark: &Mark, v: ValueId, step: Done) {
        self.bounded.insert(v);
        match step {
            Done::To(axis, p) => {
                let p = p.of_gradient();
                let what = format!("PyTorch takes the gradient of {}", Walk::argument(mark));
                self.claim(o, mark, v, axis, p, &what);
            }
            Done::Redistribute(axis, p) => self.redistribute(o, mark, v, axis, p.of_gradient()),
            Done::From(axis, p) => {
                self.redistribute(o, mark, v, axis, p.of_gradient());
                self.turn(v, TensorKind::Plain, mark);
            }
        }
    }

    /// The placement that a value has on an axis.
    fn placement(&self, v: ValueId, axis: Axis) -> Option<Placement> {
        let held = self.held[v.index()].as_ref()?;
        Some(match held.layout.slot(axis) {
            Slot::Replicated => Placement::Replicate,
            Slot::Split(d) => Placement::Shard(d as i64),
            Slot::Partial(_) => Placement::Partial,
        })
    }

    fn turn(&mut self, v: ValueId, kind: TensorKind, mark: &Mark) {
        if let Some(h) = self.held[v.index()].as_mut() {
            (h.kind, h.since) = (kind, Some(Walk::since(mark)));
        }
    }

    /// A plain tensor becomes a DTensor of this placement. Where it is none, that is refused, and taken as given after it.
    fn claim(&mut self, o: OpId, mark: &Mark, v: ValueId, axis: Axis, p: Placement, what: &str) {
        let Some(held) = self.held[v.index()].clone() else {
            // Something before was refused. What is claimed stands for it.
            let rank = self.func.ty(v).rank();
            let layout = p.on(&Layout::replicated(rank), axis);
            let local = ValueId(0);
            self.held[v.index()] = Some(LocalTensor { local, layout, kind: TensorKind::DTensor(axis), since: None });
            return;
        };
        let now = self.placement(v, axis);
        let other = held.kind.axis().is_some_and(|a| a != axis);
        let mut held = LocalTensor { kind: TensorKind::DTensor(axis), ..held };
        let is_sum = held.layout.partial.get(&axis).is_none_or(|r| *r == Reduction::Sum);
        if other {
            self.refuse(&mark.module, None, format!("{what} for a tensor, and it is a DTensor of another mesh"));
        } else if now != Some(p) || !is_sum {
            let repeated = match (p, now) {
                (Placement::Shard(d), Some(Placement::Replicate)) => self.repeated(v, d as usize, &[axis]),
                _ => None,
            };
            if let Some(made) = repeated {
                held = LocalTensor { kind: TensorKind::DTensor(axis), ..made };
            } else {
                let since = held.since.clone().map_or(String::new(), |s| format!(" {s}"));
                let now = now.map_or(String::new(), |n| n.to_string());
                let axis_name = self.func.mesh.name(axis).to_string();
                let text = format!("{what} for {p} over `{axis_name}`, and it is {now}{since}");
                let place = self.place_of(o);
                self.refuse_at(&mark.module, None, place.map(|p| p.line), text);
                held.layout = p.on(&held.layout, axis);
            }
        }
        self.held[v.index()] = Some(held);
    }

    /// A DTensor in another placement. To `Partial()`, too: where PyTorch has a partial sum already, it may be whole here, since a bias
    /// was added. Where PyTorch has none, it raises.
    fn redistribute(&mut self, o: OpId, mark: &Mark, v: ValueId, axis: Axis, p: Placement) {
        let Some(held) = self.held[v.index()].clone() else { return };
        let to = p.on(&held.layout, axis);
        let made = self.resharded(v, &held, &to, o);
        if made.is_none() {
            let what = Walk::argument(mark);
            let text =
                format!("{what} cannot be redistributed to {p}: its dims do not divide evenly, which is not followed");
            self.refuse(&mark.module, None, text);
        }
        self.held[v.index()] = made;
    }

    fn argument(mark: &Mark) -> String {
        let position = mark.argument.bytes().all(|b| b.is_ascii_digit());
        match (mark.enters, position) {
            (true, true) => format!("its input {}", mark.argument),
            (true, false) => format!("its input `{}`", mark.argument),
            (false, _) if mark.argument == "0" => "its result".into(),
            (false, _) => format!("its result {}", mark.argument),
        }
    }

    fn since(mark: &Mark) -> String {
        let module = if mark.module.is_empty() { "the model" } else { &mark.module };
        let way = if mark.enters { "inside of" } else { "as it comes out of" };
        format!("{way} {module}")
    }
}
