import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

/// The folder of camera raws that SAFELIGHT_RAWS names: raws of real cameras may not be in a repository.
private let folder = ProcessInfo.processInfo.environment["SAFELIGHT_RAWS"]

@Suite(
  "Camera raws of a collection",
  .enabled(if: folder != nil, "set SAFELIGHT_RAWS to a folder of camera raws"))
struct RawCollectionTests {
  private static var paths: [String] {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return []
    }
    return names.sorted().filter { name in
      CameraRaw.pathExtension(of: name).map(CameraRaw.pathExtensions.contains) ?? false
    }
    .map { "\(folder)/\($0)" }
    // JPEG files that somebody gave a raw's ending.
    .filter { (try? InputFile(path: $0).signature) != .photo(.jpeg) }
  }

  private func develop(_ reader: PhotoReader) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: reader.size, format: reader.format, tags: reader.tags)
    try reader.read(into: buffer)
    try reader.finish()
    return buffer
  }

  /// The mean of R, G and B, as fractions of full scale.
  private func mean(_ buffer: PixelBuffer) -> SIMD3<Double> {
    var sums = SIMD3<Int>()
    withExtendedLifetime(buffer) {
      for y in 0..<buffer.height {
        let row = buffer.planes[0].row(y).assumingMemoryBound(to: UInt16.self)
        for x in 0..<buffer.width {
          sums &+= SIMD3(Int(row[4 * x]), Int(row[4 * x + 1]), Int(row[4 * x + 2]))
        }
      }
    }
    return SIMD3<Double>(sums) / Double(buffer.size.pixelCount) / 65_535
  }

  @Test("There are raws in the folder")
  func folderIsNotEmpty() { #expect(!Self.paths.isEmpty) }

  @Test("A raw is what its header says, and the same with one thread and with many", arguments: paths)
  func whole(path: String) throws {
    let header = try PhotoHeader.read(path)
    let reader = try PhotoReader(contentsOf: path)
    try #require(reader.format == .rgba16)
    let alone = try develop(reader)
    #expect(reader.size == header.size && reader.tags == header.tags)
    #expect(reader.metadata == header.metadata)
    #expect(header.metadata.captureFacts.camera != nil)
    let light = mean(alone)
    #expect(light.min() > 0.0005 && light.max() < 0.9, "\(light)")
    let other = try PhotoReader(contentsOf: path)
    other.developingThreads = nil
    #expect(samples16(try develop(other)) == samples16(alone))
    // Half the size, four pixels of the mosaic into one: as light and as coloured, within 5 %.
    let half = try PhotoReader(contentsOf: path, scaledToLongEdge: header.size.longEdge / 2)
    let difference = mean(try develop(half)) - light
    #expect(max(difference.max(), -difference.min()) < 0.05 * light.max(), "\(light) \(difference)")
  }

  @Test("A raw that ends early is an error or has a warning", arguments: paths)
  func truncated(path: String) throws {
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    let scratch = try Scratch()
    let name = "cut.\(CameraRaw.pathExtension(of: path) ?? "dng")"
    let cut = try scratch.write(Array(bytes[..<(bytes.count * 6 / 10)]), to: name)
    do {
      let photo = try Photo(contentsOf: cut)
      #expect(!photo.warnings.isEmpty)
    } catch let error as SafelightError {
      #expect(error.code == .corruptData || error.code == .unsupported, "\(error)")
    }
  }
}
