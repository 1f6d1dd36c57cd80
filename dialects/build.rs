//! Builds the `loom` dialect (ODS through `mlir-tblgen`, C++ through `cc`) and settles how LLVM is linked.
//!
//! Debian ships `libMLIR.so` but the MLIR C API only as static archives. `ld/libMLIR-C.so` is a linker script that
//! groups those archives with the shared libraries; putting its folder on the search path is all that every crate
//! above this one needs to link shared (a relink takes under a second; statically it is 195 MB and four seconds).

use std::path::{Path, PathBuf};
use std::process::{Command, exit};

const ODS: &str = "td/Loom.td";
const GENERATED: [(&str, &str); 8] = [
    ("-gen-dialect-decls", "LoomDialect.h.inc"),
    ("-gen-dialect-defs", "LoomDialect.cpp.inc"),
    ("-gen-enum-decls", "LoomEnums.h.inc"),
    ("-gen-enum-defs", "LoomEnums.cpp.inc"),
    ("-gen-attrdef-decls", "LoomAttrs.h.inc"),
    ("-gen-attrdef-defs", "LoomAttrs.cpp.inc"),
    ("-gen-op-decls", "LoomOps.h.inc"),
    ("-gen-op-defs", "LoomOps.cpp.inc"),
];

fn main() {
    for path in ["build.rs", "td", "cpp", "ld"] {
        println!("cargo:rerun-if-changed={path}");
    }
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = PathBuf::from(required("MLIR_SYS_220_PREFIX"));
    let out = PathBuf::from(required("OUT_DIR"));
    let include = prefix.join("include");
    for (generator, file) in GENERATED {
        tablegen(&prefix, generator, &include, &out.join(file));
    }

    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        // LLVM's own headers are not clean under -Wall.
        .flag("-w")
        .opt_level(1)
        .debug(false)
        .define("NDEBUG", None)
        .include("cpp/compat")
        .include("cpp")
        .include(&out)
        .include(&include)
        .file("cpp/Dialect.cpp")
        .file("cpp/ExpandMath.cpp")
        .file("cpp/Verify.cpp")
        .compile("meshloom_dialects");

    let here = PathBuf::from(required("CARGO_MANIFEST_DIR"));
    println!("cargo:rustc-link-search=native={}", here.join("ld").display());
    println!("cargo:rustc-link-search=native={}", prefix.join("lib").display());
    println!("cargo:rustc-link-lib=dylib=MLIR");
    println!("cargo:rustc-link-lib=dylib=LLVM-22");
}

fn tablegen(prefix: &Path, generator: &str, include: &Path, out: &Path) {
    let tool = prefix.join("bin/mlir-tblgen");
    let status = Command::new(&tool)
        .args([generator, ODS, "-I", "td", "-I"])
        .arg(include)
        .arg("-dialect=loom")
        .arg("-o")
        .arg(out)
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!("{} {generator} {ODS}: {status}", tool.display())),
        Err(error) => fail(&format!("{}: {error}; `make setup` installs LLVM 22", tool.display())),
    }
}

fn required(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        fail(&format!("{name} is not set; build inside the workspace, whose .cargo/config.toml sets it"))
    })
}

#[expect(clippy::disallowed_methods, reason = "a build script answers with its exit code")]
fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    exit(1)
}
