// `loom-expand-math`: loom.exp, log, tanh and erf become polynomials over arith and math.fma.
//
// No libm and no libdevice: one expansion gives the same bits in every kernel of a target and vectorises at any width,
// scalars included. With `gpu`, exp, tanh and erf in f32 are made of a GPU's own ex2 and reciprocal, in all of its kernels alike. Errors,
// measured by the tests of meshloom-codegen: about 2 ulp in f32 and in f64, at most 4 with `gpu`. Special values follow
// IEEE (exp(-inf) is +0, log(0) is -inf, NaN goes through), except that results of exp at the end of the normal range
// (from about 2^-125.5 down, or 2^-1021.5) are zero. Kernels give them to the op itself, and leave them out of attention.
//
// Comparisons are written as `c > x ? c : x` with the operand last: x86 has that as one instruction, and it lets NaN
// through. Coefficients are Chebyshev fits made in 60 digits, except erf in f32 (after N. Juffa) and log (fdlibm).

#include "Loom.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"

#include <array>
#include <limits>

using namespace mlir;

namespace {

// Fits of (exp(r) - 1 - r) / r^2 on |r| <= ln2/2, high degree first.
constexpr double kExp32[] = {1.393388348e-03, 8.363335600e-03, 4.166646281e-02, 1.666657604e-01, 5.000000014e-01};
constexpr double kExp64[] = {2.51054916050947510e-08, 2.76204132417616577e-07, 2.75572547385086673e-06,
                             2.48015206110369890e-05, 1.98412698753438598e-04, 1.38888889176559237e-03,
                             8.33333333332598493e-03, 4.16666666666232408e-02, 1.66666666666666713e-01,
                             5.00000000000000111e-01};
// erf(x) / x - 1 in x^2, near zero.
constexpr double kErfNear32[] = {-5.96761703e-4, 4.99119423e-3,  -2.67681349e-2,
                                 1.12819925e-1,  -3.76125336e-1, 1.28379166e-1};
constexpr double kErfNear64[] = {-7.79854385054994733e-10, 1.37215204063510941e-08,  -1.62088298568102018e-07,
                                 1.64474711905946175e-06,  -1.49247407853775756e-05, 1.20552951126670012e-04,
                                 -8.54832598254322523e-04, 5.22397760726994558e-03,  -2.68661706432569945e-02,
                                 1.12837916709451300e-01,  -3.76126389031835429e-01, 1.28379167095512559e-01};
// -log(erfc(x)) / x - 1 in x, away from zero.
constexpr double kErfFar32[] = {1.72853470e-5, -3.83197126e-4, 3.88396438e-3, -2.42546219e-2,
                                1.06777877e-1, 6.34846687e-1,  1.28717512e-1};
constexpr double kErfFar64[] = {8.43326067676142734e-12,  -3.39181595308565700e-10, 6.33446945462127587e-09,
                                -7.27645387721825466e-08, 5.72692097271367716e-07,  -3.24032273119128386e-06,
                                1.33054496397839856e-05,  -3.78997737901685613e-05, 5.86805573826803216e-05,
                                5.78964596208812472e-05,  -6.48471510235233478e-04, 1.76427281059734716e-03,
                                -2.64793958718407597e-04, -1.90965207806318531e-02, 1.02760241931245500e-01,
                                6.36622680869701751e-01,  1.28378852269887350e-01};
// (log(1+f) - f + f^2/2 - s*f^2/2) / s in z = s^2, s = f / (2 + f), without the leading z.
constexpr double kLog32[] = {0.24279078841, 0.28498786688, 0.40000972152, 0.66666662693};
constexpr double kLog64[] = {1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01,
                             2.222219843214978396e-01, 2.857142874366239149e-01, 3.999999999940941908e-01,
                             6.666666666666735130e-01};

// (tanh(x) / x - 1) / x^2 in x^2 on |x| <= 0.55.
constexpr double kTanhNear32[] = {1.729575172e-02, -5.314674601e-02, 1.332846433e-01, -3.333328664e-01};

/// Emits one expansion; all values have the operand's shape.
struct Expander {
  OpBuilder &builder;
  Location loc;
  Type type;    // f32, f64 or a vector of them
  bool wide;    // f64
  Type intType; // same shape, integers of the same width

