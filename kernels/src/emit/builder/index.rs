//! Index arithmetic, folded where it is constant and shared where it is there already.

use super::{Builder, ElemKind, Ix, Ty, Val};

impl Builder {
    /// The value of an index.
    pub fn ix(&mut self, x: Ix) -> Val {
        let ty = Ty::scalar(ElemKind::Index);
        match (x.base, x.offset) {
            (Some(v), 0) => v,
            (None, n) => self.int(ty, n),
            (Some(v), n) => {
                let n = self.int(ty, n);
                self.shared(ty, format!("arith.addi %{}, %{} overflow<nsw> : index", v.0, n.0))
            }
        }
    }

    pub fn add(&mut self, a: Ix, b: Ix) -> Ix {
        let base = match (a.base, b.base) {
            (Some(x), Some(y)) => {
                let ty = Ty::scalar(ElemKind::Index);
                Some(self.shared(ty, format!("arith.addi %{}, %{} overflow<nsw> : index", x.0, y.0)))
            }
            (x, y) => x.or(y),
        };
        Ix { base, offset: a.offset + b.offset }
    }

    pub fn scale(&mut self, a: Ix, n: i64) -> Ix {
        let base = match a.base {
            Some(v) if n != 0 && n != 1 => {
                let n = self.int(Ty::scalar(ElemKind::Index), n);
                Some(self.index_op("muli", v, n, " overflow<nsw>"))
            }
            v => v.filter(|_| n != 0),
        };
        Ix { base, offset: a.offset * n }
    }

    fn index_op(&mut self, op: &str, a: Val, b: Val, flags: &str) -> Val {
        self.shared(Ty::scalar(ElemKind::Index), format!("arith.{op} %{}, %{}{flags} : index", a.0, b.0))
    }

    /// Quotient and remainder of a non-negative index by a constant.
    pub fn div_rem(&mut self, a: Ix, n: u64) -> (Ix, Ix) {
        if n <= 1 {
            return (a, Ix::ZERO);
        }
        if let Some(k) = a.known() {
            return (Ix::from(k / n as i64), Ix::from(k % n as i64));
        }
        let (v, n) = (self.ix(a), self.int(Ty::scalar(ElemKind::Index), n as i64));
        (self.index_op("divui", v, n, "").into(), self.index_op("remui", v, n, "").into())
    }

    /// Of non-negative indices.
    pub fn xor(&mut self, a: Ix, b: Ix) -> Ix {
        if let (Some(x), Some(y)) = (a.known(), b.known()) {
            return Ix::from(x ^ y);
        }
        let (x, y) = (self.ix(a), self.ix(b));
        self.index_op("xori", x, y, "").into()
    }

    pub fn min(&mut self, a: Ix, b: Ix) -> Ix {
        match (a.known(), b.known()) {
            (Some(x), Some(y)) => Ix::from(x.min(y)),
            _ if a == b => a,
            _ => {
                let (x, y) = (self.ix(a), self.ix(b));
                self.index_op("minsi", x, y, "").into()
            }
        }
    }

    pub fn max(&mut self, a: Ix, b: Ix) -> Ix {
        match (a.known(), b.known()) {
            (Some(x), Some(y)) => Ix::from(x.max(y)),
            _ if a == b => a,
            _ => {
                let (x, y) = (self.ix(a), self.ix(b));
                self.index_op("maxsi", x, y, "").into()
            }
        }
    }

    /// `a op b` on indices: `eq`, `slt`, `sge` and so on.
    pub fn test(&mut self, op: &str, a: Ix, b: Ix) -> Val {
        let (x, y) = (self.ix(a), self.ix(b));
        self.shared(Ty::scalar(ElemKind::I1), format!("arith.cmpi {op}, %{}, %{} : index", x.0, y.0))
    }
}
