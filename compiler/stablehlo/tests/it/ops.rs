//! Every form of every op, interpreted on one device: what comes out is what JAX computes. Adding a form is adding a program to
//! `tests/data/stablehlo/ops`.

use crate::forms;
use crate::forms::{Form, values, words};
use meshloom_ir::interp::eval;
use std::collections::BTreeSet;

/// What says where things are, calls by a name, or groups values: tested with shardings and with control. And tokens, and shapes that
/// are operands, which JAX does not run: tested in [`crate::import`].
fn elsewhere(op: &str) -> bool {
    let grouped = ["stablehlo.custom_call", "stablehlo.tuple", "stablehlo.get_tuple_element"];
    let shaped = ["dynamic_reshape", "dynamic_iota", "dynamic_broadcast_in_dim", "get_dimension_size"];
    let tokens = ["create_token", "after_all"];
    let of_import = |name| shaped.contains(&name) || tokens.contains(&name);
    op.starts_with("sdy.")
        || op.starts_with("mhlo.")
        || grouped.contains(&op)
        || op.strip_prefix("stablehlo.").is_some_and(of_import)
}

#[test]
fn every_op_has_a_program() {
    let files = forms::files();
    let mut used: BTreeSet<String> = files.iter().flat_map(|f| &f.1).flat_map(|f| words(&f.text)).collect();
    // Collectives stand in manual regions.
    let regions = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/stablehlo/shardings");
    for file in std::fs::read_dir(regions).unwrap().map(|f| f.unwrap().path()) {
        used.extend(words(&std::fs::read_to_string(file).unwrap()));
    }
    for op in meshloom_stablehlo::import::ops().filter(|o| !elsewhere(o)) {
        assert!(
            used.contains(op),
            "`{op}` is imported, and no program of tests/data/stablehlo/{{ops,shardings}} has it"
        );
    }
}

/// All forms that failed, in one message.
fn none(failed: Vec<String>) {
    assert!(failed.is_empty(), "{} forms failed\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn one_device() {
    let run = |form: &Form| -> Result<(), String> {
        let func = form.func(&[])?;
        let got = eval(&func, &form.inputs(&func))?;
        form.agrees(&func, &got.iter().map(values).collect::<Vec<_>>())
    };
    let files = forms::files();
    let all = files.iter().flat_map(|f| &f.1);
    none(all.filter_map(|f| run(f).err().map(|e| format!("{}: {e}", f.name))).collect());
}
