// Verifiers: the program lies within its arena, axes exist, shapes agree with group sizes, kernels take what they are given.
//
// Arithmetic on addresses is done in 128 bits: a program is data from outside, and no number in it may wrap around a check.

#include "Loom.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace loom;

namespace {

using Wide = __int128;

/// The program around an instruction, also through a loop.
ProgramOp programOf(Operation *op) { return op->getParentOfType<ProgramOp>(); }

/// The mesh of a program, or null where the symbol is missing (which the program's own verifier reports).
MeshOp meshOf(Operation *op) {
  ProgramOp program = isa<ProgramOp>(op) ? cast<ProgramOp>(op) : programOf(op);
  if (!program)
    return {};
  return SymbolTable::lookupNearestSymbolFrom<MeshOp>(program, program.getMeshAttr());
}

int64_t bytesPerElement(MemRefType type) {
  Type element = type.getElementType();
  return element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

Wide elements(ArrayRef<int64_t> shape) {
  Wide count = 1;
  for (int64_t size : shape)
    count = std::min<Wide>(count * size, Wide(1) << 64);
  return count;
}

/// Dense row-major with known sizes, of whole bytes.
LogicalResult verifyDense(Operation *op, MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || bytesPerElement(type) == 0)
    return op->emitOpError("needs a dense buffer of known size and plain elements, found ") << type;
  return success();
}

/// That all axes exist and none is repeated; returns the size of the group.
FailureOr<int64_t> groupSize(Operation *op, ArrayAttr axes) {
  MeshOp mesh = meshOf(op);
  if (!mesh)
    return op->emitOpError("is in no program with a mesh");
  Wide size = 1;
  for (auto [index, axis] : llvm::enumerate(axes)) {
    auto *found = llvm::find(mesh.getAxes(), axis);
    if (found == mesh.getAxes().end())
      return op->emitOpError("names axis ") << axis << ", which mesh @" << mesh.getSymName() << " does not have";
    if (llvm::is_contained(axes.getValue().take_front(index), axis))
      return op->emitOpError("names axis ") << axis << " twice";
    size *= mesh.getSizes()[found - mesh.getAxes().begin()];
  }
  return static_cast<int64_t>(size); // the mesh's verifier bounds the product
}

template <typename Op>
FailureOr<int64_t> verifyCollective(Op op) {
  FailureOr<int64_t> size = groupSize(op, op.getAxes());
  if (failed(size))
    return failure();
  if (op.getAxes().empty())
    return op.emitOpError("runs over no axis");
  MemRefType src = cast<MemRefType>(op.getSrc().getType()), dst = cast<MemRefType>(op.getDst().getType());
  if (failed(verifyDense(op, src)) || failed(verifyDense(op, dst)))
    return failure();
  if (src.getElementType() != dst.getElementType())
    return op.emitOpError("converts elements: ") << src << " to " << dst;
  return size;
}

template <typename Op>
LogicalResult verifySameShape(Op op) {
  if (op.getSrc().getType() != op.getDst().getType())
    return op.emitOpError("changes the shape: ") << op.getSrc().getType() << " to " << op.getDst().getType();
  return success();
}

/// That `dst` is `src` with dims multiplied as given.
template <typename Op>
LogicalResult verifyResize(Op op, int64_t group, int64_t grows, int64_t shrinks) {
  MemRefType src = cast<MemRefType>(op.getSrc().getType()), dst = cast<MemRefType>(op.getDst().getType());
  int64_t rank = src.getRank();
  for (int64_t dim : {grows, shrinks})
    if (dim >= rank)
      return op.emitOpError("has no dim ") << dim << " in " << src;
  bool fits = rank == dst.getRank();
  for (int64_t dim = 0; fits && dim < rank; ++dim) {
    Wide from = src.getDimSize(dim), to = dst.getDimSize(dim);
    if (dim == grows)
      from *= group;
    if (dim == shrinks)
      to *= group;
    fits = from == to;
  }
  if (!fits)
    return op.emitOpError("in groups of ") << group << " does not turn " << src << " into " << dst;
  return success();
}

} // namespace

