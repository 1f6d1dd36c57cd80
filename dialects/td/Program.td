// The per-device program: mesh, arena, views of it, launches and loops. The same instruction list as in a bundle.

#ifndef LOOM_PROGRAM_TD
#define LOOM_PROGRAM_TD

include "Base.td"

def Loom_MeshOp : Loom_Op<"mesh", [Symbol]> {
  let summary = "the device mesh: named axes and their sizes, major first";
  let description = [{
    ```mlir
    loom.mesh @mesh [data = 2, model = 4]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes, DenseI64ArrayAttr:$sizes);
  let assemblyFormat = "$sym_name custom<MeshAxes>($axes, $sizes) attr-dict";
  let hasVerifier = 1;
}

def Loom_ProgramOp : Loom_Op<"program", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator, NoRegionArguments,
                                         DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one step of one entry on every device of a mesh";
  let description = [{
    `arena` is the size in bytes of the one buffer that all views point into, `scratch` what a worker thread lends to
    kernels that ask for it.

    ```mlir
    loom.program @gpt on @mesh arena(4096) scratch(0) { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$mesh, I64Attr:$arena, I64Attr:$scratch);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `on` $mesh `arena` `(` $arena `)` `scratch` `(` $scratch `)` attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Loom_PortOp : Loom_Op<"port", [HasParent<"ProgramOp">]> {
  let summary = "a tensor that the outside sees, and where its shard lies in the arena";
  let description = [{
    The type is the shard's; `of` is the global shape, `split` names for each dim the axes that split it, major first.

    ```mlir
    loom.port "tok" parameter at(4096) : memref<128x64xf32> of [256, 64] split [[data], []]
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$role, I64Attr:$offset, TypeAttrOf<AnyMemRef>:$shard,
                       DenseI64ArrayAttr:$global, ArrayAttr:$split);
  let assemblyFormat = [{
    $name custom<Keyword>($role) `at` `(` $offset `)` `:` $shard `of` $global `split` custom<AxisLists>($split) attr-dict
  }];
  let hasVerifier = 1;
}

def Loom_ViewOp : Loom_Op<"view", [Pure, ParentOneOf<["ProgramOp", "LoopOp"]>]> {
  let summary = "a dense row-major buffer in the arena, at an address that may move with the enclosing loops";
  let description = [{
    The address is `offset` and, for each loop around the view, outermost first, `stride * index`; the index is
    `scale * i + shift`, modulo `period` if that is not 0. Loops are called i, j, k, l from the outside.

    ```mlir
    %0 = loom.view [4096] : memref<64x32xf32>
    %1 = loom.view [4096 + 8192 * (i)] : memref<64x32xf32>              // the layer's own slice
    %2 = loom.view [4096 + 8192 * (3 - i)] : memref<64x32xf32>          // the backward pass reads what forward wrote
    %3 = loom.view [4096 + 8192 * (i + 1 mod 2)] : memref<64x32xf32>    // a carry that alternates
    %4 = loom.view [4096 + 512 * (i) + 8192 * (j)] : memref<64x2xf32>   // a slice in two loops
    ```
  }];
  let arguments = (ins I64Attr:$offset, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$scales, DenseI64ArrayAttr:$shifts,
                       DenseI64ArrayAttr:$periods);
  let results = (outs AnyStaticShapeMemRef:$buffer);
  let assemblyFormat = "`[` custom<Address>($offset, $strides, $scales, $shifts, $periods) `]` attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Loom_ShardStartAttr : AttrDef<Loom_Dialect, "ShardStart"> {
  let summary = "where this device's block of a dim begins: its linear index over the axes, times the block";
  let mnemonic = "shard_start";
  let parameters = (ins "::mlir::ArrayAttr":$axes, "int64_t":$block);
  let assemblyFormat = "`<` $axes `,` $block `>`";
}

def Loom_LaunchOp : Loom_Op<"launch", [ParentOneOf<["ProgramOp", "LoopOp"]>,
                                       DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel over units 0..units, which are independent of each other";
  let description = [{
    The kernel is a function `(buffers.., [scratch], lo, hi, dims..)`; a device may split 0..units among its threads.

    ```mlir
    loom.launch @kernels::@k0(%0, %1) units(64) dims(32, start([model] * 16)) writes [1] from "gpt.loom:22:5"
      : memref<64x32xf32>, memref<64x32xf32>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Variadic<AnyMemRef>:$buffers, I64Attr:$units, ArrayAttr:$dims,
                       DenseI32ArrayAttr:$writes, OptionalAttr<DenseI32ArrayAttr>:$certified,
                       OptionalAttr<StrAttr>:$source);
  let assemblyFormat = [{
    $kernel `(` $buffers `)` `units` `(` $units `)` `dims` custom<Dims>($dims) `writes` $writes
    (`certified` $certified^)? (`from` $source^)? attr-dict (`:` type($buffers)^)?
  }];
  let hasVerifier = 1;
}

def Loom_LoopOp : Loom_Op<"loop", [ParentOneOf<["ProgramOp", "LoopOp"]>, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "runs its body for i = 0, 1, .. trip - 1, or until it leaves";
  let description = [{
    What stands behind `after` runs once, with i being the number of iterations that were made: a body that begins with
    `loom.leave_unless` makes as many as it finds.
  }];
  let arguments = (ins I64Attr:$trip);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$after);
  let assemblyFormat = "$trip attr-dict-with-keyword $body (`after` $after^)?";
  let hasVerifier = 1;
}

def Loom_LeaveUnlessOp : Loom_Op<"leave_unless", [HasParent<"LoopOp">]> {
  let summary = "ends the loop around it, before this iteration, where the byte is 0; all devices find the same";
  let arguments = (ins AnyStaticShapeMemRef:$going);
  let assemblyFormat = "$going attr-dict `:` type($going)";
}

def Loom_CopyOp : Loom_Op<"copy", [ParentOneOf<["ProgramOp", "LoopOp"]>, AllTypesMatch<["src", "dst"]>]> {
  let summary = "copies one buffer over another";
  let arguments = (ins AnyStaticShapeMemRef:$src, AnyStaticShapeMemRef:$dst);
  let assemblyFormat = "$src `into` $dst attr-dict `:` type($src)";
}

def Loom_FillOp : Loom_Op<"fill", [ParentOneOf<["ProgramOp", "LoopOp"]>]> {
  let summary = "writes one value to every element";
  let description = [{
    A float stands as an f64 and an integer as an i64, whatever the width of the elements: both hold every element exactly.
  }];
  let arguments = (ins AnyStaticShapeMemRef:$dst, AnyAttrOf<[F64Attr, I64Attr]>:$value);
  let assemblyFormat = "$dst `:` type($dst) `with` $value attr-dict";
  let hasVerifier = 1;
}

#endif // LOOM_PROGRAM_TD
