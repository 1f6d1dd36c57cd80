// The dialect's registration and verifiers. What the generic constraints of ODS can say is said there.

#include "Loom.h"
#include "mlir/CAPI/Registration.h"
#include "llvm/ADT/TypeSwitch.h"

#include "LoomDialect.cpp.inc"
#define GET_OP_CLASSES
#include "LoomOps.cpp.inc"

void loom::LoomDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "LoomOps.cpp.inc"
      >();
}

extern "C" void meshloomRegisterDialect(MlirDialectRegistry registry) {
  unwrap(registry)->insert<loom::LoomDialect>();
}
