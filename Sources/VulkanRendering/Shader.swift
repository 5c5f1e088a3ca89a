import FrameCore

/// A compute shader in `shaders/`, by its file name.
enum Shader: String, Sendable, Hashable, CaseIterable {
  /// Samples, colours and stores a picture: the only shader of nearly all plans.
  case frame
  /// The horizontal pass of a downsampling.
  case horizontal = "downsample_horizontal"
  /// The vertical pass of a downsampling.
  case vertical = "downsample_vertical"

  /// The invocations of the largest work group: `local_size` of `frame.comp`. Vulkan guarantees 128.
  static let groupInvocations = 256
  /// The maximum bytes shared in a work group: `lines` of `passes.glsl`, more than `chunk` of
  /// `downsample_horizontal.comp`.
  static let sharedBytes = 3 * 44 * 16 * 4

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
      stride(from: 0, to: letters.count, by: 8).map { start in
        (0..<8).reduce(UInt32(0)) { $0 | UInt32(letters[start + $1] - UInt8(ascii: "a")) << UInt32(4 * $1) }
      }
    }
  }
}

/// A shader with the values of its specialization constants 0, 1, ….
struct ShaderVariant: Sendable, Hashable {
  var shader: Shader
  var constants: [UInt32]
}
