//! Files that are no StableHLO text: what they are is said, with the line of Python that makes text.

use crate::support::{Place, meshloom};

#[test]
fn binary_modules_are_named() {
    let place = Place::new();
    let put = |name: &str, bytes: &[u8]| std::fs::write(place.path().join(name), bytes).expect("a file");
    put("bytecode.mlir", b"ML\xefR\x0dStableHLO_v1.13.0\x00\xff\xfe");
    put("exported.mlir", b"\x04\x00\x00\x00\xf0\xff\xff\xff\x00\x00ML\xefR\x0dStableHLO_v1.13.0\x00\xff");
    put("empty.mlir", b"");
    put("hlo.mlir", b"HloModule jit_f, is_scheduled=true\n\nENTRY %main () -> f32[] {\n}\n");
    put("image.mlir", b"\x89PNG\xff\xfe");
    for (name, code, said) in [
        ("bytecode.mlir", 2, "bytecode.mlir: MLIR bytecode, which is not read; write text where it is made"),
        ("exported.mlir", 2, "`jax.export.deserialize(bytearray(open(file, 'rb').read())).mlir_module()` is its text"),
        ("empty.mlir", 1, "the file is empty"),
        ("hlo.mlir", 1, "`.lower().as_text()`"),
        ("image.mlir", 2, "not UTF-8 text"),
    ] {
        for command in ["check", "plan"] {
            let out = meshloom(&place, &[command, name]);
            assert!(out.code == code && out.stderr.contains(said), "{command} {name}: {} {}", out.code, out.stderr);
        }
    }
}
