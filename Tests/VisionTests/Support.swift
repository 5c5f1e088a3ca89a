import FrameAnalysis
import FrameCore
import Libc
import PhotoIO
import TestSupport
import Testing

@testable import Vision

/// What the tests of detectors share.
enum Vision {
  static let package: String =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

  /// A worker that may be made to misbehave.
  static func worker(_ abilities: VisionAbility..., memory: Int = 1024) throws -> VisionWorker {
    try VisionWorker(VisionWorker.Options(Set(abilities), memory: memory), program: nil, allowsTrials: true)
  }

  /// Why an ability cannot be tested here: what is not installed. Nil if it can, or if it fails for another reason, which
  /// tests have to show.
  static func absence(of ability: VisionAbility) -> String? {
    do {
      try VisionWorker(VisionWorker.Options([ability])).start()
      return nil
    } catch {
      let text = "\(error)"
      return ["There is no program", "install the package"].contains { text.contains($0) } ? text : nil
    }
  }

  /// A photo, as stored.
  static func photo(_ path: String) throws -> PixelBuffer {
    let reader = try PhotoReader(contentsOf: path)
    let buffer = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: buffer)
    try reader.finish()
    return buffer
  }

  static func fixture(_ name: String) throws -> PixelBuffer {
    try photo("\(package)/Tests/VisionTests/Fixtures/\(name)")
  }

  /// What a detector finds in a picture.
  static func find(
    _ detector: inout some FrameDetector, _ buffer: PixelBuffer, orientation: Orientation = .up
  ) throws -> [Detection] {
    let proxy = AnalysisProxy()
    try proxy.update(from: buffer, orientation: orientation)
    return try detector.detections(in: proxy, of: Frame(buffer: buffer, orientation: orientation))
  }

  /// A grey picture of 8 bits, whose samples are computed for each place.
  static func gray(_ width: Int, _ height: Int, _ sample: (_ x: Int, _ y: Int) -> UInt8) throws -> PixelBuffer
  {
    let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .gray8)
    for y in 0..<height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<width { row[x] = sample(x, y) }
    }
    return buffer
  }

  /// A picture's luma as stored, changed at each place.
  static func changed(_ buffer: PixelBuffer, _ change: (_ x: Int, _ y: Int, _ luma: UInt8) -> UInt8) throws
    -> PixelBuffer
  {
    var luma = UprightLuma(of: buffer.size, orientation: .up)
    let plain = try PixelBuffer(size: buffer.size, format: .gray8)
    luma.add(
      buffer.height, of: buffer,
      to: UprightLuma.Target(
        base: plain.planes[0].base.assumingMemoryBound(to: UInt8.self), rowBytes: plain.planes[0].rowBytes))
    return try gray(buffer.width, buffer.height) { x, y in change(x, y, plain.row(y, as: UInt8.self)[x]) }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips what needs an ability that cannot be had here, with its sentence.
  static func canFind(_ ability: VisionAbility) -> Self {
    let absence = Vision.absence(of: ability)
    return .enabled(if: absence == nil, Comment(rawValue: absence ?? ""))
  }
}

/// The sentence of the error that `body` throws.
func sentence(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}
