//! What stands in a module's text, read without a meaning: parameters, regions, groups of devices, parts of axes.

use crate::lexer::Token;
use crate::module::{self, TextOp};
use crate::tree::Tree;
use crate::{read, types};
use meshloom_ir::types::{Literal, Scalar};
use meshloom_ir::{Span, TensorType};

/// A parameter of a function as it is written.
pub struct Parameter<'m> {
    pub name: &'m str,
    pub ty: &'m str,
    pub attrs: &'m [Tree<'m>],
    /// What stands in `loc(..)`; JAX puts the argument's name there.
    pub loc: Option<&'m [Tree<'m>]>,
    pub span: Span,
}

impl<'m> Parameter<'m> {
    pub fn attr(&self, name: &str) -> Option<&'m [Tree<'m>]> {
        read::setting(self.attrs, name)
    }
}

/// `%arg0: tensor<..> {..}, ..`
pub fn parameters<'m>(trees: &'m [Tree<'m>]) -> Vec<Parameter<'m>> {
    let list = trees.split(|t| t.leaf(Token::Comma).is_some());
    list.filter_map(|p| {
        let name = p.first()?.leaf(Token::Value)?;
        let ty = p.iter().find_map(|t| t.leaf(Token::Tensor).or(t.leaf(Token::Dialect))).unwrap_or("?");
        let attrs = p.iter().find_map(|t| t.group(b'{')).unwrap_or_default();
        let loc = p.iter().position(|t| t.is_word("loc")).and_then(|i| p.get(i + 1)?.group(b'('));
        Some(Parameter { name, ty, attrs, loc, span: p[0].span() })
    })
    .collect()
}

/// The parameters and the ops of an op's one region, which stands behind them or is an attribute's.
///
/// # Errors
/// There is none.
pub fn block<'m>(op: &TextOp<'m>) -> Result<(Vec<Parameter<'m>>, &'m [Tree<'m>]), String> {
    let pretty = op.items.iter().rposition(|t| t.group(b'{').is_some()).filter(|&at| at > 0);
    let written = pretty.and_then(|at| Some((op.items[at - 1].group(b'(')?, op.items[at].group(b'{')?)));
    let (params, trees) = match written {
        Some((params, body)) => (parameters(params), body),
        None => {
            let region = *op.regions().first().ok_or("the body is missing")?;
            let label = match region {
                [label, args, ..] if label.leaf(Token::Block).is_some() => args.group(b'(').unwrap_or_default(),
                _ => &[],
            };
            (parameters(label), region)
        }
    };
    Ok((params, trees))
}

/// A region as it is written.
pub struct TextRegion<'m> {
    /// The names of its arguments, where it names them.
    pub args: Vec<&'m str>,
    pub ops: Vec<TextOp<'m>>,
}

impl<'m> TextRegion<'m> {
    /// # Errors
    /// What is no op.
    pub fn read(trees: &'m [Tree<'m>]) -> Result<TextRegion<'m>, String> {
        let leaf = |i: usize, token| trees.get(i).and_then(|t| t.leaf(token));
        // `^bb0(%a: tensor<f32>, ..):`, or without arguments.
        let (args, start) = match leaf(0, Token::Block) {
            Some(_) if leaf(1, Token::Colon).is_some() => (Vec::new(), 2),
            Some(_) if leaf(2, Token::Colon).is_some() => {
                let list = trees[1].group(b'(').unwrap_or_default();
                let parts = list.split(|t| t.leaf(Token::Comma).is_some());
                (parts.filter_map(|p| p.first()?.leaf(Token::Value)).collect(), 3)
            }
            _ => (Vec::new(), 0),
        };
        Ok(TextRegion { args, ops: module::ops(&trees[start..]).map_err(|d| d.message)? })
    }
}

/// The rows of a matrix of device numbers: `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>`. Padding (-1) is left out.
pub fn groups(trees: &[Tree<'_>]) -> Option<Vec<Vec<u64>>> {
    let inner = trees.iter().find_map(|t| t.group(b'<'))?;
    let ty: TensorType = types::tensor(trees.iter().find_map(|t| t.leaf(Token::Tensor))?).ok()?;
    let &[rows, columns] = &ty.shape[..] else { return None };
    let all: Vec<Scalar> = match types::dense(inner, &ty, "").ok()? {
        Literal::Splat(x) => vec![x; usize::try_from(ty.elements()).ok()?],
        Literal::Dense(all) => all,
    };
    let number = |x: &Scalar| match x {
        Scalar::Int(n) => u64::try_from(*n).ok(),
        Scalar::Float(_) => None,
    };
    let row = |r: usize| all[r * columns as usize..][..columns as usize].iter().filter_map(number).collect();
    Some((0..rows as usize).map(row).collect())
}

/// `:(1)2` behind the name of an axis: how many positions come before, and how many there are.
pub fn part(after: &[Tree<'_>]) -> Option<(u64, u64)> {
    let [colon, before, size, ..] = after else { return None };
    colon.leaf(Token::Colon)?;
    let number = |t: &Tree<'_>| t.leaf(Token::Int)?.parse::<u64>().ok();
    Some((number(before.group(b'(')?.first()?)?, number(size)?))
}
