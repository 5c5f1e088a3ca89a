import FrameCore
import PixelKernels

/// A level of SIMD instructions that the kernels are compiled for, from the least to the most.
public enum InstructionSet: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Plain code.
  case scalar
  case sse4
  case avx2
  case avx512
  /// What Ice Lake added to AVX-512: VBMI, VNNI and more.
  case avx512icl

  public static func < (first: InstructionSet, second: InstructionSet) -> Bool {
    first.level < second.level
  }

  /// As in “scalar, sse4 or avx2”.
  static var names: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  private var level: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension CPURenderer {
  /// Limits the kernels of the whole process to instruction sets up to `set`, for measurements and for comparing what
  /// different sets make. It takes the place of what `SAFELIGHT_SIMD` says.
  ///
  /// Plans that were prepared before run with it too. Not for use while pictures are being rendered.
  ///
  /// - Parameter set: where the processor lacks it, the best one below counts; nil goes back to what `SAFELIGHT_SIMD` says,
  ///   or to the best.
  /// - Throws: `SafelightError` (`unsupported`) where the kernels know nothing of the set; nothing changes then.
  public static func limitInstructionSet(to set: InstructionSet?) throws {
    guard sl_limit_instruction_set(set?.rawValue) == 0 else { return }
    guard let set else { return try checkEnvironment() }
    throw SafelightError(
      .unsupported, "The kernels have no code for \(set.rawValue)",
      remedy: "choose one of CPURenderer.availableInstructionSets")
  }

  /// The instruction sets that this processor and this build have, from the least to the most.
  ///
  /// Finding them limits the kernels for a moment, and leaves them with what `SAFELIGHT_SIMD` says: not for use while
  /// pictures are being rendered.
  public static var availableInstructionSets: [InstructionSet] {
    defer { _ = sl_limit_instruction_set(nil) }
    var names: [String] = []
    return InstructionSet.allCases.filter { set in
      // A set that is not there leaves the choice where the one below had put it.
      guard sl_limit_instruction_set(set.rawValue) == 1, !names.contains(instructionSet) else { return false }
      names.append(instructionSet)
      return true
    }
  }
}
