//! Arrays of constants, which a schedule fills element by element.

use crate::affine::Affine;
use crate::exact::Exact;
use crate::machine::Machine;
use crate::memory::{Content, Piece};
use crate::place::Place;
use meshloom_bundle::held_as;
use meshloom_bundle::program::{DType, Instr, Number};
use meshloom_ir::{Literal, Op, Scalar};

impl Machine<'_> {
    /// Fills of single elements, one behind the other, that leave an array of constants of the program: how many there are.
    pub(super) fn array(&mut self, list: &[Instr]) -> usize {
        let mut values: Vec<Number> = Vec::new();
        let mut first: Option<(Affine, DType)> = None;
        for instr in list {
            let Instr::Fill { dst, dtype, count: 1, value } = instr else { break };
            let at = self.state.address(dst);
            let (start, of) = first.get_or_insert_with(|| (at.clone(), *dtype));
            if dtype != of || at != start.shifted((values.len() as u64 * of.bytes()) as i64) {
                break;
            }
            values.push(*value);
        }
        let Some((base, of)) = first else { return 0 };
        let found = self.state.func.ops.iter().filter_map(|d| {
            let Op::Constant { value: Literal::Dense(all), dtype, shape } = &d.op else { return None };
            let same = |(x, n): (&Scalar, &Number)| Exact::of(*dtype, *x).same(Exact::filled(*dtype, *n));
            let fits = (2..=values.len()).contains(&all.len()) && held_as(*dtype) == of;
            (fits && all.iter().zip(&values).all(same)).then_some((d.results[0], shape, dtype))
        });
        let found = found.filter_map(|(v, shape, dtype)| Some((self.state.place(v)?, shape, dtype)));
        let Some((place, shape, dtype)) = found.max_by_key(|x| x.1.iter().product::<u64>()) else { return 0 };
        let piece = Piece::dense(base, shape, dtype.bytes(), |at| Content::Value(Place { at: at.into(), ..place }));
        (self.audit.steps, self.ran) = (self.audit.steps + 1, self.ran + 1);
        self.state.write(piece);
        shape.iter().product::<u64>() as usize
    }
}