  Expander(OpBuilder &builder, Operation *op)
      : builder(builder), loc(op->getLoc()), type(op->getResult(0).getType()), wide(getElementTypeOrSelf(type).isF64()),
        intType(shaped(builder.getIntegerType(wide ? 64 : 32))) {}

  Type shaped(Type element) const {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(element);
    return element;
  }
  Value splat(Type shape, TypedAttr scalar) {
    TypedAttr value = scalar;
    if (auto vector = dyn_cast<VectorType>(shape))
      value = DenseElementsAttr::get(vector, ArrayRef<Attribute>(scalar));
    return arith::ConstantOp::create(builder, loc, value);
  }
  Value constant(double value) {
    return splat(type, builder.getFloatAttr(getElementTypeOrSelf(type), value));
  }
  Value integer(int64_t value) {
    return splat(intType, builder.getIntegerAttr(getElementTypeOrSelf(intType), value));
  }
  Value constant(double narrow, double wideValue) { return constant(wide ? wideValue : narrow); }
  Value integer(int64_t narrow, int64_t wideValue) { return integer(wide ? wideValue : narrow); }

  Value add(Value a, Value b) { return arith::AddFOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
  Value div(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }
  Value fma(Value a, Value b, Value c) { return math::FmaOp::create(builder, loc, a, b, c); }
  Value abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
  Value copysign(Value a, Value sign) { return math::CopySignOp::create(builder, loc, a, sign); }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value atLeast(Value x, Value low) { return select(compare(arith::CmpFPredicate::OGT, low, x), low, x); }
  Value atMost(Value x, Value high) { return select(compare(arith::CmpFPredicate::OLT, high, x), high, x); }
  Value toBits(Value x) { return arith::BitcastOp::create(builder, loc, intType, x); }
  Value fromBits(Value x) { return arith::BitcastOp::create(builder, loc, type, x); }

  /// Horner's scheme, high degree first.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = constant(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }

  /// x = k ln2 + r: returns expm1(r) and the scale 2^(k + shift). Adding 1.5 * 2^mantissa rounds to an integer that then
  /// sits in the low bits, ready to be shifted into an exponent: no conversion to integer, which would be undefined for
  /// NaN. The caller keeps k + shift + bias within the exponent field.
  std::pair<Value, Value> reduceExp(Value x, int shift) {
    double magic = wide ? 6755399441055744.0 + 1023 + shift : 12582912.0 + 127 + shift;
    Value rounder = constant(magic);
    Value shifted = fma(x, constant(1.44269504088896341), rounder);
    Value k = sub(shifted, rounder);
    Value r = fma(k, constant(-6.9314718246459961e-01, -6.93147180559945286e-01), x);
    r = fma(k, constant(1.9046543e-09, -2.31904681384629956e-17), r);
    Value p = polynomial(r, wide ? ArrayRef<double>(kExp64) : ArrayRef<double>(kExp32));
    Value expm1 = fma(mul(p, r), r, r);
    Value scale = fromBits(arith::ShLIOp::create(builder, loc, toBits(shifted), integer(23, 52)));
    return {expm1, scale};
  }

  /// 2 exp(r) * 2^(k-1): with k-1 the exponent field covers results up to overflow (which then happens by itself), and
  /// the field 0 at the low end is the value +0.
  Value exp(Value x) {
    x = atLeast(x, constant(-87.33, -708.39));
    x = atMost(x, constant(89.0, 710.0));
    auto [expm1, half] = reduceExp(x, -1);
    Value two = constant(2.0);
    return mul(fma(expm1, two, two), half);
  }

  /// expm1(2x) / (expm1(2x) + 2), exact near zero because expm1(r) 2^k + (2^k - 1) is. Beyond the clamp tanh is 1. The sum loses
  /// the sign of a zero.
  Value tanh(Value x) {
    Value y = atLeast(x, constant(-10.0, -20.0));
    y = atMost(y, constant(10.0, 20.0));
    auto [expm1, scale] = reduceExp(add(y, y), 0);
    Value e = fma(expm1, scale, sub(scale, constant(1.0)));
    return copysign(div(e, add(e, constant(2.0))), x);
  }

  /// An instruction of a GPU that takes one f32, lane by lane.
  Value instruction(StringRef name, Value x) {
    auto call = [&](Value lane) {
      StringAttr intrinsic = builder.getStringAttr(name);
      return LLVM::CallIntrinsicOp::create(builder, loc, builder.getF32Type(), intrinsic, ValueRange{lane}).getResult(0);
    };
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return call(x);
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
      lanes.push_back(call(vector::ExtractOp::create(builder, loc, x, ArrayRef<int64_t>{lane})));
    return vector::FromElementsOp::create(builder, loc, vector, lanes);
  }

  /// 1 / x, for x of at least 1: off by at most one unit in the last place (PTX ISA, `rcp.approx.ftz.f32`).
  Value reciprocal(Value x) { return instruction("llvm.nvvm.rcp.approx.ftz.f", x); }

  /// 2^x: off by at most two units in the last place, and 0 below the normal range (PTX ISA, `ex2.approx.ftz.f32`).
  Value powerOfTwo(Value x) { return instruction("llvm.nvvm.ex2.approx.ftz.f", x); }

  /// In f32 on a GPU: 2^t (1 + ln2 d), where t is x log2(e), rounded, and d what the rounding left and the constant's lower part. At most
  /// 4 units in the last place off. Between the bounds 2^t comes to 0 and to infinity by itself, while d is a number.
  Value expOnGpu(Value x) {
    x = arith::MaximumFOp::create(builder, loc, x, constant(-104.0));
    x = arith::MinimumFOp::create(builder, loc, x, constant(89.0));
    Value log2e = constant(1.44269504088896341);
    Value t = mul(x, log2e);
    Value left = fma(x, log2e, arith::NegFOp::create(builder, loc, t));
    left = fma(x, constant(1.925963033e-08), left);
    return mul(powerOfTwo(t), fma(left, constant(0.693147180559945309), constant(1.0)));
  }

  /// In f32 on a GPU: 1 - 2 / (exp(2x) + 1) away from zero, where `ex2.approx` is off by two units in the last place, and a
  /// polynomial near it. At most 4 units in the last place off; beyond the range of exp it is 1 by itself.
  Value tanhOnGpu(Value x) {
    Value t = abs(x);
    Value square = mul(x, x);
    Value near = fma(mul(polynomial(square, kTanhNear32), square), t, t);
    Value e = powerOfTwo(mul(t, constant(2.88539008177792681)));
    Value far = fma(reciprocal(add(e, constant(1.0))), constant(-2.0), constant(1.0));
    // NaN is not below, and goes through the other side.
    Value isNear = compare(arith::CmpFPredicate::OLT, t, constant(0.55));
    return copysign(select(isNear, near, far), x);
  }

  Value erf(Value x, bool ofGpu) {
    Value t = abs(x);
    Value near = polynomial(mul(x, x), wide ? ArrayRef<double>(kErfNear64) : ArrayRef<double>(kErfNear32));
    near = fma(near, x, x);
    Value clamped = atMost(t, constant(4.2, 5.95));
    Value far = polynomial(clamped, wide ? ArrayRef<double>(kErfFar64) : ArrayRef<double>(kErfFar32));
    Value minusOne = constant(-1.0);
    Value exponent = mul(fma(far, clamped, clamped), minusOne);
    far = copysign(sub(constant(1.0), ofGpu ? expOnGpu(exponent) : exp(exponent)), x);
    Value isFar = compare(arith::CmpFPredicate::OGT, t, constant(0.927734375, 1.0));
    return select(isFar, far, near);
  }

  /// x = 2^k m with m in [sqrt(1/2), sqrt(2)), then fdlibm's series in f / (2 + f), f = m - 1.
  Value log(Value x) {
    Value zero = constant(0.0);
    Value smallest = constant(1.17549435082228750797e-38, 2.2250738585072014e-308);
    Value subnormal = compare(arith::CmpFPredicate::OLT, x, smallest);
    Value scaled = select(subnormal, mul(x, constant(33554432.0, 18014398509481984.0)), x); // 2^25, 2^54
    int64_t half32 = 0x3f3504f3, half64 = 0x3fe6a09e00000000, one32 = 0x3f800000, one64 = 0x3ff0000000000000;
    Value bits = arith::AddIOp::create(builder, loc, toBits(scaled), integer(one32 - half32, one64 - half64));
    Value exponent = arith::ShRSIOp::create(builder, loc, bits, integer(23, 52));
    exponent = arith::SubIOp::create(builder, loc, exponent, integer(127, 1023));
    Value mantissa = arith::AndIOp::create(builder, loc, bits, integer(0x7fffff, 0xfffffffffffff));
    mantissa = arith::AddIOp::create(builder, loc, mantissa, integer(half32, half64));
    Value k = arith::SIToFPOp::create(builder, loc, type, exponent);
    k = sub(k, select(subnormal, constant(25.0, 54.0), zero));

    Value f = sub(fromBits(mantissa), constant(1.0));
    Value s = div(f, add(f, constant(2.0)));
    Value z = mul(s, s);
    Value r = mul(polynomial(z, wide ? ArrayRef<double>(kLog64) : ArrayRef<double>(kLog32)), z);
    Value halfSquare = mul(mul(f, constant(0.5)), f);
    Value low = fma(k, constant(9.0580006145e-06, 1.90821492927058770002e-10), mul(s, add(halfSquare, r)));
    Value sum = add(sub(low, halfSquare), f);
    Value result = fma(k, constant(6.9313812256e-01, 6.93147180369123816490e-01), sum);

    double inf = std::numeric_limits<double>::infinity();
    Value positive = compare(arith::CmpFPredicate::OGT, x, zero);
    Value special = select(positive, x, constant(std::numeric_limits<double>::quiet_NaN()));
    special = select(compare(arith::CmpFPredicate::OEQ, x, zero), constant(-inf), special);
    Value finite = compare(arith::CmpFPredicate::OLT, x, constant(inf));
    return select(arith::AndIOp::create(builder, loc, positive, finite), result, special);
  }
};

struct ExpandMathPass : PassWrapper<ExpandMathPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandMathPass)

