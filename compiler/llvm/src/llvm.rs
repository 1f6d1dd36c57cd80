//! The few functions of LLVM's C API that code generation needs, behind owning types.
//!
//! melior covers MLIR. From LLVM IR on, no binding links the same shared library, so the functions are declared here.
//! They come from the `libLLVM-22` that `meshloom-dialects` links.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::sync::Once;

use melior::ir::Module;

use crate::context::MlirContext;
use meshloom_codegen::target::CpuTarget;
use meshloom_codegen::{CodegenError, CodegenPhase};

/// LLVM's version, such as `22.1.8`.
pub fn llvm_version() -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: LLVMGetVersion writes three integers.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    format!("{major}.{minor}.{patch}")
}

/// Any of LLVM's opaque references.
type Ref = *mut c_void;

unsafe extern "C" {
    fn LLVMGetVersion(major: *mut c_uint, minor: *mut c_uint, patch: *mut c_uint);
    fn LLVMContextCreate() -> Ref;
    fn LLVMContextDispose(context: Ref);
    fn LLVMContextSetDiagnosticHandler(
        context: Ref,
        handler: Option<extern "C" fn(Ref, *mut c_void)>,
        data: *mut c_void,
    );
    fn LLVMGetDiagInfoDescription(info: Ref) -> *mut c_char;
    fn LLVMGetDiagInfoSeverity(info: Ref) -> c_int;
    fn LLVMDisposeMessage(message: *mut c_char);
    fn LLVMGetErrorMessage(error: Ref) -> *mut c_char;
    fn LLVMDisposeErrorMessage(message: *mut c_char);

    fn LLVMInitializeX86TargetInfo();
    fn LLVMInitializeX86Target();
    fn LLVMInitializeX86TargetMC();
    fn LLVMInitializeX86AsmPrinter();
    fn LLVMInitializeNVPTXTargetInfo();
    fn LLVMInitializeNVPTXTarget();
    fn LLVMInitializeNVPTXTargetMC();
    fn LLVMInitializeNVPTXAsmPrinter();

    fn LLVMParseCommandLineOptions(count: c_int, arguments: *const *const c_char, overview: *const c_char);

    fn LLVMGetHostCPUName() -> *mut c_char;
    fn LLVMGetHostCPUFeatures() -> *mut c_char;
    fn LLVMGetTargetFromTriple(triple: *const c_char, target: *mut Ref, error: *mut *mut c_char) -> c_int;
    fn LLVMCreateTargetMachine(
        target: Ref,
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
        level: c_int,
        relocation: c_int,
        code_model: c_int,
    ) -> Ref;
    fn LLVMDisposeTargetMachine(machine: Ref);
    fn LLVMCreateTargetDataLayout(machine: Ref) -> Ref;
    fn LLVMDisposeTargetData(layout: Ref);

    fn LLVMSetTarget(module: Ref, triple: *const c_char);
    fn LLVMSetModuleDataLayout(module: Ref, layout: Ref);
    fn LLVMDisposeModule(module: Ref);
    fn LLVMCreatePassBuilderOptions() -> Ref;
    fn LLVMDisposePassBuilderOptions(options: Ref);
    fn LLVMRunPasses(module: Ref, passes: *const c_char, machine: Ref, options: Ref) -> Ref;
    fn LLVMTargetMachineEmitToMemoryBuffer(
        machine: Ref,
        module: Ref,
        kind: c_int,
        error: *mut *mut c_char,
        buffer: *mut Ref,
    ) -> c_int;
    fn LLVMGetBufferStart(buffer: Ref) -> *const u8;
    fn LLVMGetBufferSize(buffer: Ref) -> usize;
    fn LLVMDisposeMemoryBuffer(buffer: Ref);
}

const CODEGEN_LEVEL_LESS: c_int = 1;
const CODEGEN_LEVEL_DEFAULT: c_int = 2;
const RELOCATION_PIC: c_int = 2;
const CODE_MODEL_DEFAULT: c_int = 0;
const SEVERITY_ERROR: c_int = 0;

/// f32 on GPUs divides by `div.full`, which is off by at most 2 units in the last place, and takes roots by `sqrt.approx`, off by at most
/// one (PTX ISA, "Floating Point Instructions"). What IEEE asks for takes a branch and a call for each element. The first is the program's
/// name.
const NVPTX_OPTIONS: [&CStr; 3] = [c"meshloom", c"--nvptx-prec-divf32=1", c"--nvptx-prec-sqrtf32=0"];

