//! An MLIR context that loads only the dialects that kernels use, and returns diagnostics as values.
//!
//! Loading every dialect costs 22 ms per context; the ones below cost 1.5 ms. Contexts are not shared between threads,
//! so MLIR's uniquing needs no locks, and MLIR's own thread pool is off.

use std::cell::RefCell;
use std::rc::Rc;

use melior::Context;
use melior::diagnostic::{Diagnostic, DiagnosticSeverity};
use melior::dialect::DialectRegistry;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, Module};
use melior::pass::PassManager;
use melior::utility;

use meshloom_codegen::{CodegenError, CodegenPhase};

/// What is left of a pipeline after `loom-expand-math`.
///
/// One pattern of LLVM 22's `canonicalize` is left out: whenever anything in a loop changes, it compares each value that the loop carries
/// with each other one, to find two that are always equal. Kernels carry up to hundreds of values and no two equal ones: of compiling
/// attention with long heads for the emulator it was 58 % (later versions group the values first: llvm/llvm-project#186114).
macro_rules! pipeline {
    ($expand:literal) => {
        concat!(
            "builtin.module(",
            $expand,
            ",canonicalize{disable-patterns='(anonymous namespace)::RemoveDuplicateSuccessorInputUses'},cse,\
             convert-vector-to-scf,convert-scf-to-cf,convert-vector-to-llvm,convert-math-to-llvm,finalize-memref-to-llvm,\
             convert-arith-to-llvm,convert-cf-to-llvm,convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},\
             convert-ub-to-llvm,reconcile-unrealized-casts)"
        )
    };
}

/// The pipeline from kernel dialects to LLVM's, for CPUs. Buffers become bare pointers: kernels take huge static 1-D memrefs.
/// `convert-math-to-libm` is absent on purpose: kernels use the polynomials of `loom-expand-math`.
pub const PIPELINE: &str = pipeline!("loom-expand-math");

/// The same for GPUs, whose own instructions some functions are made of.
pub const GPU_PIPELINE: &str = pipeline!("loom-expand-math{gpu=1}");

const DIALECTS: [&str; 10] = ["func", "scf", "cf", "arith", "math", "memref", "vector", "llvm", "ub", "loom"];

/// Whether MLIR verifies between passes: not for our own pipelines over our own kernels, where it costs a third of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    Trusted,
    Verified,
}

pub struct MlirContext {
    context: Context,
    diagnostics: Rc<RefCell<Vec<String>>>,
}

impl Default for MlirContext {
    fn default() -> Self {
        Self::new()
    }
}

impl MlirContext {
    pub fn new() -> Self {
        Self::with_dialects(&[])
    }

    /// A context with more dialects than kernels need.
    pub fn with_dialects(more: &[&str]) -> Self {
        register_passes();
        let registry = DialectRegistry::new();
        utility::register_all_dialects(&registry);
        meshloom_dialects::register(&registry);
        let context = Context::new_with_threading(false);
        context.append_dialect_registry(&registry);
        for dialect in DIALECTS.iter().chain(more) {
            context.get_or_load_dialect(dialect);
        }
        utility::register_all_llvm_translations(&context);

        let diagnostics = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&diagnostics);
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(render(&diagnostic));
            true
        });
        MlirContext { context, diagnostics }
    }

    /// Parses and verifies.
    pub fn parse<'c>(&'c self, name: &str, text: &str) -> Result<Module<'c>, CodegenError> {
        // melior passes the text as a C string.
        if text.contains('\0') {
            return Err(CodegenError::new(CodegenPhase::Parse, name, "the text contains a NUL character"));
        }
        self.diagnostics.borrow_mut().clear();
        Module::parse(&self.context, text)
            .ok_or_else(|| self.failure(CodegenPhase::Parse, name, "the text is not valid MLIR"))
    }

    /// Runs a pass pipeline in place.
    pub fn run(
        &self,
        name: &str,
        module: &mut Module<'_>,
        pipeline: &str,
        lowering: Lowering,
    ) -> Result<(), CodegenError> {
        self.diagnostics.borrow_mut().clear();
        let passes = PassManager::new(&self.context);
        utility::parse_pass_pipeline(passes.as_operation_pass_manager(), pipeline)
            .map_err(|error| CodegenError::new(CodegenPhase::Lower, name, error.to_string()))?;
        passes.enable_verifier(lowering == Lowering::Verified);
        passes.run(module).map_err(|_| self.failure(CodegenPhase::Lower, name, "a pass failed"))?;
        if lowering == Lowering::Trusted && !module.as_operation().verify() {
            return Err(self.failure(CodegenPhase::Lower, name, "the lowered module does not verify"));
        }
        Ok(())
    }

    /// The unit attribute.
    pub(crate) fn unit(&self) -> Attribute<'_> {
        Attribute::unit(&self.context)
    }

    /// An attribute by its text.
    pub(crate) fn attribute(&self, text: &str) -> Option<Attribute<'_>> {
        Attribute::parse(&self.context, text)
    }

    /// An error with what MLIR said, or `otherwise` where it said nothing.
    pub(crate) fn failure(&self, phase: CodegenPhase, name: &str, otherwise: &str) -> CodegenError {
        let said = self.diagnostics.borrow_mut().drain(..).collect::<Vec<_>>();
        CodegenError::new(phase, name, if said.is_empty() { otherwise.to_owned() } else { said.join("\n") })
    }
}

/// All of MLIR's passes and ours, once per process.
pub(crate) fn register_passes() {
    utility::register_all_passes();
    meshloom_dialects::register_passes();
}

fn render(diagnostic: &Diagnostic<'_>) -> String {
    let severity = match diagnostic.severity() {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Note => "note",
        DiagnosticSeverity::Remark => "remark",
    };
    let mut text = format!("{}: {severity}: {diagnostic}", diagnostic.location());
    for index in 0..diagnostic.note_count() {
        if let Ok(note) = diagnostic.note(index) {
            text.push_str(&format!("\n  note: {note}"));
        }
    }
    text
}