LogicalResult MeshOp::verify() {
  if (getAxes().size() != getSizes().size())
    return emitOpError("has ") << getAxes().size() << " axes and " << getSizes().size() << " sizes";
  Wide devices = 1;
  for (auto [index, axis] : llvm::enumerate(getAxes())) {
    if (llvm::is_contained(getAxes().getValue().take_front(index), axis))
      return emitOpError("has two axes ") << axis;
    int64_t size = getSizes()[index];
    if (size < 1)
      return emitOpError("gives axis ") << axis << " size " << size;
    devices *= size;
    if (devices > (1 << 30))
      return emitOpError("has more than 2^30 devices");
  }
  return success();
}

LogicalResult ProgramOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom<MeshOp>(*this, getMeshAttr()))
    return emitOpError("runs on ") << getMeshAttr() << ", which is no mesh";
  return success();
}

LogicalResult ProgramOp::verify() {
  if (getArena() < 0 || getScratch() < 0)
    return emitOpError("has a negative size");
  return success();
}

LogicalResult PortOp::verify() {
  static constexpr StringLiteral kRoles[] = {"parameter", "state", "input", "output", "loss", "metric"};
  if (!llvm::is_contained(kRoles, getRole()))
    return emitOpError("has the unknown role ") << getRole();
  auto type = cast<MemRefType>(getShard());
  if (failed(verifyDense(*this, type)))
    return failure();
  ArrayRef<int64_t> global = getGlobal();
  if (type.getRank() != static_cast<int64_t>(global.size()) || global.size() != getSplit().size())
    return emitOpError("has a local shape, a global shape and a layout of different ranks");
  for (auto [dim, axes] : llvm::enumerate(getSplit())) {
    auto list = dyn_cast<ArrayAttr>(axes);
    if (!list)
      return emitOpError("needs a list of axes for each dim");
    FailureOr<int64_t> size = groupSize(*this, list);
    if (failed(size))
      return failure();
    int64_t block = (global[dim] + *size - 1) / *size;
    if (type.getDimSize(dim) != block)
      return emitOpError("splits dim ") << dim << " of " << global[dim] << " in " << *size << " blocks of " << block
                                        << ", but the shard has " << type.getDimSize(dim);
  }
  Wide end = Wide(getOffset()) + elements(type.getShape()) * bytesPerElement(type);
  if (static_cast<int64_t>(getOffset()) < 0 || end > Wide(programOf(*this).getArena()))
    return emitOpError("lies outside of the arena");
  return success();
}

LogicalResult ViewOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  if (failed(verifyDense(*this, type)))
    return failure();
  ArrayRef<int64_t> strides = getStrides(), scales = getScales(), shifts = getShifts(), periods = getPeriods();
  size_t moves = strides.size();
  if (moves > 4 || scales.size() != moves || shifts.size() != moves || periods.size() != moves)
    return emitOpError("needs a stride, a scale, a shift and a period for each of at most 4 loops");
  SmallVector<int64_t> trips; // of the loops around it, outermost first
  for (auto loop = (*this)->getParentOfType<LoopOp>(); loop; loop = loop->getParentOfType<LoopOp>())
    trips.insert(trips.begin(), std::max<int64_t>(loop.getTrip(), 1));

  Wide offset = static_cast<int64_t>(getOffset());
  Wide low = offset, high = offset + elements(type.getShape()) * bytesPerElement(type);
  bool aligned = offset % bytesPerElement(type) == 0;
  for (size_t loop = 0; loop < moves; ++loop) {
    int64_t stride = strides[loop], scale = scales[loop], shift = shifts[loop], period = periods[loop];
    if (scale < -1 || scale > 1 || period < 0)
      return emitOpError("has an index that is none of i + c, c - i, (i + c) mod p");
    if (scale == 0 && (stride != 0 || shift != 0 || period != 0))
      return emitOpError("has a stride and no index");
    if (scale == 0)
      continue;
    if (loop >= trips.size())
      return emitOpError("moves with ") << "ijkl"[loop] << " outside of a loop";
    Wide first = shift, last = Wide(shift) + Wide(scale) * (trips[loop] - 1);
    if (last < first)
      std::swap(first, last);
    if (period != 0) {
      first = 0;
      last = period - 1;
    }
    low += Wide(stride) * (stride < 0 ? last : first);
    high += Wide(stride) * (stride < 0 ? first : last);
    aligned &= stride % static_cast<int64_t>(bytesPerElement(type)) == 0;
  }
  if (low < 0 || high > Wide(programOf(*this).getArena()))
    return emitOpError("lies outside of the arena");
  if (!aligned)
    return emitOpError("is not aligned to its elements");
  return success();
}

