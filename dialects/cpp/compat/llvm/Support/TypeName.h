// Type names as clang writes them, whatever compiler this is.
//
// MLIR identifies op traits across shared libraries by the name that the compiler gives to `Trait<Empty>`, where `Empty`
// is a struct inside `TypeID::get`. Debian builds libMLIR with clang, for which that name is `mlir::OpTrait::X<Empty>`;
// GCC spells the function out: `mlir::OpTrait::X<mlir::TypeID::get<mlir::OpTrait::X>()::Empty>`. Unless the
// two agree, our ops have none of their traits in libMLIR's eyes, and its modules no symbol table in ours.
//
// This header stands before LLVM's on the include path, renames LLVM's function and corrects what it returns.

#ifndef MESHLOOM_COMPAT_TYPE_NAME_H
#define MESHLOOM_COMPAT_TYPE_NAME_H

#if defined(__GNUC__) && !defined(__clang__)

#define getTypeName getTypeNameOfCompiler
#include_next "llvm/Support/TypeName.h"
#undef getTypeName

#include <string>

namespace llvm {

template <typename DesiredTypeName>
StringRef getTypeName() {
  static const std::string name = [] {
    std::string text = getTypeNameOfCompiler<DesiredTypeName>().str();
    size_t open = text.find("<mlir::TypeID::get<");
    size_t close = text.rfind("::Empty>");
    if (open != std::string::npos && close != std::string::npos && open < close)
      text.replace(open + 1, close + 2 - (open + 1), "");
    return text;
  }();
  return name;
}

} // namespace llvm

#else
#include_next "llvm/Support/TypeName.h"
#endif

#endif // MESHLOOM_COMPAT_TYPE_NAME_H
