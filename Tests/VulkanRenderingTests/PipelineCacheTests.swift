import FilterGraph
import FrameCore
import Rendering
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@testable import VulkanRendering

@Suite("Compiled kernels on disk")
struct PipelineCacheTests {
  /// A folder of its own for `body`, gone afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    var name = Array("/tmp/safelight-cache-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw SafelightError(.file, "no folder") }
    let folder = name.withUnsafeBytes { text(of: $0) }
    defer {
      for file in files(in: folder + "/deep") { unlink("\(folder)/deep/\(file)") }
      rmdir(folder + "/deep")
      rmdir(folder)
    }
    try body(folder)
  }

  private func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  @Test("are read as they were written, and replaced whole")
  func roundTrip() throws {
    try withFolder { folder in
      let file = try #require(PipelineCacheFile(uuid: "0123", in: folder + "/deep"))
      #expect(file.read() == [])
      let first = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
      file.write(first)
      #expect(file.read() == first)
      file.write([1, 2, 3])
      #expect(file.read() == [1, 2, 3])
      #expect(files(in: folder + "/deep") == ["vulkan-0123.bin"])
    }
  }

  @Test("are left out where there is no folder for them")
  func unwritable() throws {
    let file = try #require(PipelineCacheFile(uuid: "0123", in: "/dev/null"))
    file.write([1, 2, 3])
    #expect(file.read() == [])
  }

  @Test(
    "are kept by a renderer, which takes no harm from damage",
    .enabled(if: TestDevice.isThere, TestDevice.absence))
  func renderer() throws {
    try withFolder { folder in
      let device = try TestDevice.device()
      let source = try NoisePicture.make(20, 10, .rgba8)
      let file = try #require(PipelineCacheFile(uuid: device.pipelineCacheUUID, in: folder + "/deep"))
      var rendered: Set<[UInt8]> = []
      var damaged: [[UInt8]] = [[], [0], Array(repeating: 0xA5, count: 5000)]
      for pass in 0..<6 {
        let renderer = try VulkanRenderer(on: device, cacheFolder: folder + "/deep")
        rendered.insert(try renderer.frame(source, through: renderer.plan([], for: source)).tightBytes)
        #expect(!file.read().isEmpty)
        if pass == 2 {
          // Cut short, and with other contents under the right head.
          damaged.append(Array(file.read().dropLast(7)))
          damaged.append(file.read().enumerated().map { $0.offset > 40 ? ~$0.element : $0.element })
        }
        if let damage = damaged.popLast(), !damage.isEmpty { file.write(damage) }
      }
      #expect(rendered.count == 1)
      try TestDevice.expectNoComplaints()
    }
  }
}
