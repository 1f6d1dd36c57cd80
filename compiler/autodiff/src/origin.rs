//! What the operands of a finished step's contractions are, found by following them to their origin: which matmuls are those of a
//! layer, and which of them give gradients of activations.
//!
//! Not here: which contraction gives a parameter's gradient. It is tagged when it is made ([`crate::reverse`]).

use meshloom_ir::graph::Def;
use meshloom_ir::{Func, Op, Phase, Role, ValueId};

/// Where an operand comes from, through moves and conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandOrigin {
    Parameter,
    Cotangent,
    Activation,
}

/// The origin of a value of a finished step.
pub fn origin(func: &Func, v: ValueId) -> OperandOrigin {
    match func.value(v).def {
        Def::Arg(Func::BODY, i) => match func.inputs[i as usize].role {
            Role::Parameter => OperandOrigin::Parameter,
            _ => OperandOrigin::Activation,
        },
        Def::Arg(region, i) => {
            let Some(owner) = func.region(region).owner.map(|o| func.op(o)) else {
                return OperandOrigin::Activation;
            };
            match owner.op {
                Op::Repeat { carries, .. } if i as usize >= carries => {
                    owner.operands.get(i as usize).map_or(OperandOrigin::Activation, |&x| origin(func, x))
                }
                _ if owner.phase == Phase::Backward => OperandOrigin::Cotangent,
                _ => OperandOrigin::Activation,
            }
        }
        Def::Op(o, i) => {
            let data = func.op(o);
            match &data.op {
                // A rounded weight that a forward loop keeps.
                Op::Repeat { carries, .. }
                    if i as usize >= *carries
                        && origin(func, func.region(data.regions[0]).yields[i as usize])
                            == OperandOrigin::Parameter =>
                {
                    OperandOrigin::Parameter
                }
                Op::Convert { .. } => origin(func, data.operands[0]),
                op if op.is_view() => origin(func, data.operands[0]),
                _ if data.phase == Phase::Backward => OperandOrigin::Cotangent,
                _ => OperandOrigin::Activation,
            }
        }
    }
}
