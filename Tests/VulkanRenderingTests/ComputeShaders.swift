import TestSupport
import Testing

/// Kernels of the tests, compiled when they run, so that no code lies about without its source.
enum ComputeShaders {
  /// target[i] = source[i] · factor + offset + addend, for i < count.
  ///
  /// Constants: factor, offset. Parameters: count, addend. Groups of 64.
  static let scale = Result {
    try compile(
      """
      #version 460
      layout(local_size_x = 64) in;
      layout(constant_id = 0) const uint factor = 1;
      layout(constant_id = 1) const uint offset = 0;
      layout(binding = 0, std430) readonly buffer Source { uint source[]; };
      layout(binding = 1, std430) writeonly buffer Target { uint target[]; };
      layout(push_constant, std430) uniform Parameters { uint count; uint addend; };
      void main() {
        uint i = gl_GlobalInvocationID.x;
        if (i < count) target[i] = source[i] * factor + offset + addend;
      }
      """)
  }

  /// Each group turns round until flag[0] is not 0, at most `turns` times.
  ///
  /// Constant: turns. Groups of 64: llvmpipe goes on in lanes of its vectors that a smaller group leaves empty.
  static let linger = Result {
    try compile(
      """
      #version 460
      layout(local_size_x = 64) in;
      layout(constant_id = 0) const uint turns = 1;
      layout(binding = 0, std430) coherent volatile readonly buffer Flag { uint flag[]; };
      void main() {
        for (uint turn = 0; turn < turns && flag[0] == 0u; ++turn) {}
      }
      """)
  }

  private static func compile(_ source: String) throws -> [UInt32] {
    let folder = try Scratch()
    try folder.write(source, to: "shader.comp")
    try ExternalProgram.glslangValidator.run([
      "-V", "--target-env", "vulkan1.3", "--quiet", "-o", folder("shader.spv"), folder("shader.comp"),
    ])
    return try folder.read("shader.spv").withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
      }
    }
  }
}

extension Trait where Self == ConditionTrait {
  static var needsShaderCompiler: Self { .installed(.glslangValidator) }
}
