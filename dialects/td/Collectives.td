// Collectives between arena buffers. The group is the set of devices that differ only in `over`; a device's rank in it is
// its linear index over these axes, major first. Shapes say the rest, and the verifier compares them with the group's size.

#ifndef LOOM_COLLECTIVES_TD
#define LOOM_COLLECTIVES_TD

include "Base.td"

def Loom_Reduction : I32EnumAttr<"Reduction", "how partial values combine",
    [I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">,
     I32EnumAttrCase<"Prod", 3, "prod">, I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">]> {
  let cppNamespace = "::loom";
}

class Loom_CollectiveOp<string mnemonic, string what, dag parameters, string lead, string detail>
    : Loom_Op<mnemonic, [ParentOneOf<["ProgramOp", "LoopOp"]>]> {
  let summary = what;
  let arguments = !con((ins AnyStaticShapeMemRef:$src, AnyStaticShapeMemRef:$dst, StrArrayAttr:$axes, I64Attr:$id,
                            OptionalAttr<DenseI32ArrayAttr>:$certified, OptionalAttr<StrAttr>:$source),
                       parameters);
  let assemblyFormat = lead # "$src `into` $dst " # detail # [{
    `over` custom<AxisList>($axes) `id` `(` $id `)` (`certified` $certified^)? (`from` $source^)? attr-dict
    `:` type($src) `to` type($dst)
  }];
  let hasVerifier = 1;
}

def Loom_AllReduceOp : Loom_CollectiveOp<"all_reduce", "every device gets the reduction of all",
    (ins Loom_Reduction:$reduction), "$reduction ", "">;

def Loom_AllGatherOp : Loom_CollectiveOp<"all_gather", "every device gets all blocks, concatenated along a dim by rank",
    (ins I64Attr:$dim), "", "`dim` $dim ">;

def Loom_ReduceScatterOp : Loom_CollectiveOp<"reduce_scatter", "every device gets its block, along a dim, of the reduction",
    (ins Loom_Reduction:$reduction, I64Attr:$dim), "$reduction ", "`dim` $dim ">;

def Loom_AllToAllOp : Loom_CollectiveOp<"all_to_all", "the split moves from one dim to another",
    (ins I64Attr:$split, I64Attr:$concat), "", "`split` $split `concat` $concat ">;

def Loom_CollectivePermuteOp : Loom_CollectiveOp<"collective_permute", "one rank sends to another; who receives nothing gets zeros",
    (ins DenseI64ArrayAttr:$pairs), "", "`pairs` custom<Pairs>($pairs) ">;

#endif // LOOM_COLLECTIVES_TD