#[derive(Clone, Copy, Debug)]
pub enum FileKind {
    Assembly,
    Object,
}

/// A target machine: the processor and the level of optimisation.
pub struct TargetMachine {
    raw: NonNull<c_void>,
    triple: CString,
}

impl TargetMachine {
    pub fn for_cpu(target: CpuTarget) -> Result<Self, CodegenError> {
        if !cfg!(target_arch = "x86_64") {
            return Err(CodegenError::general(CodegenPhase::Emit, "CPU kernels are generated for x86-64 only"));
        }
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: these fill LLVM's process-wide target table; `Once` keeps them from racing.
            unsafe {
                LLVMInitializeX86TargetInfo();
                LLVMInitializeX86Target();
                LLVMInitializeX86TargetMC();
                LLVMInitializeX86AsmPrinter();
            }
        });
        let (cpu, features) = match target {
            // SAFETY: both return strings that the caller owns, and `take_message` frees them.
            CpuTarget::Host => unsafe { (take_message(LLVMGetHostCPUName()), take_message(LLVMGetHostCPUFeatures())) },
            CpuTarget::X86_64V3 => ("x86-64-v3".to_owned(), String::new()),
            CpuTarget::X86_64V4 => ("x86-64-v4".to_owned(), String::new()),
        };
        Self::new("x86_64-unknown-linux-gnu", &cpu, &features, CODEGEN_LEVEL_LESS)
    }

    /// `architecture` as LLVM and ptxas both write it: `sm_90a`. `features` is the PTX version: `+ptx80`.
    pub fn for_nvptx(architecture: &str, features: &str) -> Result<Self, CodegenError> {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let options = NVPTX_OPTIONS.map(CStr::as_ptr);
            // SAFETY: as for x86 above; the options are strings that live for ever, and are known to LLVM once the target is.
            unsafe {
                LLVMInitializeNVPTXTargetInfo();
                LLVMInitializeNVPTXTarget();
                LLVMInitializeNVPTXTargetMC();
                LLVMInitializeNVPTXAsmPrinter();
                LLVMParseCommandLineOptions(options.len() as c_int, options.as_ptr(), ptr::null());
            }
        });
        Self::new("nvptx64-nvidia-cuda", architecture, features, CODEGEN_LEVEL_DEFAULT)
    }

    fn new(triple: &str, cpu: &str, features: &str, level: c_int) -> Result<Self, CodegenError> {
        let c_string = |text: &str| {
            CString::new(text).map_err(|error| CodegenError::general(CodegenPhase::Emit, error.to_string()))
        };
        let (triple, cpu, features) = (c_string(triple)?, c_string(cpu)?, c_string(features)?);
        let (mut target, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the strings are NUL-terminated and outlive the calls, the out-pointers are valid; on failure `message` is
        // an owned string. The machine copies what it keeps.
        let raw = unsafe {
            if LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut message) != 0 {
                return Err(CodegenError::general(CodegenPhase::Emit, take_message(message)));
            }
            LLVMCreateTargetMachine(
                target,
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                level,
                RELOCATION_PIC,
                CODE_MODEL_DEFAULT,
            )
        };
        let failed =
            || CodegenError::general(CodegenPhase::Emit, format!("LLVM has no target machine for {triple:?} {cpu:?}"));
        Ok(TargetMachine { raw: NonNull::new(raw).ok_or_else(failed)?, triple })
    }
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        // SAFETY: created by LLVMCreateTargetMachine, disposed of once.
        unsafe { LLVMDisposeTargetMachine(self.raw.as_ptr()) }
    }
}

/// One kernel as LLVM IR, with the context it lives in.
pub struct KernelIr {
    name: String,
    module: NonNull<c_void>,
    context: Context,
}

impl KernelIr {
    /// `module` must be in the LLVM dialect.
    pub fn translate(name: &str, mlir: &MlirContext, module: &Module<'_>) -> Result<Self, CodegenError> {
        let context = Context::new();
        // SAFETY: the module is live (it is borrowed) and the LLVM context is fresh; the result is null or
        // a module owned by us that refers to that context.
        let operation = module.as_operation().to_raw();
        let raw = unsafe { mlir_sys::mlirTranslateModuleToLLVMIR(operation, context.raw.as_ptr().cast()) };
        match NonNull::new(raw.cast::<c_void>()) {
            Some(module) => Ok(KernelIr { name: name.to_owned(), module, context }),
            None => Err(mlir.failure(CodegenPhase::Translate, name, "the module does not translate to LLVM IR")),
        }
    }

