import Testing

@testable import VulkanRendering

@Suite("Shaders")
struct ShaderTests {
  @Test("Every shader was compiled", arguments: Shader.allCases)
  func compiled(_ shader: Shader) throws {
    // The magic number of SPIR-V.
    #expect(try shader.code().first == 0x0723_0203)
  }
}
