import ColorScience
import Dispatch
import FilterGraph
import FrameCore
import PixelKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a plan's optimized stages with SIMD kernels, in tiles that stay in the second-level cache, on all cores.
public struct CPURenderer: Renderer {
  public let name = "cpu"
  public let evaluator: any ColorEvaluator = KernelEvaluator()
  /// At most this many threads; nil uses every core.
  public let threads: Int?

  public init(threads: Int? = nil) { self.threads = threads }

  /// The instruction set that the kernels use, such as `AVX3`.
  public static var instructionSet: String { String(cString: sl_instruction_set()) }

  public func prepare(_ plan: Plan) -> PreparedPlan {
    PreparedPlan(plan: plan, state: CompiledPlan(plan))
  }

  public func prepare(_ source: PixelBuffer, for prepared: PreparedPlan) throws -> PreparedSource {
    try prepared.plan.check(source)
    guard let compiled = prepared.state as? CompiledPlan else {
      throw SafelightError(
        .invalidValue, "The plan was prepared by another renderer", remedy: "prepare it with this one")
    }
    let buffer = try compiled.shrink?.run(source, threads: threads) ?? source
    return PreparedSource(buffer: buffer, plan: prepared.plan, state: name)
  }

  public func render(
    _ source: PreparedSource, through prepared: PreparedPlan, rows: Range<Int>, into output: PixelBuffer
  ) throws {
    guard let compiled = prepared.state as? CompiledPlan else {
      throw SafelightError(
        .invalidValue, "The plan was prepared by another renderer", remedy: "prepare it with this one")
    }
    guard source.state as? String == name else {
      throw SafelightError(
        .invalidValue, "The picture was prepared by another renderer", remedy: "prepare it with this one")
    }
    try prepared.plan.check(source, rows: rows, output: output)
    let bandHeight = TileScratch.height
    let bands = (rows.count + bandHeight - 1) / bandHeight
    Parallel.forEach(bands, threads: threads) { band in
      let first = rows.lowerBound + band * bandHeight
      let scratch = TileScratch()
      compiled.renderBand(
        source.buffer, rows: first..<min(first + bandHeight, rows.upperBound), into: output,
        outputRow: first - rows.lowerBound, scratch: scratch)
    }
  }
}

extension Renderer where Self == CPURenderer {
  /// The fastest renderer of this machine.
  public static var automatic: CPURenderer { CPURenderer() }
}

extension Renderer where Self == ReferenceRenderer {
  public static var reference: ReferenceRenderer { ReferenceRenderer() }
}

/// Loops over independent pieces of work.
enum Parallel {
  static func forEach(_ count: Int, threads: Int?, _ body: @Sendable (Int) -> Void) {
    guard let threads else {
      DispatchQueue.concurrentPerform(iterations: count, execute: body)
      return
    }
    let workers = min(max(threads, 1), count)
    guard workers > 1 else {
      for index in 0..<count { body(index) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      for index in stride(from: worker, to: count, by: workers) { body(index) }
    }
  }
}

/// The memory of one tile: a row of samples as sampled, and as planar floats.
final class TileScratch {
  /// Output pixels a tile. With a turn of a few degrees the source of a tile is about 280 × 80 pixels, 90 KB.
  static let width = 256
  static let height = 64

  /// One interleaved row, of the widest samples.
  let row: UnsafeMutableRawPointer
  let r, g, b, dither: UnsafeMutablePointer<Float>

  init() {
    row = .allocate(byteCount: Self.width * 16, alignment: 64)
    r = .allocate(capacity: Self.width)
    g = .allocate(capacity: Self.width)
    b = .allocate(capacity: Self.width)
    dither = .allocate(capacity: Self.width)
  }

  deinit {
    row.deallocate()
    for plane in [r, g, b, dither] { plane.deallocate() }
  }
}

extension CPURenderer {
  /// Refuses a `SAFELIGHT_SIMD` that names no instruction set.
  public static func checkEnvironment() throws {
    guard sl_limit_instruction_set(nil) == 0 else { return }
    let requested = getenv("SAFELIGHT_SIMD").map { String(cString: $0) } ?? ""
    throw SafelightError(
      .invalidValue, "SAFELIGHT_SIMD is “\(requested)”, which names no instruction set",
      remedy: "use scalar, sse4, avx2 or avx512, or unset it")
  }
}