LogicalResult LaunchOp::verify() {
  if (static_cast<int64_t>(getUnits()) < 0)
    return emitOpError("has a negative number of units");
  for (int32_t index : getWrites())
    if (index < 0 || static_cast<size_t>(index) >= getBuffers().size())
      return emitOpError("writes buffer ") << index << " of " << getBuffers().size();
  for (Attribute dim : getDims()) {
    if (auto start = dyn_cast<ShardStartAttr>(dim)) {
      if (failed(groupSize(*this, start.getAxes())))
        return failure();
    } else if (!isa<IntegerAttr>(dim)) {
      return emitOpError("has a dim that is neither a number nor a shard's start: ") << dim;
    }
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("launches ") << getKernelAttr() << ", which is no function";
  ArrayRef<Type> inputs = kernel.getFunctionType().getInputs();
  size_t memrefs = llvm::count_if(inputs, [](Type type) { return isa<MemRefType>(type); });
  size_t numbers = inputs.size() - memrefs;
  // One more memref than buffers is the scratch.
  if (memrefs != getBuffers().size() && memrefs != getBuffers().size() + 1)
    return emitOpError("gives ") << getBuffers().size() << " buffers to a kernel of type " << kernel.getFunctionType();
  if (numbers != 2 + getDims().size())
    return emitOpError("gives ") << getDims().size() << " dims to a kernel of type " << kernel.getFunctionType();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(getBuffers(), inputs))) {
    auto taken = dyn_cast<MemRefType>(std::get<1>(pair));
    auto given = cast<MemRefType>(std::get<0>(pair).getType());
    if (!taken || taken.getElementType() != given.getElementType())
      return emitOpError("gives ") << given << " as argument " << index << ", a " << std::get<1>(pair);
  }
  return success();
}

LogicalResult FillOp::verify() {
  bool integers = isa<IntegerType>(getDst().getType().getElementType());
  if (integers != isa<IntegerAttr>(getValue()))
    return emitOpError("fills ") << getDst().getType() << " with " << getValue();
  return success();
}

LogicalResult LoopOp::verify() {
  if (static_cast<int64_t>(getTrip()) < 0)
    return emitOpError("has a negative trip count");
  return success();
}

LogicalResult AllReduceOp::verify() {
  return failed(verifyCollective(*this)) ? failure() : verifySameShape(*this);
}

LogicalResult AllGatherOp::verify() {
  FailureOr<int64_t> group = verifyCollective(*this);
  return failed(group) ? failure() : verifyResize(*this, *group, getDim(), -1);
}

LogicalResult ReduceScatterOp::verify() {
  FailureOr<int64_t> group = verifyCollective(*this);
  return failed(group) ? failure() : verifyResize(*this, *group, -1, getDim());
}

LogicalResult AllToAllOp::verify() {
  FailureOr<int64_t> group = verifyCollective(*this);
  if (failed(group))
    return failure();
  if (getSplit() == getConcat())
    return emitOpError("splits and concatenates the same dim");
  return verifyResize(*this, *group, getConcat(), getSplit());
}

LogicalResult CollectivePermuteOp::verify() {
  FailureOr<int64_t> group = verifyCollective(*this);
  if (failed(group) || failed(verifySameShape(*this)))
    return failure();
  ArrayRef<int64_t> ranks = getPairs();
  if (ranks.size() % 2 != 0)
    return emitOpError("needs pairs of ranks");
  SmallVector<bool> sends(*group), receives(*group);
  for (size_t index = 0; index < ranks.size(); ++index) {
    int64_t rank = ranks[index];
    if (rank < 0 || rank >= *group)
      return emitOpError("has no rank ") << rank << " in groups of " << *group;
    SmallVector<bool> &seen = index % 2 == 0 ? sends : receives;
    if (seen[rank])
      return emitOpError("lets rank ") << rank << (index % 2 == 0 ? " send twice" : " receive twice");
    seen[rank] = true;
  }
  return success();
}
