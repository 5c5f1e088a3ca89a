import ColorScience
import FilterGraph
import FrameCore
import PixelKernels
import Synchronization
import Libc

/// Runs a plan's optimized stages with SIMD kernels on all cores, in tiles that stay in the second-level cache.
///
/// The threads start with the first picture and then wait for the next; copies of a renderer share them. After the
/// first frame, rendering a frame allocates nothing.
public struct CPURenderer: Renderer {
  public let name = "cpu"
  /// Bakes on all of the renderer's threads.
  package let evaluator: any ColorEvaluator
  /// The maximum number of threads; nil uses every core.
  public let threads: Int?
  let pool: WorkerPool
  /// Shares colours between the plans in use.
  let colors = CompiledColors()

  public init(threads: Int? = nil) {
    self.threads = threads
    pool = WorkerPool(threads: threads)
    evaluator = KernelEvaluator(pool: pool)
  }

  /// The instruction set that the kernels use, for example `AVX3`.
  public static var instructionSet: String { String(cString: sl_instruction_set()) }

  public func prepare(_ plan: Plan) -> CPUPlan {
    CPUPlan(plan, CompiledPlan(plan, sharing: colors), pool: pool)
  }

  public func optimize(_ draft: Plan, options: PlanOptions) throws -> Plan {
    try draft.optimized(
      evaluator: options.usesOneThread ? KernelEvaluator() : evaluator, bakes: options.bakes)
  }

  public var takesRows: Bool { true }
}

extension Renderer where Self == CPURenderer {
  /// The CPU renderer on all cores.
  public static var cpu: CPURenderer { CPURenderer() }
}

extension Renderer where Self == ReferenceRenderer {
  public static var reference: ReferenceRenderer { ReferenceRenderer() }
}

extension CPURenderer {
  /// Throws if `SAFELIGHT_SIMD` names no instruction set.
  package static func checkEnvironment() throws {
    guard sl_limit_instruction_set(nil) == 0 else { return }
    let requested = getenv("SAFELIGHT_SIMD").map { String(cString: $0) } ?? ""
    throw SafelightError(
      .invalidValue, "SAFELIGHT_SIMD is “\(requested)”, which names no instruction set",
      remedy: "use \(InstructionSet.names), or unset it")
  }
}
