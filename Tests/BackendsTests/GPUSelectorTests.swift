import LibraryTestSupport
import Safelight
import Testing

@Suite("The name of a GPU")
struct GPUSelectorTests {
  @Test("is a number or a part of its name")
  func parsing() throws {
    #expect(try GPUSelector("0") == .number(0))
    #expect(try GPUSelector("12") == .number(12))
    #expect(try GPUSelector("RTX 4090") == .name("RTX 4090"))
    #expect(try GPUSelector("780m") == .name("780m"))
    for text in ["", " ", "-1", "--json", "99999999999999999999"] {
      #expect(
        message { _ = try GPUSelector(text) }
          == "“\(text)” names no GPU; give its number or a part of its name, as --gpu list shows them.")
    }
  }
}
