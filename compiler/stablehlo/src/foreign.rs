//! Files that are not StableHLO text: what they are, and how to get StableHLO text from them.

use meshloom_source::Diagnostic;

/// The bytes that MLIR's bytecode begins with.
const BYTECODE: &[u8] = b"ML\xefR";
/// How far into a file these bytes are searched for, since `jax.export` puts a table in front of them.
const NEAR: usize = 1 << 16;

/// The line of Python that prints the text.
const TEXT: &str = "print the module with `jax.jit(f).lower(...).as_text()`";

/// What a binary file is, and how to get it as text; `None` if its kind is unknown.
pub fn binary(bytes: &[u8]) -> Option<String> {
    let at = bytes.windows(BYTECODE.len()).take(NEAR).position(|w| w == BYTECODE)?;
    Some(if at == 0 {
        "MLIR bytecode, which is not read; write text where it is made, with `str(module)` or \
         `jax.jit(f).lower(...).as_text()`, or translate it with `stablehlo-translate --deserialize`"
            .to_string()
    } else {
        "an artifact of `jax.export`, which is not read; in Python \
         `jax.export.deserialize(bytearray(open(file, 'rb').read())).mlir_module()` is its text"
            .to_string()
    })
}

/// A diagnostic for a text that is not MLIR; `None` if its kind is unknown.
pub fn text(text: &str) -> Option<Diagnostic> {
    let begins = |word: &str| text.trim_start().starts_with(word);
    let (what, help) = if text.trim_start().is_empty() {
        ("the file is empty", TEXT)
    } else if begins("HloModule") {
        let help = "`.compile().as_text()` prints HLO; `jax.jit(f).lower(...).as_text()` prints StableHLO: `.lower().as_text()`";
        ("this is HLO, which XLA makes of StableHLO", help)
    } else if begins("{ lambda") {
        ("this is a jaxpr, which JAX lowers to StableHLO", TEXT)
    } else {
        return None;
    };
    Some(Diagnostic::error("mlir-syntax", what).help(help))
}
