import AnalysisKernels
import PixelKernels
import TestSupport
import Testing

/// A value of SAFELIGHT_SIMD.
enum InstructionSet: String, CaseIterable {
  case scalar, sse4, avx2, avx512

  /// What `body` gives with kernels for no better set than each.
  static func allResults<Result>(_ body: () -> Result) -> [Result] {
    ProcessWideLock.instructionSet.withLock {
      defer { sl_limit_instruction_set(nil) }
      return allCases.map { set in
        #expect(sl_limit_instruction_set(set.rawValue) == 1)
        return body()
      }
    }
  }
}