    /// Runs LLVM passes, given in the syntax of `opt -passes=`.
    pub fn optimize(&self, machine: &TargetMachine, passes: &str) -> Result<(), CodegenError> {
        let passes = CString::new(passes).map_err(|error| self.error(CodegenPhase::Optimize, error.to_string()))?;
        // SAFETY: module, machine and options are live; the data layout and the options are ours to dispose of; a non-null
        // error is consumed by LLVMGetErrorMessage.
        unsafe {
            LLVMSetTarget(self.module.as_ptr(), machine.triple.as_ptr());
            let layout = LLVMCreateTargetDataLayout(machine.raw.as_ptr());
            LLVMSetModuleDataLayout(self.module.as_ptr(), layout);
            LLVMDisposeTargetData(layout);
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.module.as_ptr(), passes.as_ptr(), machine.raw.as_ptr(), options);
            LLVMDisposePassBuilderOptions(options);
            if !error.is_null() {
                let message = LLVMGetErrorMessage(error);
                let text = CStr::from_ptr(message).to_string_lossy().into_owned();
                LLVMDisposeErrorMessage(message);
                return Err(self.error(CodegenPhase::Optimize, text));
            }
        }
        self.check(CodegenPhase::Optimize)
    }

    pub fn emit(&self, machine: &TargetMachine, kind: FileKind) -> Result<Vec<u8>, CodegenError> {
        let kind = match kind {
            FileKind::Assembly => 0,
            FileKind::Object => 1,
        };
        let (mut message, mut buffer) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: machine and module are live, the out-pointers valid; on success `buffer` is ours, and is copied from
        // before it is disposed of; on failure `message` is ours.
        let bytes = unsafe {
            let (machine, module) = (machine.raw.as_ptr(), self.module.as_ptr());
            if LLVMTargetMachineEmitToMemoryBuffer(machine, module, kind, &mut message, &mut buffer) != 0 {
                return Err(self.error(CodegenPhase::Emit, take_message(message)));
            }
            let bytes = std::slice::from_raw_parts(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        };
        self.check(CodegenPhase::Emit)?;
        Ok(bytes)
    }

    fn check(&self, phase: CodegenPhase) -> Result<(), CodegenError> {
        let errors = self.context.errors.borrow_mut().drain(..).collect::<Vec<_>>();
        if errors.is_empty() { Ok(()) } else { Err(self.error(phase, errors.join("\n"))) }
    }

    fn error(&self, phase: CodegenPhase, message: String) -> CodegenError {
        CodegenError::new(phase, &self.name, message)
    }
}

impl Drop for KernelIr {
    fn drop(&mut self) {
        // SAFETY: ours, disposed of once, and before its context (fields are dropped after this body).
        unsafe { LLVMDisposeModule(self.module.as_ptr()) }
    }
}

/// An LLVM context that collects error diagnostics. Without a handler LLVM prints them and ends the process.
struct Context {
    raw: NonNull<c_void>,
    errors: Rc<RefCell<Vec<String>>>,
}

impl Context {
    #[expect(clippy::disallowed_methods, reason = "LLVM is out of memory")]
    fn new() -> Self {
        // SAFETY: creates an owned context.
        let raw = unsafe { LLVMContextCreate() };
        let raw = NonNull::new(raw).unwrap_or_else(|| std::process::abort());
        let errors = Rc::new(RefCell::new(Vec::new()));
        // SAFETY: `errors` lives as long as the context (both are fields of the same value, and the Rc's contents do not
        // move), and the handler only runs inside calls on this thread.
        unsafe { LLVMContextSetDiagnosticHandler(raw.as_ptr(), Some(collect), Rc::as_ptr(&errors).cast_mut().cast()) };
        Context { raw, errors }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: ours, disposed of once; the module in it is already gone.
        unsafe { LLVMContextDispose(self.raw.as_ptr()) }
    }
}

extern "C" fn collect(info: Ref, data: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic and the pointer given to LLVMContextSetDiagnosticHandler.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) == SEVERITY_ERROR {
            let errors = &*data.cast::<RefCell<Vec<String>>>();
            errors.borrow_mut().push(take_message(LLVMGetDiagInfoDescription(info)));
        }
    }
}

/// # Safety
/// `message` is null or a string that LLVM handed over.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return "LLVM gave no reason".to_owned();
    }
    // SAFETY: by contract NUL-terminated and ours to dispose of.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}
