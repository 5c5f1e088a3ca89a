import LibraryTestSupport
import Safelight
import Testing

@testable import Backends

@Suite("Lists of GPUs")
struct GPUListReportTests {
  @Test("The JSON of a list, and of none with its reason, is that recorded")
  func recorded() throws {
    let devices = [
      GPUDescription(
        number: 0, name: "A GPU", driver: "driver 535.1", kind: .discrete, memoryBytes: 8_000_000_000,
        vulkanVersion: "1.3.230", identifier: String(repeating: "0f", count: 16)),
      GPUDescription(
        number: 1, name: "Old", driver: "", kind: .integrated, memoryBytes: 268_435_456,
        vulkanVersion: "1.1.70", identifier: String(repeating: "1e", count: 16),
        problem: "supports Vulkan 1.1 only"),
    ]
    let report = try GPUListReport { devices }
    #expect(report.gpus == devices && report.problem == nil)
    try expectRecorded(report, as: "gpus")
    let none = try GPUListReport {
      throw SafelightError(.unsupported, "There is no Vulkan loader", remedy: "install libvulkan1")
    }
    #expect(none.gpus.isEmpty)
    try expectRecorded(none, as: "gpus-none")
  }

  @Test("An error that is no reason for an empty list is thrown")
  func failure() {
    #expect(throws: CancellationError.self) { try GPUListReport { throw CancellationError() } }
  }
}
