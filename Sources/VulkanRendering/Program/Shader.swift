import FrameCore

/// A compute shader in `shaders/`, by its file name.
enum Shader: String, Sendable, Hashable, CaseIterable {
  /// Samples, colours and stores a picture: the only shader of nearly all plans.
  case frame
  /// The same for luma and colour differences.
  case planes = "frame_planes"
  /// Sharpens what `frame` leaves.
  case sharpen
  /// The horizontal pass of a downsampling.
  case horizontal = "downsample_horizontal"
  /// The vertical pass of a downsampling.
  case vertical = "downsample_vertical"
  /// The first pass of a noise reduction.
  case denoiseGuide = "denoise_guide"
  /// The second one.
  case denoise

  /// The invocations of the largest work group: `local_size` of `frame.comp`. Vulkan guarantees 128.
  static let groupInvocations = 256
  /// The maximum bytes shared in a work group: the two windows and two sums of `denoise.comp`, more than `lines` of
  /// `passes.glsl` and `colours` of `planes.glsl`. Vulkan guarantees 16 KiB.
  static let sharedBytes = 2 * 44 * 28 * 4 + 2 * 32 * 16 * 4

  /// What a device lacks that the shaders need, without a full stop; nil if it lacks nothing.
  static func problem(groupInvocations: Int, sharedBytes: Int) -> String? {
    if groupInvocations < Self.groupInvocations {
      return "has work groups of \(groupInvocations) invocations; \(Self.groupInvocations) are needed"
    }
    if sharedBytes < Self.sharedBytes {
      return "has \(sharedBytes) bytes of shared memory; \(Self.sharedBytes) are needed"
    }
    return nil
  }

  /// The compiled code in 32-bit words.
  ///
  /// - Throws: `SafelightError` if this build has no shaders.
  func code() throws -> [UInt32] {
    guard let text = ShaderCode.text(of: rawValue) else {
      throw SafelightError(
        .unsupported,
        "This build of Safelight has no GPU shader “\(rawValue)”, since glslang was missing when it was built",
        remedy: "install glslang-tools (Debian, Ubuntu) and build again, or render on the CPU")
    }
    return text.withUTF8Buffer { letters in
      var words: [UInt32] = []
      words.reserveCapacity(letters.count / 2)
      var (word, shift): (UInt32, UInt32) = (0, 0)
      for letter in letters {
        let digit = UInt32(letter - UInt8(ascii: "0"))
        word |= (digit & 31) << shift
        shift += 5
        guard digit < 32 else { continue }
        words.append(word)
        (word, shift) = (0, 0)
      }
      return words
    }
  }
}

/// A shader with the values of its specialization constants 0, 1, ….
struct ShaderVariant: Sendable, Hashable {
  var shader: Shader
  var constants: [UInt32]

  /// The shader's code in 32-bit words, with its colour stages called directly.
  ///
  /// Drivers inline all functions before they look at constants, so a kernel of one stage would be compiled with every
  /// kind of stage in each of its twelve places: 0.75 s instead of 0.2 s on Mesa's llvmpipe.
  ///
  /// - Throws: `SafelightError` if this build has no shaders.
  func code() throws -> [UInt32] {
    var code = try shader.code()
    guard let (calls, functions) = ShaderCode.stageCalls(of: shader.rawValue) else { return code }
    let stages = Int(constants[FrameConstants.stageCount])
    let kinds = Array(constants[FrameConstants.kindConstants])
    for (index, call) in calls.enumerated() {
      if index >= stages {
        code.passColour(at: call)
      } else if index < kinds.count {
        code.call(functions[Int(kinds[index]) - 1], at: call)
      }
      // The last call, in a loop, is that of the stages whose kinds are not constants.
    }
    return code
  }
}

/// Calls of `stage(kind, at, rgb)`: seven words, the last three of which are the addresses of its arguments.
///
/// Source: SPIR-V Specification 1.6, instructions OpFunctionCall, OpLoad and OpNop.
extension [UInt32] {
  private static var nop: UInt32 { 1 << 16 }

  /// Replaces a call of `stage` with one of `function(at, rgb)`.
  fileprivate mutating func call(_ function: UInt32, at start: Int) {
    let (type, result, place, colour) = (self[start + 1], self[start + 2], self[start + 5], self[start + 6])
    replaceSubrange(start..<start + 7, with: [6 << 16 | 57, type, result, function, place, colour, Self.nop])
  }

  /// Replaces a call of `stage` with the colour that it is given.
  fileprivate mutating func passColour(at start: Int) {
    let (type, result, colour) = (self[start + 1], self[start + 2], self[start + 6])
    replaceSubrange(
      start..<start + 7, with: [4 << 16 | 61, type, result, colour, Self.nop, Self.nop, Self.nop])
  }
}
