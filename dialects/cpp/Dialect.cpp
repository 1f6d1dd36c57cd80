// The dialect's registration, and the parts of its syntax that ODS cannot express. Verifiers are in Verify.cpp.

#include "Loom.h"
#include "mlir/CAPI/Registration.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// `data` or, for what is no identifier, `"data axis"`.
static ParseResult parseKeyword(OpAsmParser &parser, StringAttr &name) {
  std::string text;
  if (parser.parseKeywordOrString(&text))
    return failure();
  name = parser.getBuilder().getStringAttr(text);
  return success();
}

static void printKeyword(OpAsmPrinter &printer, Operation *, StringAttr name) {
  printer.printKeywordOrString(name.getValue());
}

// `[data, model]`
static ParseResult parseAxisList(OpAsmParser &parser, ArrayAttr &axes) {
  SmallVector<Attribute> names;
  auto one = [&]() -> ParseResult {
    StringAttr name;
    if (parseKeyword(parser, name))
      return failure();
    names.push_back(name);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
    return failure();
  axes = parser.getBuilder().getArrayAttr(names);
  return success();
}

static void printAxisList(OpAsmPrinter &printer, Operation *op, ArrayAttr axes) {
  printer << '[';
  llvm::interleaveComma(axes, printer, [&](Attribute axis) { printKeyword(printer, op, cast<StringAttr>(axis)); });
  printer << ']';
}

// `[[data], []]`
static ParseResult parseAxisLists(OpAsmParser &parser, ArrayAttr &lists) {
  SmallVector<Attribute> dims;
  auto one = [&]() -> ParseResult {
    ArrayAttr axes;
    if (parseAxisList(parser, axes))
      return failure();
    dims.push_back(axes);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
    return failure();
  lists = parser.getBuilder().getArrayAttr(dims);
  return success();
}

static void printAxisLists(OpAsmPrinter &printer, Operation *op, ArrayAttr lists) {
  printer << '[';
  llvm::interleaveComma(lists, printer, [&](Attribute axes) { printAxisList(printer, op, cast<ArrayAttr>(axes)); });
  printer << ']';
}

// `[data = 2, model = 4]`
static ParseResult parseMeshAxes(OpAsmParser &parser, ArrayAttr &axes, DenseI64ArrayAttr &sizes) {
  SmallVector<Attribute> names;
  SmallVector<int64_t> numbers;
  auto one = [&]() -> ParseResult {
    StringAttr name;
    if (parseKeyword(parser, name) || parser.parseEqual() || parser.parseInteger(numbers.emplace_back()))
      return failure();
    names.push_back(name);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
    return failure();
  axes = parser.getBuilder().getArrayAttr(names);
  sizes = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

static void printMeshAxes(OpAsmPrinter &printer, Operation *op, ArrayAttr axes, DenseI64ArrayAttr sizes) {
  printer << '[';
  llvm::interleaveComma(llvm::zip(axes, sizes.asArrayRef()), printer, [&](auto axis) {
    printKeyword(printer, op, cast<StringAttr>(std::get<0>(axis)));
    printer << " = " << std::get<1>(axis);
  });
  printer << ']';
}

// `4096`, `4096 + 8192 * (i)`, `.. (i + 1)`, `.. (i - 1)`, `.. (3 - i)`, `.. (i + 1 mod 2)`
static constexpr StringRef kLoops[] = {StringRef("i"), StringRef("j"), StringRef("k"), StringRef("l")};

// One addend of an address behind its `stride * (`: `i + c`, `c - i`, `i + c mod p`. Which loop it counts is its letter.
static ParseResult parseIndex(OpAsmParser &parser, size_t &loop, int64_t &scale, int64_t &shift, int64_t &period) {
  auto letter = [&]() -> ParseResult {
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name, kLoops)))
      return parser.emitError(parser.getCurrentLocation(), "expected i, j, k or l");
    loop = llvm::find(kLoops, name) - std::begin(kLoops);
    return success();
  };
  if (parser.parseOptionalInteger(shift).has_value()) {
    scale = -1;
    if (parser.parseMinus() || letter())
      return failure();
  } else {
    scale = 1;
    if (letter())
      return failure();
    if (succeeded(parser.parseOptionalPlus())) {
      if (parser.parseInteger(shift))
        return failure();
    } else if (succeeded(parser.parseOptionalMinus())) {
      if (parser.parseInteger(shift))
        return failure();
      shift = -shift;
    }
  }
  if (succeeded(parser.parseOptionalKeyword("mod")) && parser.parseInteger(period))
    return failure();
  return success();
}

static ParseResult parseAddress(OpAsmParser &parser, IntegerAttr &offset, DenseI64ArrayAttr &strides,
                                DenseI64ArrayAttr &scales, DenseI64ArrayAttr &shifts, DenseI64ArrayAttr &periods) {
  int64_t base = 0;
  if (parser.parseInteger(base))
    return failure();
  SmallVector<int64_t> all[4];
  while (succeeded(parser.parseOptionalPlus())) {
    int64_t stride = 0, scale = 0, shift = 0, period = 0;
    size_t loop = 0;
    if (parser.parseInteger(stride) || parser.parseStar() || parser.parseLParen() ||
        parseIndex(parser, loop, scale, shift, period) || parser.parseRParen())
      return failure();
    if (loop < all[0].size())
      return parser.emitError(parser.getCurrentLocation(), "loops stand once each, outermost first");
    int64_t values[4] = {stride, scale, shift, period};
    for (size_t part = 0; part < 4; ++part) {
      all[part].resize(loop, 0);
      all[part].push_back(values[part]);
    }
  }
  Builder &builder = parser.getBuilder();
  offset = builder.getI64IntegerAttr(base);
  strides = builder.getDenseI64ArrayAttr(all[0]);
  scales = builder.getDenseI64ArrayAttr(all[1]);
  shifts = builder.getDenseI64ArrayAttr(all[2]);
  periods = builder.getDenseI64ArrayAttr(all[3]);
  return success();
}

static void printAddress(OpAsmPrinter &printer, Operation *, IntegerAttr offset, DenseI64ArrayAttr strides,
                         DenseI64ArrayAttr scales, DenseI64ArrayAttr shifts, DenseI64ArrayAttr periods) {
  printer << offset.getInt();
  for (auto [loop, stride] : llvm::enumerate(strides.asArrayRef())) {
    int64_t scale = scales[loop], shift = shifts[loop], period = periods[loop];
    if (scale == 0 || loop >= std::size(kLoops))
      continue;
    printer << " + " << stride << " * (";
    if (scale < 0)
      printer << shift << " - " << kLoops[loop];
    else if (shift > 0)
      printer << kLoops[loop] << " + " << shift;
    else if (shift < 0)
      printer << kLoops[loop] << " - " << -shift;
    else
      printer << kLoops[loop];
    if (period != 0)
      printer << " mod " << period;
    printer << ')';
  }
}

// `(32, start([model] * 16))`
static ParseResult parseDims(OpAsmParser &parser, ArrayAttr &dims) {
  SmallVector<Attribute> values;
  Builder &builder = parser.getBuilder();
  auto one = [&]() -> ParseResult {
    int64_t number = 0;
    if (succeeded(parser.parseOptionalKeyword("start"))) {
      ArrayAttr axes;
      if (parser.parseLParen() || parseAxisList(parser, axes) || parser.parseStar() || parser.parseInteger(number) ||
          parser.parseRParen())
        return failure();
      values.push_back(loom::ShardStartAttr::get(builder.getContext(), axes, number));
      return success();
    }
    if (parser.parseInteger(number))
      return failure();
    values.push_back(builder.getI64IntegerAttr(number));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, one))
    return failure();
  dims = builder.getArrayAttr(values);
  return success();
}