  ExpandMathPass() = default;
  ExpandMathPass(const ExpandMathPass &other) : PassWrapper(other) {}

  Option<bool> gpu{*this, "gpu", llvm::cl::desc("for NVIDIA's GPUs"), llvm::cl::init(false)};

  StringRef getArgument() const override { return "loom-expand-math"; }
  StringRef getDescription() const override { return "loom.exp, log, tanh, erf to polynomials"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<math::MathDialect, arith::ArithDialect, LLVM::LLVMDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    // A walk, not a pattern driver: each op is rewritten once and nothing it becomes is a loom op again.
    bool onGpu = gpu;
    getOperation()->walk([onGpu](Operation *op) {
      if (!isa<loom::ExpOp, loom::LogOp, loom::TanhOp, loom::ErfOp>(op))
        return;
      OpBuilder builder(op);
      Expander expand(builder, op);
      Value x = op->getOperand(0);
      bool ofGpu = onGpu && !expand.wide;
      Value result = isa<loom::ExpOp>(op)    ? (ofGpu ? expand.expOnGpu(x) : expand.exp(x))
                     : isa<loom::LogOp>(op)  ? expand.log(x)
                     : isa<loom::TanhOp>(op) ? (ofGpu ? expand.tanhOnGpu(x) : expand.tanh(x))
                                             : expand.erf(x, ofGpu);
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    });
  }
};

} // namespace

extern "C" void meshloomRegisterPasses() { PassRegistration<ExpandMathPass>(); }
