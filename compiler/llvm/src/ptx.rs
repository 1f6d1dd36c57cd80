//! Kernels as PTX. A kernel that was not written for GPUs runs one thread per unit, over a grid of any size.
//!
//! A kernel takes a range `lo..hi` of independent units, so the simplest sound mapping needs to know nothing about its
//! body. The function becomes a device function, and an entry calls it for single units in a grid-stride loop. Any
//! launch geometry gives the same bits, as any split of the range does on a CPU. If a kernel takes scratch, it is the
//! thread's part of a workspace that comes with the launch. There is no libdevice: `loom-expand-math` has left only
//! what PTX has instructions for.
//!
//! A kernel that uses warps, shared memory or tensor cores is a template of its own, and its text is the work of a
//! whole block ([`Mapping::Blocks`]).

use std::borrow::Cow;

use melior::ir::attribute::{StringAttribute, TypeAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationMutLike};
use melior::ir::r#type::FunctionType;
use melior::ir::{Attribute, Module, OperationRef, Type, TypeLike};

use meshloom_bundle::waited;

use crate::context::{GPU_PIPELINE, Lowering, MlirContext};
use crate::llvm::{FileKind, KernelIr, TargetMachine};
use meshloom_codegen::ptx::{header_end, variable};
use meshloom_codegen::target::{GpuTarget, Mapping};
use meshloom_codegen::{CodegenError, CodegenPhase};

/// The device function disappears into the grid-stride loop.
const LLVM_PASSES: &str = "cgscc(inline),globaldce,function(sroa,early-cse,loop-mssa(licm),\
    instcombine<no-verify-fixpoint>,simplifycfg)";

/// Everything one thread needs to compile kernels for one architecture; reused from kernel to kernel.
pub struct PtxCompiler {
    context: MlirContext,
    machine: TargetMachine,
}

impl PtxCompiler {
    pub fn new(target: GpuTarget) -> Result<Self, CodegenError> {
        let machine = TargetMachine::for_nvptx(target.architecture(), target.features())?;
        Ok(PtxCompiler { context: MlirContext::with_dialects(&["nvvm"]), machine })
    }

    /// Compiles the kernel `symbol` of `mlir_text` to PTX with one entry of that name, whose arguments are the buffers, the
    /// workspace where it takes one, `lo`, `hi`, the dims and the tensor maps.
    pub fn compile(&self, symbol: &str, mlir_text: &str, mapping: Mapping) -> Result<String, CodegenError> {
        let wrapped = match mapping {
            Mapping::Units => Cow::Owned(distribute(&self.context, symbol, mlir_text, None)?),
            Mapping::UnitsWithScratch(bytes) => {
                Cow::Owned(distribute(&self.context, symbol, mlir_text, Some(bytes.next_multiple_of(64)))?)
            }
            Mapping::Blocks => Cow::Borrowed(mlir_text),
        };
        let mut module = self.context.parse(symbol, &wrapped)?;
        self.context.run(symbol, &mut module, GPU_PIPELINE, Lowering::Trusted)?;
        mark_entry(&self.context, &module, symbol);
        let unit = KernelIr::translate(symbol, &self.context, &module)?;
        unit.optimize(&self.machine, &format!("internalize<preserve-gv={symbol}>,{LLVM_PASSES}"))?;
        let ptx = unit.emit(&self.machine, FileKind::Assembly)?;
        let ptx = String::from_utf8(ptx).map_err(|_| error(symbol, "the PTX is not text"))?;
        Ok(if ptx.contains(KERNEL_NUMBER) { with_variable(&ptx, symbol) } else { ptx })
    }
}

/// In the text of kernels, where their number goes.
const KERNEL_NUMBER: &str = "MESHLOOM_KERNEL_NUMBER";

/// A kernel that waits, with its number and what it refers to.
fn with_variable(ptx: &str, symbol: &str) -> String {
    let ptx = ptx.replace(KERNEL_NUMBER, &waited::kernel_number(symbol).to_string());
    let at = header_end(&ptx).unwrap_or(0);
    format!("{}{}{}", &ptx[..at], variable(), &ptx[at..])
}

/// Compiles one kernel; to compile several, [`super::compile_all_ptx`] shares the set-up.
pub fn compile_ptx(symbol: &str, mlir_text: &str, mapping: Mapping, target: GpuTarget) -> Result<String, CodegenError> {
    PtxCompiler::new(target)?.compile(symbol, mlir_text, mapping)
}

