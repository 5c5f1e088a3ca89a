import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing
import Libc

@testable import VulkanRendering

@Suite("Pictures that a device reaches in place", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct ImportedMemoryTests {
  static let imports = (try? TestDevice.shared().context.device.limits.import_alignment) ?? 0 > 0
  static let absence: Comment = "the device imports no memory"

  private func makePlan(_ renderer: VulkanRenderer, _ source: PixelBuffer) throws -> Plan {
    try renderer.plan([Exposure(stops: 0.4)], for: source)
  }

  @Test("are imported when they come again", .enabled(if: imports, absence), arguments: [false, true])
  func again(copiesAlways: Bool) throws {
    let renderer = try TestDevice.renderer(copiesAlways: copiesAlways)
    let source = try NoisePicture.make(61, 47, .nv12)
    let plan = try makePlan(renderer, source)
    let prepared = try renderer.prepare(plan)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    let expected = try CPURenderer(threads: 1).frame(source, through: plan)
    var isImported: [Bool] = []
    for _ in 0..<3 {
      memset(output.planes[0].base, 0, output.planes[0].rowBytes * output.height)
      try prepared.render(source, into: output)
      #expect(output.largestDifference(from: expected) <= 1)
      isImported.append(
        (source.attachment(of: ObjectIdentifier(renderer.context)) as? ImportedMemory)?.isImported == true)
    }
    #expect(isImported == [false, true, true])
    #expect(renderer.transfers.copiedSources == 1)
    #expect(renderer.transfers.importedSources == 2)
    #expect(renderer.transfers.importedOutputs == 2)
    // What was written in the meantime is seen.
    for plane in source.planes { memset(plane.base, 77, plane.rowBytes * plane.rows) }
    try prepared.render(source, into: output)
    #expect(
      output.largestDifference(from: try CPURenderer(threads: 1).frame(source, through: plan)) <= 1)
    try TestDevice.expectNoComplaints()
  }

  @Test(
    "are no longer when their memory goes, so that an address may come again", .enabled(if: imports, absence))
  func recycledAddresses() throws {
    let renderer = try TestDevice.shared()
    let first = try NoisePicture.make(61, 47, .rgba8)
    let plan = try makePlan(renderer, first)
    let prepared = try renderer.prepare(plan)
    var addresses: [UnsafeMutableRawPointer] = []
    for seed in 0..<6 {
      let source = try NoisePicture.make(61, 47, .rgba8, seed: UInt64(seed))
      let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
      let expected = try CPURenderer(threads: 1).frame(source, through: plan)
      for _ in 0..<3 { try prepared.render(source, into: output) }
      #expect(output.largestDifference(from: expected) <= 1)
      addresses.append(source.planes[0].base)
    }
    #expect(Set(addresses).count < addresses.count, "no address came again; the test shows nothing")
    try TestDevice.expectNoComplaints()
  }

  @Test("let go of their device when it closes")
  func closing() throws {
    let source = try NoisePicture.make(61, 47, .rgba8)
    weak var device: DeviceHandle?
    do {
      let renderer = try TestDevice.renderer()
      device = renderer.context.device
      let plan = try makePlan(renderer, source)
      let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
      let prepared = try renderer.prepare(plan)
      for _ in 0..<3 { try prepared.render(source, into: output) }
    }
    #expect(device == nil)
  }

  @Test("are copied where their rows do not begin at whole words", arguments: [false, true])
  func oddRows(copiesAlways: Bool) throws {
    let renderer = try TestDevice.shared(copiesAlways: copiesAlways)
    let size = PixelSize(width: 31, height: 9)
    let model = try NoisePicture.make(31, 9, .gray8)
    // Rows of 33 bytes from an odd address on, with nothing behind the last one.
    let bytes = 33 * 8 + 31
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes + 1, alignment: 64)
    for y in 0..<9 { memcpy(memory + 1 + 33 * y, model.planes[0].row(y), 31) }
    let source = try PixelBuffer(
      wrapping: [(memory + 1, 33)], size: size, format: .gray8, tags: model.tags,
      release: { [address = UInt(bitPattern: memory)] in
        UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      })
    let plan = try makePlan(renderer, source)
    let prepared = try renderer.prepare(plan)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    let expected = try renderer.frame(model, through: plan)
    for _ in 0..<3 {
      try prepared.render(source, into: output)
      #expect(output.tightBytes == expected.tightBytes)
    }
  }
}
