//! Constants whose bytes stand at the end of the module: `dense_resource<name>`, and `{-# dialect_resources: .. #-}`.

use super::state::Import;
use crate::lexer::Token;
use crate::tree::Tree;
use crate::types;
use meshloom_ir::TensorType;
use meshloom_ir::types::Literal;

/// Alignment of the bytes, which stands before them: four bytes in hexadecimal.
const HEAD: usize = 8;

impl Import<'_> {
    /// What `dense_resource<name>` stands for; `None` where that is not what is written.
    ///
    /// # Errors
    /// There is no resource of this name, or its bytes are not those of such a tensor.
    pub fn resource(&self, written: &[Tree<'_>], ty: &TensorType, element: &str) -> Result<Option<Literal>, String> {
        let bytes = self.resource_bytes(written)?;
        bytes.map(|bytes| types::bytes(&bytes, ty, element)).transpose()
    }

    /// Its bytes, `0x..`.
    ///
    /// # Errors
    /// There is no resource of this name, or what it holds are no bytes.
    pub fn resource_bytes(&self, written: &[Tree<'_>]) -> Result<Option<String>, String> {
        let Some(at) = written.iter().position(|t| t.is_word("dense_resource")) else { return Ok(None) };
        let name = written.get(at + 1).and_then(|t| text(t.group(b'<')?.first()?)).ok_or("the resource has no name")?;
        let hex = find(self.module.resources, name, 0);
        let hex = hex.ok_or_else(|| format!("the module does not hold the resource `{name}`"))?;
        let bytes = hex.strip_prefix("0x").and_then(|h| h.get(HEAD..));
        let bytes = bytes.ok_or_else(|| format!("the resource `{name}` is no bytes in hexadecimal"))?;
        Ok(Some(format!("0x{bytes}")))
    }
}

fn text<'s>(t: &Tree<'s>) -> Option<&'s str> {
    t.leaf(Token::Word).or_else(|| t.leaf(Token::Str).map(|s| s.trim_matches('"')))
}

/// `name: "0x.."`, in whatever dialect's braces.
fn find<'s>(trees: &[Tree<'s>], name: &str, depth: usize) -> Option<&'s str> {
    if depth > 4 {
        return None;
    }
    let own = trees.windows(3).find(|w| text(&w[0]) == Some(name) && w[1].leaf(Token::Colon).is_some());
    let own = own.and_then(|w| w[2].leaf(Token::Str)).map(|s| s.trim_matches('"'));
    own.or_else(|| trees.iter().find_map(|t| find(t.group(b'{')?, name, depth + 1)))
}
