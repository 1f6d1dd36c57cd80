// Declarations generated from td/Loom.td, in the order that C++ needs them.

#ifndef MESHLOOM_LOOM_H
#define MESHLOOM_LOOM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "LoomDialect.h.inc"
#include "LoomEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "LoomAttrs.h.inc"
#define GET_OP_CLASSES
#include "LoomOps.h.inc"

#endif // MESHLOOM_LOOM_H
