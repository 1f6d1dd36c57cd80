//! What the place of an op says: the module, the op of PyTorch, whether it is of the backward pass, and whether it is the boundary of a
//! module.

use crate::tree::Modules;

/// Where an op comes from, as the trace has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// JAX's name stack: `jit(main)/transpose(jvp(model))/layers/0/mlp/aten::mul.Tensor/mul`.
    pub name: String,
    /// `modeling_llama.py:42`
    pub line: String,
}

/// The boundary of a module, of one argument or result.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mark {
    pub module: String,
    /// It goes in.
    pub enters: bool,
    /// Position or name.
    pub argument: String,
}

impl Place {
    pub fn is_backward(&self) -> bool {
        self.name.contains("transpose(")
    }

    pub fn mark(&self) -> Option<Mark> {
        let (_, rest) = self.name.split_once("meshloom_")?;
        let rest = rest.split('/').next()?.trim_end_matches(')');
        let (enters, rest) = match rest.split_once('.')? {
            ("enter", rest) => (true, rest),
            ("leave", rest) => (false, rest),
            _ => return None,
        };
        let (module, argument) = rest.rsplit_once(':')?;
        Some(Mark { module: module.into(), enters, argument: argument.into() })
    }

    /// The scopes, without what JAX puts around them.
    fn scopes(&self) -> Vec<&str> {
        let parts = self.name.split('/').filter(|p| !p.starts_with("jit("));
        parts.map(|p| p.trim_start_matches("transpose(").trim_start_matches("jvp(").trim_end_matches(')')).collect()
    }

    pub fn module(&self, modules: &Modules) -> String {
        let scopes: Vec<&str> = self.scopes().into_iter().filter(|s| !s.is_empty()).collect();
        modules.traced(&scopes)
    }

    /// `aten::softmax.int`, or what JAX calls it.
    pub fn op(&self) -> Option<String> {
        let scopes = self.scopes();
        let op = scopes.iter().find(|s| s.contains("::")).or(scopes.last())?;
        let op = if op.is_empty() { None } else { Some((*op).to_string()) };
        let pass = if self.is_backward() { "backward of " } else { "" };
        op.map(|o| format!("{pass}{o}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Mark, Place};

    #[test]
    fn a_boundary_says_module_and_argument() {
        let place = |name: &str| Place { name: name.into(), line: String::new() };
        let mark =
            |module: &str, enters, argument: &str| Mark { module: module.into(), enters, argument: argument.into() };
        let of = |name: &str| place(name).mark();
        assert_eq!(
            of("jit(main)/jvp(model)/0/meshloom_enter.model.layers.0:hidden_states/mul"),
            Some(mark("model.layers.0", true, "hidden_states"))
        );
        assert_eq!(of("jit(main)/transpose(jvp(meshloom_leave.:0))/mul"), Some(mark("", false, "0")));
        assert_eq!(of("jit(main)/jvp(model)/aten::add.Tensor/add"), None);
        assert!(place("jit(main)/transpose(jvp(model))/norm/aten::mul.Tensor/mul").is_backward());
        assert_eq!(
            place("jit(main)/transpose(jvp(model))/norm/aten::mul.Tensor/mul").op().as_deref(),
            Some("backward of aten::mul.Tensor")
        );
    }
}
