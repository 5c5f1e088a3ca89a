import Testing

@testable import VulkanRendering

@Suite("Shaders")
struct ShaderTests {
  @Test("Every shader was compiled", .needsShaders, arguments: Shader.allCases)
  func compiled(_ shader: Shader) throws {
    // The magic number of SPIR-V.
    #expect(try shader.code().first == 0x0723_0203)
  }

  @Test("Work groups are no larger than what devices are asked for", .needsShaders)
  func groups() throws {
    let sizes = try Shader.allCases.map { try groupSize(of: $0.code()) }
    #expect(sizes.max() == Shader.groupInvocations)
  }

  /// Of `OpExecutionModeId … LocalSizeId x y z`, whose operands are constants.
  private func groupSize(of code: [UInt32]) throws -> Int {
    var constants: [UInt32: UInt32] = [:]
    var edges: ArraySlice<UInt32> = []
    // Instructions follow five words of header.
    var index = 5
    while index < code.count {
      let (words, operation) = (Int(code[index] >> 16), code[index] & 0xffff)
      // OpConstant: type, result, value.
      if operation == 43, words == 4 { constants[code[index + 2]] = code[index + 3] }
      if operation == 331, words == 6, code[index + 2] == 38 { edges = code[index + 3..<index + 6] }
      index += max(1, words)
    }
    try #require(edges.count == 3)
    return try edges.reduce(1) { $0 * Int(try #require(constants[$1])) }
  }

  @Test("A device whose work groups are too small is refused, with both numbers")
  func problems() {
    // What Vulkan promises of every device.
    #expect(
      Shader.problem(groupInvocations: 128, sharedBytes: 16384)
        == "has work groups of 128 invocations; 256 are needed")
    #expect(
      Shader.problem(groupInvocations: 256, sharedBytes: 4096)
        == "has 4096 bytes of shared memory; 8448 are needed")
    #expect(Shader.problem(groupInvocations: 256, sharedBytes: 16384) == nil)
  }
}
