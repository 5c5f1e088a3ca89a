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

  // MARK: Colour stages

  /// The functions that a module's instructions call, in order. OpFunctionCall: type, result, function, arguments.
  private func callees(in code: [UInt32]) throws -> [UInt32] {
    var callees: [UInt32] = []
    var index = 5
    while index < code.count {
      let words = Int(code[index] >> 16)
      try #require(words > 0)
      if code[index] & 0xffff == 57 { callees.append(code[index + 3]) }
      index += words
    }
    return callees
  }

  private func variant(_ shader: Shader, kinds: [UInt32]) -> ShaderVariant {
    let constant = (0..<12).map { $0 < kinds.count ? kinds[$0] : 0 }
    return ShaderVariant(
      shader: shader, constants: [0, 0, 0, 0, 0, 0, 0, 0, 0, UInt32(kinds.count), 96] + constant)
  }

  @Test(
    "A kernel calls the functions of its stages, and no others", .needsShaders,
    arguments: Shader.allCases.filter { ![.sharpen, .denoiseGuide, .denoise].contains($0) })
  func stageCalls(_ shader: Shader) throws {
    let (calls, functions) = try #require(ShaderCode.stageCalls(of: shader.rawValue))
    let code = try shader.code()
    // Twelve whose kinds are constants, and the loop's.
    #expect(calls.count == 13)
    let stage = code[calls[0] + 3]
    // OpFunctionCall of seven words.
    let instruction: UInt32 = 7 << 16 | 57
    for call in calls { #expect(code[call] == instruction && code[call + 3] == stage) }
    #expect(functions.count == 13 && Set(functions).count == 13 && !functions.contains(stage))

    let others = try callees(in: code).filter { $0 != stage }
    func called(_ kinds: [UInt32]) throws -> [UInt32] {
      try callees(in: variant(shader, kinds: kinds).code()).sorted()
    }
    func expected(_ kinds: [UInt32], and more: [UInt32] = []) -> [UInt32] {
      let stages = kinds.map { functions[Int($0) - 1] }
      return (others + more + stages).sorted()
    }
    #expect(try called([]) == expected([]))
    #expect(try called([2, 1, 7]) == expected([2, 1, 7]))
    let twelve: [UInt32] = [2, 1, 3, 4, 5, 6, 7, 1, 1, 2, 3, 2]
    #expect(try called(twelve) == expected(twelve))
    // The thirteenth is called through `stage`.
    #expect(try called(twelve + [6]) == expected(twelve, and: [stage]))
  }

  @Test("A device whose work groups are too small is refused, with both numbers")
  func problems() {
    // What Vulkan promises of every device.
    #expect(
      Shader.problem(groupInvocations: 128, sharedBytes: 16384)
        == "has work groups of 128 invocations; 256 are needed")
    #expect(
      Shader.problem(groupInvocations: 256, sharedBytes: 4096)
        == "has 4096 bytes of shared memory; 13952 are needed")
    #expect(Shader.problem(groupInvocations: 256, sharedBytes: 16384) == nil)
  }
}