static void printDims(OpAsmPrinter &printer, Operation *op, ArrayAttr dims) {
  printer << '(';
  llvm::interleaveComma(dims, printer, [&](Attribute dim) {
    if (auto start = dyn_cast<loom::ShardStartAttr>(dim)) {
      printer << "start(";
      printAxisList(printer, op, start.getAxes());
      printer << " * " << start.getBlock() << ')';
    } else {
      printer << cast<IntegerAttr>(dim).getInt();
    }
  });
  printer << ')';
}

// `[0 -> 1, 1 -> 0]`
static ParseResult parsePairs(OpAsmParser &parser, DenseI64ArrayAttr &pairs) {
  SmallVector<int64_t> ranks;
  auto one = [&]() -> ParseResult {
    int64_t from = 0, to = 0;
    if (parser.parseInteger(from) || parser.parseArrow() || parser.parseInteger(to))
      return failure();
    ranks.append({from, to});
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
    return failure();
  pairs = parser.getBuilder().getDenseI64ArrayAttr(ranks);
  return success();
}

static void printPairs(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr pairs) {
  ArrayRef<int64_t> ranks = pairs.asArrayRef();
  printer << '[';
  for (size_t i = 0; i + 1 < ranks.size(); i += 2)
    printer << (i ? ", " : "") << ranks[i] << " -> " << ranks[i + 1];
  printer << ']';
}

#include "LoomDialect.cpp.inc"
#include "LoomEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "LoomAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "LoomOps.cpp.inc"

void loom::LoomDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "LoomAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "LoomOps.cpp.inc"
      >();
}

extern "C" void meshloomRegisterDialect(MlirDialectRegistry registry) {
  unwrap(registry)->insert<loom::LoomDialect>();
}
