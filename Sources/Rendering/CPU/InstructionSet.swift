import FrameCore
import PixelKernels

/// A SIMD level that the kernels are compiled for, from lowest to highest.
public enum InstructionSet: String, Sendable, Hashable, CaseIterable, Comparable {
  /// No SIMD instructions.
  case scalar
  case sse4
  case avx2
  case avx512
  /// AVX-512 with the Ice Lake additions: VBMI, VNNI and more.
  case avx512icl

  public static func < (first: InstructionSet, second: InstructionSet) -> Bool {
    first.level < second.level
  }

  /// For example “scalar, sse4 or avx2”.
  static var names: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  private var level: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension CPURenderer {
  /// Limits the kernels of the whole process to instruction sets up to `set`, for measurements and for comparing
  /// the output of different sets. Overrides `SAFELIGHT_SIMD`.
  ///
  /// Applies to plans prepared earlier too. Must not be called while pictures are being rendered.
  ///
  /// - Parameter set: if the processor lacks it, the best lower one is used; nil restores the limit of
  ///   `SAFELIGHT_SIMD`, or the best set.
  /// - Throws: `SafelightError` (`unsupported`) if the kernels were not built for the set; nothing changes then.
  public static func limitInstructionSet(to set: InstructionSet?) throws {
    guard sl_limit_instruction_set(set?.rawValue) == 0 else { return }
    guard let set else { return try checkEnvironment() }
    throw SafelightError(
      .unsupported, "The kernels have no code for \(set.rawValue)",
      remedy: "choose one of CPURenderer.availableInstructionSets")
  }

  /// The instruction sets that this processor and this build support, from lowest to highest.
  ///
  /// The search limits the kernels temporarily and then restores the limit of `SAFELIGHT_SIMD`, so it must not run
  /// while pictures are being rendered.
  public static var availableInstructionSets: [InstructionSet] {
    defer { _ = sl_limit_instruction_set(nil) }
    var names: [String] = []
    return InstructionSet.allCases.filter { set in
      // An unsupported set leaves the choice at the next lower one.
      guard sl_limit_instruction_set(set.rawValue) == 1, !names.contains(instructionSet) else { return false }
      names.append(instructionSet)
      return true
    }
  }
}
