//! Every example, as text at every phase: what is printed reads back to the same text.
#![cfg(feature = "llvm")]

use meshloom_bundle::program::Program as Executable;
use meshloom_codegen::loom_mlir;
use meshloom_driver::backend::{self, Cpu};
use meshloom_driver::{CompileOptions, check, lower, plan};
use meshloom_ir::{Func, parse::parse, print::print};
use meshloom_kernels::target::Level;
use std::path::PathBuf;

fn ir_round_trips(what: &str, f: &Func) {
    let text = print(f);
    let back = parse(&text).unwrap_or_else(|e| panic!("{what}: {}:{}: {}", e.line, e.column, e.message));
    assert!(print(&back) == text, "{what}: the IR reads back as something else");
}

#[test]
fn examples() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|x| x == "loom"))
        .collect();
    files.sort();
    assert!(files.len() >= 5);
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let formatted = meshloom_syntax::format::format(&text).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert!(formatted == text, "{name} is not formatted");
        let mut options = CompileOptions::default();
        if text.lines().any(|l| l.starts_with("mesh [") && l.contains("data:") && l.contains("model:")) {
            options.front.mesh = Some(vec![("data".into(), 2), ("model".into(), 4)]);
        }
        let program = check(&name, &text, &options).unwrap_or_else(|e| panic!("{name}: {}", e.0));
        let program = plan(program, &options).unwrap_or_else(|e| panic!("{name}: {}", e.0));
        let program = lower(program).unwrap_or_else(|e| panic!("{name}: {}", e.0));
        let kernels = backend::texts(&backend::kernels(&program), Cpu { level: Level::V3 })
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        for e in &program.entries {
            let what = format!("{name}, entry {}", e.name);
            let (p, s) = (&e.plan, &e.scheduled);
            ir_round_trips(&what, &e.elaborated);
            ir_round_trips(&what, &e.global);
            ir_round_trips(&what, &p.local);

            let certificate = meshloom_certify::text::print(&p.certificate, &e.global, &p.local);
            let back = meshloom_certify::text::parse(&certificate, &e.global, &p.local)
                .unwrap_or_else(|e| panic!("{what}: certificate: {e}"));
            assert!(meshloom_certify::text::print(&back, &e.global, &p.local) == certificate, "{what}: certificate");
            meshloom_certify::check(&e.global, &p.local, &back).unwrap_or_else(|r| panic!("{what}: {}", r[0]));

            let json = serde_json::to_string(&s.program).unwrap();
            let back: Executable = serde_json::from_str(&json).unwrap();
            assert!(back == s.program, "{what}: the executable program");

            let texts: Vec<(&str, &str)> = kernels.iter().map(|k| (k.symbol.as_str(), k.text.as_str())).collect();
            let used: Vec<(&str, &str)> =
                texts.into_iter().filter(|k| s.program.kernels.iter().any(|x| x.symbol == k.0)).collect();
            let mlir = loom_mlir::emit(&s.program, &used);
            let once = meshloom_llvm::roundtrip(&mlir).unwrap_or_else(|e| panic!("{what}: loom dialect: {e}"));
            let twice = meshloom_llvm::roundtrip(&once).unwrap_or_else(|e| panic!("{what}: loom dialect: {e}"));
            assert!(once == twice, "{what}: the loom dialect prints differently the second time");
        }
    }
}

/// What the language and the planner take, bundles hold: there is no program that is planned and then refused for its size.
#[test]
fn bundles_hold_what_is_planned() {
    use meshloom_bundle::limits;
    assert_eq!(limits::DEVICES, meshloom_ir::mesh::MAX_DEVICES);
    assert_eq!(limits::TRIP, meshloom_ir::verify::MAX_TRIP);
    let text = "
mesh [data: 2, model: 65536]
entry f(x: f32[4] @ [data]) -> f32[4] {
  for i in 0..100000 { x = x * 0.99999 }
  x
}
";
    let program = check("long.loom", text, &CompileOptions::default()).unwrap_or_else(|e| panic!("{}", e.0));
    let program = plan(program, &CompileOptions::default()).unwrap_or_else(|e| panic!("{}", e.0));
    assert!(lower(program).is_ok());
}