/// The function under another name, and the entry that distributes its units. With `scratch`, a thread's part of the workspace has
/// so many bytes.
fn distribute(context: &MlirContext, symbol: &str, text: &str, scratch: Option<u64>) -> Result<String, CodegenError> {
    let module = context.parse(symbol, text)?;
    let function = find(&module, "func.func").ok_or_else(|| error(symbol, "the module has no function"))?;
    let types = inputs(&function).ok_or_else(|| error(symbol, "the function has no type"))?;
    let buffers = types.iter().take_while(|ty| ty.is_mem_ref()).count();
    if types.len() < buffers + 2 || !types[buffers..].iter().all(|ty| ty.is_index()) {
        return Err(error(symbol, "the function's arguments are not buffers, lo, hi, dims"));
    }
    let (name, unit) = (format!("@{symbol}("), format!("@{symbol}__unit("));
    let body = function.to_string();
    let body = match body.split_once(&name) {
        Some((before, after)) => format!("{before}{unit}{after}"),
        None => return Err(error(symbol, "the function has another name")),
    };

    let mut local = String::new();
    let scratch = scratch.zip(buffers.checked_sub(1)).map(|(bytes, index)| (index, bytes));
    if let Some((index, bytes)) = scratch {
        local = format!(
            "%bytes = arith.constant {bytes} : index\n\
             %shift = arith.muli %position, %bytes : index\n\
             %a{index} = memref.view %workspace[%shift][] : {WORKSPACE} to {ty}",
            ty = types[index]
        );
    }
    let arguments: Vec<String> = (0..types.len())
        .map(|index| match scratch {
            Some((scratch, _)) if scratch == index => format!("%workspace: {WORKSPACE}"),
            _ => format!("%a{index}: {}", types[index]),
        })
        .collect();
    // Of all arguments only `lo` and `hi` change from call to call.
    let passed: Vec<String> = (0..types.len())
        .map(|index| match index.checked_sub(buffers) {
            Some(0) => "%unit".to_owned(),
            Some(1) => "%end".to_owned(),
            _ => format!("%a{index}"),
        })
        .collect();
    let (lo, hi) = (format!("%a{buffers}"), format!("%a{}", buffers + 1));
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    Ok(format!(
        "{body}
func.func @{symbol}({arguments}) {{
  %one = arith.constant 1 : index
  %block_id = nvvm.read.ptx.sreg.ctaid.x : i32
  %thread_id = nvvm.read.ptx.sreg.tid.x : i32
  %block_dim = nvvm.read.ptx.sreg.ntid.x : i32
  %grid_dim = nvvm.read.ptx.sreg.nctaid.x : i32
  %block = arith.index_castui %block_id : i32 to index
  %thread = arith.index_castui %thread_id : i32 to index
  %threads = arith.index_castui %block_dim : i32 to index
  %blocks = arith.index_castui %grid_dim : i32 to index
  %before = arith.muli %block, %threads : index
  %position = arith.addi %before, %thread : index
  {local}
  %first = arith.addi {lo}, %position : index
  %stride = arith.muli %blocks, %threads : index
  scf.for %unit = %first to {hi} step %stride {{
    %end = arith.addi %unit, %one : index
    func.call @{symbol}__unit({passed}) : ({types}) -> ()
  }}
  return
}}",
        arguments = arguments.join(", "),
        passed = passed.join(", "),
        types = types.join(", "),
    ))
}

/// Bytes, as the launch brings them.
const WORKSPACE: &str = "memref<1099511627776xi8>";

/// Makes the lowered function an entry point. Its parameters of many bytes (tensor maps) stay where the launch put them. This is
/// done here, since a `func.func` may not have the attributes.
fn mark_entry<'c>(context: &'c MlirContext, module: &Module<'c>, symbol: &str) {
    let mut operation = module.body().first_operation_mut();
    while let Some(mut current) = operation {
        let name = current.attribute("sym_name").and_then(StringAttribute::try_from);
        if name.is_ok_and(|name| name.value() == symbol) {
            current.set_attribute("nvvm.kernel", context.unit());
            let of_arguments = current.attribute("arg_attrs").map(|a| a.to_string()).unwrap_or_default();
            let constant = of_arguments.replace("llvm.byval = ", "nvvm.grid_constant, llvm.byval = ");
            if let Some(constant) = context.attribute(&constant).filter(|_| constant != of_arguments) {
                current.set_attribute("arg_attrs", constant);
            }
        }
        operation = current.next_in_block_mut();
    }
}

/// The first top-level operation of that name.
fn find<'c, 'a>(module: &'a Module<'c>, name: &str) -> Option<OperationRef<'c, 'a>> {
    let mut operation = module.body().first_operation();
    while let Some(current) = operation {
        if current.name().as_string_ref().as_str() == Ok(name) {
            return Some(current);
        }
        operation = current.next_in_block();
    }
    None
}

fn inputs<'c>(function: &OperationRef<'c, '_>) -> Option<Vec<Type<'c>>> {
    let attribute: Attribute<'c> = function.attribute("function_type").ok()?;
    let ty = FunctionType::try_from(TypeAttribute::try_from(attribute).ok()?.value()).ok()?;
    (0..ty.input_count()).map(|index| ty.input(index).ok()).collect()
}

fn error(symbol: &str, message: &str) -> CodegenError {
    CodegenError::new(CodegenPhase::Lower, symbol, message)
}
